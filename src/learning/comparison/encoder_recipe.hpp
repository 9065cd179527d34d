#pragma once

#include <cstdint>
#include <vector>

#include "learning/training/recipe.hpp"
#include "learning/training/torch_keys.hpp"

namespace scholar::learning {

// From what an encoder of positions learns, before anything is compared.
enum class EncoderLearns : std::uint8_t {
    ToGiveBack,  // kind "autoencoder": from what goes in, which decoders are to make of codes
    ToImitate,   // kind "encoder": from another's codes
};

// What a recipe says of its training.
struct EncoderRecipe : TaskRecipe {
    explicit EncoderRecipe(EncoderLearns from) : learns(from) {}

    EncoderLearns learns;
    // [network], [optimiser]
    std::vector<int> units;
    TorchPlan plan;

    void read(base::StrictToml& file, Schedule& schedule) override;
    bool needs_moves() const override { return false; }
    std::unique_ptr<Task> make_task(const Recipe& recipe, Device device) const override;
};

struct AutoencoderRecipe final : EncoderRecipe {
    AutoencoderRecipe() : EncoderRecipe(EncoderLearns::ToGiveBack) {}
};
struct ImitatingEncoderRecipe final : EncoderRecipe {
    ImitatingEncoderRecipe() : EncoderRecipe(EncoderLearns::ToImitate) {}
};

}  // namespace scholar::learning
