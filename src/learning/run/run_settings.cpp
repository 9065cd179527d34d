#include "learning/run/run_settings.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace scholar::learning {

namespace {

constexpr const char* kSeed = "seed";

}  // namespace

RunSettings with_seed(RunSettings settings, std::uint64_t seed) {
    settings.emplace_back(kSeed, fmt::format("{}", seed));
    return settings;
}

std::optional<std::uint64_t> seed_of(const RunSettings& settings) {
    const auto at = std::ranges::find(settings, kSeed, &RunSettings::value_type::first);
    std::uint64_t seed = 0;
    if (at == settings.end()) return std::nullopt;
    const char* end = at->second.data() + at->second.size();
    if (std::from_chars(at->second.data(), end, seed).ptr != end) return std::nullopt;
    return seed;
}

base::Status check_unchanged(const RunSettings& now, const RunSettings& before) {
    std::string differences;
    const auto differ = [&](const std::string& key, const std::string& was, const std::string& is) {
        differences += fmt::format("{}{} was {} and is {}", differences.empty() ? "" : "; ", key,
                                   was.empty() ? "not set" : was, is.empty() ? "not set" : is);
    };
    const auto find = [](const auto& settings, const std::string& key) -> std::string {
        const auto found =
            std::ranges::find(settings, key, [](const auto& setting) { return setting.first; });
        return found == settings.end() ? "" : found->second;
    };
    for (const auto& [key, value] : now)
        if (const std::string was = find(before, key); was != value) differ(key, was, value);
    for (const auto& [key, value] : before)
        if (std::ranges::find(now, key, [](const auto& setting) { return setting.first; }) == now.end())
            differ(key, value, "");
    if (differences.empty()) return {};
    return base::fail("the recipe has changed since the run began: {}", differences);
}

}  // namespace scholar::learning
