#include "arena/engine_trace.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/chrono.h>

namespace scholar::arena {

namespace {

// A terminal that shows the log is not to obey an engine.
std::string without_control_characters(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\t') || byte == 0x7f)
            result += fmt::format("\\x{:02x}", byte);
        else
            result += c;
    }
    return result;
}

}  // namespace

base::Result<std::shared_ptr<EngineTrace>> EngineTrace::open(const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "ae");
    if (file == nullptr) return base::fail("{}: cannot write: {}", path, std::strerror(errno));
    std::shared_ptr<EngineTrace> trace(new EngineTrace(file, path));
    fmt::print(file, "# {:%Y-%m-%dT%H:%M:%SZ}\n", fmt::gmtime(std::time(nullptr)));
    if (std::fflush(file) != 0) return base::fail("{}: cannot write: {}", path, std::strerror(errno));
    return trace;
}

std::string EngineTrace::next_label(std::string_view name) {
    const std::scoped_lock lock(mutex_);
    std::string label = without_control_characters(name.empty() ? "engine" : name);
    for (char& c : label)
        if (c == ' ' || c == '\t') c = '_';
    return fmt::format("{}#{}", label, ++starts_);
}

void EngineTrace::write(std::string_view label, Direction direction, std::string_view text) {
    const std::string shown = without_control_characters(text);
    const std::scoped_lock lock(mutex_);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin_;
    const std::string line =
        fmt::format("{:.6f} {} {} {}\n", time.count(), label, static_cast<char>(direction), shown);
    // At once: after a crash the last lines are those that matter.
    const bool written = std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size();
    if ((!written || std::fflush(file_.get()) != 0) && status_)
        status_ = base::fail("{}: cannot write: {}", path_, std::strerror(errno));
}

base::Status EngineTrace::status() {
    const std::scoped_lock lock(mutex_);
    return status_;
}

}  // namespace scholar::arena
