#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "learning/perspective/baselines.hpp"
#include "learning/perspective/batch.hpp"
#include "learning/targets/losses.hpp"
#include "learning/training/measurement.hpp"
#include "learning/training/recipe.hpp"

namespace scholar::learning {

// A constant and a material-only predictor, each fitted to a sample of the training data: once to the blended
// target, once to the result alone, so that each is as good as it can be at what it is compared in.
struct Baselines {
    double constant_target = 0;  // logits
    double constant_result = 0;
    MaterialPredictor material_target;
    MaterialPredictor material_result;
    std::size_t positions = 0;  // fitted to
};
Baselines fit_baselines(const std::vector<games::Sample>& samples, const TargetRule& rule);
// Training positions to fit them to, in another order than training's. Fails if there are none.
base::Result<std::vector<games::Sample>> draw_training(const Recipe& recipe);

// The same positions at every validation: the first of the validation split, shuffled, that pass the recipe's
// filter (the one that training positions pass). Fails if there are none.
base::Result<std::vector<games::Sample>> draw_validation(const Recipe& recipe);

// Network, constant and material beside each other on one set of positions.
struct Comparison {
    Losses network;
    Losses constant;
    Losses material;
};
struct ValidationPart {
    std::size_t positions = 0;  // if 0 the losses are not numbers
    Comparison target;          // against the blended target
    Comparison result;          // against the result alone
};
struct ValidationReport {
    ValidationPart all;
    ValidationPart unseen;  // positions that occur in no training game
};

class ValidationSet {
  public:
    ValidationSet(std::vector<games::Sample> samples, std::vector<bool> unseen,
                  const nets::FeatureSet& features, const TargetRule& rule, const Baselines& baselines);

    const Batch& batch() const { return batch_; }
    const std::vector<games::Sample>& samples() const { return samples_; }
    // `logits` of batch(), in its order.
    ValidationReport report(std::span<const float> logits) const;

  private:
    ValidationPart part(std::span<const float> logits, bool only_unseen) const;

    std::vector<games::Sample> samples_;
    std::vector<bool> unseen_;
    Batch batch_;
    Baselines baselines_;
};

// For people, several lines.
std::string to_table(const ValidationReport& report);
// The same as every task gives it. The measures are "cross-entropy" and "squared error" against the target
// and against the result, of "all" positions and of those "unseen": "unseen, target: cross-entropy".
Measurement to_measurement(const ValidationReport& report);

}  // namespace scholar::learning
