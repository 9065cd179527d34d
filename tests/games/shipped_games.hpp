#pragma once

#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "games/pgn.hpp"
#include "support/test_data.hpp"

namespace scholar::games {

// The first `most` of the games that ship with the program, all of them sound.
inline std::vector<Game> shipped_games(std::size_t most = std::numeric_limits<std::size_t>::max()) {
    std::vector<Game> games;
    auto reader = PgnReader::open((tests::source_dir() / "games" / "master-games.pgn.zst").string());
    EXPECT_TRUE(reader);
    while (reader && games.size() < most) {
        const auto item = reader->next();
        if (!item || *item != PgnItem::Game) break;
        games.push_back(reader->game());
    }
    return games;
}

}  // namespace scholar::games
