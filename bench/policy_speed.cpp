// bench/policy_speed NETWORK...: what it costs to ask move policies, along the moves of games that ship with
// the program (one push and one question each): nanoseconds of processor time a position and a move,
// questions a second, and of a sparse policy what its parts take. Beside it the value of the embedded network
// at the same places, which is the most of what a node of its search costs.

#include <ctime>
#include <fmt/core.h>
#include <functional>
#include <vector>

#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "evaluators/sparse_move_policy.hpp"
#include "games/pgn.hpp"
#include "nets/container/open_network.hpp"
#include "nets/sparse_policy/row_products.hpp"

namespace scholar {
namespace {

constexpr int kGames = 100;
constexpr int kRounds = 7;

struct Step {
    chess::Position before;
    chess::Move move;
    chess::Position after;
    chess::MoveList moves;  // of the position after it
    bool first;             // of its game
};

base::Result<std::vector<Step>> steps_of_games(const std::filesystem::path& path) {
    auto reader = games::PgnReader::open(path);
    if (!reader) return std::unexpected(reader.error());
    std::vector<Step> steps;
    for (int game = 0; game < kGames; ++game) {
        const auto item = reader->next();
        if (!item) return std::unexpected(item.error());
        if (*item != games::PgnItem::Game) break;
        chess::Position position = reader->game().start;
        bool first = true;
        for (const chess::Move move : reader->game().moves) {
            const chess::Position after = position.after(move);
            const chess::MoveList moves = chess::legal_moves(after);
            if (!moves.empty()) steps.push_back({position, move, after, moves, first});
            position = after;
            first = false;
        }
    }
    return steps;
}

double processor_nanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

// The best of some rounds, in nanoseconds of processor time a step.
double measure(std::size_t steps, const std::function<void()>& round) {
    double best = 0;
    for (int i = 0; i < kRounds; ++i) {
        const double start = processor_nanoseconds();
        round();
        const double taken = processor_nanoseconds() - start;
        best = i == 0 ? taken : std::min(best, taken);
    }
    return best / static_cast<double>(steps);
}

template <class Follower, class Ask>
double along(const std::vector<Step>& steps, Follower& follower, Ask ask) {
    return measure(steps.size(), [&] {
        for (const Step& step : steps) {
            if (step.first) follower.reset(step.before);
            follower.push(step.before, step.move);
            ask(step);
        }
    });
}

base::Status run(const std::vector<std::string>& names) {
    const auto steps = steps_of_games(std::filesystem::path(SCHOLAR_SHIPPED_GAMES));
    if (!steps) return std::unexpected(steps.error());
    double all_moves = 0;
    for (const Step& step : *steps) all_moves += step.moves.size();
    const double moves = all_moves / static_cast<double>(steps->size());
    fmt::print("{} positions, {:.1f} legal moves each\n\n", steps->size(), moves);
    const auto say = [&](const std::string& name, double each, double count) {
        fmt::print("{:<44} {:>8.0f} ns a position {:>7.1f} ns a move {:>9.0f} a second\n", name, each,
                   each / count, 1e9 / each);
    };
    std::int64_t sink = 0;
    const auto value = nets::open_network("");
    if (!value) return std::unexpected(value.error());
    evaluators::NetworkEvaluator leaf(value->as<nets::Network>());
    say("value of the embedded network",
        along(*steps, leaf, [&](const Step& step) { sink += leaf.value(step.after).value(); }), moves);
    std::vector<float> shares(chess::kMaxMoves);
    for (const std::string& name : names) {
        const auto network = nets::open_network(name);
        if (!network) return std::unexpected(network.error());
        const auto policy = evaluators::make_policy(*network);
        if (!policy) return std::unexpected(policy.error());
        fmt::print("\n{}\n", network->description());
        say("  probabilities",
            along(*steps, **policy,
                  [&](const Step& step) {
                      const auto out = std::span(shares).first(static_cast<std::size_t>(step.moves.size()));
                      (*policy)->judge(step.after, step.moves, out);
                      sink += out[0] > 0.5F ? 1 : 0;
                  }),
            moves);
        const auto sparse = network->as<nets::SparsePolicyNetwork>();
        if (!sparse) continue;
        evaluators::Accumulators sums(sparse->first_layer());
        say("  sums of the first layer",
            along(*steps, sums,
                  [&](const Step& step) { sink += *sums.of(step.after, step.after.side_to_move()); }),
            moves);
        const nets::SparsePolicyInfo& info = sparse->info;
        std::vector<std::uint16_t> rows(nets::kMostRowsOfAMove * chess::kMaxMoves);
        const auto find = [&](const Step& step) {
            const chess::Color us = step.after.side_to_move();
            const int count = nets::rows_of_a_move(info.rows) * step.moves.size();
            nets::find_move_rows(info.rows, info.piece_values, step.after,
                                 info.architecture.features->view(us, step.after.king(us)), step.moves,
                                 std::span(rows).first(static_cast<std::size_t>(count)));
            return count;
        };
        say("  which rows",
            measure(steps->size(),
                    [&] {
                        for (const Step& step : *steps) sink += find(step);
                    }),
            moves);
        std::vector<std::vector<std::uint16_t>> found;
        for (const Step& step : *steps) {
            const int count = find(step);
            found.emplace_back(rows.begin(), rows.begin() + count);
        }
        const nets::AlignedVector<std::int16_t> units(static_cast<std::size_t>(info.units()), 100);
        std::vector<std::int32_t> products(rows.size());
        say("  dot products",
            measure(steps->size(),
                    [&] {
                        for (const auto& each : found) {
                            nets::row_products(units.data(), info.units(), sparse->output.data(), each.data(),
                                               static_cast<int>(each.size()), products.data());
                            sink += products[0];
                        }
                    }),
            moves);
    }
    // So that nothing is left out for want of a use.
    return sink == 1 ? base::fail("an impossible sum") : base::Status();
}

}  // namespace
}  // namespace scholar

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: policy_speed NETWORK...\n");
        return 2;
    }
    if (const auto status = scholar::run({argv + 1, argv + argc}); !status) {
        fmt::print(stderr, "policy_speed: {}\n", status.error().message);
        return 1;
    }
    return 0;
}
