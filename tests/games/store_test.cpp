#include "games/store.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>

#include "base/files.hpp"
#include "base/random.hpp"
#include "base/streams.hpp"
#include "games/bytes.hpp"
#include "games/scan.hpp"
#include "games/store_format.hpp"
#include "support/random_stores.hpp"
#include "support/test_data.hpp"

namespace scholar::games {
namespace {

using testing::HasSubstr;
using tests::expect_same;
using tests::random_game;
using tests::random_games;
using tests::read_all;
using tests::TemporaryFolder;
using tests::write_bytes;
using tests::write_store;

RC_GTEST_PROP(Store, AnyGamesSurvive, (std::uint64_t seed)) {
    const TemporaryFolder folder;
    const auto path = folder / "a.games";
    const auto count = *rc::gen::inRange<std::size_t>(0, 12);
    const std::vector<Game> games = random_games(count, seed);
    const StoreSummary summary = write_store(path, games, {.games_per_block = 1 + seed % 5});
    RC_ASSERT(summary.games == games.size());
    std::vector<Game> read;
    RC_ASSERT(read_all(path, &read) == "");
    RC_ASSERT(read.size() == games.size());
    for (std::size_t i = 0; i < games.size(); ++i) {
        expect_same(read[i], games[i]);
        RC_ASSERT(!testing::Test::HasFailure());
    }
}

TEST(Store, TotalsHashesAndColumns) {
    const TemporaryFolder folder;
    const std::vector<Game> games = random_games(50, 3);
    const StoreSummary summary = write_store(folder / "a.games", games, {.games_per_block = 16});
    const auto store = StoreReader::open(folder / "a.games");
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(store->games(), 50U);
    EXPECT_EQ(store->blocks().size(), 4U);
    std::uint64_t plies = 0;
    for (const Game& game : games) plies += game.moves.size();
    EXPECT_EQ(store->plies(), plies);
    EXPECT_EQ(store->bytes(), summary.bytes);
    EXPECT_EQ(std::filesystem::file_size(folder / "a.games"), summary.bytes);
    EXPECT_EQ(store->data_hash(), summary.data_hash);

    // Columns that were not asked for are not there, those that were are.
    const auto block = store->read_block(1, {.tags = false, .moves = false, .evaluations = false});
    ASSERT_TRUE(block);
    for (std::size_t i = 0; i < block->games(); ++i) {
        const Game& game = games[16 + i];
        EXPECT_EQ(block->info(i).hash, game.hash());
        EXPECT_EQ(block->info(i).plies, game.moves.size());
        EXPECT_EQ(block->info(i).result, game.result);
        EXPECT_TRUE(block->tags(i).empty());
        EXPECT_TRUE(block->evaluations(i).empty());
        EXPECT_TRUE(block->move_indices(i).empty());
    }
}

TEST(Store, DataHashIsOfTheGamesNotOfTheirCompression) {
    const TemporaryFolder folder;
    std::vector<Game> games = random_games(20, 4);
    const auto fast = write_store(folder / "a.games", games, {.compression_level = 1});
    const auto small = write_store(folder / "b.games", games, {.compression_level = 19});
    EXPECT_NE(fast.bytes, small.bytes);
    EXPECT_EQ(fast.data_hash, small.data_hash);
    games[7].result = games[7].result == GameResult::Draw ? GameResult::WhiteWins : GameResult::Draw;
    EXPECT_NE(write_store(folder / "c.games", games).data_hash, fast.data_hash);
}

TEST(Store, UnknownColumnsArePassedOver) {
    // A block as a later program might write it: a section more, of a codec that this one does not know.
    BlockBuilder builder;
    const Game game = random_game(77);
    ASSERT_TRUE(builder.add(game));
    const std::string block = builder.finish(3);
    const auto header = parse_block_header(block, block.size());
    ASSERT_TRUE(header);
    const std::string payload = "clocks, perhaps";
    std::string changed = block.substr(0, 4);
    put_fixed(changed, static_cast<std::uint32_t>(header->sections.size() + 1));
    changed += block.substr(8, header->header_size - 8 - 8);
    changed += "CLCK";
    put_fixed(changed, std::uint32_t{9});
    put_fixed(changed, std::uint32_t{4'000});
    put_fixed(changed, static_cast<std::uint32_t>(payload.size()));
    put_fixed(changed, std::uint64_t{12'345});
    put_fixed(changed, base::hash_text(changed));
    changed += block.substr(header->header_size) + payload;
    const auto read = Block::decode(changed, Columns::all());
    ASSERT_TRUE(read) << read.error().message;
    expect_same(read->game(0).value(), game);
}

// As written by the format before it had numbers by ply: such games make the same bytes for ever.
TEST(Store, GamesWithoutNumbersAreWrittenAsEver) {
    BlockBuilder builder;
    for (Game game : random_games(30, 6)) {
        game.clocks.clear();
        game.times.clear();
        game.nodes.clear();
        ASSERT_TRUE(builder.add(game));
    }
    const std::string block = builder.finish(3);
    const auto header = parse_block_header(block, block.size());
    ASSERT_TRUE(header);
    std::vector<std::string> ids;
    for (const auto& section : header->sections) ids.push_back(section.id);
    EXPECT_THAT(ids, testing::ElementsAre("GAME", "HASH", "STRT", "TAGS", "MOVE", "EVLM", "EVLS", "EVLD"));
}

Game knights_game(std::size_t plies) {
    Game game;
    const std::array<chess::Move, 4> shuffle{
        chess::Move(chess::G1, chess::F3), chess::Move(chess::G8, chess::F6),
        chess::Move(chess::F3, chess::G1), chess::Move(chess::F6, chess::G8)};
    for (std::size_t i = 0; i < plies; ++i) game.moves.push_back(shuffle[i % 4]);
    return game;
}

std::string pack(const Game& game) {
    BlockBuilder builder;
    EXPECT_TRUE(builder.add(game));
    return builder.finish(1);
}

TEST(PlyNumbers, AnyNumbersSurvive) {
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
    const std::vector<PlyNumbers> cases{
        {0, kMost, kMost, 0, 1, kMost - 1},
        {std::nullopt, 5, std::nullopt, std::nullopt, std::nullopt, 5},
        {180'000, 180'000, 179'000, 178'000, 170'000, std::nullopt},
        {kMost / 2, kMost / 2 + 1, kMost / 2 + 1, kMost / 2, 0, 1'000},
        {std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt},
    };
    for (const PlyNumbers& numbers : cases) {
        Game game = knights_game(6);
        game.nodes = numbers;
        const auto block = Block::decode(pack(game), Columns::all());
        ASSERT_TRUE(block) << block.error().message;
        expect_same(block->game(0).value(), game);
        const auto read = block->nodes(0);
        EXPECT_TRUE(read.empty() || std::ranges::equal(read, numbers));
        EXPECT_TRUE(block->clocks(0).empty());
    }
}

// Worked out by hand: a clock of 3:00 that loses one or two seconds a move is written in seconds and
// differences: one byte a move after the first of each player.
TEST(PlyNumbers, ClocksAreSmallDifferences) {
    Game game = knights_game(6);
    game.clocks = {180'000, 180'000, 179'000, 178'000, 178'000, 176'000};
    const std::string block = pack(game);
    const auto header = parse_block_header(block, block.size());
    ASSERT_TRUE(header);
    const auto values = std::ranges::find(header->sections, "CLKV", &BlockHeader::Section::id);
    ASSERT_NE(values, header->sections.end());
    ASSERT_EQ(values->codec, 0U);  // too short to compress
    std::string expected;
    expected += static_cast<char>(3 << 1 | 1);  // units of 1000, differences
    put_varint(expected, 2 * 180);
    put_varint(expected, 2 * 180);
    for (const int code : {1, 3, 1, 3}) put_varint(expected, static_cast<std::uint64_t>(code));
    std::size_t at = header->header_size;
    for (auto section = header->sections.begin(); section != values; ++section) at += section->stored_size;
    EXPECT_EQ(block.substr(at, values->stored_size), expected);
}

TEST(PlyNumbers, AreReadOnlyWhenAskedFor) {
    Game game = knights_game(3);
    game.clocks = {1, 2, 3};
    game.times = {4, 5, std::nullopt};
    game.nodes = {std::nullopt, 7, 8};
    const auto block = Block::decode(pack(game), {.times = true});
    ASSERT_TRUE(block);
    EXPECT_TRUE(block->clocks(0).empty());
    EXPECT_TRUE(block->nodes(0).empty());
    ASSERT_EQ(block->times(0).size(), 3U);
    EXPECT_EQ(block->times(0)[1], 5U);
    EXPECT_EQ(block->times(0)[2], std::nullopt);
}

TEST(PlyNumbers, WrongCountIsRefused) {
    Game game = knights_game(3);
    game.times = {4, 5};
    BlockBuilder builder;
    const auto status = builder.add(game);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "2 numbers of column TIMV for 3 half-moves");
    EXPECT_TRUE(builder.empty());
}

TEST(Store, IllegalGameIsRefusedAndTheWriterGoesOn) {
    const TemporaryFolder folder;
    auto writer = StoreWriter::create(folder / "a.games");
    ASSERT_TRUE(writer);
    Game bad;
    bad.moves = {chess::Move(chess::E2, chess::E4), chess::Move(chess::E2, chess::E4)};
    const auto status = writer->add(bad);
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message, HasSubstr("half-move 2 is not legal"));
    EXPECT_FALSE(writer->file_failed());
    const Game good = random_game(5);
    ASSERT_TRUE(writer->add(good));
    ASSERT_TRUE(writer->finish());
    std::vector<Game> read;
    EXPECT_EQ(read_all(folder / "a.games", &read), "");
    ASSERT_EQ(read.size(), 1U);
    expect_same(read[0], good);
}

TEST(Store, WithoutFinishNothingIsLeft) {
    const TemporaryFolder folder;
    write_bytes(folder / "a.games", "what was there before");
    {
        auto writer = StoreWriter::create(folder / "a.games");
        ASSERT_TRUE(writer);
        ASSERT_TRUE(writer->add(random_game(1)));
    }
    EXPECT_EQ(base::read_text(folder / "a.games").value(), "what was there before");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

class DamagedStore : public testing::Test {
  protected:
    DamagedStore() {
        write_store(path_, random_games(12, 8), {.games_per_block = 5});
        bytes_ = base::read_text(path_).value();
    }
    std::string error_of(std::string_view bytes) {
        write_bytes(path_, bytes);
        return read_all(path_);
    }
    TemporaryFolder folder_;
    std::filesystem::path path_ = folder_ / "a.games";
    std::string bytes_;
};

TEST_F(DamagedStore, IsSoundBefore) {
    EXPECT_EQ(error_of(bytes_), "");
}

TEST_F(DamagedStore, EveryTruncationIsRefused) {
    const std::size_t step = tests::kSanitized ? 17 : 1;
    for (std::size_t size = bytes_.size() - 1; size > 0; size -= std::min(size, step)) {
        std::filesystem::resize_file(path_, size);
        const std::string error = read_all(path_);
        ASSERT_THAT(error, HasSubstr("a.games: cut off: no index at the end; "))
            << size << " of " << bytes_.size();
        ASSERT_EQ(error.find('\n'), std::string::npos);
    }
}

// Checksums are of what the columns hold: a bit that zstd does not use may change unseen, and then nothing
// else has.
TEST_F(DamagedStore, EveryFlippedBitIsFoundOrChangesNothing) {
    std::vector<Game> sound;
    ASSERT_EQ(read_all(path_, &sound), "");
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&file](std::size_t at, char c) {
        file.seekp(static_cast<std::streamoff>(at));
        file.put(c);
        file.flush();
    };
    base::Random random(9);
    const int rounds = tests::kSanitized ? 300 : 4'000;
    int found = 0;
    for (int i = 0; i < rounds; ++i) {
        const auto at = random.below(bytes_.size());
        put(at, static_cast<char>(bytes_[at] ^ (1 << random.below(8))));
        std::vector<Game> games;
        const std::string error = read_all(path_, &games);
        if (error.empty()) {
            ASSERT_EQ(games.size(), sound.size());
            for (std::size_t k = 0; k < games.size(); ++k) expect_same(games[k], sound[k]);
        } else {
            ++found;
            ASSERT_THAT(error, HasSubstr("a.games: ")) << "byte " << at;
        }
        put(at, bytes_[at]);
    }
    EXPECT_GT(found, rounds * 99 / 100);
}

TEST_F(DamagedStore, BlockAndSectionAreNamed) {
    const auto store = StoreReader::open(path_);
    ASSERT_TRUE(store);
    const auto header = store->read_block_header(1);
    ASSERT_TRUE(header);
    std::size_t at = store->blocks()[1].offset + header->header_size;
    for (const auto& section : header->sections) {
        std::string damaged = bytes_;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        EXPECT_THAT(error_of(damaged), HasSubstr("block 2: section " + section.id));
        at += section.stored_size;
    }
}

TEST_F(DamagedStore, OtherFilesAndNewerVersions) {
    EXPECT_THAT(error_of("[Event \"a PGN file\"]\n"), HasSubstr("not a game store"));
    EXPECT_THAT(error_of(""), HasSubstr("not a game store"));

    std::string newer(kStoreMagic);
    put_fixed(newer, kStoreVersion + 1);
    put_fixed(newer, std::uint32_t{0});
    put_fixed(newer, base::hash_text(newer));
    EXPECT_THAT(error_of(newer + bytes_.substr(kStoreHeaderSize)), HasSubstr("version 2 of the game store"));

    EXPECT_THAT(read_all(folder_ / "missing.games"), HasSubstr("cannot open"));
    EXPECT_THAT(read_all(folder_.path()), HasSubstr("expected a game store"));
}

// The sections of a block, decoded.
std::vector<std::string> sections_of(const std::string& block, const BlockHeader& header) {
    std::vector<std::string> raws;
    std::size_t at = header.header_size;
    for (const auto& section : header.sections) {
        const std::string stored = block.substr(at, section.stored_size);
        at += section.stored_size;
        raws.push_back(section.codec == 0 ? stored
                                          : base::decompress_block(stored, section.raw_size).value());
    }
    return raws;
}

// A block of such sections as they are, its checksums right.
std::string block_of(const BlockHeader& header, const std::vector<std::string>& raws) {
    std::string bytes = "SBLK";
    put_fixed(bytes, static_cast<std::uint32_t>(raws.size()));
    put_fixed(bytes, header.games);
    put_fixed(bytes, header.plies);
    std::string payload;
    for (std::size_t i = 0; i < raws.size(); ++i) {
        bytes += header.sections[i].id;
        put_fixed(bytes, std::uint32_t{0});
        put_fixed(bytes, static_cast<std::uint32_t>(raws[i].size()));
        put_fixed(bytes, static_cast<std::uint32_t>(raws[i].size()));
        put_fixed(bytes, base::hash_text(raws[i]));
        payload += raws[i];
    }
    put_fixed(bytes, base::hash_text(bytes));
    return bytes + payload;
}

// Blocks whose checksums are right but whose contents are not: what a checksum cannot find must not hurt
// either.
TEST(Block, ContentsThatLieAreRefusedOrHarmless) {
    BlockBuilder builder;
    for (const Game& game : random_games(6, 21)) ASSERT_TRUE(builder.add(game));
    const std::string block = builder.finish(3);
    const auto header = parse_block_header(block, block.size());
    ASSERT_TRUE(header);
    const std::vector<std::string> raws = sections_of(block, *header);
    base::Random random(22);
    int refused = 0;
    const int rounds = tests::kSanitized ? 2'000 : 20'000;
    for (int round = 0; round < rounds; ++round) {
        auto changed = raws;
        std::string& victim = changed[random.below(changed.size())];
        for (int flip = 0; flip < 3; ++flip)
            victim[random.below(victim.size())] = static_cast<char>(random.below(256));
        if (random.below(3) == 0) victim.resize(random.below(victim.size() + 1));
        const auto read = Block::decode(block_of(*header, changed), Columns::all());
        if (!read) {
            ++refused;
            continue;
        }
        for (std::size_t i = 0; i < read->games(); ++i) (void)read->game(i);
    }
    EXPECT_GT(refused, rounds / 10);
}

TEST(Block, EvaluationsAndSizesOutOfRangeAreRefused) {
    Game game;
    game.moves = {chess::Move(chess::G1, chess::F3), chess::Move(chess::G8, chess::F6),
                  chess::Move(chess::F3, chess::G1)};
    game.evaluations = {Evaluation{100, 0, 9}, std::nullopt, Evaluation{110, 0, 9}};
    BlockBuilder builder;
    ASSERT_TRUE(builder.add(game));
    const std::string block = builder.finish(3);
    const auto header = parse_block_header(block, block.size());
    ASSERT_TRUE(header);
    const std::vector<std::string> raws = sections_of(block, *header);
    const auto error_with = [&](std::string_view id, const std::string& raw) -> std::string {
        auto changed = raws;
        for (std::size_t i = 0; i < changed.size(); ++i)
            if (header->sections[i].id == id) changed[i] = raw;
        const auto read = Block::decode(block_of(*header, changed), Columns::all());
        return read ? "" : read.error().message;
    };
    const auto varints = [](std::uint32_t first, std::uint32_t second) {
        std::string raw;
        put_varint(raw, first);
        put_varint(raw, second);
        return raw;
    };
    constexpr std::int32_t kHuge = std::numeric_limits<std::int32_t>::max();
    const std::uint32_t from_zero = 1 + zigzag(32'767);
    EXPECT_EQ(error_with("EVLS", varints(from_zero, 1 + zigzag(0))), "");
    EXPECT_EQ(error_with("EVLS", varints(from_zero, 1 + zigzag(1))), "section EVLS is damaged");
    EXPECT_EQ(error_with("EVLS", varints(from_zero, 1 + zigzag(kHuge))), "section EVLS is damaged");
    EXPECT_EQ(error_with("EVLD", varints(zigzag(255), zigzag(-255))), "");
    EXPECT_EQ(error_with("EVLD", varints(zigzag(255), zigzag(1))), "section EVLD is damaged");
    EXPECT_EQ(error_with("EVLD", varints(zigzag(255), zigzag(kHuge))), "section EVLD is damaged");
    EXPECT_THAT(error_with("EVLM", std::string(2, '\0')), HasSubstr("EVLM says it holds 2 bytes"));
}

// A block of such sections, compressed as far as zstd goes, its checksums right; a name and its bytes each.
std::string compressed_block(std::uint32_t games, std::uint32_t plies,
                             const std::vector<std::pair<std::string, std::string>>& sections) {
    std::string bytes = "SBLK";
    put_fixed(bytes, static_cast<std::uint32_t>(sections.size()));
    put_fixed(bytes, games);
    put_fixed(bytes, plies);
    std::string payload;
    for (const auto& [id, raw] : sections) {
        const std::string packed = base::compress_block(raw, 19);
        bytes += id;
        put_fixed(bytes, std::uint32_t{1});
        put_fixed(bytes, static_cast<std::uint32_t>(raw.size()));
        put_fixed(bytes, static_cast<std::uint32_t>(packed.size()));
        put_fixed(bytes, base::hash_text(raw));
        payload += packed;
    }
    put_fixed(bytes, base::hash_text(bytes));
    return bytes + payload;
}

std::string refusal_of(const std::string& block) {
    const auto read = Block::decode(block, Columns::all());
    return read ? "" : read.error().message;
}

// What a block says about itself costs nothing before it is known that a block can hold it.
TEST(Block, CountsBeyondWhatABlockHoldsAreRefused) {
    const std::string games(4, '\3');  // one game of three half-moves
    const std::string hash(8, '\0');
    const auto with_tags = [&](const std::string& tags) {
        return refusal_of(compressed_block(
            1, 3, {{"GAME", games}, {"HASH", hash}, {"TAGS", tags}, {"MOVE", std::string(3, '\0')}}));
    };
    const auto varint = [](std::uint64_t value) {
        std::string raw;
        put_varint(raw, value);
        return raw;
    };
    const std::string zeros(kMaxBlockBytes / 2, '\0');
    EXPECT_THAT(with_tags(varint(zeros.size()) + zeros), HasSubstr("names, expected at most"));
    EXPECT_THAT(with_tags(varint(0) + varint(2) + zeros), HasSubstr("shapes of games, expected at most 1"));
    EXPECT_THAT(with_tags(varint(1) + varint(1) + "a" + varint(1) + varint(kMaxGameTags + 1) + zeros),
                HasSubstr("tags of one game, expected at most"));
    EXPECT_THAT(with_tags(varint(1) + varint(1) + "a" + varint(1) + varint(1) + varint(0) + varint(0) +
                          varint(1) + varint(9) + zeros),
                HasSubstr("values of one name, expected at most 1"));
    EXPECT_THAT(with_tags(zeros + zeros), HasSubstr("bytes, expected at most"));
    EXPECT_THAT(refusal_of(compressed_block(1, kMaxBlockPlies + 1, {})),
                HasSubstr("half-moves, expected at most"));
    EXPECT_THAT(refusal_of(compressed_block(kMaxBlockGames + 1, 0, {})),
                HasSubstr("games, expected at most"));
    // Half-moves that are not there are not made room for.
    EXPECT_THAT(refusal_of(compressed_block(1, 3'000'000,
                                            {{"GAME", std::string(3, '\3') + varint(3'000'000)},
                                             {"HASH", hash},
                                             {"TAGS", std::string("\0\1\0\0", 4)}})),
                HasSubstr("section MOVE is missing"));
}

// The most that a few kilobytes can ask for: every column, all half-moves.
TEST(Block, AFewKilobytesCostLessThanHalfAGigabyte) {
    if (tests::kSanitized) GTEST_SKIP() << "the sanitizers' own memory is not to be limited";
    constexpr std::uint32_t kGames = 64;
    constexpr std::uint32_t kPlies = kGames * kMaxGamePlies;
    std::string infos(3 * kGames, '\3');
    for (std::uint32_t i = 0; i < kGames; ++i) infos[2 * kGames + i] = '\4';  // it has evaluations
    for (std::uint32_t i = 0; i < kGames; ++i) put_varint(infos, kMaxGamePlies);
    const std::string mask_of_evaluations(kGames * ((kMaxGamePlies + 7) / 8), '\0');
    const std::string mask = std::string(kGames / 8, '\xFF') + mask_of_evaluations;
    const std::string values(kGames, '\0');
    const std::string block =
        compressed_block(kGames, kPlies,
                         {{"GAME", infos},
                          {"HASH", std::string(8 * kGames, '\0')},
                          {"TAGS", std::string("\0\1\0", 3) + std::string(kGames, '\0')},
                          {"MOVE", std::string(kPlies, '\0')},
                          {"EVLM", mask_of_evaluations},
                          {"EVLS", ""},
                          {"EVLD", ""},
                          {"CLKM", mask},
                          {"CLKV", values},
                          {"TIMM", mask},
                          {"TIMV", values},
                          {"NODM", mask},
                          {"NODV", values}});
    EXPECT_LT(block.size(), 8'192U);
    const auto read_in_little_memory = [&] {
        std::ifstream statistics("/proc/self/statm");
        std::uint64_t pages = 0;
        statistics >> pages;
        rlimit limit{};
        getrlimit(RLIMIT_AS, &limit);
        limit.rlim_cur = pages * 4'096 + (std::uint64_t{1} << 29);
        setrlimit(RLIMIT_AS, &limit);
        const auto read = Block::decode(block, Columns::all());
        std::fprintf(stderr, "%s\n", read ? "read" : read.error().message.c_str());
        std::exit(read ? 0 : 1);
    };
    EXPECT_EXIT(read_in_little_memory(), testing::ExitedWithCode(0), "");
}

TEST(Block, TheBuilderKeepsToWhatABlockHolds) {
    Game game;
    game.moves = {chess::Move(chess::G1, chess::F3)};
    for (std::size_t i = 0; i <= kMaxGameTags; ++i) game.tags.emplace_back("a", "b");
    BlockBuilder builder;
    EXPECT_FALSE(builder.add(game));
    game.tags.pop_back();
    while (!builder.full(kMaxBlockGames, kMaxBlockBytes)) ASSERT_TRUE(builder.add(game));
    EXPECT_FALSE(builder.add(game));
    const std::size_t games = builder.games();
    EXPECT_GT(games, 100U);
    const auto block = Block::decode(builder.finish(1), Columns::all());
    ASSERT_TRUE(block) << block.error().message;
    EXPECT_EQ(block->tags(games - 1).size(), kMaxGameTags);

    game.tags = {{"Note", std::string(kMaxGameTagBytes, 'x')}};
    EXPECT_FALSE(builder.add(game));
    game.tags[0].second.resize(kMaxGameTagBytes - 4);
    ASSERT_TRUE(builder.add(game));
    EXPECT_TRUE(builder.full(kMaxBlockGames, kMaxBlockBytes));
    EXPECT_EQ(refusal_of(builder.finish(1)), "");
}

// A thread that runs out of memory ends its work, not the program.
TEST(Scan, WhatAWorkerThrowsIsAnError) {
    const TemporaryFolder folder;
    write_store(folder / "a.games", random_games(20, 5), {.games_per_block = 2});
    const std::vector<StoreReader> stores{StoreReader::open(folder / "a.games").value()};
    for (const unsigned threads : {1U, 3U}) {
        const auto status =
            scan_blocks(stores, {.threads = threads},
                        [](const BlockVisit& visit, const base::Result<Block>&) -> base::Status {
                            if (visit.block == 4) throw std::bad_alloc();
                            return {};
                        });
        ASSERT_FALSE(status);
        EXPECT_THAT(status.error().message, HasSubstr("a.games: block 5: not enough memory"));
    }
}

}  // namespace
}  // namespace scholar::games
