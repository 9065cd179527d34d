#include "nets/perspective/raw_file.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/random.hpp"
#include "chess/fen.hpp"
#include "nets/container/open_network.hpp"
#include "nets/perspective/quantise.hpp"
#include "scholar_net.h"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

// The reader in C has been written from the layout alone: that it gives every score to the last unit shows
// that the file has all that is needed, and that its description holds.

namespace scholar::nets {
namespace {

using Reader = std::unique_ptr<ScholarNet, void (*)(ScholarNet*)>;

class RawFile : public testing::Test {
  protected:
    // As the program in C finds it; "" or why it refuses it.
    std::string load(const std::string& bytes) {
        const std::string path = (folder_.path() / "network.bin").string();
        EXPECT_TRUE(base::write_atomically(path, bytes));
        const char* why = "";
        reader_.reset(scholar_net_load(path.c_str(), &why));
        return reader_ ? "" : why;
    }
    int read(const chess::Position& position) const {
        std::array<char, 64> board{};
        for (const chess::Square square : chess::squares(position.occupied())) {
            const chess::Piece piece = position.piece_on(square);
            const char letter = "PNBRQK"[chess::kind_of(piece)];
            board[square] =
                chess::color_of(piece) == chess::White ? letter : static_cast<char>(letter - 'A' + 'a');
        }
        return scholar_net_evaluate(reader_.get(), board.data(), position.side_to_move() == chess::Black);
    }
    // Both on positions of random games; how many.
    int compare(const Network& network, int games) {
        EXPECT_EQ(load(to_raw(network)), "");
        base::Random random(5);
        int positions = 0;
        int largest = 0;
        for (int game = 0; game < games; ++game)
            tests::play_random_game(random, chess::Position(), 150,
                                    [&](const auto&, auto, const chess::Position& position) {
                                        const int expected = evaluate_plainly(network, position).value();
                                        EXPECT_EQ(read(position), expected) << chess::to_fen(position);
                                        largest = std::max(largest, std::abs(expected));
                                        ++positions;
                                    });
        EXPECT_GT(largest, 0);
        return positions;
    }

  private:
    tests::TemporaryFolder folder_;
    Reader reader_{nullptr, scholar_net_free};
};

TEST_F(RawFile, GivesTheShippedNetworksScoresInC) {
    const auto network = open_network("<embedded>");
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_GE(compare(*network->as<Network>(), tests::kSanitized ? 3 : 90), tests::kSanitized ? 300 : 10'000);
}

TEST_F(RawFile, HasEveryArchitecture) {
    for (const char* features : {"768", "768-mirrored", "768-king4", "768-king6", "768-king10", "768-threats",
                                 "768-mirrored-threats", "768-king4-threats"})
        for (const Activation activation : {Activation::Clipped, Activation::Squared, Activation::Paired})
            for (const std::vector<int>& hidden : {std::vector<int>{}, {16}, {32, 16}})
                for (const int buckets : {1, 8}) {
                    const Architecture architecture{*find_feature_set(features), 64, activation, buckets,
                                                    hidden};
                    const auto quantised = quantise(FloatNetwork::random(architecture, 3));
                    ASSERT_TRUE(quantised) << quantised.error().message;
                    EXPECT_GE(compare(quantised->network, tests::kSanitized ? 1 : 2), 50)
                        << to_string(architecture);
                }
}

TEST_F(RawFile, IsRefusedWhenItIsNoneOrDamaged) {
    const auto quantised = quantise(FloatNetwork::random({.width = 32, .hidden = {16}}, 3));
    ASSERT_TRUE(quantised);
    const std::string whole = to_raw(quantised->network);
    EXPECT_EQ(load(whole), "");
    EXPECT_EQ(load(""), "is no network that scholar net export wrote");
    EXPECT_EQ(load("SCHLRNET"), "is no network that scholar net export wrote");
    EXPECT_EQ(load(whole.substr(0, whole.size() - 64)), "is damaged");
    std::string other = whole;
    other[8] = 3;
    EXPECT_EQ(load(other), "is of a version that this reader does not know");
    other[8] = 2;
    EXPECT_EQ(load(other), "is damaged");
    // Whatever the header says, nothing is read that is not there: a sanitizer would say so.
    const auto with_threats = quantise(
        FloatNetwork::random({.features = *find_feature_set("768-threats"), .width = 32, .hidden = {16}}, 3));
    ASSERT_TRUE(with_threats);
    base::Random random(7);
    for (const std::string& good : {whole, to_raw(with_threats->network)})
        for (int i = 0; i < 300; ++i) {
            std::string damaged = good;
            damaged[12 + random.below(180)] = static_cast<char>(random.below(256));
            damaged[12 + random.below(180)] = static_cast<char>(random.below(4));
            if (load(damaged).empty()) read(chess::Position());
        }
}

}  // namespace
}  // namespace scholar::nets
