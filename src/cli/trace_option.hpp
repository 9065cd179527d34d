#pragma once

#include <memory>
#include <string>

#include "arena/engine_trace.hpp"
#include "base/error.hpp"
#include "cli/command.hpp"

namespace scholar::cli {

// The option --trace of a command that plays engines; filled in when the command line is read.
using TraceSetting = std::shared_ptr<std::string>;
TraceSetting add_trace_option(Command command);

// The log, for EngineConfig::trace of each engine that is to be in it; nullptr if none was asked for.
base::Result<std::shared_ptr<arena::EngineTrace>> open_trace(const TraceSetting& setting);

// To be asked when the games are over: an error if a line could not be written.
base::Status finish_trace(const std::shared_ptr<arena::EngineTrace>& trace);

}  // namespace scholar::cli
