#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/time_control.hpp"
#include "arena/uci_engine.hpp"
#include "base/error.hpp"

namespace scholar::cli {

// "key=value" words as --engine, --draw and --resign take them, with quotes as in a shell. A word without '='
// is refused; `option` names the command-line option in the error.
base::Result<std::vector<std::pair<std::string, std::string>>> split_settings(std::string_view option,
                                                                              std::string_view text);

// What --engine says: an engine, and a time control if it has one of its own.
struct EngineWords {
    arena::EngineConfig config;
    std::optional<arena::TimeControl> time_control;
};
// Keys: cmd, name, dir, tc, option.NAME. Without cmd, or with cmd=scholar, the engine is this program itself.
base::Result<EngineWords> parse_engine_words(std::string_view text);

// For --help.
inline constexpr const char* kEngineHelp =
    "An engine in words KEY=VALUE: cmd (program with its arguments, in quotes if there are any; without it, "
    "or as "
    "cmd=scholar, this program), name, dir (to start it in), option.NAME (a UCI option, as option.Hash=16 or "
    "'option.\"Move Overhead\"=20')";

}  // namespace scholar::cli
