#include "learning/run/device.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <dlfcn.h>
#include <malloc.h>
#include <thread>

namespace scholar::learning {

std::string prepare_torch(int threads) {
    at::set_num_threads(threads > 0 ? threads
                                    : static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
    // Activations are tens of megabytes and come and go with every batch: giving them back to the system each
    // time would cost a page fault for every 4 KB.
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    if (dlsym(RTLD_DEFAULT, "openblas_get_config") == nullptr)
        return "libtorch found a BLAS that is not OpenBLAS and trains many times slower with it: "
               "install libopenblas0-openmp";
    return "";
}

int torch_threads() {
    return at::get_num_threads();
}

base::Status check_device(Device device) {
    if (device == Device::Cpu || at::hasCUDA()) return {};
    return base::fail("libtorch finds no GPU here, expected one, or training on the CPU");
}

}  // namespace scholar::learning
