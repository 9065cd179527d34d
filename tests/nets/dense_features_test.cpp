// The inputs of dense networks: figures of Giraffe's paper, and a second implementation that is slow and
// plain, number by number and name by name, along random games.

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "chess/fen.hpp"
#include "nets/dense/dense_feature_set.hpp"
#include "nets/dense_reference.hpp"
#include "support/random_games.hpp"

namespace scholar::nets {
namespace {

using namespace chess;

std::vector<float> encoded(const DenseFeatureSet& set, const Position& position) {
    // What was there before is written over.
    std::vector<float> numbers(static_cast<std::size_t>(set.size()), -7);
    set.encode(position, numbers);
    return numbers;
}

const DenseFeatureSet& named(const char* name) {
    return **find_dense_feature_set(name);
}

TEST(DenseFeatures, SizesAndModalities) {
    const std::map<std::string_view, std::vector<int>> expected{{"giraffe-363", {19, 216, 128}},
                                                                {"giraffe-363-mobility", {35, 296, 128}},
                                                                {"giraffe-no-maps", {19, 216}},
                                                                {"giraffe-pieces", {5, 150}},
                                                                {"bits-773", {768, 5}}};
    EXPECT_EQ(dense_feature_sets().size(), expected.size());
    for (const DenseFeatureSet& set : dense_feature_sets()) {
        std::vector<int> sizes;
        int end = 0;
        for (const DenseModality& modality : set.modalities) {
            EXPECT_EQ(modality.begin, end) << set.name;
            end += modality.size;
            sizes.push_back(modality.size);
        }
        EXPECT_EQ(sizes, expected.at(set.name)) << set.name;
        EXPECT_EQ(set.size(), end);
        EXPECT_EQ(&named(set.name.data()), &set);
    }
    EXPECT_EQ(named("giraffe-363").size(), 363);
    const auto unknown = find_dense_feature_set("giraffe");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message,
              "dense feature set 'giraffe' is not known, expected one of: giraffe-363, giraffe-363-mobility, "
              "giraffe-no-maps, giraffe-pieces, bits-773");
}

// Figure 2 and table 1: White's queen on b7, rooks on b1 and f1, one bishop, on c1, seven pawns; no castling.
// What the table leaves out (kings, knights, pawns, Black's squares) is chosen, as many of each as it says.
TEST(DenseFeatures, PositionOfTheFirstTable) {
    const Position position = *parse_fen("r4rk1/pQ1n1ppp/2p1pn2/3p1q2/3P4/2N1P2b/PP1N1PPP/1RB2RK1 w - - 0 1");
    const auto& set = named("giraffe-363");
    const auto numbers = encoded(set, position);
    std::map<std::string, float> found;
    const auto names = set.names();
    ASSERT_EQ(names.size(), numbers.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_TRUE(found.emplace(names[i], numbers[i]).second) << names[i];
    const auto square = [](const std::string& slot, char file, char rank) {
        return Listed{{slot + " exists", 1},
                      {slot + " file", (file - 'a') / 7.0},
                      {slot + " rank", (rank - '1') / 7.0}};
    };
    Listed table{{"side to move", 1},          {"white long castle", 0},   {"white short castle", 0},
                 {"black long castle", 0},     {"black short castle", 0},  {"white queens", 1},
                 {"white rooks", 1},           {"white bishops", 0.5},     {"white knights", 1},
                 {"white pawns", 7.0 / 8},     {"black queens", 1},        {"black rooks", 1},
                 {"black bishops", 0.5},       {"black knights", 1},       {"black pawns", 7.0 / 8},
                 {"white bishop 2 exists", 0}, {"white bishop 2 file", 0}, {"white bishop 2 rank", 0}};
    for (const Listed& slot : {square("white queen 1", 'b', '7'), square("white rook 1", 'b', '1'),
                               square("white rook 2", 'f', '1'), square("white bishop 1", 'c', '1'),
                               // of the squares that were chosen
                               square("black bishop 2", 'h', '3'), square("black rook 1", 'a', '8'),
                               square("black knight 2", 'f', '6'), square("white pawn 5", 'e', '3')})
        table.insert(table.end(), slot.begin(), slot.end());
    for (const Listed& more :
         // By hand: of the 13 squares that the queen attacks, c7, c6, a6, b4, b3 and b2 are safe; a7, a8, b8
         // and c8 are a rook's, d7 and b6 a knight's, b5 is a pawn's.
         {Listed{{"white queen 1 attacker", 0},
                 {"white queen 1 defender", 0},
                 {"white queen 1 north", 1 / 7.0},
                 {"white queen 1 east", 2 / 7.0},
                 {"white queen 1 south", 5 / 7.0},
                 {"white queen 1 west", 1 / 7.0},
                 {"white queen 1 north-east", 1 / 7.0},
                 {"white queen 1 south-east", 1 / 7.0},
                 {"white queen 1 south-west", 1 / 7.0},
                 {"white queen 1 north-west", 1 / 7.0},
                 {"white queen 1 safe squares", 6 / 16.0},
                 {"d4 white attacker", 1},
                 {"g2 black attacker", 4 / 6.0},
                 {"g2 white attacker", 1 / 6.0},
                 {"e4 black attacker", 1}}})
        table.insert(table.end(), more.begin(), more.end());
    for (const auto& [name, value] : table) {
        ASSERT_TRUE(found.contains(name)) << name;
        EXPECT_NEAR(found[name], value, 1e-6) << name;
    }
}

// The paper's example: pawns on the files a, b, g and h take the slots 1, 2, 7 and 8; and what it leaves
// open.
TEST(DenseFeatures, SlotsGoByPlace) {
    const auto& set = named("giraffe-pieces");
    const auto names = set.names();
    const auto slots = [&](const char* fen, const std::string& kind, int count) {
        std::map<std::string, float> found;
        const auto numbers = encoded(set, parse_fen(fen).value());
        for (std::size_t i = 0; i < numbers.size(); ++i) found[names[i]] = numbers[i];
        std::string text;
        for (int slot = 1; slot <= count; ++slot) {
            const std::string name = kind + " " + std::to_string(slot);
            text += found.at(name + " exists") == 0
                        ? std::string(" -")
                        : std::string{' ', static_cast<char>('a' + std::lround(7 * found.at(name + " file"))),
                                      static_cast<char>('1' + std::lround(7 * found.at(name + " rank")))};
        }
        return text;
    };
    EXPECT_EQ(slots("4k3/8/8/8/8/8/PP4PP/4K3 w - - 0 1", "white pawn", 8), " a2 b2 - - - - g2 h2");
    // The second on c is as near to b as to d, the third goes on to d.
    EXPECT_EQ(slots("4k3/8/2p5/2p5/2p5/8/8/4K3 w - - 0 1", "black pawn", 8), " - c5 c4 c6 - - - -");
    EXPECT_EQ(slots("4k3/8/8/P7/P7/P7/P6P/4K3 w - - 0 1", "white pawn", 8), " a2 a3 a4 a5 - - - h2");
    EXPECT_EQ(slots("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", "white bishop", 2), " c1 -");
    EXPECT_EQ(slots("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "white bishop", 2), " - f1");
    EXPECT_EQ(slots("4k3/8/8/7N/N7/8/1N2N3/4K3 w - - 0 1", "white knight", 2), " a4 h5");
    EXPECT_EQ(slots("4k3/8/8/3r4/3r4/8/8/4K3 w - - 0 1", "black rook", 2), " d4 d5");
    EXPECT_EQ(slots("k7/8/8/7Q/8/8/2Q5/1K6 w - - 0 1", "white queen", 1), " c2");
}

// Along random games, which have promotions, doubled pawns and much material hanging.
TEST(DenseFeatures, AreThoseOfASlowImplementation) {
    std::map<std::string_view, std::vector<std::string>> names_of;
    for (const DenseFeatureSet& set : dense_feature_sets()) names_of[set.name] = set.names();
    base::Random random(27);
    int positions = 0;
    int promoted = 0;
    const std::array starts{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                            "r3k2r/pPp2pP1/8/8/8/8/PpP2Pp1/R3K2R b KQkq - 0 1",
                            "k7/2PPPPP1/8/8/8/8/2ppppp1/K7 w - - 0 1"};
    for (int game = 0; game < 9; ++game)
        tests::play_random_game(
            random, parse_fen(starts[static_cast<std::size_t>(game % 3)]).value(), 200,
            [&](const Position&, Move, const Position& position) {
                if (random.below(8) != 0) return;
                ++positions;
                for (const DenseFeatureSet& set : dense_feature_sets()) {
                    const Listed expected = plainly(set, position);
                    const auto found = encoded(set, position);
                    const auto& names = names_of.at(set.name);
                    ASSERT_EQ(found.size(), expected.size()) << set.name;
                    ASSERT_EQ(names.size(), expected.size()) << set.name;
                    for (std::size_t i = 0; i < found.size(); ++i) {
                        ASSERT_EQ(names[i], expected[i].first) << set.name;
                        ASSERT_NEAR(found[i], expected[i].second, 1e-6)
                            << set.name << ", " << expected[i].first << ", " << to_fen(position);
                        ASSERT_LE(found[i], DenseFeatureSet::kLargest);
                        const double whole = expected[i].second * DenseFeatureSet::kDenominator;
                        ASSERT_NEAR(whole, std::round(whole), 1e-9) << names[i];
                    }
                }
                for (const Color color : kColors)
                    promoted += popcount(position.pieces(color, Queen)) > 1 ||
                                popcount(position.pieces(color, Knight)) > 2;
            });
    EXPECT_GT(positions, 100);
    EXPECT_GT(promoted, 10);
}

}  // namespace
}  // namespace scholar::nets
