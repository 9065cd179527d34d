#include "learning/training/sample_source.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "chess/fen.hpp"
#include "games/store.hpp"
#include "learning/training/sample_stream.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

class SampleSources : public testing::Test {
  protected:
    void SetUp() override { tests::write_random_games(folder_ / "games.games", 200, 11); }

    games::Sampler::Options options() const {
        games::Sampler::Options options;
        options.stores = {(folder_ / "games.games").string()};
        options.sampling.shares = {.validation = 0, .test = 0};
        options.seed = 7;
        options.shuffle_buffer = 500;
        return options;
    }
    template <class T>
    static std::vector<T> all_of_pass(SampleSource& source, std::uint64_t pass, std::size_t at_once) {
        source.start_pass(pass);
        Samples samples = source.none();
        while (true) {
            const auto got = source.next(at_once, samples);
            EXPECT_TRUE(got) << got.error().message;
            if (!got || *got < at_once) break;
        }
        return std::get<std::vector<T>>(samples);
    }

    tests::TemporaryFolder folder_;
};

std::string text_of(const SamplePair& pair) {
    return chess::to_fen(pair.won.position) + chess::to_fen(pair.lost.position) +
           (pair.lost_first ? " turned" : "");
}

// By plain replay of the games: who won them, and which positions they have.
TEST_F(SampleSources, PairsAreOfAWonAndALostGame) {
    std::map<std::string, std::set<games::GameResult>> results;
    std::size_t won = 0;
    std::size_t lost = 0;
    const auto store = games::StoreReader::open(folder_ / "games.games");
    ASSERT_TRUE(store) << store.error().message;
    for (std::size_t block = 0; block < store->blocks().size(); ++block) {
        const auto read = store->read_block(block);
        ASSERT_TRUE(read);
        for (std::size_t number = 0; number < read->games(); ++number) {
            const auto game = read->game(number);
            ASSERT_TRUE(game);
            chess::Position position = game->start;
            for (const chess::Move move : game->moves) {
                results[chess::to_fen(position)].insert(game->result);
                position.make(move);
            }
            if (game->result == games::GameResult::WhiteWins) won += game->moves.size();
            if (game->result == games::GameResult::BlackWins) lost += game->moves.size();
        }
    }
    auto source = open_pairs(options());
    ASSERT_TRUE(source) << source.error().message;
    EXPECT_EQ((*source)->unit(), "pair");
    const auto pairs = all_of_pass<SamplePair>(**source, 0, 300);
    // The shorter side ends the pass.
    EXPECT_EQ(pairs.size(), std::min(won, lost));
    std::size_t turned = 0;
    for (const SamplePair& pair : pairs) {
        EXPECT_TRUE(results.at(chess::to_fen(pair.won.position)).contains(games::GameResult::WhiteWins));
        EXPECT_TRUE(results.at(chess::to_fen(pair.lost.position)).contains(games::GameResult::BlackWins));
        // Of who is to move, as samples are.
        EXPECT_EQ(pair.won.result, pair.won.position.side_to_move() == chess::White ? 1.0F : 0.0F);
        EXPECT_EQ(pair.lost.result, pair.lost.position.side_to_move() == chess::White ? 0.0F : 1.0F);
        turned += pair.lost_first ? 1 : 0;
    }
    // Half of them, within five standard deviations.
    const auto half = static_cast<double>(pairs.size()) / 2;
    EXPECT_NEAR(static_cast<double>(turned), half, 5 * std::sqrt(half / 2));
}

TEST_F(SampleSources, ASkippedPairIsAsGoodAsAGivenOne) {
    auto source = open_pairs(options());
    ASSERT_TRUE(source);
    const auto whole = all_of_pass<SamplePair>(**source, 3, 100);
    (*source)->start_pass(3);
    ASSERT_TRUE((*source)->skip(123));
    Samples rest = (*source)->none();
    ASSERT_EQ(*(*source)->next(50, rest), 50U);
    for (std::size_t i = 0; i < 50; ++i)
        EXPECT_EQ(text_of(std::get<std::vector<SamplePair>>(rest)[i]), text_of(whole[123 + i]));
    // Another pass has another order.
    EXPECT_NE(text_of(all_of_pass<SamplePair>(**source, 4, 100)[0]), text_of(whole[0]));
}

TEST(NodeSource, GivesAllNodesInAnOrderOfEachPass) {
    std::vector<LabelledNode> nodes(100);
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].labels = {static_cast<float>(i)};
    const auto source = hold_nodes(nodes, 5);
    const auto order = [&](std::uint64_t pass) {
        source->start_pass(pass);
        Samples samples = source->none();
        EXPECT_EQ(*source->next(60, samples), 60U);
        EXPECT_EQ(*source->next(60, samples), 40U);
        std::vector<float> labels;
        for (const LabelledNode& node : std::get<std::vector<LabelledNode>>(samples))
            labels.push_back(node.labels.at(0));
        return labels;
    };
    const auto first = order(0);
    EXPECT_EQ(first, order(0));
    EXPECT_NE(first, order(1));
    EXPECT_EQ(std::set<float>(first.begin(), first.end()).size(), 100U);
    source->start_pass(0);
    ASSERT_TRUE(source->skip(97));
    Samples rest = source->none();
    EXPECT_EQ(*source->next(60, rest), 3U);
    EXPECT_EQ(std::get<std::vector<LabelledNode>>(rest)[0].labels[0], first[97]);
    // Other labels are other data.
    nodes[3].labels[0] = -1;
    EXPECT_NE(hold_nodes(nodes, 5)->data_hash(), source->data_hash());
}

struct Labels final : Encoded {
    std::vector<float> labels;
};

TEST(SampleStream, GoesOnInTheNextPassAndFromAnyPlace) {
    std::vector<LabelledNode> nodes(10);
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].labels = {static_cast<float>(i)};
    const auto encode = [](const Samples& samples) -> base::Result<std::unique_ptr<Encoded>> {
        auto all = std::make_unique<Labels>();
        for (const LabelledNode& node : std::get<std::vector<LabelledNode>>(samples))
            all->labels.push_back(node.labels[0]);
        return all;
    };
    const auto take = [](SampleStream& stream, std::vector<float>& into) {
        const auto batch = stream.next();
        EXPECT_TRUE(batch) << batch.error().message;
        const auto& labels = static_cast<const Labels&>(*batch->samples).labels;
        into.insert(into.end(), labels.begin(), labels.end());
        return batch->after;
    };
    std::vector<float> whole;
    std::vector<StreamPlace> places;
    SampleStream straight(hold_nodes(nodes, 5), {}, 4, encode);
    for (int i = 0; i < 10; ++i) places.push_back(take(straight, whole));
    EXPECT_EQ(places[2], (StreamPlace{1, 2}));
    // Each pass has every node once.
    for (std::size_t pass = 0; pass < 4; ++pass)
        EXPECT_EQ(std::set<float>(whole.begin() + static_cast<std::ptrdiff_t>(10 * pass),
                                  whole.begin() + static_cast<std::ptrdiff_t>(10 * pass + 10))
                      .size(),
                  10U);
    for (const std::size_t begun : {1U, 2U, 4U, 7U}) {
        SampleStream later(hold_nodes(nodes, 5), places[begun], 4, encode);
        std::vector<float> rest;
        for (std::size_t i = begun + 1; i < 10; ++i) take(later, rest);
        EXPECT_EQ(rest, std::vector<float>(whole.begin() + static_cast<std::ptrdiff_t>(4 * (begun + 1)),
                                           whole.end()));
    }
}

TEST(SampleStream, PassesErrorsOnInOneLine) {
    SampleStream none(hold_nodes({}, 5), {}, 4,
                      [](const Samples&) { return base::Result<std::unique_ptr<Encoded>>(); });
    EXPECT_EQ(none.next().error().message,
              "no node of the training data passes the filter: expected at least one");
    SampleStream fails(
        hold_nodes(std::vector<LabelledNode>(4), 5), {}, 4,
        [](const Samples&) -> base::Result<std::unique_ptr<Encoded>> { return base::fail("no tensor"); });
    EXPECT_EQ(fails.next().error().message, "no tensor");
}

}  // namespace
}  // namespace scholar::learning
