#include "engine/engine.hpp"

#include <atomic>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "engine/bench.hpp"
#include "nets/network_file.hpp"
#include "nets/quantise.hpp"
#include "support/test_data.hpp"

namespace scholar::engine {
namespace {

std::unique_ptr<Engine> make() {
    auto engine = Engine::create();
    EXPECT_TRUE(engine) << (engine ? "" : engine.error().message);
    return std::move(*engine);
}

TEST(Engine, BenchIsTheSameTwice) {
    const auto silent = [](int, std::string_view, std::uint64_t) {};
    const auto engine = make();
    const auto first = bench(engine->network(), 5, silent).nodes;
    EXPECT_GT(first, 10'000U);
    EXPECT_EQ(bench(engine->network(), 5, silent).nodes, first);
    EXPECT_EQ(bench(make()->network(), 5, silent).nodes, first);
}

// The fingerprint of search and default network, on every machine and in every build. A change that alters it
// says so: here, and as "Bench: N" (of depth 16) in its commit.
TEST(Engine, TheFingerprintIsTheRecordedOne) {
    EXPECT_EQ(bench(make()->network(), 8, [](int, std::string_view, std::uint64_t) {}).nodes, 143'057U);
}

TEST(Engine, ANetworkThatCannotBeLoadedLeavesTheOldOne) {
    const tests::TemporaryFolder folder;
    const auto engine = make();
    const std::string before = nets::content_name(*engine->network());
    EXPECT_FALSE(engine->set_option("EvalFile", (folder / "none.safetensors").string()));
    ASSERT_TRUE(base::write_atomically(folder / "junk.safetensors", "this is no network"));
    EXPECT_FALSE(engine->set_option("EvalFile", (folder / "junk.safetensors").string()));
    EXPECT_EQ(nets::content_name(*engine->network()), before);

    const auto other = nets::quantise(nets::FloatNetwork::random({.width = 32}, 3))->network;
    ASSERT_TRUE(nets::save_network(folder / "other.safetensors", other));
    ASSERT_TRUE(engine->set_option("EvalFile", (folder / "other.safetensors").string()));
    EXPECT_EQ(nets::content_name(*engine->network()), nets::content_name(other));
    ASSERT_TRUE(engine->set_option("EvalFile", "<embedded>"));
    EXPECT_EQ(nets::content_name(*engine->network()), before);
}

TEST(Engine, AnInfiniteSearchEndsOnlyWhenStopped) {
    const auto engine = make();
    search::Observer silent;
    std::atomic<bool> done = false;
    // A position where the search itself has nothing left to look at.
    engine->go({{search::DepthLimit{1}, search::InfiniteLimit{}}, {}, {}}, silent,
               [&](const auto&) { done = true; });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(done);
    engine->stop();
    engine->wait();
    EXPECT_TRUE(done);
}

}  // namespace
}  // namespace scholar::engine
