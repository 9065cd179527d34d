#include "selfplay/duel.hpp"

#include <gtest/gtest.h>

#include "nets/container/any_network.hpp"
#include "nets/container/embedded.hpp"
#include "nets/perspective/quantise.hpp"

namespace scholar::selfplay {
namespace {

std::shared_ptr<const nets::Network> random_network(std::uint64_t seed) {
    return std::make_shared<const nets::Network>(
        nets::quantise(nets::FloatNetwork::random({.width = 32}, seed))->network);
}

DuelPlan plan(int threads = 1) {
    DuelPlan plan;
    plan.nodes = 100;
    plan.pairs = 6;
    plan.threads = threads;
    return plan;
}

TEST(Duel, TheBetterNetworkWins) {
    const nets::AnyNetwork taught = *nets::parse_any_network(nets::default_network_file());
    const DuelResult result = duel(taught, random_network(1), plan(2), {});
    EXPECT_EQ(result.games.games(), 12U);
    EXPECT_GT(result.score(), 0.8);
    // Colours and order do not matter.
    const DuelResult turned = duel(random_network(1), taught, plan(1), {});
    EXPECT_EQ(turned.games.wins, result.games.losses);
    EXPECT_EQ(turned.games.draws, result.games.draws);
    EXPECT_EQ(turned.pairs[0], result.pairs[4]);
}

TEST(Duel, AgainstItselfEveryPairIsEven) {
    const auto network = random_network(2);
    const DuelResult result = duel(network, network, plan(2), {});
    EXPECT_EQ(result.score(), 0.5);
    EXPECT_EQ(result.pairs[2], 6U);
}

TEST(Duel, GivesWholePairsWhenToldToStop) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(duel(random_network(1), random_network(2), plan(), stop.get_token()).games.games(), 0U);
}

}  // namespace
}  // namespace scholar::selfplay
