#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "games/store.hpp"
#include "selfplay/record.hpp"

namespace scholar::learning {

// The games of a run, kept in a store with what the searches said of each position, for `scholar train` and
// whoever else wants them. The store holds the run's games from its first on, each once and in order,
// whatever was killed in between: a game that is played again is not added twice. Where the run goes on
// exactly, the seed makes it the same game; where not (LearnOptions::checkpoint_lessons), the one that was
// kept first stays, which the networks of before the kill played.
class KeptGames {
  public:
    // `settings`: recipe and seed, by which its games are known. Of a run of which `played` games are known
    // to its checkpoint: 0 begins a new store, in which a killed run that had no checkpoint yet may have left
    // games. Refuses a store that lacks some of them, and one of another seed.
    static base::Result<KeptGames> open(const std::filesystem::path& path, const std::string& settings,
                                        std::uint64_t played);
    // Of which `number` is the run's.
    base::Status add(const selfplay::Record& record);
    // Before a checkpoint: what was added is on the disk.
    base::Status flush() { return writer_.flush(); }
    // The store gets its name, or its new end. Nothing can be added afterwards.
    base::Status finish();

  private:
    explicit KeptGames(games::StoreWriter writer) : writer_(std::move(writer)), next_(writer_.games()) {}

    games::StoreWriter writer_;
    std::uint64_t next_;  // number of the game that comes next
};

// As the store keeps it: with tags, and the scores as evaluations.
games::Game with_evaluations(const selfplay::Record& record);

}  // namespace scholar::learning
