#include "arena/value_study.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

#include "chess/movegen.hpp"
#include "nets/conv/chess_net_runner.hpp"

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
        balance += worth *
                   (chess::popcount(position.pieces(us, kind)) - chess::popcount(position.pieces(~us, kind)));
    return balance;
}

namespace {

// ask(line) takes a position, collect(values) appends −1 to 1 for those that were taken, `most` at a time.
template <class Ask, class Collect>
base::Result<std::vector<ValuedPosition>> value_all(const games::HeldOutSet& set, std::size_t most, Ask ask,
                                                    Collect collect, const std::stop_token& stop) {
    std::vector<ValuedPosition> all;
    std::vector<double> values;
    std::size_t valued = 0;
    const auto take = [&]() -> base::Status {
        if (valued == all.size()) return {};
        values.clear();
        if (auto status = collect(values); !status) return status;
        for (const double value : values) all[valued++].value = value;
        return {};
    };
    for (const games::HeldOutPosition& position : set.positions) {
        if (stop.stop_requested()) break;
        const games::HeldOutGame& game = set.game_of(position);
        if (game.result == games::GameResult::Unknown) continue;
        chess::Line line(game.start);
        for (const chess::Move move : set.past(position)) line.push(move);
        ask(line);
        all.push_back({.value = 0,
                       .outcome = outcome_of(game.result, position.position.side_to_move()),
                       .to_end = static_cast<int>(game.moves.size()) - position.ply,
                       .material = material_balance(position.position)});
        if (all.size() - valued < most) continue;
        if (auto status = take(); !status) return std::unexpected(status.error());
    }
    if (auto status = take(); !status) return std::unexpected(status.error());
    return all;
}

}  // namespace

base::Result<std::vector<ValuedPosition>> value_positions(const games::HeldOutSet& set,
                                                          evaluators::BatchEvaluator& value,
                                                          const std::stop_token& stop) {
    if (!value.abilities().has_any({nets::Ability::Value, nets::Ability::Wdl}))
        return base::fail("it has no value");
    std::vector<evaluators::Opinion> opinions;
    return value_all(
        set, value.capacity(),
        [&](const chess::Line& line) { value.submit(line, chess::legal_moves(line.current())); },
        [&](std::vector<double>& values) -> base::Status {
            if (auto status = value.collect(opinions); !status) return status;
            for (const evaluators::Opinion& opinion : opinions)
                values.push_back(2 * opinion.expected().value_or(0.5) - 1);
            return {};
        },
        stop);
}

base::Result<std::vector<ValuedPosition>> value_positions(const games::HeldOutSet& set,
                                                          std::shared_ptr<const nets::ChessNets> networks,
                                                          const std::stop_token& stop) {
    constexpr auto kValue = nets::ChessNetRole::Value;
    if (!networks->of(kValue)) return base::fail("no network 'value'");
    auto runner = nets::ChessNetRunner::make(networks, kValue);
    if (!runner) return std::unexpected(runner.error());
    const nets::PlanesInput& input = networks->info.shape.input;
    int waiting = 0;
    return value_all(
        set, nets::ChessNetRunner::kMostPositions,
        [&](const chess::Line& line) {
            nets::encode_planes(input, line, nets::play_context(input, networks->info.asked_rating, line),
                                runner->planes(waiting++));
        },
        [&](std::vector<double>& values) -> base::Status {
            if (auto status = runner->run(waiting); !status) return status;
            for (int i = 0; i < waiting; ++i)
                values.push_back(std::tanh(static_cast<double>(runner->outputs(i).front())));
            waiting = 0;
            return {};
        },
        stop);
}

double got_right(const ValuedPosition& position) {
    const double agreement = position.value * position.outcome;
    return agreement > 0 ? 1 : agreement < 0 ? 0 : 0.5;
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
        double right = 0;
    };
    std::array<Sums, kDistanceEnds.size()> by_distance{};
    for (const ValuedPosition& one : positions) {
        if (one.outcome == 0) continue;
        const auto place = std::ranges::lower_bound(kDistanceEnds, one.to_end) - kDistanceEnds.begin();
        Sums& sums = by_distance.at(static_cast<std::size_t>(place));
        (one.outcome > 0 ? sums.winners : sums.losers) += one.value;
        ++(one.outcome > 0 ? sums.won : sums.lost);
        sums.right += got_right(one);
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
                        .right = mean(sums.right, count)});
    }
    return rows;
}

}  // namespace scholar::arena
