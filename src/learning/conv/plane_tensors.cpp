#include "learning/conv/plane_tensors.hpp"

#include <ATen/ATen.h>
#include <cassert>

namespace scholar::learning {

nets::PlaneContext plane_context(const nets::PlanesInput& input, const games::Sample& sample) {
    const chess::Color side = sample.position.side_to_move();
    nets::PlaneContext context;
    context.last_move = nets::traces_of(sample.before, ~side);
    context.rating = nets::rating_plane(input, sample.ratings[side]);
    context.outcome = sample.result;
    if (sample.move) context.piece = sample.move.from();
    return context;
}

at::Tensor plane_tensor(const nets::PlanesInput& input, std::span<const games::Sample> samples) {
    assert(input.layout != nets::PlanesLayout::Lc0Classical112);
    const auto planes = static_cast<std::size_t>(nets::plane_count(input));
    at::Tensor tensor = at::empty(
        {static_cast<std::int64_t>(samples.size()), static_cast<std::int64_t>(planes), 8, 8}, at::kFloat);
    const std::size_t size = planes * nets::kPlaneSquares;
    auto* out = tensor.data_ptr<float>();
    for (const games::Sample& sample : samples) {
        nets::encode_planes(input, chess::Line(sample.position), plane_context(input, sample),
                            std::span(out, size));
        out += size;
    }
    return tensor;
}

}  // namespace scholar::learning
