// The Monte-Carlo tree search against a slow one that is written otherwise, and against proven mates.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "chess/epd.hpp"
#include "chess/movegen.hpp"
#include "mcts_fixture.hpp"
#include "search/mate_solver.hpp"
#include "search/mcts/mcts.hpp"
#include "support/test_data.hpp"

namespace scholar::search {
namespace {

using namespace chess;
using namespace mcts_tests;

class MctsReference : public MctsTest {};

// The same search as its definition has it: recursive, over maps of lines of moves, everything worked out
// anew at each step.
class SlowSearch {
  public:
    SlowSearch(Line line, mcts::Exploration exploration)
        : line_(std::move(line)), root_(line_.ply()), exploration_(exploration) {
        simulate({});
    }
    void playout() { simulate({}); }
    int visits(Move move) { return visits_[{move.bits()}]; }
    bool is_solved() { return solved({}) != 0; }

  private:
    using Path = std::vector<std::uint16_t>;

    // 1, 0 or −1 for the side to move; nothing: the game goes on.
    std::optional<double> by_rule() {
        const Position& position = line_.current();
        if (legal_moves(position).empty()) return position.in_check() ? -1.0 : 0.0;
        if (position.has_insufficient_material() || position.halfmove_clock() >= 100) return 0.0;
        int before = 0;
        for (int back = 1; back <= line_.ply(); ++back) {
            if (line_.ago(back).key() != position.key()) continue;
            ++before;
            if (line_.ply() - back >= root_ || before == 2) return 0.0;
        }
        return std::nullopt;
    }
    // Worth to the side to move, as far as mates on the explored lines prove it; 0: unknown.
    int solved(const Path& path) {
        if (const auto known = known_.find(path); known != known_.end())
            return static_cast<int>(known->second);
        if (!priors_.contains(path)) return 0;
        bool lost = true;
        for (const auto& [prior, move] : priors_[path]) {
            Path next = path;
            next.push_back(move.bits());
            const int reply = solved(next);
            if (reply < 0) return 1;
            lost = lost && reply > 0;
        }
        return lost ? -1 : 0;
    }
    double simulate(const Path& path) {
        const auto known = path.empty() ? std::nullopt : by_rule();
        if (known) {
            known_[path] = *known;
            return count(path, *known);
        }
        if (!priors_.contains(path)) {
            const MoveList moves = legal_moves(line_.current());
            const Opinion opinion = by_lot(line_.current(), moves);
            left_[path] = static_cast<double>(*opinion.moves_left);
            double sum = 0;
            for (const float p : opinion.probabilities)
                sum += std::pow(p, 1 / exploration_.policy_temperature);
            for (int i = 0; i < moves.size(); ++i) {
                const double p = opinion.probabilities[static_cast<std::size_t>(i)];
                priors_[path].emplace_back(std::pow(p, 1 / exploration_.policy_temperature) / sum, moves[i]);
            }
            return count(path, 2 * opinion.wdl->expected() - 1);
        }
        double seen = 0;
        for (const auto& [prior, move] : priors_[path]) {
            Path next = path;
            next.push_back(move.bits());
            if (visits_[next] > 0) seen += prior;
        }
        const double n = visits_[path];
        const double c =
            exploration_.cpuct + exploration_.cpuct_factor * std::log(1 + n / exploration_.cpuct_base);
        double best = -100;
        Move choice;
        for (const auto& [prior, move] : priors_[path]) {
            Path next = path;
            next.push_back(move.bits());
            if (solved(next) != 0) continue;
            const double own = visits_[next];
            const double q = own > 0 ? -sums_[next] / own
                                     : exploration_.fpu_parent * sums_[path] / n -
                                           exploration_.fpu_reduction * std::sqrt(seen);
            const double worth = q + c * prior * std::sqrt(std::max(1.0, n - 1)) / (1 + own) +
                                 (own > 0 && left_.contains(next) ? for_length(path, next, q) : 0);
            if (worth > best) {
                best = worth;
                choice = move;
            }
        }
        Path next = path;
        next.push_back(choice.bits());
        line_.push(choice);
        const double value = -simulate(next);
        line_.pop();
        return count(path, value);
    }
    // Winning soon and losing late, as lc0 has it.
    double for_length(const Path& path, const Path& next, double q) {
        const double threshold = exploration_.moves_left_threshold;
        if (std::abs(sums_[path] / visits_[path]) <= threshold) return 0;
        const double most = exploration_.moves_left_most;
        const double longer = exploration_.moves_left_slope * (left_[next] - left_[path]);
        const double w = std::max(0.0, (std::abs(q) - threshold) / (1 - threshold));
        const double effect = std::min(most, std::max(-most, longer)) * (1.6521 * w - 0.6521 * w * w);
        return q > 0 ? -effect : effect;
    }
    double count(const Path& path, double value) {
        ++visits_[path];
        sums_[path] += value;
        return value;
    }

    Line line_;
    int root_;
    mcts::Exploration exploration_;
    std::map<Path, int> visits_;
    std::map<Path, double> sums_;  // for the side to move
    std::map<Path, double> known_;
    std::map<Path, double> left_;
    std::map<Path, std::vector<std::pair<double, Move>>> priors_;
};

TEST_F(MctsReference, VisitsWhatTheDefinitionVisits) {
    constexpr int kPlayouts = tests::kSanitized ? 60 : 250;
    for (const char* fen : {kMiddlegame, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                            "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 b - - 0 1", "8/8/8/4k3/8/8/4P3/4K3 w - - 93 1",
                            "7k/8/5K2/8/8/8/8/6R1 b - - 0 1", "k7/2Q5/8/8/8/8/8/K6R w - - 0 1"})
        for (const double temperature : {1.0, 1.359}) {
            mcts::Exploration exploration;
            exploration.policy_temperature = temperature;
            exploration.cpuct_base = 200;  // so that it counts
            if (temperature == 1.0) exploration.fpu_parent = 0.3;
            exploration.moves_left_threshold = 0.1;
            exploration.moves_left_slope = 0.02;
            exploration.moves_left_most = temperature - 1;
            MctsOptions options;
            options.exploration = exploration;
            SlowSearch slow(at(fen), exploration);
            int playouts = 0;
            while (playouts < kPlayouts && !slow.is_solved()) {
                slow.playout();
                ++playouts;
            }
            const auto result = run(*search(lots(), 1, options), at(fen), kPlayouts);
            EXPECT_EQ(result.counters.nodes, static_cast<std::uint64_t>(playouts)) << fen;
            EXPECT_EQ(result.score->is_mate(), slow.is_solved()) << fen;
            for (const auto& [move, visits] : visits_of(result))
                EXPECT_EQ(visits, slow.visits(Move::from_bits(move))) << fen << " " << move;
        }
}

// The mates of a published collection, whose distances were found by others. They are compositions, whose
// keys look like nothing: where all moves are as likely, those with the most moves are too wide for so few
// visits.
TEST_F(MctsReference, FindsMatesWithoutAPolicy) {
    std::ifstream file(tests::source_dir() / "suites/mates.epd");
    ASSERT_TRUE(file);
    MctsOptions options;
    options.megabytes = 64;
    const auto search =
        this->search([](const Line&, const MoveList& moves) { return even(0.5, moves); }, 1, options);
    std::map<int, int> asked;
    std::map<int, int> found;
    for (std::string text; std::getline(file, text);) {
        const auto epd = parse_epd(text);
        ASSERT_TRUE(epd) << text;
        const int moves = std::stoi(epd->find("dm")->front());
        if (moves > (tests::kSanitized ? 1 : 2)) continue;
        search->new_game();
        const auto result = run(*search, Line(epd->position), moves == 1 ? 200 : 60'000);
        ++asked[moves];
        if (!result.score->is_mate()) continue;
        ++found[moves];
        // What is claimed is proven, and no longer than it says.
        const int claimed = result.score->moves_to_mate();
        EXPECT_GE(claimed, moves) << text;
        EXPECT_TRUE(MateSolver().solve(epd->position, claimed, {result.best})) << text;
        EXPECT_TRUE(is_whole_mate(epd->position, result.principal_variation, *result.score)) << text;
        EXPECT_EQ(result.leaf_kind, LeafKind::Mate);
    }
    EXPECT_EQ(asked[1], 4);
    EXPECT_EQ(found[1], asked[1]);
    if (tests::kSanitized) return;
    EXPECT_EQ(asked[2], 17);
    EXPECT_GE(found[2], 15);
}

}  // namespace
}  // namespace scholar::search
