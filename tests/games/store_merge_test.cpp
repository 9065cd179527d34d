#include "games/store_merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <tuple>

#include "base/files.hpp"
#include "base/random.hpp"
#include "chess/fen.hpp"
#include "games/bytes.hpp"
#include "games/store_format.hpp"
#include "support/random_stores.hpp"
#include "support/test_data.hpp"

namespace scholar::games {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using tests::expect_same;
using tests::random_games;
using tests::read_all;
using tests::TemporaryFolder;
using tests::write_bytes;
using tests::write_store;

// Short games, cheap enough for full blocks of them.
std::vector<Game> short_games(std::size_t count, std::uint64_t seed) {
    base::Random random(seed);
    std::vector<Game> games(count);
    for (Game& game : games) {
        tests::play_random_game(
            random, game.start, 1 + static_cast<int>(random.below(12)),
            [&](const auto&, chess::Move move, const auto&) { game.moves.push_back(move); });
        game.result = static_cast<GameResult>(random.below(4));
        game.tags = {{"White", "Player " + std::to_string(random.below(50))}};
    }
    return games;
}

std::vector<Game> joined(std::initializer_list<std::vector<Game>> parts) {
    std::vector<Game> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

void expect_games(const fs::path& path, const std::vector<Game>& expected) {
    std::vector<Game> read;
    ASSERT_EQ(read_all(path, &read), "");
    ASSERT_EQ(read.size(), expected.size());
    for (std::size_t i = 0; i < read.size(); ++i) expect_same(read[i], expected[i]);
}

class Merge : public testing::Test {
  protected:
    MergeJob job(const std::vector<std::string>& names) const {
        MergeJob job;
        for (const std::string& name : names) job.inputs.push_back(folder_ / name);
        job.output = folder_ / "out.games";
        return job;
    }
    TemporaryFolder folder_;
};

TEST_F(Merge, CopiesBlocksByteForByte) {
    const auto a = short_games(1'500, 1);
    const auto b = short_games(1'300, 2);
    // Another level than merging uses: a block packed again would differ.
    write_store(folder_ / "a.games", a, {.compression_level = 1, .games_per_block = 700});
    write_store(folder_ / "b.games", b, {.compression_level = 2, .games_per_block = 650});
    const auto summary = merge_stores(job({"a.games", "b.games"}));
    ASSERT_TRUE(summary) << summary.error().message;
    // The last block of the first, of 100 games, stands alone between large ones.
    EXPECT_EQ(summary->blocks_copied, 5U);
    EXPECT_EQ(summary->blocks_packed, 0U);
    EXPECT_EQ(summary->store.games, 2'800U);
    expect_games(folder_ / "out.games", joined({a, b}));

    const auto out = StoreReader::open(folder_ / "out.games");
    const auto first = StoreReader::open(folder_ / "a.games");
    const auto second = StoreReader::open(folder_ / "b.games");
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_TRUE(out->read_block_bytes(i).value() == first->read_block_bytes(i).value());
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_TRUE(out->read_block_bytes(3 + i).value() == second->read_block_bytes(i).value());
}

TEST_F(Merge, PacksSmallBlocksTogether) {
    std::vector<std::string> names;
    std::vector<Game> all;
    for (std::uint64_t i = 0; i < 30; ++i) {
        const auto games = short_games(90, 10 + i);
        names.push_back(fmt::format("{}.games", i));
        write_store(folder_ / names.back(), games, {.games_per_block = 50});
        all.insert(all.end(), games.begin(), games.end());
    }
    const auto summary = merge_stores(job(names));
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->blocks_packed, 60U);
    EXPECT_EQ(summary->store.blocks, 2U);
    expect_games(folder_ / "out.games", all);
    // The same games written at once are the same store.
    write_store(folder_ / "at-once.games", all);
    EXPECT_TRUE(base::read_text(folder_ / "out.games").value() ==
                base::read_text(folder_ / "at-once.games").value());
}

TEST_F(Merge, IntoOneOfItsInputs) {
    const auto a = short_games(600, 3);
    const auto b = short_games(700, 4);
    write_store(folder_ / "out.games", a);
    write_store(folder_ / "b.games", b);
    ASSERT_TRUE(merge_stores(job({"out.games", "b.games"})));
    expect_games(folder_ / "out.games", joined({a, b}));
}

TEST_F(Merge, NotIntoTheStoreThatAnInputIsToBecome) {
    const auto games = short_games(40, 9);
    {
        auto writer = StoreWriter::create(folder_ / "out.games", {.games_per_block = 10, .resumable = true});
        for (const Game& game : games) ASSERT_TRUE(writer->add(game));
    }
    const auto partial = partial_path(folder_ / "out.games");
    const std::string begun = base::read_text(partial).value();
    const auto expect_refused = [&](const std::string& name) {
        for (const std::string& error :
             {merge_stores(job({name})).error().message, dedup_stores(job({name}), 0).error().message})
            EXPECT_THAT(error, HasSubstr(name + ": an input, and the output "));
        ASSERT_TRUE(base::read_text(partial).value() == begun);
    };
    expect_refused("out.games.partial");
    fs::remove(journal_path(folder_ / "out.games"));
    expect_refused("out.games.partial");
    fs::create_symlink(partial, folder_ / "another-name");
    expect_refused("another-name");

    auto elsewhere = job({"out.games.partial"});
    elsewhere.output = folder_ / "b.games";
    ASSERT_TRUE(merge_stores(elsewhere));
    expect_games(folder_ / "b.games", games);
}

TEST_F(Merge, KeepsTheWholeBlocksOfOneThatWasCutOff) {
    const auto a = short_games(40, 5);
    write_store(folder_ / "a.games", a, {.games_per_block = 10});
    fs::resize_file(folder_ / "a.games", StoreReader::open(folder_ / "a.games")->blocks()[3].offset + 5);
    const auto summary = merge_stores(job({"a.games"}));
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_THAT(summary->recovered, testing::ElementsAre(HasSubstr(
                                        "a.games: cut off: no index at the end; 3 whole blocks are read, 5 "
                                        "bytes behind are not")));
    expect_games(folder_ / "out.games", {a.begin(), a.begin() + 30});
}

TEST_F(Merge, ADamagedBlockIsNotCopied) {
    write_store(folder_ / "a.games", short_games(1'200, 6), {.games_per_block = 600});
    std::string bytes = base::read_text(folder_ / "a.games").value();
    const auto store = StoreReader::open(folder_ / "a.games");
    const auto at = store->blocks()[1].offset + store->blocks()[1].size - 100;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    write_bytes(folder_ / "a.games", bytes);
    for (const std::string& error :
         {merge_stores(job({"a.games"})).error().message, dedup_stores(job({"a.games"}), 0).error().message})
        EXPECT_THAT(error, HasSubstr("a.games: block 2: section "));
    EXPECT_FALSE(fs::exists(folder_ / "out.games"));
    EXPECT_FALSE(fs::exists(folder_ / "out.games.partial"));
}

// A block as a later program might write it.
std::string with_unknown_column(const std::string& block) {
    const auto header = parse_block_header(block, block.size()).value();
    std::string changed = block.substr(0, 4);
    put_fixed(changed, static_cast<std::uint32_t>(header.sections.size() + 1));
    changed += block.substr(8, header.header_size - 8 - 8);
    changed += "XXXX";
    put_fixed(changed, std::uint32_t{9});
    put_fixed(changed, std::uint32_t{4'000});
    put_fixed(changed, std::uint32_t{3});
    put_fixed(changed, std::uint64_t{12'345});
    put_fixed(changed, base::hash_text(changed));
    return changed + block.substr(header.header_size) + "abc";
}

TEST_F(Merge, KeepsColumnsThatItDoesNotKnow) {
    const auto games = short_games(20, 7);
    auto writer = StoreWriter::create(folder_ / "a.games");
    for (const auto first : {0U, 10U}) {
        BlockBuilder builder;
        for (std::size_t i = first; i < first + 10; ++i) ASSERT_TRUE(builder.add(games[i]));
        ASSERT_TRUE(writer->add_block(with_unknown_column(builder.finish(3))));
    }
    ASSERT_TRUE(writer->finish());
    const auto summary = merge_stores(job({"a.games"}));
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->blocks_copied, 2U);
    const auto out = StoreReader::open(folder_ / "out.games");
    EXPECT_EQ(out->read_block_header(1)->sections.back().id, "XXXX");

    // Removing games from such a block would lose the column.
    const auto twice = dedup_stores(job({"a.games", "a.games"}), 100);
    ASSERT_TRUE(twice) << twice.error().message;
    EXPECT_EQ(twice->store.games, 0U);
    write_store(folder_ / "first.games", {games[0]});
    auto better = games[0];
    better.tags.emplace_back("Black", "somebody");
    write_store(folder_ / "better.games", {better});
    const auto refused = dedup_stores(job({"a.games", "better.games"}), 0);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                HasSubstr("a.games: block 1: has a column that this program does not"));
}

TEST_F(Merge, StopsWhenAsked) {
    write_store(folder_ / "a.games", short_games(20, 8));
    std::stop_source source;
    auto stopped = job({"a.games"});
    stopped.stop = source.get_token();
    source.request_stop();
    const auto summary = merge_stores(stopped);
    ASSERT_FALSE(summary);
    EXPECT_THAT(summary.error().message, HasSubstr("out.games was not written"));
    EXPECT_FALSE(fs::exists(folder_ / "out.games"));
}

// What dedup is to keep, worked out the slow way, from the games themselves.
struct Naive {
    std::vector<Game> kept;
    std::uint64_t duplicates = 0;
    std::uint64_t too_short = 0;
};

Naive naive_dedup(const std::vector<Game>& games, std::size_t min_plies) {
    Naive result;
    std::map<std::pair<std::string, std::string>, std::size_t> best;
    std::vector<std::pair<std::string, std::string>> keys;
    const auto worth = [&games](std::size_t i) {
        const auto evaluations =
            std::ranges::count_if(games[i].evaluations, [](const auto& e) { return e.has_value(); });
        return std::tuple(evaluations, games[i].tags.size());
    };
    for (std::size_t i = 0; i < games.size(); ++i) {
        std::string moves;
        for (const chess::Move move : games[i].moves) moves += std::to_string(move.bits()) + ' ';
        keys.emplace_back(chess::to_fen(games[i].start), moves);
        if (games[i].moves.size() < min_plies) {
            ++result.too_short;
            continue;
        }
        const auto [found, is_new] = best.try_emplace(keys.back(), i);
        if (is_new) continue;
        ++result.duplicates;
        if (worth(i) > worth(found->second)) found->second = i;
    }
    for (std::size_t i = 0; i < games.size(); ++i) {
        const auto found = best.find(keys[i]);
        if (found != best.end() && found->second == i) result.kept.push_back(games[i]);
    }
    return result;
}

// A copy of a game with other tags, evaluations and result, all of which tell no games apart.
Game copy_of(const Game& original, base::Random& random) {
    Game copy = original;
    copy.result = static_cast<GameResult>(random.below(4));
    if (random.below(2)) copy.tags.clear();
    if (random.below(2)) copy.tags.emplace_back("Annotator", std::to_string(random.below(3)));
    if (random.below(2)) copy.evaluations.clear();
    if (random.below(2) && !copy.moves.empty()) {
        copy.evaluations.assign(copy.moves.size(), std::nullopt);
        for (auto& evaluation : copy.evaluations)
            if (random.below(2)) evaluation = Evaluation{10, 0, 5};
    }
    return copy;
}

TEST_F(Merge, DedupKeepsTheBestOfTheCopies) {
    base::Random random(70);
    for (const std::uint32_t min_plies : {0U, 30U}) {
        std::vector<std::string> names;
        std::vector<Game> all;
        std::vector<Game> originals = random_games(60, 71 + min_plies);
        for (int store = 0; store < 4; ++store) {
            std::vector<Game> games;
            for (int i = 0; i < 80; ++i)
                games.push_back(copy_of(originals[random.below(originals.size())], random));
            names.push_back(fmt::format("{}.games", store));
            write_store(folder_ / names.back(), games, {.games_per_block = 30});
            all.insert(all.end(), games.begin(), games.end());
        }
        const Naive expected = naive_dedup(all, min_plies);
        const auto summary = dedup_stores(job(names), min_plies);
        ASSERT_TRUE(summary) << summary.error().message;
        EXPECT_EQ(summary->games_read, all.size());
        EXPECT_EQ(summary->duplicates, expected.duplicates);
        EXPECT_EQ(summary->too_short, expected.too_short);
        EXPECT_EQ(summary->store.games, expected.kept.size());
        EXPECT_GT(expected.duplicates, 200U);
        EXPECT_EQ(expected.too_short > 0, min_plies > 0);
        expect_games(folder_ / "out.games", expected.kept);
        // Again, there is nothing to remove.
        auto again = job({"out.games"});
        again.output = folder_ / "again.games";
        EXPECT_EQ(dedup_stores(again, min_plies)->duplicates, 0U);
    }
}

TEST_F(Merge, DedupCopiesBlocksThatLoseNothing) {
    auto games = short_games(3'000, 80);
    // Longer than any other, so that none of these is a copy by chance.
    std::vector<Game> distinct = naive_dedup(games, 8).kept;
    distinct.resize(std::min<std::size_t>(distinct.size(), 1'200));
    ASSERT_EQ(distinct.size(), 1'200U);
    distinct.push_back(distinct[1'199]);
    write_store(folder_ / "a.games", distinct, {.compression_level = 1, .games_per_block = 600});
    const auto summary = dedup_stores(job({"a.games"}), 0);
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->blocks_copied, 2U);
    EXPECT_EQ(summary->duplicates, 1U);
    distinct.pop_back();
    expect_games(folder_ / "out.games", distinct);
    EXPECT_EQ(summary->store.data_hash,
              write_store(folder_ / "b.games", distinct, {.games_per_block = 600}).data_hash);
}

TEST_F(Merge, LeavesDamagedBlocksOutIfAsked) {
    // Longer than any other, so that none of these is a copy by chance.
    const auto a = naive_dedup(short_games(5'000, 90), 8).kept;
    ASSERT_GE(a.size(), 1'840U);
    // Large blocks and small ones.
    const std::vector<Game> large(a.begin(), a.begin() + 1'800);
    const std::vector<Game> small(a.begin() + 1'800, a.begin() + 1'840);
    write_store(folder_ / "a.games", large, {.games_per_block = 600});
    write_store(folder_ / "b.games", small, {.games_per_block = 10});
    const auto damage = [&](const std::string& name, std::size_t block, std::size_t at) {
        std::string bytes = base::read_text(folder_ / name).value();
        const BlockEntry entry = StoreReader::open(folder_ / name)->blocks()[block];
        at = entry.offset + (at > 0 ? at : entry.size - 3);
        bytes[at] = static_cast<char>(bytes[at] ^ 4);
        write_bytes(folder_ / name, bytes);
    };
    damage("a.games", 1, 0);   // what it holds
    damage("b.games", 2, 20);  // its header
    std::vector<Game> expected(large.begin(), large.begin() + 600);
    expected.insert(expected.end(), large.begin() + 1'200, large.end());
    expected.insert(expected.end(), small.begin(), small.begin() + 20);
    expected.insert(expected.end(), small.begin() + 30, small.end());

    auto asked = job({"a.games", "b.games"});
    EXPECT_FALSE(merge_stores(asked));
    EXPECT_FALSE(dedup_stores(asked, 0));
    asked.skip_damaged = true;
    const auto expect_damage = [](const MergeSummary& summary) {
        EXPECT_EQ(summary.games_lost, 610U);
        EXPECT_THAT(summary.damaged,
                    testing::ElementsAre(testing::AllOf(HasSubstr("a.games: block 2: section "),
                                                        HasSubstr(": 600 games are lost")),
                                         testing::AllOf(HasSubstr("b.games: block 3: the block's header is "),
                                                        HasSubstr(": 10 games are lost"))));
    };
    const auto merged = merge_stores(asked);
    ASSERT_TRUE(merged) << merged.error().message;
    expect_damage(*merged);
    expect_games(folder_ / "out.games", expected);
    const auto deduplicated = dedup_stores(asked, 0);
    ASSERT_TRUE(deduplicated) << deduplicated.error().message;
    expect_damage(*deduplicated);
    EXPECT_EQ(deduplicated->games_read, expected.size());
    EXPECT_EQ(deduplicated->duplicates, 0U);
    expect_games(folder_ / "out.games", expected);

    // Of a game that is in a damaged block the other copy stays, if it is the worse one too.
    std::vector<Game> worse(large.begin() + 600, large.begin() + 610);
    for (Game& game : worse) game.tags.clear();
    write_store(folder_ / "c.games", worse);
    asked.inputs.push_back(folder_ / "c.games");
    ASSERT_TRUE(dedup_stores(asked, 0));
    expected.insert(expected.end(), worse.begin(), worse.end());
    expect_games(folder_ / "out.games", expected);
}

}  // namespace
}  // namespace scholar::games
