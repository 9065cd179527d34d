#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "chess/movegen.hpp"
#include "games/sampler.hpp"
#include "games/store.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

namespace scholar::games {

using tests::TemporaryFolder;

// Games with a number in their ratings and evaluations that tell ply and player.
inline std::vector<Game> make_games(std::size_t count) {
    std::vector<Game> games;
    base::Random random(31);
    for (std::size_t i = 0; i < count; ++i) {
        Game game;
        tests::play_random_game(random, game.start, 60, [&](const auto&, chess::Move move, const auto&) {
            game.moves.push_back(move);
        });
        game.result = static_cast<GameResult>(i % 4);
        game.chess960 = i % 10 == 9;
        game.tags = {{"White", i % 2 ? "Stockfish 15.1" : "LCZero 0.30-dev+_783162"},
                     {"Black", "Toga II 3.0"},
                     {"WhiteElo", std::to_string(2'000 + i)},
                     {"BlackElo", std::to_string(2'500)}};
        if (i % 11 == 5) game.tags.pop_back();  // one player without a rating
        if (i % 3 == 0) {
            game.evaluations.resize(game.moves.size());
            for (std::size_t ply = 0; ply < game.evaluations.size(); ++ply)
                game.evaluations[ply] = Evaluation{static_cast<std::int16_t>(ply % 7 == 0 ? 0 : 100 + ply),
                                                   static_cast<std::int16_t>(ply % 7 == 0 ? 3 : 0), 9};
        }
        games.push_back(std::move(game));
    }
    return games;
}

class SamplerTest : public testing::Test {
  protected:
    static constexpr std::size_t kGames = 300;

    SamplerTest() : games_(make_games(kGames)) {
        auto writer = StoreWriter::create(path_, {.games_per_block = 25});
        for (const Game& game : games_) EXPECT_TRUE(writer->add(game));
        EXPECT_TRUE(writer->finish());
        options_.stores = {path_.string()};
        options_.shuffle_buffer = 700;
    }

    static std::vector<Sample> drain(Sampler& sampler, std::size_t step = 1'000) {
        std::vector<Sample> samples;
        while (true) {
            const auto got = sampler.next(step, samples);
            EXPECT_TRUE(got);
            if (!got || *got < step) return samples;
        }
    }
    std::vector<Sample> draw(const Sampler::Options& options, std::uint64_t epoch = 0) {
        auto sampler = Sampler::open(options);
        EXPECT_TRUE(sampler);
        sampler->start_epoch(epoch);
        return drain(*sampler);
    }

    // What should be left where `keep` says so, by playing the games over.
    template <class Keep>
    std::multiset<std::uint64_t> expected(const Sampling& sampling, Keep keep) {
        std::multiset<std::uint64_t> names;
        for (const Game& game : games_) {
            if (game.result == GameResult::Unknown || (game.chess960 && !sampling.chess960)) continue;
            if (split_of(game.hash(), sampling.shares) != sampling.split) continue;
            chess::Position position = game.start;
            for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
                if (keep(game, std::as_const(position), game.moves[ply], static_cast<int>(ply)))
                    names.insert(name_of(position, game.moves[ply], ply));
                position.make(game.moves[ply]);
            }
        }
        return names;
    }
    static std::uint64_t name_of(const chess::Position& position, chess::Move move, std::size_t ply) {
        return position.key() ^ move.bits() * 0x9E3779B97F4A7C15ULL ^ ply << 40;
    }
    static std::multiset<std::uint64_t> names_of(const std::vector<Sample>& samples) {
        std::multiset<std::uint64_t> names;
        for (const Sample& sample : samples) names.insert(name_of(sample.position, sample.move, sample.ply));
        return names;
    }
    static std::vector<std::uint64_t> order_of(const std::vector<Sample>& samples) {
        std::vector<std::uint64_t> names;
        for (const Sample& sample : samples)
            names.push_back(name_of(sample.position, sample.move, sample.ply));
        return names;
    }

    TemporaryFolder folder_;
    std::filesystem::path path_ = folder_ / "a.games";
    std::vector<Game> games_;
    Sampler::Options options_;
};

}  // namespace scholar::games
