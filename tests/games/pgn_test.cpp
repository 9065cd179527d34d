#include "games/pgn.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "base/files.hpp"
#include "base/random.hpp"
#include "base/streams.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "games/pgn_import.hpp"
#include "games/pgn_parallel.hpp"
#include "games/pgn_writer.hpp"
#include "support/test_data.hpp"

namespace scholar::games {
namespace {

using testing::HasSubstr;
using tests::TemporaryFolder;
using tests::test_data;

struct Read {
    std::vector<Game> games;
    std::vector<PgnProblem> problems;
    std::vector<PgnProblem> remarks;
    std::optional<base::Error> error;
};

Read read_all(base::Result<PgnReader> reader) {
    Read read;
    if (!reader) {
        read.error = reader.error();
        return read;
    }
    while (true) {
        const auto item = reader->next();
        if (!item) {
            read.error = item.error();
            return read;
        }
        if (*item == PgnItem::End) return read;
        if (*item == PgnItem::Game && reader->remark() != nullptr) read.remarks.push_back(*reader->remark());
        // Copies: what the reader keeps must serve for the next game.
        if (*item == PgnItem::Game)
            read.games.push_back(reader->game());
        else
            read.problems.push_back(reader->problem());
    }
}

Read read_file(const std::string& path) {
    return read_all(PgnReader::open(path));
}

Read read_text(std::string_view text) {
    const TemporaryFolder folder;
    const auto path = folder / "test.pgn";
    std::ofstream(path, std::ios::binary) << text;
    return read_file(path.string());
}

std::string moves_of(const Game& game) {
    std::string out;
    chess::Position position = game.start;
    for (const chess::Move move : game.moves) {
        if (!out.empty()) out += ' ';
        out += chess::to_san(position, move);
        position.make(move);
    }
    return out;
}

class Corners : public testing::Test {
  protected:
    Read read_ = read_file(test_data("pgn/corners.pgn").string());
};

TEST_F(Corners, GoodGamesGoIn) {
    ASSERT_FALSE(read_.error);
    ASSERT_EQ(read_.games.size(), 6U);
    const Game& first = read_.games[0];
    EXPECT_EQ(first.tag("Event"), "Tags with \"quotes\" and a \\ backslash");
    EXPECT_EQ(first.tag("White"), "Adams");
    EXPECT_EQ(first.tag("Black"), "Baker");
    EXPECT_EQ(first.tag("Result"), "");
    EXPECT_EQ(first.result, GameResult::WhiteWins);
    EXPECT_EQ(moves_of(first), "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 O-O d5 exd5");
    ASSERT_EQ(first.evaluations.size(), first.moves.size());
    EXPECT_EQ(first.evaluations[1], (Evaluation{25, 0, 33}));
    EXPECT_EQ(std::ranges::count_if(first.evaluations, [](const auto& e) { return e.has_value(); }), 1);

    EXPECT_TRUE(read_.games[1].tags.empty());
    EXPECT_EQ(read_.games[1].result, GameResult::Draw);
    EXPECT_EQ(moves_of(read_.games[1]), "d4 d5 c4");

    const Game& mate = read_.games[2];
    EXPECT_EQ(mate.result, GameResult::BlackWins) << "from its tag";
    EXPECT_EQ(mate.ending, Ending::Checkmate);
    EXPECT_EQ(mate.evaluations.at(2), (Evaluation{0, -1, 20}));

    const Game& set_up = read_.games[3];
    EXPECT_EQ(chess::to_fen(set_up.start), "8/P6k/8/8/8/8/8/K7 w - - 3 40");
    EXPECT_EQ(moves_of(set_up), "a8=Q Kg7 Qb7+");
    EXPECT_EQ(set_up.tags.size(), 1U) << "FEN is a field, not a tag";

    EXPECT_EQ(read_.games[4].result, GameResult::WhiteWins) << "'*' says nothing, the tag does";
    EXPECT_EQ(moves_of(read_.games[5]), "Nf3 Nf6 g3 g6 Bg2 Bg7");
}

TEST_F(Corners, BadGamesAreNamed) {
    ASSERT_EQ(read_.problems.size(), 4U);
    EXPECT_EQ(read_.problems[0].line, 21U);
    EXPECT_EQ(read_.problems[0].game, 4U);
    EXPECT_THAT(read_.problems[0].message, HasSubstr("tag Event: the value has no end"));

    const PgnProblem& illegal = read_.problems[1];
    EXPECT_EQ(illegal.line, 41U);
    EXPECT_EQ(illegal.game, 6U);
    EXPECT_EQ(illegal.ply, 3);
    EXPECT_EQ(illegal.players, "Gray – Hall");
    EXPECT_THAT(illegal.to_string(),
                HasSubstr("corners.pgn: line 41: game 6 (Gray – Hall): half-move 3: move 'Ke3'"));

    EXPECT_THAT(read_.problems[2].message, HasSubstr("variant 'Crazyhouse'"));
    EXPECT_EQ(read_.problems[3].message, "result 0-1 behind the moves, 1-0 in the tags");
    ASSERT_EQ(read_.remarks.size(), 1U);
    EXPECT_THAT(read_.remarks[0].to_string(),
                HasSubstr("line 19: game 3 (Cole – Drew): no result behind the moves"));
}

TEST(Pgn, Latin1AndCarriageReturns) {
    const Read read = read_file(test_data("pgn/latin1-crlf.pgn").string());
    ASSERT_EQ(read.games.size(), 1U);
    EXPECT_TRUE(read.problems.empty());
    EXPECT_EQ(read.games[0].tag("Event"), "Torneo de España");
    EXPECT_EQ(read.games[0].tag("White"), "Muñoz");
    EXPECT_EQ(read.games[0].tag("Black"), "Müller") << "was UTF-8 already";
    EXPECT_EQ(moves_of(read.games[0]), "e4 e5 Nf3");
}

TEST(Pgn, Evaluations) {
    const Read read = read_text(
        "1. e4 {[%eval 0.25]} e5 {[%eval -0.05,7]} 2. Nf3 {[%eval #5]} Nc6 {[%eval #-12,99]} 3. Bb5 {[%clk "
        "1:00] "
        "[%eval 1.005,300]} a6 {[%eval -500.1]} 4. Ba4 {[%eval .5]} Nf6 {[%eval x]} 5. O-O {[%eval 3,-1]} "
        "Be7 {[%eval "
        "+2]} 6. Re1 {book} b5 {[%eval 0.00,0]} *");
    ASSERT_EQ(read.games.size(), 1U);
    const std::vector<std::optional<Evaluation>> expected{Evaluation{25, 0, 0},
                                                          Evaluation{-5, 0, 7},
                                                          Evaluation{0, 5, 0},
                                                          Evaluation{0, -12, 99},
                                                          Evaluation{101, 0, 255},
                                                          Evaluation{-32'767, 0, 0},
                                                          Evaluation{50, 0, 0},
                                                          std::nullopt,
                                                          std::nullopt,
                                                          Evaluation{200, 0, 0},
                                                          std::nullopt,
                                                          Evaluation{0, 0, 0}};
    EXPECT_EQ(read.games[0].evaluations, expected);
}

// The beginning of a game that cutechess-cli wrote, and its line breaks.
TEST(Pgn, EvaluationsOfMatchProgramsAreTurnedToWhitesView) {
    const Read read = read_text(
        "[Event \"My Tournament\"]\n[White \"Ethereal-avx\"]\n[Result \"1-0\"]\n\n"
        "1. e4 {book} e5 {book} 2. Nf3 {book} Nc6 {book} 3. Bb5 {book} f5 {book}\n"
        "4. Bxc6 {book} dxc6 {book} 5. Nc3 {+0.42/18 0.62s} fxe4 {-0.03/16 0.33s}\n"
        "6. Nxe4 {+0.10/17 0.17s} Nf6 {-0.21/15 0.14s} 7. Qe2 {+0.12/19 0.41s}\n"
        "Bg4 {-0.17/15 0.28s} 8. d3 {+0.10/17 0.23s} Bb4+ {-0.05/16 0.30s} 1-0\n");
    ASSERT_EQ(read.games.size(), 1U);
    std::vector<std::optional<Evaluation>> expected(8);
    for (const Evaluation evaluation :
         {Evaluation{42, 0, 18}, Evaluation{3, 0, 16}, Evaluation{10, 0, 17}, Evaluation{21, 0, 15},
          Evaluation{12, 0, 19}, Evaluation{17, 0, 15}, Evaluation{10, 0, 17}, Evaluation{5, 0, 16}})
        expected.emplace_back(evaluation);
    EXPECT_EQ(read.games[0].evaluations, expected);
}

TEST(Pgn, MatchProgramsMatesAndWhatIsNoEvaluation) {
    const Read read = read_text(
        "[FEN \"1r4k1/5ppp/8/8/8/8/r4PPP/6K1 b - - 0 1\"]\n\n1... Rb7 {+M3/20 0.05s} 2. h3 {-M2/13\n0.01s} "
        "Ra8 {0.00/10} 3. h4 {0.10s} h6 {1/2 offered} 4. h5 {-32.5/4x 1s} Kh8 {-1.00/9 1s [%eval 0.25,3]} "
        "5. Kh1 {+M0/1 0s} Kg8 {-0.10/7, Black resigns} 1-0\n");
    ASSERT_EQ(read.games.size(), 1U) << (read.problems.empty() ? "" : read.problems[0].to_string());
    const std::vector<std::optional<Evaluation>> expected{
        Evaluation{0, -2, 20}, Evaluation{0, -1, 13}, Evaluation{0, 0, 10}, std::nullopt,        std::nullopt,
        std::nullopt,          Evaluation{25, 0, 3},  std::nullopt,         Evaluation{10, 0, 7}};
    EXPECT_EQ(read.games[0].evaluations, expected);
}

// Attached to a move or apart from it.
TEST(Pgn, AnnotatedMovesAreRead) {
    const std::vector<std::string> kMarks{
        "+/=", "=/+", "+=", "=+",   "+-",  "-+",  "+/-", "-/+", "=",    "!?", "?!", "!",    "??", "N",  "N!",
        "TN",  "D",   "ch", "mate", "$14", "±",   "∓",   "⩲",   "⩱",    "∞",  "→",  "⟳",    "□",  "[]", "‼",
        "⁉",   "<=>", "->", "_|_",  "(=)", "(!)", "=/&", "~",   "\xB1", "≠",  "†",  "-/+!", "=N"};
    const std::vector<std::string> kMoves{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O", "f6"};
    for (const std::string& mark : kMarks) {
        for (const std::string blank : {"", " "}) {
            std::string text = "[Event \"marks\"]\n\n";
            for (std::size_t i = 0; i < kMoves.size(); ++i) {
                if (i % 2 == 0) text += fmt::format("{}.", i / 2 + 1);
                text += kMoves[i];
                text += blank + mark + " ";
            }
            const Read read = read_text(text + "1/2-1/2\n");
            ASSERT_EQ(read.games.size(), 1U) << mark << ": " << read.problems.at(0).to_string();
            EXPECT_EQ(moves_of(read.games[0]), "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6") << mark;
            EXPECT_EQ(read.games[0].result, GameResult::Draw) << mark;
        }
    }
}

TEST(Pgn, GameWithoutEvaluationsHasNone) {
    EXPECT_TRUE(read_text("1. e4 {book} e5 {good} 1-0").games.at(0).evaluations.empty());
}

TEST(Pgn, GameThatOthersRefuseIsNamed) {
    const TemporaryFolder folder;
    const auto path = (folder / "test.pgn").string();
    std::ofstream(path) << "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[White \"Ada\"]\n\n1. d4 *\n";
    auto reader = PgnReader::open(path);
    ASSERT_TRUE(reader);
    ASSERT_TRUE(reader->next());
    ASSERT_TRUE(reader->next());
    EXPECT_EQ(reader->refused("too dull").to_string(), path + ": line 5: game 2 (Ada – ?): too dull");
}

struct Cut {
    std::string_view text;
    std::string_view message;
};

TEST(Pgn, FileThatEndsTooSoon) {
    const std::vector<Cut> cuts{
        {"[Event \"a\"]\n\n1. e4 e5", "the file ends in the middle of a game"},
        {"[Event \"a\"]\n\n1. e4 Nf", "the file ends in the middle of a game"},
        {"[Event \"a\"]\n\n1. e4 (1. d4", "the file ends in the middle of a game"},
        {"[Event \"a\"]\n\n1. e4 {a comment", "the file ends inside a comment"},
        {"[Event \"a\"]\n[White \"Ad", "the file ends inside a tag"},
        {"[Event \"a\"]\n", "the file ends after the tags"},
    };
    for (const Cut& cut : cuts) {
        const Read read =
            read_text(std::string("[Event \"whole\"]\n\n1. d4 1-0\n\n") + std::string(cut.text));
        EXPECT_FALSE(read.error);
        EXPECT_EQ(read.games.size(), 1U) << cut.text;
        ASSERT_EQ(read.problems.size(), 1U) << cut.text;
        EXPECT_THAT(read.problems[0].message, HasSubstr(cut.message)) << cut.text;
        EXPECT_EQ(read.problems[0].game, 2U);
    }
}

TEST(Pgn, CommentThatIsNeverClosedEndsWithItsGame) {
    const Read read = read_text(
        "[Event \"a\"]\n\n1. e4 {oops e5\n2. d4 1-0\n\n[Event \"b\"]\n[White \"x\"]\n\n1. c4 {fine} 0-1\n");
    ASSERT_EQ(read.problems.size(), 1U);
    EXPECT_EQ(read.problems[0].line, 3U);
    EXPECT_THAT(read.problems[0].message, HasSubstr("never closed"));
    ASSERT_EQ(read.games.size(), 1U);
    EXPECT_EQ(read.games[0].tag("Event"), "b");
    EXPECT_EQ(read.games[0].tag("White"), "x");
}

TEST(Pgn, VariationThatIsNeverClosedEndsWithItsGame) {
    const Read read = read_text("[Event \"a\"]\n\n1. e4 (1. d4 d5 1-0\n\n[Event \"b\"]\n\n1. c4 0-1\n");
    ASSERT_EQ(read.problems.size(), 1U);
    EXPECT_THAT(read.problems[0].message, HasSubstr("variation"));
    ASSERT_EQ(read.games.size(), 1U);
    EXPECT_EQ(read.games[0].tag("Event"), "b");
}

TEST(Pgn, EmptyGamesAndEmptyFiles) {
    const Read games =
        read_text("[Event \"a\"]\n[Result \"*\"]\n\n*\n\n[Event \"b\"]\n\n[Event \"c\"]\n\n 1-0\n");
    ASSERT_EQ(games.games.size(), 2U);
    EXPECT_TRUE(games.games[0].moves.empty());
    EXPECT_EQ(games.games[1].result, GameResult::WhiteWins);
    ASSERT_EQ(games.problems.size(), 1U);
    EXPECT_THAT(games.problems[0].to_string(), HasSubstr("line 8: game 2: tags without moves"));
    EXPECT_EQ(read_text("[Event \"a\"]\n{only a comment}\n").problems.size(), 1U);
    for (const std::string_view text : {"", "\n\n", "; nothing\n", "{nothing}", "\xEF\xBB\xBF", "% x\n"}) {
        const Read read = read_text(text);
        EXPECT_TRUE(read.games.empty() && read.problems.empty() && !read.error) << text;
    }
}

// A file that lost a stretch: whatever it was, a game that comes out is one of the file's with its own tags,
// and what is no whole game any more is reported, unless the cut fell between two.
TEST(Pgn, TagsOfOneGameNeverMeetMovesOfAnother) {
    const std::vector<std::pair<std::string, std::string>> kGames{
        {"Ann", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0"},
        {"Bob", "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 7. Bh4 b6 8. cxd5 Nxd5 1/2-1/2"},
        {"Cid", "1. c4 e5 2. g3 Nf6 3. Bg2 d5 4. cxd5 Nxd5 5. Nc3 Nb6 6. Nf3 Nc6 7. O-O Be7 8. d3 O-O 0-1"}};
    std::string text;
    std::map<std::string, std::string> moves_of_player;
    std::string in_tags;  // by character of the text
    for (const auto& [player, moves] : kGames) {
        text += fmt::format(
            "[Event \"Cup\"]\n[Site \"Here\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n"
            "[White \"{}\"]\n[Black \"Eve\"]\n[Result \"{}\"]\n\n",
            player, moves.substr(moves.rfind(' ') + 1));
        in_tags.resize(text.size() + 4, 'y');  // and before the first move
        // Two words a line.
        int blanks = 0;
        for (const char c : moves) text += c == ' ' && ++blanks % 2 == 0 ? '\n' : c;
        text += "\n\n";
        in_tags.resize(text.size(), 'n');
        moves_of_player[player] = moves_of(read_text(moves).games.at(0));
    }
    ASSERT_EQ(read_text(text).games.size(), kGames.size());
    // By lines, as files are torn and joined, then anywhere.
    std::vector<std::size_t> places{0};
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
        places.push_back(at + 1);
    base::Random random(5);
    int told = 0;
    for (int round = 0; round < 1'500; ++round) {
        std::size_t begin = places[random.below(places.size())];
        std::size_t end = places[random.below(places.size())];
        if (round % 3 == 0) begin = random.below(text.size());
        if (round % 3 == 0) end = random.below(text.size());
        if (begin > end) std::swap(begin, end);
        // Half of the tags of one and half of another's are as good as any.
        if (end < text.size() && in_tags[begin] == 'y' && in_tags[end] == 'y') continue;
        const std::string torn = text.substr(0, begin) + text.substr(end);
        const Read read = read_text(torn);
        for (const Game& game : read.games) {
            const std::string player(game.tag("White"));
            if (!moves_of_player.contains(player)) continue;  // the name itself was cut
            // Half a move pair may be lost without a trace, but nothing comes from elsewhere.
            std::istringstream own(moves_of_player[player]);
            std::istringstream found(moves_of(game));
            std::string move, next;
            while (found >> move) {
                do {
                    ASSERT_TRUE(own >> next) << torn << "\n" << player << ": " << moves_of(game);
                } while (next != move);
            }
        }
        for (const auto* const reports : {&read.problems, &read.remarks})
            for (const PgnProblem& report : *reports) EXPECT_TRUE(report.line > 0 && report.game > 0);
        told += !read.problems.empty() || !read.remarks.empty();
    }
    EXPECT_GT(told, 600);
}

TEST(Pgn, MoveNumbersThatDoNotCountTheMovesAreDamage) {
    const auto problem = [](std::string_view text) {
        const Read read = read_text(text);
        return read.problems.empty() ? "" : read.problems[0].to_string().substr(read.problems[0].file.size());
    };
    const std::string at = ": line 3: game 1 (A – ?): half-move ";
    const std::string tags = "[White \"A\"]\n\n";
    EXPECT_EQ(problem(tags + "1. Nf3 Nf6 2. g3 g6 *\n"), "");
    EXPECT_EQ(problem(tags + "1. Nf3 Nf6 3. g3 g6 *\n"),
              at + "3: move number 3, expected 2: moves are missing, or two games run into one");
    EXPECT_THAT(problem(tags + "1. Nf3 2. Nf6 *\n"), HasSubstr("half-move 2: move number 2, expected 1"));
    EXPECT_THAT(problem(tags + "1. Nf3 Nf6 1. g3 g6 *\n"),
                HasSubstr("half-move 3: move number 1, expected 2"));
    EXPECT_THAT(problem(tags + "12. Nf3 Nf6 *\n"), HasSubstr("half-move 1: move number 12, expected 1"));
    // From a set-up position any number may come first.
    EXPECT_EQ(problem("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 3 40\"]\n\n1. a8=Q Kg7 2. Kb2 *\n"), "");
    EXPECT_THAT(problem("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 3 40\"]\n\n1. a8=Q Kg7 41. Kb2 *\n"),
                HasSubstr("move number 41, expected 2"));
}

TEST(Pgn, ResultsThatTheBoardRulesOutAreRemarked) {
    const std::string mate = "1. f3 e5\n2. g4 Qh4# ";
    const std::string stalemate = "[FEN \"7k/5K2/8/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Qg6 ";
    const auto remarks = [](const std::string& text) {
        const Read read = read_text(text);
        EXPECT_EQ(read.games.size(), 1U) << text;
        return read.remarks;
    };
    for (const char* right : {"0-1", "*"}) EXPECT_TRUE(remarks(mate + right).empty()) << right;
    for (const char* right : {"1/2-1/2", "*"}) EXPECT_TRUE(remarks(stalemate + right).empty()) << right;
    for (const char* wrong : {"1-0", "1/2-1/2"}) {
        const auto found = remarks(mate + wrong);
        ASSERT_EQ(found.size(), 1U);
        EXPECT_THAT(
            found[0].to_string(),
            HasSubstr(fmt::format(": line 2: game 1: half-move 4: result {}, expected 0-1: the moves end "
                                  "in checkmate",
                                  wrong)));
    }
    for (const char* wrong : {"1-0", "0-1"}) {
        const auto found = remarks(stalemate + wrong);
        ASSERT_EQ(found.size(), 1U);
        EXPECT_THAT(found[0].message, HasSubstr("the moves end in stalemate"));
    }
    // The tag is a result too.
    EXPECT_EQ(remarks("[Result \"1/2-1/2\"]\n\n" + mate + "*").size(), 1U);
}

TEST(Pgn, TagsThatAGameHasOnceAreNotReadTwice) {
    for (const char* name : {"Site", "Date", "Round", "White", "Black", "Result"}) {
        const Read read =
            read_text(fmt::format("[Event \"a\"]\n[{} \"?\"]\n[Note \"x\"]\n[{} \"?\"]\n\n1. e4 *\n\n"
                                  "[Event \"b\"]\n\n1. d4 *\n",
                                  name, name));
        ASSERT_EQ(read.games.size(), 1U) << name;
        EXPECT_EQ(read.games[0].tag("Event"), "b");
        ASSERT_EQ(read.problems.size(), 1U) << name;
        EXPECT_EQ(read.problems[0].line, 4U) << name;
        EXPECT_THAT(read.problems[0].message, HasSubstr(fmt::format("tag {} for the second time", name)));
    }
    EXPECT_TRUE(read_text("[Note \"x\"]\n[Note \"y\"]\n\n1. e4 *\n").problems.empty());
}

// What an import that was not finished tells when it is resumed with other files.
TEST(PgnImport, SessionSaysSizeAndTimeOfTheFilesAsPeopleDo) {
    const TemporaryFolder folder;
    const auto path = (folder / "test.pgn").string();
    std::ofstream(path) << "1. e4 *\n";
    const std::string session = import_session({{path}, 12, 1});
    EXPECT_THAT(session,
                testing::ContainsRegex(
                    "test.pgn \\(8 bytes, changed 2[0-9]{3}-[0-9]{2}-[0-9]{2} [0-9:]{8}[.][0-9]{9} UTC\\)"));
}

TEST(Pgn, Variants) {
    const auto with = [](std::string_view variant) {
        return read_text(fmt::format("[Event \"a\"]\n[Variant \"{}\"]\n\n1. e4 *\n", variant));
    };
    for (const std::string_view name : {"Standard", "normal", "chess", "From Position"}) {
        ASSERT_EQ(with(name).games.size(), 1U) << name;
        EXPECT_FALSE(with(name).games[0].chess960) << name;
    }
    for (const std::string_view name : {"fischerandom", "Chess960", "Fischer Random"}) {
        ASSERT_EQ(with(name).games.size(), 1U) << name;
        EXPECT_TRUE(with(name).games[0].chess960) << name;
    }
    for (const std::string_view name : {"Atomic", "King of the Hill"}) {
        ASSERT_EQ(with(name).problems.size(), 1U) << name;
        EXPECT_THAT(with(name).problems[0].message, HasSubstr(name));
    }
}

TEST(Pgn, Endings) {
    const auto ending = [](std::string_view tags, std::string_view moves) {
        return read_text(fmt::format("[Event \"a\"]\n{}\n{} *\n", tags, moves)).games.at(0).ending;
    };
    const std::string_view shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    EXPECT_EQ(ending("", shuffle), Ending::Repetition);
    EXPECT_EQ(ending("", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1"), Ending::Unknown);
    EXPECT_EQ(ending("[FEN \"7k/5K2/8/6Q1/8/8/8/8 w - - 0 1\"]\n", "1. Qg6"), Ending::Stalemate);
    EXPECT_EQ(ending("[FEN \"7k/5K2/8/6pB/8/8/8/8 w - - 99 80\"]\n", "1. Bg4"), Ending::FiftyMoves);
    EXPECT_EQ(ending("[FEN \"7k/8/8/8/8/8/1p6/K7 w - - 0 1\"]\n", "1. Kxb2"), Ending::InsufficientMaterial);
    EXPECT_EQ(ending("[Termination \"time forfeit\"]\n", "1. e4"), Ending::TimeForfeit);
    EXPECT_EQ(ending("[Termination \"adjudication\"]\n[TerminationDetails \"TCEC draw rule\"]\n", "1. e4"),
              Ending::Adjudication);
    EXPECT_EQ(ending("[Termination \"adjudication\"]\n[TerminationDetails \"3-Fold repetition\"]\n", "1. e4"),
              Ending::Repetition);
    EXPECT_EQ(ending("[Termination \"adjudication\"]\n[TerminationDetails \"White resigns\"]\n", "1. e4"),
              Ending::Resignation);
    EXPECT_EQ(ending("[Termination \"abandoned\"]\n[TerminationDetails \"Black disconnects\"]\n", "1. e4"),
              Ending::Forfeit);
    EXPECT_EQ(ending("[Termination \"abandoned\"]\n", "1. e4"), Ending::Abandoned);
    EXPECT_EQ(ending("[Termination \"adjudication\"]\n", "1. f3 e5 2. g4 Qh4#"), Ending::Checkmate)
        << "the board knows better";
    EXPECT_EQ(ending("[Termination \"normal\"]\n", "1. e4"), Ending::Unknown);
}

// Comments that straddle the reader's buffer, tokens too long, and anything else a file may hold.
TEST(Pgn, LongThings) {
    std::string text =
        "[Event \"long\"]\n\n1. e4 {" + std::string(3'000'000, 'x') + "\n} e5 {[%eval 0.10]} *\n";
    Read read = read_text(text);
    ASSERT_EQ(read.games.size(), 1U);
    EXPECT_EQ(read.games[0].evaluations.at(1), (Evaluation{10, 0, 0}));

    read =
        read_text("[Event \"" + std::string(200'000, 'x') + "\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n");
    EXPECT_EQ(read.problems.size(), 1U);
    ASSERT_EQ(read.games.size(), 1U);
    EXPECT_EQ(read.games[0].tag("Event"), "b");

    read =
        read_text("[Event \"a\"]\n\n1. e4 " + std::string(200'000, 'x') + " *\n\n[Event \"b\"]\n\n1. d4 *\n");
    EXPECT_EQ(read.problems.size(), 1U);
    EXPECT_EQ(read.games.size(), 1U);
}

struct CountingListener final : PgnListener {
    void game_begins(std::uint64_t) override {}
    void tag(std::string_view name, std::string_view value) override {
        characters += name.size() + value.size();
        last_value = value;
    }
    void move(std::string_view, std::uint64_t) override {}
    void comment(std::string_view) override {}
    void result(GameResult) override {}
    void problem(std::uint64_t, std::string message, bool) override { problem_said = message; }

    std::size_t characters = 0;
    std::string last_value;
    std::optional<std::string> problem_said;
};

// Many tags, whole or broken, take no more memory than a game may have.
TEST(Pgn, ManyTags) {
    const auto with_tags = [](std::size_t count, std::size_t size, std::string_view end) {
        std::string text = "[Event \"a\"]\n";
        const std::string value(size, 'x');
        for (std::size_t i = 0; i < count; ++i) text += fmt::format("[Tag{} \"{}{}", i, value, end);
        return text + "\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n";
    };
    EXPECT_EQ(read_text(with_tags(900, 1'000, "\"]\n")).games.at(0).tags.size(), 901U);

    struct Case {
        std::string text;
        std::string_view message;
    };
    for (const Case& c : {Case{with_tags(100'000, 100, "\"]\n"), "more than 1000 tags"},
                          Case{with_tags(900, 30'000, "\"]\n"), "tags larger than 16 MiB"},
                          Case{with_tags(400, 60'000, "\n"), "the value has no end"}}) {
        const TemporaryFolder folder;
        const auto path = (folder / "tags.pgn").string();
        std::ofstream(path, std::ios::binary) << c.text;
        PgnText text;
        text.rest = base::open_input(path).value();
        PgnLexer lexer(std::move(text));
        CountingListener listener;
        ASSERT_TRUE(lexer.next(listener).value());
        ASSERT_TRUE(listener.problem_said) << c.message;
        EXPECT_THAT(*listener.problem_said, HasSubstr(c.message));
        EXPECT_LE(listener.characters, std::size_t{1} << 24) << c.message;
        listener = CountingListener();
        ASSERT_TRUE(lexer.next(listener).value());
        EXPECT_FALSE(listener.problem_said);
        EXPECT_EQ(listener.last_value, "b");
        EXPECT_FALSE(lexer.next(listener).value());
    }
}

TEST(Pgn, EveryByteAnywhereIsReadToTheEnd) {
    const auto corners = base::read_text(test_data("pgn/corners.pgn"));
    ASSERT_TRUE(corners);
    base::Random random(11);
    for (int round = 0; round < 300; ++round) {
        std::string text = *corners;
        for (int flip = 0; flip < 5; ++flip)
            text[random.below(text.size())] = static_cast<char>(random.below(256));
        text.resize(random.below(text.size() + 1));
        const Read read = read_text(text);
        EXPECT_FALSE(read.error);
        EXPECT_LE(read.games.size() + read.problems.size(), 40U);
    }
}

TEST(Pgn, CutOffCompressedFileIsAnError) {
    const TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 5'000; ++i) text += fmt::format("[Event \"{}\"]\n\n1. e4 e5 1-0\n\n", i * 7'919);
    std::string packed = base::compress_block(text, 3);
    packed.resize(packed.size() / 2);
    const auto path = folder / "cut.pgn.zst";
    ASSERT_TRUE(base::write_atomically(path, packed));
    const Read read = read_file(path.string());
    ASSERT_TRUE(read.error);
    EXPECT_THAT(read.error->message, HasSubstr("cut.pgn.zst"));
    EXPECT_FALSE(PgnReader::open((folder / "missing.pgn").string()));
}

TEST(Pgn, WritesWhatItReads) {
    const Read first = read_file(test_data("pgn/corners.pgn").string());
    std::string text;
    for (const Game& game : first.games) text += to_pgn(game);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        if (text[at] != '[') {
            EXPECT_LE(end - at, 80U);
        }
        at = end + 1;
    }
    const Read second = read_text(text);
    EXPECT_TRUE(second.problems.empty());
    ASSERT_EQ(second.games.size(), first.games.size());
    for (std::size_t i = 0; i < first.games.size(); ++i) {
        EXPECT_EQ(second.games[i].moves, first.games[i].moves);
        EXPECT_EQ(second.games[i].start, first.games[i].start);
        EXPECT_EQ(second.games[i].result, first.games[i].result);
        EXPECT_EQ(second.games[i].ending, first.games[i].ending);
        EXPECT_EQ(second.games[i].evaluations, first.games[i].evaluations);
        EXPECT_EQ(second.games[i].clocks, first.games[i].clocks);
        EXPECT_EQ(second.games[i].times, first.games[i].times);
        EXPECT_EQ(second.games[i].nodes, first.games[i].nodes);
        for (const auto& [name, value] : first.games[i].tags) EXPECT_EQ(second.games[i].tag(name), value);
    }
}

TEST(Pgn, ClocksTimesAndNodes) {
    const Read read = read_text(
        "1. e4 {[%clk 1:30:43]} e5 {[%clk 0:00:59.25] [%emt 12.5]} 2. Nf3 {+0.35/12 0.10s} Nc6 {-M4/20 1s, "
        "lost} "
        "3. Bb5 {d=33, sd=34, mt=37918, tl=1765082, s=54971964, n=2084481913, pv=Bb5 a6, tb=0, h=0.0, "
        "wv=-0.60, "
        "R50=50,} a6 {d=16, mt=5, tl=1, n=7, pv=a6, wv=M16,} 4. Ba4 {[%clk 5] [%clk x]} Nf6 {[%clk 1:2:3:4]} "
        "*");
    ASSERT_EQ(read.games.size(), 1U);
    const Game& game = read.games[0];
    using Numbers = PlyNumbers;
    constexpr auto none = std::nullopt;
    EXPECT_EQ(game.clocks, (Numbers{5'443'000, 59'250, none, none, 1'765'082, 1, 5'000, none}));
    EXPECT_EQ(game.times, (Numbers{none, 12'500, 100, 1'000, 37'918, 5, none, none}));
    EXPECT_EQ(game.nodes, (Numbers{none, none, none, none, 2'084'481'913, 7, none, none}));
    const std::vector<std::optional<Evaluation>> evaluations{
        none, none, Evaluation{35, 0, 12}, Evaluation{0, 2, 20}, Evaluation{-60, 0, 33}, Evaluation{0, 8, 16},
        none, none};
    EXPECT_EQ(game.evaluations, evaluations);

    const Read again = read_text(to_pgn(game));
    ASSERT_EQ(again.games.size(), 1U);
    EXPECT_EQ(again.games[0].clocks, game.clocks);
    EXPECT_EQ(again.games[0].times, game.times);
    EXPECT_EQ(again.games[0].nodes, game.nodes);
    EXPECT_EQ(again.games[0].evaluations, game.evaluations);
}

TEST(Pgn, CastlingWithZerosAndWordsOfMoves) {
    const Read read = read_text(
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 00 Nf6 5. Bxf7 ch Kxf7 6. Nxe5ch Nxe5 7. d4 d5 8. exd5 c5 9. dxc6 "
        "e.p. "
        "Bd6 10. Qe1 b6 11. 000 *");
    ASSERT_EQ(read.problems.size(), 1U);
    EXPECT_THAT(read.problems[0].to_string(), HasSubstr("half-move 16: move 'c5'"));
    const Read good =
        read_text("1. e4 d5 2. e5 f5 3. exf6 e.p. Kf7 4. Nf3 e5 5. Bc4 Bc5 6. 00 Bb4 7. Bxd5 ch *");
    ASSERT_EQ(good.games.size(), 1U) << good.problems.at(0).to_string();
    EXPECT_EQ(moves_of(good.games[0]), "e4 d5 e5 f5 exf6 Kf7 Nf3 e5 Bc4 Bc5 O-O Bb4 Bxd5+");
}

TEST(Pgn, OddSignsAndWords) {
    const Read read = read_text(
        "1. e4 e5 2. Qh5 N Nc6 3. Bc4 Nf6 4. Qxf7 # 1-0\n\n1…e5 *\n\n1. e4 1…e5 … 2. Nf3 ½-½\n\n1. d4 "
        "\xBD-\xBD\n\n"
        "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 3 40\"]\n\n40. a8(Q) Kg7 (40... Kg6 41. Qa6(D)) 1-0\n");
    ASSERT_EQ(read.games.size(), 4U);
    EXPECT_EQ(read.games[0].ending, Ending::Checkmate);
    EXPECT_EQ(moves_of(read.games[1]), "e4 e5 Nf3");
    EXPECT_EQ(read.games[1].result, GameResult::Draw);
    EXPECT_EQ(read.games[2].result, GameResult::Draw);
    EXPECT_EQ(moves_of(read.games[3]), "a8=Q Kg7");
    ASSERT_EQ(read.problems.size(), 1U) << "Black's first move cannot begin a game";
    EXPECT_THAT(read.problems[0].to_string(), HasSubstr("half-move 1: move 'e5' is not legal"));
}

TEST(Pgn, LastGameWithoutResultIsWholeIfItsLineIs) {
    const Read whole = read_text("[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5\n");
    ASSERT_EQ(whole.games.size(), 1U);
    EXPECT_EQ(whole.games[0].result, GameResult::WhiteWins);
    EXPECT_EQ(read_text("[Event \"a\"]\n\n1. e4 e5").problems.size(), 1U);
    EXPECT_EQ(read_text("[Event \"a\"]\n\n1. e4 (1. d4\n").problems.size(), 1U);
}

TEST(Pgn, CutOffSaysWhatWasWrongBefore) {
    const Read before = read_text("[Event \"a\"]\n\n1. e4 Ke4 2. d4 d");
    ASSERT_EQ(before.problems.size(), 1U);
    EXPECT_THAT(before.problems[0].message, HasSubstr("move 'Ke4'"));
    const Read half = read_text("[Event \"a\"]\n\n1. e4 e5 2. N");
    ASSERT_EQ(half.problems.size(), 1U);
    EXPECT_THAT(half.problems[0].message, HasSubstr("the file ends"));
}

TEST(Pgn, JoinedFilesWithByteOrderMarks) {
    const Read read = read_text(
        "\xEF\xBB\xBF[Event \"a\"]\n\n1. e4 *\n\xEF\xBB\xBF[Event \"b\"]\n\n1. d4 *\n\n\xEF\xBB\xBF"
        "[Event \"c\"]\n\n1. c4 *\n");
    EXPECT_TRUE(read.problems.empty());
    ASSERT_EQ(read.games.size(), 3U);
    EXPECT_EQ(read.games[2].tag("Event"), "c");
}

TEST(Pgn, EmptyEventBeginsAGameToo) {
    const Read read = read_text("[Event \"\"]\n[White \"A\"]\n\n[Event \"\"]\n[White \"B\"]\n\n1. e4 1-0\n");
    ASSERT_EQ(read.games.size(), 1U);
    EXPECT_EQ(read.games[0].tag("White"), "B");
    ASSERT_EQ(read.problems.size(), 1U);
    EXPECT_EQ(read.problems[0].players, "A – ?");
}

TEST(Pgn, ProblemsAreOnOneLineOfTerminalText) {
    const Read read = read_text("[Event \"a\"]\n[White \"\x1b[31m" + std::string(3'000, 'x') +
                                "\"]\n[Variant \"atomic\x1b[2J\"]\n\n1. e4 *\n");
    ASSERT_EQ(read.problems.size(), 1U);
    const std::string line = read.problems[0].to_string();
    EXPECT_LT(line.size(), 300U);
    EXPECT_TRUE(std::ranges::none_of(line, [](char c) { return static_cast<unsigned char>(c) < 32; }))
        << line;
    EXPECT_THAT(line, HasSubstr("atomic\\x1b[2J"));
}

TEST(Pgn, EndingWordsInsideNamesDoNotCount) {
    const auto ending = [](std::string_view words) {
        return read_text(fmt::format("[Termination \"{}\"]\n\n1. e4 1-0\n", words)).games.at(0).ending;
    };
    EXPECT_EQ(ending("tbone won - game abandoned"), Ending::Abandoned);
    EXPECT_EQ(ending("TB position"), Ending::Adjudication);
    EXPECT_EQ(ending("50-move rule"), Ending::FiftyMoves);
    EXPECT_EQ(ending("player500 resigns"), Ending::Resignation);
}

// However the text falls into the buffer: a comment that is never closed ends where the next game begins.
TEST(Pgn, TagOfTheNextGameAcrossTwoFillings) {
    for (std::size_t offset = 0; offset <= 24; ++offset) {
        std::string text = "[Event \"a\"]\n\n1. e4 {";
        constexpr std::size_t kFilling = std::size_t{1} << 20;
        while (text.size() < kFilling - offset - 1) text += text.size() % 80 == 79 ? '\n' : 'x';
        text += "\n[Event \"b\"]\n\n1. d4 {fine} *\n\n[Event \"c\"]\n\n1. c4 *\n";
        const Read read = read_text(text);
        ASSERT_EQ(read.games.size(), 2U) << offset;
        EXPECT_EQ(read.games[0].tag("Event"), "b");
        EXPECT_EQ(read.problems.size(), 1U);
    }
}

TEST(Pgn, MemoryUsedAgainKeepsNothingOfTheGameBefore) {
    const std::string notes =
        "[Event \"a\"]\n[White \"Ann\"]\n[FEN \"8/P6k/8/8/8/8/8/K7 w - - 3 40\"]\n\n"
        "1. a8=Q {[%eval 9.00,3] [%clk 1] [%emt 1] [%nodes 5]} 1-0\n\n";
    const Read read =
        read_text(notes + "[Event \"b\"]\n\n1. d4 *\n\n1. Qh5 *\n\n[Black \"Bob\"]\n\n1. c4 0-1\n");
    ASSERT_EQ(read.games.size(), 3U);
    ASSERT_EQ(read.problems.size(), 1U);
    EXPECT_EQ(read.games[1].tags, (std::vector<std::pair<std::string, std::string>>{{"Event", "b"}}));
    EXPECT_EQ(read.games[1].start, chess::Position());
    EXPECT_TRUE(read.games[1].evaluations.empty() && read.games[1].clocks.empty() &&
                read.games[1].times.empty() && read.games[1].nodes.empty());
    EXPECT_EQ(read.games[2].tags, (std::vector<std::pair<std::string, std::string>>{{"Black", "Bob"}}));
    EXPECT_EQ(read.games[2].result, GameResult::BlackWins);
}

// ---------------------------------------------------------------------------------------------------------------------
// Several threads

struct KeepingSink final : PgnSink {
    base::Status take(Game& game) override {
        if (game.moves.size() == 3) return base::fail("three half-moves are too few");
        games.push_back(std::move(game));
        return {};
    }
    std::vector<Game> games;
};

Read read_in_parts(const std::string& path, const PgnReadOptions& options) {
    Read read;
    const auto status = read_pgn(
        path, options, [] { return std::make_unique<KeepingSink>(); },
        [&](PgnStretch stretch) -> base::Status {
            for (Game& game : static_cast<KeepingSink&>(*stretch.sink).games)
                read.games.push_back(std::move(game));
            for (PgnProblem& problem : stretch.problems) read.problems.push_back(std::move(problem));
            for (PgnProblem& remark : stretch.remarks) read.remarks.push_back(std::move(remark));
            return {};
        },
        {});
    if (!status) read.error = status.error();
    return read;
}

std::string described(const Read& read) {
    std::string out;
    for (const Game& game : read.games) out += to_pgn(game);
    for (const PgnProblem& problem : read.problems) out += problem.to_string() + "\n";
    if (read.error) out += read.error->message;
    return out;
}

// Whatever the parts, the threads and the text: what one reader finds from beginning to end.
TEST(PgnParallel, AgreesWithOneReader) {
    const auto corners = base::read_text(test_data("pgn/corners.pgn"));
    ASSERT_TRUE(corners);
    base::Random random(12);
    const TemporaryFolder folder;
    const std::vector<std::string_view> pieces{"\n",
                                               "{",
                                               "}",
                                               "(",
                                               ")",
                                               "\n\n[Event \"x\"]\n",
                                               "\n[White \"y\"]\n",
                                               "\n[Event \"z\"]\n",
                                               "; rest of line",
                                               "\n% rest of line\n",
                                               " 1-0",
                                               " e4",
                                               " *\n\n",
                                               "$3",
                                               "<",
                                               "\n[Variant \"Atomic\"]\n"};
    for (int round = 0; round < 200; ++round) {
        std::string text;
        for (int copy = 0; copy < 5; ++copy) text += *corners;
        for (int change = 0; change < 20; ++change)
            text.insert(random.below(text.size()), pieces[random.below(pieces.size())]);
        const auto path = (folder / "test.pgn").string();
        std::ofstream(path, std::ios::binary) << text;
        Read alone = read_file(path);
        std::erase_if(alone.games, [&](const Game& game) { return game.moves.size() == 3; });
        PgnReadOptions options;
        options.part_size = 1 + random.below(3'000);
        options.games_per_stretch = 1 + random.below(4);
        options.threads = 1 + static_cast<unsigned>(random.below(3));
        Read parts = read_in_parts(path, options);
        EXPECT_TRUE(std::ranges::is_sorted(parts.problems, {}, &PgnProblem::game));
        std::erase_if(parts.problems, [](const PgnProblem& p) { return p.message.contains("too few"); });
        ASSERT_EQ(described(parts), described(alone)) << "part size " << options.part_size << ", text:\n"
                                                      << text;
    }
}

// A thread that runs out of memory ends its work, not the program, and leaves nobody waiting.
TEST(PgnParallel, WhatAThreadThrowsIsAnError) {
    struct ThrowingSink final : PgnSink {
        base::Status take(Game& game) override {
            if (game.tag("Event") == "Results differ" || game.moves.size() == 3) throw std::bad_alloc();
            return {};
        }
    };
    const auto path = test_data("pgn/corners.pgn").string();
    for (const unsigned threads : {1U, 2U, 4U}) {
        const auto status = read_pgn(
            path, {.threads = threads, .part_size = 100}, [] { return std::make_unique<ThrowingSink>(); },
            [](const PgnStretch&) { return base::Status(); }, {});
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().message, path + ": not enough memory");
        const auto consumed = read_pgn(
            path, {.threads = threads, .part_size = 100}, [] { return std::make_unique<KeepingSink>(); },
            [](const PgnStretch&) -> base::Status { throw std::bad_alloc(); }, {});
        EXPECT_FALSE(consumed);
    }
}

TEST(PgnParallel, PassesOverWhatWasReadBefore) {
    const auto path = test_data("pgn/corners.pgn").string();
    PgnReadOptions options;
    options.part_size = 100;
    const std::string all = described(read_in_parts(path, options));
    const Read whole = read_in_parts(path, options);
    const std::uint64_t count = whole.games.size() + whole.problems.size();
    for (std::uint64_t skip = 0; skip <= count; ++skip) {
        for (const unsigned threads : {1U, 2U}) {
            options.skip = skip;
            options.threads = threads;
            const Read rest = read_in_parts(path, options);
            EXPECT_FALSE(rest.error);
            EXPECT_EQ(rest.games.size() + rest.problems.size(), count - skip);
            EXPECT_TRUE(all.contains(rest.problems.empty() ? "" : described({{}, rest.problems, {}, {}})));
        }
    }
    options.skip = count + 1;
    const Read beyond = read_in_parts(path, options);
    ASSERT_TRUE(beyond.error);
    EXPECT_THAT(beyond.error->message,
                HasSubstr(fmt::format("expected at least the {} read before", count + 1)));
}

TEST(PgnParallel, ErrorOfTheConsumerEndsIt) {
    const auto path = (tests::source_dir() / "games" / "master-games.pgn.zst").string();
    for (const unsigned threads : {1U, 3U}) {
        PgnReadOptions options;
        options.threads = threads;
        options.part_size = 10'000;
        int stretches = 0;
        const auto status = read_pgn(
            path, options, [] { return std::make_unique<KeepingSink>(); },
            [&](const PgnStretch&) -> base::Status {
                if (++stretches == 5) return base::fail("enough");
                return {};
            },
            {});
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().message, "enough");
        EXPECT_EQ(stretches, 5);
    }
}

}  // namespace
}  // namespace scholar::games
