#include "cli/trace_option.hpp"

#include "cli/arguments.hpp"

namespace scholar::cli {

TraceSetting add_trace_option(Command command) {
    auto setting = std::make_shared<std::string>();
    command.add_option("--trace", *setting,
                       "File to append to all that engines are told ('>'), say ('<') and write to their "
                       "standard error ('!'): seconds, engine, direction, text");
    return setting;
}

base::Result<std::shared_ptr<arena::EngineTrace>> open_trace(const TraceSetting& setting) {
    if (!setting || setting->empty()) return nullptr;
    auto trace = arena::EngineTrace::open(*setting);
    if (!trace) return base::fail_in("--trace", trace.error());
    return trace;
}

base::Status finish_trace(const std::shared_ptr<arena::EngineTrace>& trace) {
    if (!trace) return {};
    if (auto status = trace->status(); !status) return base::fail_in("--trace", status.error());
    return {};
}

}  // namespace scholar::cli
