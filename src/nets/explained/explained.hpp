#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "chess/bitboard.hpp"
#include "chess/line.hpp"
#include "chess/types.hpp"
#include "nets/comparison/comparison_network.hpp"
#include "nets/container/any_network.hpp"
#include "nets/conv/chess_nets.hpp"
#include "nets/conv/conv_network.hpp"
#include "nets/dense/dense_network.hpp"
#include "nets/explained/layer_tape.hpp"
#include "nets/perspective/network.hpp"
#include "nets/sparse_policy/sparse_policy_network.hpp"

// One number that a network says of a position, as a function of the numbers that the network is given of it:
// for explanations by slopes. By plain arithmetic in double precision: it agrees with the engine's but for
// what rounding, to integers too, changes.
//
// Whose a number is. Of perspective networks and sparse policies a number is 1 for a man who is there, on
// either side's view at once, so that his row of the first layer is exactly what he adds to its sums; whether
// he is attacked or defended is part of him. Of boards of planes and bits his entry is his. Giraffe's numbers
// of a slot are its man's; how many men of a kind there are, is theirs in equal shares; the lowest-valued
// attacker of a square is of all men of that kind that attack it, and where it is the number of a slot, of
// that slot's man too. All other numbers are of no man: side to move, castling rights, attacked squares as
// planes, ratings, boards of the past where somebody else stood.

namespace scholar::nets {

// What is said of some inputs, and how steeply that rises with each of them.
struct Tangent {
    double said = 0;
    Numbers slopes;
};

struct Explained {
    Numbers inputs;  // as the position has them
    // Of each of them, squares of the men whose it is, in equal shares; 0: of no man.
    std::vector<chess::Bitboard> owners;
    std::function<Tangent(std::span<const double> inputs)> at;
};

// Of the value, in Score units for White (400 · logit of the expected result, not bounded), of a network of
// any kind that has one and is made of layers; linear networks, which have exact parts, and fakes are
// refused.
base::Result<Explained> explain_value(const AnyNetwork& network, const chess::Line& line);
// Of the probability, 0 to 1, of move number `index` of `moves`, all legal ones.
base::Result<Explained> explain_move(const AnyNetwork& network, const chess::Line& line,
                                     const chess::MoveList& moves, int index);

// By kind. Networks must be able to say what they are asked for.
Explained explain_value(std::shared_ptr<const Network> network, const chess::Position& position);
Explained explain_value(std::shared_ptr<const DenseNetwork> network, const chess::Position& position);
// Of form "split".
Explained explain_value(std::shared_ptr<const ComparisonNetwork> network, const chess::Position& position);
Explained explain_value(std::shared_ptr<const ConvNetwork> network, const chess::Line& line);
Explained explain_value(std::shared_ptr<const ChessNets> networks, const chess::Line& line);

Explained explain_move(std::shared_ptr<const SparsePolicyNetwork> network, const chess::Position& position,
                       const chess::MoveList& moves, int index);
// The places that the network's first judgement gives the moves are taken as they are.
Explained explain_move(std::shared_ptr<const DenseNetwork> network, const chess::Position& position,
                       const chess::MoveList& moves, int index);
Explained explain_move(std::shared_ptr<const ConvNetwork> network, const chess::Line& line,
                       const chess::MoveList& moves, int index);
// Masked ones.
Explained explain_move(std::shared_ptr<const ChessNets> networks, const chess::Line& line,
                       const chess::MoveList& moves, int index);

// The sums of a perspective network's first layer, from the view of `viewpoint`, of men that are there to the
// extent of `presence`, by their squares' order: bias + Σ presence · the man's row, exact. 1 is a sum that
// the clipping cuts off at.
Numbers first_layer_sums(const FirstLayer& layer, const chess::Position& position, chess::Color viewpoint,
                         std::span<const double> presence);

// Of each number of a dense feature set that the position gives, the men whose it is.
std::vector<chess::Bitboard> dense_owners(const DenseFeatureSet& features, const chess::Position& position);

}  // namespace scholar::nets
