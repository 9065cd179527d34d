#include <gtest/gtest.h>

#include "base/files.hpp"
#include "chess/polyglot_key.hpp"
#include "games/learnt_book.hpp"
#include "learnt_book_fixture.hpp"
#include "support/test_data.hpp"

// A learnt book in use, in a world where the truth is known: real moves, results by lot.

namespace scholar::games {
namespace {

using tests::TemporaryFolder;

constexpr int kPlies = 50;  // of a game; then its result is drawn

// A player whose search always likes the same move of a position best, of those it is allowed. Whether a line
// is lost it sees only some half-moves after it is.
class World {
  public:
    // White, whose moves are ours, loses whatever passes the `hole`th half-move of `line`, which is one of
    // White's.
    World(std::uint64_t seed, std::size_t hole, bool scores) : random_(seed), scores_(scores), hole_(hole) {
        chess::Position position;
        for (int ply = 0; ply < kPlies; ++ply) {
            line_.push_back(ply % 2 == 0 ? favourite(position, {}) : any_move(position));
            position.make(line_.back());
            if (static_cast<std::size_t>(ply) == hole) lost_ = chess::polyglot_key(position);
        }
    }

    const std::vector<chess::Move>& line() const { return line_; }

    // What our search would play.
    static chess::Move favourite(const chess::Position& position, const std::vector<chess::Move>& avoid) {
        chess::Move best;
        std::uint64_t highest = 0;
        for (const chess::Move move : chess::legal_moves(position)) {
            if (std::ranges::find(avoid, move) != avoid.end()) continue;
            std::uint64_t state = chess::polyglot_key(position.after(move));
            const std::uint64_t rank = base::split_mix(state);
            if (best && rank < highest) continue;
            best = move;
            highest = rank;
        }
        return best;
    }

    chess::Move any_move(const chess::Position& position) {
        const chess::MoveList moves = chess::legal_moves(position);
        return moves[static_cast<int>(random_.below(static_cast<std::uint64_t>(moves.size())))];
    }

    // Plays one game, with the book if there is one, and tells the book of it; the opponent keeps to the line
    // as long as we do, if it `repeats`, and plays by lot otherwise. Whether we lost through the hole.
    bool play(LearntBook* book, const std::string& opponent, bool repeats) {
        BookGame game;
        game.opponent = opponent;
        game.color = chess::White;
        std::optional<BookBeliefs> beliefs;
        if (book != nullptr)
            beliefs.emplace(book->graph(), BeliefOptions{},
                            book_opponent(book->graph(), opponent, chess::White));
        chess::Position position;
        std::optional<std::size_t> lost_at;
        bool in_line = repeats;
        for (std::size_t ply = 0; ply < kPlies; ++ply) {
            if (chess::legal_moves(position).empty()) break;
            JudgedMove judged;
            if (ply % 2 == 0) {
                const BookAdvice advice = beliefs ? beliefs->advise(position, random_) : BookAdvice{};
                judged.move = advice.play ? *advice.play : favourite(position, advice.avoid);
                if (!advice.play && scores_) judged.opinion = search(ply, lost_at);
            } else {
                judged.move = in_line ? line_[ply] : any_move(position);
            }
            in_line = in_line && judged.move == line_[ply];
            game.moves.push_back(judged);
            position.make(judged.move);
            if (!lost_at && chess::polyglot_key(position) == lost_) lost_at = ply;
        }
        const auto lot = random_.below(10);
        game.result = lost_at   ? GameResult::BlackWins
                      : lot < 4 ? GameResult::WhiteWins
                      : lot < 6 ? GameResult::Draw
                                : GameResult::BlackWins;
        if (book != nullptr) {
            EXPECT_TRUE(book->add(game));
        }
        return lost_at.has_value();
    }

  private:
    BookOpinion search(std::size_t ply, std::optional<std::size_t> lost_at) {
        constexpr std::size_t kSight = 5;
        const int noise = static_cast<int>(random_.below(41)) - 20;
        return tests::opinion(noise + (lost_at && ply >= *lost_at + kSight ? -500 : 0));
    }

    base::Random random_;
    bool scores_;
    std::size_t hole_;
    std::vector<chess::Move> line_;
    std::uint64_t lost_ = 0;
};

std::unique_ptr<LearntBook> open_played(const std::filesystem::path& path) {
    auto book = LearntBook::open(path, BookAccess::Write, Flush::AtEnd);
    EXPECT_TRUE(book);
    return std::move(*book);
}

struct PlayCase {
    std::size_t hole;
    bool scores;
    bool named;
    int most;  // games lost through the hole, of a hundred
};

class Repeater : public testing::TestWithParam<PlayCase> {};

TEST_P(Repeater, WinsItsLineOnlyAFewTimes) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const TemporaryFolder folder;
        World world(seed, GetParam().hole, GetParam().scores);
        // Without a book it wins them all.
        for (int i = 0; i < 10; ++i) ASSERT_TRUE(world.play(nullptr, "", true));
        const auto book = open_played(folder / "a.book");
        int lost = 0;
        int last = 0;
        for (int i = 0; i < 100; ++i)
            if (world.play(book.get(), GetParam().named ? "Repeater" : "", true)) {
                ++lost;
                last = i;
            }
        RecordProperty("lost_" + std::to_string(seed), lost);
        EXPECT_LE(lost, GetParam().most) << "seed " << seed << ", the last in game " << last + 1;
        EXPECT_GE(lost, 1);
    }
}

INSTANTIATE_TEST_SUITE_P(Lines, Repeater,
                         testing::Values(PlayCase{4, true, true, 8}, PlayCase{16, true, true, 5},
                                         PlayCase{16, true, false, 5}, PlayCase{30, true, false, 5},
                                         // Results alone say less of where the hole is.
                                         PlayCase{16, false, true, 15}, PlayCase{16, false, false, 15}));

// Others play between its games, and the line is good against them.
TEST(LearntBookPlay, TheRepeaterDoesNotSpoilTheBookForOthers) {
    const TemporaryFolder folder;
    World world(3, 16, true);
    const auto book = open_played(folder / "a.book");
    int lost = 0;
    for (int i = 0; i < 100; ++i) {
        lost += world.play(book.get(), "Repeater", true);
        for (int other = 0; other < 2; ++other)
            world.play(book.get(), "Opponent " + std::to_string(i % 20), false);
    }
    EXPECT_LE(lost, 6);
    EXPECT_GE(lost, 1);
    // The first move of the line is as good as ever.
    const BookBeliefs beliefs(book->graph(), {}, std::nullopt);
    const auto belief = beliefs.find({});
    const auto first = std::ranges::find(belief->moves, world.line().front(), &MoveBelief::move);
    ASSERT_NE(first, belief->moves.end());
    EXPECT_TRUE(beliefs.is_playable(*belief, *first));
    EXPECT_NEAR(first->value, 0.5, 0.1);
}

TEST(LearntBookPlay, IsTheSameAgainFromTheSameSeed) {
    const TemporaryFolder folder;
    std::vector<std::string> journals;
    for (const std::uint64_t seed : {7U, 7U, 8U}) {
        const auto path = folder / std::to_string(journals.size());
        World world(seed, 10, true);
        const auto book = open_played(path);
        for (int i = 0; i < 40; ++i) world.play(book.get(), "Opponent " + std::to_string(i % 7), i % 3 == 0);
        ASSERT_TRUE(book->flush());
        journals.push_back(base::read_text(path).value());
    }
    EXPECT_EQ(journals[0], journals[1]);
    EXPECT_NE(journals[0], journals[2]);
}

}  // namespace
}  // namespace scholar::games
