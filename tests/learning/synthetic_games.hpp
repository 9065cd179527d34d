#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace scholar::tests {

// Writes a store of games of random legal moves. The side that is ahead in material (1, 3, 3, 5, 9) at the
// end has won, equal material is a draw; so there is something to learn. With `evaluations`, half the games
// have evaluations: the material balance in centipawns, by "Counter".
void write_random_games(const std::filesystem::path& path, int games, std::uint64_t seed,
                        bool evaluations = false);

// Games of players who take something if they can, else move at random. One of them begins without rooks and
// has lost.
void write_capturing_games(const std::filesystem::path& path, int count, std::uint64_t seed);

// A small recipe on the store; `more` is put at the end of [run].
std::string small_recipe(const std::filesystem::path& store, const std::filesystem::path& output, int steps,
                         const std::string& more = "");

}  // namespace scholar::tests
