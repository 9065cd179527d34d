#include "games/doctor.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/random.hpp"
#include "chess/san.hpp"
#include "games/store.hpp"
#include "shipped_games.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

// Each test plants one fault in games of masters and expects that fault to be found, and no other.

namespace scholar::games {

void PrintTo(const Finding& finding, std::ostream* out) {
    *out << to_string(finding.severity) << ' ' << finding.code << " (" << finding.count
         << "): " << finding.what << "; " << finding.example;
}

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::TemporaryFolder;

constexpr std::size_t kGames = 600;

// Nothing is wrong with them.
const std::vector<Game>& master_games() {
    static const std::vector<Game> games = shipped_games(kGames);
    return games;
}

Game game_of(const std::string& moves, GameResult result, Ending ending) {
    Game game;
    chess::Position position;
    std::istringstream words(moves);
    for (std::string san; words >> san;) {
        game.moves.push_back(chess::parse_san(position, san).value());
        position.make(game.moves.back());
    }
    game.result = result;
    game.ending = ending;
    game.tags = {{"White", "A"}, {"Black", "B"}, {"WhiteElo", "2500"}, {"BlackElo", "2500"}};
    return game;
}

// Every player an engine whose evaluations follow the result, with noise.
void evaluate(std::vector<Game>& games) {
    constexpr std::array<const char*, 4> kEngines{"Alpha 1.0", "Beta 2", "Gamma 3.1", "Delta 4"};
    base::Random random(7);
    for (std::size_t number = 0; number < games.size(); ++number) {
        Game& game = games[number];
        for (auto& [name, value] : game.tags) {
            if (name == "White") value = kEngines[number % 4];
            if (name == "Black") value = kEngines[(number / 4 + number + 1) % 4];
        }
        const double direction = 2 * points(game.result, chess::White).value() - 1;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            const double noise = 240 * (random.unit() - 0.5);
            const double advantage =
                direction * 400 * static_cast<double>(ply) / static_cast<double>(game.moves.size());
            game.evaluations.emplace_back(
                Evaluation{static_cast<std::int16_t>(std::lround(advantage + noise)), 0, 20});
        }
    }
}

class Doctor : public testing::Test {
  protected:
    std::string store_of(const std::vector<Game>& games, const std::string& name = "planted.games") {
        const auto path = folder_ / name;
        auto writer = StoreWriter::create(path, {.games_per_block = 100});
        for (const Game& game : games) EXPECT_TRUE(writer->add(game));
        EXPECT_TRUE(writer->finish());
        return path.string();
    }

    static Examination examination_of(const std::vector<DoctorOptions::Store>& stores, unsigned threads = 2) {
        DoctorOptions options;
        options.stores = stores;
        options.threads = threads;
        auto examination = examine(options);
        EXPECT_TRUE(examination) << examination.error().message;
        return std::move(*examination);
    }

    // Codes of the findings in a store of these games.
    std::vector<Finding> findings(const std::vector<Game>& games) {
        return examination_of({{store_of(games), std::nullopt}}).findings;
    }

    std::string game(std::size_t number) const {
        return (folder_ / "planted.games").string() + ": game " + std::to_string(number);
    }

    TemporaryFolder folder_;
    std::vector<Game> games_ = master_games();
};

auto Found(Severity severity, const std::string& code, std::uint64_t count) {
    return testing::AllOf(testing::Field("severity", &Finding::severity, severity),
                          testing::Field("code", &Finding::code, code),
                          testing::Field("count", &Finding::count, count));
}

auto FoundAt(Severity severity, const std::string& code, std::uint64_t count, const std::string& example) {
    return testing::AllOf(Found(severity, code, count),
                          testing::Field("example", &Finding::example, HasSubstr(example)));
}

TEST_F(Doctor, FindsNothingInSoundGames) {
    EXPECT_THAT(findings(games_), IsEmpty());
}

TEST_F(Doctor, FindsNothingInSoundEvaluations) {
    evaluate(games_);
    const Examination examination = examination_of({{store_of(games_), std::nullopt}});
    EXPECT_THAT(examination.findings, IsEmpty());
    ASSERT_EQ(examination.producers.size(), 4U);
    for (const ProducerRecord& producer : examination.producers) {
        EXPECT_THAT(producer.name, testing::AnyOf("Alpha", "Beta", "Gamma", "Delta"));
        EXPECT_GT(producer.evaluations.correlation(chess::White).value(), 0.4);
        EXPECT_GT(producer.evaluations.correlation(chess::Black).value(), 0.4);
    }
}

TEST_F(Doctor, SaysTheSameWithAnyNumberOfThreads) {
    evaluate(games_);
    games_.push_back(games_[5]);
    const std::string store = store_of(games_);
    const Examination one = examination_of({{store, std::nullopt}}, 1);
    const Examination four = examination_of({{store, std::nullopt}}, 4);
    EXPECT_EQ(one.positions.positions, four.positions.positions);
    EXPECT_EQ(one.positions.distinct, four.positions.distinct);
    EXPECT_EQ(one.openings[1].entropy, four.openings[1].entropy);
    ASSERT_EQ(one.findings.size(), four.findings.size());
    for (std::size_t i = 0; i < one.findings.size(); ++i) {
        EXPECT_EQ(one.findings[i].what, four.findings[i].what);
        EXPECT_EQ(one.findings[i].example, four.findings[i].example);
    }
}

// There are engine tournaments with hundreds of them.
TEST_F(Doctor, JudgesEachOfManyProducersWithAnyNumberOfThreads) {
    evaluate(games_);
    // Six hundred producers of one game each come first; then one that is wrong.
    for (std::size_t i = 0; i < 300; ++i)
        for (auto& [name, value] : games_[i].tags) {
            if (name == "White") value = "First" + std::to_string(i);
            if (name == "Black") value = "Second" + std::to_string(i);
        }
    for (std::size_t i = 300; i < games_.size(); ++i)
        for (std::size_t ply = 1; ply < games_[i].moves.size(); ply += 2)
            if (games_[i].tag("Black") == "Beta 2")
                games_[i].evaluations[ply]->centipawns =
                    static_cast<std::int16_t>(-games_[i].evaluations[ply]->centipawns);
    const std::string store = store_of(games_);
    for (const unsigned threads : {1U, 4U}) {
        const Examination examination = examination_of({{store, std::nullopt}}, threads);
        EXPECT_EQ(examination.producers.size(), 604U) << threads;
        ASSERT_EQ(examination.findings.size(), 1U) << threads;
        EXPECT_THAT(examination.findings[0], FoundAt(Severity::Error, "evaluations-contradict-results",
                                                     examination.findings[0].count, "Beta"));
    }
}

TEST_F(Doctor, CountsDistinctPositionsAndOpenings) {
    // Four games, two openings of equal frequency: 1 bit. Positions counted by hand: the start, after e4 and
    // so on; those of the shorter games are in the longer ones.
    const std::string spanish = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O";
    const std::string queen = "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3";
    const auto draw = GameResult::Draw;
    const Examination examination = examination_of(
        {{store_of({game_of(spanish, draw, Ending::Unknown), game_of(queen, draw, Ending::Unknown),
                    game_of(spanish + " Be7", draw, Ending::Unknown),
                    game_of(queen + " h6", draw, Ending::Unknown)}),
          std::nullopt}});
    EXPECT_EQ(examination.positions.positions, 38U);
    EXPECT_EQ(examination.positions.distinct, 19.0);  // 1 + 2 × 9
    EXPECT_EQ(examination.positions.standard_error, 0);
    EXPECT_EQ(examination.seen_once, 2.0);  // the last of the longer games
    ASSERT_EQ(examination.openings.size(), 3U);
    EXPECT_EQ(examination.openings[0].ply, 8U);
    EXPECT_EQ(examination.openings[0].games, 4U);
    EXPECT_DOUBLE_EQ(examination.openings[0].entropy, 1);
    EXPECT_DOUBLE_EQ(examination.openings[0].effective(), 2);
    EXPECT_EQ(examination.openings[1].games, 0U) << "no game goes to half-move 16";
}

TEST_F(Doctor, StoreThatCannotBeOpened) {
    const std::string store = store_of(games_);
    ASSERT_TRUE(base::write_atomically(folder_ / "text.games", std::string_view("1. e4 e5")));
    const auto examination =
        examination_of({{(folder_ / "text.games").string(), std::nullopt}, {store, std::nullopt}});
    EXPECT_THAT(examination.findings, ElementsAre(Found(Severity::Error, "unreadable-store", 1)));
    EXPECT_EQ(examination.statistics.games, kGames) << "the other store was examined";
}

TEST_F(Doctor, StoreWhoseImportWasKilled) {
    const std::string store = store_of(games_);
    const std::uint64_t end = StoreReader::open(store)->blocks()[4].offset;
    const std::string bytes = base::read_text(store).value();
    ASSERT_TRUE(base::write_atomically(store, std::string_view(bytes).substr(0, end + 20)));
    const auto examination = examination_of({{store, std::nullopt}});
    ASSERT_THAT(examination.findings, ElementsAre(Found(Severity::Error, "cut-off-store", 1)));
    EXPECT_THAT(examination.findings[0].what, HasSubstr("planted.games: cut off: "));
    EXPECT_THAT(examination.findings[0].advice, HasSubstr("--resume"));
    EXPECT_EQ(examination.statistics.games, 400U) << "the whole blocks were examined";
}

TEST_F(Doctor, DamagedBlock) {
    const std::string store = store_of(games_);
    std::string bytes = base::read_text(store).value();
    const auto opened = StoreReader::open(store);
    bytes[opened->blocks()[2].offset + opened->blocks()[2].size / 2] ^= 0x10;
    ASSERT_TRUE(base::write_atomically(store, std::string_view(bytes)));
    const auto examination = examination_of({{store, std::nullopt}});
    ASSERT_THAT(examination.findings, ElementsAre(Found(Severity::Error, "damaged-block", 1)));
    EXPECT_THAT(examination.findings[0].what, HasSubstr("block 3: "));
    EXPECT_EQ(examination.stores[0].damaged_blocks, 1U);
    EXPECT_EQ(examination.stores[0].damaged_games, 100U);
    EXPECT_EQ(examination.statistics.games, kGames - 100);
}

// A block that says another hash of a game, all checksums right.
TEST_F(Doctor, HashThatIsNotOfTheMoves) {
    BlockBuilder builder;
    for (std::size_t i = 0; i < 50; ++i) ASSERT_TRUE(builder.add(games_[i]));
    std::string block = builder.finish(3);
    const auto header = parse_block_header(block, block.size());
    ASSERT_TRUE(header);
    std::size_t at = header->header_size;
    for (std::size_t i = 0; i < header->sections.size(); ++i) {
        const auto& section = header->sections[i];
        if (section.id == "HASH") {
            ASSERT_EQ(section.codec, 0U) << "hashes do not compress";
            block[at + 8 * 20] ^= 1;  // of the block's game 21
            const std::uint64_t sum =
                base::hash_text(std::string_view(block).substr(at, section.stored_size));
            std::memcpy(block.data() + 16 + 24 * i + 16, &sum, sizeof(sum));
        }
        at += section.stored_size;
    }
    const std::size_t checked = header->header_size - 8;
    const std::uint64_t sum = base::hash_text(std::string_view(block).substr(0, checked));
    std::memcpy(block.data() + checked, &sum, sizeof(sum));

    const auto path = folder_ / "planted.games";
    auto writer = StoreWriter::create(path);
    ASSERT_TRUE(writer->add_block(block));
    ASSERT_TRUE(writer->finish());
    const auto examination = examination_of({{path.string(), std::nullopt}});
    ASSERT_THAT(examination.findings, ElementsAre(Found(Severity::Error, "damaged-game", 1)));
    EXPECT_THAT(examination.findings[0].what, HasSubstr(game(21) + ": hash "));
}

TEST_F(Doctor, DuplicateGames) {
    Game copy = games_[6];
    copy.tags[0].second = "a different tag";
    games_.push_back(copy);
    EXPECT_THAT(findings(games_), ElementsAre(FoundAt(Severity::Warning, "duplicate-games", 1,
                                                      game(kGames + 1) + " and " + game(7))));
}

TEST_F(Doctor, SameMovesWithAnotherResult) {
    Game copy = games_[6];
    ASSERT_NE(copy.ending, Ending::Checkmate);
    copy.result = GameResult::Unknown;
    games_.push_back(copy);
    EXPECT_THAT(findings(games_), ElementsAre(Found(Severity::Warning, "duplicate-games", 1),
                                              Found(Severity::Note, "unknown-results", 1)))
        << "who does not know does not contradict";
    games_.back().result =
        games_[6].result == GameResult::WhiteWins ? GameResult::BlackWins : GameResult::WhiteWins;
    EXPECT_THAT(findings(games_), ElementsAre(FoundAt(Severity::Warning, "same-moves-other-result", 1,
                                                      game(kGames + 1) + " and " + game(7)),
                                              Found(Severity::Warning, "duplicate-games", 1)));
}

TEST_F(Doctor, GamesInTwoStoresAndInTwoSplits) {
    const std::string first = store_of({games_.begin(), games_.begin() + 400}, "first.games");
    const std::string apart = store_of({games_.begin() + 400, games_.end()}, "apart.games");
    const std::string mixed = store_of({games_.begin() + 398, games_.end()}, "mixed.games");
    EXPECT_THAT(examination_of({{first, Split::Train}, {apart, Split::Validation}}).findings, IsEmpty());
    EXPECT_THAT(examination_of({{first, std::nullopt}, {mixed, std::nullopt}}).findings,
                ElementsAre(FoundAt(Severity::Warning, "games-in-two-stores", 2, "mixed.games: game 1")));
    EXPECT_THAT(examination_of({{first, Split::Train}, {mixed, Split::Train}}).findings,
                ElementsAre(Found(Severity::Warning, "games-in-two-stores", 2)));
    EXPECT_THAT(examination_of({{first, Split::Train}, {mixed, Split::Validation}}).findings,
                ElementsAre(FoundAt(Severity::Error, "games-in-two-splits", 2, "mixed.games: game 1"),
                            Found(Severity::Warning, "games-in-two-stores", 2)));
}

TEST_F(Doctor, PositionsThatTrainingHasToo) {
    // Eight half-moves of ten are the same.
    const auto draw = GameResult::Draw;
    const std::string train =
        store_of({game_of("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7", draw, Ending::Unknown)}, "a.games");
    const std::string held_out =
        store_of({game_of("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 d3 d6", draw, Ending::Unknown)}, "b.games");
    EXPECT_DOUBLE_EQ(
        examination_of({{train, Split::Train}, {held_out, Split::Validation}}).shared_with_training.value(),
        0.9);  // all but the one after d3
    EXPECT_EQ(examination_of({{train, Split::Train}}).shared_with_training, std::nullopt);
}

TEST_F(Doctor, CutGames) {
    // The hash of what is left decides its split: one that is cut stays in its split, another does not.
    struct Cut {
        Game game;
        std::size_t of;  // number of the whole game
    };
    std::optional<Cut> within;
    std::optional<Cut> across;
    for (std::size_t number = 1; number <= kGames && (!within || !across); ++number) {
        Cut cut{games_[number - 1], number};
        if (cut.game.moves.size() < 40) continue;
        cut.game.moves.resize(cut.game.moves.size() - 8);
        const bool same = split_of(cut.game.hash()) == split_of(games_[number - 1].hash());
        (same ? within : across) = cut;
    }
    ASSERT_TRUE(within && across);
    std::vector<Game> one = games_;
    one.push_back(within->game);
    EXPECT_THAT(findings(one), ElementsAre(FoundAt(Severity::Note, "cut-games", 1,
                                                   game(kGames + 1) + " and " + game(within->of))));
    std::vector<Game> other = games_;
    other.push_back(across->game);
    EXPECT_THAT(findings(other), ElementsAre(FoundAt(Severity::Warning, "cut-games-in-two-splits", 1,
                                                     game(kGames + 1) + " and " + game(across->of)),
                                             Found(Severity::Note, "cut-games", 1)));
}

// Games beyond those of one pass are compared in several.
TEST_F(Doctor, CopiesAreFoundInAnyNumberOfPasses) {
    games_.push_back(games_[6]);
    Game cut = games_[8];
    cut.moves.resize(cut.moves.size() - 5);
    games_.push_back(cut);
    const std::vector<StoreReader> stores{StoreReader::open(store_of(games_)).value()};
    for (const std::uint64_t at_once : {1U << 20, 100U, 7U}) {
        const auto copies = find_copies(stores, {.games_per_pass = at_once});
        ASSERT_TRUE(copies);
        EXPECT_EQ(copies->within.count, 1U) << at_once;
        EXPECT_EQ(copies->within.game, GamePlace(0, kGames + 1));
        EXPECT_EQ(copies->within.other, GamePlace(0, 7));
        EXPECT_EQ(copies->cut.count, 1U) << at_once;
        EXPECT_EQ(copies->cut.game, GamePlace(0, kGames + 2));
        EXPECT_EQ(copies->cut.other, GamePlace(0, 9));
    }
}

// So many copies cost so many looks, whatever their splits and results; and a stop is heard.
TEST_F(Doctor, CopiesOfOneGameAreNotComparedWithEachOther) {
    for (const std::size_t count : {100U, 1'000U, 10'000U}) {
        std::vector<Game> copies(count, games_[6]);
        for (std::size_t i = 0; i < count; i += 3) copies[i].result = GameResult::Draw;
        const std::vector<StoreReader> stores{StoreReader::open(store_of(copies)).value()};
        const auto found = find_copies(stores, {});
        ASSERT_TRUE(found);
        EXPECT_EQ(found->within.count, count - 1);
        EXPECT_GT(found->other_result.count, count / 2);
        EXPECT_LE(found->comparisons, 2 * count);

        std::stop_source stop;
        stop.request_stop();
        EXPECT_FALSE(find_copies(stores, {.stop = stop.get_token()}));
    }
}

// The tallies by the rule's words, game by game, against those that are counted in one go.
TEST_F(Doctor, CopiesAreTalliedAsByComparingAllPairs) {
    base::Random random(9);
    std::vector<Game> games;
    std::vector<std::size_t> kinds;
    for (int i = 0; i < 300; ++i) {
        kinds.push_back(random.below(20));
        games.push_back(games_[kinds.back()]);
        games.back().result = static_cast<GameResult>(random.below(4));
    }
    const std::vector<Game> first(games.begin(), games.begin() + 150);
    const std::vector<Game> second(games.begin() + 150, games.end());
    const std::vector<StoreReader> stores{StoreReader::open(store_of(first, "first.games")).value(),
                                          StoreReader::open(store_of(second, "second.games")).value()};
    const std::vector<std::optional<Split>> roles{Split::Train, Split::Test};
    Copies expected;
    const auto place = [](std::size_t i) { return GamePlace(i / 150, i % 150 + 1); };
    for (std::size_t i = 0; i < games.size(); ++i) {
        std::optional<std::size_t> earliest, latest, other_split, other_result;
        for (std::size_t k = 0; k < i; ++k) {
            if (kinds[k] != kinds[i]) continue;
            if (!earliest) earliest = k;
            latest = k;
            if (!other_split && k / 150 != i / 150) other_split = k;
            const bool known =
                games[k].result != GameResult::Unknown && games[i].result != GameResult::Unknown;
            if (!other_result && known && games[k].result != games[i].result) other_result = k;
        }
        if (!latest) continue;
        const bool same_store = *latest / 150 == i / 150;
        (same_store ? expected.within : expected.across)
            .add(place(i), place(same_store ? *latest : *earliest));
        if (other_split) expected.two_splits.add(place(i), place(*other_split));
        if (other_result) expected.other_result.add(place(i), place(*other_result));
    }
    const auto found = find_copies(stores, {.roles = roles});
    ASSERT_TRUE(found);
    for (const auto tally : {&Copies::within, &Copies::across, &Copies::two_splits, &Copies::other_result}) {
        EXPECT_EQ(((*found).*tally).count, (expected.*tally).count);
        EXPECT_EQ(((*found).*tally).game, (expected.*tally).game);
        EXPECT_EQ(((*found).*tally).other, (expected.*tally).other);
    }
}

TEST_F(Doctor, EmptyAndShortGames) {
    games_[10].moves.clear();
    games_[11].moves.resize(7);
    EXPECT_THAT(findings(games_), ElementsAre(FoundAt(Severity::Warning, "empty-games", 1, game(11)),
                                              FoundAt(Severity::Note, "short-games", 1, game(12))));
}

TEST_F(Doctor, UnknownResults) {
    games_[3].result = GameResult::Unknown;
    EXPECT_THAT(findings(games_), ElementsAre(Found(Severity::Note, "unknown-results", 1)));
    for (std::size_t i = 0; i < kGames / 10; ++i) games_[i].result = GameResult::Unknown;
    EXPECT_THAT(findings(games_), ElementsAre(Found(Severity::Warning, "unknown-results", kGames / 10)));
}

TEST_F(Doctor, ResultAgainstMateOnTheBoard) {
    // Fool's mate, later than usual.
    const std::string moves = "f3 e5 a3 a6 b3 b6 c3 c6 a4 a5 g4 Qh4#";
    games_.push_back(game_of(moves, GameResult::BlackWins, Ending::Checkmate));
    EXPECT_THAT(findings(games_), IsEmpty());
    games_.back().result = GameResult::WhiteWins;
    EXPECT_THAT(findings(games_),
                ElementsAre(FoundAt(Severity::Warning, "result-contradicts-mate", 1, game(kGames + 1))));
    games_.back().result = GameResult::Draw;
    EXPECT_THAT(findings(games_), ElementsAre(Found(Severity::Warning, "result-contradicts-mate", 1)));
}

TEST_F(Doctor, ResultAgainstStalemate) {
    // Loyd's shortest stalemate.
    const std::string moves =
        "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6";
    games_.push_back(game_of(moves, GameResult::Draw, Ending::Stalemate));
    EXPECT_THAT(findings(games_), IsEmpty());
    games_.back().result = GameResult::WhiteWins;
    EXPECT_THAT(findings(games_),
                ElementsAre(FoundAt(Severity::Warning, "result-contradicts-draw", 1, game(kGames + 1))));
}

TEST_F(Doctor, EndingThatIsNotOnTheBoard) {
    const auto found = std::ranges::find(games_, Ending::Unknown, &Game::ending);
    ASSERT_NE(found, games_.end());
    found->ending = Ending::Checkmate;
    const auto number = static_cast<std::size_t>(found - games_.begin()) + 1;
    EXPECT_THAT(findings(games_),
                ElementsAre(FoundAt(Severity::Warning, "ending-contradicts-board", 1, game(number))));
}

TEST_F(Doctor, DrawsThatDominate) {
    std::uint64_t draws = 0;
    for (std::size_t i = 0; i < games_.size(); ++i) {
        const bool ended = games_[i].ending == Ending::Checkmate;
        if (i % 10 != 0 && !ended) games_[i].result = GameResult::Draw;
        draws += games_[i].result == GameResult::Draw;
    }
    EXPECT_THAT(findings(games_), ElementsAre(Found(Severity::Warning, "draws-dominate", draws)));
}

TEST_F(Doctor, OneSideThatDominates) {
    for (std::size_t i = 0; i < games_.size(); ++i)
        if (i % 5 != 0 && games_[i].ending == Ending::Unknown) games_[i].result = GameResult::BlackWins;
    const auto found = findings(games_);
    ASSERT_THAT(found, ElementsAre(Found(Severity::Warning, "one-side-dominates", kGames)));
    EXPECT_THAT(found[0].what, HasSubstr("Black has "));
}

TEST_F(Doctor, ResultsThatWereNotPlayed) {
    std::uint64_t forfeits = 0;
    for (std::size_t i = 0; i < games_.size(); i += 5) {
        if (games_[i].ending != Ending::Unknown) continue;
        games_[i].ending = i % 2 ? Ending::TimeForfeit : Ending::Forfeit;
        ++forfeits;
    }
    EXPECT_THAT(findings(games_), ElementsAre(Found(Severity::Warning, "results-not-by-play", forfeits)));
}

TEST_F(Doctor, FewOpenings) {
    // Six openings of sixteen half-moves, at random from there.
    std::vector<Game> same;
    base::Random random(3);
    for (std::size_t i = 0; i < 300; ++i) {
        Game game = games_[i % 6];
        game.moves.resize(16);
        chess::Position position = game.start;
        for (const chess::Move move : game.moves) position.make(move);
        tests::play_random_game(random, position, 60, [&](const auto&, chess::Move move, const auto& after) {
            if (chess::has_legal_move(after)) game.moves.push_back(move);
        });
        game.ending = Ending::Unknown;
        same.push_back(game);
    }
    const auto found = findings(same);
    ASSERT_THAT(found, testing::Contains(Found(Severity::Warning, "few-openings", 300)));
    EXPECT_THAT(found[0].what, HasSubstr("2.6 bits"));  // log2(6)
}

TEST_F(Doctor, FewDistinctPositions) {
    const std::vector<Game> once(games_.begin(), games_.begin() + 100);
    std::vector<Game> often;
    for (int copy = 0; copy < 6; ++copy) often.insert(often.end(), once.begin(), once.end());
    std::uint64_t positions = 0;
    for (const Game& game : often) positions += game.moves.size();
    EXPECT_THAT(findings(often), ElementsAre(Found(Severity::Warning, "duplicate-games", 500),
                                             Found(Severity::Warning, "few-distinct-positions", positions)));
}

TEST_F(Doctor, MissingRatings) {
    std::erase_if(games_[20].tags, [](const auto& tag) { return tag.first == "BlackElo"; });
    EXPECT_THAT(findings(games_), ElementsAre(Found(Severity::Note, "ratings-missing", 1)));
}

TEST_F(Doctor, EvaluationsFromTheWrongSide) {
    evaluate(games_);
    // One engine's evaluations as Black are from its own view.
    std::uint64_t evaluations = 0;
    for (Game& game : games_) {
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            const bool black = ply % 2 == 1;
            if (game.tag(black ? "Black" : "White") != "Beta 2") continue;
            ++evaluations;
            if (black)
                game.evaluations[ply]->centipawns =
                    static_cast<std::int16_t>(-game.evaluations[ply]->centipawns);
        }
    }
    const auto found = findings(games_);
    ASSERT_THAT(found,
                ElementsAre(FoundAt(Severity::Error, "evaluations-contradict-results", evaluations, "Beta")));
    EXPECT_THAT(found[0].what, HasSubstr("Beta as Black"));
}

// A handful of games as one colour says nothing, however many there are as the other.
TEST_F(Doctor, ContradictionInFewGames) {
    evaluate(games_);
    std::size_t as_black = 0;
    for (Game& game : games_) {
        if (game.tag("Black") != "Beta 2") continue;
        if (as_black == 5) {
            for (auto& [name, value] : game.tags)
                if (name == "Black") value = "Gamma 3.1";
            continue;
        }
        ++as_black;
        for (std::size_t ply = 1; ply < game.moves.size(); ply += 2)
            game.evaluations[ply]->centipawns = static_cast<std::int16_t>(-game.evaluations[ply]->centipawns);
    }
    const Examination examination = examination_of({{store_of(games_), std::nullopt}});
    EXPECT_THAT(examination.findings, IsEmpty());
    const auto beta = std::ranges::find(examination.producers, "Beta", &ProducerRecord::name);
    ASSERT_NE(beta, examination.producers.end());
    EXPECT_LT(beta->evaluations.correlation(chess::Black).value(), -0.2);
    EXPECT_EQ(beta->evaluations.games(chess::Black), 5U);
    EXPECT_EQ(beta->evaluations.games(chess::White), 150U);
    EXPECT_EQ(beta->evaluations.games(), 154U) << "one of the five is against itself";
}

TEST_F(Doctor, GamesAgainstItselfCountOnce) {
    games_.resize(40);
    evaluate(games_);
    for (Game& game : games_)
        for (auto& [name, value] : game.tags)
            if (name == "White" || name == "Black") value = name == "White" ? "Solo 1" : "Solo 2";
    const Examination examination = examination_of({{store_of(games_), std::nullopt}});
    ASSERT_EQ(examination.producers.size(), 1U);
    EXPECT_EQ(examination.producers[0].evaluations.games(), 40U);
    EXPECT_EQ(examination.producers[0].evaluations.games(chess::White), 40U);
    EXPECT_EQ(examination.producers[0].evaluations.games(chess::Black), 40U);
}

TEST_F(Doctor, EvaluationsThatSayNothing) {
    evaluate(games_);
    base::Random random(11);
    for (Game& game : games_)
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply)
            if (game.tag(ply % 2 ? "Black" : "White") == "Delta 4")
                game.evaluations[ply]->centipawns = static_cast<std::int16_t>(random.below(201)) - 100;
    const auto found = findings(games_);
    ASSERT_FALSE(found.empty());
    for (const Finding& finding : found)
        EXPECT_THAT(finding, FoundAt(Severity::Warning, "evaluations-say-nothing", finding.count, "Delta"));
}

TEST_F(Doctor, ScaleOfItsOwn) {
    evaluate(games_);
    for (Game& game : games_)
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply)
            if (game.tag(ply % 2 ? "Black" : "White") == "Gamma 3.1") game.evaluations[ply]->centipawns /= 16;
    const auto found = findings(games_);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0], FoundAt(Severity::Warning, "evaluation-scale", found[0].count, "Gamma"));
}

TEST_F(Doctor, ConstantEvaluations) {
    evaluate(games_);
    for (auto& evaluation : games_[30].evaluations) evaluation = Evaluation{15, 0, 1};
    EXPECT_THAT(findings(games_), ElementsAre(FoundAt(Severity::Note, "constant-evaluations", 1, game(31))));
    for (Game& game : games_)
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply)
            if (game.tag(ply % 2 ? "Black" : "White") == "Alpha 1.0")
                game.evaluations[ply] = Evaluation{15, 0, 1};
    const auto found = findings(games_);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_THAT(found[0], FoundAt(Severity::Warning, "constant-producer", found[0].count, "Alpha"));
    EXPECT_THAT(found[1], Found(Severity::Warning, "constant-evaluations", found[1].count));
}

TEST_F(Doctor, DrawsThatWereSeenComing) {
    evaluate(games_);
    const auto draw = std::ranges::find_if(
        games_, [](const Game& game) { return game.result == GameResult::Draw && game.moves.size() >= 60; });
    ASSERT_NE(draw, games_.end());
    for (auto& evaluation : draw->evaluations) evaluation = Evaluation{0, 0, 30};
    EXPECT_THAT(findings(games_), IsEmpty());
    const auto won = std::ranges::find_if(
        games_, [](const Game& game) { return game.result != GameResult::Draw && game.moves.size() >= 60; });
    for (auto& evaluation : won->evaluations) evaluation = Evaluation{0, 0, 30};
    EXPECT_THAT(findings(games_), ElementsAre(Found(Severity::Note, "constant-evaluations", 1)));
}

TEST_F(Doctor, ExtremeEvaluations) {
    evaluate(games_);
    games_[40].evaluations[30] = Evaluation{29'990, 0, 20};
    games_[41].evaluations[30] = Evaluation{0, 5, 20};  // a mate may be as it is
    EXPECT_THAT(findings(games_), ElementsAre(FoundAt(Severity::Note, "extreme-evaluations", 1, game(41))));
}

TEST_F(Doctor, EvaluationsInPart) {
    evaluate(games_);
    for (std::size_t i = 0; i < 50; ++i) games_[i].evaluations.clear();
    EXPECT_THAT(findings(games_), ElementsAre(Found(Severity::Note, "evaluations-in-part", kGames - 50)));
}

TEST_F(Doctor, BrokenClocks) {
    // Ten minutes a game and five seconds a move, three to eight of which are used.
    base::Random random(13);
    for (Game& game : games_) {
        std::array<std::uint64_t, 2> left{600'000, 600'000};
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            const std::uint64_t used = std::min<std::uint64_t>(3'000 + random.below(5'000), left[ply % 2]);
            left[ply % 2] += 5'000 - used;
            game.times.emplace_back(used);
            game.clocks.emplace_back(left[ply % 2]);
        }
    }
    EXPECT_THAT(findings(games_), IsEmpty());

    std::vector<Game> standing = games_;
    for (std::size_t ply = 1; ply < standing[50].moves.size(); ply += 2) standing[50].clocks[ply] = 600'000;
    EXPECT_THAT(findings(standing), ElementsAre(FoundAt(Severity::Warning, "constant-clocks", 1, game(51))));

    std::vector<Game> overspent = games_;
    overspent[60].times[40] = 7'200'000;
    EXPECT_THAT(findings(overspent),
                ElementsAre(FoundAt(Severity::Warning, "overspent-clocks", 1, game(61))));
}

}  // namespace
}  // namespace scholar::games
