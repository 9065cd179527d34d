#include "evaluators/network_evaluator.hpp"

#include "nets/kernels.hpp"

namespace scholar::evaluators {

using nets::Features768;
using nets::Network;

NetworkEvaluator::NetworkEvaluator(std::shared_ptr<const Network> network) : network_(std::move(network)) {
    reset(chess::Position());
}

void NetworkEvaluator::reset(const chess::Position& position) {
    depth_ = 0;
    if (steps_.empty()) grow();
    for (const chess::Color viewpoint : chess::kColors) {
        nets::ActiveFeatures active;
        Features768::encode(position, viewpoint, active);
        std::array<const std::int16_t*, nets::ActiveFeatures::kCapacity> rows;
        for (int i = 0; i < active.count; ++i) rows[i] = network_->row(active.indices[i]);
        nets::update_accumulator(sums(0, viewpoint), network_->transformer_bias.data(), network_->width(),
                                 rows.data(), active.count, nullptr, 0);
    }
    steps_[0].current = true;
}

void NetworkEvaluator::push(const chess::Position& before, chess::Move move) {
    if (++depth_ == steps_.size()) grow();
    steps_[depth_].change = nets::board_change(before, move);
    steps_[depth_].current = false;
}

void NetworkEvaluator::push_null(const chess::Position&) {
    if (++depth_ == steps_.size()) grow();
    steps_[depth_].change = {};
    steps_[depth_].current = false;
}

chess::Score NetworkEvaluator::value(const chess::Position& position) {
    bring_up_to_date();
    const chess::Color us = position.side_to_move();
    const std::int32_t dot = nets::clipped_dot(sums(depth_, us), sums(depth_, ~us), network_->output.data(),
                                               network_->width(), Network::kActivationScale);
    return network_->to_score(dot + network_->output_bias);
}

void NetworkEvaluator::grow() {
    const std::size_t size = steps_.empty() ? chess::kMaxPly + 16 : 2 * steps_.size();
    steps_.resize(size);
    sums_.resize(2 * size * static_cast<std::size_t>(network_->width()));
}

void NetworkEvaluator::bring_up_to_date() {
    std::size_t from = depth_;
    while (!steps_[from].current) --from;
    for (std::size_t step = from + 1; step <= depth_; ++step) {
        for (const chess::Color viewpoint : chess::kColors) {
            const auto update = Features768::update(steps_[step].change, viewpoint);
            std::array<const std::int16_t*, 2> added{};
            std::array<const std::int16_t*, 2> removed{};
            for (int i = 0; i < update.added_count; ++i) added[i] = network_->row(update.added[i]);
            for (int i = 0; i < update.removed_count; ++i) removed[i] = network_->row(update.removed[i]);
            nets::update_accumulator(sums(step, viewpoint), sums(step - 1, viewpoint), network_->width(),
                                     added.data(), update.added_count, removed.data(), update.removed_count);
        }
        steps_[step].current = true;
    }
}

}  // namespace scholar::evaluators
