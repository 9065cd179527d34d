#include "learning/conv/plane_tensors.hpp"

#include <ATen/ATen.h>
#include <cassert>

namespace scholar::learning {

at::Tensor plane_tensor(nets::PlanesLayout layout, std::span<const games::Sample> samples) {
    assert(nets::reads_of(layout).boards == 1);
    const auto planes = static_cast<std::size_t>(nets::plane_count(layout));
    at::Tensor tensor = at::empty(
        {static_cast<std::int64_t>(samples.size()), static_cast<std::int64_t>(planes), 8, 8}, at::kFloat);
    const std::size_t size = planes * nets::kPlaneSquares;
    auto* out = tensor.data_ptr<float>();
    for (const games::Sample& sample : samples) {
        nets::encode_planes(layout, chess::Line(sample.position), std::span(out, size));
        out += size;
    }
    return tensor;
}

}  // namespace scholar::learning
