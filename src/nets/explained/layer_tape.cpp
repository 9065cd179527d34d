#include "nets/explained/layer_tape.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace scholar::nets {

namespace {

constexpr std::size_t kTapeSide = 8;
constexpr std::size_t kTapeSquares = kTapeSide * kTapeSide;

// Calls visit(weight's index, first square in, first square out, squares) for all runs of squares on a rank
// of which a convolution's weight takes one to the other.
template <class Visit>
void for_each_run(std::size_t outputs, std::size_t inputs, std::size_t size, Visit visit) {
    const auto side = static_cast<int>(kTapeSide);
    const int reach = static_cast<int>(size) / 2;
    std::size_t weight = 0;
    for (std::size_t out = 0; out < outputs; ++out)
        for (std::size_t in = 0; in < inputs; ++in)
            for (int up = -reach; up <= reach; ++up)
                for (int right = -reach; right <= reach; ++right, ++weight) {
                    const int file = std::max(0, -right);
                    const auto count = static_cast<std::size_t>(side - std::abs(right));
                    for (int rank = std::max(0, -up); rank < std::min(side, side - up); ++rank)
                        visit(weight,
                              in * kTapeSquares + static_cast<std::size_t>((rank + up) * side + file + right),
                              out * kTapeSquares + static_cast<std::size_t>(rank * side + file), count);
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
    for_each_run(outputs, inputs, size,
                 [&](std::size_t index, std::size_t from, std::size_t to, std::size_t count) {
                     const auto factor = static_cast<double>(weight[index]);
                     const double* const read = at(in).data() + from;
                     double* const write = out.data() + to;
                     for (std::size_t i = 0; i < count; ++i) write[i] += factor * read[i];
                 });
    return add(std::move(out), [=](const Numbers& own, std::vector<Numbers>& slopes) {
        for_each_run(outputs, inputs, size,
                     [&](std::size_t index, std::size_t from, std::size_t to, std::size_t count) {
                         const auto factor = static_cast<double>(weight[index]);
                         const double* const read = own.data() + to;
                         double* const write = slopes[in].data() + from;
                         for (std::size_t i = 0; i < count; ++i) write[i] += factor * read[i];
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
