#pragma once

namespace scholar::nets {

// The name of the instruction set in use by the kernels of inference, "AVX3" or so.
const char* kernel_target();

}  // namespace scholar::nets
