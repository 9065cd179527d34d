#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fmt/core.h>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "chess/movegen.hpp"

// What programs have in common that measure a network's speed along random games.

namespace scholar::bench {

inline constexpr int kMostMoves = 120;

// One after the other, behind each of at most kMostMoves moves of each game; the same ones always.
inline std::vector<chess::Position> random_positions(int games) {
    base::Random random(1);
    std::vector<chess::Position> positions;
    for (int game = 0; game < games; ++game) {
        chess::Position position;
        for (int ply = 0; ply < kMostMoves; ++ply) {
            const chess::MoveList moves = chess::legal_moves(position);
            if (moves.empty()) break;
            const auto choice = random.below(static_cast<std::uint64_t>(moves.size()));
            position.make(moves[static_cast<int>(choice)]);
            positions.push_back(position);
        }
    }
    return positions;
}

// The median and the range.
inline std::string median_of(std::vector<double> all) {
    std::ranges::sort(all);
    return fmt::format("{:6.0f} ({:.0f} to {:.0f})", all[all.size() / 2], all.front(), all.back());
}

// Nanoseconds of processor time that use(i) takes for each of `count` numbers, which gives something that is
// added up: the median of the rounds, with their range.
template <class Use>
std::string nanoseconds_of(int rounds, std::size_t count, Use use) {
    std::vector<double> all;
    double sum = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::clock_t start = std::clock();
        for (std::size_t i = 0; i < count; ++i) sum += use(i);
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        all.push_back(1e9 * seconds / static_cast<double>(count));
    }
    if (sum == 1) fmt::print("improbable\n");  // so that nothing is left out
    return median_of(std::move(all));
}

// [--rounds N] [NETWORK...]
struct SpeedArguments {
    int rounds = 9;
    std::vector<std::string> files;
};
inline SpeedArguments speed_arguments(int argc, char** argv) {
    SpeedArguments arguments;
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            arguments.rounds = std::max(1, std::atoi(argv[++i]));
        else
            arguments.files.emplace_back(argv[i]);
    return arguments;
}

}  // namespace scholar::bench
