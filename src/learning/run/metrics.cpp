#include "learning/run/metrics.hpp"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.hpp"
#include "base/json.hpp"

namespace scholar::learning {

base::Result<Metrics> Metrics::open(std::filesystem::path path, std::optional<std::uint64_t> after,
                                    bool json_to_stdout) {
    std::string kept;
    std::error_code ignored;
    if (after && std::filesystem::exists(path, ignored)) {
        const auto text = base::read_text(path);
        if (!text) return std::unexpected(text.error());
        std::istringstream lines(*text);
        for (std::string line; std::getline(lines, line);) {
            const auto record = nlohmann::json::parse(line, nullptr, false);
            // A line that a kill cut off is dropped with the rest.
            if (record.is_discarded() || !record.is_object() ||
                record.value("step", std::uint64_t{0}) > *after)
                continue;
            kept += line + "\n";
        }
    }
    if (auto status = base::write_atomically(path, kept); !status) return std::unexpected(status.error());
    return Metrics(std::move(path), json_to_stdout);
}

void Metrics::say(const std::string& text) const {
    fmt::print(json_to_stdout_ ? stderr : stdout, "{}\n", text);
    std::fflush(stdout);
}

base::Status Metrics::record(const nlohmann::json& record) const {
    const std::string line = base::json_line(record) + "\n";
    std::ofstream file(path_, std::ios::app);
    file << line << std::flush;
    if (!file) return base::fail("{}: cannot write", path_.string());
    if (json_to_stdout_) {
        fmt::print("{}", line);
        std::fflush(stdout);
    }
    return {};
}

base::Status for_each_record(std::string_view text, const std::string& name,
                             const std::function<base::Status(const nlohmann::json& record)>& take) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        const bool whole = end != std::string_view::npos;
        text.remove_prefix(whole ? end + 1 : text.size());
        const auto record = nlohmann::json::parse(line, nullptr, false);
        if (!whole && record.is_discarded()) break;
        if (auto status = take(record); !status)
            return base::fail("{}: line {}: {}", name, number, status.error().message);
    }
    return {};
}

}  // namespace scholar::learning
