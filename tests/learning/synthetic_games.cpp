#include "synthetic_games.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iterator>
#include <vector>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "games/store.hpp"

namespace scholar::tests {

namespace {

int material_balance(const chess::Position& position) {
    constexpr std::array<int, 5> values{1, 3, 3, 5, 9};
    int balance = 0;
    for (const chess::PieceKind kind : {chess::Pawn, chess::Knight, chess::Bishop, chess::Rook, chess::Queen})
        balance += values[kind] * (chess::popcount(position.pieces(chess::White, kind)) -
                                   chess::popcount(position.pieces(chess::Black, kind)));
    return balance;
}

}  // namespace

void write_random_games(const std::filesystem::path& path, int games, std::uint64_t seed, bool evaluations) {
    auto writer = games::StoreWriter::create(path);
    ASSERT_TRUE(writer) << writer.error().message;
    base::Random random(seed);
    for (int number = 0; number < games; ++number) {
        games::Game game;
        game.tags = {{"White", "Counter 1"}, {"Black", "Counter 2"}};
        chess::Position position = game.start;
        for (int ply = 0; ply < 60; ++ply) {
            const chess::MoveList moves = chess::legal_moves(position);
            if (moves.empty()) break;
            if (evaluations && number % 2 == 0) {
                games::Evaluation evaluation;
                evaluation.centipawns = static_cast<std::int16_t>(100 * material_balance(position));
                evaluation.depth = 1;
                game.evaluations.emplace_back(evaluation);
            }
            const chess::Move move =
                moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
            game.moves.push_back(move);
            position.make(move);
        }
        const int balance = material_balance(position);
        game.result = balance > 0   ? games::GameResult::WhiteWins
                      : balance < 0 ? games::GameResult::BlackWins
                                    : games::GameResult::Draw;
        const auto status = writer->add(game);
        ASSERT_TRUE(status) << status.error().message;
    }
    const auto summary = writer->finish();
    ASSERT_TRUE(summary) << summary.error().message;
}

void write_capturing_games(const std::filesystem::path& path, int count, std::uint64_t seed) {
    auto writer = games::StoreWriter::create(path);
    ASSERT_TRUE(writer) << writer.error().message;
    base::Random random(seed);
    for (int number = 0; number < count; ++number) {
        games::Game game;
        const bool white_wins = random.below(2) == 1;
        game.start = *chess::parse_fen(white_wins ? "1nbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
                                                  : "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBN1 w - - 0 1");
        game.result = white_wins ? games::GameResult::WhiteWins : games::GameResult::BlackWins;
        chess::Position position = game.start;
        for (int ply = 0; ply < 50; ++ply) {
            const chess::MoveList moves = chess::legal_moves(position);
            if (moves.empty()) break;
            std::vector<chess::Move> captures;
            std::ranges::copy_if(moves, std::back_inserter(captures),
                                 [&](chess::Move move) { return position.is_capture(move); });
            if (captures.empty()) captures.assign(moves.begin(), moves.end());
            game.moves.push_back(captures[random.below(captures.size())]);
            position.make(game.moves.back());
        }
        const auto status = writer->add(game);
        ASSERT_TRUE(status) << status.error().message;
    }
    const auto summary = writer->finish();
    ASSERT_TRUE(summary) << summary.error().message;
}

std::string small_recipe(const std::filesystem::path& store, const std::filesystem::path& output, int steps,
                         const std::string& more) {
    return fmt::format(R"([data]
stores = ["{}"]
validation_share = 0.1
[sampler]
stages = ["ply min=8"]
shuffle_buffer = 4096
[network]
width = 32
activation = "clipped"
[target]
result_weight = 0.5
[optimiser]
learning_rate = 0.005
[run]
steps = {}
batch = 512
validation_positions = 1000
validate_every = 1000
checkpoint_every = 7
output = "{}"
{}
)",
                       store.string(), steps, output.string(), more);
}

}  // namespace scholar::tests
