#include "search/mcts/chance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scholar::search::mcts {

namespace {

// Of the gamma distribution of that shape (G. Marsaglia and W. W. Tsang 2000).
double gamma(double shape, base::Random& random) {
    if (shape < 1) {
        const double larger = gamma(shape + 1, random);
        return larger * std::pow(1 - random.unit(), 1 / shape);
    }
    const double d = shape - 1.0 / 3;
    const double c = 1 / std::sqrt(9 * d);
    while (true) {
        const double x = random.normal();
        const double v = std::pow(1 + c * x, 3);
        if (v > 0 && std::log(1 - random.unit()) < x * x / 2 + d * (1 - v + std::log(v))) return d * v;
    }
}

}  // namespace

void add_noise(std::span<Edge> edges, const Chance& chance, base::Random& random) {
    std::vector<double> noise(edges.size());
    double sum = 0;
    for (double& share : noise) sum += share = gamma(chance.noise_alpha, random);
    // So small an alpha that nothing is left as numbers go: no noise.
    if (sum <= 0) return;
    for (std::size_t i = 0; i < edges.size(); ++i)
        edges[i].prior =
            static_cast<float>((1 - chance.noise) * edges[i].prior + chance.noise * noise[i] / sum);
}

std::size_t draw_by_visits(std::span<const std::uint32_t> visits, double temperature, base::Random& random) {
    // Powers are of shares of the largest: others might be larger than numbers go.
    const double largest = std::ranges::max(visits);
    std::vector<double> weights;
    double sum = 0;
    for (const std::uint32_t count : visits) {
        weights.push_back(count == 0 ? 0 : std::pow(count / largest, 1 / temperature));
        sum += weights.back();
    }
    double point = random.unit() * sum;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] > 0 && point < weights[i]) return i;
        point -= weights[i];
    }
    // Rounding: the last that there is.
    return static_cast<std::size_t>(std::ranges::max_element(visits) - visits.begin());
}

}  // namespace scholar::search::mcts
