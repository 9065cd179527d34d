// Stores that were cut off, killed, resumed and appended to.

#include <array>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.hpp"
#include "base/random.hpp"
#include "games/store.hpp"
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

std::string store_bytes(const fs::path& path) {
    return base::read_text(path).value();
}

// Where the blocks of a sound store end, the store's header first.
std::vector<std::uint64_t> block_ends(const fs::path& path) {
    std::vector<std::uint64_t> ends{kStoreHeaderSize};
    const auto store = StoreReader::open(path);
    EXPECT_TRUE(store);
    for (const BlockEntry& block : store->blocks()) ends.push_back(block.offset + block.size);
    return ends;
}

// How many blocks are whole in the first `size` bytes.
std::size_t whole_blocks(const std::vector<std::uint64_t>& ends, std::uint64_t size) {
    return static_cast<std::size_t>(std::ranges::count_if(
        ends, [size](std::uint64_t end) { return end > kStoreHeaderSize && end <= size; }));
}

TEST(RecoveredStore, EveryTruncationLeavesTheWholeBlocks) {
    const TemporaryFolder folder;
    const auto path = folder / "a.games";
    const std::vector<Game> games = random_games(12, 8);
    write_store(path, games, {.games_per_block = 5});
    const auto ends = block_ends(path);
    const std::array<std::size_t, 4> games_in{0, 5, 10, 12};
    const std::size_t step = tests::kSanitized ? 17 : 1;
    for (std::size_t size = store_bytes(path).size() - 1;; size -= std::min(size, step)) {
        fs::resize_file(path, size);
        const auto store = StoreReader::open(path, CutOff::Recover);
        ASSERT_TRUE(store) << size << ": " << store.error().message;
        const std::size_t blocks = whole_blocks(ends, size);
        ASSERT_EQ(store->blocks().size(), blocks) << size;
        ASSERT_EQ(store->games(), games_in[blocks]);
        ASSERT_THAT(store->recovered(), HasSubstr("cut off: no index at the end; "));
        ASSERT_THAT(store->recovered(), HasSubstr(fmt::format("{} whole block", blocks)));
        ASSERT_EQ(store->blocks_end(), std::min<std::uint64_t>(size, ends[blocks]));
        ASSERT_FALSE(StoreReader::open(path));
        if (size == 0) break;
    }
}

TEST(RecoveredStore, RandomTruncationsOfALargerOne) {
    const TemporaryFolder folder;
    const auto path = folder / "a.games";
    const std::vector<Game> games = random_games(600, 11);
    write_store(path, games, {.games_per_block = 40});
    const auto ends = block_ends(path);
    const std::string bytes = store_bytes(path);
    base::Random random(12);
    for (int round = 0; round < (tests::kSanitized ? 5 : 30); ++round) {
        std::string cut = bytes.substr(0, random.below(bytes.size() - 1));
        const std::size_t blocks = whole_blocks(ends, cut.size());
        // What a file system makes of the rest when the power fails: nothing, zeros or what was there before.
        const auto rest = random.below(3);
        if (rest == 1) cut.resize(cut.size() + random.below(100'000), '\0');
        if (rest == 2) cut += bytes.substr(0, random.below(50));
        write_bytes(path, cut);
        std::vector<Game> read;
        ASSERT_EQ(read_all(path, &read, CutOff::Recover), "");
        ASSERT_EQ(read.size(), std::min<std::size_t>(games.size(), blocks * 40));
        for (std::size_t i = 0; i < read.size(); ++i) expect_same(read[i], games[i]);
    }
}

TEST(RecoveredStore, ADamagedBlockEndsIt) {
    const TemporaryFolder folder;
    const auto path = folder / "a.games";
    write_store(path, random_games(25, 13), {.games_per_block = 5});
    const auto ends = block_ends(path);
    const std::string sound = store_bytes(path).substr(0, ends.back());
    for (std::size_t block = 0; block < 5; ++block) {
        // In its header, and in what it holds.
        for (const std::uint64_t at : {ends[block] + 20, ends[block + 1] - 3}) {
            std::string bytes = sound;
            bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
            write_bytes(path, bytes);
            const auto store = StoreReader::open(path, CutOff::Recover);
            ASSERT_TRUE(store);
            EXPECT_EQ(store->blocks().size(), block);
            EXPECT_EQ(store->has_blocks_beyond().value(), block < 4);
            const auto writer = StoreWriter::append_to(path, {});
            ASSERT_EQ(writer.has_value(), block == 4);
            if (!writer) {
                EXPECT_THAT(
                    writer.error().message,
                    HasSubstr(fmt::format("a.games: block {} is damaged and others follow", block + 1)));
            }
        }
    }
}

TEST(RecoveredStore, ADamagedIndexIsWalkedAround) {
    const TemporaryFolder folder;
    const auto path = folder / "a.games";
    const std::vector<Game> games = random_games(25, 14);
    const StoreSummary summary = write_store(path, games, {.games_per_block = 5});
    const std::string sound = store_bytes(path);
    const auto end = block_ends(path).back();
    for (std::uint64_t at = end; at < sound.size(); at += 7) {
        std::string bytes = sound;
        bytes[at] = static_cast<char>(bytes[at] ^ 1);
        write_bytes(path, bytes);
        ASSERT_FALSE(StoreReader::open(path));
        const auto store = StoreReader::open(path, CutOff::Recover);
        ASSERT_TRUE(store) << at;
        ASSERT_EQ(store->games(), games.size());
        ASSERT_EQ(store->data_hash(), summary.data_hash);
    }
}

TEST(RecoveredStore, OtherFilesAreStillRefused) {
    const TemporaryFolder folder;
    write_bytes(folder / "a.pgn", "[Event \"a PGN file\"]\n");
    EXPECT_THAT(read_all(folder / "a.pgn", nullptr, CutOff::Recover), HasSubstr("not a game store"));
    EXPECT_THAT(read_all(folder / "none", nullptr, CutOff::Recover), HasSubstr("cannot open"));
}

// ---------------------------------------------------------------------------------------------------------------------

// Sources with games that are refused among them, imported as a program would.
class Import : public testing::Test {
  protected:
    Import() {
        for (auto& source : sources_) {
            source = random_games(17, 20 + static_cast<std::uint64_t>(&source - sources_.data()));
            Game bad;
            bad.moves = {chess::Move(chess::E2, chess::E5)};
            for (const std::size_t at : {3U, 4U, 16U}) source.insert(source.begin() + at, bad);
        }
        {
            StoreWriter whole = StoreWriter::create(folder_ / "whole.games", options_).value();
            use_up(whole);
            EXPECT_TRUE(whole.finish());
        }
        whole_ = store_bytes(folder_ / "whole.games");
    }

    // Adds what the writer's progress leaves of the sources. False if `stop` games were looked at before the
    // end.
    bool use_up(StoreWriter& writer, std::size_t stop = ~std::size_t{0}) {
        ImportProgress progress = writer.progress();
        for (; progress.source < sources_.size(); ++progress.source, progress.games = 0) {
            const auto& source = sources_[progress.source];
            while (progress.games < source.size()) {
                if (stop-- == 0) return false;
                const Game& game = source[progress.games++];
                writer.set_progress(progress);
                if (!writer.add(game)) ++progress.skipped;
            }
        }
        EXPECT_EQ(progress.skipped, 9U);
        return true;
    }

    // Resumes `path` and finishes it; what the import makes must be as if nothing had happened.
    void expect_resumed(const fs::path& path, const std::string& expected, const std::string& when) {
        auto writer = StoreWriter::resume(path, options_);
        ASSERT_TRUE(writer) << when << ": " << writer.error().message;
        use_up(*writer);
        ASSERT_TRUE(writer->finish());
        ASSERT_TRUE(store_bytes(path) == expected) << when;
        ASSERT_FALSE(fs::exists(partial_path(path))) << when;
        ASSERT_FALSE(fs::exists(journal_path(path))) << when;
    }

    TemporaryFolder folder_;
    fs::path path_ = folder_ / "a.games";
    std::array<std::vector<Game>, 3> sources_;
    StoreWriter::Options options_{
        .compression_level = 3, .games_per_block = 4, .resumable = true, .session = "a, b and c"};
    std::string whole_;
};

TEST_F(Import, CutOffAnywhereItResumesToTheSameBytes) {
    // What is in the files after each game; each block, once written, never changes.
    auto writer = StoreWriter::create(path_, options_);
    ASSERT_TRUE(writer);
    use_up(*writer);
    const std::string file = store_bytes(partial_path(path_));
    const std::string journal = store_bytes(journal_path(path_));
    base::Random random(31);
    const auto other = folder_ / "b.games";
    for (int round = 0; round < (tests::kSanitized ? 20 : 150); ++round) {
        const auto file_size = random.below(file.size() + 1);
        const auto journal_size = random.below(journal.size() + 1);
        write_bytes(partial_path(other), file.substr(0, file_size));
        write_bytes(journal_path(other), journal.substr(0, journal_size));
        const bool begun = Journal::read(journal_path(other)).has_value();
        const bool has_blocks = !StoreReader::open(partial_path(other), CutOff::Recover)->blocks().empty();
        if (!begun && has_blocks) {
            // The journal is begun before the first block is written: this cannot be.
            const auto resumed = StoreWriter::resume(other, options_);
            ASSERT_FALSE(resumed);
            EXPECT_THAT(resumed.error().message, HasSubstr("b.games.partial: cannot be resumed: "));
            fs::remove(partial_path(other));
            fs::remove(journal_path(other));
            continue;
        }
        expect_resumed(
            other, whole_,
            fmt::format("{} of {}, journal {} of {}", file_size, file.size(), journal_size, journal.size()));
        fs::remove(other);
    }
}

TEST_F(Import, KilledItResumesToTheSameBytes) {
    for (const std::size_t stop : {0U, 1U, 9U, 10U, 30U, 44U, 59U}) {
        const pid_t child = fork();
        if (child == 0) {
            auto writer = StoreWriter::create(path_, options_);
            use_up(*writer, stop);
            raise(SIGKILL);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status));
        std::vector<Game> read;
        ASSERT_EQ(read_all(partial_path(path_), &read, CutOff::Recover), "");
        EXPECT_GE(read.size() + 4 + 9, stop);
        expect_resumed(path_, whole_, fmt::format("killed after {}", stop));
        fs::remove(path_);
    }
}

TEST_F(Import, DroppedItCanBeResumed) {
    {
        auto writer = StoreWriter::create(path_, options_);
        ASSERT_FALSE(use_up(*writer, 25));
    }
    EXPECT_FALSE(fs::exists(path_));
    const auto again = StoreWriter::create(path_, options_);
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message, HasSubstr("a.games: not finished, and can be resumed"));
    {
        auto writer = StoreWriter::resume(path_, options_);
        ASSERT_TRUE(writer);
        EXPECT_EQ(writer->games(), 20U);
        EXPECT_EQ(writer->progress(), (ImportProgress{1, 3, 3}));
    }
    expect_resumed(path_, whole_, "dropped twice");
}

TEST_F(Import, WithoutABlockNothingIsLeft) {
    {
        auto writer = StoreWriter::create(path_, options_);
        ASSERT_FALSE(use_up(*writer, 3));
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);  // whole.games
}

TEST_F(Import, DroppedForGoodNothingIsLeft) {
    StoreWriter::Options once = options_;
    once.resumable = false;
    {
        auto writer = StoreWriter::create(path_, once);
        ASSERT_FALSE(use_up(*writer, 25));
        ASSERT_EQ(writer->games(), 20U);
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);  // whole.games
    // Nor of a store that has the name.
    write_bytes(path_, whole_);
    {
        auto writer = StoreWriter::create(path_, once);
        ASSERT_FALSE(use_up(*writer, 25));
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 2);
    EXPECT_TRUE(store_bytes(path_) == whole_);
}

TEST_F(Import, GamesThatCannotBeResumedAreNotReplacedEither) {
    {
        auto writer = StoreWriter::create(path_, options_);
        ASSERT_FALSE(use_up(*writer, 25));
    }
    const std::string begun = store_bytes(partial_path(path_));
    fs::remove(journal_path(path_));
    for (const auto& writer : {StoreWriter::create(path_), StoreWriter::create(path_, options_)}) {
        ASSERT_FALSE(writer);
        EXPECT_THAT(writer.error().message,
                    HasSubstr("a.games.partial: 20 games of a store that was not finished and cannot be "
                              "resumed; merge it into a store of another name, or delete it"));
        EXPECT_TRUE(store_bytes(partial_path(path_)) == begun);
    }
    // A block that is not whole is nothing to keep, and neither are blocks behind a damaged one lost.
    const auto ends = block_ends(folder_ / "whole.games");
    write_bytes(partial_path(path_), begun.substr(0, ends[1] - 1));
    EXPECT_TRUE(StoreWriter::create(path_));
    std::string damaged = begun;
    damaged[ends[0] + 20] = static_cast<char>(damaged[ends[0] + 20] ^ 1);
    write_bytes(partial_path(path_), damaged);
    EXPECT_FALSE(StoreWriter::create(path_));
    write_bytes(partial_path(path_), "something else");
    const auto writer = StoreWriter::create(path_);
    ASSERT_FALSE(writer);
    EXPECT_THAT(writer.error().message, HasSubstr("a.games.partial: not a game store: "));
    EXPECT_EQ(store_bytes(partial_path(path_)), "something else");
}

// What a writer that is killed leaves must not be taken for that of an import killed before it.
TEST_F(Import, AJournalWithoutBlocksIsOfNoLaterStore) {
    write_bytes(partial_path(path_), store_header());
    write_bytes(journal_path(path_),
                Journal::line_of({0, kStoreHeaderSize, data_hash_of(std::string_view()), "a, b and c"}));
    const auto writer = StoreWriter::create(path_);
    ASSERT_TRUE(writer);
    EXPECT_FALSE(fs::exists(journal_path(path_)));
}

TEST_F(Import, ASessionMayHaveAnyCharacter) {
    options_.session = "games\\n of\n1.pgn";
    {
        auto writer = StoreWriter::create(path_, options_);
        ASSERT_FALSE(use_up(*writer, 25));
    }
    StoreWriter::Options other = options_;
    other.session = "games\n of\n1.pgn";
    const auto writer = StoreWriter::resume(path_, other);
    ASSERT_FALSE(writer);
    EXPECT_THAT(writer.error().message, HasSubstr("'games\\n of\\n1.pgn', expected 'games\\\\n of\\n1.pgn'"));
    EXPECT_EQ(StoreWriter::resume(path_, options_)->games(), 20U);
    expect_resumed(path_, whole_, "with a line break");
}

TEST_F(Import, OtherSourcesAreRefused) {
    {
        auto writer = StoreWriter::create(path_, options_);
        ASSERT_FALSE(use_up(*writer, 25));
    }
    StoreWriter::Options other = options_;
    other.session = "a, b and d";
    const auto writer = StoreWriter::resume(path_, other);
    ASSERT_FALSE(writer);
    EXPECT_THAT(writer.error().message,
                HasSubstr("a.games: cannot be resumed with other sources or options: 'a, b and d', expected "
                          "'a, b and c'"));
    expect_resumed(path_, whole_, "after a refusal");
}

TEST_F(Import, OneWriterAtATime) {
    auto writer = StoreWriter::create(path_, options_);
    ASSERT_TRUE(writer);
    use_up(*writer, 10);
    for (const auto& second : {StoreWriter::create(path_), StoreWriter::resume(path_, options_)}) {
        ASSERT_FALSE(second);
        EXPECT_THAT(second.error().message, HasSubstr("a.games.partial: another program is writing it"));
    }
    use_up(*writer);
}

TEST_F(Import, FinishedThereIsNothingToResume) {
    auto writer = StoreWriter::create(path_, options_);
    use_up(*writer);
    ASSERT_TRUE(writer->end_block());
    const std::string journal = store_bytes(journal_path(path_));
    ASSERT_TRUE(writer->finish());
    const auto again = StoreWriter::resume(path_, options_);
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message,
                HasSubstr("a.games: nothing to resume: no import or append of it is under way"));

    // Killed after it had its name and before the journal was removed.
    write_bytes(journal_path(path_), journal);
    expect_resumed(path_, whole_, "finished already");
    // That journal does not stand in the way of a new import either.
    write_bytes(journal_path(path_), journal);
    EXPECT_TRUE(StoreWriter::create(path_, options_));
}

TEST_F(Import, AJournalOfAnotherStoreIsRefused) {
    {
        auto writer = StoreWriter::create(path_, options_);
        use_up(*writer, 25);
    }
    write_store(folder_ / "other.games", random_games(30, 40), {.games_per_block = 4});
    fs::rename(journal_path(path_), journal_path(folder_ / "other.games"));
    const auto writer = StoreWriter::resume(folder_ / "other.games", options_);
    ASSERT_FALSE(writer);
    EXPECT_THAT(writer.error().message,
                HasSubstr("other.games: cannot be resumed: it is not the store that"));
    EXPECT_EQ(StoreReader::open(folder_ / "other.games")->games(), 30U);
}

// ---------------------------------------------------------------------------------------------------------------------

class Append : public Import {
  protected:
    Append() {
        write_store(path_, before_, {.games_per_block = 4});
        before_bytes_ = store_bytes(path_);
        auto writer = StoreWriter::append_to(path_, options_);
        EXPECT_TRUE(writer);
        use_up(*writer);
        unfinished_ = store_bytes(path_);
        journal_ = store_bytes(journal_path(path_));
        EXPECT_TRUE(writer->finish());
        after_bytes_ = store_bytes(path_);
    }

    std::vector<Game> before_ = random_games(10, 50);
    std::string before_bytes_, unfinished_, journal_, after_bytes_;
};

TEST_F(Append, HasTheOldGamesAndTheNew) {
    std::vector<Game> read;
    ASSERT_EQ(read_all(path_, &read), "");
    ASSERT_EQ(read.size(), before_.size() + 51);
    for (std::size_t i = 0; i < before_.size(); ++i) expect_same(read[i], before_[i]);
    std::vector<Game> added;
    ASSERT_EQ(read_all(folder_ / "whole.games", &added), "");
    for (std::size_t i = 0; i < added.size(); ++i) expect_same(read[before_.size() + i], added[i]);
    EXPECT_FALSE(fs::exists(journal_path(path_)));
}

TEST_F(Append, CutOffAnywhereItLosesNothingAndResumes) {
    const auto old_blocks_end = [&] {
        write_bytes(folder_ / "old.games", before_bytes_);
        return block_ends(folder_ / "old.games").back();
    }();
    base::Random random(32);
    const std::uint64_t room = unfinished_.size() - old_blocks_end;
    for (int round = 0; round < (tests::kSanitized ? 20 : 150); ++round) {
        // Nothing written yet, the index gone, or some of the blocks there.
        const auto size = round < 2 ? old_blocks_end : old_blocks_end + random.below(room + 1);
        write_bytes(path_, round == 0 ? before_bytes_ : unfinished_.substr(0, size));
        write_bytes(journal_path(path_), journal_.substr(0, random.below(journal_.size() + 1)));
        std::vector<Game> read;
        ASSERT_EQ(read_all(path_, &read, CutOff::Recover), "");
        ASSERT_GE(read.size(), before_.size());
        for (std::size_t i = 0; i < before_.size(); ++i) expect_same(read[i], before_[i]);
        if (!Journal::read(journal_path(path_))) continue;
        expect_resumed(path_, after_bytes_, fmt::format("{} bytes", size));
    }
}

TEST_F(Append, DroppedItIsAsBeforeOrCanBeResumed) {
    write_bytes(path_, before_bytes_);
    StoreWriter::Options once = options_;
    once.resumable = false;
    {
        auto writer = StoreWriter::append_to(path_, once);
        use_up(*writer, 25);
    }
    EXPECT_EQ(store_bytes(path_), before_bytes_);
    EXPECT_FALSE(fs::exists(journal_path(path_)));
    {
        auto writer = StoreWriter::append_to(path_, options_);
        use_up(*writer, 25);
    }
    std::vector<Game> read;
    EXPECT_EQ(read_all(path_, &read), "");
    EXPECT_EQ(read.size(), before_.size() + 20);
    {
        const auto writer = StoreWriter::resume(path_, options_);
    }
    expect_resumed(path_, after_bytes_, "dropped twice");
}

TEST_F(Append, ThatAddsNothingChangesNothing) {
    write_bytes(path_, before_bytes_);
    {
        const auto writer = StoreWriter::append_to(path_, options_);
    }
    EXPECT_EQ(store_bytes(path_), before_bytes_);
    EXPECT_FALSE(fs::exists(journal_path(path_)));
    auto writer = StoreWriter::append_to(path_, options_);
    ASSERT_TRUE(writer);
    EXPECT_EQ(writer->games(), before_.size());
    ASSERT_TRUE(writer->finish());
    EXPECT_EQ(store_bytes(path_), before_bytes_);
}

// In place of the store's index there are new blocks, as a writer leaves them that was killed.
TEST_F(Append, ARefusedImportDoesNotStandInItsWay) {
    write_bytes(path_, unfinished_);
    write_bytes(journal_path(path_), journal_);
    const auto writer = StoreWriter::create(path_, options_);
    ASSERT_FALSE(writer);
    EXPECT_THAT(writer.error().message,
                HasSubstr("a.games: not finished, and can be resumed; to begin anew, delete "));
    EXPECT_FALSE(fs::exists(partial_path(path_)));
    // Nor does one that was killed before it had written anything.
    for (const std::string& begun : {std::string(), store_header(), unfinished_.substr(0, 100)}) {
        write_bytes(path_, unfinished_);
        write_bytes(journal_path(path_), journal_);
        write_bytes(partial_path(path_), begun);
        expect_resumed(path_, after_bytes_, fmt::format("beside {} bytes", begun.size()));
    }
}

TEST_F(Append, AnImportDoesNotReplaceOneThatWasDropped) {
    write_bytes(path_, before_bytes_);
    {
        auto writer = StoreWriter::append_to(path_, options_);
        use_up(*writer, 25);
    }
    ASSERT_TRUE(StoreReader::open(path_));
    const auto writer = StoreWriter::create(path_, options_);
    ASSERT_FALSE(writer);
    EXPECT_THAT(writer.error().message, HasSubstr("a.games: not finished, and can be resumed"));
    expect_resumed(path_, after_bytes_, "dropped");
}

TEST_F(Append, KilledBeforeItHadBegunThereIsNothingToResume) {
    write_bytes(path_, before_bytes_);
    for (const std::string& journal : {std::string(), journal_.substr(0, 30)}) {
        write_bytes(journal_path(path_), journal);
        const auto writer = StoreWriter::resume(path_, options_);
        ASSERT_FALSE(writer);
        EXPECT_THAT(writer.error().message,
                    HasSubstr("a.games: nothing to resume: no import or append of it is under way"));
    }
    EXPECT_TRUE(StoreWriter::append_to(path_, options_));
    EXPECT_EQ(store_bytes(path_), before_bytes_);
}

TEST_F(Append, RefusesWhatItCannotAppendTo) {
    const auto missing = StoreWriter::append_to(folder_ / "none.games", options_);
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("none.games: cannot open"));
    EXPECT_FALSE(fs::exists(folder_ / "none.games"));
    write_bytes(folder_ / "a.pgn", "[Event \"a PGN file\"]\n");
    const auto pgn = StoreWriter::append_to(folder_ / "a.pgn", options_);
    ASSERT_FALSE(pgn);
    EXPECT_THAT(pgn.error().message, HasSubstr("not a game store"));
    const auto first = StoreWriter::append_to(path_, options_);
    const auto second = StoreWriter::append_to(path_, options_);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, HasSubstr("a.games: another program is writing it"));
}

// ---------------------------------------------------------------------------------------------------------------------

TEST(AddBlock, TakesWhatABuilderMadeInOrder) {
    const TemporaryFolder folder;
    const std::vector<Game> games = random_games(12, 60);
    const auto pack = [&games](std::size_t first, std::size_t last) {
        BlockBuilder builder;
        for (std::size_t i = first; i < last; ++i) EXPECT_TRUE(builder.add(games[i]));
        return builder.finish(12);
    };
    auto writer = StoreWriter::create(folder / "a.games", {.games_per_block = 4});
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add_block(pack(0, 4)));
    for (std::size_t i = 4; i < 7; ++i) ASSERT_TRUE(writer->add(games[i]));
    EXPECT_EQ(writer->waiting_games(), 3U);
    ASSERT_TRUE(writer->add_block(pack(7, 12)));
    EXPECT_EQ(writer->waiting_games(), 0U);
    const auto summary = writer->finish();
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->blocks, 3U);
    EXPECT_EQ(summary->games, 12U);
    std::vector<Game> read;
    ASSERT_EQ(read_all(folder / "a.games", &read), "");
    for (std::size_t i = 0; i < games.size(); ++i) expect_same(read[i], games[i]);
}

TEST(AddBlock, RefusesWhatIsNoBlock) {
    const TemporaryFolder folder;
    BlockBuilder builder;
    for (const Game& game : random_games(3, 61)) ASSERT_TRUE(builder.add(game));
    const std::string block = builder.finish(3);
    auto writer = StoreWriter::create(folder / "a.games");
    ASSERT_TRUE(writer);
    const auto error = [&writer](std::string_view bytes) {
        const auto status = writer->add_block(bytes);
        return status ? "" : status.error().message;
    };
    EXPECT_EQ(error(""), "no block begins here, expected 'SBLK'");
    EXPECT_THAT(
        error(std::string_view(block).substr(0, block.size() - 1)),
        HasSubstr(fmt::format("the block is {} bytes, its header says {}", block.size() - 1, block.size())));
    std::string damaged = block;
    damaged[30] = static_cast<char>(damaged[30] ^ 1);
    EXPECT_THAT(error(damaged), HasSubstr("the block's header is damaged: its checksum differs"));
    EXPECT_EQ(error(BlockBuilder().finish(3)), "a block without games");
    EXPECT_FALSE(writer->file_failed());
    EXPECT_EQ(error(block), "");
    EXPECT_EQ(writer->finish()->games, 3U);
}

// A block of games that were added one by one, written because a ready one follows, has used up no more of
// the sources than those games.
TEST(AddBlock, ProgressIsOfTheBlock) {
    const TemporaryFolder folder;
    const auto path = folder / "a.games";
    const std::vector<Game> games = random_games(6, 62);
    BlockBuilder builder;
    for (std::size_t i = 2; i < 6; ++i) ASSERT_TRUE(builder.add(games[i]));
    const StoreWriter::Options options{.resumable = true, .session = "six games"};
    auto writer = StoreWriter::create(path, options);
    ASSERT_TRUE(writer);
    for (std::uint64_t i = 0; i < 2; ++i) {
        writer->set_progress({0, i + 1, 0});
        ASSERT_TRUE(writer->add(games[i]));
    }
    writer->set_progress({0, 6, 0});
    ASSERT_TRUE(writer->add_block(builder.finish(3)));
    const auto journal = Journal::read(journal_path(path));
    ASSERT_TRUE(journal);
    EXPECT_EQ(journal->begin.session, "six games");
    ASSERT_EQ(journal->steps.size(), 2U);
    EXPECT_EQ(journal->steps[0].progress, (ImportProgress{0, 2, 0}));
    EXPECT_EQ(journal->steps[1].progress, (ImportProgress{0, 6, 0}));
}

}  // namespace
}  // namespace scholar::games
