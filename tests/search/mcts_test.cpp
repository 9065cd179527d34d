// The Monte-Carlo tree search against a slow one that is written otherwise, against proven mates and draws,
// and its tree's books: visits, values, memory.

#include "search/mcts/mcts.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>

#include "base/random.hpp"
#include "chess/epd.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "nets/container/open_network.hpp"
#include "search/mate_solver.hpp"
#include "search/mcts/playouts.hpp"
#include "support/test_data.hpp"

namespace scholar::search {
namespace {

using namespace chess;
using evaluators::Opinion;

constexpr const char* kMiddlegame = "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1";

// From 0 to 1, by lot: always the same of the same.
double lot(std::uint64_t of) {
    return static_cast<double>(base::split_mix(of) >> 11) * 0x1.0p-53;
}

// Likely moves and expected results by lot.
Opinion by_lot(const Position& position, const MoveList& moves) {
    Opinion opinion;
    const double draw = lot(position.key() ^ 1) / 2;
    const double win = (1 - draw) * lot(position.key());
    opinion.wdl = Wdl{win, draw, 1 - draw - win};
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
Opinion even(double expected, const MoveList& moves) {
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
    };
    TestBatch(Judge judge, std::size_t capacity, Seen& seen)
        : judge_(std::move(judge)), capacity_(capacity), seen_(seen) {}

    nets::Abilities abilities() const override { return {nets::Ability::Wdl, nets::Ability::Policy}; }
    nets::Reads reads() const override { return {}; }
    std::size_t capacity() const override { return capacity_; }
    void submit(const Line& line, const MoveList& moves) override {
        std::string key;
        for (int back = line.ply(); back >= 0; --back) key += to_fen(line.ago(back)) + "/";
        ++seen_.asked[key];
        seen_.asked_in_vain += moves.empty();
        opinions_.push_back(judge_(line, moves));
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
    std::vector<Opinion> opinions_;
};

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
            const double q =
                own > 0 ? -sums_[next] / own : sums_[path] / n - exploration_.fpu_reduction * std::sqrt(seen);
            const double worth = q + c * prior * std::sqrt(std::max(1.0, n - 1)) / (1 + own);
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
    std::map<Path, std::vector<std::pair<double, Move>>> priors_;
};

class MctsTest : public testing::Test {
  protected:
    static Line at(const char* fen) { return Line(*parse_fen(fen)); }
    static Judge lots() {
        return [](const Line& line, const MoveList& moves) { return by_lot(line.current(), moves); };
    }
    std::unique_ptr<evaluators::BatchEvaluator> evaluator(Judge judge, std::size_t capacity = 1) {
        return std::make_unique<TestBatch>(std::move(judge), capacity, seen_);
    }
    std::unique_ptr<Search> search(Judge judge, std::size_t capacity = 1, MctsOptions options = {}) {
        options.batch = MctsOptions::kMostBatch;
        return make_mcts(evaluator(std::move(judge), capacity), options);
    }
    // The default network's value with all moves as likely.
    std::unique_ptr<Search> default_value(MctsOptions options = {}) {
        const auto network = *nets::open_network("");
        return search(
            [network](const Line& line, const MoveList& moves) {
                Opinion opinion = even(0.5, moves);
                opinion.value = network.evaluate(line.current());
                return opinion;
            },
            1, options);
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

TEST_F(MctsTest, VisitsWhatTheDefinitionVisits) {
    for (const char* fen : {kMiddlegame, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                            "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 b - - 0 1", "8/8/8/4k3/8/8/4P3/4K3 w - - 93 1",
                            "7k/8/5K2/8/8/8/8/6R1 b - - 0 1", "k7/2Q5/8/8/8/8/8/K6R w - - 0 1"})
        for (const double temperature : {1.0, 1.359}) {
            mcts::Exploration exploration;
            exploration.policy_temperature = temperature;
            exploration.cpuct_base = 200;  // so that it counts
            MctsOptions options;
            options.exploration = exploration;
            SlowSearch slow(at(fen), exploration);
            int playouts = 0;
            while (playouts < 250 && !slow.is_solved()) {
                slow.playout();
                ++playouts;
            }
            const auto result = run(*search(lots(), 1, options), at(fen), 250);
            EXPECT_EQ(result.counters.nodes, static_cast<std::uint64_t>(playouts)) << fen;
            EXPECT_EQ(result.score->is_mate(), slow.is_solved()) << fen;
            for (const auto& [move, visits] : visits_of(result))
                EXPECT_EQ(visits, slow.visits(Move::from_bits(move))) << fen << " " << move;
        }
}

// The mates of a published collection, whose distances were found by others. They are compositions, whose keys
// look like nothing: where all moves are as likely, those with the most moves are too wide for so few visits.
TEST_F(MctsTest, FindsMatesWithoutAPolicy) {
    std::ifstream file(std::filesystem::path(SCHOLAR_SOURCE_DIR) / "suites/mates.epd");
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
        if (moves > 2) continue;
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
    EXPECT_EQ(asked[2], 17);
    EXPECT_GE(found[2], 15);
}

// Over all of a tree: visits and values add up, nothing waits, priors are in order and sum to 1.
void expect_sound(const mcts::Tree& tree, mcts::NodeId id, int& nodes) {
    const mcts::Node& node = tree[id];
    ++nodes;
    EXPECT_EQ(node.in_flight, 0);
    EXPECT_NE(node.kind, mcts::NodeKind::Pending);
    std::uint32_t below = 0;
    double sum = 0;
    double draws = 0;
    double priors = 0;
    float last = 1;
    for (const mcts::Edge& edge : tree.edges(id)) {
        EXPECT_LE(edge.prior, last);
        last = edge.prior;
        priors += edge.prior;
        if (edge.child == mcts::kNoNode) continue;
        const mcts::Node& child = tree[edge.child];
        EXPECT_EQ(child.parent, id);
        EXPECT_EQ(&tree.edges(id)[child.edge_of_parent], &edge);
        below += child.visits;
        sum += child.value_sum;
        draws += child.draw_sum;
        expect_sound(tree, edge.child, nodes);
    }
    if (node.kind != mcts::NodeKind::Open) return;
    EXPECT_NEAR(priors, 1, 1e-5);
    EXPECT_EQ(node.visits, 1 + below);
    // What is left is its own evaluation, of which the other side's children have the opposite.
    EXPECT_LE(std::abs(node.value_sum + sum), 1 + 1e-9);
    EXPECT_LE(std::abs(node.draw_sum - draws), 1 + 1e-9);
}

TEST_F(MctsTest, BatchesLoseNoVisits) {
    for (const std::size_t capacity : {1U, 2U, 7U, 64U}) {
        seen_ = {};
        MctsOptions options;
        options.batch = MctsOptions::kMostBatch;
        mcts::Playouts playouts(evaluator(lots(), capacity), options);
        ASSERT_TRUE(playouts.begin(at(kMiddlegame)));
        while (playouts.count() < 1'500) ASSERT_TRUE(playouts.run(1'500 - playouts.count()));
        EXPECT_EQ(playouts.count(), 1'500U);
        const mcts::Tree& tree = playouts.tree();
        EXPECT_EQ(tree[tree.root()].visits, 1'501U);
        int nodes = 0;
        expect_sound(tree, tree.root(), nodes);
        EXPECT_LE(seen_.largest, capacity);
        EXPECT_GT(seen_.largest, capacity / 2);
        EXPECT_EQ(seen_.asked_in_vain, 0);
        EXPECT_LE(seen_.asked.size(), static_cast<std::size_t>(nodes));
        for (const auto& [line, times] : seen_.asked) EXPECT_EQ(times, 1) << line;
    }
}

TEST_F(MctsTest, TheRootsVisitsAreThoseAskedForAndTheSameAgain) {
    for (const std::size_t capacity : {1U, 32U}) {
        const auto one = search(lots(), capacity);
        const auto other = search(lots(), capacity);
        for (const std::uint64_t nodes : {1U, 2U, 5U, 100U, 1'000U, 5'000U}) {
            one->new_game();
            const auto first = run(*one, at(kMiddlegame), nodes);
            EXPECT_EQ(first.counters.nodes, nodes);
            std::uint64_t sum = 0;
            for (const auto& [move, visits] : visits_of(first)) sum += static_cast<std::uint64_t>(visits);
            EXPECT_EQ(sum, nodes);
            other->new_game();
            const auto again = run(*other, at(kMiddlegame), nodes);
            EXPECT_EQ(again.root_distribution, first.root_distribution);
            EXPECT_EQ(again.score, first.score);
            EXPECT_EQ(again.principal_variation, first.principal_variation);
            // The most visited, and of equals the better.
            for (const auto& [move, share] : first.root_distribution)
                EXPECT_LE(share, first.root_distribution.front().second);
            EXPECT_EQ(first.best, first.root_distribution.front().first);
            EXPECT_EQ(first.leaf_kind, LeafKind::CutShort);
        }
    }
}

TEST_F(MctsTest, ScoreAndChancesAreMeansOfTheBestMove) {
    mcts::Playouts playouts(evaluator(lots()), {});
    ASSERT_TRUE(playouts.begin(at(kMiddlegame)));
    while (playouts.count() < 300) ASSERT_TRUE(playouts.run(300 - playouts.count()));
    const auto result = run(*search(lots()), at(kMiddlegame), 300);
    const mcts::Tree& tree = playouts.tree();
    for (const mcts::Edge& edge : tree.edges(tree.root())) {
        if (edge.move != result.best) continue;
        const mcts::Node& child = tree[edge.child];
        EXPECT_EQ(result.score, Score::from_expected((1 + child.mean()) / 2));
        ASSERT_TRUE(result.wdl);
        EXPECT_NEAR(result.wdl->expected(), (1 + child.mean()) / 2, 1e-12);
        EXPECT_NEAR(result.wdl->draw, child.mean_draw(), 1e-12);
        EXPECT_NEAR(result.wdl->win + result.wdl->draw + result.wdl->loss, 1, 1e-12);
    }
    // Who is sure to be better wherever it is to move is much worse after its own.
    const auto optimist = search([](const Line&, const MoveList& moves) { return even(0.9, moves); });
    EXPECT_LT(run(*optimist, Line(), 1).score->value(), -300);
}

TEST_F(MctsTest, PlaysLegalMovesWherever) {
    const auto search = this->search(lots(), 16);
    base::Random random(11);
    for (int game = 0; game < 10; ++game) {
        Line line;
        search->new_game();
        while (line.terminal() == Terminal::None && line.ply() < 150) {
            const MoveList moves = legal_moves(line.current());
            const auto result = run(*search, line, random.below(60));
            ASSERT_TRUE(moves.contains(result.best));
            Line variation = line;
            for (const Move move : result.principal_variation) {
                ASSERT_TRUE(legal_moves(variation.current()).contains(move));
                variation.push(move);
            }
            EXPECT_EQ(result.leaf.key(), variation.current().key());
            line.push(random.below(2) == 0
                          ? result.best
                          : moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
        }
    }
}

TEST_F(MctsTest, DrawsByRuleAreDraws) {
    // Whoever is to move is said to be winning.
    const auto optimist = search([](const Line&, const MoveList& moves) { return even(0.95, moves); });
    const auto expect_draw = [&](const Line& line, std::vector<Move> only, int nodes) {
        optimist->new_game();
        const auto result = run(*optimist, line, static_cast<std::uint64_t>(nodes), std::move(only));
        EXPECT_EQ(result.score, Score::draw()) << to_fen(line.current());
        EXPECT_EQ(result.leaf_kind, LeafKind::Draw);
    };
    expect_draw(at("7k/8/8/6Q1/8/8/8/K7 w - - 0 1"), {Move(G5, G6)}, 10);   // stalemate
    expect_draw(at("7k/8/8/8/8/8/6p1/7K w - - 0 1"), {Move(H1, G2)}, 10);   // bare kings
    expect_draw(at("7k/8/8/8/8/8/R7/K7 w - - 99 80"), {Move(A2, B2)}, 10);  // fifty moves
    // Back to where it came from within the search: a draw at the first repetition, since both may repeat.
    Line line = at("7k/8/8/8/8/8/R7/K7 w - - 0 1");
    for (const Move move : {Move(A2, B2), Move(H8, G8), Move(B2, A2)}) line.push(move);
    const auto once = run(*optimist, line, 10, {Move(G8, H8)});
    EXPECT_NE(once.score, Score::draw());  // once before the root: not yet
    line.push(Move(G8, H8));
    for (const Move move : {Move(A2, B2), Move(H8, G8), Move(B2, A2)}) line.push(move);
    expect_draw(line, {Move(G8, H8)}, 10);  // the third time
}

// The two sides shuffle, since nothing else is better: the tree knows that for a draw.
TEST_F(MctsTest, ARepetitionWithinTheSearchIsADraw) {
    mcts::Playouts playouts(evaluator(lots()), {});
    ASSERT_TRUE(playouts.begin(at("7k/8/8/8/8/8/R7/K7 w - - 0 1")));
    while (playouts.count() < 3'000) ASSERT_TRUE(playouts.run(3'000 - playouts.count()));
    int repetitions = 0;
    const mcts::Tree& tree = playouts.tree();
    Line line = at("7k/8/8/8/8/8/R7/K7 w - - 0 1");
    const std::function<void(mcts::NodeId)> walk = [&](mcts::NodeId id) {
        bool before = false;
        for (int back = 1; back <= line.ply(); ++back)
            before = before || line.ago(back).key() == line.current().key();
        EXPECT_EQ(before, tree[id].kind == mcts::NodeKind::Repetition);
        repetitions += before;
        if (before) {
            EXPECT_EQ(tree[id].mean(), 0);
            EXPECT_EQ(tree[id].mean_draw(), 1);
        }
        for (const mcts::Edge& edge : tree.edges(id)) {
            if (edge.child == mcts::kNoNode) continue;
            line.push(edge.move);
            walk(edge.child);
            line.pop();
        }
    };
    walk(tree.root());
    EXPECT_GT(repetitions, 20);
}

// The part of the tree that the game went to is kept as it was, but for what repeats.
TEST_F(MctsTest, TheTreeGoesOnWithTheGame) {
    base::Random random(4);
    for (const char* fen : {kMiddlegame, "7k/8/8/8/8/8/R7/K7 w - - 0 1"}) {
        Line line = at(fen);
        mcts::Playouts playouts(evaluator(lots(), 4), {});
        for (int move = 0; move < 12; ++move) {
            ASSERT_TRUE(playouts.begin(line));
            const mcts::Tree& tree = playouts.tree();
            int nodes = 0;
            expect_sound(tree, tree.root(), nodes);
            EXPECT_EQ(tree.edges(tree.root()).size(),
                      static_cast<std::size_t>(legal_moves(line.current()).size()));
            const auto before = tree[tree.root()].visits;
            while (playouts.count() < 700) ASSERT_TRUE(playouts.run(700 - playouts.count()));
            EXPECT_EQ(tree[tree.root()].visits, before + 700);
            nodes = 0;
            expect_sound(tree, tree.root(), nodes);
            // One or two half-moves on, to the likeliest visited moves.
            mcts::NodeId id = tree.root();
            std::uint32_t kept = 0;
            for (std::uint64_t step = 0; step <= random.below(2); ++step) {
                const mcts::Edge* most = nullptr;
                for (const mcts::Edge& edge : tree.edges(id))
                    if (edge.child != mcts::kNoNode && tree[edge.child].kind == mcts::NodeKind::Open &&
                        (most == nullptr || tree[edge.child].visits > tree[most->child].visits))
                        most = &edge;
                ASSERT_NE(most, nullptr);
                line.push(most->move);
                id = most->child;
                kept = tree[id].visits;
            }
            ASSERT_TRUE(playouts.begin(line));
            EXPECT_GT(kept, 10U);
            EXPECT_LE(tree[tree.root()].visits, kept);
            EXPECT_GT(tree[tree.root()].visits, kept / 2);
        }
        // Another game, or the same position with another past: nothing is kept.
        ASSERT_TRUE(playouts.begin(Line(line.current())));
        EXPECT_EQ(playouts.tree()[playouts.tree().root()].visits, 1U);
    }
}

TEST_F(MctsTest, MemoryIsABound) {
    MctsOptions options;
    options.megabytes = 1;
    const auto search = this->search(lots(), 8, options);
    const auto full = run(*search, Line(), 1'000'000);
    EXPECT_TRUE(legal_moves(Position()).contains(full.best));
    EXPECT_LT(full.counters.nodes, 10'000U);
    EXPECT_GT(full.counters.nodes, 1'000U);
    EXPECT_GT(full.counters.table_permille, 990);
    // Played on, there is room again.
    Line line;
    line.push(full.best);
    line.push(full.ponder);
    const auto next = run(*search, line, 300);
    EXPECT_EQ(next.counters.nodes, 300U);
    EXPECT_LT(next.counters.table_permille, 900);
}

TEST_F(MctsTest, OnlyTheMovesThatAreAskedFor) {
    const auto search = this->search(lots(), 4);
    run(*search, Line(), 500);
    const auto result = run(*search, Line(), 200, {Move(A2, A3), Move(H2, H4)});
    EXPECT_TRUE(result.best == Move(A2, A3) || result.best == Move(H2, H4));
    EXPECT_EQ(result.root_distribution.size(), 2U);
    EXPECT_EQ(result.counters.nodes, 200U);
    EXPECT_EQ(run(*search, Line(), 5, {Move(A2, A3)}).best, Move(A2, A3));
    // A mate is not found where it may not be played, and the search ends where all that may is lost.
    const Line mate = at("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1");
    EXPECT_EQ(run(*search, mate, 500).score, Score::mate_in(1));
    EXPECT_FALSE(run(*search, mate, 100, {Move(G1, F1)}).score->is_mate());
}

TEST_F(MctsTest, SeveralLines) {
    const auto search = this->search(lots());
    const auto result = run(*search, at(kMiddlegame), 2'000, {}, 4);
    ASSERT_EQ(result.lines.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(result.lines[i].variation.front(), result.root_distribution[i].first);
        EXPECT_TRUE(result.lines[i].score);
    }
    search->new_game();
    EXPECT_EQ(run(*search, at("7k/8/6Q1/8/8/8/8/K7 w - - 0 1"), 300, {}, 300).lines.size(),
              static_cast<std::size_t>(legal_moves(*parse_fen("7k/8/6Q1/8/8/8/8/K7 w - - 0 1")).size()));
}

TEST_F(MctsTest, WhereTheGameIsOver) {
    const auto search = this->search(lots());
    const auto stalemate = run(*search, at("7k/8/6Q1/8/8/8/8/K7 b - - 0 1"), 10);
    EXPECT_FALSE(stalemate.best);
    EXPECT_EQ(stalemate.leaf_kind, LeafKind::Draw);
    EXPECT_EQ(run(*search, at("R5k1/8/6K1/8/8/8/8/8 b - - 0 1"), 10).score, Score::mated_in(0));
    // A draw that nobody has claimed is played on.
    EXPECT_TRUE(run(*search, at("7k/8/8/8/8/8/R7/K7 w - - 120 90"), 10).best);
    EXPECT_TRUE(seen_.asked_in_vain == 0);
    // All moves lose.
    const auto lost = run(*search, at("7k/8/6K1/8/8/8/8/R7 b - - 0 1"), 1'000);
    EXPECT_EQ(lost.score, Score::mated_in(2));
    EXPECT_LT(lost.counters.nodes, 1'000U);
}

TEST_F(MctsTest, StopsWhenItIsTold) {
    std::stop_source stop;
    stop.request_stop();
    const auto search = this->search(lots(), 4);
    const auto result = search->run(Line(), {{InfiniteLimit{}}, {}, {}}, stop.get_token(), silent_);
    EXPECT_TRUE(legal_moves(Position()).contains(result.best));
    // From within: the observer stops it at the sixth iteration.
    struct Stopper : Observer {
        std::stop_source source;
        int last = 0;
        void on_iteration(const Iteration& iteration) override {
            last = iteration.depth;
            if (iteration.depth >= 6) source.request_stop();
        }
    } stopper;
    search->new_game();
    const auto stopped =
        search->run(Line(), {{InfiniteLimit{}}, {}, {}}, stopper.source.get_token(), stopper);
    EXPECT_EQ(stopper.last, stopped.counters.depth);
    EXPECT_LT(stopped.counters.nodes, 256U);
}

// Time in nodes, so that nothing is measured.
TEST_F(MctsTest, KeepsItsLimits) {
    const auto search = this->search(lots(), 4);
    const auto nodes = [&](std::vector<Limit> given) {
        Limits limits{std::move(given), {}, Milliseconds(0)};
        limits.nodes_per_second = 1'000;
        search->new_game();
        return search->run(at(kMiddlegame), limits, {}, silent_).counters.nodes;
    };
    EXPECT_NEAR(static_cast<double>(nodes({MoveTimeLimit{Milliseconds(700)}})), 700, 4);
    EXPECT_EQ(nodes({DepthLimit{7}}), 128U);
    EXPECT_EQ(nodes({DepthLimit{7}, NodeLimit{50}}), 50U);
    const auto clock = nodes({ClockLimit{Milliseconds(60'000), Milliseconds(0), std::nullopt}});
    EXPECT_LT(clock, 10'000U);
    EXPECT_GT(clock, 100U);
    std::stop_source hit;
    EXPECT_EQ(nodes({PonderLimit{hit.get_token()}, MoveTimeLimit{Milliseconds(10)}, NodeLimit{900}}), 900U);
    hit.request_stop();
    EXPECT_LT(nodes({PonderLimit{hit.get_token()}, MoveTimeLimit{Milliseconds(10)}, NodeLimit{900}}), 20U);
    // On the clock nobody thinks about the only move.
    Limits limits{{ClockLimit{Milliseconds(60'000), Milliseconds(0), std::nullopt}}, {}, Milliseconds(0)};
    limits.nodes_per_second = 1'000;
    EXPECT_LT(search->run(at("7k/8/8/8/8/5p2/1r6/K7 w - - 0 1"), limits, {}, silent_).counters.nodes, 10U);
}

TEST_F(MctsTest, LooksForAMateInSoManyMoves) {
    const auto search = this->search(lots());
    const Line line = at("7k/8/5K2/8/8/8/8/6R1 w - - 0 1");
    const auto found = search->run(line, {{MateLimit{2}}, {}, {}}, {}, silent_);
    EXPECT_EQ(found.score, Score::mate_in(3));
    const auto none = search->run(Line(), {{MateLimit{1}}, {}, {}}, {}, silent_);
    EXPECT_TRUE(none.best);
    EXPECT_FALSE(none.score->is_mate());
}

TEST_F(MctsTest, SaysWhatIsWrongWithAnOpinionAndPlaysAllTheSame) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    using Spoil = std::function<void(Opinion&)>;
    for (const auto& [spoil, part] : std::vector<std::pair<Spoil, std::string>>{
             {[](Opinion& o) { o.probabilities[0] = kNan; }, "is nan, expected one from 0 to 1"},
             {[](Opinion& o) { o.probabilities[0] = -0.5F; }, "is -0.5, expected"},
             {[](Opinion& o) { o.probabilities.pop_back(); }, "probabilities of moves, expected"},
             {[](Opinion& o) { std::ranges::fill(o.probabilities, 0.0F); }, "of all moves are 0"},
             {[](Opinion& o) { o.wdl.reset(); }, "the expected result is missing"},
             {[](Opinion& o) { o.wdl = Wdl{kNan, 0, 0}; }, "the expected result is nan"}})
        for (const int good : {0, 1, 40}) {
            int asked = 0;
            const auto search = this->search(
                [&](const Line& line, const MoveList& moves) {
                    Opinion opinion = by_lot(line.current(), moves);
                    if (asked++ >= good) spoil(opinion);
                    return opinion;
                },
                8);
            const auto result = run(*search, at(kMiddlegame), 300);
            EXPECT_NE(result.trouble.find(part), std::string::npos) << result.trouble;
            EXPECT_EQ(result.trouble.find('\n'), std::string::npos);
            EXPECT_TRUE(parse_fen(result.trouble.substr(0, result.trouble.find(':')))) << result.trouble;
            EXPECT_TRUE(legal_moves(*parse_fen(kMiddlegame)).contains(result.best));
            EXPECT_EQ(result.score.has_value(), good > 0);
            // Put right, it plays on.
            asked = -1'000;
            EXPECT_EQ(run(*search, at(kMiddlegame), 300).trouble, "");
        }
    // A single move without a chance is nothing wrong.
    const auto search = this->search([](const Line& line, const MoveList& moves) {
        Opinion opinion = by_lot(line.current(), moves);
        opinion.probabilities[0] = 0;
        return opinion;
    });
    EXPECT_EQ(run(*search, at(kMiddlegame), 300).trouble, "");
}

// An evaluation that fails, with batches in between.
TEST_F(MctsTest, AnEvaluationThatFailsEndsTheSearch) {
    const std::string file = testing::TempDir() + "mcts_test_opinions.jsonl";
    std::filesystem::remove(file);
    const auto policy = *nets::open_network("<random:1>");
    {
        const auto recorded = *nets::open_network("<record:" + file + ",<embedded>>");
        const auto result = run(*make_mcts(recorded, policy).value(), at(kMiddlegame), 50);
        EXPECT_EQ(result.trouble, "");
        // What was recorded is enough for the same search, and for no longer one.
        const auto replayed = *nets::open_network("<replay:" + file + ">");
        const auto again = make_mcts(replayed, policy).value();
        const auto same = run(*again, at(kMiddlegame), 50);
        EXPECT_EQ(same.trouble, "");
        EXPECT_EQ(same.root_distribution, result.root_distribution);
        EXPECT_EQ(same.score, result.score);
        const auto more = run(*again, at(kMiddlegame), 50);
        EXPECT_NE(more.trouble.find("not among the recorded opinions"), std::string::npos);
        EXPECT_TRUE(legal_moves(*parse_fen(kMiddlegame)).contains(more.best));
    }
    std::filesystem::remove(file);
}

TEST_F(MctsTest, RefusesNetworksWithoutValueOrPolicy) {
    const auto value = *nets::open_network("");
    const auto policy = *nets::open_network("<random:1>");
    EXPECT_TRUE(make_mcts(value, policy));
    const auto refusal = [](const auto& made) { return made ? std::string() : made.error().message; };
    EXPECT_NE(refusal(make_mcts(policy, policy)).find("expected a value"), std::string::npos);
    EXPECT_NE(refusal(make_mcts(value, value)).find("expected probabilities of moves"), std::string::npos);
}

// Knows nothing of chess: what it finds it has from the tables that ship.
TEST_F(MctsTest, AsksEndgameTables) {
    auto tables = tablebases::Tablebases::open(tests::test_data("syzygy").string());
    ASSERT_TRUE(tables) << tables.error().message;
    MctsOptions options;
    options.tablebases.tables = std::move(*tables);
    const auto search = this->search(lots(), 4, options);
    // The root is in the tables.
    const auto won = run(*search, at("8/8/8/4k3/8/8/8/R3K3 w - - 0 1"), 200);
    EXPECT_TRUE(won.score->is_win());
    EXPECT_GT(won.counters.tablebase_hits, 0U);
    const auto drawn = run(*search, at("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1"), 200);
    EXPECT_EQ(drawn.score, Score::draw());
    EXPECT_EQ(drawn.leaf_kind, LeafKind::Tablebase);
    // It is not, but what captures lead to is: taking the rook wins.
    const auto takes = run(*search, at("8/8/8/3k4/8/8/r7/R3K3 w - - 0 1"), 400);
    EXPECT_EQ(takes.best, Move(A1, A2));
    EXPECT_TRUE(takes.score->is_win());
    EXPECT_GT(takes.counters.tablebase_hits, 0U);
}

}  // namespace
}  // namespace scholar::search
