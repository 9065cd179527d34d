#include "evaluators/network_evaluator.hpp"

#include "nets/perspective/kernels.hpp"

namespace scholar::evaluators {

using nets::FeatureSet;
using nets::Network;

NetworkEvaluator::NetworkEvaluator(std::shared_ptr<const Network> network)
    : network_(std::move(network)), cache_(*network_), hidden_(*network_) {
    reset(chess::Position());
}

void NetworkEvaluator::reset(const chess::Position& position) {
    depth_ = 0;
    if (steps_.empty()) grow();
    for (const chess::Color viewpoint : chess::kColors) {
        steps_[0].views[viewpoint] =
            network_->info.architecture.features->view(viewpoint, position.king(viewpoint));
        refresh(position, viewpoint);
    }
}

NetworkEvaluator::Step& NetworkEvaluator::next_step() {
    if (++depth_ == steps_.size()) grow();
    Step& step = steps_[depth_];
    step.views = steps_[depth_ - 1].views;
    step.current = {};
    return step;
}

void NetworkEvaluator::push(const chess::Position& before, chess::Move move) {
    Step& step = next_step();
    step.change = nets::board_change(before, move);
    // The piece that moves stands first in the change.
    const chess::Color us = before.side_to_move();
    if (chess::kind_of(step.change.removed[0].piece) == chess::King)
        step.views[us] = network_->info.architecture.features->view(us, step.change.added[0].square);
}

void NetworkEvaluator::push_null(const chess::Position&) {
    next_step().change = {};
}

chess::Score NetworkEvaluator::value(const chess::Position& position) {
    for (const chess::Color viewpoint : chess::kColors) bring_up_to_date(position, viewpoint);
    const chess::Color us = position.side_to_move();
    const nets::Architecture& architecture = network_->info.architecture;
    const int bucket = architecture.output_bucket(chess::popcount(position.occupied()));
    const std::int16_t* const own = sums(depth_, us);
    const std::int16_t* const enemy = sums(depth_, ~us);
    const std::int32_t sum =
        network_->hidden.empty()
            ? nets::output_sum(architecture.activation, own, enemy, network_->output_weights(bucket),
                               network_->width(), Network::kActivationScale, Network::kProductShift)
            : hidden_.output_sum(*network_, own, enemy, bucket);
    return network_->to_score(sum, bucket);
}

void NetworkEvaluator::grow() {
    const std::size_t size = steps_.empty() ? chess::kMaxPly + 16 : 2 * steps_.size();
    steps_.resize(size);
    sums_.resize(2 * size * static_cast<std::size_t>(network_->width()));
}

void NetworkEvaluator::refresh(const chess::Position& position, chess::Color viewpoint) {
    cache_.refresh(*network_, position, viewpoint, sums(depth_, viewpoint));
    steps_[depth_].current[viewpoint] = true;
}

void NetworkEvaluator::bring_up_to_date(const chess::Position& position, chess::Color viewpoint) {
    const nets::View view = steps_[depth_].views[viewpoint];
    std::size_t from = depth_;
    while (!steps_[from].current[viewpoint]) {
        --from;
        if (steps_[from].views[viewpoint] != view) return refresh(position, viewpoint);
    }
    for (std::size_t step = from + 1; step <= depth_; ++step) {
        const auto update = FeatureSet::update(view, steps_[step].change, viewpoint);
        std::array<const std::int16_t*, 2> added{};
        std::array<const std::int16_t*, 2> removed{};
        for (int i = 0; i < update.added_count; ++i) added[i] = network_->row(update.added[i]);
        for (int i = 0; i < update.removed_count; ++i) removed[i] = network_->row(update.removed[i]);
        nets::update_accumulator(sums(step, viewpoint), sums(step - 1, viewpoint), network_->width(),
                                 added.data(), update.added_count, removed.data(), update.removed_count);
        steps_[step].current[viewpoint] = true;
    }
}

}  // namespace scholar::evaluators
