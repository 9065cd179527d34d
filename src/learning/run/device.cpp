#include "learning/run/device.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <malloc.h>

#include "base/cores.hpp"

namespace scholar::learning {

std::string prepare_torch(int threads) {
    at::set_num_threads(base::threads_or_cores(threads));
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
