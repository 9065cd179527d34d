#include "nets/explained/layer_tape.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace scholar::nets {

namespace {

constexpr std::size_t kTapeSide = 8;
constexpr std::size_t kTapeSquares = kTapeSide * kTapeSide;

// Adds to each filter of `to` the cross-correlation of all filters of `from` with weight(filter of to, filter
// of from, up, right), 0 beyond the edges.
template <class Weight>
void correlate(const Numbers& from, Numbers& to, std::size_t size, Weight weight) {
    // With an edge of zeros, so that all ranks are as long.
    const std::size_t reach = size / 2;
    const std::size_t wide = kTapeSide + 2 * reach;
    const std::size_t sources = from.size() / kTapeSquares;
    Numbers edged(sources * wide * wide);
    for (std::size_t i = 0; i < from.size(); ++i)
        edged[(i / kTapeSquares * wide + i % kTapeSquares / kTapeSide + reach) * wide + i % kTapeSide +
              reach] = from[i];
    for (std::size_t target = 0; target < to.size() / kTapeSquares; ++target) {
        std::array<double, kTapeSquares> sums{};
        for (std::size_t source = 0; source < sources; ++source)
            for (std::size_t up = 0; up < size; ++up)
                for (std::size_t right = 0; right < size; ++right) {
                    const double factor = weight(target, source, up, right);
                    const double* const read = edged.data() + (source * wide + up) * wide + right;
                    for (std::size_t rank = 0; rank < kTapeSide; ++rank)
                        for (std::size_t file = 0; file < kTapeSide; ++file)
                            sums[rank * kTapeSide + file] += factor * read[rank * wide + file];
                }
        for (std::size_t i = 0; i < kTapeSquares; ++i) to[target * kTapeSquares + i] += sums[i];
    }
}

}  // namespace

LayerTape::Place LayerTape::add(Numbers numbers, Back back) {
    steps_.push_back({std::move(numbers), std::move(back)});
    return steps_.size() - 1;
}

LayerTape::Place LayerTape::put(Numbers numbers) {
    return add(std::move(numbers));
}

LayerTape::Place LayerTape::dense(Place in, std::span<const float> weight, std::span<const float> bias) {
    const std::size_t inputs = at(in).size();
    assert(weight.size() == inputs * bias.size());
    Numbers out(bias.begin(), bias.end());
    for (std::size_t unit = 0; unit < out.size(); ++unit)
        for (std::size_t i = 0; i < inputs; ++i)
            out[unit] += static_cast<double>(weight[unit * inputs + i]) * at(in)[i];
    return add(std::move(out), [in, inputs, weight](const Numbers& own, std::vector<Numbers>& slopes) {
        for (std::size_t unit = 0; unit < own.size(); ++unit)
            if (own[unit] != 0)
                for (std::size_t i = 0; i < inputs; ++i)
                    slopes[in][i] += static_cast<double>(weight[unit * inputs + i]) * own[unit];
    });
}

LayerTape::Place LayerTape::convolution(Place in, std::span<const float> weight, std::span<const float> bias,
                                        std::size_t size) {
    const std::size_t inputs = at(in).size() / kTapeSquares;
    const std::size_t outputs = bias.size();
    assert(weight.size() == outputs * inputs * size * size);
    Numbers out(outputs * kTapeSquares);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(bias[i / kTapeSquares]);
    const auto at_weight = [=](std::size_t output, std::size_t input, std::size_t up, std::size_t right) {
        return static_cast<double>(weight[((output * inputs + input) * size + up) * size + right]);
    };
    correlate(at(in), out, size, at_weight);
    return add(std::move(out), [=](const Numbers& own, std::vector<Numbers>& slopes) {
        // What a number went to, it hears from: the other way round.
        correlate(own, slopes[in], size,
                  [&](std::size_t input, std::size_t output, std::size_t up, std::size_t right) {
                      return at_weight(output, input, size - 1 - up, size - 1 - right);
                  });
    });
}

LayerTape::Place LayerTape::each(Place in, const std::function<Point(double, std::size_t)>& apply) {
    Numbers out(at(in).size());
    Numbers steepness(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Point point = apply(at(in)[i], i);
        out[i] = point.value;
        steepness[i] = point.slope;
    }
    return add(std::move(out),
               [in, steepness = std::move(steepness)](const Numbers& own, std::vector<Numbers>& slopes) {
                   for (std::size_t i = 0; i < own.size(); ++i) slopes[in][i] += steepness[i] * own[i];
               });
}

LayerTape::Place LayerTape::sums(Place a, Place b) {
    Numbers out = at(a);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += at(b)[i];
    return add(std::move(out), [a, b](const Numbers& own, std::vector<Numbers>& slopes) {
        for (const Place place : {a, b})
            for (std::size_t i = 0; i < own.size(); ++i) slopes[place][i] += own[i];
    });
}

LayerTape::Place LayerTape::products(Place a, Place b) {
    Numbers out = at(a);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] *= at(b)[i];
    return add(std::move(out), [this, a, b](const Numbers& own, std::vector<Numbers>& slopes) {
        for (std::size_t i = 0; i < own.size(); ++i) {
            slopes[a][i] += own[i] * at(b)[i];
            slopes[b][i] += own[i] * at(a)[i];
        }
    });
}

LayerTape::Place LayerTape::part(Place in, std::size_t first, std::size_t count) {
    const auto begin = at(in).begin() + static_cast<std::ptrdiff_t>(first);
    return add(Numbers(begin, begin + static_cast<std::ptrdiff_t>(count)),
               [in, first](const Numbers& own, std::vector<Numbers>& slopes) {
                   for (std::size_t i = 0; i < own.size(); ++i) slopes[in][first + i] += own[i];
               });
}

LayerTape::Place LayerTape::joined(const std::vector<Place>& parts) {
    Numbers out;
    for (const Place place : parts) out.insert(out.end(), at(place).begin(), at(place).end());
    return add(std::move(out), [parts](const Numbers& own, std::vector<Numbers>& slopes) {
        std::size_t next = 0;
        for (const Place place : parts)
            for (double& slope : slopes[place]) slope += own[next++];
    });
}

LayerTape::Place LayerTape::means(Place in) {
    Numbers out(at(in).size() / kTapeSquares);
    for (std::size_t i = 0; i < at(in).size(); ++i) out[i / kTapeSquares] += at(in)[i] / kTapeSquares;
    return add(std::move(out), [in](const Numbers& own, std::vector<Numbers>& slopes) {
        for (std::size_t i = 0; i < slopes[in].size(); ++i)
            slopes[in][i] += own[i / kTapeSquares] / kTapeSquares;
    });
}

LayerTape::Place LayerTape::excited(Place in, Place factors) {
    const std::size_t filters = at(in).size() / kTapeSquares;
    assert(at(factors).size() == 2 * filters);
    Numbers sigmoid(filters);
    for (std::size_t i = 0; i < filters; ++i) sigmoid[i] = 1 / (1 + std::exp(-at(factors)[i]));
    Numbers out(at(in).size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t filter = i / kTapeSquares;
        out[i] = at(in)[i] * sigmoid[filter] + at(factors)[filters + filter];
    }
    return add(std::move(out), [this, in, factors, filters, sigmoid = std::move(sigmoid)](
                                   const Numbers& own, std::vector<Numbers>& slopes) {
        for (std::size_t i = 0; i < own.size(); ++i) {
            const std::size_t filter = i / kTapeSquares;
            const double factor = sigmoid[filter];
            slopes[in][i] += own[i] * factor;
            slopes[factors][filter] += own[i] * at(in)[i] * factor * (1 - factor);
            slopes[factors][filters + filter] += own[i];
        }
    });
}

LayerTape::Place LayerTape::square_pairs(Place in, std::size_t width) {
    const double scale = 1 / std::sqrt(static_cast<double>(width));
    const auto vector = [width](const Numbers& numbers, bool of_target, std::size_t i, std::size_t square) {
        return numbers[((of_target ? width : 0) + i) * kTapeSquares + square];
    };
    Numbers out(kTapeSquares * kTapeSquares);
    for (std::size_t pair = 0; pair < out.size(); ++pair)
        for (std::size_t i = 0; i < width; ++i)
            out[pair] += scale * vector(at(in), false, i, pair / kTapeSquares) *
                         vector(at(in), true, i, pair % kTapeSquares);
    return add(std::move(out), [=, this](const Numbers& own, std::vector<Numbers>& slopes) {
        for (std::size_t pair = 0; pair < own.size(); ++pair) {
            if (own[pair] == 0) continue;
            const std::size_t from = pair / kTapeSquares;
            const std::size_t to = pair % kTapeSquares;
            for (std::size_t i = 0; i < width; ++i) {
                slopes[in][i * kTapeSquares + from] += own[pair] * scale * vector(at(in), true, i, to);
                slopes[in][(width + i) * kTapeSquares + to] +=
                    own[pair] * scale * vector(at(in), false, i, from);
            }
        }
    });
}

Numbers LayerTape::slopes(const std::vector<Weighed>& sum, Place by) const {
    std::vector<Numbers> all;
    all.reserve(steps_.size());
    for (const Step& step : steps_) all.emplace_back(step.numbers.size());
    for (const Weighed& weighed : sum)
        for (std::size_t i = 0; i < weighed.weights.size(); ++i) all[weighed.place][i] += weighed.weights[i];
    for (std::size_t place = steps_.size(); place-- > 0;)
        if (steps_[place].back) steps_[place].back(all[place], all);
    return std::move(all[by]);
}

}  // namespace scholar::nets
