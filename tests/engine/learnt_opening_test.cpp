#include "engine/learnt_opening.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "chess/movegen.hpp"
#include "chess/polyglot_key.hpp"
#include "chess/uci_move.hpp"
#include "engine/engine.hpp"
#include "engine/strength.hpp"
#include "support/fake_search.hpp"
#include "support/test_data.hpp"

// The engine with a learnt book: what it plays, what it keeps from the search, what it learns.

namespace scholar::engine {
namespace {

using games::GameResult;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class LearntOpeningTest : public testing::Test {
  protected:
    LearntOpeningTest() : engine_(std::move(*Engine::create(tests::fake_players(log_)))) {
        log_.counters.nodes = 1'000;
        log_.counters.depth = 7;
        set("LearntBook", path());
        set("LearntBookExploration", "0");
        set("OwnBook", "true");
        set("Seed", "1");
    }

    std::string path() const { return (folder_ / "a.book").string(); }
    std::string journal() const { return base::read_text(path()).value(); }
    void set(std::string_view name, std::string_view value) {
        const auto status = engine_->set_option(name, value);
        EXPECT_TRUE(status) << (status ? "" : status.error().message);
    }
    static chess::Move move(const chess::Line& line, std::string_view text) {
        return chess::parse_uci_move(line.current(), text).value();
    }
    // The engine's move with White, and the opponent's. Whether a search was asked.
    bool play(chess::Line& line, std::string_view reply) {
        const std::size_t before = log_.limits.size();
        engine_->set_line(line);
        line.push(engine_->search({{search::DepthLimit{1}}, {}, {}}, silent_).best);
        line.push(move(line, reply));
        return log_.limits.size() > before;
    }
    // Two moves of each side; ends as told.
    chess::Line play_game(GameResult result, int* searches = nullptr) {
        engine_->new_game();
        chess::Line line;
        for (const char* reply : {"e7e5", "b8c6"}) {
            const bool searched = play(line, reply);
            if (searches != nullptr) *searches += searched;
        }
        const auto status = engine_->end_game(line, result);
        EXPECT_TRUE(status) << (status ? "" : status.error().message);
        return line;
    }

    tests::FakeSearchLog log_;
    tests::TemporaryFolder folder_;
    std::unique_ptr<Engine> engine_;
    search::Observer silent_;
};

TEST_F(LearntOpeningTest, PlaysAgainWhatWentWell) {
    log_.score = chess::Score(30);
    int searches = 0;
    set("UCI_Opponent", "GM 2800 human Ann Other");
    const chess::Line first = play_game(GameResult::WhiteWins, &searches);
    EXPECT_EQ(searches, 2);
    EXPECT_THAT(journal(), HasSubstr("game 1 white 1-0 startpos "));
    EXPECT_THAT(journal(), HasSubstr(":30:7:1000,e7e5,"));
    EXPECT_THAT(journal(), HasSubstr(",b8c6 Ann Other\n"));
    log_.prefers = chess::Move(chess::H2, chess::H4);  // what a search would play now
    const chess::Line second = play_game(GameResult::Draw, &searches);
    EXPECT_EQ(searches, 2);
    EXPECT_EQ(second.current(), first.current());
    const auto belief = engine_->learnt_belief({});
    ASSERT_TRUE(belief);
    ASSERT_EQ(belief->moves.size(), 1U);
    EXPECT_EQ(belief->moves.front().learnt->ours, 2U);
    EXPECT_EQ(belief->moves.front().learnt->opinion->score, chess::Score(30));
}

TEST_F(LearntOpeningTest, LeavesALostLineAndKeepsTheSearchFromIt) {
    const chess::Line lost = play_game(GameResult::BlackWins);
    // The last of its moves is to blame: nothing says that it was an earlier one.
    chess::Line line;
    engine_->new_game();
    EXPECT_FALSE(play(line, "e7e5"));
    EXPECT_TRUE(play(line, "b8c6"));
    const auto& allowed = log_.limits.back().root_moves;
    EXPECT_EQ(allowed.size(), static_cast<std::size_t>(chess::count_legal_moves(line.ago(2))) - 1);
    EXPECT_NE(line.current(), lost.current());
    // Not in analysis, nor where it is told what to search, nor without leave.
    engine_->set_line(line);
    chess::Line before = line;
    before.pop();
    before.pop();
    engine_->set_line(before);
    const auto root_moves = [&](std::vector<search::Limit> limits, std::vector<chess::Move> only = {}) {
        engine_->search({std::move(limits), std::move(only), {}}, silent_);
        return log_.limits.back().root_moves.size();
    };
    EXPECT_EQ(root_moves({search::DepthLimit{1}}), allowed.size());
    EXPECT_EQ(root_moves({search::MateLimit{1}}), 0U);
    EXPECT_EQ(root_moves({search::DepthLimit{1}}, {move(before, "h2h3")}), 1U);
    set("UCI_AnalyseMode", "true");
    EXPECT_EQ(root_moves({search::DepthLimit{1}}), 0U);
    set("UCI_AnalyseMode", "false");
    set("OwnBook", "false");
    EXPECT_EQ(root_moves({search::DepthLimit{1}}), 0U);
}

TEST_F(LearntOpeningTest, PonderingIsNotAnsweredButKeptFromBadMovesToo) {
    play_game(GameResult::BlackWins);
    chess::Line line;
    play(line, "e7e5");
    engine_->set_line(line);
    const std::size_t before = log_.limits.size();
    engine_->go({{search::PonderLimit{}, search::DepthLimit{9}}, {}, {}}, silent_, [](const auto&) {});
    engine_->finish();
    ASSERT_EQ(log_.limits.size(), before + 1);
    EXPECT_FALSE(log_.limits.back().root_moves.empty());
    engine_->set_line(chess::Line());
    engine_->go({{search::PonderLimit{}, search::DepthLimit{9}}, {}, {}}, silent_, [](const auto&) {});
    engine_->finish();
    EXPECT_EQ(log_.limits.size(), before + 2);
    EXPECT_TRUE(log_.limits.back().root_moves.empty());
}

TEST_F(LearntOpeningTest, ThePolyglotBookComesAfterIt) {
    const chess::Line lost = play_game(GameResult::BlackWins);
    const chess::Position& second = lost.ago(2);
    chess::Move bad;
    for (const chess::Move candidate : chess::legal_moves(second))
        if (second.after(candidate) == lost.ago(1)) bad = candidate;
    const chess::Move other = chess::Move(chess::H2, chess::H4);
    ASSERT_TRUE(bad && bad != other);
    const auto polyglot = [&](chess::Move move) {
        const auto file = folder_ / "p.bin";
        EXPECT_TRUE(
            games::write_book(file, {{chess::polyglot_key(second), games::to_book_move(move), 1, 0}}));
        set("BookFile", file.string());
        chess::Line line;
        play(line, "e7e5");
        engine_->set_line(line);
        const std::size_t before = log_.limits.size();
        const auto best = engine_->search({{search::DepthLimit{1}}, {}, {}}, silent_).best;
        return std::pair(best, log_.limits.size() > before);
    };
    EXPECT_EQ(polyglot(other), std::pair(other, false));
    EXPECT_TRUE(polyglot(bad).second);
    EXPECT_NE(polyglot(bad).first, bad);
}

TEST_F(LearntOpeningTest, LearnsOnlyFromGamesOfItsOwnWithAResult) {
    const std::string before = journal();
    play_game(GameResult::Unknown);
    EXPECT_EQ(journal(), before);
    // Both sides.
    engine_->new_game();
    chess::Line line;
    for (int ply = 0; ply < 4; ++ply) {
        engine_->set_line(line);
        line.push(engine_->search({{search::DepthLimit{1}}, {}, {}}, silent_).best);
    }
    EXPECT_TRUE(engine_->end_game(line, GameResult::WhiteWins));
    EXPECT_EQ(journal(), before);
    // A game that it did not play, and one told twice.
    engine_->new_game();
    EXPECT_TRUE(engine_->end_game(line, GameResult::WhiteWins));
    EXPECT_EQ(journal(), before);
    const chess::Line played = play_game(GameResult::WhiteWins);
    const std::string once = journal();
    EXPECT_NE(once, before);
    EXPECT_TRUE(engine_->end_game(played, GameResult::WhiteWins));
    EXPECT_EQ(journal(), once);
    // Of a weakened player nothing is learnt.
    if (engine_->set_option("UCI_LimitStrength", "true")) {
        set("UCI_Elo", std::to_string(weakest_elo()));
        set("OwnBook", "false");
        play_game(GameResult::BlackWins);
        EXPECT_EQ(journal(), once);
    }
}

TEST_F(LearntOpeningTest, ReadOnlyItStaysAsItIs) {
    play_game(GameResult::WhiteWins);
    const std::string before = journal();
    set("LearntBookReadOnly", "true");
    int searches = 0;
    play_game(GameResult::BlackWins, &searches);
    EXPECT_EQ(searches, 0);
    EXPECT_EQ(journal(), before);
    // Two may read it, one may write it.
    const auto other = std::move(*Engine::create(tests::fake_players(log_)));
    ASSERT_TRUE(other->set_option("LearntBook", path()));
    const auto status = engine_->set_option("LearntBookReadOnly", "false");
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message, HasSubstr("option LearntBook: "));
    EXPECT_THAT(status.error().message, HasSubstr("another program is writing it"));
    // The book as it was is still there.
    searches = 0;
    play_game(GameResult::Draw, &searches);
    EXPECT_EQ(searches, 0);
    EXPECT_FALSE(engine_->set_option("LearntBook", folder_.path().string()));
    play_game(GameResult::Draw, &searches);
    EXPECT_EQ(searches, 0);
    set("LearntBook", "");
    play_game(GameResult::Draw, &searches);
    EXPECT_EQ(searches, 2);
}

TEST_F(LearntOpeningTest, LeavesASnapshot) {
    play_game(GameResult::WhiteWins);
    EXPECT_FALSE(std::filesystem::exists(games::snapshot_path(path())));
    engine_.reset();
    EXPECT_EQ(games::check_learnt_book(path()).value(), true);
}

TEST(LearntOpening, KnowsTheOpponentsName) {
    EXPECT_EQ(opponent_name("GM 2800 human Gary Kasparov"), "Gary Kasparov");
    EXPECT_EQ(opponent_name("none none computer Shredder"), "Shredder");
    EXPECT_EQ(opponent_name("Gary Kasparov of Baku"), "Gary Kasparov of Baku");
    EXPECT_EQ(opponent_name("Ann"), "Ann");
}

}  // namespace
}  // namespace scholar::engine
