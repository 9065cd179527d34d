#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/player.hpp"
#include "arena/time_control.hpp"
#include "base/error.hpp"

namespace scholar::cli {

// "key=value" words as --engine, --draw and --resign take them, with quotes as in a shell. A word without '='
// is refused; `option` names the command-line option in the error.
base::Result<std::vector<std::pair<std::string, std::string>>> split_settings(std::string_view option,
                                                                              std::string_view text);

// Reads words KEY=NUMBER into the numbers, from 0, that a rule has. Refused: a key that is none of the names,
// and what is no such number.
base::Status read_number_settings(std::string_view option, std::string_view text,
                                  const std::vector<std::pair<std::string_view, int*>>& fields);

// What --engine says: an engine, and a time control if it has one of its own.
struct EngineWords {
    arena::EngineConfig config;
    std::optional<arena::TimeControl> time_control;
};
// Keys: cmd, proto, name, dir, tc, option.NAME. Without cmd the engine is Scholar in this process; with
// cmd=scholar it is this program in a process of its own.
base::Result<EngineWords> parse_engine_words(std::string_view text);

// For --help.
inline constexpr const char* kEngineHelp =
    "An engine in words KEY=VALUE: cmd (program with its arguments, in quotes if there are any; "
    "cmd=scholar is this program; without cmd it is Scholar inside this process), proto (uci, xboard or "
    "internal; by default uci with a cmd and internal without), name, dir (to start it in), option.NAME (one "
    "of the engine's own options, as option.Hash=16 or 'option.\"Move Overhead\"=20')";

}  // namespace scholar::cli
