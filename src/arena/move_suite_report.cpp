#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "arena/move_suite.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/uci_move.hpp"

namespace scholar::arena {

namespace {

using nlohmann::ordered_json;

std::string grouped_count(std::uint64_t count) {
    return base::grouped(static_cast<std::int64_t>(count));
}

// "41.2 ± 1.0", "3.9" of what is exact, "–" of what is not known.
std::string cell(const std::optional<Estimate>& estimate, double scale, int digits) {
    if (!estimate) return "–";
    std::string text = fmt::format("{:.{}f}", scale * estimate->mean, digits);
    if (estimate->low < estimate->high) text += fmt::format(" ± {:.{}f}", scale * estimate->error(), digits);
    return text;
}

// Of a number of moves in kWithin.
std::size_t place_within(int count) {
    return static_cast<std::size_t>(std::ranges::find(kWithin, count) - kWithin.begin());
}

// Engines and constants, in the order of the table.
std::vector<const MovePredictor*> all_predictors(const MoveSuiteResult& result) {
    std::vector<const MovePredictor*> all;
    for (const auto* part : {&result.engines, &result.constants})
        for (const MovePredictor& predictor : *part) all.push_back(&predictor);
    return all;
}

std::string move_text(chess::Move move, bool chess960) {
    return chess::to_uci(move,
                         chess960 ? chess::CastlingNotation::Chess960 : chess::CastlingNotation::Standard);
}

ordered_json to_json(const std::optional<Estimate>& estimate) {
    if (!estimate) return nullptr;
    return {{"mean", estimate->mean}, {"low", estimate->low}, {"high", estimate->high}};
}

std::string failure_line(const MovePredictor& predictor, const MoveScore& score) {
    std::string text;
    if (score.failures > 0) {
        const auto first = std::ranges::find_if(
            predictor.answers, [](const MoveAnswer& answer) { return !answer.failure.empty(); });
        text += fmt::format("failures of {}, counted as missed: {}; the first: {}\n", predictor.name,
                            grouped_count(score.failures), base::excerpt(first->failure, 200));
    }
    if (score.impossible > 0)
        text += fmt::format("{} held {} to be impossible: each counts as a probability of {}\n",
                            predictor.name, base::counted(score.impossible, "move"), kLeastProbability);
    return text;
}

}  // namespace

std::string describe(const games::HeldOutSet& set) {
    return fmt::format("set: {} of {}, hash {}; drawn from {} of {} in stores of hash {}\nrule: {}\n",
                       base::counted(set.positions.size(), "position"),
                       base::counted(set.games.size(), "game"), base::to_hex(set.hash()),
                       base::counted(set.candidates, "position"), base::counted(set.test_games, "test game"),
                       base::to_hex(set.data_hash), to_string(set.rule));
}

std::string describe(const games::HeldOutSet& set, const MoveSuiteResult& result, int band) {
    const auto groups = move_groups(set, result, band);
    const auto predictors = all_predictors(result);
    std::size_t width = 0;
    for (const MoveGroup& group : groups) width = std::max(width, base::width_of(group.name));
    for (const MovePredictor* predictor : predictors)
        width = std::max(width, 2 + base::width_of(base::excerpt(predictor->name)));

    std::string text = describe(set) + base::padded("", width) + "  positions";
    for (const int count : kShownWithin)
        text += base::right_aligned(count == 1 ? "first %" : fmt::format("in {} %", count), 13);
    text += base::right_aligned("log-loss", 15) + '\n';
    for (const MoveGroup& group : groups) {
        text += base::padded(group.name, width) +
                base::right_aligned(grouped_count(group.positions.size()), 11) + '\n';
        for (const MovePredictor* predictor : predictors) {
            if (group.positions.empty()) break;
            const MoveScore score = score_moves(*predictor, group);
            text += base::padded("  " + base::excerpt(predictor->name), width) + base::padded("", 11);
            for (const int count : kShownWithin)
                text += base::right_aligned(cell(score.within.at(place_within(count)), 100, 1), 13);
            text += base::right_aligned(cell(score.log_loss, 1, 3), 15) + '\n';
        }
    }
    for (const MovePredictor* predictor : predictors)
        text += failure_line(*predictor, score_moves(*predictor, groups.front()));
    if (std::ranges::none_of(result.constants, [](const auto& one) { return !one.is_exact; }))
        text += "no training games in the stores: the most frequent moves are not known\n";
    if (result.interrupted) text += "interrupted\n";
    return text;
}

std::string to_json_lines(const games::HeldOutSet& set, const MoveSuiteResult& result, int band) {
    const auto line = [](const ordered_json& record) { return base::json_line(record) + "\n"; };
    std::string text = line({{"set", base::to_hex(set.hash())},
                             {"data_hash", base::to_hex(set.data_hash)},
                             {"rule", to_string(set.rule)},
                             {"seed", set.rule.seed},
                             {"positions", set.positions.size()},
                             {"games", set.games.size()},
                             {"test_games", set.test_games},
                             {"candidates", set.candidates},
                             {"interrupted", result.interrupted}});
    for (std::size_t i = 0; i < set.positions.size(); ++i) {
        const games::HeldOutPosition& position = set.positions[i];
        const bool chess960 = needs_chess960(set.game_of(position).start);
        for (const MovePredictor& engine : result.engines) {
            const MoveAnswer& answer = engine.answers[i];
            if (!answer.asked) continue;
            ordered_json record{
                {"engine", engine.name},     {"game", base::to_hex(set.game_of(position).hash)},
                {"ply", position.ply},       {"fen", chess::to_fen(position.position)},
                {"rating", position.rating}, {"played", move_text(position.played, chess960)}};
            if (!answer.failure.empty())
                record["failure"] = answer.failure;
            else
                record["guess"] = move_text(answer.guess, chess960);
            for (std::size_t k = 0; k < kWithin.size(); ++k)
                if (answer.within.at(k)) record[fmt::format("in_{}", kWithin.at(k))] = *answer.within.at(k);
            if (answer.probability) record["probability"] = *answer.probability;
            text += line(record);
        }
    }
    for (const MoveGroup& group : move_groups(set, result, band))
        for (const MovePredictor* predictor : all_predictors(result)) {
            const MoveScore score = score_moves(*predictor, group);
            ordered_json record{{"by", group.kind},
                                {"group", group.name},
                                {"engine", predictor->name},
                                {"positions", score.positions},
                                {"failures", score.failures}};
            for (std::size_t k = 0; k < kWithin.size(); ++k)
                record[fmt::format("in_{}", kWithin.at(k))] = to_json(score.within.at(k));
            record["log_loss"] = to_json(score.log_loss);
            record["impossible"] = score.impossible;
            text += line(record);
        }
    return text;
}

}  // namespace scholar::arena
