#include "learning/conv/played_positions.hpp"

#include "learning/targets/move_targets.hpp"

namespace scholar::learning {

base::Result<std::unique_ptr<SampleSource>> open_played_positions(const Recipe& recipe,
                                                                  const nets::PlanesInput& input,
                                                                  games::Split split, std::uint64_t seed) {
    if (auto status = expect_played_moves(recipe.data.sampling); !status)
        return std::unexpected(status.error());
    games::Sampler::Options options = recipe.sampling(split, seed);
    options.sampling.ratings = input.layers.rating;
    return open_positions(options);
}

}  // namespace scholar::learning
