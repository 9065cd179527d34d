#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// What every fuzzer defines: libFuzzer calls it with inputs that it makes up, fuzz/replay.cpp with those of
// files. Aborts if something is wrong with how the input is dealt with; always returns 0.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace scholar::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

}  // namespace scholar::fuzz
