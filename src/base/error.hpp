#pragma once

#include <expected>
#include <fmt/format.h>
#include <string>
#include <utility>

// Errors are values with context: raised once, carried up, printed by the outermost layer as one line
// that names the file, line, game or option and what was expected. Only bugs assert.

namespace scholar::base {

struct Error {
    std::string message;
};

template <class T>
using Result = std::expected<T, Error>;

using Status = Result<void>;

template <class... Args>
[[nodiscard]] std::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) {
    return std::unexpected(Error{fmt::format(format, std::forward<Args>(args)...)});
}

// Passes an error on with the name of what it happened in before it: "games.pgn: line 12: …".
[[nodiscard]] inline std::unexpected<Error> fail_in(const std::string& where, const Error& error) {
    return std::unexpected(Error{where + ": " + error.message});
}

}  // namespace scholar::base
