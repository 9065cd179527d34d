#pragma once

#include "base/error.hpp"
#include "nets/comparison/comparison_network.hpp"
#include "nets/container/any_network.hpp"
#include "nets/conv/chess_nets.hpp"
#include "nets/conv/conv_network.hpp"
#include "nets/dense/dense_network.hpp"
#include "nets/onnx/onnx_model.hpp"

// Networks as models for other programs (onnx_model.hpp). Any number of positions is worked out at once; the
// model's texts by key say what "input.NAME" and "output.NAME" are, and all that the network's own file does.
//
//   residual   "planes" [planes][8][8] → "policy", logits of the moves that the text "policy_moves" names in
//              their order, "-" where there is none; of a policy of squares "policy_from" [64], "policy_to"
//              [64][64], "policy_promotion" [24] (square_policy.hpp) → "wdl", the chances to win, draw and
//              lose, or "value", the hyperbolic tangent → "moves_left"
//   chessnet   "planes" → logits of squares "piece", "pawn", …, and "value": each network that is there
//   dense      "features" [inputs] → "z" (dense_network.hpp) and, of a position, "value", the hyperbolic
//              tangent; of a move, by the network's output, "chance", the logistic function, or nothing more
//   comparison "pair" [2 · 773], the bits of the first position and of the second → "z"
//              (comparison_network.hpp) and "chance", the logistic function; of form "split" "position" [773]
//              → "f"

namespace scholar::nets {

// Each refuses what check_network() does.
base::Result<OnnxModel> to_onnx(const ConvNetwork& network);
base::Result<OnnxModel> to_onnx(const ChessNets& networks);
base::Result<OnnxModel> to_onnx(const DenseNetwork& network);
base::Result<OnnxModel> to_onnx(const ComparisonNetwork& network);
// Of any of these kinds. Refuses others.
base::Result<OnnxModel> to_onnx(const AnyNetwork& network);

}  // namespace scholar::nets
