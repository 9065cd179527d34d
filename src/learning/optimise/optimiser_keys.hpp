#pragma once

#include "base/strict_toml.hpp"
#include "learning/optimise/optimiser_options.hpp"

namespace scholar::learning {

// [optimiser] of a recipe, without its learning rate: `kind` (where absent: "adam") and what that kind can be
// told. A key that another kind has is refused by its name. docs/training.md lists them.
OptimiserOptions read_optimiser_keys(base::StrictToml::Section& optimiser);
// The same for those whose kernels know nothing but Adam and AdamW.
AdamOptions read_adam_keys(base::StrictToml::Section& optimiser);

}  // namespace scholar::learning
