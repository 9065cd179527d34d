#include "learning/measuring/ladder_place.hpp"

#include <gtest/gtest.h>

#include "arena/placement.hpp"
#include "base/files.hpp"
#include "learning/measuring/milestone_places.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"
#include "support/test_data.hpp"

namespace scholar::learning {
namespace {

constexpr const char* kLadder = R"(
[ladder]
time_control = "nodes=50"
[Weak]
protocol = "internal"
anchor = 500
options = ["UCI_LimitStrength=true", "UCI_Elo=1000"]
[Weaker]
protocol = "internal"
options = ["System=random"]
)";

TEST(LadderPlace, IsFoundByGamesThatCountWhenItGoesOn) {
    const tests::TemporaryFolder folder;
    const auto network = nets::quantise(nets::FloatNetwork::random({.width = 32}, 1));
    ASSERT_TRUE(network);
    ASSERT_TRUE(nets::save_network(folder / "network.safetensors", network->network));
    const auto ladder = arena::parse_ladder(kLadder, "small");
    ASSERT_TRUE(ladder) << ladder.error().message;
    LadderPlan plan{*ladder, folder / "games.jsonl", 6};
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = place_network(plan, "New", folder / "network.safetensors", stop.get_token());
    ASSERT_TRUE(stopped) << stopped.error().message;
    EXPECT_FALSE(*stopped);
    const auto placed = place_network(plan, "New", folder / "network.safetensors", {});
    ASSERT_TRUE(placed) << placed.error().message;
    ASSERT_TRUE(*placed);
    EXPECT_EQ((*placed)->games, 6U);
    // A rating has an error; who won or lost everything has a bound, and none.
    if ((*placed)->kind == arena::PlaceKind::Rated) {
        EXPECT_GT((*placed)->error, 0);
    } else {
        EXPECT_GT((*placed)->elo, -1'000);
    }
    EXPECT_LT((*placed)->elo, 2'000);
    // No more games are wanted: the same place.
    const auto before = base::read_text(plan.results);
    const auto again = place_network(plan, "New", folder / "network.safetensors", {});
    ASSERT_TRUE(again && *again);
    EXPECT_EQ((*again)->elo, (*placed)->elo);
    EXPECT_EQ(*base::read_text(plan.results), *before);
    EXPECT_FALSE(place_network(plan, "New", folder / "none.safetensors", {}));
    // The network may lie elsewhere by then; another is refused under the name.
    std::filesystem::rename(folder / "network.safetensors", folder / "moved.safetensors");
    const auto moved = place_network(plan, "New", folder / "moved.safetensors", {});
    ASSERT_TRUE(moved) << moved.error().message;
    EXPECT_EQ((*moved)->elo, (*placed)->elo);
    const auto other = nets::quantise(nets::FloatNetwork::random({.width = 32}, 2));
    ASSERT_TRUE(other && nets::save_network(folder / "moved.safetensors", other->network));
    const auto refused = place_network(plan, "New", folder / "moved.safetensors", {});
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().message.contains("give it another name")) << refused.error().message;
}

TEST(LadderPlace, OfMilestonesIsFoundByGamesThatCountWhenItGoesOn) {
    const tests::TemporaryFolder folder;
    const LearnFolder run(folder.path());
    ASSERT_TRUE(run.create());
    LadderPlan plan{*arena::parse_ladder(kLadder, "small"), run.ladder_games(), 4};
    std::vector<std::pair<int, std::uint64_t>> told;
    std::vector<int> begun;
    std::vector<int> watched;
    plan.watch = [&](int games) { watched.push_back(games); };
    const auto place = [&](const std::stop_token& stop = {}) {
        return place_milestones(
            run, plan, [&](int minutes) { begun.push_back(minutes); },
            [&](int minutes, const LadderPlace& at) { told.emplace_back(minutes, at.games); }, stop);
    };
    const auto none = place();
    ASSERT_FALSE(none);
    EXPECT_TRUE(none.error().message.ends_with("no milestones, expected some to place"));
    for (const int minutes : {2, 10}) {
        const auto network =
            nets::quantise(nets::FloatNetwork::random({.width = 32}, static_cast<std::uint64_t>(minutes)));
        ASSERT_TRUE(network && nets::save_network(run.milestone(minutes), network->network));
    }
    std::stop_source stop;
    stop.request_stop();
    ASSERT_TRUE(place(stop.get_token()));
    EXPECT_TRUE(told.empty());
    begun.clear();
    ASSERT_TRUE(place());
    EXPECT_EQ(begun, (std::vector{2, 10}));
    EXPECT_EQ(watched.back(), 4);
    plan.games = 6;
    ASSERT_TRUE(place());
    EXPECT_EQ(watched.back(), 6);
    EXPECT_EQ(told, (std::vector<std::pair<int, std::uint64_t>>{{2, 4}, {10, 4}, {2, 6}, {10, 6}}));
    ASSERT_TRUE(base::write_atomically(run.milestone(5), "no network"));
    EXPECT_FALSE(place());
    plan.ladder.players[0].anchor.reset();
    EXPECT_FALSE(place());
}

TEST(LadderPlace, IsNoneWithoutAScale) {
    const tests::TemporaryFolder folder;
    const auto network = nets::quantise(nets::FloatNetwork::random({.width = 32}, 1));
    ASSERT_TRUE(network);
    ASSERT_TRUE(nets::save_network(folder / "network.safetensors", network->network));
    arena::Ladder ladder = *arena::parse_ladder(kLadder, "small");
    for (auto& player : ladder.players) player.anchor.reset();
    const auto placed =
        place_network({ladder, folder / "games.jsonl", 4}, "New", folder / "network.safetensors", {});
    ASSERT_TRUE(placed) << placed.error().message;
    EXPECT_FALSE(*placed);
}

TEST(LadderPlace, NeedsSomebodyOfKnownStrength) {
    arena::Ladder ladder = *arena::parse_ladder(kLadder, "small");
    EXPECT_TRUE(arena::can_place(ladder));
    ladder.players[0].anchor.reset();
    EXPECT_FALSE(arena::can_place(ladder));
    ladder.players[0].anchor = 500;
    ladder.players[0].config.protocol = arena::Protocol::Uci;
    ladder.players[0].config.command = {"no-such-program-anywhere"};
    EXPECT_FALSE(arena::can_place(ladder));
}

}  // namespace
}  // namespace scholar::learning
