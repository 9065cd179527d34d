#pragma once

#include <cstdint>

#include "base/error.hpp"

namespace scholar::learning {

// Where a network's weights lie while it is trained.
enum class Device : std::uint8_t {
    Cpu,  // in memory, and kernels of our own work with them
    Gpu,  // on the first graphics card that libtorch finds, by libtorch's own operators
};

// Refused: a GPU where there is none, or where libtorch was built without.
base::Status check_device(Device device);

}  // namespace scholar::learning
