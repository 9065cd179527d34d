#include "games/selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "games/ending.hpp"
#include "shipped_games.hpp"
#include "support/test_data.hpp"

namespace scholar::games {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::TemporaryFolder;

Game game_of(std::initializer_list<std::string_view> moves, GameResult result,
             std::vector<std::pair<std::string, std::string>> tags) {
    Game game;
    chess::Position position;
    for (const std::string_view san : moves) {
        game.moves.push_back(chess::parse_san(position, san).value());
        position.make(game.moves.back());
    }
    game.result = result;
    game.tags = std::move(tags);
    return game;
}

// Five games that differ in all that can be asked for.
std::vector<Game> five_games() {
    std::vector<Game> games{
        game_of({"e4", "e5", "Nf3", "Nc6"}, GameResult::WhiteWins,
                {{"Event", "Club Championship"},
                 {"Date", "1997.05.03"},
                 {"White", "Müller, K"},
                 {"Black", "Anand, V"},
                 {"WhiteElo", "2500"},
                 {"BlackElo", "2600"},
                 {"ECO", "C44"}}),
        game_of({"d4", "d5"}, GameResult::BlackWins,
                {{"Event", "Candidates"},
                 {"Date", "2018.??.??"},
                 {"White", "ANAND, Viswanathan"},
                 {"Black", "Carlsen, M"},
                 {"WhiteElo", "2780"},
                 {"BlackElo", "2830"},
                 {"ECO", "D00"}}),
        game_of({"Nf3", "Nc6", "e4", "e5", "Bb5"}, GameResult::Draw,
                {{"Event", "Candidates"},
                 {"UTCDate", "2018.03.10"},
                 {"White", "Carlsen, M"},
                 {"Black", "Caruana, F"},
                 {"WhiteElo", "2840"},
                 {"ECO", "C65"}}),
        game_of({"c4"}, GameResult::Unknown, {{"White", "?"}, {"Black", "?"}, {"Date", "????.??.??"}}),
        game_of({"e4", "c5", "Nf3"}, GameResult::Draw,
                {{"Event", "Rapid"},
                 {"Date", "2020.12"},
                 {"White", "Engine 1"},
                 {"Black", "Engine 2"},
                 {"WhiteElo", "3500?"},
                 {"BlackElo", "3400"},
                 {"ECO", "B27"}}),
    };
    games[1].ending = Ending::TimeForfeit;
    games[4].evaluations = {Evaluation{30, 0, 10}, std::nullopt, std::nullopt};
    games[3].chess960 = true;
    return games;
}

class SelectionTest : public testing::Test {
  protected:
    SelectionTest() : games_(five_games()) {
        // Two games a block, so that blocks are passed over too.
        auto writer = StoreWriter::create(folder_ / "five.games", {.games_per_block = 2});
        for (const Game& game : games_) EXPECT_TRUE(writer->add(game));
        EXPECT_TRUE(writer->finish());
        stores_.push_back(StoreReader::open(folder_ / "five.games").value());
    }

    // Numbers of the games selected.
    std::vector<std::uint64_t> numbers(const SelectionWords& words) const {
        std::vector<std::uint64_t> out;
        const auto selection = parse_selection(words);
        EXPECT_TRUE(selection) << selection.error().message;
        const auto status =
            for_each_selected(stores_, *selection, no_columns(), {}, nullptr,
                              [&](const Block&, std::size_t, GamePlace place) -> base::Status {
                                  out.push_back(place.number());
                                  return {};
                              });
        EXPECT_TRUE(status);
        return out;
    }

    TemporaryFolder folder_;
    std::vector<Game> games_;
    std::vector<StoreReader> stores_;
};

TEST_F(SelectionTest, Everything) {
    EXPECT_THAT(numbers({}), ElementsAre(1, 2, 3, 4, 5));
}

TEST_F(SelectionTest, NamesByAnyPartInAnyCase) {
    EXPECT_THAT(numbers({.player = "anand"}), ElementsAre(1, 2));
    EXPECT_THAT(numbers({.player = "MÜLLER"}), ElementsAre(1));
    EXPECT_THAT(numbers({.white = "Anand"}), ElementsAre(2));
    EXPECT_THAT(numbers({.black = "carlsen"}), ElementsAre(2));
    EXPECT_THAT(numbers({.event = "candid"}), ElementsAre(2, 3));
    EXPECT_THAT(numbers({.player = "Karpov"}), IsEmpty());
}

TEST_F(SelectionTest, ResultsAndEndings) {
    EXPECT_THAT(numbers({.result = "1-0"}), ElementsAre(1));
    EXPECT_THAT(numbers({.result = "black"}), ElementsAre(2));
    EXPECT_THAT(numbers({.result = "draw"}), ElementsAre(3, 5));
    EXPECT_THAT(numbers({.result = "*"}), ElementsAre(4));
    EXPECT_THAT(numbers({.ending = "time-forfeit"}), ElementsAre(2));
    EXPECT_THAT(numbers({.ending = "time forfeit"}), ElementsAre(2));
}

TEST_F(SelectionTest, RatingsOfBothPlayers) {
    EXPECT_THAT(numbers({.min_rating = "2500"}), ElementsAre(1, 2, 5));  // one has none
    EXPECT_THAT(numbers({.min_rating = "2501"}), ElementsAre(2, 5)) << "3500? is 3500";
    EXPECT_THAT(numbers({.max_rating = "2600"}), ElementsAre(1));
    EXPECT_THAT(numbers({.min_rating = "2500", .max_rating = "2829"}), ElementsAre(1));
}

TEST_F(SelectionTest, DatesThatAreKnownInPart) {
    EXPECT_THAT(numbers({.since = "2018"}), ElementsAre(2, 3, 5));
    EXPECT_THAT(numbers({.since = "2018", .until = "2018"}), ElementsAre(2, 3));
    EXPECT_THAT(numbers({.since = "2018.03"}), ElementsAre(3, 5)) << "2018.??.?? may be January";
    EXPECT_THAT(numbers({.until = "1997.05.03"}), ElementsAre(1));
    EXPECT_THAT(numbers({.until = "1997.05.02"}), IsEmpty());
    EXPECT_THAT(numbers({.since = "2020.12"}), ElementsAre(5));
}

TEST_F(SelectionTest, EcoCodes) {
    EXPECT_THAT(numbers({.eco = "C"}), ElementsAre(1, 3));
    EXPECT_THAT(numbers({.eco = "C4"}), ElementsAre(1));
    EXPECT_THAT(numbers({.eco = "c65"}), ElementsAre(3));
    EXPECT_THAT(numbers({.eco = "B20-C44"}), ElementsAre(1, 5));
    EXPECT_THAT(numbers({.eco = "C6-D"}), ElementsAre(2, 3));
}

TEST_F(SelectionTest, LengthsKindsAndNumbers) {
    EXPECT_THAT(numbers({.min_plies = "4"}), ElementsAre(1, 3));
    EXPECT_THAT(numbers({.max_plies = "2"}), ElementsAre(2, 4));
    EXPECT_THAT(numbers({.variant = "chess960"}), ElementsAre(4));
    EXPECT_THAT(numbers({.variant = "standard"}), ElementsAre(1, 2, 3, 5));
    EXPECT_THAT(numbers({.evaluations = "yes"}), ElementsAre(5));
    EXPECT_THAT(numbers({.evaluations = "no"}), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(numbers({.number = "4"}), ElementsAre(4));
    EXPECT_THAT(numbers({.number = "2-4"}), ElementsAre(2, 3, 4));
    EXPECT_THAT(numbers({.number = "4-"}), ElementsAre(4, 5));
    EXPECT_THAT(numbers({.result = "draw", .number = "4-"}), ElementsAre(5));
}

TEST_F(SelectionTest, HashAndSplit) {
    EXPECT_THAT(numbers({.hash = base::to_hex(games_[2].hash())}), ElementsAre(3));
    std::vector<std::uint64_t> all;
    for (const char* split : {"train", "validation", "test"})
        for (const std::uint64_t number : numbers({.split = split})) {
            all.push_back(number);
            EXPECT_EQ(static_cast<int>(split_of(games_[number - 1].hash())), split[1] == 'r'   ? 0
                                                                             : split[0] == 'v' ? 1
                                                                                               : 2);
        }
    EXPECT_THAT(all, testing::UnorderedElementsAre(1, 2, 3, 4, 5));
    for (std::uint64_t number = 1; number <= 5; ++number) {
        const Split split = split_of(games_[number - 1].hash(), {.validation = 0.4, .test = 0.4});
        const std::array<const char*, 3> names{"train", "validation", "test"};
        EXPECT_THAT(numbers({.split = names[static_cast<std::size_t>(split)],
                             .validation_share = "0.4",
                             .test_share = "0.4"}),
                    testing::Contains(number));
    }
}

TEST_F(SelectionTest, PositionsHoweverTheyAriseAndWhateverTheClocks) {
    EXPECT_THAT(numbers({.position = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 9 30"}),
                ElementsAre(1, 3));
    EXPECT_THAT(numbers({.position = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQk - 0 1"}),
                IsEmpty());
    EXPECT_THAT(numbers({.position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}),
                ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(numbers({.position = "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1"}),
                ElementsAre(4))
        << "the last position counts";
}

struct Refused {
    SelectionWords words;
    const char* message;
};

TEST(SelectionWords, RefusesWithTheOptionAndWhatItExpects) {
    const std::vector<Refused> cases{
        {{.eco = "F20"},
         "option --eco: value 'F20', expected a code, its beginning or a range: B90, B9, B20-B99"},
        {{.eco = "B90-"}, "option --eco: value 'B90-'"},
        {{.result = "won"}, "option --result: value 'won', expected one of: 1-0, 0-1"},
        {{.ending = "mate"}, "option --ending: value 'mate', expected one of: unknown, checkmate"},
        {{.min_rating = "high"}, "option --min-rating: value 'high', expected a whole number from 0"},
        {{.max_rating = "-1"}, "option --max-rating: value '-1'"},
        {{.since = "May"}, "option --since: value 'May', expected a year"},
        {{.max_plies = "1.5"}, "option --max-plies: value '1.5'"},
        {{.variant = "atomic"}, "option --variant: value 'atomic', expected one of: standard, chess960"},
        {{.evaluations = "some"}, "option --evaluations: value 'some', expected one of: yes, no"},
        {{.split = "dev"}, "option --split: value 'dev', expected one of: train, validation, test"},
        {{.hash = "12"}, "option --hash: value '12', expected 16 hexadecimal digits"},
        {{.position = "8/8/8/8 w - -"}, "option --position: "},
        {{.number = "0"}, "option --number: value '0', expected a number from 1"},
        {{.number = "9-3"}, "option --number: value '9-3'"},
        {{.min_rating = "3000", .max_rating = "100"},
         "option --max-rating: value '100', expected no less than --min-rating, 3000"},
        {{.since = "2020", .until = "2019.12.31"},
         "option --until: value '2019.12.31', expected no less than --since, 2020"},
        {{.min_plies = "10", .max_plies = "5"},
         "option --max-plies: value '5', expected no less than --min-plies, 10"},
        {{.eco = "B20-A10"}, "option --eco: value 'B20-A10', expected the lower code first: A10-B20"},
        {{.validation_share = "0.6"},
         "option --validation-share: value '0.6', expected a number from 0 to 0.5"},
        {{.test_share = "nan"}, "option --test-share: value 'nan', expected a number from 0 to 1"},
    };
    for (const Refused& refused : cases) {
        const auto selection = parse_selection(refused.words);
        ASSERT_FALSE(selection) << refused.message;
        EXPECT_THAT(selection.error().message, HasSubstr(refused.message));
    }
}

TEST(SelectionWords, TakesRangesOfOne) {
    EXPECT_TRUE(parse_selection({.eco = "B20-B", .min_rating = "5", .max_rating = "5"}));
    EXPECT_TRUE(parse_selection({.since = "2020.05", .until = "2020", .min_plies = "7", .max_plies = "7"}));
    EXPECT_TRUE(parse_selection({.eco = "B-B20", .max_rating = "5", .until = "1990", .max_plies = "3"}));
}

TEST(Endings, NamesAreReadBack) {
    for (const Ending ending : kEndings) EXPECT_EQ(ending_of_name(name_of(ending)), ending);
    EXPECT_EQ(ending_of_name(""), std::nullopt);
}

TEST(Dates, AsFirstAndLastDay) {
    const auto range = [](std::string_view text) {
        const auto parsed = parse_date(text);
        return parsed ? std::pair(parsed->first, parsed->last) : std::pair(0, 0);
    };
    EXPECT_EQ(range("1997.05.03"), std::pair(19970503, 19970503));
    EXPECT_EQ(range("1997.5.3"), std::pair(19970503, 19970503));
    EXPECT_EQ(range("1997-05-03"), std::pair(19970503, 19970503));
    EXPECT_EQ(range("1997.05.??"), std::pair(19970501, 19970531));
    EXPECT_EQ(range("1997.??.03"), std::pair(19970101, 19971231));
    EXPECT_EQ(range("1997.13.01"), std::pair(19970101, 19971231));
    EXPECT_EQ(range("1997"), std::pair(19970101, 19971231));
    for (const char* text : {"", "????.??.??", "?", "0", "May 1997"})
        EXPECT_EQ(range(text), std::pair(0, 0)) << text;
}

// Counted in the games that ship by grep over their tags and by python-chess over their moves.
TEST(ShippedGames, Selections) {
    const TemporaryFolder folder;
    const auto path = folder / "master.games";
    auto writer = StoreWriter::create(path, {.compression_level = 1});
    for (const Game& game : shipped_games()) ASSERT_TRUE(writer->add(game));
    ASSERT_TRUE(writer->finish());
    const std::vector<StoreReader> stores{StoreReader::open(path).value()};
    const auto count = [&](const SelectionWords& words) {
        std::size_t games = 0;
        const auto status =
            for_each_selected(stores, parse_selection(words).value(), no_columns(), {}, nullptr,
                              [&](const Block&, std::size_t, GamePlace) -> base::Status {
                                  ++games;
                                  return {};
                              });
        EXPECT_TRUE(status);
        return games;
    };
    EXPECT_EQ(count({}), 6'000U);
    EXPECT_EQ(count({.result = "1-0"}), 2'123U);
    EXPECT_EQ(count({.result = "0-1"}), 1'466U);
    EXPECT_EQ(count({.player = "karpov"}), 72U);
    EXPECT_EQ(count({.white = "karpov"}), 37U);
    EXPECT_EQ(count({.since = "2020", .until = "2020"}), 302U);
    EXPECT_EQ(count({.since = "1971", .until = "1973"}), 64U);
    EXPECT_EQ(count({.min_rating = "2600"}), 1'947U);
    EXPECT_EQ(count({.max_plies = "40"}), 36U);
    EXPECT_EQ(count({.ending = "checkmate"}), 82U);
    EXPECT_EQ(count({.position = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/5N2/PP2PPPP/RNBQKB1R b KQkq - 1 3"}), 444U);
}

}  // namespace
}  // namespace scholar::games
