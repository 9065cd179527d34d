#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "games/store.hpp"
#include "support/random_games.hpp"

// Random games with everything that a store can hold, and stores of them.

namespace scholar::tests {

using games::CutOff;
using games::Ending;
using games::Game;
using games::GameResult;
using games::PlyNumbers;
using games::StoreReader;
using games::StoreSummary;
using games::StoreWriter;

inline constexpr std::array<std::string_view, 4> kStarts{
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/P6k/8/8/8/8/8/K7 b - - 3 40",
};

inline Game random_game(std::uint64_t seed) {
    base::Random random(seed);
    Game game;
    const auto start = random.below(8);
    if (start < kStarts.size()) game.start = chess::parse_fen(kStarts[start]).value();
    game.chess960 = start == 1;
    play_random_game(random, game.start, static_cast<int>(random.below(250)),
                     [&](const auto&, chess::Move move, const auto&) { game.moves.push_back(move); });
    game.result = static_cast<GameResult>(random.below(4));
    game.ending = static_cast<Ending>(random.below(11));
    game.tags = {{"Event", "Cup"}, {"White", "Player " + std::to_string(random.below(5))}};
    if (random.below(2)) game.tags.emplace_back("Note", std::string(random.below(300), 'n') + "\"\\\xFF\n");
    if (random.below(2)) game.tags.emplace_back("Event", "the same name again");
    if (random.below(3) == 0) game.tags.clear();
    if (random.below(2) && !game.moves.empty()) {
        game.evaluations.resize(game.moves.size());
        for (auto& evaluation : game.evaluations) {
            if (random.below(4) == 0) continue;
            evaluation.emplace();
            if (random.below(5) == 0)
                evaluation->mate = static_cast<std::int16_t>(
                    random.below(2) ? 1 + random.below(32'767) : -1 - static_cast<int>(random.below(32'768)));
            else
                evaluation->centipawns = static_cast<std::int16_t>(random.below(65'536) - 32'768);
            evaluation->depth = static_cast<std::uint8_t>(random.below(256));
        }
        if (std::ranges::none_of(game.evaluations, [](const auto& e) { return e.has_value(); }))
            game.evaluations.clear();
    }
    for (PlyNumbers Game::* numbers : {&Game::clocks, &Game::times, &Game::nodes}) {
        if (random.below(2) || game.moves.empty()) continue;
        const std::uint64_t unit = random.below(2) ? 1'000 : 1;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            auto& number = (game.*numbers).emplace_back();
            if (random.below(5) > 0) number = random.below(std::uint64_t{1} << random.below(50)) * unit;
        }
        if (std::ranges::none_of(game.*numbers, [](const auto& n) { return n.has_value(); }))
            (game.*numbers).clear();
    }
    return game;
}

inline void expect_same(const Game& read, const Game& written) {
    EXPECT_EQ(read.tags, written.tags);
    EXPECT_EQ(read.start, written.start);
    EXPECT_EQ(read.chess960, written.chess960);
    EXPECT_EQ(read.result, written.result);
    EXPECT_EQ(read.ending, written.ending);
    EXPECT_EQ(read.moves, written.moves);
    EXPECT_EQ(read.evaluations, written.evaluations);
    for (const PlyNumbers Game::* numbers : {&Game::clocks, &Game::times, &Game::nodes}) {
        const bool any = std::ranges::any_of(written.*numbers, [](const auto& n) { return n.has_value(); });
        EXPECT_EQ(read.*numbers, any ? written.*numbers : PlyNumbers());
    }
}

inline StoreSummary write_store(const std::filesystem::path& path, const std::vector<Game>& games,
                                const StoreWriter::Options& options = {}) {
    auto writer = StoreWriter::create(path, options);
    EXPECT_TRUE(writer);
    for (const Game& game : games) {
        const auto status = writer->add(game);
        EXPECT_TRUE(status) << status.error().message;
    }
    const auto summary = writer->finish();
    EXPECT_TRUE(summary);
    return summary.value_or(StoreSummary());
}

// Opens, reads everything; the error, or "" if all is sound.
inline std::string read_all(const std::filesystem::path& path, std::vector<Game>* games = nullptr,
                            CutOff cut_off = CutOff::Refuse) {
    const auto store = StoreReader::open(path, cut_off);
    if (!store) return store.error().message;
    for (std::size_t i = 0; i < store->blocks().size(); ++i) {
        const auto block = store->read_block(i);
        if (!block) return block.error().message;
        for (std::size_t k = 0; k < block->games(); ++k) {
            auto game = block->game(k);
            if (!game) return game.error().message;
            if (games) games->push_back(std::move(*game));
        }
    }
    return "";
}

inline std::vector<Game> random_games(std::size_t count, std::uint64_t seed) {
    std::vector<Game> games;
    for (std::size_t i = 0; i < count; ++i) games.push_back(random_game(seed * 1'000 + i));
    return games;
}

inline void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace scholar::tests
