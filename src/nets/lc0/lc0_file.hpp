#pragma once

#include <cstddef>
#include <span>

#include "base/error.hpp"
#include "nets/conv/conv_network.hpp"

// Network files of lc0 (Leela Chess Zero): a message of Protocol Buffers, packed by gzip (".pb.gz") or not.

namespace scholar::nets {

// Whether a file begins as one, packed or not.
bool begins_as_lc0(std::span<const std::byte> bytes);

// Convolutional networks, with squeeze-excitation or without, with a convolutional or dense policy, a value
// or chances to win, draw and lose, moves left or not, that read the classical 112 planes. Refused by name:
// an attention body or policy, an ONNX model, other inputs, other encodings of weights, layers that are
// missing or of another size than their neighbours want, files that are damaged or cut off.
base::Result<ConvNetwork> parse_lc0_network(std::span<const std::byte> bytes);

}  // namespace scholar::nets
