#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/player.hpp"
#include "base/random.hpp"
#include "search/search.hpp"
#include "selfplay/treestrap.hpp"

namespace scholar::selfplay {

// What a search said before a move of a game.
struct Thought {
    int ply = 0;  // half-moves of the game before it, those of the opening included
    search::SearchResult result;
    std::vector<TreeStrapNode> nodes{};  // inside the search, if they were asked for
};

// A search that plays a game of the arena and remembers what it thought, for those who learn from it. How far
// it searches is its own affair: every move the same, whatever the game's clock.
class RecordingPlayer final : public arena::Player {
  public:
    // The nodes inside its searches, where they are wanted: who listens, as the search was told when it was
    // made, and the lots by which some of many are taken.
    struct Inside {
        std::unique_ptr<TreeStrap> tap;
        base::Random random;
    };

    RecordingPlayer(std::string name, std::unique_ptr<search::Search> search, search::Limits limits,
                    std::optional<Inside> inside = std::nullopt);

    // Of the game since new_game(), in its order.
    const std::vector<Thought>& thoughts() const { return thoughts_; }

    const std::string& name() const override { return name_; }
    const std::vector<arena::EngineOption>& options() const override { return no_options_; }
    base::Status set_option(std::string_view name, std::string_view value) override;
    base::Status new_game(const arena::GameTerms& terms) override;
    arena::Reply go(const chess::Position& start, std::span<const chess::Move> moves,
                    const chess::Position& current, const arena::SearchLimit& limit,
                    std::chrono::milliseconds patience, std::stop_token stop = {}) override;

  private:
    std::string name_;
    std::optional<Inside> inside_;  // outlives the search
    std::unique_ptr<search::Search> search_;
    search::Limits limits_;
    std::vector<arena::EngineOption> no_options_;
    std::vector<Thought> thoughts_;
};

}  // namespace scholar::selfplay
