#pragma once

#include "base/random.hpp"
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
    chess::Line opening(base::Random& random, Record& record, const std::stop_token& stop);
    Judgement judge(const chess::Line& line, std::uint64_t nodes, const std::stop_token& stop,
                    chess::Move& best);
    void forget();
    // Those that the tap has; into the record, if there is one.
    void take_nodes(Record* record, base::Random& random);

    const Assignment& assignment_;
    std::unique_ptr<TreeStrap> tap_;  // null: nodes are not asked for
    search::Table table_;
    std::unique_ptr<search::Search> search_;
};

}  // namespace scholar::selfplay
