#include "learning/targets/survey.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/progress.hpp"
#include "chess/mirror.hpp"

namespace scholar::learning {

namespace {

using nlohmann::json;

constexpr int kSurveyVersion = 1;

bool mirrors(const Recipe& recipe) {
    return std::ranges::any_of(recipe.data.sampling.stages, [](const games::SampleStage& stage) {
        return std::holds_alternative<games::stages::Mirror>(stage);
    });
}

// Everything that the result depends on.
std::string key_of(const Recipe& recipe, std::uint64_t data_hash,
                   const std::vector<std::uint64_t>& validation_keys) {
    std::string text = fmt::format("{} {}\n", kSurveyVersion, data_hash);
    for (const auto& [key, value] : recipe.settings)
        if (key.starts_with("data.") || key == "sampler.chess960" || key == "target.fit_evaluations")
            text += fmt::format("{}={}\n", key, value);
    if (mirrors(recipe)) text += "mirror\n";
    const auto keys = std::as_bytes(std::span(validation_keys));
    return base::to_hex(base::hash_bytes(keys, base::hash_text(text)));
}

json to_json(const ProducerScale& scale) {
    return {{"producer", scale.producer}, {"positions", scale.positions}, {"scale", scale.scale}};
}

ProducerScale scale_from(const json& from) {
    return {from.at("producer").get<std::string>(), from.at("positions").get<double>(),
            from.at("scale").get<double>()};
}

std::string to_text(const Survey& survey, const std::string& key) {
    json producers = json::array();
    for (const ProducerScale& each : survey.scales.producers) producers.push_back(to_json(each));
    std::string unseen;
    for (const bool each : survey.unseen) unseen += each ? '1' : '0';
    return base::json_text(json{{"key", key},
                                {"pooled", to_json(survey.scales.pooled)},
                                {"producers", producers},
                                {"unseen", unseen}}) +
           "\n";
}

// Nothing if the cache is absent, of other data, or not readable: it is then made again.
std::optional<Survey> from_cache(const std::filesystem::path& path, const std::string& key,
                                 std::size_t positions) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return std::nullopt;
    const auto text = base::read_text(path);
    if (!text) return std::nullopt;
    try {
        const json content = json::parse(*text);
        if (content.at("key") != key) return std::nullopt;
        Survey survey;
        survey.scales.pooled = scale_from(content.at("pooled"));
        for (const json& each : content.at("producers")) survey.scales.producers.push_back(scale_from(each));
        for (const char each : content.at("unseen").get<std::string>()) survey.unseen.push_back(each == '1');
        if (survey.unseen.size() != positions) return std::nullopt;
        return survey;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

}  // namespace

std::uint64_t survey_key(const Recipe& recipe, const chess::Position& position) {
    if (position.side_to_move() == chess::White || !mirrors(recipe)) return position.key();
    return chess::mirrored(position).key();
}

base::Result<std::optional<Survey>> survey(const Recipe& recipe,
                                           const std::vector<std::uint64_t>& validation_keys,
                                           const std::filesystem::path& cache, std::stop_token stop) {
    games::Sampler::Options options;
    options.stores = recipe.data.stores;
    options.sampling.shares = recipe.data.sampling.shares;
    options.sampling.chess960 = recipe.data.sampling.chess960;
    options.sampling.bare_positions = recipe.data.sampling.bare_positions;
    options.shuffle_buffer = 1;
    auto sampler = games::Sampler::open(options);
    if (!sampler) return std::unexpected(sampler.error());
    const std::string key = key_of(recipe, sampler->data_hash(), validation_keys);
    if (auto cached = from_cache(cache, key, validation_keys.size())) return *cached;

    std::unordered_set<std::uint64_t> seen;
    const std::unordered_set<std::uint64_t> wanted(validation_keys.begin(), validation_keys.end());
    std::vector<EvaluationCounts> counts(sampler->producers().size());
    const double train_share = 1 - recipe.data.sampling.shares.validation - recipe.data.sampling.shares.test;
    const auto about = static_cast<std::uint64_t>(static_cast<double>(sampler->total_plies()) * train_share);
    base::Progress progress("surveying", about, "positions");
    std::uint64_t done = 0;
    sampler->start_epoch(0);
    constexpr std::size_t part = 16'384;
    std::vector<games::Sample> samples;
    while (true) {
        if (stop.stop_requested()) return std::nullopt;
        samples.clear();
        const auto count = sampler->next(part, samples);
        if (!count) return std::unexpected(count.error());
        for (const games::Sample& sample : samples) {
            const std::uint64_t position_key = survey_key(recipe, sample.position);
            if (wanted.contains(position_key)) seen.insert(position_key);
            if (!sample.evaluation) continue;
            // A producer is known by the time its first evaluation comes.
            if (sample.producer >= counts.size()) counts.resize(sample.producer + 1);
            counts[sample.producer].add(*sample.evaluation, static_cast<double>(sample.result));
        }
        done += *count;
        progress.update(done);
        if (*count < part) break;
    }
    progress.finish();

    Survey result;
    counts.resize(std::max(counts.size(), sampler->producers().size()));
    result.scales = fit_scales(sampler->producers(), counts);
    for (const std::uint64_t each : validation_keys) result.unseen.push_back(!seen.contains(each));
    if (auto status = base::write_atomically(cache, to_text(result, key)); !status)
        return std::unexpected(status.error());
    return result;
}

base::Result<std::optional<TargetRule>> surveyed_rule(const Recipe& recipe, const TargetPlan& plan,
                                                      const std::filesystem::path& folder,
                                                      const Metrics& metrics, const std::stop_token& stop) {
    auto surveyed = survey(recipe, {}, folder / "survey.json", stop);
    if (!surveyed) return std::unexpected(surveyed.error());
    if (!*surveyed) return std::nullopt;
    TargetRule rule = target_rule(plan, std::move((*surveyed)->scales));
    if (rule.scales.pooled.positions > 0) metrics.say(to_table(rule.scales));
    return rule;
}

}  // namespace scholar::learning
