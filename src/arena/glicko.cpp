#include "arena/glicko.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scholar::arena {

namespace {

constexpr double kQ = std::numbers::ln10 / 400;

// How much an uncertain rating is to be believed, 0 to 1.
double weight_of(double deviation) {
    const double x = kQ * deviation / std::numbers::pi;
    return 1 / std::sqrt(1 + 3 * x * x);
}

double expected(double weight, double difference) {
    return 1 / (1 + std::pow(10, -weight * difference / 400));
}

}  // namespace

Glicko rate_period(const Glicko& player, std::span<const GlickoGame> games) {
    double information = 0;
    double surprise = 0;
    for (const GlickoGame& game : games) {
        const double weight = weight_of(game.opponent.deviation);
        const double points = expected(weight, player.rating - game.opponent.rating);
        information += kQ * kQ * weight * weight * points * (1 - points);
        surprise += weight * (game.points - points);
    }
    const double variance = 1 / (1 / (player.deviation * player.deviation) + information);
    return {player.rating + kQ * variance * surprise, std::sqrt(variance)};
}

Glicko after_time(const Glicko& player, double change, double time) {
    const double variance = player.deviation * player.deviation + change * change * time;
    return {player.rating, std::min(std::sqrt(variance), Glicko::kNew)};
}

double expected_points(const Glicko& player, const Glicko& opponent) {
    return expected(weight_of(std::hypot(player.deviation, opponent.deviation)),
                    player.rating - opponent.rating);
}

}  // namespace scholar::arena
