#include "search/alpha_beta/bracket.hpp"

#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <vector>

#include "base/random.hpp"

namespace scholar::search {
namespace {

using chess::Score;

// A tree of scores, each from the view of whoever is to move there.
struct Tree {
    Score value;  // of a leaf
    std::vector<Tree> children;
};

Tree random_tree(base::Random& random, int depth, int range) {
    Tree tree;
    const auto spread = static_cast<std::uint64_t>(2 * range + 1);
    tree.value = Score(static_cast<int>(random.below(spread)) - range);
    if (depth == 0) return tree;
    // Now and then a mate at the end of a line.
    if (random.below(20) == 0) {
        tree.value = Score::mated_in(static_cast<int>(random.below(6)));
        return tree;
    }
    for (std::uint64_t i = 0, size = 1 + random.below(4); i < size; ++i)
        tree.children.push_back(random_tree(random, depth - 1, range));
    return tree;
}

Score minimax(const Tree& tree) {
    if (tree.children.empty()) return tree.value;
    Score best = -Score::infinite();
    for (const Tree& child : tree.children) best = std::max(best, -minimax(child));
    return best;
}

// Fail-soft alpha-beta with memory, as the paper has it.
class Memory {
  public:
    Score search(const Tree& tree, Score alpha, Score beta) {
        if (tree.children.empty()) return tree.value;
        auto& [lower, upper] =
            bounds_.try_emplace(&tree, -Score::infinite(), Score::infinite()).first->second;
        if (lower >= beta) return lower;
        if (upper <= alpha) return upper;
        Score best = -Score::infinite();
        for (const Tree& child : tree.children) {
            best = std::max(best, -search(child, -beta, -std::max(alpha, best)));
            if (best >= beta) break;
        }
        if (best >= beta) lower = best;
        if (best <= alpha) upper = best;
        return best;
    }

  private:
    std::map<const Tree*, std::pair<Score, Score>> bounds_;
};

TEST(Bracket, ClosesInOnTheMinimaxValueOfRandomTrees) {
    base::Random random(1);
    for (int i = 0; i < 2000; ++i) {
        const int range = 1 << random.below(14);
        const Tree tree = random_tree(random, 1 + static_cast<int>(random.below(6)), range);
        const Score truth = minimax(tree);
        const auto within = static_cast<std::uint64_t>(4 * range + 1);
        const int guess = static_cast<int>(random.below(within)) - 2 * range;
        for (const int convergence : {0, 1, 19, 200})
            for (const int stride : {0, 8}) {
                Memory memory;
                Bracket bracket(random.below(10) == 0 ? Score::mate_in(3) : Score(guess), convergence,
                                stride);
                int tests = 0;
                while (!bracket.converged()) {
                    ASSERT_GT(bracket.test(), bracket.lower());
                    ASSERT_LE(bracket.test(), bracket.upper());
                    bracket.take(memory.search(tree, bracket.test() - 1, bracket.test()));
                    ASSERT_LE(bracket.lower(), truth);
                    ASSERT_GE(bracket.upper(), truth);
                    ++tests;
                }
                const bool exact = convergence == 0 || truth.is_decisive();
                EXPECT_LE(truth.value() - bracket.lower().value(), exact ? 0 : convergence);
                EXPECT_GT(bracket.lower(), -Score::infinite());  // proved by a test
                if (stride > 0) {
                    EXPECT_LE(tests, 60);
                }
            }
    }
}

// A guess that is right takes two tests, one beside it on either side.
TEST(Bracket, TakesTwoTestsWhereTheGuessIsRight) {
    for (const int convergence : {0, 1, 2, 19, 100})
        for (const int truth : {-400, 0, 17}) {
            Bracket bracket(Score(truth), convergence, 8);
            int tests = 0;
            for (; !bracket.converged(); ++tests) bracket.take(Score(truth));
            EXPECT_EQ(tests, 2) << convergence;
        }
}

// Searches contradict themselves: what one test proved the next may deny. It ends all the same.
TEST(Bracket, EndsWhateverTheTestsReturn) {
    base::Random random(2);
    for (int i = 0; i < 5000; ++i) {
        Bracket bracket(Score(static_cast<int>(random.below(64'001)) - 32'000),
                        static_cast<int>(random.below(50)), static_cast<int>(random.below(20)));
        Score lower = bracket.lower();
        Score upper = bracket.upper();
        while (!bracket.converged()) {
            const Score test = bracket.test();
            ASSERT_GT(test, lower);
            ASSERT_LE(test, upper);
            const bool high = random.below(2) == 0;
            // Never beyond what a search can return.
            const int off = static_cast<int>(random.below(30));
            bracket.take(high ? std::min(test + off, Score::infinite())
                              : std::max(test - 1 - off, -Score::infinite()));
            ASSERT_GE(bracket.lower(), lower);
            ASSERT_LE(bracket.upper(), upper);
            ASSERT_TRUE(bracket.lower() > lower || bracket.upper() < upper);
            lower = bracket.lower();
            upper = bracket.upper();
        }
    }
}

TEST(Bracket, ExpectsTheOtherAnswerAfterATestThatCameOutLow) {
    Bracket bracket(Score(50), 0, 8);
    EXPECT_FALSE(bracket.expects_high());
    bracket.take(Score(30));
    EXPECT_TRUE(bracket.expects_high());
    EXPECT_EQ(bracket.test(), Score(30));
    bracket.take(Score(30));
    EXPECT_FALSE(bracket.expects_high());
    EXPECT_TRUE(bracket.converged());
}

}  // namespace
}  // namespace scholar::search
