#include "arena/move_suite.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "arena/statistics.hpp"
#include "chess/checks.hpp"
#include "chess/exchange.hpp"
#include "chess/movegen.hpp"
#include "nets/container/open_network.hpp"
#include "nets/container/piece_values.hpp"

namespace scholar::arena {

namespace {

// Where the middle of a game begins and ends, in half-moves.
constexpr int kMiddleBegins = 20;
constexpr int kMiddleEnds = 60;

MoveAnswer judge(const games::HeldOutPosition& position, const MoveOpinion& opinion) {
    const int legal = chess::count_legal_moves(position.position);
    MoveAnswer answer{.asked = true};
    if (!opinion.ranked.empty()) answer.guess = opinion.ranked.front();
    for (std::size_t i = 0; i < kWithin.size(); ++i)
        answer.within.at(i) = share_within(opinion, position.played, kWithin.at(i), legal);
    answer.probability = probability_of(opinion, position.played);
    return answer;
}

MoveAnswer failed(std::string why) {
    MoveAnswer answer{.asked = true, .failure = std::move(why)};
    answer.within.fill(0);
    return answer;
}

// Of who gives each legal move a share, by `judge_moves(position, moves, shares)`.
template <class Judge>
MovePredictor constant(std::string name, const games::HeldOutSet& set, Judge judge_moves) {
    MovePredictor predictor{.name = std::move(name), .is_exact = false, .answers = {}};
    std::vector<double> shares;
    for (const games::HeldOutPosition& position : set.positions) {
        const chess::MoveList moves = chess::legal_moves(position.position);
        shares.assign(static_cast<std::size_t>(moves.size()), 0);
        judge_moves(position.position, moves, shares);
        MoveOpinion opinion{.ranked = {}, .shares = {}, .are_probabilities = true, .trouble = {}};
        for (int i = 0; i < moves.size(); ++i)
            opinion.shares.emplace_back(moves[i], shares[static_cast<std::size_t>(i)]);
        predictor.answers.push_back(judge(position, opinion));
    }
    return predictor;
}

bool is_quiet(const games::HeldOutPosition& position) {
    return !position.position.is_noisy(position.played) &&
           !chess::gives_check(position.position, position.played);
}

// What pieces are worth to the network that the program has.
nets::PieceValues default_piece_values() {
    const auto network = nets::open_network("");
    const nets::PieceValues* values = network ? network->piece_values() : nullptr;
    return values ? *values : nets::kEqualPieceValues;
}

bool is_winning_capture(const games::HeldOutPosition& position, const nets::PieceValues& values) {
    return position.position.is_capture(position.played) &&
           chess::exchange_wins(position.position, position.played, values[chess::Pawn] / 2, values);
}

Estimate mean_of(double sum, double squares, std::uint64_t count) {
    const auto n = static_cast<double>(count);
    const double mean = sum / n;
    const double variance = count > 1 ? std::max(0.0, squares - n * mean * mean) / (n - 1) : 0;
    const double error = kConfidence95 * std::sqrt(variance / n);
    return {.mean = mean, .low = mean - error, .high = mean + error};
}

}  // namespace

base::Result<MoveSuiteResult> run_move_suite(const games::HeldOutSet& set, const games::MoveHabits& habits,
                                             const AskingOptions& options,
                                             const std::function<void(std::size_t)>& progress,
                                             std::stop_token stop) {
    MoveSuiteResult result;
    for (std::size_t i = 0; i < options.engines.size(); ++i)
        result.engines.push_back(
            {.name = "", .is_exact = false, .answers = std::vector<MoveAnswer>(set.positions.size())});
    std::size_t done = 0;
    const auto question = [&](std::size_t index) {
        const games::HeldOutPosition& position = set.positions[index];
        return Question{
            .start = set.game_of(position).start, .moves = set.past(position), .position = position.position};
    };
    const auto answer = [&](Answered answered) {
        MoveAnswer& kept = result.engines[answered.engine].answers[answered.question];
        MoveOpinion& opinion = answered.reply.opinion;
        if (opinion.ranked.empty()) opinion.ranked = {answered.reply.move};
        if (!answered.failure.empty())
            kept = failed(std::move(answered.failure));
        else if (!opinion.trouble.empty())
            kept = failed(std::move(opinion.trouble));
        else
            kept = judge(set.positions[answered.question], opinion);
        if (progress) progress(++done);
    };
    const auto asked =
        ask_questions("moves", set.positions.size(), options, question, answer, std::move(stop));
    if (!asked) return std::unexpected(asked.error());
    for (std::size_t i = 0; i < result.engines.size(); ++i) result.engines[i].name = asked->names[i];
    result.interrupted = asked->interrupted;

    if (habits.moves() > 0)
        result.constants.push_back(
            constant("most frequent move", set, [&](const auto& position, const auto& moves, auto& shares) {
                habits.judge(position, moves, shares);
            }));
    result.constants.push_back(constant("chance", set, [](const auto&, const auto&, auto& shares) {
        std::ranges::fill(shares, 1 / static_cast<double>(shares.size()));
    }));
    result.constants.back().is_exact = true;
    return result;
}

std::vector<MoveGroup> move_groups(const games::HeldOutSet& set, const MoveSuiteResult& result, int band) {
    MoveGroup all{.kind = "all", .name = "all", .positions = {}};
    std::array<MoveGroup, 3> plies{
        MoveGroup{.kind = "ply", .name = "opening, to move 10", .positions = {}},
        MoveGroup{.kind = "ply", .name = "middle, moves 11 to 30", .positions = {}},
        MoveGroup{.kind = "ply", .name = "late, from move 31", .positions = {}}};
    std::map<int, MoveGroup> ratings;  // by number of the band; −1: not rated
    std::array<MoveGroup, 3> kinds{
        MoveGroup{.kind = "move", .name = "quiet moves", .positions = {}},
        MoveGroup{.kind = "move", .name = "captures, checks, promotions", .positions = {}},
        MoveGroup{.kind = "move", .name = "no winning captures", .positions = {}}};
    const nets::PieceValues values = default_piece_values();
    for (std::size_t i = 0; i < set.positions.size(); ++i) {
        if (std::ranges::any_of(result.engines, [i](const auto& engine) { return !engine.answers[i].asked; }))
            continue;
        const games::HeldOutPosition& position = set.positions[i];
        all.positions.push_back(i);
        plies.at(position.ply < kMiddleBegins ? 0
                 : position.ply < kMiddleEnds ? 1
                                              : 2)
            .positions.push_back(i);
        ratings[position.rating > 0 ? position.rating / band : -1].positions.push_back(i);
        kinds.at(is_quiet(position) ? 0 : 1).positions.push_back(i);
        if (!is_winning_capture(position, values)) kinds.at(2).positions.push_back(i);
    }
    std::vector<MoveGroup> groups{std::move(all)};
    const auto put = [&groups](MoveGroup& group) {
        if (!group.positions.empty()) groups.push_back(std::move(group));
    };
    std::ranges::for_each(plies, put);
    if (ratings.size() > 1 || !ratings.contains(-1))
        for (auto& [number, group] : ratings) {
            group.kind = "rating";
            group.name = number < 0 ? "not rated"
                                    : fmt::format("rated {} to {}", number * band, number * band + band - 1);
            put(group);
        }
    std::ranges::for_each(kinds, put);
    return groups;
}

Estimate wilson(double share, std::uint64_t count) {
    const auto n = static_cast<double>(count);
    const double z2 = kConfidence95 * kConfidence95;
    const double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
    const double half = kConfidence95 / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
    return {.mean = share, .low = std::max(0.0, middle - half), .high = std::min(1.0, middle + half)};
}

MoveScore score_moves(const MovePredictor& predictor, const MoveGroup& group) {
    MoveScore score;
    std::array<double, kWithin.size()> hits{};
    std::array<bool, kWithin.size()> known{};
    known.fill(true);
    double loss = 0;
    double squares = 0;
    // Of who gives probabilities a failure counts as the least of them. Where there is none for another
    // reason (the move was a book's), there is no loss of the whole group.
    const bool gives_probabilities =
        std::ranges::any_of(predictor.answers, [](const MoveAnswer& a) { return a.probability.has_value(); });
    std::uint64_t with_probability = 0;
    for (const std::size_t index : group.positions) {
        const MoveAnswer& answer = predictor.answers[index];
        ++score.positions;
        if (!answer.failure.empty()) ++score.failures;
        for (std::size_t i = 0; i < kWithin.size(); ++i) {
            known.at(i) = known.at(i) && answer.within.at(i).has_value();
            hits.at(i) += answer.within.at(i).value_or(0);
        }
        if (!answer.probability && answer.failure.empty()) continue;
        ++with_probability;
        if (answer.probability && *answer.probability < kLeastProbability) ++score.impossible;
        // No loss is 0, not −0.
        const double one = 0 - std::log(std::max(kLeastProbability, answer.probability.value_or(0)));
        loss += one;
        squares += one * one;
    }
    if (score.positions == 0) return score;
    for (std::size_t i = 0; i < kWithin.size(); ++i) {
        if (!known.at(i)) continue;
        // Sums of thirds and fifths may end a little above 1.
        const double share = std::min(1.0, hits.at(i) / static_cast<double>(score.positions));
        score.within.at(i) =
            predictor.is_exact ? Estimate{share, share, share} : wilson(share, score.positions);
    }
    if (gives_probabilities && with_probability == score.positions) {
        score.log_loss = mean_of(loss, squares, with_probability);
        if (predictor.is_exact) score.log_loss->low = score.log_loss->high = score.log_loss->mean;
    }
    return score;
}

}  // namespace scholar::arena
