#include "evaluators/fakes/random_move_policy.hpp"

#include <cmath>

#include "base/random.hpp"

namespace scholar::evaluators {

void RandomMovePolicy::judge(const chess::Position& position, const chess::MoveList& moves,
                             std::span<float> out) {
    float sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        // By the move itself: the order in which moves are given must not matter.
        std::uint64_t state = position.key() ^ (seed_ * 0x9E3779B97F4A7C15ULL) ^
                              static_cast<std::uint64_t>(moves[static_cast<int>(i)].bits()) << 32;
        const double unit = (static_cast<double>(base::split_mix(state) >> 11) + 0.5) * 0x1.0p-53;
        out[i] = static_cast<float>(-std::log(unit));
        sum += out[i];
    }
    for (float& share : out) share /= sum;
}

}  // namespace scholar::evaluators
