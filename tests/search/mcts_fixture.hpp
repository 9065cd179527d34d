#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "search/mcts/mcts.hpp"

// What the tests of the Monte-Carlo tree search have in common.

namespace scholar::search::mcts_tests {

using namespace chess;
using evaluators::Opinion;
using evaluators::Wanted;

inline constexpr const char* kMiddlegame =
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1";

// From 0 to 1, by lot: always the same of the same.
inline double lot(std::uint64_t of) {
    return static_cast<double>(base::split_mix(of) >> 11) * 0x1.0p-53;
}

// Likely moves and expected results by lot.
inline Opinion by_lot(const Position& position, const MoveList& moves) {
    Opinion opinion;
    const double draw = lot(position.key() ^ 1) / 2;
    const double win = (1 - draw) * lot(position.key());
    opinion.wdl = Wdl{win, draw, 1 - draw - win};
    // Eighths, of which the tree makes no others.
    opinion.moves_left = static_cast<float>(std::floor(800 * lot(position.key() ^ 2)) / 8);
    double sum = 0;
    for (const Move move : moves) {
        const double share = std::exp(3 * lot(position.key() * 31 + move.bits()));
        opinion.probabilities.push_back(static_cast<float>(share));
        sum += share;
    }
    for (float& share : opinion.probabilities) share = static_cast<float>(share / sum);
    return opinion;
}

// As good for who is to move, all moves as likely.
inline Opinion even(double expected, const MoveList& moves) {
    Opinion opinion;
    opinion.value = Score::from_expected(expected);
    opinion.probabilities.assign(static_cast<std::size_t>(moves.size()),
                                 1 / static_cast<float>(moves.size()));
    return opinion;
}

using Judge = std::function<Opinion(const Line& line, const MoveList& moves)>;

// A test's evaluator, and what it was asked.
class TestBatch final : public evaluators::BatchEvaluator {
  public:
    struct Seen {
        std::map<std::string, int> asked;  // by line
        std::size_t largest = 0;           // batch
        int asked_in_vain = 0;             // of positions without a move
        int values = 0;                    // how often a value was wanted, or a policy
        int policies = 0;
    };
    // `apart`: value and policy are worked out apart from each other.
    TestBatch(Judge judge, std::size_t capacity, Seen& seen, bool apart)
        : judge_(std::move(judge)), capacity_(capacity), seen_(seen), apart_(apart) {}

    nets::Abilities abilities() const override { return {nets::Ability::Wdl, nets::Ability::Policy}; }
    nets::Reads reads() const override { return {}; }
    std::size_t capacity() const override { return capacity_; }
    void submit(const Line& line, const MoveList& moves) override { submit_part(line, moves, Wanted::All); }
    void submit_part(const Line& line, const MoveList& moves, Wanted wanted) override {
        seen_.values += wanted != Wanted::Policy;
        seen_.policies += wanted != Wanted::Value;
        std::string key;
        for (int back = line.ply(); back >= 0; --back) key += to_fen(line.ago(back)) + "/";
        ++seen_.asked[key];
        seen_.asked_in_vain += moves.empty();
        Opinion& opinion = opinions_.emplace_back(judge_(line, moves));
        if (apart_ && wanted == Wanted::Value) opinion.probabilities.clear();
        if (apart_ && wanted == Wanted::Policy) opinion.wdl.reset();
        seen_.largest = std::max(seen_.largest, opinions_.size());
    }
    base::Status collect(std::vector<Opinion>& opinions) override {
        opinions.swap(opinions_);
        opinions_.clear();
        return {};
    }

  private:
    Judge judge_;
    std::size_t capacity_;
    Seen& seen_;
    bool apart_;
    std::vector<Opinion> opinions_;
};

class MctsTest : public testing::Test {
  protected:
    static Line at(const char* fen) { return Line(*parse_fen(fen)); }
    static Judge lots() {
        return [](const Line& line, const MoveList& moves) { return by_lot(line.current(), moves); };
    }
    // One for one thread.
    std::vector<std::unique_ptr<evaluators::BatchEvaluator>> evaluator(Judge judge, std::size_t capacity = 1,
                                                                       bool apart = false) {
        std::vector<std::unique_ptr<evaluators::BatchEvaluator>> one;
        one.push_back(std::make_unique<TestBatch>(std::move(judge), capacity, seen_, apart));
        return one;
    }
    std::unique_ptr<Search> search(Judge judge, std::size_t capacity = 1, MctsOptions options = {},
                                   bool apart = false) {
        options.batch = MctsOptions::kMostBatch;
        return make_mcts(evaluator(std::move(judge), capacity, apart), options);
    }
    SearchResult run(Search& search, const Line& line, std::uint64_t nodes, std::vector<Move> only = {},
                     int multi_pv = 1) {
        Limits limits{{NodeLimit{nodes}}, std::move(only), {}};
        limits.multi_pv = multi_pv;
        return search.run(line, limits, {}, silent_);
    }
    // Visits by move, whole numbers.
    static std::map<std::uint16_t, int> visits_of(const SearchResult& result) {
        std::map<std::uint16_t, int> visits;
        for (const auto& [move, share] : result.root_distribution) {
            const double count = share * static_cast<double>(result.counters.nodes);
            EXPECT_NEAR(count, std::round(count), 1e-6);
            visits[move.bits()] = static_cast<int>(std::lround(count));
        }
        return visits;
    }

    TestBatch::Seen seen_;
    Observer silent_;
};

}  // namespace scholar::search::mcts_tests
