#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "arena/player.hpp"
#include "base/error.hpp"

namespace scholar::arena {

// All of an engine that another result could come from: how it is started and what it is told, with hashes of
// the program and of each file that an option names, so that what goes on later notices another build or
// network. An error if one of them cannot be read.
base::Result<nlohmann::ordered_json> describe_engine(const EngineConfig& engine);

// A hash of the file that the value of an option names, as the engine finds it, in hexadecimal; "" if it
// names none. An error if it cannot be read.
base::Result<std::string> content_of_option(const EngineConfig& engine, const std::string& value);

}  // namespace scholar::arena
