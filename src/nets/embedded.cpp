#include "nets/embedded.hpp"

// The assembler puts the file into read-only data as it is.
__asm__(
    ".section .rodata\n"
    ".balign 64\n"
    ".global scholar_default_network_begin\n"
    ".global scholar_default_network_end\n"
    "scholar_default_network_begin:\n"
    ".incbin \"" SCHOLAR_DEFAULT_NETWORK
    "\"\n"
    "scholar_default_network_end:\n"
    ".previous\n");

extern "C" {
extern const std::byte scholar_default_network_begin[];
extern const std::byte scholar_default_network_end[];
}

namespace scholar::nets {

std::span<const std::byte> default_network_file() {
    return {scholar_default_network_begin, scholar_default_network_end};
}

}  // namespace scholar::nets
