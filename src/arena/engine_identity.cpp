#include "arena/engine_identity.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "arena/child_process.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/program.hpp"

namespace scholar::arena {

namespace {

using Json = nlohmann::ordered_json;

base::Result<std::string> hash_of_file(const std::string& path) {
    const auto content = base::read_bytes(path);
    if (!content) return std::unexpected(content.error());
    return base::to_hex(base::hash_bytes(*content));
}

}  // namespace

base::Result<std::string> content_of_option(const EngineConfig& engine, const std::string& value) {
    const auto path = std::filesystem::path(engine.directory) / value;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return "";
    return hash_of_file(path.string());
}

base::Result<nlohmann::ordered_json> describe_engine(const EngineConfig& engine) {
    const auto program = engine.protocol == Protocol::Internal ? base::program_file()
                         : engine.command.empty()              ? base::Result<std::string>("")
                                                               : find_program(engine.command);
    if (!program) return std::unexpected(program.error());
    Json options = Json::object();
    for (const auto& [name, value] : engine.options) {
        const auto content = content_of_option(engine, value);
        if (!content) return std::unexpected(content.error());
        // A file is what it holds, wherever it lies.
        if (content->empty())
            options[name] = value;
        else
            options[name + " (content)"] = *content;
    }
    Json result{{"name", engine.name},
                {"protocol", to_string(engine.protocol)},
                {"command", engine.command},
                {"directory", engine.directory},
                {"options", std::move(options)}};
    if (!program->empty()) {
        const auto hash = hash_of_file(*program);
        if (!hash) return std::unexpected(hash.error());
        result["program"] = *hash;
    }
    return result;
}

}  // namespace scholar::arena
