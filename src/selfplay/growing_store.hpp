#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "games/store.hpp"

namespace scholar::selfplay {

// By name, as a user says them: {"--nodes", "1000"}. "": not given.
using Settings = std::vector<std::pair<std::string, std::string>>;

// A game store that is played, game by game, over days perhaps. Games are in NAME.games.partial as soon as
// they are added, those that come together in a block of their own, so that whatever kills the player costs
// no game that was finished and leaves all of those that came together or none; in the end they are packed as
// in any other store, and the same games make the same bytes however often the player was killed.
class GrowingStore {
  public:
    // A new one, or, to resume, one with these settings that is not finished, or if there is nothing of it a
    // new one. Refused: what has the name already, unless it may be replaced, and other settings, by name.
    static base::Result<GrowingStore> open(const std::filesystem::path& path, const Settings& settings,
                                           bool resume, bool replace);

    // In it so far.
    std::uint64_t games() const { return writer_.games(); }
    // One block's at most (StoreWriter::Options): more would be in several.
    base::Status add(std::span<const games::Game> games);

    struct Finished {
        games::StoreSummary summary;
        std::uint64_t copies = 0;  // games of which there was one before with the same start and moves
    };
    // Packs the games under the store's name. Nothing can be added afterwards.
    base::Result<Finished> finish();

  private:
    GrowingStore(std::filesystem::path path, games::StoreWriter writer)
        : path_(std::move(path)), writer_(std::move(writer)) {}

    std::filesystem::path path_;
    games::StoreWriter writer_;
};

}  // namespace scholar::selfplay
