#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "nets/dense/dense_move_runner.hpp"
#include "nets/dense/dense_move_set.hpp"
#include "support/mirror.hpp"
#include "support/random_games.hpp"

namespace scholar::nets {
namespace {

using namespace chess;

const DenseMoveSet& plain_moves() {
    return **find_dense_move_set("giraffe-moves");
}
const DenseMoveSet& attacked_moves() {
    return **find_dense_move_set("giraffe-moves-attacks");
}
const DenseMoveSet& turned_moves() {
    return **find_dense_move_set("giraffe-moves-turned");
}
const DenseFeatureSet& features_of(const char* name) {
    return **find_dense_feature_set(name);
}

// The numbers that are not 0, by name, as the words of the move say them.
std::map<std::string, float> plainly(const Position& position, Move move) {
    const std::string words = to_uci(move, CastlingNotation::Standard);
    const auto kind_names = std::array{"pawn", "knight", "bishop", "rook", "queen", "king"};
    std::map<std::string, float> numbers;
    numbers[std::string(position.side_to_move() == White ? "white " : "black ") +
            kind_names.at(kind_of(position.piece_on(move.from())))] = 1;
    numbers["from " + words.substr(0, 2)] = 1;
    numbers["to " + words.substr(2, 2)] = 1;
    if (words.size() > 4)
        numbers[std::string("becomes ") + (words[4] == 'q'   ? "queen"
                                           : words[4] == 'r' ? "rook"
                                           : words[4] == 'b' ? "bishop"
                                                             : "knight")] = 1;
    return numbers;
}

// The lowest-valued piece of `color` that could take on the square if an enemy stood there and the moved one
// were gone, found by making moves on boards: 1 for a pawn … 1/6 for the king.
float lowest_plainly(const Position& position, Move move, Square square, Color color) {
    float found = 0;
    for (const Square from : squares(position.pieces(color))) {
        if (from == move.from() || from == square) continue;
        // A board with the piece's own squares and what stands between.
        const PieceKind kind = kind_of(position.piece_on(from));
        const int files = square % 8 - from % 8;
        const int ranks = square / 8 - from / 8;
        const int across = std::abs(files);
        const int along = std::abs(ranks);
        bool reaches = false;
        if (kind == Knight) reaches = across * along == 2;
        if (kind == King) reaches = std::max(across, along) == 1;
        if (kind == Pawn) reaches = across == 1 && ranks == (color == White ? 1 : -1);
        const bool straight = (across == 0) != (along == 0);
        const bool diagonal = across == along && across > 0;
        if ((straight && (kind == Rook || kind == Queen)) ||
            (diagonal && (kind == Bishop || kind == Queen))) {
            reaches = true;
            const int steps = std::max(across, along);
            for (int step = 1; step < steps; ++step) {
                const auto between = static_cast<Square>(from + step * (files / steps + 8 * (ranks / steps)));
                reaches = reaches && (between == move.from() || position.piece_on(between) == NoPiece);
            }
        }
        if (reaches) found = std::max(found, static_cast<float>(6 - kind) / 6);
    }
    return found;
}

// What the second set has beside the first.
void add_attacks(const Position& position, Move move, std::map<std::string, float>& numbers) {
    const auto kind_names = std::array{"pawn", "knight", "bishop", "rook", "queen", "king"};
    const Color us = position.side_to_move();
    const std::string words = to_uci(move, CastlingNotation::Standard);
    const auto to = static_cast<Square>(words[2] - 'a' + 8 * (words[3] - '1'));
    const Piece victim = position.piece_on(to);
    if (move.is_en_passant())
        numbers["takes pawn"] = 1;
    else if (victim != NoPiece && color_of(victim) != us)
        numbers[std::string("takes ") + kind_names.at(kind_of(victim))] = 1;
    for (const auto& [name, square] : {std::pair{"from", move.from()}, {"to", to}})
        for (const auto& [who, color] : {std::pair{"enemy", ~us}, {"own", us}})
            if (const float lowest = lowest_plainly(position, move, square, color); lowest > 0)
                numbers[std::string(who) + " attacks " + name] = lowest;
    if (position.after(move).in_check()) numbers["gives check"] = 1;
}

void expect_numbers_of(const DenseMoveSet& set, const Position& position, Move move);
void expect_numbers(const Position& position, Move move) {
    expect_numbers_of(plain_moves(), position, move);
    expect_numbers_of(attacked_moves(), position, move);
}

void expect_numbers_of(const DenseMoveSet& set, const Position& position, Move move) {
    const std::vector<std::string> names = set.names();
    ASSERT_EQ(names.size(), static_cast<std::size_t>(set.size()));
    std::vector<float> out(static_cast<std::size_t>(set.described), -1);
    set.encode_to(position, move, out.data());
    std::map<std::string, float> found;
    for (std::size_t i = 0; i < out.size(); ++i)
        if (out[i] != 0) found[names[i]] = out[i];
    std::map<std::string, float> expected = plainly(position, move);
    if (&set == &attacked_moves()) add_attacks(position, move, expected);
    EXPECT_EQ(found, expected) << to_fen(position) << " " << to_uci(move, CastlingNotation::Standard);
}

TEST(DenseMoves, NumbersSayWhatTheMoveIs) {
    // Castling to both sides, en passant, promotions with and without a capture.
    for (const char* fen :
         {"r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
          "1n5k/2P5/8/8/8/8/2p5/1N5K w - - 0 1", "1n5k/2P5/8/8/8/8/2p5/1N5K b - - 0 1"}) {
        const Position position = *parse_fen(fen);
        for (const Move move : legal_moves(position)) expect_numbers(position, move);
    }
    base::Random random(4);
    tests::play_random_game(random, Position(), 120, [](const Position& before, Move move, const Position&) {
        expect_numbers(before, move);
    });
    // No two moves of a position have the same numbers.
    const Position position = *parse_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
    std::vector<std::map<std::string, float>> all;
    for (const Move move : legal_moves(position)) all.push_back(plainly(position, move));
    std::ranges::sort(all);
    EXPECT_EQ(std::ranges::unique(all).begin(), all.end());
}

TEST(DenseMoves, PlacesAreInTheirGroups) {
    const std::array groups{0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 6, 7, 7};
    for (std::size_t place = 0; place < groups.size(); ++place)
        EXPECT_EQ(place_input(static_cast<int>(place)), groups.at(place)) << place;
    EXPECT_EQ(place_input(217), kPlaceInputs - 1);
    const std::array said{0.5F, 2.0F, -1.0F, 2.0F, 0.5F};
    std::array<int, 5> places{};
    rank_moves(said, places);
    EXPECT_EQ(places, (std::array{2, 0, 4, 1, 3}));
}

// z by plain loops over all inputs, put together afresh.
double plain_z(const DenseNetwork& network, const Position& position, Move move, int place) {
    const DenseShape& shape = network.info.shape;
    std::vector<float> inputs(static_cast<std::size_t>(shape.inputs()));
    // Turned by words: of the position's FEN and of the move's.
    const bool turned = shape.moves->turned && position.side_to_move() == Black;
    const Position seen = turned ? tests::mirrored(position) : position;
    Move seen_move = move;
    if (turned) {
        std::string words = to_uci(move, CastlingNotation::Chess960);
        for (const std::size_t rank : {1U, 3U}) words[rank] = static_cast<char>('1' + '8' - words[rank]);
        seen_move = *parse_uci_move(seen, words);
    }
    shape.features->encode(seen, std::span(inputs).first(static_cast<std::size_t>(shape.features->size())));
    float* const of_move = inputs.data() + shape.features->size();
    shape.moves->encode_to(seen, seen_move, of_move);
    if (place >= 0) {
        const int group = place < 4 ? place : place < 6 ? 4 : place < 9 ? 5 : place < 15 ? 6 : 7;
        of_move[shape.moves->described + group] = 1;
    }
    return dense_output(network, inputs);
}

// By two judgements, as a reader of the paper would write them.
std::vector<double> plain_probabilities(const DenseNetwork& network, const Position& position,
                                        const MoveList& moves) {
    std::vector<std::pair<double, int>> first;
    for (int i = 0; i < moves.size(); ++i)
        first.emplace_back(-plain_z(network, position, moves[i], kNoPlace), i);
    std::ranges::sort(first);
    std::vector<double> shares(first.size());
    double sum = 0;
    for (std::size_t place = 0; place < first.size(); ++place) {
        const int i = first[place].second;
        const double z = plain_z(network, position, moves[i], static_cast<int>(place));
        double& share = shares[static_cast<std::size_t>(i)];
        share = network.info.shape.output == DenseOutput::Softmax ? std::exp(z) : 1 / (1 + std::exp(-z));
        sum += share;
    }
    for (double& share : shares) share /= sum;
    return shares;
}

// Shapes in which a block sees the move alone, the position alone, and both, in any order; and padding.
std::vector<DenseShape> shapes_of_moves() {
    const DenseFeatureSet& all = features_of("giraffe-363");
    const DenseMoveSet& moves = plain_moves();
    DenseShape odd = dense_shape(all, {}, {}, &moves, DenseOutput::Softmax);
    const int position = all.size();
    odd.layers = {{{position, moves.size(), 5}, {0, position, 20}, {300, 120, 7}},
                  {{0, 5, 3}, {5, 20, 17}, {0, 32, 9}},
                  {{0, 29, 1}}};
    return {dense_shape(all, {{32, 64, 32, 24}}, {48, 16}, &moves, DenseOutput::Logistic),
            dense_shape(all, {{3, 4, 5, 6}, {7, 8, 9, 10}}, {7}, &moves, DenseOutput::Softmax),
            dense_shape(features_of("bits-773"), {}, {40}, &attacked_moves(), DenseOutput::Logistic),
            dense_shape(all, {{3, 4, 5, 6}}, {7}, &turned_moves(), DenseOutput::Softmax),
            dense_shape(features_of("giraffe-pieces"), {}, {}, &moves, DenseOutput::Logistic),
            odd};
}

TEST(DenseMoveRunner, SaysWhatTwoPlainJudgementsSay) {
    base::Random random(7);
    for (const DenseShape& shape : shapes_of_moves()) {
        ASSERT_TRUE(check_shape(shape)) << check_shape(shape).error().message;
        const auto network = std::make_shared<const DenseNetwork>(random_dense_network(shape, random.next()));
        DenseMoveRunner runner(network);
        DenseMoveRunner copy = runner;
        std::vector<float> shares;
        std::vector<float> again;
        double widest = 0;
        tests::play_random_game(random, Position(), 25, [&](const Position&, Move, const Position& position) {
            const MoveList moves = legal_moves(position);
            if (moves.empty()) return;
            shares.resize(static_cast<std::size_t>(moves.size()));
            again.resize(shares.size());
            runner.judge(position, moves, shares);
            copy.judge(position, moves, again);
            EXPECT_EQ(shares, again);
            const std::vector<double> plain = plain_probabilities(*network, position, moves);
            for (std::size_t i = 0; i < shares.size(); ++i)
                EXPECT_NEAR(shares[i], plain[i], 2e-5) << describe(*network) << " " << to_fen(position);
            EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-5);
            widest = std::max(widest, std::ranges::max(plain) - std::ranges::min(plain));
        });
        EXPECT_GT(widest, 0.003) << describe(*network);
    }
}

TEST(DenseMoveRunner, ProbabilitiesAreSuchWhateverTheNetworkSays) {
    for (const DenseOutput output : {DenseOutput::Logistic, DenseOutput::Softmax})
        for (const auto& said :
             {std::vector{-1e30F, -1e30F}, {1e30F, -1e30F}, {-500.0F, -501.0F}, {90.0F, 100.0F}}) {
            std::vector<float> z = said;
            to_probabilities(output, z);
            EXPECT_NEAR(z[0] + z[1], 1, 1e-6);
            EXPECT_GE(std::min(z[0], z[1]), 0);
        }
    // σ(0) and σ(ln 3) are 1/2 and 3/4.
    std::vector<float> z{0, std::log(3.0F)};
    to_probabilities(DenseOutput::Logistic, z);
    EXPECT_NEAR(z[1], 0.6, 1e-6);
    z = {0, std::log(3.0F)};
    to_probabilities(DenseOutput::Softmax, z);
    EXPECT_NEAR(z[1], 0.75, 1e-6);
}

}  // namespace
}  // namespace scholar::nets
