#include "arena/tsne.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace scholar::arena {

namespace {

// Numbers that are worked on side by side: what a loop over them does, compilers do in a few vector
// registers. A sum over the points itself they may not reorder; so each lane has a sum of its own.
constexpr std::size_t kLanes = 16;
using Lanes = std::array<float, kLanes>;

// Others that attract a point, for each of the perplexity: those further away hardly do (van der Maaten
// 2014).
constexpr double kOthersPerPerplexity = 3;

// The first iterations pull neighbours together so many times as strongly, with less momentum, that clusters
// form while they can still pass each other. The numbers are those of later practice (van der Maaten 2014),
// not the 4 and 50 of 2008. The rate grows with the points, of which each then pulls less: n / exaggeration,
// as in A. Belkina et al., "Automated optimized parameters for t-distributed stochastic neighbor embedding"
// (2019), where it goes with a gradient without the 4.
constexpr float kExaggeration = 12;
constexpr int kMostExaggerated = 250;
constexpr float kEarlyMomentum = 0.5F;
constexpr float kMomentum = 0.8F;
constexpr float kLeastRate = 50;

// Each coordinate has a factor to its rate, as in 2008 (after R. Jacobs 1988).
constexpr float kGainStep = 0.2F;
constexpr float kGainDecay = 0.8F;
constexpr float kLeastGain = 0.01F;

// Points of many dimensions about their mean, and so scaled that no coordinate exceeds 1: neither changes a
// map, and squares neither overflow nor lose what the points differ in.
struct TsnePoints {
    std::size_t count = 0;
    std::size_t dimensions = 0;
    std::vector<float> values;

    std::span<const float> row(std::size_t point) const {
        return std::span(values).subspan(point * dimensions, dimensions);
    }
};

base::Status check_tsne_points(std::span<const float> points, std::size_t dimensions, double perplexity) {
    if (dimensions == 0 || points.size() % dimensions != 0)
        return base::fail("t-SNE: {} numbers, expected {} for each point", points.size(), dimensions);
    if (!std::isfinite(perplexity) || perplexity <= 1)
        return base::fail("t-SNE: a perplexity of {}, expected more than 1", perplexity);
    if (const std::size_t count = points.size() / dimensions;
        static_cast<double>(count) <= kOthersPerPerplexity * perplexity)
        return base::fail("t-SNE: {} points, expected more than {:g} for a perplexity of {:g}", count,
                          kOthersPerPerplexity * perplexity, perplexity);
    const auto odd = std::ranges::find_if(points, [](float value) { return !std::isfinite(value); });
    if (odd != points.end())
        return base::fail("t-SNE: point {} has a coordinate of {}, expected a finite number",
                          static_cast<std::size_t>(odd - points.begin()) / dimensions, *odd);
    return {};
}

std::vector<double> mean_of_rows(std::span<const float> points, std::size_t dimensions) {
    std::vector<double> mean(dimensions);
    for (std::size_t i = 0; i < points.size(); i += dimensions)
        for (std::size_t d = 0; d < dimensions; ++d) mean[d] += points[i + d];
    for (double& value : mean) value *= static_cast<double>(dimensions) / static_cast<double>(points.size());
    return mean;
}

TsnePoints centred_points(std::span<const float> points, std::size_t dimensions) {
    TsnePoints centred{points.size() / dimensions, dimensions, std::vector<float>(points.size())};
    const auto mean = mean_of_rows(points, dimensions);
    double largest = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
        largest = std::max(largest, std::abs(points[i] - mean[i % dimensions]));
    const double scale = largest > 0 ? 1 / largest : 1;
    for (std::size_t i = 0; i < points.size(); ++i)
        centred.values[i] = static_cast<float>((points[i] - mean[i % dimensions]) * scale);
    return centred;
}

// Points by tiles of kLanes, in a tile dimension after dimension: the same coordinate of all its points is
// one vector. What is missing from the last tile is 0.
class TsneTiles {
  public:
    explicit TsneTiles(const TsnePoints& points)
        : dimensions_(points.dimensions),
          count_((points.count + kLanes - 1) / kLanes),
          values_(count_ * kLanes * dimensions_) {
        for (std::size_t i = 0; i < points.count; ++i)
            for (std::size_t d = 0; d < dimensions_; ++d)
                values_[(i / kLanes * dimensions_ + d) * kLanes + i % kLanes] = points.row(i)[d];
    }

    std::size_t count() const { return count_; }
    std::size_t dimensions() const { return dimensions_; }
    const float* tile(std::size_t index) const { return &values_[index * kLanes * dimensions_]; }

  private:
    std::size_t dimensions_;
    std::size_t count_;
    std::vector<float> values_;
};

// Points of a tile whose distances to those of another are found in one pass over both: so many sums fit into
// the registers.
constexpr std::size_t kAtOnce = 4;

// The squared distances of kAtOnce points, of which the first is at `points` in its tile, to those of a tile.
std::array<Lanes, kAtOnce> squared_distances(const float* points, const float* tile, std::size_t dimensions) {
    std::array<Lanes, kAtOnce> sums{};
    for (std::size_t d = 0; d < dimensions; ++d)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            for (std::size_t i = 0; i < kAtOnce; ++i) {
                const float difference = tile[d * kLanes + lane] - points[d * kLanes + i];
                sums[i][lane] += difference * difference;
            }
    return sums;
}

// Tiles of points that are compared with one other before the next is fetched from memory.
constexpr std::size_t kTilesAtOnce = 4;
constexpr std::size_t kRowsAtOnce = kTilesAtOnce * kLanes;

// Into rows of as many as all tiles have: of the points of up to kTilesAtOnce tiles to all points.
void fill_distances(const TsneTiles& tiles, std::size_t first_tile, std::vector<float>& rows) {
    const std::size_t width = tiles.count() * kLanes;
    const std::size_t last_tile = std::min(first_tile + kTilesAtOnce, tiles.count());
    for (std::size_t other = 0; other < tiles.count(); ++other)
        for (std::size_t tile = first_tile; tile < last_tile; ++tile)
            for (std::size_t lane = 0; lane < kLanes; lane += kAtOnce) {
                const auto found =
                    squared_distances(tiles.tile(tile) + lane, tiles.tile(other), tiles.dimensions());
                const std::size_t row = (tile - first_tile) * kLanes + lane;
                for (std::size_t i = 0; i < kAtOnce; ++i)
                    std::ranges::copy(found[i], &rows[(row + i) * width + other * kLanes]);
            }
}

struct TsneNeighbour {
    float distance = 0;  // squared
    std::uint32_t point = 0;

    auto operator<=>(const TsneNeighbour&) const = default;
};

// The nearest first; of those equally near the first.
std::vector<TsneNeighbour> nearest_of(std::span<const float> distances, std::size_t point, std::size_t each) {
    std::vector<TsneNeighbour> others;
    others.reserve(distances.size());
    for (std::size_t other = 0; other < distances.size(); ++other)
        if (other != point) others.push_back({distances[other], static_cast<std::uint32_t>(other)});
    const auto end = others.begin() + static_cast<std::ptrdiff_t>(each);
    std::ranges::partial_sort(others, end);
    others.erase(end, others.end());
    return others;
}

// exp(−precision · distance), scaled to add up to 1. Gives their entropy in nats. The distances begin with
// the least, and are measured from it: that changes no probability, and one at least stays above 0.
double choose(std::span<const TsneNeighbour> nearest, double precision, std::span<double> probabilities) {
    double sum = 0;
    double weighted = 0;
    for (std::size_t k = 0; k < nearest.size(); ++k) {
        const double beyond = double{nearest[k].distance} - double{nearest[0].distance};
        probabilities[k] = std::exp(-precision * beyond);
        sum += probabilities[k];
        weighted += probabilities[k] * beyond;
    }
    for (double& probability : probabilities) probability /= sum;
    return std::log(sum) + precision * weighted / sum;
}

// By the precision at which the choice has this entropy. The entropy falls as the precision rises, from that
// of all being equal; if those that are nearest are too many for the entropy, they end up equal, and the
// others at 0.
void choose_by_entropy(std::span<const TsneNeighbour> nearest, double entropy,
                       std::span<double> probabilities) {
    constexpr int kMostSteps = 200;
    constexpr double kNearEnough = 1e-6;
    const double range = double{nearest.back().distance} - double{nearest.front().distance};
    double precision = range > 0 ? 1 / range : 1;
    double low = 0;
    double high = 0;  // 0: not known
    for (int step = 0; step < kMostSteps; ++step) {
        const double excess = choose(nearest, precision, probabilities) - entropy;
        if (std::abs(excess) < kNearEnough) return;
        (excess > 0 ? low : high) = precision;
        precision = high > 0 ? (low + high) / 2 : 2 * precision;
    }
}

// Sums of products, in lanes.
float dot_in_lanes(std::span<const float> a, std::span<const float> b) {
    Lanes sums{};
    std::size_t i = 0;
    for (; i + kLanes <= a.size(); i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
    float total = 0;
    for (; i < a.size(); ++i) total += a[i] * b[i];
    for (const float sum : sums) total += sum;
    return total;
}

void add_scaled(std::span<float> to, std::span<const float> what, float factor) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * what[i];
}

// To length 1; to 0 what has next to none.
void normalize(std::span<float> axis) {
    const float length = std::sqrt(dot_in_lanes(axis, axis));
    for (float& value : axis) value = length > 1e-12F ? value / length : 0;
}

using TsneAxes = std::array<std::vector<float>, 2>;

void orthonormalize(TsneAxes& axes) {
    normalize(axes[0]);
    add_scaled(axes[1], axes[0], -dot_in_lanes(axes[0], axes[1]));
    normalize(axes[1]);
}

// The directions in which the points differ most, by power iteration of both at once. So many passes do not
// quite find two of nearly the same variance; nor does a map depend on which of them it starts from.
TsneAxes principal_axes(const TsnePoints& points, base::Random& random) {
    constexpr int kPasses = 30;
    TsneAxes axes;
    for (auto& axis : axes)
        for (std::size_t d = 0; d < points.dimensions; ++d)
            axis.push_back(static_cast<float>(random.unit() - 0.5));
    for (int pass = 0; pass < kPasses; ++pass) {
        orthonormalize(axes);
        TsneAxes next;
        for (auto& axis : next) axis.resize(points.dimensions);
        for (std::size_t i = 0; i < points.count; ++i)
            for (std::size_t a = 0; a < axes.size(); ++a)
                add_scaled(next[a], points.row(i), dot_in_lanes(points.row(i), axes[a]));
        axes = std::move(next);
    }
    orthonormalize(axes);
    return axes;
}

// A map starts from the first two principal components, very small, so that all points can pass each other:
// D. Kobak and P. Berens, "The art of using t-SNE for single-cell transcriptomics" (2019). Of where the
// clusters lie to each other it keeps more than a start by lot, and depends less on the seed. What is by lot
// is a tenth of it: points in one place of the components would never part.
TsneMap first_map(const TsnePoints& points, std::uint64_t seed) {
    constexpr double kDeviation = 1e-4;
    base::Random random(seed);
    const TsneAxes axes = principal_axes(points, random);
    TsneMap map(points.count);
    double variance = 0;
    for (std::size_t i = 0; i < points.count; ++i) {
        for (std::size_t a = 0; a < axes.size(); ++a) map[i][a] = dot_in_lanes(points.row(i), axes[a]);
        variance += double{map[i][0]} * map[i][0] / static_cast<double>(points.count);
    }
    const double scale = variance > 0 ? kDeviation / std::sqrt(variance) : 0;
    for (auto& place : map)
        for (float& value : place)
            value = static_cast<float>(scale * value + 0.1 * kDeviation * (2 * random.unit() - 1));
    return map;
}

// The points of a map that are worked on side by side.
struct MapLanes {
    Lanes x{};
    Lanes y{};
};

// What all points of a map do to some of them, before it is divided by the sum of all weights.
struct Repulsion {
    Lanes weight{};  // Σ w, where w = 1 / (1 + distance²); the point itself counts 1
    Lanes x{};       // Σ w² · (the point − the other)
    Lanes y{};
};

// The innermost loop of it all: count² turns in each iteration.
Repulsion repulsion_of(const MapLanes& points, const TsneMap& map) {
    Repulsion sums;
    for (const auto& [x, y] : map)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float dx = points.x[lane] - x;
            const float dy = points.y[lane] - y;
            const float weight = 1 / (1 + dx * dx + dy * dy);
            sums.weight[lane] += weight;
            sums.x[lane] += weight * weight * dx;
            sums.y[lane] += weight * weight * dy;
        }
    return sums;
}

// Of all points: into `forces` what repels each, before it is divided by the sum of all weights, which it
// gives.
double repel(const TsneMap& map, TsneMap& forces) {
    double total = 0;
    for (std::size_t first = 0; first < map.size(); first += kLanes) {
        const std::size_t count = std::min(kLanes, map.size() - first);
        MapLanes points;
        for (std::size_t lane = 0; lane < count; ++lane) {
            points.x[lane] = map[first + lane][0];
            points.y[lane] = map[first + lane][1];
        }
        const Repulsion found = repulsion_of(points, map);
        for (std::size_t lane = 0; lane < count; ++lane) {
            total += double{found.weight[lane]} - 1;
            forces[first + lane] = {found.x[lane], found.y[lane]};
        }
    }
    return total;
}

float map_weight(const std::array<float, 2>& a, const std::array<float, 2>& b) {
    const float dx = a[0] - b[0];
    const float dy = a[1] - b[1];
    return 1 / (1 + dx * dx + dy * dy);
}

// Σ p · w · (the point − the other) over the others it has a probability with.
std::array<float, 2> attraction_of(const TsneProbabilities& probabilities, const TsneMap& map,
                                   std::size_t point) {
    float x = 0;
    float y = 0;
    for (std::size_t k = probabilities.begin[point]; k < probabilities.begin[point + 1]; ++k) {
        const auto& other = map[probabilities.others[k]];
        const float pull = probabilities.values[k] * map_weight(map[point], other);
        x += pull * (map[point][0] - other[0]);
        y += pull * (map[point][1] - other[1]);
    }
    return {x, y};
}

// Into `gradient` that of the divergence, with the probabilities so many times as large as they are. Gives
// the sum of all weights. It is equation 5 of 2008.
double fill_gradient(const TsneProbabilities& probabilities, const TsneMap& map, float exaggeration,
                     TsneMap& gradient) {
    const double weights = repel(map, gradient);
    const auto share = static_cast<float>(1 / weights);
    for (std::size_t i = 0; i < map.size(); ++i) {
        const auto attraction = attraction_of(probabilities, map, i);
        for (std::size_t a = 0; a < attraction.size(); ++a)
            gradient[i][a] = 4 * (exaggeration * attraction[a] - share * gradient[i][a]);
    }
    return weights;
}

// A map on its way down the gradient.
class TsneDescent {
  public:
    explicit TsneDescent(TsneMap map)
        : map_(std::move(map)), speed_(map_.size()), gain_(map_.size(), {1, 1}) {}

    const TsneMap& map() const { return map_; }

    void step(const TsneMap& gradient, float rate, float momentum) {
        for (std::size_t i = 0; i < map_.size(); ++i)
            for (std::size_t a = 0; a < map_[i].size(); ++a) {
                const bool onwards = gradient[i][a] * speed_[i][a] < 0;
                float& gain = gain_[i][a];
                gain = std::max(onwards ? gain + kGainStep : gain * kGainDecay, kLeastGain);
                speed_[i][a] = momentum * speed_[i][a] - rate * gain * gradient[i][a];
                map_[i][a] += speed_[i][a];
            }
        centre();
    }

  private:
    void centre() {
        for (std::size_t a = 0; a < 2; ++a) {
            double sum = 0;
            for (const auto& place : map_) sum += place[a];
            const auto mean = static_cast<float>(sum / static_cast<double>(map_.size()));
            for (auto& place : map_) place[a] -= mean;
        }
    }

    TsneMap map_;
    TsneMap speed_;
    TsneMap gain_;
};

base::Result<TsneChoices> choices_of(const TsnePoints& points, double perplexity,
                                     const std::stop_token& stop) {
    TsneChoices choices;
    choices.each = static_cast<std::size_t>(kOthersPerPerplexity * perplexity);
    choices.others.reserve(points.count * choices.each);
    choices.probabilities.resize(points.count * choices.each);
    const TsneTiles tiles(points);
    const std::size_t width = tiles.count() * kLanes;
    std::vector<float> rows(kRowsAtOnce * width);
    for (std::size_t i = 0; i < points.count; ++i) {
        if (i % kRowsAtOnce == 0) {
            if (stop.stop_requested())
                return base::fail("t-SNE: stopped after {} of {} points", i, points.count);
            fill_distances(tiles, i / kLanes, rows);
        }
        const auto nearest =
            nearest_of(std::span(rows).subspan(i % kRowsAtOnce * width, points.count), i, choices.each);
        for (const TsneNeighbour& neighbour : nearest) choices.others.push_back(neighbour.point);
        choose_by_entropy(nearest, std::log(perplexity),
                          std::span(choices.probabilities).subspan(i * choices.each, choices.each));
    }
    return choices;
}

}  // namespace

base::Result<TsneChoices> tsne_choices(std::span<const float> points, std::size_t dimensions,
                                       double perplexity, const std::stop_token& stop) {
    if (auto status = check_tsne_points(points, dimensions, perplexity); !status)
        return std::unexpected(status.error());
    return choices_of(centred_points(points, dimensions), perplexity, stop);
}

TsneProbabilities symmetrized(const TsneChoices& choices) {
    const std::size_t count = choices.others.size() / std::max<std::size_t>(choices.each, 1);
    // What it has with each other, from both sides; then what is there twice made one.
    std::vector<std::vector<std::pair<std::uint32_t, double>>> rows(count);
    for (std::size_t k = 0; k < choices.others.size(); ++k) {
        const std::size_t point = k / choices.each;
        const double half = choices.probabilities[k] / (2.0 * static_cast<double>(count));
        rows[point].emplace_back(choices.others[k], half);
        rows[choices.others[k]].emplace_back(static_cast<std::uint32_t>(point), half);
    }
    TsneProbabilities probabilities;
    probabilities.begin.push_back(0);
    for (auto& row : rows) {
        std::ranges::sort(row);
        for (std::size_t k = 0; k < row.size(); ++k) {
            const bool twice = k + 1 < row.size() && row[k + 1].first == row[k].first;
            probabilities.others.push_back(row[k].first);
            probabilities.values.push_back(
                static_cast<float>(row[k].second + (twice ? row[k + 1].second : 0)));
            k += twice ? 1 : 0;
        }
        probabilities.begin.push_back(probabilities.others.size());
    }
    return probabilities;
}

TsneDivergence tsne_divergence(const TsneProbabilities& probabilities, const TsneMap& map) {
    TsneDivergence divergence{0, TsneMap(map.size())};
    const double weights = fill_gradient(probabilities, map, 1, divergence.gradient);
    for (std::size_t i = 0; i < map.size(); ++i)
        for (std::size_t k = probabilities.begin[i]; k < probabilities.begin[i + 1]; ++k) {
            const double p = probabilities.values[k];
            const double q = map_weight(map[i], map[probabilities.others[k]]) / weights;
            if (p > 0) divergence.value += p * std::log(p / q);
        }
    return divergence;
}

base::Result<TsneMap> tsne(std::span<const float> points, std::size_t dimensions, const TsneOptions& options,
                           const std::stop_token& stop) {
    if (auto status = check_tsne_points(points, dimensions, options.perplexity); !status)
        return std::unexpected(status.error());
    const TsnePoints centred = centred_points(points, dimensions);
    const auto choices = choices_of(centred, options.perplexity, stop);
    if (!choices) return std::unexpected(choices.error());
    const TsneProbabilities probabilities = symmetrized(*choices);
    TsneDescent descent(first_map(centred, options.seed));
    TsneMap gradient(centred.count);
    const float rate = std::max(static_cast<float>(centred.count) / kExaggeration / 4, kLeastRate);
    const int exaggerated = std::min(kMostExaggerated, options.iterations / 4);
    for (int iteration = 0; iteration < options.iterations; ++iteration) {
        if (stop.stop_requested())
            return base::fail("t-SNE: stopped after {} of {} iterations", iteration, options.iterations);
        const bool early = iteration < exaggerated;
        fill_gradient(probabilities, descent.map(), early ? kExaggeration : 1, gradient);
        descent.step(gradient, rate, early ? kEarlyMomentum : kMomentum);
        if (options.progress) options.progress(iteration + 1);
    }
    return descent.map();
}

}  // namespace scholar::arena
