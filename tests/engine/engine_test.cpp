#include "engine/engine.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <semaphore>

#include "base/files.hpp"
#include "chess/fen.hpp"
#include "engine/bench.hpp"
#include "nets/linear/linear_file.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"
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
    const auto first = bench(engine->network(), 5, silent)->nodes;
    EXPECT_GT(first, 10'000U);
    EXPECT_EQ(bench(engine->network(), 5, silent)->nodes, first);
    EXPECT_EQ(bench(make()->network(), 5, silent)->nodes, first);
}

// The fingerprint of search and default network, on every machine and in every build. A change that alters it
// says so: here, and as "Bench: N" (of depth 16) in its commit.
TEST(Engine, TheFingerprintIsTheRecordedOne) {
    EXPECT_EQ(bench(make()->network(), 8, [](int, std::string_view, std::uint64_t) {})->nodes, 58'999U);
}

// That of the search with an open window too.
TEST(Engine, TheFingerprintOfThePrincipalVariationSearchIsTheRecordedOne) {
    const auto engine = make();
    ASSERT_TRUE(engine->set_option("Search", "pvs"));
    std::uint64_t nodes = 0;
    engine->bench(
        8, [](int, std::string_view, std::uint64_t) {},
        [&](const std::optional<BenchResult>& result) { nodes = result.value().nodes; });
    engine->wait();
    EXPECT_EQ(nodes, 125'749U);
}

TEST(Engine, ANetworkThatCannotBeLoadedLeavesTheOldOne) {
    const tests::TemporaryFolder folder;
    const auto engine = make();
    const std::string before = engine->network().content_name();
    EXPECT_FALSE(engine->set_option("EvalFile", (folder / "none.safetensors").string()));
    ASSERT_TRUE(base::write_atomically(folder / "junk.safetensors", "this is no network"));
    EXPECT_FALSE(engine->set_option("EvalFile", (folder / "junk.safetensors").string()));
    EXPECT_EQ(engine->network().content_name(), before);

    const auto other = nets::quantise(nets::FloatNetwork::random({.width = 32}, 3))->network;
    ASSERT_TRUE(nets::save_network(folder / "other.safetensors", other));
    ASSERT_TRUE(engine->set_option("EvalFile", (folder / "other.safetensors").string()));
    EXPECT_EQ(engine->network().content_name(), nets::content_name(other));
    ASSERT_TRUE(engine->set_option("EvalFile", "<embedded>"));
    EXPECT_EQ(engine->network().content_name(), before);
}

// One that counts material takes the piece that hangs, by every search; and its levels are there too.
TEST(Engine, PlaysWithALinearEvaluationAsWithAnyNetwork) {
    const tests::TemporaryFolder folder;
    const std::string path = (folder / "linear.safetensors").string();
    ASSERT_TRUE(nets::save_network(path, nets::FloatLinearNetwork::material_start()));
    const auto engine = make();
    ASSERT_TRUE(engine->set_option("EvalFile", path));
    const auto position = chess::parse_fen("4k3/8/3q4/8/8/8/3R4/4K3 w - - 0 1");
    ASSERT_TRUE(position);
    engine->set_line(chess::Line(*position));
    EXPECT_EQ(engine->evaluate()->value(), 1226 - 2452);
    search::Silence silent;
    for (const char* system : {"scholar", "oneply"}) {
        ASSERT_TRUE(engine->set_option("System", system));
        const auto result = engine->search({{search::DepthLimit{1}}, {}, {}}, silent);
        EXPECT_EQ(result.best, chess::Move(chess::D2, chess::D6)) << system;
        EXPECT_EQ(result.score->value(), 1226) << system;
    }
    ASSERT_TRUE(engine->set_option("System", "scholar"));
    ASSERT_TRUE(engine->set_option("UCI_LimitStrength", "true"));
    EXPECT_TRUE(engine->search({{search::NodeLimit{500}}, {}, {}}, silent).best);
}

TEST(Engine, AnInfiniteSearchEndsOnlyWhenStopped) {
    const auto engine = make();
    struct : search::Observer {
        std::binary_semaphore found{0};
        void on_end(const search::SearchResult&) override { found.release(); }
    } observer;
    std::atomic<bool> stopped = false;
    for (int round = 1; round <= 20; ++round) {
        stopped = false;
        int answers = 0;
        // With a depth, after which the search itself has nothing left to look at.
        engine->go({{search::DepthLimit{1}, search::InfiniteLimit{}}, {}, {}}, observer, [&](const auto&) {
            ++answers;
            EXPECT_TRUE(stopped);
        });
        observer.found.acquire();
        stopped = true;
        engine->stop();
        engine->wait();
        EXPECT_EQ(answers, 1);
    }
}

}  // namespace
}  // namespace scholar::engine
