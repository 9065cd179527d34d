#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"

// What all commands do with what they write.

namespace scholar::cli {

using Json = nlohmann::ordered_json;

// Writes one JSON object on one line of standard output. Bytes that are not UTF-8 are replaced.
void print(const Json& json);

// Fails if all that went to standard output did not get there. main() asks after every command.
base::Status flush_output();

// Refuses an output that is one of the inputs, under whatever name: it would replace what was read. "-" among
// the inputs is standard input. For outputs that are files.
base::Status check_output(const std::string& output, const std::vector<std::string>& inputs);

// Refuses an output that exists, unless it may be replaced, and one that cannot be written: what would go
// wrong at the end of the work is said before it. "" is no output, "-" standard output.
base::Status check_new_output(const std::string& output, bool overwrite);

// What the option is called that `overwrite` comes from, and what its help says.
constexpr const char* kOverwrite = "--overwrite";
constexpr const char* kOverwriteHelp =
    "Replace what has the output's name; without this it is kept, and nothing done";

// Of work that is kept as it grows, until it is done.
constexpr const char* kResume = "--resume";
constexpr const char* kResumeHelp = "Go on with the same command that did not come to its end";

// Whether it is an ordinary file that begins as game stores do. Takes nothing from a pipe.
bool is_game_store(const std::string& path);

}  // namespace scholar::cli
