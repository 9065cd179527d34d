#include "games/learnt_book.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "chess/fen.hpp"
#include "chess/polyglot_key.hpp"
#include "games/learnt_book_snapshot.hpp"
#include "learnt_book_fixture.hpp"
#include "support/test_data.hpp"

// The records and files of a learnt book.

namespace scholar::games {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using tests::game_of;
using tests::random_book_game;
using tests::random_book_search;
using tests::TemporaryFolder;

std::string bytes_of(const fs::path& path) {
    return base::read_text(path).value();
}

std::unique_ptr<LearntBook> open_book(const fs::path& path, BookAccess access = BookAccess::Write,
                                      const BookBounds& bounds = {}) {
    auto book = LearntBook::open(path, access, Flush::AtEnd, bounds);
    EXPECT_TRUE(book) << (book ? "" : book.error().message);
    return std::move(*book);
}

bool write(const fs::path& path, std::string_view bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file.good();
}

std::string refusal(const fs::path& path, BookAccess access = BookAccess::Read) {
    const auto book = LearntBook::open(path, access);
    return book ? "" : book.error().message;
}

// A book of random games and searches; what its files were after each game.
struct Written {
    std::vector<std::string> journals;   // by number of games
    std::vector<std::string> snapshots;  // the same
    std::vector<BookState> states;       // the same
    std::vector<std::uint64_t> ends;     // of each record, the bounds' first
};

Written write_random(const fs::path& path, int records, std::uint64_t seed, const BookBounds& bounds = {},
                     int plies = 20) {
    base::Random random(seed);
    Written written;
    const auto book = open_book(path, BookAccess::Write, bounds);
    const auto note = [&] {
        EXPECT_TRUE(book->save_snapshot());
        written.journals.push_back(bytes_of(path));
        written.snapshots.push_back(bytes_of(snapshot_path(path)));
        written.states.push_back(book->state());
    };
    written.ends.push_back(book->place().end);
    note();
    for (int i = 0; i < records; ++i) {
        const BookGame game = random_book_game(random, plies, 3);
        const bool is_search = random.below(4) == 0;
        EXPECT_TRUE(is_search ? book->add(random_book_search(random, game)) : book->add(game));
        written.ends.push_back(book->place().end);
        if (!is_search) note();
    }
    EXPECT_TRUE(book->flush());
    return written;
}

// ---- records ----

TEST(LearntBookRecord, ByHand) {
    BookGame game = game_of("e4 e5 Nf3", GameResult::WhiteWins, "A. N. Other");
    game.moves[0].opinion = {chess::Score(-12), 9, 5'000};
    EXPECT_EQ(to_text(game, 7), "game 7 white 1-0 startpos e2e4:-12:9:5000,e7e5,g1f3 A. N. Other");
    game.color = chess::Black;
    game.result = GameResult::Draw;
    game.start = chess::parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").value();
    game.moves = {{chess::parse_san(game.start, "O-O").value(), std::nullopt}};
    game.opponent = "";
    EXPECT_EQ(to_text(game, 1), "game 1 black 1/2-1/2 4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1 e1g1 ");
    EXPECT_EQ(to_text(BookSearch{{}, {}}), "search startpos -");
    EXPECT_EQ(to_text(BookBounds{}), "book 1 60 20000");
    EXPECT_EQ(book_name(" \tIM\nNobody\x7F  "), "IM Nobody");
    EXPECT_EQ(book_name(std::string(300, 'x')).size(), 120U);
}

RC_GTEST_PROP(LearntBookRecord, AGameIsReadAsItWasWritten, ()) {
    base::Random random(*rc::gen::arbitrary<std::uint64_t>());
    BookGame game = random_book_game(random, *rc::gen::inRange(0, 120), 50);
    game.opponent = book_name(*rc::gen::string<std::string>());
    const auto number = *rc::gen::inRange<std::uint64_t>(1, 1ULL << 62);
    const auto read = parse_book_record(to_text(game, number));
    RC_ASSERT(read.has_value());
    RC_ASSERT(std::get<NumberedGame>(*read).number == number);
    RC_ASSERT(std::get<NumberedGame>(*read).game == game);
}

RC_GTEST_PROP(LearntBookRecord, ASearchIsReadAsItWasWritten, ()) {
    base::Random random(*rc::gen::arbitrary<std::uint64_t>());
    const BookSearch search = random_book_search(random, random_book_game(random, 60, 50));
    const auto read = parse_book_record(to_text(search));
    RC_ASSERT(read.has_value());
    RC_ASSERT(std::get<BookSearch>(*read) == search);
}

TEST(LearntBookRecord, RefusesWhatItDoesNotWrite) {
    const std::map<std::string, std::string> refused{
        {"", "expected game or search"},
        {"games 1", "'games', expected game or search"},
        {"game 0 white 1-0 startpos - X", "game number '0', expected a whole number from 1"},
        {"game 01 white 1-0 startpos - X", "game number '01'"},
        {"game 1 red 1-0 startpos - X", "colour 'red', expected white or black"},
        {"game 1 white * startpos - X", "result '*', expected 1-0, 0-1 or 1/2-1/2"},
        {"game 1 white 1-0 nowhere - X", "FEN"},
        {"game 1 white 1-0 startpos e2e4,e2e4 X", "half-move 2"},
        {"game 1 white 1-0 startpos e2e4:1:2 X", "nodes ''"},
        {"game 1 white 1-0 startpos e2e4:40000:2:3 X", "score '40000'"},
        {"game 1 white 1-0 startpos e2e4:1:-2:3 X", "depth '-2'"},
        {"game 1 white 1-0 startpos - \x01", "expected a record without any"},
        {"game 1 white 1\r0 startpos - X", "a control character"},
        {"game 1 white 1-0 startpos -  X", "expected a name"},
        {"search startpos e2e4", "expected MOVE:SCORE:DEPTH:NODES"},
    };
    for (const auto& [text, message] : refused) {
        const auto read = parse_book_record(text);
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(read.error().message, HasSubstr(message)) << text;
    }
    EXPECT_FALSE(parse_book_bounds("book 2 60 20000"));
    EXPECT_FALSE(parse_book_bounds("book 1 0 20000"));
    EXPECT_FALSE(parse_book_bounds("game 1 60 20000"));
    EXPECT_EQ(parse_book_bounds("book 1 12 34").value(), (BookBounds{12, 34}));
}

// ---- the graph ----

const LearntMove* find_move(const BookGraph& graph, const chess::Position& position, std::string_view san) {
    const LearntPosition* here = graph.find(position);
    if (here == nullptr) return nullptr;
    const std::uint16_t bits = to_book_move(chess::parse_san(position, san).value());
    const auto found = std::ranges::find(here->moves, bits, &LearntMove::move);
    return found == here->moves.end() ? nullptr : &*found;
}

TEST(LearntBookGraph, CountsWhoPlayedWhatAndWhatCameOfIt) {
    BookGraph graph{BookState{}};
    graph.add(game_of("e4 e5", GameResult::WhiteWins, "Ann"));
    graph.add(game_of("e4 c5", GameResult::BlackWins, "Ann"));
    graph.add(game_of("e4 e5", GameResult::Draw, "Bob", chess::Black));
    const chess::Position start;
    const LearntMove* e4 = find_move(graph, start, "e4");
    ASSERT_NE(e4, nullptr);
    EXPECT_EQ(e4->ours, 2U);
    EXPECT_EQ(e4->theirs, 1U);
    EXPECT_EQ((std::array{e4->wins, e4->draws, e4->losses}), (std::array{1U, 1U, 1U}));
    ASSERT_EQ(e4->opponents.size(), 2U);
    EXPECT_EQ(e4->opponents[*graph.opponent("Ann")], (OpponentTally{0, true, 1, 0, 1}));
    EXPECT_EQ(e4->opponents[*graph.opponent("Bob")], (OpponentTally{1, false, 0, 1, 0}));
    EXPECT_FALSE(graph.opponent("Cy"));
    // For the side that moved.
    const LearntMove* e5 = find_move(graph, start.after(chess::parse_san(start, "e4").value()), "e5");
    ASSERT_NE(e5, nullptr);
    EXPECT_EQ((std::array{e5->ours, e5->theirs, e5->wins, e5->losses}), (std::array{1U, 1U, 0U, 1U}));
}

TEST(LearntBookGraph, KnowsATransposition) {
    BookGraph graph{BookState{}};
    graph.add(game_of("d4 d5 c4 e6 Nc3", GameResult::WhiteWins, "Ann"));
    graph.add(game_of("c4 e6 d4 d5 Nc3", GameResult::WhiteWins, "Bob"));
    chess::Position position;
    for (const char* san : {"d4", "e6", "c4", "d5"})  // a third order
        position.make(chess::parse_san(position, san).value());
    const LearntMove* move = find_move(graph, position, "Nc3");
    ASSERT_NE(move, nullptr);
    EXPECT_EQ(move->wins, 2U);
    EXPECT_EQ(graph.find(position)->games, 2U);
}

TEST(LearntBookGraph, AGameCountsOnceForAMoveThatComesBack) {
    BookGraph graph{BookState{}};
    graph.add(game_of("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6", GameResult::Draw, "Ann"));
    const LearntMove* move = find_move(graph, {}, "Nf3");
    EXPECT_EQ(move->draws, 1U);
    EXPECT_EQ(graph.find({})->games, 1U);
}

TEST(LearntBookGraph, OneOpponentsLongAgoIsHalved) {
    BookGraph graph{BookState{}};
    for (int i = 0; i < 16; ++i) graph.add(game_of("e4", GameResult::WhiteWins, "Ann"));
    EXPECT_EQ(find_move(graph, {}, "e4")->opponents.front(), (OpponentTally{0, true, 16, 0, 0}));
    graph.add(game_of("e4", GameResult::BlackWins, "Ann"));
    EXPECT_EQ(find_move(graph, {}, "e4")->opponents.front(), (OpponentTally{0, true, 8, 0, 0}));
    for (int i = 0; i < 100; ++i) graph.add(game_of("e4", GameResult::BlackWins, "Ann"));
    EXPECT_EQ(find_move(graph, {}, "e4")->opponents.front().wins, 0);
    EXPECT_EQ(find_move(graph, {}, "e4")->wins, 16U);
}

TEST(LearntBookGraph, AnOpinionSpeaksOfThePositionsOnBothSides) {
    BookGraph graph{BookState{}};
    BookGame game = game_of("e4 e5 Nf3 Nc6", GameResult::Draw, "Ann");
    game.moves[2].opinion = tests::opinion(50);
    graph.add(game);
    chess::Position position;
    position.make(game.moves[0].move);
    EXPECT_EQ(find_move(graph, position, "e5")->opinion->score, chess::Score(-50));
    EXPECT_FALSE(graph.find(position)->opinion);
    position.make(game.moves[1].move);
    EXPECT_EQ(find_move(graph, position, "Nf3")->opinion->score, chess::Score(50));
    EXPECT_EQ(graph.find(position)->opinion->score, chess::Score(50));
    position.make(game.moves[2].move);
    EXPECT_EQ(graph.find(position)->opinion->score, chess::Score(-50));
    // A glance does not replace a long search; one of about as many nodes does.
    const auto search = [&](int score, std::uint64_t nodes) {
        graph.add(BookSearch{{}, {{game.moves[0].move, tests::opinion(score, nodes)}}});
        return graph.find({})->opinion->score.value();
    };
    EXPECT_EQ(search(30, 1'000'000), 30);
    EXPECT_EQ(search(40, 400'000), 30);
    EXPECT_EQ(search(45, 600'000), 45);
}

TEST(LearntBookGraph, ForgetsWhatIsOfLeastUse) {
    base::Random random(3);
    BookState state;
    state.bounds.max_positions = 64;
    BookGraph graph(state);
    for (int i = 0; i < 40; ++i) graph.add(game_of("e4 e5 Nf3 Nc6", GameResult::Draw, "Ann"));
    chess::Position searched;
    graph.add(BookSearch{searched.after(chess::Move(chess::A2, chess::A3)),
                         {{chess::Move(chess::E7, chess::E5), tests::opinion(0, 100 * kNodesOfAGame)}}});
    for (int i = 0; i < 200; ++i) {
        graph.add(random_book_game(random, 30, 20));
        ASSERT_LE(graph.state().positions.size(), 64U);
        ASSERT_GE(graph.state().positions.size(), 4U);
    }
    chess::Position position;
    for (const char* san : {"e4", "e5", "Nf3", "Nc6"}) {
        ASSERT_NE(graph.find(position), nullptr) << san;
        position.make(chess::parse_san(position, san).value());
    }
    EXPECT_NE(graph.find(searched.after(chess::Move(chess::A2, chess::A3))), nullptr);
}

// ---- files ----

RC_GTEST_PROP(LearntBookSnapshot, IsReadAsItWasWritten, ()) {
    base::Random random(*rc::gen::arbitrary<std::uint64_t>());
    BookGraph graph{BookState{}};
    const int games = *rc::gen::inRange(0, 12);
    for (int i = 0; i < games; ++i) {
        const BookGame game = random_book_game(random, 20, 4);
        graph.add(game);
        if (random.below(2) == 0) graph.add(random_book_search(random, game));
    }
    const BookSnapshot snapshot{{random.next(), random.next(), random.next()}, random.next(), graph.state()};
    const std::string bytes = to_bytes(snapshot);
    const auto read = parse_book_snapshot(bytes);
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->place == snapshot.place);
    RC_ASSERT(read->journal_hash == snapshot.journal_hash);
    RC_ASSERT(read->state == snapshot.state);
    // Any flipped bit is noticed.
    std::string damaged = bytes;
    damaged[random.below(bytes.size())] ^= static_cast<char>(1 << random.below(8));
    RC_ASSERT(!parse_book_snapshot(damaged).has_value());
}

TEST(LearntBook, IsWhatReplayingTheJournalGives) {
    const TemporaryFolder folder;
    const auto path = folder / "a.book";
    const Written written = write_random(path, 40, 1);
    {
        const auto book = open_book(path, BookAccess::Read);
        EXPECT_TRUE(book->had_snapshot());
        EXPECT_EQ(book->torn(), 0U);
        EXPECT_EQ(book->state().games, written.states.back().games);
    }
    // An old snapshot and the rest of the journal; and the journal alone.
    const BookState whole = open_book(path, BookAccess::Read)->state();
    for (const std::string& snapshot : written.snapshots) {
        ASSERT_TRUE(write(snapshot_path(path), snapshot));
        const auto book = open_book(path, BookAccess::Read);
        ASSERT_TRUE(book->had_snapshot());
        ASSERT_EQ(book->state(), whole);
        ASSERT_EQ(check_learnt_book(path).value(), true);
    }
    fs::remove(snapshot_path(path));
    EXPECT_EQ(open_book(path, BookAccess::Read)->state(), whole);
    EXPECT_EQ(check_learnt_book(path).value(), false);
}

TEST(LearntBook, TheSnapshotOfAnotherJournalIsNotBelieved) {
    const TemporaryFolder folder;
    write_random(folder / "a.book", 10, 1);
    write_random(folder / "b.book", 10, 2);
    fs::copy_file(snapshot_path(folder / "b.book"), snapshot_path(folder / "a.book"),
                  fs::copy_options::overwrite_existing);
    EXPECT_FALSE(open_book(folder / "a.book", BookAccess::Read)->had_snapshot());
    EXPECT_THAT(check_learnt_book(folder / "a.book").error().message,
                HasSubstr("a.book.snapshot: of another journal than"));
    // One that claims to be of this journal, but is not what it makes.
    const std::string journal = bytes_of(folder / "a.book");
    auto lie = parse_book_snapshot(bytes_of(snapshot_path(folder / "b.book"))).value();
    lie.place.end = journal.size();
    lie.journal_hash = base::hash_text(journal);
    ASSERT_TRUE(write(snapshot_path(folder / "a.book"), to_bytes(lie)));
    EXPECT_THAT(check_learnt_book(folder / "a.book").error().message, HasSubstr("differs from what"));
}

TEST(LearntBook, ACrashAtAnyByteLosesAtMostTheRecordBeingWritten) {
    const TemporaryFolder folder;
    const auto path = folder / "a.book";
    const Written written = write_random(path, 5, 4, {}, 10);
    const std::string whole = bytes_of(path);
    ASSERT_EQ(whole.size(), written.ends.back());
    const std::size_t step = tests::kSanitized ? 23 : 1;
    for (std::size_t size = 0; size < whole.size(); size += step) {
        ASSERT_TRUE(write(path, std::string_view(whole).substr(0, size)));
        const auto after = std::ranges::upper_bound(written.ends, size);
        const std::uint64_t kept = after == written.ends.begin() ? 0 : *(after - 1);
        if (kept > 0) {
            const auto reader = LearntBook::open(path, BookAccess::Read);
            ASSERT_TRUE(reader) << size << ": " << reader.error().message;
            ASSERT_EQ((*reader)->torn(), size - kept);
            ASSERT_EQ((*reader)->place().end, kept);
        }
        // The next writer goes on from there, and comes to the same journal.
        {
            const auto book = open_book(path);
            ASSERT_EQ(book->place().end, kept == 0 ? written.ends.front() : kept) << size;
            ASSERT_TRUE(book->add(game_of("e4", GameResult::Draw, "Ann")));
        }
        const std::string again = bytes_of(path);
        const std::uint64_t base = std::max(kept, written.ends.front());
        ASSERT_EQ(again.substr(0, base), whole.substr(0, base));
        ASSERT_EQ(refusal(path), "");
    }
}

TEST(LearntBook, WhatAPowerFailureLeavesOfTheLastRecordIsCutOff) {
    const TemporaryFolder folder;
    const auto path = folder / "a.book";
    const Written written = write_random(path, 6, 5);
    const std::string whole = bytes_of(path);
    const std::string before = whole.substr(0, written.ends[written.ends.size() - 2]);
    base::Random random(6);
    for (int round = 0; round < 30; ++round) {
        // As long as it was to be, part of it zeros.
        std::string torn = whole;
        const std::size_t from = before.size() + random.below(torn.size() - before.size());
        std::fill(torn.begin() + static_cast<std::ptrdiff_t>(from), torn.end(), '\0');
        if (random.below(2) == 0) torn.back() = '\n';
        ASSERT_TRUE(write(path, torn));
        const auto book = open_book(path);
        ASSERT_EQ(book->place().end, before.size());
        ASSERT_EQ(bytes_of(path), before);
        // With an end it might have been whole once.
        if (torn.back() == '\n') {
            ASSERT_EQ(bytes_of(folder / "a.book.torn"), torn.substr(before.size()));
            fs::remove(folder / "a.book.torn");
        }
        ASSERT_FALSE(fs::exists(folder / "a.book.torn"));
    }
}

TEST(LearntBook, OtherDamageIsRefusedAndNamed) {
    const TemporaryFolder folder;
    const auto path = folder / "a.book";
    const Written written = write_random(path, 10, 7);
    const std::string whole = bytes_of(path);
    for (std::size_t line = 0; line + 1 < written.ends.size(); ++line) {
        const std::size_t start = line == 0 ? 0 : written.ends[line - 1];
        std::string bytes = whole;
        bytes[start + 30] ^= 1;
        ASSERT_TRUE(write(path, bytes));
        const std::string said = refusal(path, BookAccess::Write);
        ASSERT_THAT(said, HasSubstr(line == 0 ? "a.book: expected a learnt book"
                                              : fmt::format("a.book: line {} is damaged", line + 1)));
        ASSERT_EQ(bytes_of(path), bytes);  // as it was
    }
    // A line left out, two exchanged: each is whole, but they do not follow each other.
    const auto record = [&](std::size_t i) {
        return whole.substr(written.ends[i], written.ends[i + 1] - written.ends[i]);
    };
    const std::string head = whole.substr(0, written.ends[3]);
    for (const std::string& bytes :
         {head + record(4) + record(5) + record(6), head + record(4) + record(3) + record(5)}) {
        ASSERT_TRUE(write(path, bytes));
        EXPECT_THAT(refusal(path), HasSubstr("a.book: line 5 is damaged and others follow"));
    }
    // Right digits, wrong words.
    JournalPlace place;
    std::string bytes = journal_line("book 1 60 20000", place);
    bytes += journal_line("game 2 white 1-0 startpos e2e4 Ann", place);
    ASSERT_TRUE(write(path, bytes));
    EXPECT_THAT(refusal(path), HasSubstr("a.book: line 2: game 2, expected game 1"));
    ASSERT_TRUE(write(path, std::string_view("[Event \"a PGN file\"]\n")));
    EXPECT_THAT(refusal(path, BookAccess::Write), HasSubstr("a.book: expected a learnt book"));
    EXPECT_FALSE(is_learnt_book(path));
    EXPECT_THAT(refusal(folder / "none"), HasSubstr("cannot open"));
    EXPECT_THAT(refusal(folder.path(), BookAccess::Write), HasSubstr(folder.path().string()));
}

TEST(LearntBook, RollsBackToAnyGameByteForByte) {
    const TemporaryFolder folder;
    const auto path = folder / "a.book";
    const Written written = write_random(path, 30, 8, {20, 40});
    const std::string whole = bytes_of(path);
    for (std::size_t game = written.journals.size(); game-- > 0;) {
        ASSERT_TRUE(write(path, whole));
        const auto done = roll_back(path, game);
        ASSERT_TRUE(done) << done.error().message;
        ASSERT_EQ(bytes_of(path), written.journals[game]);
        ASSERT_EQ(bytes_of(snapshot_path(path)), written.snapshots[game]);
        const auto book = open_book(path, BookAccess::Read);
        ASSERT_TRUE(book->had_snapshot());
        ASSERT_EQ(book->state(), written.states[game]);
        // What came later is not lost: it fits where it was.
        const std::string aside = done->set_aside.empty() ? "" : bytes_of(done->set_aside);
        ASSERT_EQ(done->bytes, aside.size());
        ASSERT_EQ(bytes_of(path) + aside, whole);
    }
    ASSERT_TRUE(write(path, whole));
    EXPECT_THAT(roll_back(path, 1'000).error().message,
                HasSubstr("whole games, expected a number up to that, not 1000"));
    EXPECT_EQ(bytes_of(path), whole);
}

TEST(LearntBook, WhatWasRolledBackStaysWhateverComes) {
    const TemporaryFolder folder;
    const auto path = folder / "a.book";
    write_random(path, 0, 1);
    for (const char* opponent : {"Ann", "Bob", "Bob"}) {
        ASSERT_TRUE(open_book(path)->add(game_of("e4", GameResult::Draw, opponent)));
        ASSERT_TRUE(roll_back(path, 0));
    }
    EXPECT_THAT(bytes_of(folder / "a.book.after-0"), HasSubstr("Ann"));
    EXPECT_THAT(bytes_of(folder / "a.book.after-0.2"), HasSubstr("Bob"));
    EXPECT_FALSE(fs::exists(folder / "a.book.after-0.3"));
    EXPECT_TRUE(roll_back(path, 0)->set_aside.empty());
}

TEST(LearntBook, RollingBackMendsADamagedEnd) {
    const TemporaryFolder folder;
    const auto path = folder / "a.book";
    const Written written = write_random(path, 12, 9);
    std::string bytes = bytes_of(path);
    bytes[written.journals[3].size() + 40] ^= 1;
    ASSERT_TRUE(write(path, bytes));
    ASSERT_NE(refusal(path), "");
    EXPECT_THAT(roll_back(path, 9).error().message, HasSubstr("whole games"));
    const auto done = roll_back(path, 3);
    ASSERT_TRUE(done);
    EXPECT_EQ(open_book(path)->state(), written.states[3]);
    EXPECT_EQ(bytes_of(path) + bytes_of(done->set_aside), bytes);
}

TEST(LearntBook, HasOneWriterAndAnyReaders) {
    const TemporaryFolder folder;
    const auto path = folder / "a.book";
    const auto writer = open_book(path);
    EXPECT_THAT(refusal(path, BookAccess::Write), HasSubstr("a.book: another program is writing it"));
    EXPECT_THAT(roll_back(path, 0).error().message, HasSubstr("another program is writing it"));
    const auto reader = open_book(path, BookAccess::Read);
    ASSERT_TRUE(writer->add(game_of("e4", GameResult::Draw, "Ann")));
    EXPECT_EQ(reader->state().games, 0U);
    EXPECT_EQ(open_book(path, BookAccess::Read)->state().games, 1U);
    EXPECT_THAT(reader->add(game_of("e4", GameResult::Draw, "Ann")).error().message,
                HasSubstr("open for reading only"));
    EXPECT_FALSE(writer->add(game_of("e4", GameResult::Unknown, "Ann")));
    EXPECT_EQ(writer->state().games, 1U);
}

TEST(LearntBook, KeepsItsOwnBounds) {
    const TemporaryFolder folder;
    const auto path = folder / "a.book";
    write_random(path, 5, 1, {6, 30});
    const auto book = open_book(path, BookAccess::Write, {60, 1'000});
    EXPECT_EQ(book->state().bounds, (BookBounds{6, 30}));
    BookGame game = game_of("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", GameResult::Draw, " Ann\n");
    ASSERT_TRUE(book->add(game));
    EXPECT_THAT(bytes_of(path), HasSubstr("e2e4,e7e5,g1f3,b8c6,f1b5,a7a6 Ann\n"));
}

TEST(LearntBook, IsExportedToPolyglot) {
    BookGraph graph{BookState{}};
    for (int i = 0; i < 30; ++i) {
        const std::string name = "Opponent " + std::to_string(i);
        graph.add(game_of("e4 e5", i % 3 == 0 ? GameResult::BlackWins : GameResult::WhiteWins, name));
        graph.add(game_of("d4 d5", i % 3 == 0 ? GameResult::WhiteWins : GameResult::BlackWins, name));
    }
    graph.add(game_of("a3", GameResult::WhiteWins, "Ann"));  // too little is known of it
    const TemporaryFolder folder;
    ASSERT_TRUE(write_book(folder / "a.bin", to_polyglot(graph)));
    const auto book = Book::open(folder / "a.bin");
    ASSERT_TRUE(book);
    const BookMoves moves = book->moves({});
    ASSERT_EQ(moves.moves.size(), 1U);
    EXPECT_EQ(moves.moves.front().move, chess::Move(chess::E2, chess::E4));
    EXPECT_EQ(moves.moves.front().weight, 100);
}

}  // namespace
}  // namespace scholar::games
