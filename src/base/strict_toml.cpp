#include "base/strict_toml.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <tuple>

#include "base/hint.hpp"

namespace scholar::base {

namespace {

std::uint32_t line_of(const toml::node& node) {
    return node.source().begin.line;
}

// What stands there, for the message.
std::string shown(const toml::node& node) {
    if (const auto* value = node.as_string()) {
        // Messages are one line.
        std::string text = value->get();
        std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
        return "'" + text + "'";
    }
    if (const auto* value = node.as_integer()) return fmt::format("{}", value->get());
    if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
    if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
    if (const auto* list = node.as_array()) return list->empty() ? "empty" : "a list";
    return node.is_table() ? "a section" : "a date or time";
}

}  // namespace

Result<StrictToml> StrictToml::parse(std::string_view text, const std::string& name) {
    toml::parse_result result = toml::parse(text, std::string_view(name));
    if (!result)
        return fail("{}: line {}: not TOML: {}", name, result.error().source().begin.line,
                    result.error().description());
    return StrictToml(std::move(result).table(), name);
}

const toml::table* StrictToml::table_of(const std::string& section) const {
    return table_[section].as_table();
}

bool StrictToml::Section::has(const char* key) const {
    const toml::table* table = owner_.table_of(name_);
    return table != nullptr && table->contains(key);
}

const toml::node* StrictToml::Section::find(const char* key, bool required) {
    known_.emplace_back(key);
    const toml::node* node = nullptr;
    for (const toml::table* file : {&owner_.table_, &owner_.defaults_})
        if (const toml::table* table = (*file)[name_].as_table(); table != nullptr && node == nullptr)
            node = table->get(key);
    if (node == nullptr && required)
        owner_.problems_.push_back({Kind::Missing, 0, fmt::format("missing key '{}' in [{}]", key, name_)});
    return node;
}

void StrictToml::Section::wrong(const toml::node& node, const char* key, const std::string& expected) {
    owner_.problems_.push_back(
        {Kind::Wrong, line_of(node),
         fmt::format("'{}' in [{}] is {}, expected {}", key, name_, shown(node), expected)});
}

void StrictToml::Section::refuse(const char* key, const std::string& reason, std::size_t element) {
    known_.emplace_back(key);
    const toml::table* table = owner_.table_of(name_);
    const toml::node* node = table == nullptr ? nullptr : table->get(key);
    if (const toml::array* list = node == nullptr ? nullptr : node->as_array();
        list != nullptr && element < list->size())
        node = list->get(element);
    owner_.problems_.push_back({Kind::Wrong, node == nullptr ? 0 : line_of(*node),
                                fmt::format("'{}' in [{}] {}", key, name_, reason)});
}

void StrictToml::Section::renote(const char* key, std::string value) {
    const auto noted = std::ranges::find(owner_.settings_, name_ + "." + key,
                                         [](const auto& setting) { return setting.first; });
    if (noted == owner_.settings_.end())
        note(key, std::move(value));
    else
        noted->second = std::move(value);
}

void StrictToml::Section::note(const char* key, std::string value) {
    owner_.settings_.emplace_back(name_ + "." + key, std::move(value));
}

std::int64_t StrictToml::Section::integer(const char* key, std::optional<std::int64_t> fallback,
                                          std::int64_t low, std::int64_t high) {
    std::int64_t value = fallback.value_or(low);
    if (const toml::node* node = find(key, !fallback)) {
        const auto* found = node->as_integer();
        if (found == nullptr || found->get() < low || found->get() > high)
            wrong(*node, key, fmt::format("a whole number from {} to {}", low, high));
        else
            value = found->get();
    }
    note(key, fmt::format("{}", value));
    return value;
}

std::vector<std::int64_t> StrictToml::Section::integers(const char* key) {
    std::vector<std::int64_t> values;
    const toml::node* node = find(key, false);
    if (node == nullptr) return values;
    const toml::array* list = node->as_array();
    if (list == nullptr) wrong(*node, key, "a list of whole numbers, [1, 2]");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        const auto* found = list->get(i)->as_integer();
        if (found == nullptr)
            refuse(
                key,
                fmt::format("has {} as its element {}, expected a whole number", shown(*list->get(i)), i + 1),
                i);
        else
            values.push_back(found->get());
    }
    if (!values.empty()) note(key, fmt::format("{}", fmt::join(values, ", ")));
    return values;
}

double StrictToml::Section::real(const char* key, std::optional<double> fallback, double low, double high) {
    double value = fallback.value_or(low);
    if (const toml::node* node = find(key, !fallback)) {
        const auto found = node->is_number() ? node->value<double>() : std::nullopt;
        if (const bool in_range = found && std::isfinite(*found) && *found >= low && *found <= high;
            !in_range)
            wrong(*node, key, fmt::format("a number from {} to {}", low, high));
        else
            value = *found;
    }
    note(key, fmt::format("{}", value));
    return value;
}

bool StrictToml::Section::flag(const char* key, std::optional<bool> fallback) {
    bool value = fallback.value_or(false);
    if (const toml::node* node = find(key, !fallback)) {
        if (const auto* found = node->as_boolean())
            value = found->get();
        else
            wrong(*node, key, "true or false");
    }
    note(key, value ? "true" : "false");
    return value;
}

std::string StrictToml::Section::text(const char* key, const std::optional<std::string>& fallback) {
    std::string value = fallback.value_or("");
    if (const toml::node* node = find(key, !fallback)) {
        const auto* found = node->as_string();
        if (found == nullptr || found->get().empty())
            wrong(*node, key, "a text in quotes");
        else
            value = found->get();
    }
    note(key, value);
    return value;
}

std::string StrictToml::Section::choice(const char* key, const std::optional<std::string>& fallback,
                                        std::vector<std::string> allowed) {
    std::string value = fallback.value_or(allowed.front());
    if (const toml::node* node = find(key, !fallback)) {
        const auto* found = node->as_string();
        if (found == nullptr || std::ranges::find(allowed, found->get()) == allowed.end())
            wrong(*node, key, fmt::format("one of \"{}\"", fmt::join(allowed, "\", \"")));
        else
            value = found->get();
    }
    note(key, value);
    return value;
}

std::vector<std::string> StrictToml::Section::texts(const char* key,
                                                    const std::optional<std::vector<std::string>>& fallback) {
    std::vector<std::string> values = fallback.value_or(std::vector<std::string>());
    if (const toml::node* node = find(key, !fallback)) {
        values.clear();
        const toml::array* list = node->as_array();
        if (list == nullptr || list->empty()) wrong(*node, key, "a list of texts, [\"one\", \"two\"]");
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
            const toml::node& element = *list->get(i);
            const auto* found = element.as_string();
            if (found == nullptr || found->get().empty())
                owner_.problems_.push_back({Kind::Wrong, line_of(element),
                                            fmt::format("'{}' in [{}] has {} as its element {}, expected a "
                                                        "text in quotes",
                                                        key, name_, shown(element), i + 1)});
            else
                values.push_back(found->get());
        }
    }
    note(key, fmt::format("{}", fmt::join(values, ", ")));
    return values;
}

Result<std::string> StrictToml::choose(const std::string& section, const char* key,
                                       const std::string& fallback,
                                       const std::vector<std::string>& allowed) const {
    const toml::table* table = table_of(section);
    const toml::node* node = table == nullptr ? nullptr : table->get(key);
    if (node == nullptr) return fallback;
    if (const auto* found = node->as_string();
        found != nullptr && std::ranges::count(allowed, found->get()) > 0)
        return found->get();
    return fail("{}: line {}: '{}' in [{}] is {}, expected one of \"{}\"", name_, line_of(*node), key,
                section, shown(*node), fmt::join(allowed, "\", \""));
}

void StrictToml::close(const Section& section) {
    sections_.push_back(section.name_);
    const toml::node* node = table_.get(section.name_);
    if (node == nullptr) return;
    const toml::table* table = node->as_table();
    if (table == nullptr) {
        problems_.push_back(
            {Kind::Wrong, line_of(*node),
             fmt::format("'{}' is {}, expected a section [{}]", section.name_, shown(*node), section.name_)});
        return;
    }
    for (const auto& [key, value] : *table)
        if (std::ranges::find(section.known_, key.str()) == section.known_.end())
            problems_.push_back({Kind::Unknown, key.source().begin.line,
                                 fmt::format("unknown key '{}' in [{}], {}", key.str(), section.name_,
                                             hint(key.str(), section.known_))});
}

std::vector<std::string> StrictToml::section_names() const {
    std::vector<std::pair<std::uint32_t, std::string>> found;
    for (const auto& [key, value] : table_)
        if (value.is_table()) found.emplace_back(key.source().begin.line, key.str());
    std::ranges::sort(found);
    std::vector<std::string> names;
    names.reserve(found.size());
    for (auto& [line, name] : found) names.push_back(std::move(name));
    return names;
}

Status StrictToml::finish(const std::vector<std::string>& sections_of_others) {
    sections_.insert(sections_.end(), sections_of_others.begin(), sections_of_others.end());
    for (const auto& [key, value] : table_)
        if (std::ranges::find(sections_, key.str()) == sections_.end())
            problems_.push_back(
                {Kind::Unknown, key.source().begin.line,
                 fmt::format("unknown section [{}], {}", key.str(), hint(key.str(), sections_))});
    const auto first = std::ranges::min_element(
        problems_, {}, [](const Problem& problem) { return std::tuple(problem.kind, problem.line); });
    if (first == problems_.end()) return {};
    if (first->line == 0) return fail("{}: {}", name_, first->message);
    return fail("{}: line {}: {}", name_, first->line, first->message);
}

}  // namespace scholar::base
