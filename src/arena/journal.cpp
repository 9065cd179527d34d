#include "arena/journal.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/json.hpp"

namespace scholar::arena {

namespace {

using Json = nlohmann::ordered_json;

std::string to_line(const Json& json) {
    return base::json_line(json) + "\n";
}

// How a first line of this kind begins.
std::string beginning(const Journal::Kind& kind) {
    std::string line = to_line({{"format", kind.format}});
    line.resize(line.find('}'));
    return line;
}

// One number for each output; nothing if it is not that.
std::optional<std::vector<std::uint64_t>> numbers_in(const Json& json, const char* key, std::size_t outputs) {
    const auto at = json.find(key);
    if (at == json.end() || !at->is_array() || at->size() != outputs) return std::nullopt;
    std::vector<std::uint64_t> numbers;
    for (const Json& number : *at) {
        if (!number.is_number_unsigned()) return std::nullopt;
        numbers.push_back(number.get<std::uint64_t>());
    }
    return numbers;
}

enum class Content { Nothing, ThisWork };

// What is in a state's file: nothing that could be gone on with, or records of the work that the first line
// describes. Anything else is an error.
base::Result<Content> look_at(const std::string& path, const Journal::Kind& kind, const std::string& content,
                              const std::string& first_line) {
    const auto end = content.find('\n');
    if (end == std::string::npos) {
        // Killed while it wrote its first line.
        const std::string begin = beginning(kind);
        if (content.starts_with(begin) || begin.starts_with(content)) return Content::Nothing;
    }
    const Json there = Json::parse(content.substr(0, end), nullptr, false);
    if (there.is_discarded() || !there.is_object() || there.value("format", Json()) != kind.format)
        return base::fail("{}: is not the state of a {} of this version, expected one or a new name", path,
                          kind.noun);
    const auto differs = differences(there, Json::parse(first_line));
    if (differs.empty()) return Content::ThisWork;
    // Before a step is done it may be any work: the command may have been wrong.
    const auto second = content.find('\n', end + 1);
    if (second == std::string::npos || content.find('\n', second + 1) == std::string::npos)
        return Content::Nothing;
    return base::fail("{}: is the state of another {}: {}", path, kind.noun, differs);
}

}  // namespace

std::string differences(const Json& there, const Json& here) {
    constexpr int kMost = 3;
    const auto old_values = there.flatten();
    const auto new_values = here.flatten();
    std::string text;
    int count = 0;
    const auto value_in = [](const Json& values, const std::string& key) {
        const auto at = values.find(key);
        return at == values.end() ? std::string("nothing") : base::json_line(*at);
    };
    const auto compare = [&](const std::string& key) {
        const std::string old_value = value_in(old_values, key), new_value = value_in(new_values, key);
        if (old_value == new_value || count == kMost) return;
        text += fmt::format("{}{} is {} there and {} here", count++ > 0 ? "; " : "", key.substr(1), old_value,
                            new_value);
    };
    for (const auto& [key, value] : old_values.items()) compare(key);
    for (const auto& [key, value] : new_values.items())
        if (!old_values.contains(key)) compare(key);
    return text;
}

Journal::Journal(LockedAppender state, std::vector<std::optional<LockedAppender>> outputs)
    : state_(std::move(state)), outputs_(std::move(outputs)) {}
Journal::Journal(Journal&&) noexcept = default;
Journal::~Journal() = default;

const std::vector<Json>& Journal::records() const {
    return records_;
}

std::uint64_t Journal::size(std::size_t output) const {
    return outputs_[output] ? outputs_[output]->size() : 0;
}

base::Result<Journal> Journal::open(const std::string& path, const Kind& kind, const Json& identity,
                                    const std::vector<std::string>& outputs) {
    Json first{{"format", kind.format}};
    first.update(identity);
    const std::string first_line = to_line(first);

    std::error_code error;
    const bool was_there = std::filesystem::exists(path, error);
    const auto look = [&]() -> base::Result<std::pair<Content, std::string>> {
        auto content = base::read_text(path);
        if (!content) return std::unexpected(content.error());
        const auto looked = look_at(path, kind, *content, first_line);
        if (!looked) return std::unexpected(looked.error());
        return std::pair(*looked, std::move(*content));
    };
    if (was_there)
        if (const auto looked = look(); !looked) return std::unexpected(looked.error());
    auto file = LockedAppender::open(path);
    if (!file) return std::unexpected(file.error());
    // Again, now that nobody else writes it.
    const auto looked = look();
    if (!looked) return std::unexpected(looked.error());
    const auto& [there, content] = *looked;

    std::vector<std::optional<LockedAppender>> files;
    for (const std::string& name : outputs) {
        auto& output = files.emplace_back();
        if (name.empty()) continue;
        auto opened = LockedAppender::open(name);
        if (!opened) {
            if (!was_there) file->remove();
            return std::unexpected(opened.error());
        }
        output.emplace(std::move(*opened));
    }
    Journal journal(std::move(*file), std::move(files));
    if (there == Content::ThisWork) {
        if (auto status = journal.mend(content); !status) return base::fail_in(path, status.error());
        return journal;
    }
    if (auto status = journal.state_.resize(0); !status) return std::unexpected(status.error());
    if (auto status = journal.state_.append(first_line); !status) return std::unexpected(status.error());
    return journal;
}

// All is looked at before anything is cut off.
base::Status Journal::mend(const std::string& content) {
    std::size_t begin = content.find('\n') + 1;
    std::size_t whole = begin;                             // what the state keeps
    std::vector<std::uint64_t> known(outputs_.size(), 0);  // sizes after the last record
    std::optional<std::vector<std::uint64_t>> under_way;   // what a step was to add
    for (int line = 2; begin < content.size(); ++line) {
        const auto end = content.find('\n', begin);
        if (end == std::string::npos) break;  // cut off: that step is done again
        Json json = Json::parse(content.substr(begin, end - begin), nullptr, false);
        if (json.is_discarded() || !json.is_object())
            return base::fail("line {}: not an object of JSON", line);
        begin = end + 1;
        if (json.contains("writes")) {
            under_way = numbers_in(json, "writes", outputs_.size());
            const auto before = numbers_in(json, "from", outputs_.size());
            if (!under_way || !before)
                return base::fail("line {}: expected as many numbers as there are outputs", line);
            known = *before;
            continue;
        }
        const auto sizes = numbers_in(json, "outputs", outputs_.size());
        if (!sizes) return base::fail("line {}: 'outputs', expected the size of each output", line);
        known = *sizes;
        under_way.reset();
        whole = begin;
        records_.push_back(std::move(json));
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if (!outputs_[i]) continue;
        const std::uint64_t size = outputs_[i]->size();
        if (size < known[i])
            return base::fail("{} has {} bytes, expected at least the {} that were written before",
                              outputs_[i]->path(), size, known[i]);
        if (under_way && size - known[i] > (*under_way)[i])
            return base::fail(
                "{} has {} bytes, expected from {} to {}: something else has been written to it",
                outputs_[i]->path(), size, known[i], known[i] + (*under_way)[i]);
    }
    if (under_way)
        for (std::size_t i = 0; i < outputs_.size(); ++i)
            if (outputs_[i])
                if (auto status = outputs_[i]->resize(known[i]); !status) return status;
    return state_.resize(whole);
}

base::Status Journal::append(Json record, const std::vector<std::string>& texts) {
    Json writes = Json::array(), from = Json::array(), sizes = Json::array();
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        const std::uint64_t added = outputs_[i] ? texts[i].size() : 0;
        writes.push_back(added);
        from.push_back(size(i));
        sizes.push_back(size(i) + added);
    }
    if (auto status = state_.append(to_line({{"writes", std::move(writes)}, {"from", std::move(from)}}));
        !status)
        return status;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
        if (outputs_[i])
            if (auto status = outputs_[i]->append(texts[i]); !status) return status;
    record["outputs"] = std::move(sizes);
    return state_.append(to_line(record));
}

}  // namespace scholar::arena
