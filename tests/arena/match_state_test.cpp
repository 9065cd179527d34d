#include "arena/match_state.hpp"

#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/random.hpp"
#include "scripted_programs.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

MatchOptions quick_match(int games) {
    MatchOptions options;
    for (int i = 0; i < 2; ++i) {
        options.engines[i].name = i == 0 ? "A" : "B";
        options.engines[i].command = {scripted_engine(), "ok"};
    }
    options.time_controls.assign(2, parse_time_control("depth=1").value());
    options.openings.resize(1);
    options.games = games;
    options.max_plies = 4;
    return options;
}

struct Files {
    explicit Files(const tests::TemporaryFolder& folder)
        : state(folder / "match.state"), outputs{folder / "games.pgn", folder / "games.jsonl", "Test"} {}
    std::string state;
    MatchOutputs outputs;
};

base::Result<MatchResult> play(const Files& files, const MatchOptions& options) {
    auto state = MatchState::open(files.state, options, files.outputs);
    if (!state) return std::unexpected(state.error());
    return play_match(options, {state->get()}, {}, (*state)->earlier());
}

// How often each game is in the outputs; the two must agree.
std::map<int, int> games_in(const Files& files) {
    std::map<int, int> numbers;
    std::ifstream json(files.outputs.json);
    for (std::string line; std::getline(json, line);)
        ++numbers[nlohmann::json::parse(line).at("game").get<int>()];
    std::map<int, int> rounds;
    std::ifstream pgn(files.outputs.pgn);
    for (std::string line; std::getline(pgn, line);) {
        int pair = 0, half = 0;
        if (std::sscanf(line.c_str(), "[Round \"%d.%d\"]", &pair, &half) == 2)
            ++rounds[2 * (pair - 1) + half];
    }
    EXPECT_EQ(numbers, rounds);
    return numbers;
}

std::string read(const std::string& path) {
    return base::read_text(path).value();
}

void write(const std::string& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

TEST(MatchState, AFinishedMatchIsNotPlayedAgain) {
    const tests::TemporaryFolder folder;
    const Files files(folder);
    const auto first = play(files, quick_match(6));
    ASSERT_TRUE(first) << first.error().message;
    const auto pgn = read(files.outputs.pgn);
    const auto again = play(files, quick_match(6));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->score().games(), 6U);
    EXPECT_EQ(again->pairs(), first->pairs());
    EXPECT_EQ(again->engines[0].name, "A");
    EXPECT_EQ(again->engines[0].moves, first->engines[0].moves);
    EXPECT_EQ(read(files.outputs.pgn), pgn);
    // More games of the same match.
    const auto more = play(files, quick_match(9));
    ASSERT_TRUE(more) << more.error().message;
    EXPECT_EQ(more->score().games(), 9U);
    EXPECT_EQ(games_in(files).size(), 9U);
}

// Whatever a kill can leave: a state that ends within a line and outputs with all games before it, or a whole
// line and outputs that lack a part of the last game.
TEST(MatchState, GoesOnFromWhateverAKillLeaves) {
    const tests::TemporaryFolder folder;
    const Files files(folder);
    ASSERT_TRUE(play(files, quick_match(4)));
    const std::string state = read(files.state), pgn = read(files.outputs.pgn),
                      json = read(files.outputs.json);
    std::vector<std::size_t> ends;  // of the lines
    for (std::size_t at = state.find('\n'); at != std::string::npos; at = state.find('\n', at + 1))
        ends.push_back(at + 1);
    // What the match is, then two lines for each game: what it is going to write, and that it has.
    ASSERT_EQ(ends.size(), 9U);
    const auto outputs_after = [&](std::size_t game) {
        if (game == 0) return std::array<std::size_t, 2>{};
        const auto record =
            nlohmann::json::parse(state.substr(ends[2 * game - 1], ends[2 * game] - ends[2 * game - 1]));
        return std::array{record["outputs"][0].get<std::size_t>(), record["outputs"][1].get<std::size_t>()};
    };
    base::Random random(11);
    for (int trial = 0; trial < 24; ++trial) {
        const std::size_t game = 1 + random.below(4);  // that is being written
        const auto at = outputs_after(game - 1), after = outputs_after(game);
        std::size_t state_size = 0, pgn_size = at[0], json_size = at[1];
        if (trial % 2 == 0) {
            // In the first of its lines.
            state_size = ends[2 * game - 2] + random.below(ends[2 * game - 1] - ends[2 * game - 2]);
        } else {
            // In the outputs, or in the second.
            state_size = ends[2 * game - 1];
            pgn_size += random.below(after[0] - at[0] + 1);
            if (trial % 4 == 1) pgn_size = after[0];
            if (pgn_size == after[0]) json_size += random.below(after[1] - at[1] + 1);
            if (trial % 8 == 1) {
                json_size = after[1];
                state_size += random.below(ends[2 * game] - ends[2 * game - 1]);
            }
        }
        write(files.state, state.substr(0, state_size));
        write(files.outputs.pgn, pgn.substr(0, pgn_size));
        write(files.outputs.json, json.substr(0, json_size));
        const auto result = play(files, quick_match(6));
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->score().games(), 6U);
        EXPECT_EQ(result->pairs(), (Pentanomial{0, 0, 3, 0, 0}));
        const std::map<int, int> once{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}};
        EXPECT_EQ(games_in(files), once) << "trial " << trial;
        EXPECT_TRUE(read(files.outputs.pgn).starts_with(pgn.substr(0, at[0])));
    }
}

TEST(MatchState, AKillBeforeTheFirstGameIsABeginning) {
    const tests::TemporaryFolder folder;
    const Files files(folder);
    ASSERT_TRUE(play(files, quick_match(2)));
    const std::string state = read(files.state);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, state.find('\n') / 2, state.find('\n')}) {
        write(files.state, state.substr(0, size));
        std::filesystem::remove(files.outputs.pgn);
        std::filesystem::remove(files.outputs.json);
        const auto result = play(files, quick_match(2));
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(games_in(files).size(), 2U);
    }
}

// A command with a wrong option, then the right one: nothing is lost by forgetting the first.
TEST(MatchState, WithoutAGameItGivesWayToAnotherMatch) {
    const tests::TemporaryFolder folder;
    const Files files(folder);
    auto wrong = quick_match(2);
    wrong.seed = 9;
    wrong.engines[1].options = {{"NoSuchOption", "1"}};
    ASSERT_FALSE(play(files, wrong));
    const auto first = read(files.state);
    EXPECT_THAT(first, HasSubstr("NoSuchOption"));
    const auto result = play(files, quick_match(2));
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(games_in(files).size(), 2U);
    EXPECT_THAT(read(files.state), testing::Not(HasSubstr("NoSuchOption")));
    // A first line that was cut off, of another match; and something that only looks like it.
    write(files.state, first.substr(0, first.size() / 2));
    EXPECT_TRUE(MatchState::open(files.state, quick_match(2), files.outputs));
    write(files.state, "{\"format\":\"another\"}");
    EXPECT_FALSE(MatchState::open(files.state, quick_match(2), files.outputs));
}

// As the engine finds it: from the folder that it is started in.
TEST(MatchState, KnowsFilesOfOptionsInTheEnginesFolder) {
    const tests::TemporaryFolder folder;
    const Files files(folder);
    std::filesystem::create_directory(folder / "engine");
    write((folder / "engine" / "a.net").string(), "first");
    auto options = quick_match(2);
    ASSERT_TRUE(play(files, options));
    const std::string games = read(files.state).substr(read(files.state).find('\n') + 1);
    options.engines[0].directory = folder / "engine";
    options.engines[0].options = {{"EvalFile", "a.net"}};
    std::filesystem::remove(files.state);
    ASSERT_TRUE(MatchState::open(files.state, options, {}));
    write(files.state, read(files.state) + games);
    ASSERT_TRUE(MatchState::open(files.state, options, {}));
    write((folder / "engine" / "a.net").string(), "second");
    EXPECT_THAT(MatchState::open(files.state, options, {}).error().message,
                HasSubstr("engines/0/options/EvalFile (content) is"));
}

TEST(MatchState, RefusesAnotherMatchAndSaysWhatDiffers) {
    const tests::TemporaryFolder folder;
    const Files files(folder);
    ASSERT_TRUE(play(files, quick_match(2)));
    const std::string state = read(files.state);
    const auto message = [&](const std::function<void(MatchOptions&)>& change) {
        MatchOptions options = quick_match(4);
        change(options);
        const auto result = play(files, options);
        return result ? std::string("it goes on") : result.error().message;
    };
    EXPECT_THAT(message([](MatchOptions& o) { o.seed = 9; }),
                HasSubstr("is the state of another match: seed is 1 there and 9 here"));
    EXPECT_THAT(message([](MatchOptions& o) { o.time_controls[1] = parse_time_control("depth=2").value(); }),
                HasSubstr(R"(tc/1 is "depth=1" there and "depth=2" here)"));
    EXPECT_THAT(message([](MatchOptions& o) { o.engines[0].options = {{"Hash", "8"}}; }),
                HasSubstr(R"(engines/0/options/Hash is nothing there and "8" here)"));
    EXPECT_THAT(message([](MatchOptions& o) { o.engines[1].command = {"cat"}; }),
                HasSubstr("engines/1/command/0"));
    EXPECT_THAT(message([](MatchOptions& o) { o.openings.emplace_back(); }), HasSubstr("openings/count"));
    EXPECT_THAT(message([](MatchOptions& o) { o.draw.emplace(); }), HasSubstr("draw"));
    EXPECT_EQ(read(files.state), state);

    // An output that is not this match's any more.
    const std::string pgn = read(files.outputs.pgn);
    write(files.outputs.pgn, pgn.substr(0, 10));
    EXPECT_THAT(message([](MatchOptions&) {}), HasSubstr("has 10 bytes, expected at least the"));
    write(files.outputs.pgn, pgn);
    write(files.state, "something else\n");
    EXPECT_THAT(message([](MatchOptions&) {}), HasSubstr("is not the state of a match"));
    EXPECT_EQ(read(files.state), "something else\n");
    write(files.state, state + "{\"game\":7}\n");
    EXPECT_THAT(message([](MatchOptions&) {}),
                HasSubstr("line 6: 'outputs', expected the size of each output"));
    // The same game again, with the sizes that the outputs have: what a journal cannot know is wrong.
    const auto last = state.rfind('\n', state.size() - 2) + 1;
    write(files.state, state + state.substr(last));
    EXPECT_THAT(message([](MatchOptions&) {}), HasSubstr("for the second time"));
}

TEST(MatchState, IsOnePrograms) {
    const tests::TemporaryFolder folder;
    const Files files(folder);
    const auto options = quick_match(2);
    const auto held = MatchState::open(files.state, options, files.outputs);
    ASSERT_TRUE(held) << held.error().message;
    EXPECT_THAT(MatchState::open(files.state, options, files.outputs).error().message,
                HasSubstr("another program is writing it"));
}

}  // namespace
}  // namespace scholar::arena
