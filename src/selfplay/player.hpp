#pragma once

#include <optional>
#include <vector>

#include "base/random.hpp"
#include "chess/line.hpp"
#include "search/table.hpp"
#include "selfplay/players.hpp"
#include "selfplay/treestrap.hpp"

namespace scholar::selfplay {

// One who plays both sides of a game, with a table and a search of its own.
class Player {
  public:
    explicit Player(const Assignment& assignment);
    // The same for the same number, whatever was played before. Nothing if it was told to stop.
    std::optional<Record> play(std::uint64_t number, const std::stop_token& stop);

  private:
    // What a search of a position found, and the nodes inside it that the tap kept.
    struct Searched {
        Judgement judgement;
        chess::Move best;
        std::vector<TreeStrapNode> nodes;
    };
    // Where a game begins, and what was found there if it had to be searched.
    struct Start {
        chess::Line line;
        std::optional<Searched> searched;
    };
    // Its random moves go into the record.
    Start opening(base::Random& random, Record& record, const std::stop_token& stop);
    Searched search(const chess::Line& line, std::uint64_t nodes, base::Random& random,
                    const std::stop_token& stop);

    const Assignment& assignment_;
    std::unique_ptr<TreeStrap> tap_;  // null: nodes are not asked for
    search::Table table_;
    std::unique_ptr<search::Search> search_;
};

}  // namespace scholar::selfplay
