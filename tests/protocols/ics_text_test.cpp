// The parts of the client that read what a server says: bytes to lines, lines to messages, boards and lists.
// The examples are from FICS's and ICC's help files and from published sessions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "protocols/ics_game.hpp"
#include "protocols/ics_lines.hpp"
#include "protocols/ics_messages.hpp"
#include "protocols/ics_move_list.hpp"
#include "protocols/ics_style12.hpp"
#include "protocols/style12_text.hpp"
#include "support/random_games.hpp"

namespace scholar::protocols::ics {
namespace {

using testing::ElementsAre;
using namespace std::chrono_literals;
using namespace std::string_literals;
using namespace std::string_view_literals;

std::vector<std::string> lines_of(LineReader& reader) {
    std::vector<std::string> lines;
    while (auto line = reader.next()) lines.push_back(*line);
    return lines;
}

TEST(IcsLines, EndInAnyOrder) {
    LineReader reader;
    reader.feed("one\n\rtwo\r\nthree\nfour\r\r\n\n\rlog");
    EXPECT_THAT(lines_of(reader), ElementsAre("one", "two", "three", "four", ""));
    EXPECT_EQ(reader.partial(), "log");
    reader.feed("in: ");
    EXPECT_EQ(reader.partial(), "login: ");
    EXPECT_THAT(lines_of(reader), ElementsAre());
}

TEST(IcsLines, RefuseWhatTelnetOffers) {
    LineReader reader;
    // WILL ECHO, DO SUPPRESS-GO-AHEAD, DONT and WONT, a subnegotiation, a byte 255, and a no-operation.
    reader.feed(
        "a\xFF\xFB\x01"
        "b\xFF\xFD\x03"
        "c\xFF\xFE\x01\xFF\xFC\x01"
        "d\xFF\xFA\x18\x01\xFF\xF0"
        "e\xFF\xFF"
        "f\xFF\xF1g\n"s);
    EXPECT_THAT(lines_of(reader), ElementsAre("abcde?fg"));
    EXPECT_EQ(reader.take_replies(), "\xFF\xFE\x01\xFF\xFC\x03"s);
    EXPECT_EQ(reader.take_replies(), "");
}

TEST(IcsLines, ALostEndOfASubnegotiationCostsALine) {
    LineReader reader;
    reader.feed("\xFF\xFAgarbage\nnext\n");
    EXPECT_THAT(lines_of(reader), ElementsAre("next"));
}

TEST(IcsLines, LoseTheirControlCharactersAndTheirLength) {
    LineReader reader;
    reader.feed("bell\a\x1b[0m and\ttab\n" + std::string(20'000, 'x') + "\nafter\n");
    const auto lines = lines_of(reader);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0], "bell[0m and tab");
    EXPECT_EQ(lines[1].size(), LineReader::kMaxLine);
    EXPECT_EQ(lines[2], "after");
}

TEST(IcsLines, NoticeRequestsForTheTime) {
    LineReader reader;
    reader.feed("one\n[G]\0two [G]\n"s);
    EXPECT_THAT(lines_of(reader), ElementsAre("one", "two [G]"));
    EXPECT_EQ(reader.take_time_requests(), 1);
    EXPECT_EQ(reader.take_time_requests(), 0);
}

// However the bytes are cut into pieces, the lines are the same.
RC_GTEST_PROP(IcsLines, DoNotDependOnPieces, ()) {
    const auto bytes = *rc::gen::container<std::string>(
        rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::elementOf("\n\r\0\xFF\xFA\xF0\xFB\xFD[G]ab% "s)));
    LineReader whole, pieces;
    whole.feed(bytes);
    for (std::size_t at = 0; at < bytes.size();) {
        const auto size = *rc::gen::inRange<std::size_t>(1, 8);
        pieces.feed(std::string_view(bytes).substr(at, size));
        at += size;
    }
    RC_ASSERT(lines_of(whole) == lines_of(pieces));
    RC_ASSERT(whole.partial() == pieces.partial());
    RC_ASSERT(whole.take_replies() == pieces.take_replies());
    RC_ASSERT(whole.take_time_requests() == pieces.take_time_requests());
}

TEST(IcsLines, PromptsAreNoPartOfThem) {
    EXPECT_EQ(without_prompts("fics% fics% Illegal move"), "Illegal move");
    EXPECT_EQ(without_prompts("12:34_aics% hello"), "hello");
    EXPECT_EQ(without_prompts("fics%"), "");
    EXPECT_EQ(without_prompts("50% of all"), "50% of all");
    EXPECT_EQ(without_prompts("about 50% of all"), "about 50% of all");
    EXPECT_TRUE(is_prompt("fics% "));
    EXPECT_FALSE(is_prompt("fics% x"));
    EXPECT_FALSE(is_prompt("login: "));
}

// The example of the help file "style12": after 7. Ke2.
TEST(IcsStyle12, ReadsTheHelpFilesExample) {
    const auto board = parse_style12(
        "<12> rnbqkb-r pppppppp -----n-- -------- ----P--- -------- PPPPKPPP RNBQ-BNR B -1 0 0 1 1 0 7 "
        "Newton "
        "Einstein 1 2 12 39 39 119 122 2 K/e1-e2 (0:06) Ke2 0");
    ASSERT_TRUE(board.has_value()) << board.error().message;
    EXPECT_EQ(chess::to_fen(board->position), "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 0 2");
    EXPECT_EQ(board->game, 7);
    EXPECT_THAT(board->names, ElementsAre("Newton", "Einstein"));
    EXPECT_EQ(board->relation, Relation::MyMove);
    EXPECT_EQ(board->my_side(), chess::Black);
    EXPECT_EQ(board->base, 2min);
    EXPECT_EQ(board->increment, 12s);
    EXPECT_THAT(board->clocks, ElementsAre(119s, 122s));
    EXPECT_EQ(board->last_move, "Ke2");
}

TEST(IcsStyle12, KnowsMilliseconds) {
    const auto board = parse_style12(
        "<12> rnbqkbnr pppp-ppp -------- ----p--- ----PP-- -------- PPPP--PP RNBQKBNR B 5 1 1 1 1 0 241 "
        "GuestGFFC "
        "GuestNXMP -1 2 12 39 39 120000 -55 2 none (0:00.000) none 0 0 0");
    ASSERT_TRUE(board.has_value()) << board.error().message;
    EXPECT_THAT(board->clocks, ElementsAre(120s, -55ms));
    EXPECT_EQ(board->last_move, "");
    EXPECT_EQ(board->my_side(), chess::White);
}

TEST(IcsStyle12, RefusesWhatIsNoBoard) {
    const std::string good = tests::Style12Text{}.text();
    ASSERT_TRUE(parse_style12(good).has_value());
    const auto refused = [](std::string line) {
        const auto board = parse_style12(line);
        EXPECT_FALSE(board.has_value()) << line;
        if (!board) {
            EXPECT_EQ(board.error().message.find('\n'), std::string::npos);
        }
    };
    const auto with = [&](std::string_view from, std::string_view to) {
        std::string line = good;
        line.replace(line.find(from), from.size(), to);
        return line;
    };
    refused("");
    refused("<12>");
    refused(with("rnbqkbnr", "rnbqkbn"));
    refused(with("rnbqkbnr", "rnbqxbnr"));
    refused(with("RNBQKBNR", "RNBQ-BNR"));
    refused(with(" W ", " w "));
    refused(with(" -1 1 1 1 1", " 8 1 1 1 1"));
    refused(with(" -1 1 1 1 1", " -1 2 1 1 1"));
    refused(with(" White ", " Wh*te "));
    refused(with("180000", "18s"));
    refused(with("(0:00.123)", "0:00"));
    // A double push without its pawn.
    refused(with(" -1 1 1 1 1", " 4 1 1 1 1"));
}

// Castling rights of a rook that has gone are dropped.
TEST(IcsStyle12, DropsRightsThatCannotBe) {
    std::string line = tests::Style12Text{}.text();
    line.replace(line.find("RNBQKBNR"), 8, "RNBQKBN-");
    const auto board = parse_style12(line);
    ASSERT_TRUE(board.has_value());
    EXPECT_FALSE(board->position.may_castle(chess::White, chess::KingSide));
    EXPECT_TRUE(board->position.may_castle(chess::White, chess::QueenSide));
}

// Every position of any game is read as what it is.
RC_GTEST_PROP(IcsStyle12, IsReadAsItWasWritten, (std::uint64_t seed)) {
    base::Random random(seed);
    tests::play_random_game(
        random, chess::Position(), 120, [&](const auto& before, chess::Move move, const auto& after) {
            tests::Style12Text text{.position = after, .double_push = tests::double_push_file(before, move)};
            text.white_clock = static_cast<std::int64_t>(random.below(1'000'000)) - 1'000;
            text.game = static_cast<int>(random.below(1'000));
            text.in_milliseconds = random.below(2) == 0;
            const auto board = parse_style12(text.text());
            RC_ASSERT(board.has_value());
            RC_ASSERT(board->position == after);
            RC_ASSERT(board->game == text.game);
            const auto unit = text.in_milliseconds ? 1 : 1'000;
            RC_ASSERT(board->clocks[chess::White].count() == text.white_clock / unit * unit);
        });
}

RC_GTEST_PROP(IcsStyle12, OfAnythingIsReadOrRefusedInOneLine, ()) {
    std::string line = tests::Style12Text{}.text();
    const int changes = *rc::gen::inRange(1, 5);
    for (int i = 0; i < changes; ++i)
        line[*rc::gen::inRange<std::size_t>(0, line.size())] =
            *rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::elementOf("PNBRQKpnbrqk- 01WB9().:"s));
    const auto board = parse_style12(line);
    if (!board)
        RC_ASSERT(board.error().message.find('\n') == std::string::npos ||
                  line.find('\n') != std::string::npos);
    if (board) RC_ASSERT(chess::parse_fen(chess::to_fen(board->position)).has_value());
}

template <class Expected>
Expected message(std::string_view line) {
    const Message found = recognise(line);
    const auto* expected = std::get_if<Expected>(&found);
    EXPECT_NE(expected, nullptr) << line;
    return expected ? *expected : Expected{};
}

TEST(IcsMessages, OfAGamesBeginning) {
    const auto creating = message<Creating>("Creating: mgatto (1327) Thegermain (1645) unrated blitz 4 0");
    EXPECT_THAT(creating.names, ElementsAre("mgatto", "Thegermain"));
    EXPECT_THAT(creating.ratings, ElementsAre(1327, 1645));
    EXPECT_FALSE(creating.rated);
    EXPECT_EQ(creating.kind, "blitz");
    EXPECT_EQ(creating.minutes, 4);
    EXPECT_EQ(message<Creating>("Creating: MAd (++++) Sandstrom ( 857) rated wild/fr 5 3").ratings[0],
              std::nullopt);
    EXPECT_EQ(message<Creating>("Creating: MAd (++++) Sandstrom ( 857) rated wild/fr 5 3").ratings[1], 857);
    EXPECT_EQ(message<Creating>("Creating: guest1 () guest2 (1500E) unrated blitz 5 0").ratings[1], 1500);

    const auto started =
        message<GameStarted>("{Game 55 (mgatto vs. Thegermain) Creating unrated blitz match.}");
    EXPECT_EQ(started.game, 55);
    EXPECT_FALSE(started.continued);
    EXPECT_TRUE(message<GameStarted>("{Game 5 (a vs. b) Continuing rated standard match.}").continued);
}

TEST(IcsMessages, OfAGamesEnd) {
    const auto check = [](std::string_view reason, std::string_view result, engine::GameEnd end) {
        const auto ended =
            message<GameEnded>(fmt::format("{{Game 67 (MAd vs. Sandstrom) {}}} {}", reason, result));
        EXPECT_EQ(ended.game, 67);
        EXPECT_EQ(ended.reason, reason);
        EXPECT_EQ(games::to_string(ended.result), result);
        EXPECT_EQ(classify_end(ended.reason, ended.result), end) << reason;
    };
    // The help file "result".
    using engine::GameEnd;
    check("Sandstrom checkmated", "1-0", GameEnd::Checkmate);
    check("MAd resigns", "0-1", GameEnd::Resignation);
    check("MAd forfeits by disconnection", "0-1", GameEnd::Disconnection);
    check("MAd forfeits on time", "0-1", GameEnd::TimeForfeit);
    check("Game drawn by stalemate", "1/2-1/2", GameEnd::Stalemate);
    check("Game drawn by mutual agreement", "1/2-1/2", GameEnd::Agreement);
    check("Game drawn because both players ran out of time", "1/2-1/2", GameEnd::TimeForfeit);
    check("Game drawn by repetition", "1/2-1/2", GameEnd::Repetition);
    check("Game drawn by the 50 move rule", "1/2-1/2", GameEnd::FiftyMoves);
    check("Neither player has mating material", "1/2-1/2", GameEnd::InsufficientMaterial);
    check("White ran out of time and Black has no material to mate", "1/2-1/2", GameEnd::TimeForfeit);
    check("MAd wins by adjudication", "1-0", GameEnd::Adjudication);
    check("Game drawn by adjudication", "1/2-1/2", GameEnd::Adjudication);
    check("Game adjourned by mutual agreement", "*", GameEnd::Adjourned);
    check("White lost connection; game adjourned", "*", GameEnd::Adjourned);
    check("Game courtesyadjourned by Black", "*", GameEnd::Adjourned);
    check("Game aborted by mutual agreement", "*", GameEnd::Aborted);
    check("Game aborted on move 1", "*", GameEnd::Aborted);
    check("Game courtesyaborted by White", "*", GameEnd::Aborted);
    check("something new", "1-0", GameEnd::Unknown);
}

TEST(IcsMessages, OfRequests) {
    const auto challenge =
        message<Challenge>("Challenge: jshriver (1738) [white] Erebus (1798) rated blitz 5 1.");
    EXPECT_EQ(challenge.from, "jshriver");
    EXPECT_EQ(challenge.to, "Erebus");
    EXPECT_EQ(challenge.rating, 1738);
    EXPECT_EQ(challenge.side, chess::White);
    EXPECT_TRUE(challenge.rated);
    EXPECT_EQ(challenge.minutes, 5);
    EXPECT_EQ(challenge.increment, 1);
    EXPECT_FALSE(challenge.adjourned);
    EXPECT_TRUE(message<Challenge>("Challenge: TayxBot (1940) KnightCap (1940) rated blitz 2 10 (adjourned).")
                    .adjourned);
    EXPECT_EQ(message<Challenge>("Challenge: a (----) b(C) (1500) unrated bughouse 3 0.").kind, "bughouse");

    EXPECT_EQ(message<Offer>("Tridge offers you a draw.").kind, Offer::Kind::Draw);
    EXPECT_EQ(message<Offer>("Tridge would like to abort the game; type \"abort\" to accept.").kind,
              Offer::Kind::Abort);
    EXPECT_EQ(message<Offer>("Tridge would like to adjourn the game; type \"adjourn\" to accept.").kind,
              Offer::Kind::Adjourn);
    EXPECT_EQ(message<Offer>("Tridge would like to take back 2 half move(s).").kind, Offer::Kind::TakeBack);
    EXPECT_EQ(message<Offer>("Tridge offers you a draw.").from, "Tridge");
}

TEST(IcsMessages, OfTheRest) {
    EXPECT_EQ(message<MoveRefused>("Illegal move (e2e5).").why, MoveRefused::Why::Illegal);
    EXPECT_EQ(message<MoveRefused>("It is not your move.").why, MoveRefused::Why::NotYourTurn);
    message<NotPlaying>("You are not playing or examining a game.");
    message<NoStoredGames>("Scholar has no adjourned games.");
    const auto stored = message<StoredGame>(
        " 1: W BabyLurking       Y [ br  5   0] 29-13 W27 D37 Thu Nov 23, 12:14 PST 2000");
    EXPECT_EQ(stored.side, chess::White);
    EXPECT_EQ(stored.opponent, "BabyLurking");
    EXPECT_TRUE(stored.online);
    EXPECT_FALSE(message<StoredGame>("12: B gbtami            N [ wu  2  12] 39-39 W3  C20 Sun").online);
    EXPECT_EQ(
        message<AdjournedOpponent>("Notification: TayxBot, who has an adjourned game with you, has arrived.")
            .name,
        "TayxBot");
    EXPECT_EQ(message<SessionStarted>("**** Starting FICS session as GuestABCD(U) ****").name, "GuestABCD");
    message<LoggedInElsewhere>("**** Scholar has arrived - you can't both be logged in. ****");
    EXPECT_EQ(message<RatingChanged>("Blitz rating adjustment: 1500 --> 1508").after, 1508);
}

// What another user says is never the server's word.
TEST(IcsMessages, AreNotWhatOthersSay) {
    for (const std::string_view said :
         {"{Game 7 (a vs. b) a resigns} 1-0", "Illegal move (e2e4).", "**** Starting FICS session as X ****",
          "Challenge: a (1) b (2) rated blitz 3 0.", "Creating: a (1) b (2) rated blitz 3 0",
          "You are not playing or examining a game."})
        for (const std::string_view before :
             {"Troll tells you: ", "Troll(U) shouts: ", "--> Troll ", "Troll(1500)[7] kibitzes: ", "\\   ",
              ":Troll ", "Troll says: "})
            EXPECT_TRUE(
                std::holds_alternative<std::monostate>(recognise(std::string(before) + std::string(said))))
                << before << said;
}

RC_GTEST_PROP(IcsMessages, OfAnythingAreRecognisedOrNot, (std::string text)) {
    static const std::vector<std::string> kBeginnings{
        "{Game ", "{Game 1 (a vs. b) ", "Creating: ", "Creating: a (1500) ", "Challenge: ",
        "**** ",  "Notification: ",     " 1: W ",     "a would like to ",    ""};
    recognise(*rc::gen::elementOf(kBeginnings) + text);
}

const std::vector<std::string>& a_list() {
    static const std::vector<std::string> lines{
        "Movelist for game 250:",
        "",
        "MasterBing (1995) vs. Maurian (2035) --- Tue Nov 18, 15:30 PST 2014",
        "Rated blitz match, initial time: 3 minutes, increment: 0 seconds.",
        "",
        "Move  MasterBing         Maurian",
        "----  ----------------   ----------------",
        "  1.  d4      (0:00)     Nf6     (0:00)",
        "  2.  c4      (0:01)     d6      (0:01)",
        "  3.  Nc3     (0:02.123)",
        "      {Still in progress} *"};
    return lines;
}

TEST(IcsMoveList, IsReadWhateverComesBetween) {
    MoveListReader reader;
    std::optional<MoveList> list;
    for (const auto& line : a_list()) {
        EXPECT_FALSE(list);
        EXPECT_FALSE(reader.add("Troll shouts: {hello} 1-0"));
        EXPECT_FALSE(reader.add("{Game 9 (x vs. y) x resigns} 0-1"));
        list = reader.add(line);
    }
    ASSERT_TRUE(list);
    EXPECT_THAT(list->names, ElementsAre("MasterBing", "Maurian"));
    EXPECT_EQ(list->moves.size(), 5U);
    EXPECT_TRUE(list->in_progress());
    EXPECT_EQ(list->result, games::GameResult::Unknown);
}

TEST(IcsMoveList, LongerThanAnyGameComesToNothing) {
    for (const int extra : {0, 1}) {
        MoveListReader reader;
        reader.add("A (1500) vs. B (1600) --- Sun Nov 22, 10:00 UTC 2026");
        reader.add("----  ----------------   ----------------");
        const int moves = kMostPlies / 2 + extra;
        for (int number = 1; number <= moves; ++number)
            reader.add("  " + std::to_string(number) +
                       (number % 2 == 1 ? ".  Nf3  (0:00)  Nf6  (0:00)" : ".  Ng1  (0:00)  Ng8  (0:00)"));
        EXPECT_EQ(reader.add("      {Still in progress} *").has_value(), extra == 0);
    }
}

TEST(IcsMoveList, WithAnImpossibleMoveComesToNothing) {
    for (const std::string_view wrong : {"  2.  Ke4     (0:01)     d6      (0:01)", "  3.  c4      (0:01)"}) {
        MoveListReader reader;
        std::optional<MoveList> list;
        for (const auto& line : a_list())
            list = reader.add(line.starts_with("  2.") ? wrong : std::string_view(line));
        EXPECT_FALSE(list) << wrong;
    }
}

// Of two moves at once the first promotes and the second takes what came of it: the boards do not tell which
// piece that was, the list of moves does.
TEST(IcsGame, LearnsFromTheListWhatAPawnBecame) {
    for (const std::string_view promoted : {"hxg8=Q", "hxg8=R", "hxg8=B", "hxg8=N"}) {
        std::vector<chess::Line> lines(1);
        MoveList list{.names = {"White", "Black"}, .moves = {}, .reason = "", .result = {}};
        for (const std::string_view san :
             {"h4"sv, "g5"sv, "hxg5"sv, "h6"sv, "gxh6"sv, "a6"sv, "h7"sv, "a5"sv, promoted, "Rxg8"sv}) {
            list.moves.push_back(chess::parse_san(lines.back().current(), san).value());
            lines.push_back(lines.back());
            lines.back().push(list.moves.back());
        }
        const auto board_of = [&](std::size_t ply) {
            tests::Style12Text text{.position = lines[ply].current()};
            text.pretty_move = chess::to_san(lines[ply - 1].current(), list.moves[ply - 1]);
            return parse_style12(text.text()).value();
        };
        GameTracker tracker({}, board_of(8));
        ASSERT_EQ(tracker.apply(board_of(10)), GameTracker::Change::Advanced);
        MoveList other = list;
        other.moves[7] = chess::parse_san(lines[7].current(), "b5").value();
        EXPECT_FALSE(tracker.complete(other));
        ASSERT_TRUE(tracker.complete(list)) << promoted;
        const auto game = tracker.played(games::GameResult::Draw, engine::GameEnd::Agreement, "");
        ASSERT_EQ(game.moves.size(), list.moves.size());
        EXPECT_EQ(game.moves[8].move, list.moves[8]) << promoted;
    }
}

// The tracker against a plain copy of the game: what it is told is what it has, and what is false it doubts.
RC_GTEST_PROP(IcsGame, FollowsBoardsOneOrTwoMovesOn, (std::uint64_t seed)) {
    base::Random random(seed);
    const auto board_of = [](const chess::Line& line, chess::Move last) {
        tests::Style12Text text{.position = line.current()};
        text.double_push = line.ply() > 0 ? tests::double_push_file(line.ago(1), last) : -1;
        if (line.ply() > 0) text.pretty_move = chess::to_san(line.ago(1), last);
        text.relation = line.current().side_to_move() == chess::White ? 1 : -1;
        return parse_style12(text.text()).value();
    };
    chess::Line line;
    std::vector<chess::Move> moves;
    engine::GameHeader header;
    header.names = {"White", "Black"};
    GameTracker tracker(header, board_of(line, {}));
    std::vector<Style12> told;
    for (int step = 0; step < 60; ++step) {
        const int plies = 1 + static_cast<int>(random.below(2));
        int played = 0;
        for (; played < plies; ++played) {
            const auto legal = chess::legal_moves(line.current());
            if (legal.empty()) break;
            moves.push_back(legal[static_cast<int>(random.below(static_cast<std::uint64_t>(legal.size())))]);
            line.push(moves.back());
        }
        if (played == 0) break;
        told.push_back(board_of(line, moves.back()));
        // Of two moves at once the first was ours, or what leads there is not certain.
        engine::Decision ours;
        ours.move = moves[moves.size() - static_cast<std::size_t>(played)];
        tracker.note_decision(ours);
        RC_ASSERT(tracker.apply(told.back()) == GameTracker::Change::Advanced);
        RC_ASSERT(tracker.apply(told.back()) == GameTracker::Change::None);
        if (told.size() > 3) RC_ASSERT(tracker.apply(told[told.size() - 3]) == GameTracker::Change::Behind);
        RC_ASSERT(tracker.line().current() == line.current());
    }
    const auto game = tracker.played(games::GameResult::Draw, engine::GameEnd::Agreement, "");
    RC_ASSERT(game.moves.size() == moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i) RC_ASSERT(game.moves[i].move == moves[i]);
    RC_ASSERT(game.is_whole);
    // Believed, an old board is where the game then is.
    if (told.size() > 4) {
        tracker.believe(told[1]);
        RC_ASSERT(same_board(tracker.line().current(), told[1].position));
    }
    // The list of its moves makes a game whole that was taken up in its middle.
    if (told.size() > 4) {
        MoveList list{.names = header.names, .moves = moves, .reason = "Still in progress", .result = {}};
        GameTracker late(header, told[2]);
        RC_ASSERT(late.apply(told[3]) == GameTracker::Change::Advanced);
        RC_ASSERT(late.complete(list));
        RC_ASSERT(late.line().start() == chess::Position());
        RC_ASSERT(same_board(late.line().current(), told[3].position));
        RC_ASSERT(late.extend(list));
        RC_ASSERT(late.line().current() == line.current());
        list.moves.resize(1);
        RC_ASSERT(!GameTracker(header, told[2]).complete(list));
    }
}

}  // namespace
}  // namespace scholar::protocols::ics
