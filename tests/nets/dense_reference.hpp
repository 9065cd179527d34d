#pragma once

#include <string>
#include <utility>
#include <vector>

#include "chess/position.hpp"
#include "nets/dense/dense_feature_set.hpp"

namespace scholar::nets {

// Names and numbers, in order.
using Listed = std::vector<std::pair<std::string, double>>;

// The features of a set once more: slowly and plainly, from what the paper and
// nets/dense/giraffe_features.hpp say.
Listed plainly(const DenseFeatureSet& set, const chess::Position& position);

}  // namespace scholar::nets
