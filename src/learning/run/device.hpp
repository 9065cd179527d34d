#pragma once

#include <cstdint>
#include <string>

#include "base/error.hpp"

namespace scholar::learning {

// Where a network's weights lie while it is trained.
enum class Device : std::uint8_t {
    Cpu,  // in memory, and kernels of our own work with them
    Gpu,  // on the first graphics card that libtorch finds, by libtorch's own operators
};

// Refused: a GPU where there is none, or where libtorch was built without.
base::Status check_device(Device device);

// Sets libtorch up for this process: `threads` threads (0: one a core), and memory that is kept between
// batches. Gives a warning if the linear algebra library found is a slow one, else "".
std::string prepare_torch(int threads);
// How many threads it uses.
int torch_threads();

}  // namespace scholar::learning
