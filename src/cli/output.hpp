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

// Whether it is an ordinary file that begins as game stores do. Takes nothing from a pipe.
bool is_game_store(const std::string& path);

}  // namespace scholar::cli
