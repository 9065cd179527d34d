#include "learning/dense/dense_move_tensors.hpp"

#include <ATen/ATen.h>
#include <cstdint>
#include <limits>
#include <vector>

#include "chess/movegen.hpp"
#include "learning/targets/move_targets.hpp"

namespace scholar::learning {

Tensors dense_move_inputs(const nets::DenseShape& shape, std::span<const games::Sample> samples) {
    std::vector<chess::MoveList> lists;
    lists.reserve(samples.size());
    std::int64_t count = 0;
    for (const games::Sample& sample : samples)
        count += lists.emplace_back(chess::legal_moves(sample.position)).size();
    at::Tensor moves = at::empty({count, shape.moves->described}, at::kFloat);
    at::Tensor owner = at::empty({count}, at::kLong);
    at::Tensor place = at::empty({count}, at::kLong);
    auto* numbers = moves.data_ptr<float>();
    auto* owners = owner.data_ptr<std::int64_t>();
    auto* places = place.data_ptr<std::int64_t>();
    const auto size = static_cast<std::size_t>(shape.features->size());
    at::Tensor positions =
        at::empty({static_cast<std::int64_t>(samples.size()), static_cast<std::int64_t>(size)}, at::kFloat);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const nets::MoveView view(*shape.moves, samples[i].position);
        shape.features->encode(view.position(), std::span(positions.data_ptr<float>() + i * size, size));
        for (int k = 0; k < lists[i].size(); ++k) {
            shape.moves->encode_to(view.position(), view.of(lists[i][k]), numbers);
            numbers += shape.moves->described;
            *owners++ = static_cast<std::int64_t>(i);
            *places++ = k;
        }
    }
    return {positions, moves, owner, place};
}

Tensors dense_move_targets(std::span<const games::Sample> samples) {
    const MoveTargets played = played_moves(samples, [](const chess::Position&, chess::Move) { return 0; });
    return {played.wanted, played.places >= 0};
}

at::Tensor dense_move_loss(DenseMovesLoss loss, const at::Tensor& z, const Tensors& targets) {
    if (loss == DenseMovesLoss::Softmax)
        return move_loss(z.masked_fill(targets[1].logical_not(), -std::numeric_limits<float>::infinity()),
                         targets[0]);
    const at::Tensor of_moves = at::binary_cross_entropy_with_logits(
        z.masked_select(targets[1]), targets[0].masked_select(targets[1]), {}, {}, at::Reduction::Sum);
    return of_moves / z.size(0);
}

at::Tensor best_move_constant(DenseMovesLoss loss, const Tensors& targets) {
    if (loss == DenseMovesLoss::Softmax) return at::zeros({1, 1}, targets[0].options());
    return at::logit(targets[0].sum() / targets[1].sum(), 1e-6).reshape({1, 1}).to(targets[0].options());
}

}  // namespace scholar::learning
