#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/arguments.hpp"
#include "engine/engine.hpp"

// The engine's options on the command line: the same as in the protocols.

namespace scholar::cli {

using EngineSettings = std::shared_ptr<std::vector<std::string>>;

// Adds --option NAME=VALUE, which may come several times. The caller keeps what is returned until the command
// line has been read.
EngineSettings add_engine_settings(Command command);
// An engine with them. Refused: an unknown name, with the known ones, and a wrong value, with what is
// expected.
base::Result<std::unique_ptr<engine::Engine>> make_engine(const std::vector<std::string>& settings);

}  // namespace scholar::cli
