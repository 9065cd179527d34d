#include "games/evaluation_record.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace scholar::games {

namespace {

constexpr std::array kKnownResults{GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw};

double white_points(GameResult result) {
    return points(result, chess::White).value_or(0.5);
}

}  // namespace

void EvaluationRecord::add(const Evaluation& evaluation, GameResult result, chess::Color mover) {
    int value = std::clamp<int>(evaluation.centipawns, -kLimit, kLimit);
    if (evaluation.mate != 0) value = evaluation.mate > 0 ? kLimit : -kLimit;
    const int bin = (value + kLimit + kBinWidth / 2) / kBinWidth;
    ++counts_[static_cast<std::uint32_t>((mover * kBins + bin) * 4 + static_cast<int>(result))];
    ++evaluations_;
    mates_ += evaluation.mate != 0;
}

void EvaluationRecord::add_game(GameResult result, std::initializer_list<chess::Color> movers) {
    if (result == GameResult::Unknown) return;
    ++games_;
    for (const chess::Color mover : movers) ++games_as_[mover];
}

EvaluationRecord::Bins EvaluationRecord::bins_of(chess::Color mover) const {
    Bins bins{};
    for (const auto& [packed, count] : counts_)
        if (packed / 4 / kBins == static_cast<std::uint32_t>(mover))
            bins[packed / 4 % kBins][packed % 4] = count;
    return bins;
}

void EvaluationRecord::merge(const EvaluationRecord& other) {
    for (const auto& [packed, count] : other.counts_) counts_[packed] += count;
    evaluations_ += other.evaluations_;
    mates_ += other.mates_;
    games_ += other.games_;
    for (const chess::Color mover : chess::kColors) games_as_[mover] += other.games_as_[mover];
}

std::optional<double> EvaluationRecord::correlation(chess::Color mover) const {
    constexpr int kCorrelated = 1'000;
    const Bins bins = bins_of(mover);
    double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_yy = 0, sum_xy = 0;
    for (int bin = 0; bin < kBins; ++bin) {
        const double x = std::clamp(value_of(bin), -kCorrelated, kCorrelated);
        for (const GameResult result : kKnownResults) {
            const auto count =
                static_cast<double>(bins[static_cast<std::size_t>(bin)][static_cast<std::size_t>(result)]);
            const double y = white_points(result);
            n += count;
            sum_x += count * x;
            sum_y += count * y;
            sum_xx += count * x * x;
            sum_yy += count * y * y;
            sum_xy += count * x * y;
        }
    }
    // Sums of whole and half numbers: a constant gives exactly 0.
    const double variance_x = n * sum_xx - sum_x * sum_x;
    const double variance_y = n * sum_yy - sum_y * sum_y;
    if (variance_x <= 0 || variance_y <= 0) return std::nullopt;
    return (n * sum_xy - sum_x * sum_y) / std::sqrt(variance_x * variance_y);
}

// Training fits scales of its own (learning/targets/evaluation_scales.hpp), from the mover's view, between
// bounds and joined with those of other producers. This one judges: it stands alone and may be as wild as the
// evaluations are.
std::optional<double> EvaluationRecord::scale() const {
    struct Point {
        double x;      // hundreds of centipawns, so that numbers stay near 1
        double count;  // of evaluations
        double score;  // White's points, all of them
    };
    const std::array<Bins, 2> bins{bins_of(chess::White), bins_of(chess::Black)};
    std::array<Point, kBins> data{};
    bool any = false;
    for (int bin = 1; bin + 1 < kBins; ++bin) {  // the outermost hold all that lies beyond, and mates
        Point& point = data[static_cast<std::size_t>(bin)];
        point.x = value_of(bin) / 100.0;
        for (const chess::Color mover : chess::kColors) {
            for (const GameResult result : kKnownResults) {
                const auto count = static_cast<double>(
                    bins[mover][static_cast<std::size_t>(bin)][static_cast<std::size_t>(result)]);
                point.count += count;
                point.score += count * white_points(result);
            }
        }
        any |= point.count > 0 && point.x != 0;
    }
    if (!any) return std::nullopt;

    // The likelihood is concave in the slope: halving a step that goes too far is all the care it needs.
    const auto likelihood = [&](double slope) {
        double sum = 0;
        for (const Point& point : data) {
            const double z = slope * point.x;
            // log σ(z) = −log(1 + e^−z), without overflow.
            const double log_win = -std::log1p(std::exp(-std::abs(z))) + std::min(z, 0.0);
            sum += point.score * log_win + (point.count - point.score) * (log_win - z);
        }
        return sum;
    };
    constexpr double kSteepest = 100;  // one centipawn decides: a scale of 1
    double slope = 0;
    double best = likelihood(slope);
    for (int step = 0; step < 50; ++step) {
        double gradient = 0, curvature = 0;
        for (const Point& point : data) {
            const double win = 1 / (1 + std::exp(-slope * point.x));
            gradient += (point.score - point.count * win) * point.x;
            curvature += point.count * win * (1 - win) * point.x * point.x;
        }
        if (curvature <= 0) break;
        double change = gradient / curvature;
        double next = std::clamp(slope + change, -kSteepest, kSteepest);
        for (int halving = 0; halving < 30 && likelihood(next) < best; ++halving) {
            change /= 2;
            next = std::clamp(slope + change, -kSteepest, kSteepest);
        }
        if (std::abs(next - slope) < 1e-9) break;
        slope = next;
        best = likelihood(slope);
    }
    if (slope <= 0) return std::nullopt;
    return 100 / slope;
}

double EvaluationRecord::most_frequent_share() const {
    std::uint64_t most = 0;
    const std::array<Bins, 2> bins{bins_of(chess::White), bins_of(chess::Black)};
    for (std::size_t bin = 0; bin < kBins; ++bin) {
        std::uint64_t count = 0;
        for (const Bins& each : bins)
            for (const std::uint64_t part : each[bin]) count += part;
        most = std::max(most, count);
    }
    return evaluations_ == 0 ? 0 : static_cast<double>(most) / static_cast<double>(evaluations_);
}

}  // namespace scholar::games
