#include "evaluators/sparse_move_policy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "nets/perspective/kernels.hpp"
#include "nets/sparse_policy/row_products.hpp"

namespace scholar::evaluators {

using nets::Network;

namespace {

// A move that lies further behind the best is as unlikely as one that lies just so far.
constexpr int kStepsANat = 256;
constexpr int kNats = 16;

// e^(−step / kStepsANat).
struct Powers {
    std::array<float, std::size_t{kStepsANat} * kNats> of_step{};
    Powers() {
        for (std::size_t step = 0; step < of_step.size(); ++step)
            of_step[step] = static_cast<float>(std::exp(-static_cast<double>(step) / kStepsANat));
    }
};
const Powers kPowers;

}  // namespace

SparseMovePolicy::SparseMovePolicy(std::shared_ptr<const nets::SparsePolicyNetwork> network)
    : network_(std::move(network)),
      accumulators_(network_->first_layer()),
      steps_a_unit_(static_cast<float>(kStepsANat / network_->logit_unit())),
      units_(static_cast<std::size_t>(network_->info.units())) {}

std::span<const std::int32_t> SparseMovePolicy::logits(const chess::Position& position,
                                                       const chess::MoveList& moves) {
    const nets::SparsePolicyInfo& info = network_->info;
    const nets::Architecture& architecture = info.architecture;
    const chess::Color us = position.side_to_move();
    nets::activate_sums(architecture.activation, accumulators_.of(position, us), architecture.width,
                        Network::kActivationScale, Network::kProductShift, units_.data());
    const int each = nets::rows_of_a_move(info.rows);
    const int count = each * moves.size();
    nets::find_move_rows(info.rows, info.piece_values, position,
                         architecture.features->view(us, position.king(us)), moves,
                         std::span(rows_).first(static_cast<std::size_t>(count)));
    nets::row_products(units_.data(), info.units(), network_->output.data(), rows_.data(), count,
                       sums_.data());
    for (int i = 0; i < count; ++i) sums_[i] += network_->output_bias[rows_[i]];
    if (each > 1)
        for (int i = 0; i < moves.size(); ++i)
            sums_[i] = std::accumulate(sums_.begin() + each * i, sums_.begin() + each * (i + 1), 0);
    return std::span(sums_).first(static_cast<std::size_t>(moves.size()));
}

void SparseMovePolicy::judge(const chess::Position& position, const chess::MoveList& moves,
                             std::span<float> out) {
    const std::span<const std::int32_t> all = logits(position, moves);
    const std::int32_t best = std::ranges::max(all);
    constexpr auto last = static_cast<float>(kStepsANat * kNats - 1);
    float sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        // The difference of two numbers of 32 bits may need 33.
        const auto behind = static_cast<float>(std::int64_t{best} - all[i]) * steps_a_unit_;
        out[i] = kPowers.of_step[static_cast<std::size_t>(std::min(behind, last))];
        sum += out[i];
    }
    for (float& share : out) share /= sum;
}

// nets/sparse-policy-4d852c0c.safetensors takes some 2.2 µs, a node of the default search 1.1
// (bench/policy_speed, `scholar bench`).
double SparseMovePolicy::worth_nodes() const {
    return 2;
}

}  // namespace scholar::evaluators
