#include "evaluators/accumulators.hpp"

#include "chess/score.hpp"
#include "nets/perspective/kernels.hpp"

namespace scholar::evaluators {

Accumulators::Accumulators(const nets::FirstLayer& layer) : layer_(layer), cache_(layer) {
    reset(chess::Position());
}

void Accumulators::reset(const chess::Position& position) {
    depth_ = 0;
    if (steps_.empty()) grow();
    steps_[0].current = {};
    for (const chess::Color viewpoint : chess::kColors) {
        steps_[0].views[viewpoint] = layer_.features->view(viewpoint, position.king(viewpoint));
        refresh(position, viewpoint);
    }
}

Accumulators::Step& Accumulators::next_step() {
    if (++depth_ == steps_.size()) grow();
    Step& step = steps_[depth_];
    step.views = steps_[depth_ - 1].views;
    step.current = {};
    return step;
}

void Accumulators::push(const chess::Position& before, chess::Move move) {
    Step& step = next_step();
    step.change = nets::board_change(before, move);
    // The piece that moves stands first in the change.
    const chess::Color us = before.side_to_move();
    if (chess::kind_of(step.change.removed[0].piece) == chess::King)
        step.views[us] = layer_.features->view(us, step.change.added[0].square);
}

void Accumulators::grow() {
    const std::size_t size = steps_.empty() ? chess::kMaxPly + 16 : 2 * steps_.size();
    steps_.resize(size);
    sums_.resize(2 * size * static_cast<std::size_t>(layer_.width));
}

void Accumulators::refresh(const chess::Position& position, chess::Color viewpoint) {
    Step& step = steps_[depth_];
    if (!layer_.features->reads_attacks() || !(step.current[0] || step.current[1]))
        step.board = layer_.features->state_of(position);
    if (!(step.current[0] || step.current[1])) step.compared_with = depth_;  // with none
    cache_.refresh(layer_, step.board, step.views[viewpoint], viewpoint, sums(depth_, viewpoint));
    step.current[viewpoint] = true;
}

void Accumulators::compare_boards(const chess::Position& position, chess::Color viewpoint) {
    Step& step = steps_[depth_];
    if (step.current[viewpoint]) return;
    const nets::View view = step.views[viewpoint];
    std::size_t from = depth_;
    while (!steps_[from].current[viewpoint])
        if (steps_[--from].views[viewpoint] != view) return refresh(position, viewpoint);
    // The other side is asked about next, and as a rule was where this one was.
    if (!step.current[~viewpoint]) step.board = layer_.features->state_of(position);
    if (!step.current[~viewpoint] || step.compared_with != from) {
        step.difference = layer_.features->difference(steps_[from].board, step.board);
        step.compared_with = from;
    }
    update_sums(layer_, view, viewpoint, step.difference, sums(from, viewpoint), sums(depth_, viewpoint));
    step.current[viewpoint] = true;
}

void Accumulators::bring_up_to_date(const chess::Position& position, chess::Color viewpoint) {
    if (layer_.features->reads_attacks()) return compare_boards(position, viewpoint);
    const nets::View view = steps_[depth_].views[viewpoint];
    std::size_t from = depth_;
    while (!steps_[from].current[viewpoint]) {
        --from;
        if (steps_[from].views[viewpoint] != view) return refresh(position, viewpoint);
    }
    for (std::size_t step = from + 1; step <= depth_; ++step) {
        const auto update = layer_.features->update(view, steps_[step].change, viewpoint);
        std::array<const std::int16_t*, 2> added{};
        std::array<const std::int16_t*, 2> removed{};
        for (int i = 0; i < update.added_count; ++i) added[i] = layer_.row(update.added[i]);
        for (int i = 0; i < update.removed_count; ++i) removed[i] = layer_.row(update.removed[i]);
        nets::update_accumulator(sums(step, viewpoint), sums(step - 1, viewpoint), layer_.width, added.data(),
                                 update.added_count, removed.data(), update.removed_count);
        steps_[step].current[viewpoint] = true;
    }
}

}  // namespace scholar::evaluators
