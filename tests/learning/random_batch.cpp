#include "random_batch.hpp"

#include <numeric>
#include <vector>

#include "base/random.hpp"

namespace scholar::learning {

Batch random_batch(std::size_t positions, std::uint64_t seed, int features) {
    base::Random random(seed);
    Batch batch;
    batch.resize(positions, 32);
    std::vector<std::uint16_t> all(static_cast<std::size_t>(features));
    std::iota(all.begin(), all.end(), std::uint16_t{0});
    for (std::size_t position = 0; position < positions; ++position)
        for (std::size_t side = 0; side < 2; ++side) {
            random.shuffle(all);
            const auto count = static_cast<std::uint8_t>(2 + random.below(31));
            batch.counts[2 * position + side] = count;
            auto& indices = side == 0 ? batch.own : batch.enemy;
            for (std::size_t i = 0; i < 32; ++i) indices[position * 32 + i] = i < count ? all[i] : 65'535;
        }
    return batch;
}

}  // namespace scholar::learning
