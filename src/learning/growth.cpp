#include "learning/growth.hpp"

#include <algorithm>
#include <numeric>

namespace scholar::learning {

namespace {

// Whether units are paired or not, those that stand in one place of a group make such a row, and so do the
// weights of what they give to a unit of the head's first layer: new units go to the end of each, and old
// pairs stay together.
std::size_t row_of(const nets::Architecture& architecture) {
    return static_cast<std::size_t>(architecture.outputs());
}

// Rows of `from` values become rows of `to`; what is new in them comes from `fresh`, which has such rows, or
// is 0 without it.
void widen_rows(std::vector<float>& values, std::size_t from, std::size_t to,
                const std::vector<float>* fresh = nullptr) {
    const std::size_t rows = values.size() / from;
    std::vector<float> wide(rows * to);
    for (std::size_t row = 0; row < rows; ++row) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * from), from,
                    wide.begin() + static_cast<std::ptrdiff_t>(row * to));
        if (fresh)
            std::copy(fresh->begin() + static_cast<std::ptrdiff_t>(row * to + from),
                      fresh->begin() + static_cast<std::ptrdiff_t>((row + 1) * to),
                      wide.begin() + static_cast<std::ptrdiff_t>(row * to + from));
    }
    values = std::move(wide);
}

// New weights have no mean gradient, and for its square the mean of those in their row. With 0 there, and the
// old ones' number of steps, their first steps would be several times as long as any weight's: the correction
// for a mean that begins at 0 (Kingma, Ba 2014, section 3) is long over.
void widen_rows(AdamMoments& moments, std::size_t from, std::size_t to) {
    widen_rows(moments.first, from, to);
    widen_rows(moments.second, from, to);
    for (std::size_t row = 0; row < moments.second.size() / to; ++row) {
        const auto begin = moments.second.begin() + static_cast<std::ptrdiff_t>(row * to);
        const auto end = begin + static_cast<std::ptrdiff_t>(from);
        std::fill(end, begin + static_cast<std::ptrdiff_t>(to),
                  std::accumulate(begin, end, 0.0F) / static_cast<float>(from));
    }
}

}  // namespace

nets::FloatNetwork widened(const nets::FloatNetwork& network, int width, std::uint64_t seed) {
    nets::FloatNetwork wide = network;
    wide.info.architecture.width = width;
    const std::size_t from = row_of(network.info.architecture);
    const std::size_t to = row_of(wide.info.architecture);
    const nets::FloatNetwork fresh = nets::FloatNetwork::random(wide.info.architecture, seed);
    widen_rows(wide.transformer, from, to, &fresh.transformer);
    widen_rows(wide.transformer_bias, from, to, &fresh.transformer_bias);
    widen_rows(wide.hidden.empty() ? wide.output : wide.hidden.front().weight, from, to);
    return wide;
}

ModelState widened(const ModelState& model, int width, std::uint64_t seed) {
    ModelState wide = model;
    wide.network = widened(model.network, width, seed);
    const std::size_t from = row_of(model.network.info.architecture);
    const std::size_t to = row_of(wide.network.info.architecture);
    for (Factor& factor : wide.factors) {
        widen_rows(factor.rows, from, to);
        widen_rows(factor.moments, from, to);
    }
    AdamMoments& head = wide.hidden.empty() ? wide.output : wide.hidden.front().weight;
    for (AdamMoments* moments : {&wide.transformer, &wide.transformer_bias, &head})
        widen_rows(*moments, from, to);
    return wide;
}

}  // namespace scholar::learning
