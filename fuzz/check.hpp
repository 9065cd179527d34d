#pragma once

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace scholar::fuzz {

// What must hold of every input. If it does not, says what was found and aborts, which is what a fuzzer takes
// for a crash; in every build, with assertions or without.
template <class... Args>
void check(bool holds, fmt::format_string<Args...> format, Args&&... args) {
    if (holds) return;
    const std::string text = fmt::format(format, std::forward<Args>(args)...);
    std::fprintf(stderr, "property broken: %s\n", text.c_str());
    std::abort();
}

// What is refused is refused for a reason, told in one line.
inline void check_refusal(const base::Error& error, std::string_view what) {
    check(!error.message.empty(), "{}: refused without a reason", what);
    check(error.message.find_first_of("\r\n") == std::string::npos, "{}: refused in more than one line: {}",
          what, error.message);
}

// The value of something that must have succeeded.
template <class T>
T must(base::Result<T> result, std::string_view what) {
    check(result.has_value(), "{}: {}", what, result ? std::string() : result.error().message);
    return std::move(*result);
}
inline void must(const base::Status& status, std::string_view what) {
    check(status.has_value(), "{}: {}", what, status ? std::string() : status.error().message);
}

}  // namespace scholar::fuzz
