#pragma once

#include <filesystem>
#include <span>

#include "base/error.hpp"
#include "games/sample.hpp"
#include "learning/targets/move_agreement.hpp"
#include "learning/training/torch_network.hpp"
#include "nets/conv/conv_network.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// `network` gives logits of moves and, if `shape` has a value, of the result (ResidualNetwork). It must lie
// on the CPU, and is worked out as it is when it is not trained. Positions without a legal move are passed
// over.
base::Result<EngineAgreement> compare_with_engine(const std::filesystem::path& file, TorchNetwork& network,
                                                  const nets::ConvShape& shape,
                                                  std::span<const games::Sample> samples);

}  // namespace scholar::learning
