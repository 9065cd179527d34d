#include "nets/linear/hand_weights.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include "base/strict_toml.hpp"
#include "base/text.hpp"
#include "nets/linear/linear_features.hpp"

namespace scholar::nets {

namespace {

// Of all features that a name stands for, in pawns.
struct Ramp {
    double first = 0;
    double last = 0;

    bool is_flat() const { return first == last; }
    // Of the feature of this index among `count`.
    double at(std::size_t index, std::size_t count) const {
        if (is_flat()) return first;
        return std::lerp(first, last, static_cast<double>(index) / static_cast<double>(count - 1));
    }
};

std::optional<double> parse_pawns(std::string_view word) {
    const auto pawns = base::parse_number<double>(word);
    return pawns && std::abs(*pawns) * kPawnScore <= chess::Score::kEvaluationBound ? pawns : std::nullopt;
}

std::optional<Ramp> parse_ramp(std::string_view word) {
    const std::size_t dots = word.find("..");
    const auto first = parse_pawns(word.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : parse_pawns(word.substr(dots + 2));
    if (!first || !last) return std::nullopt;
    return Ramp{*first, *last};
}

std::vector<int> features_called(std::string_view name) {
    std::vector<int> features;
    for (int feature = 0; feature < kLinearFeatures; ++feature) {
        const std::string full = feature_name(feature);
        if (full == name || (full.starts_with(name) && full[name.size()] == '.')) features.push_back(feature);
    }
    return features;
}

// What is wrong with a line; empty: nothing, and its weights are set.
std::string set_weights(FloatLinearNetwork& network, std::string_view line) {
    const std::string_view name = base::next_word(line);
    const std::vector<int> features = features_called(name);
    if (features.empty())
        return fmt::format(
            "'{}' is no feature's name, nor its beginning up to a point, expected one: scholar net features "
            "--all has them",
            base::excerpt(name));
    const std::vector<std::string_view> words = base::split_words(line);
    if (words.size() != 1 && words.size() != kStageCount)
        return fmt::format("'{}' has {}, expected one for all stages or {}", name,
                           base::counted(words.size(), "weight"), kStageCount);
    for (const Stage stage : kStages) {
        const std::string_view word = words[words.size() == 1 ? 0 : static_cast<std::size_t>(stage)];
        const auto ramp = parse_ramp(word);
        if (!ramp)
            return fmt::format(
                "'{}' is no weight, expected pawns such as 0.2, or -0.1..0.3, at most {:.0f} either way",
                base::excerpt(word), std::floor(chess::Score::kEvaluationBound / kPawnScore));
        if (features.size() == 1 && !ramp->is_flat())
            return fmt::format(
                "'{}' goes from one weight to another, but '{}' is one feature, expected one weight",
                base::excerpt(word), name);
        for (std::size_t i = 0; i < features.size(); ++i)
            network.weights[weight_index(features[i], stage)] =
                static_cast<float>(kPawnScore * ramp->at(i, features.size()));
    }
    return "";
}

}  // namespace

base::Result<FloatLinearNetwork> parse_hand_weights(std::string_view text, const std::string& name) {
    auto file = base::StrictToml::parse(text, name);
    if (!file) return std::unexpected(file.error());
    FloatLinearNetwork network;
    file->section("weights", [&](base::StrictToml::Section& keys) {
        const std::string start = keys.choice("start", "material", {"material", "pawns", "nothing"});
        if (start == "material") network = FloatLinearNetwork::material_start();
        if (start == "pawns") network = FloatLinearNetwork::all_pawns();
        const std::vector<std::string> lines = keys.texts("set", std::nullopt);
        for (std::size_t i = 0; i < lines.size(); ++i)
            if (const std::string wrong = set_weights(network, lines[i]); !wrong.empty()) {
                keys.refuse("set", "is wrong: " + wrong, i);
                break;
            }
    });
    if (auto status = file->finish(); !status) return std::unexpected(status.error());
    network.info.piece_values = measure_piece_values(network, {});  // of no position: by material alone
    network.info.history["start"] = "weights set by hand: " + std::filesystem::path(name).filename().string();
    return network;
}

}  // namespace scholar::nets
