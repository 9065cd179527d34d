#include "games/book.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "base/files.hpp"
#include "base/streams.hpp"
#include "chess/fen.hpp"
#include "chess/polyglot_key.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "games/book_builder.hpp"
#include "games/pgn.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

namespace scholar::games {
namespace {

using chess::Position;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::TemporaryFolder;

constexpr std::uint64_t kStartKey = 0x463b96181691fc9cULL;  // published with the format

Position position(const char* fen) {
    return chess::parse_fen(fen).value();
}

std::vector<std::string> words(const BookMoves& found) {
    std::vector<std::string> moves;
    for (const BookMove& move : found.moves)
        moves.push_back(chess::to_uci(move.move) + " " + std::to_string(move.weight));
    return moves;
}

// Two entries of the start position by hand: 1. e4 (e2 is 12, e4 is 28: 12 · 64 + 28) weighs 3, 1. d4
// weighs 5.
std::string two_moves() {
    return std::string(
        "\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x00\x03\x00\x00\x00\x00"
        "\x46\x3b\x96\x18\x16\x91\xfc\x9c\x02\xdb\x00\x05\x00\x00\x01\x02",
        32);
}

base::Result<Book> book_of(std::string_view bytes) {
    const TemporaryFolder folder;
    EXPECT_TRUE(base::write_atomically(folder / "test.bin", bytes));
    return Book::open(folder / "test.bin");
}

TEST(Book, EntriesByHand) {
    const auto book = book_of(two_moves());
    ASSERT_TRUE(book) << book.error().message;
    EXPECT_EQ(book->size(), 2U);
    EXPECT_EQ(book->positions(), 1U);
    const BookMoves found = book->moves(Position());
    EXPECT_THAT(words(found), ElementsAre("d2d4 5", "e2e4 3"));
    EXPECT_EQ(found.moves[0].learn, 258U);
    EXPECT_EQ(found.total_weight(), 8U);
    EXPECT_TRUE(book->moves(position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")).moves.empty());
    const TemporaryFolder folder;
    ASSERT_TRUE(write_book(folder / "again.bin", book->entries()));
    EXPECT_EQ(base::read_text(folder / "again.bin").value(), two_moves());
}

TEST(Book, MovesAsTheFormatPacksThem) {
    const auto packed = [](const char* fen, const char* move) {
        const Position at = position(fen);
        const auto parsed = chess::parse_san(at, move).value();
        const std::uint16_t bits = to_book_move(parsed);
        EXPECT_EQ(from_book_move(at, bits), parsed) << move;
        return bits;
    };
    constexpr const char* kCastles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    constexpr const char* kBlackCastles = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
    EXPECT_EQ(packed(kCastles, "O-O"), 4 << 6 | 7);
    EXPECT_EQ(packed(kCastles, "O-O-O"), 4 << 6 | 0);
    EXPECT_EQ(packed(kBlackCastles, "O-O"), 60 << 6 | 63);
    EXPECT_EQ(packed(kBlackCastles, "O-O-O"), 60 << 6 | 56);
    constexpr const char* kPromotes = "8/4P1k1/8/8/8/8/8/K7 w - - 0 1";
    EXPECT_EQ(packed(kPromotes, "e8=N"), 1 << 12 | 52 << 6 | 60);
    EXPECT_EQ(packed(kPromotes, "e8=Q"), 4 << 12 | 52 << 6 | 60);
    EXPECT_EQ(packed("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "exf6"), 36 << 6 | 45);

    // Castling as the king's own move is understood, where it cannot be another move.
    const Position castles = position(kCastles);
    EXPECT_TRUE(from_book_move(castles, 4 << 6 | 6).is_castling());
    EXPECT_TRUE(from_book_move(castles, 4 << 6 | 2).is_castling());
    EXPECT_EQ(from_book_move(castles, 4 << 6 | 5), chess::parse_san(castles, "Kf1").value());
    // Chess960: the king beside its rook.
    const Position beside = position("6k1/8/8/8/8/8/8/5RK1 w F - 0 1");
    EXPECT_TRUE(from_book_move(beside, 6 << 6 | 5).is_castling());
    // Illegal, no move at all, and a bit too many.
    for (const int bits : {12 << 6 | 36, 0, 0x8000 | 12 << 6 | 28, 5 << 12 | 12 << 6 | 28, 0xFFFF})
        EXPECT_FALSE(from_book_move(Position(), static_cast<std::uint16_t>(bits))) << bits;
}

TEST(Book, IllegalMovesAreCountedAndPassedOver) {
    const Book book = Book::from_entries(
        {{kStartKey, 12 << 6 | 36, 9, 0}, {kStartKey, 12 << 6 | 28, 2, 0}, {kStartKey, 0, 1, 0}});
    const BookMoves found = book.moves(Position());
    EXPECT_THAT(words(found), ElementsAre("e2e4 2"));
    EXPECT_EQ(found.illegal, 2U);
    base::Random random(1);
    EXPECT_EQ(chess::to_uci(book.choose(Position(), random, BookChoice::Best).value()), "e2e4");
}

TEST(Book, ChoosesByWeight) {
    const Book book = Book::from_entries({{kStartKey, 12 << 6 | 28, 30, 0},  // e4
                                          {kStartKey, 11 << 6 | 27, 60, 0},  // d4
                                          {kStartKey, 10 << 6 | 26, 10, 0},  // c4
                                          {kStartKey, 8 << 6 | 16, 0, 0}});  // a3: never
    base::Random random(7);
    std::map<std::string, int> count;
    for (int i = 0; i < 10'000; ++i) {
        const auto move = book.choose(Position(), random, BookChoice::Weighted);
        ASSERT_TRUE(move);
        ++count[chess::to_uci(*move)];
        ASSERT_EQ(chess::to_uci(book.choose(Position(), random, BookChoice::Best).value()), "d2d4");
    }
    // Five standard deviations of 10,000 draws are 250 and less.
    EXPECT_NEAR(count["e2e4"], 3'000, 250);
    EXPECT_NEAR(count["d2d4"], 6'000, 250);
    EXPECT_NEAR(count["c2c4"], 1'000, 150);
    EXPECT_EQ(count.contains("a2a3"), false);

    const Book worthless = Book::from_entries({{kStartKey, 8 << 6 | 16, 0, 0}});
    EXPECT_EQ(worthless.moves(Position()).moves.size(), 1U);
    EXPECT_FALSE(worthless.choose(Position(), random, BookChoice::Best));
    EXPECT_FALSE(worthless.choose(Position(), random, BookChoice::Weighted));
    EXPECT_FALSE(book.choose(position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), random, BookChoice::Best));
}

TEST(Book, DamagedFilesAreRefusedInOneLine) {
    const auto refused = [](std::string_view bytes) {
        const auto book = book_of(bytes);
        EXPECT_FALSE(book);
        const std::string message = book ? "" : book.error().message;
        EXPECT_THAT(message, HasSubstr("test.bin: "));
        EXPECT_EQ(message.find('\n'), std::string::npos);
        return message;
    };
    for (std::size_t size = 1; size < 32; ++size) {
        if (size == 16) continue;
        EXPECT_THAT(refused(two_moves().substr(0, size)), HasSubstr("16 bytes an entry: cut off"));
    }
    std::string unsorted = two_moves();
    unsorted[16] = '\x45';
    EXPECT_THAT(refused(unsorted),
                HasSubstr("entry 2: key 453b96181691fc9c after 463b96181691fc9c, expected keys in order"));
    EXPECT_THAT(refused("[Event \"a PGN\"]\n"
                        "[Site \"not a book\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n"),
                HasSubstr("test.bin"));
    const auto missing = Book::open("/nowhere/none.bin");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("none.bin"));

    const auto empty = book_of("");
    ASSERT_TRUE(empty);
    EXPECT_EQ(empty->size(), 0U);
    EXPECT_EQ(empty->positions(), 0U);
    EXPECT_TRUE(empty->moves(Position()).moves.empty());
}

// Whatever the bytes, a file is refused or gives legal moves.
// As books are passed on; what it is when it is no book is said, too.
TEST(Book, PackedOnesAreUnpacked) {
    const TemporaryFolder folder;
    std::string bytes;
    for (char key = 1; key <= 100; ++key) bytes += std::string(7, '\0') + key + std::string(8, '\1');
    ASSERT_TRUE(base::write_atomically(folder / "book.bin", bytes));
    ASSERT_TRUE(base::write_atomically(folder / "book.bin.zst", base::compress_block(bytes, 3)));
    const auto plain = Book::open(folder / "book.bin");
    const auto packed = Book::open(folder / "book.bin.zst");
    ASSERT_TRUE(plain && packed);
    EXPECT_EQ(packed->size(), 100U);
    EXPECT_EQ(packed->size(), plain->size());
    ASSERT_TRUE(base::write_atomically(folder / "book.rar", "Rar!\x1A\x07 and more"));
    const auto other = Book::open(folder / "book.rar");
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("a RAR archive"), std::string::npos) << other.error().message;
}

TEST(Book, RandomBytesDoNoHarm) {
    base::Random random(3);
    for (int i = 0; i < 300; ++i) {
        std::vector<BookEntry> entries(random.below(60));
        for (BookEntry& entry : entries)
            entry = {random.below(3) == 0 ? random.next() : kStartKey,
                     static_cast<std::uint16_t>(random.next()), static_cast<std::uint16_t>(random.next()),
                     static_cast<std::uint32_t>(random.next())};
        std::ranges::sort(entries, {}, &BookEntry::key);
        const Book book = Book::from_entries(entries);
        const BookMoves found = book.moves(Position());
        const auto of_start = std::ranges::count(entries, kStartKey, &BookEntry::key);
        EXPECT_EQ(found.moves.size() + found.illegal, static_cast<std::size_t>(of_start));
        for (const BookMove& move : found.moves)
            EXPECT_TRUE(chess::legal_moves(Position()).contains(move.move));
        if (i % 5 != 0) continue;
        std::string noise;
        for (std::uint64_t left = 16 * (2 + random.below(20)); left > 0; --left)
            noise += static_cast<char>(random.next());
        const bool in_order = book_of(noise).has_value();
        bool expected = true;
        for (std::size_t at = 16; at < noise.size(); at += 16)
            expected &= std::string_view(noise).substr(at, 8) >= std::string_view(noise).substr(at - 16, 8);
        EXPECT_EQ(in_order, expected);
    }
}

TEST(Book, WritingRefusesDisorder) {
    const TemporaryFolder folder;
    EXPECT_FALSE(write_book(folder / "bad.bin", {{2, 1, 1, 0}, {1, 1, 1, 0}}));
    EXPECT_FALSE(std::filesystem::exists(folder / "bad.bin"));
}

TEST(Book, WalksEveryPositionOnce) {
    // 1. e4 e5 and 1. d4, where 1. e3 e5 2. e4 comes to the position after 1. e4 e5 with the other side to
    // move only.
    std::vector<BookEntry> entries;
    const auto add = [&](const char* moves, const char* move) {
        Position at;
        for (const char* text = moves; *text != '\0';) {
            at.make(chess::parse_uci_move(at, std::string_view(text, 4)).value());
            text += 4;
        }
        entries.push_back(
            {chess::polyglot_key(at), to_book_move(chess::parse_uci_move(at, move).value()), 1, 0});
    };
    add("", "g1f3");
    add("", "d2d4");
    add("g1f3", "g8f6");
    add("g1f3g8f6", "d2d4");
    add("d2d4", "g8f6");
    add("d2d4g8f6", "g1f3");
    add("d2d4g8f6g1f3", "e7e6");
    std::ranges::sort(entries, {}, &BookEntry::key);
    std::vector<int> plies;
    std::set<std::string> seen;
    Book::from_entries(entries).walk(Position(), [&](const Position& at, const BookMoves& moves, int ply) {
        EXPECT_TRUE(seen.insert(chess::to_epd_fields(at)).second) << "visited twice";
        EXPECT_FALSE(moves.moves.empty());
        plies.push_back(ply);
    });
    // The two orders meet after three half-moves.
    EXPECT_THAT(plies, ElementsAre(0, 1, 1, 2, 2, 3));
}

// ---------------------------------------------------------------------------------------------------------------------

Game game_of(const std::vector<const char*>& moves, GameResult result) {
    Game game;
    game.result = result;
    Position at;
    for (const char* move : moves) {
        game.moves.push_back(chess::parse_san(at, move).value());
        at.make(game.moves.back());
    }
    return game;
}

std::vector<std::string> made(const BookBuilder::Options& options, const std::vector<Game>& games,
                              const Position& at = Position()) {
    BookBuilder builder(options);
    for (const Game& game : games) builder.add(game);
    return words(Book::from_entries(builder.finish()).moves(at));
}

BookBuilder::Options all_moves() {
    BookBuilder::Options options;
    options.min_games = 1;
    return options;
}

TEST(BookBuilder, WeightsAreTheMoversPoints) {
    const std::vector<Game> games{
        game_of({"e4", "e5"}, GameResult::WhiteWins), game_of({"e4", "c5"}, GameResult::Draw),
        game_of({"e4", "e5"}, GameResult::BlackWins), game_of({"d4", "d5"}, GameResult::BlackWins),
        game_of({"c4"}, GameResult::Unknown)};
    EXPECT_THAT(made(all_moves(), games), ElementsAre("e2e4 3"));
    const Position after_e4 = Position().after(chess::parse_san(Position(), "e4").value());
    EXPECT_THAT(made(all_moves(), games, after_e4), ElementsAre("e7e5 2", "c7c5 1"));

    auto options = all_moves();
    options.min_games = 2;
    EXPECT_THAT(made(options, games, after_e4), ElementsAre("e7e5 2"));
    options = all_moves();
    options.max_ply = 1;
    EXPECT_THAT(made(options, games, after_e4), ElementsAre());
    options = all_moves();
    options.side = chess::Black;
    EXPECT_THAT(made(options, games), ElementsAre());
    EXPECT_THAT(made(options, games, after_e4), ElementsAre("e7e5 2", "c7c5 1"));
    options = all_moves();
    options.min_score = 0.5;
    EXPECT_THAT(made(options, games), ElementsAre("e2e4 3")) << "1½ of 3 is enough";
    options.min_score = 0.51;
    EXPECT_THAT(made(options, games), ElementsAre());
}

TEST(BookBuilder, RatingsAreOfThePlayerWhoMoves) {
    std::vector<Game> games{game_of({"e4", "e5"}, GameResult::Draw), game_of({"d4", "d5"}, GameResult::Draw)};
    games[0].tags = {{"WhiteElo", "2700"}, {"BlackElo", "2300"}};
    games[1].tags = {{"WhiteElo", "?"}, {"BlackElo", "2500"}};
    auto options = all_moves();
    options.min_rating = 2'400;
    EXPECT_THAT(made(options, games), ElementsAre("e2e4 1"));
    const Position after_e4 = Position().after(chess::parse_san(Position(), "e4").value());
    const Position after_d4 = Position().after(chess::parse_san(Position(), "d4").value());
    EXPECT_THAT(made(options, games, after_e4), ElementsAre());
    EXPECT_THAT(made(options, games, after_d4), ElementsAre("d7d5 1"));
}

TEST(BookBuilder, LeavesOutChess960AndGamesWithoutResult) {
    std::vector<Game> games{game_of({"e4"}, GameResult::Unknown), game_of({"d4"}, GameResult::WhiteWins)};
    games[1].chess960 = true;
    BookBuilder builder(all_moves());
    for (const Game& game : games) builder.add(game);
    EXPECT_TRUE(builder.finish().empty());
    EXPECT_EQ(builder.counts().without_result, 1U);
    EXPECT_EQ(builder.counts().chess960, 1U);
    EXPECT_EQ(builder.counts().games, 0U);
}

TEST(BookBuilder, ForgetsTheRarestWhenThereAreTooMany) {
    std::vector<Game> games;
    base::Random random(5);
    for (int i = 0; i < 200; ++i) {
        Game game;
        game.result = GameResult::Draw;
        tests::play_random_game(random, game.start, 20, [&](const auto&, chess::Move move, const auto&) {
            game.moves.push_back(move);
        });
        games.push_back(std::move(game));
    }
    auto options = all_moves();
    options.max_moves = 300;
    BookBuilder builder(options);
    for (const Game& game : games) builder.add(game);
    const auto entries = builder.finish();
    EXPECT_GT(builder.counts().forgotten, 0U);
    EXPECT_LE(entries.size(), 300U);
    // The first moves, of ten games each, are all still there.
    EXPECT_EQ(Book::from_entries(entries).moves(Position()).moves.size(), 20U);
}

// Master games against a count of another kind: by the text of the position and of the move.
TEST(BookBuilder, MasterGamesAgainstAnotherCount) {
    constexpr int kGames = tests::kSanitized ? 100 : 1'000;
    constexpr int kPlies = 24;
    constexpr std::uint32_t kMinGames = 2;
    auto reader = PgnReader::open(tests::source_dir() / "games/master-games.pgn.zst");
    ASSERT_TRUE(reader) << reader.error().message;

    struct Tally {
        std::uint32_t games = 0;
        std::uint32_t points = 0;
    };
    std::map<std::string, std::map<std::string, Tally>> expected;
    std::vector<Game> games;
    while (games.size() < kGames) {
        const auto item = reader->next();
        ASSERT_TRUE(item);
        ASSERT_NE(*item, PgnItem::End);
        if (*item != PgnItem::Game) continue;
        games.push_back(reader->game());
        const Game& game = games.back();
        if (game.result == GameResult::Unknown) continue;
        Position at = game.start;
        for (std::size_t ply = 0; ply < game.moves.size() && ply < kPlies; ++ply) {
            Tally& tally = expected[chess::to_epd_fields(at)][chess::to_uci(game.moves[ply])];
            ++tally.games;
            const bool white = at.side_to_move() == chess::White;
            if (game.result == GameResult::Draw) tally.points += 1;
            if (game.result == (white ? GameResult::WhiteWins : GameResult::BlackWins)) tally.points += 2;
            at.make(game.moves[ply]);
        }
    }

    BookBuilder::Options options;
    options.max_ply = kPlies;
    options.min_games = kMinGames;
    BookBuilder builder(options);
    for (const Game& game : games) builder.add(game);
    const auto entries = builder.finish();
    // Backwards it is the same book.
    BookBuilder again(options);
    for (auto game = games.rbegin(); game != games.rend(); ++game) again.add(*game);
    EXPECT_EQ(again.finish(), entries);

    const TemporaryFolder folder;
    ASSERT_TRUE(write_book(folder / "masters.bin", entries));
    const auto book = Book::open(folder / "masters.bin");
    ASSERT_TRUE(book) << book.error().message;
    EXPECT_EQ(book->entries(), entries);
    std::size_t moves = 0;
    for (const auto& [fields, tallies] : expected) {
        const Position at = chess::parse_fen(fields).value();
        const BookMoves found = book->moves(at);
        EXPECT_EQ(found.illegal, 0U);
        std::map<std::string, std::uint32_t> in_book;
        for (const BookMove& move : found.moves) in_book[chess::to_uci(move.move)] = move.weight;
        EXPECT_TRUE(std::ranges::is_sorted(found.moves, std::ranges::greater(), &BookMove::weight));
        for (const auto& [move, tally] : tallies) {
            const bool kept = tally.games >= kMinGames && tally.points > 0;
            ASSERT_EQ(in_book.contains(move), kept) << fields << " " << move;
            if (!kept) continue;
            EXPECT_EQ(in_book[move], tally.points) << fields << " " << move;
            ++moves;
        }
    }
    EXPECT_EQ(book->size(), moves) << "nothing else is in the book";
    EXPECT_GT(moves, tests::kSanitized ? 100U : 1'000U);
}

TEST(BookBuilder, WeightsAreScaledTo16BitsByPosition) {
    const auto entries =
        scale_weights({{1, 10, 131'070}, {1, 11, 65'535}, {1, 12, 1}, {2, 10, 65'535}, {2, 11, 3}});
    const std::vector<BookEntry> expected{
        {1, 10, 65'535, 0}, {1, 11, 32'767, 0}, {1, 12, 1, 0}, {2, 10, 65'535, 0}, {2, 11, 3, 0}};
    EXPECT_EQ(entries, expected);
    // The heaviest first, equals by the move's bits.
    const auto ordered = scale_weights({{1, 10, 2}, {1, 11, 7}, {1, 12, 7}});
    const std::vector<BookEntry> in_order{{1, 11, 7, 0}, {1, 12, 7, 0}, {1, 10, 2, 0}};
    EXPECT_EQ(ordered, in_order);
}

TEST(Book, MergingAddsWeights) {
    const Book one = Book::from_entries({{1, 10, 5, 9}, {3, 10, 40'000, 0}, {3, 11, 10, 0}});
    const Book two = Book::from_entries({{1, 11, 6, 0}, {2, 10, 1, 0}, {3, 10, 40'000, 0}});
    const std::vector<BookEntry> expected{
        {1, 11, 6, 0}, {1, 10, 5, 0}, {2, 10, 1, 0}, {3, 10, 65'535, 0}, {3, 11, 8, 0}};
    EXPECT_EQ(merge_books({&one, &two}), expected);
    EXPECT_EQ(merge_books({&two, &one}), expected);
    EXPECT_TRUE(merge_books({}).empty());
}

// A book that we did not make (the test data of python-chess): Black's replies in the trap, and White's.
TEST(Book, LaskerTrap) {
    const auto path = tests::shared_data("books/lasker-trap.bin");
    if (!path) GTEST_SKIP() << "no books/lasker-trap.bin: set SCHOLAR_DATA to run this test";
    const auto book = Book::open(*path);
    ASSERT_TRUE(book) << book.error().message;
    EXPECT_EQ(book->size(), 7U);
    // 1. d4 d5 2. c4 e5 3. dxe5 d4 4. e3 Bb4+ 5. Bd2 dxe3 6. Bxb4 exf2+ 7. Ke2 fxg1=N+.
    Position at;
    std::size_t found = 0;
    for (const char* move : {"d4", "d5", "c4", "e5", "dxe5", "d4", "e3", "Bb4+", "Bd2", "dxe3", "Bxb4",
                             "exf2+", "Ke2", "fxg1=N+"}) {
        const auto parsed = chess::parse_san(at, move).value();
        const BookMoves moves = book->moves(at);
        EXPECT_EQ(moves.illegal, 0U) << move;
        for (const BookMove& entry : moves.moves) {
            EXPECT_EQ(entry.move, parsed) << move;
            ++found;
        }
        at.make(parsed);
    }
    EXPECT_EQ(found, book->size());
}

}  // namespace
}  // namespace scholar::games
