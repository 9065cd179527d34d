#include "arena/value_study.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

#include "chess/movegen.hpp"

namespace scholar::arena {

namespace {

constexpr std::array kDistanceEnds{4, 10, 20, 40, 80, 65'535};

// Of the mover, where the result is known.
double outcome_of(games::GameResult result, chess::Color mover) {
    if (result == games::GameResult::Draw) return 0;
    return (result == games::GameResult::WhiteWins) == (mover == chess::White) ? 1 : -1;
}

}  // namespace

int material_balance(const chess::Position& position) {
    constexpr std::array kWorth{std::pair{chess::Pawn, 1}, std::pair{chess::Knight, 3},
                                std::pair{chess::Bishop, 3}, std::pair{chess::Rook, 5},
                                std::pair{chess::Queen, 9}};
    const chess::Color us = position.side_to_move();
    int balance = 0;
    for (const auto& [kind, worth] : kWorth)
        balance +=
            worth * (chess::popcount(position.pieces(us, kind)) - chess::popcount(position.pieces(~us, kind)));
    return balance;
}

base::Result<std::vector<ValuedPosition>> value_positions(const games::HeldOutSet& set,
                                                          evaluators::BatchEvaluator& value,
                                                          const std::stop_token& stop,
                                                          const std::function<void(std::size_t)>& progress) {
    if (!value.abilities().has(nets::Ability::Value) && !value.abilities().has(nets::Ability::Wdl))
        return base::fail("it has no value");
    std::vector<ValuedPosition> all;
    std::vector<evaluators::Opinion> opinions;
    std::vector<ValuedPosition> waiting;
    const auto collect = [&]() -> base::Status {
        if (waiting.empty()) return {};
        if (auto status = value.collect(opinions); !status) return status;
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            waiting[i].value = 2 * opinions[i].expected().value_or(0.5) - 1;
            all.push_back(waiting[i]);
        }
        waiting.clear();
        return {};
    };
    std::size_t done = 0;
    for (const games::HeldOutPosition& position : set.positions) {
        if (stop.stop_requested()) break;
        const games::HeldOutGame& game = set.game_of(position);
        ++done;
        if (game.result == games::GameResult::Unknown) continue;
        chess::Line line(game.start);
        for (const chess::Move move : set.past(position)) line.push(move);
        value.submit(line, chess::legal_moves(position.position));
        waiting.push_back({.value = 0,
                           .outcome = outcome_of(game.result, position.position.side_to_move()),
                           .to_end = static_cast<int>(game.moves.size()) - position.ply,
                           .material = material_balance(position.position)});
        if (waiting.size() < value.capacity()) continue;
        if (auto status = collect(); !status) return std::unexpected(status.error());
        if (progress) progress(done);
    }
    if (auto status = collect(); !status) return std::unexpected(status.error());
    return all;
}

double correlation(std::span<const double> first, std::span<const double> second) {
    assert(first.size() == second.size());
    const auto mean = [](std::span<const double> numbers) {
        double sum = 0;
        for (const double number : numbers) sum += number;
        return sum / static_cast<double>(numbers.size());
    };
    const double first_mean = mean(first);
    const double second_mean = mean(second);
    double product = 0;
    double first_square = 0;
    double second_square = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const double a = first[i] - first_mean;
        const double b = second[i] - second_mean;
        product += a * b;
        first_square += a * a;
        second_square += b * b;
    }
    const double scale = std::sqrt(first_square * second_square);
    return scale > 0 ? product / scale : 0;
}

double correlation_with_material(std::span<const ValuedPosition> positions) {
    std::vector<double> values;
    std::vector<double> material;
    for (const ValuedPosition& one : positions) {
        values.push_back(one.value);
        material.push_back(one.material);
    }
    return correlation(values, material);
}

std::vector<ValueAtDistance> values_by_distance(std::span<const ValuedPosition> positions) {
    struct Sums {
        double winners = 0;
        double losers = 0;
        std::uint64_t won = 0;
        std::uint64_t lost = 0;
        std::uint64_t right = 0;
    };
    std::array<Sums, kDistanceEnds.size()> by_distance{};
    for (const ValuedPosition& one : positions) {
        if (one.outcome == 0) continue;
        const auto place = std::ranges::lower_bound(kDistanceEnds, one.to_end) - kDistanceEnds.begin();
        Sums& sums = by_distance.at(static_cast<std::size_t>(place));
        (one.outcome > 0 ? sums.winners : sums.losers) += one.value;
        ++(one.outcome > 0 ? sums.won : sums.lost);
        sums.right += one.value * one.outcome > 0 ? 1U : 0U;
    }
    const auto mean = [](double sum, std::uint64_t count) {
        return count > 0 ? sum / static_cast<double>(count) : 0;
    };
    std::vector<ValueAtDistance> rows;
    for (std::size_t i = 0; i < by_distance.size(); ++i) {
        const Sums& sums = by_distance.at(i);
        const std::uint64_t count = sums.won + sums.lost;
        if (count == 0) continue;
        const int first = i == 0 ? 1 : kDistanceEnds.at(i - 1) + 1;
        rows.push_back({.name = i + 1 == by_distance.size()
                                    ? fmt::format("{} and more", first)
                                    : fmt::format("{} to {}", first, kDistanceEnds.at(i)),
                        .positions = count,
                        .winners = mean(sums.winners, sums.won),
                        .losers = mean(sums.losers, sums.lost),
                        .right = mean(static_cast<double>(sums.right), count)});
    }
    return rows;
}

}  // namespace scholar::arena
