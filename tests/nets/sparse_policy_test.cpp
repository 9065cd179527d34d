#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "chess/attacks.hpp"
#include "chess/exchange.hpp"
#include "chess/fen.hpp"
#include "chess/uci_move.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/sparse_policy/row_products.hpp"
#include "nets/sparse_policy/sparse_policy_file.hpp"
#include "nets/sparse_policy/sparse_policy_network.hpp"
#include "support/mirror.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

namespace scholar::nets {
namespace {

using namespace chess;

constexpr PieceValues kUnlikeValues{100, 310, 330, 500, 900, 0};

const FeatureSet& features(const char* name) {
    return **find_feature_set(name);
}

SparsePolicyInfo small_info(PolicyRows rows = PolicyRows::Circumstances,
                            Activation activation = Activation::Paired,
                            const char* feature_set = "768-mirrored") {
    SparsePolicyInfo info;
    info.architecture = {.features = &features(feature_set), .width = 64, .activation = activation};
    info.rows = rows;
    info.piece_values = kUnlikeValues;
    return info;
}

// Calls visit(position, legal moves) along random games from several starts, Chess960 among them.
template <class Visit>
void along_games(int games, Visit visit) {
    base::Random random(3);
    for (const char* fen :
         {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
          "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
          "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
          "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1", "8/8/3p4/1Pp4r/1R3p1k/K7/4P1P1/8 w - c6 0 2"})
        for (int game = 0; game < games; ++game)
            tests::play_random_game(
                random, *parse_fen(fen), 120,
                [&](const Position& before, Move, const Position&) { visit(before, legal_moves(before)); });
}

View view_of(const FeatureSet& set, const Position& position) {
    const Color us = position.side_to_move();
    return set.view(us, position.king(us));
}

TEST(MoveNumbers, TellMovesApartAndAreTheSameInTheMirror) {
    std::set<int> seen;
    for (const char* name : {"768", "768-king4"})
        along_games(6, [&](const Position& position, const MoveList& moves) {
            const FeatureSet& set = features(name);
            std::set<int> here;
            for (const Move move : moves) {
                const int number = move_number(position, view_of(set, position), move);
                ASSERT_GE(number, 0);
                ASSERT_LT(number, kMoveNumbers);
                EXPECT_TRUE(here.insert(number).second) << to_fen(position) << ' ' << to_uci(move);
                seen.insert(number);
                const Position turned = tests::mirrored(position);
                EXPECT_EQ(move_number(turned, view_of(set, turned), tests::mirrored(move)), number);
                if (position.castling_rights() != 0 || set.buckets == 1) continue;
                const Position reflected = tests::mirrored_by_files(position);
                EXPECT_EQ(move_number(reflected, view_of(set, reflected), tests::mirrored_by_files(move)),
                          number)
                    << to_fen(position) << ' ' << to_uci(move);
            }
        });
    EXPECT_GT(seen.size(), 2'000U);
}

// From where a piece of that kind and colour would attack, on a board of what else stands.
Bitboard attacks_alone(PieceKind kind, Color color, Square square, Bitboard occupied) {
    switch (kind) {
        case Pawn:
            return pawn_attacks(color, square);
        case Knight:
            return knight_attacks(square);
        case Bishop:
            return bishop_attacks(square, occupied);
        case Rook:
            return rook_attacks(square, occupied);
        case Queen:
            return queen_attacks(square, occupied);
        default:
            return king_attacks(square);
    }
}

// The rows of circumstances, written down again as plainly as can be, square by square.
std::array<int, 2> circumstances_of(const Position& position, Move move) {
    const Color us = position.side_to_move();
    const PieceKind kind = kind_of(position.piece_on(move.from()));
    const PieceKind taken = position.captured_kind(move);
    const Bitboard all = position.occupied();
    const auto by_lesser = [&](PieceKind than, Bitboard attackers) {
        for (const Square square : squares(attackers)) {
            const PieceKind other = kind_of(position.piece_on(square));
            if (other != King && kUnlikeValues[other] < kUnlikeValues[than]) return true;
        }
        return false;
    };
    const auto danger_of = [&](PieceKind of, Square square) {
        const Bitboard attackers = position.attackers(square, all);
        const Bitboard enemies = attackers & position.pieces(~us);
        if (!enemies) return 0;
        return by_lesser(of, enemies) || !(attackers & position.pieces(us)) ? 2 : 1;
    };
    const int before = danger_of(kind, move.from());
    int exchange = exchange_wins(position, move, 0, kUnlikeValues) ? 1 : 0;
    if (exchange == 1 && taken != NoKind && exchange_wins(position, move, 1, kUnlikeValues)) exchange = 2;
    int after = 0;
    int threat = 0;
    int helps = 0;
    if (!move.is_castling()) {
        const Bitboard attackers = position.attackers(move.to(), all) & ~bit(move.from());
        const Bitboard enemies = attackers & position.pieces(~us);
        if (enemies) after = by_lesser(kind, enemies) ? 3 : attackers & position.pieces(us) ? 1 : 2;
        const PieceKind becomes = move.is_promotion() ? move.promotion_kind() : kind;
        const Bitboard then = attacks_alone(becomes, us, move.to(), all ^ bit(move.from()));
        const Bitboard now = attacks_alone(kind, us, move.from(), all);
        for (const Square square : squares(all & then & ~now)) {
            if (square == move.to() || square == move.from()) continue;
            const PieceKind there = kind_of(position.piece_on(square));
            if (there == King) continue;
            if (color_of(position.piece_on(square)) == us) {
                if (danger_of(there, square) == 2) helps = 1;
                continue;
            }
            if (kUnlikeValues[there] > kUnlikeValues[becomes]) threat = 2;
            if (threat == 0 && !(position.attackers(square, all) & position.pieces(~us))) threat = 1;
        }
    }
    const int checks = position.after(move).in_check() ? 1 : 0;
    return {(((kind * 6 + (taken == NoKind ? 0 : taken + 1)) * 3 + exchange) * 2 + checks) * 3 + before,
            kTakingRows + (((kind * 4 + after) * 3 + threat) * 2 + helps) * 3 + before};
}

TEST(MoveRows, AreThoseOfAPlainRecomputation) {
    const FeatureSet& set = features("768-mirrored");
    int moves_seen = 0;
    int losing = 0;
    std::set<int> seen;
    along_games(8, [&](const Position& position, const MoveList& moves) {
        const View view = view_of(set, position);
        const auto count = static_cast<std::size_t>(moves.size());
        std::vector<std::uint16_t> plain(count);
        std::vector<std::uint16_t> exchanges(count);
        std::vector<std::uint16_t> all(3 * count);
        find_move_rows(PolicyRows::Moves, kUnlikeValues, position, view, moves, plain);
        find_move_rows(PolicyRows::Exchanges, kUnlikeValues, position, view, moves, exchanges);
        find_move_rows(PolicyRows::Circumstances, kUnlikeValues, position, view, moves, all);
        for (std::size_t i = 0; i < count; ++i) {
            const Move move = moves[static_cast<int>(i)];
            const int number = move_number(position, view, move);
            const bool loses = !exchange_wins(position, move, 0, kUnlikeValues);
            EXPECT_EQ(plain[i], number);
            ASSERT_EQ(exchanges[i], number + (loses ? 0 : kMoveNumbers))
                << to_fen(position) << ' ' << to_uci(move);
            EXPECT_EQ(all[3 * i], exchanges[i]);
            const auto [taking, attack] = circumstances_of(position, move);
            ASSERT_EQ(all[3 * i + 1], 2 * kMoveNumbers + taking) << to_fen(position) << ' ' << to_uci(move);
            ASSERT_EQ(all[3 * i + 2], 2 * kMoveNumbers + attack) << to_fen(position) << ' ' << to_uci(move);
            ++moves_seen;
            losing += loses ? 1 : 0;
            seen.insert({all[3 * i + 1], all[3 * i + 2]});
        }
    });
    EXPECT_GT(moves_seen, 10'000);
    EXPECT_GT(losing, 1'000);
    EXPECT_GT(seen.size(), 250U);
    EXPECT_LT(*seen.rbegin(), row_count(PolicyRows::Circumstances));
}

TEST(RowProducts, EqualThePlainSums) {
    base::Random random(4);
    const auto below = [&random](int range) {
        return static_cast<int>(random.below(2 * static_cast<std::uint64_t>(range) + 1)) - range;
    };
    for (const int width : {32, 64, 96, 256, 1024}) {
        const auto columns = static_cast<std::size_t>(width);
        AlignedVector<std::int16_t> in(columns);
        for (auto& value : in) value = static_cast<std::int16_t>(std::abs(below(4065)));
        AlignedVector<std::int8_t> weights(40 * columns);
        for (auto& value : weights) value = static_cast<std::int8_t>(below(127));
        std::vector<std::uint16_t> rows;
        for (int i = 0; i < 57; ++i) rows.push_back(static_cast<std::uint16_t>(random.below(40)));
        std::vector<std::int32_t> out(rows.size());
        row_products(in.data(), width, weights.data(), rows.data(), static_cast<int>(rows.size()),
                     out.data());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::int32_t expected = 0;
            for (std::size_t column = 0; column < columns; ++column)
                expected += in[column] * weights[rows[i] * columns + column];
            ASSERT_EQ(out[i], expected) << "width " << width << ", row " << rows[i];
        }
    }
}

class EachSparsePolicy : public testing::TestWithParam<SparsePolicyInfo> {};

TEST_P(EachSparsePolicy, RoundsToNearlyTheSameLogits) {
    const FloatSparsePolicy network = FloatSparsePolicy::random(GetParam(), 7);
    const auto rounded = quantise(network);
    ASSERT_TRUE(rounded) << rounded.error().message;
    EXPECT_EQ(rounded->output_scale, SparsePolicyNetwork::kFinestScale);
    along_games(1, [&](const Position& position, const MoveList& moves) {
        const std::vector<float> exact = network.logits(position, moves);
        const std::vector<std::int32_t> integers = logits_plainly(*rounded, position, moves);
        ASSERT_EQ(exact.size(), integers.size());
        for (std::size_t i = 0; i < exact.size(); ++i)
            EXPECT_NEAR(integers[i] / rounded->logit_unit(), exact[i], 0.1) << to_fen(position);
    });
}

TEST_P(EachSparsePolicy, ComesBackAsItWasSaved) {
    const tests::TemporaryFolder folder;
    FloatSparsePolicy network = FloatSparsePolicy::random(GetParam(), 8);
    network.info.history["recipe"] = "none";
    base::Random random(5);
    for (float& bias : network.output_bias) bias = static_cast<float>(random.unit()) - 0.5F;
    const SparsePolicyNetwork rounded = *quantise(network);
    ASSERT_TRUE(save_network(folder / "rounded.safetensors", rounded));
    ASSERT_TRUE(save_network(folder / "float.safetensors", network));
    for (const char* name : {"rounded.safetensors", "float.safetensors"}) {
        const auto loaded = to_sparse_policy(*read_tensors(folder / name));
        ASSERT_TRUE(loaded) << loaded.error().message;
        EXPECT_EQ(loaded->transformer, rounded.transformer);
        EXPECT_EQ(loaded->transformer_bias, rounded.transformer_bias);
        EXPECT_EQ(loaded->output, rounded.output);
        EXPECT_EQ(loaded->output_bias, rounded.output_bias);
        EXPECT_EQ(loaded->output_scale, rounded.output_scale);
        EXPECT_EQ(loaded->info.architecture, rounded.info.architecture);
        EXPECT_EQ(loaded->info.rows, rounded.info.rows);
        EXPECT_EQ(loaded->info.piece_values, kUnlikeValues);
        EXPECT_EQ(loaded->info.history, rounded.info.history);
        EXPECT_EQ(content_name(*loaded), content_name(rounded));
        EXPECT_EQ(describe(*loaded), describe(rounded));
    }
    const auto floats = load_float_sparse_policy(folder / "float.safetensors");
    ASSERT_TRUE(floats);
    EXPECT_EQ(floats->output, network.output);
    // Integers too, as floats that round to them and are as far from the first ones as rounding goes.
    const auto restored = load_float_sparse_policy(folder / "rounded.safetensors");
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_EQ(content_name(*quantise(*restored)), content_name(rounded));
    for (std::size_t i = 0; i < network.output.size(); ++i)
        ASSERT_NEAR(restored->output[i], network.output[i], 0.5001 / rounded.output_scale) << i;
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, EachSparsePolicy,
    testing::Values(small_info(), small_info(PolicyRows::Moves, Activation::Clipped, "768"),
                    small_info(PolicyRows::Exchanges, Activation::Squared, "768-king4")));

std::string refusal_with(const std::string& key, const std::string& value) {
    const tests::TemporaryFolder folder;
    const auto path = folder / "net.safetensors";
    EXPECT_TRUE(save_network(path, *quantise(FloatSparsePolicy::random(small_info(), 5))));
    auto file = *read_tensors(path);
    file.metadata[key] = value;
    const auto loaded = to_sparse_policy(file);
    return loaded ? "" : loaded.error().message;
}

TEST(SparsePolicyFile, RefusesWhatIsWrongByName) {
    EXPECT_EQ(refusal_with("outputs", "all"),
              "outputs 'all' are not known, expected one of: moves, exchanges, circumstances");
    EXPECT_EQ(refusal_with("outputs", "moves"),
              "tensor 'output.weight' is I8 [8848, 32], expected I8 [3884, 32]");
    EXPECT_EQ(refusal_with("output_buckets", "8"), "output_buckets '8', expected 1: a policy has one head");
    EXPECT_EQ(refusal_with("hidden", "16"), "hidden '16', expected none: a policy has no hidden layers");
    EXPECT_EQ(refusal_with("version", "2"), "version '2', expected '1'");
    EXPECT_EQ(
        refusal_with("quantisation", "int16 255 int8 3"),
        "quantisation 'int16 255 int8 3', expected one of: 'none', 'int16 255 int8 128', 'int16 255 int8 "
        "64', 'int16 255 int8 32', 'int16 255 int8 16'");
}

TEST(SparsePolicyFile, RefusesWeightsThatDoNotFitOrCouldOverflow) {
    const auto refusal = [](auto change) {
        FloatSparsePolicy network = FloatSparsePolicy::random(small_info(), 5);
        change(network);
        const auto rounded = quantise(network);
        return rounded ? "" : rounded.error().message;
    };
    EXPECT_EQ(refusal([](FloatSparsePolicy& network) { network.output[7] = 8; }),
              "output: 1 of 283136 weights do not fit: range 8.00, expected at most 7.94");
    EXPECT_EQ(refusal([](FloatSparsePolicy& network) { network.output[7] = std::nanf(""); }),
              "output: 1 of 283136 weights are no finite numbers");
    EXPECT_EQ(refusal([](FloatSparsePolicy& network) { std::ranges::fill(network.transformer, 5.0F); }),
              "transformer: a board could sum to 40864, expected at most 32767");
    // Three rows, each of which alone would fit.
    EXPECT_EQ(refusal([](FloatSparsePolicy& network) { network.output_bias[9] = 3'000; }).substr(0, 28),
              "output: a board could sum to");
    // One weight of 1.5 takes all to 64ths.
    FloatSparsePolicy coarse = FloatSparsePolicy::random(small_info(), 5);
    coarse.output[7] = 1.5F;
    EXPECT_EQ(quantise(coarse)->output_scale, 64);
}

}  // namespace
}  // namespace scholar::nets
