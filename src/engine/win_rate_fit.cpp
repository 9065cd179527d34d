#include "engine/win_rate_fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace scholar::engine {

namespace {

// Parameters: sharpness and its slope, per kUnit of score so that all are of a size; threshold and its slope.
constexpr double kUnit = chess::Score::kScale;
using Vector = std::array<double, 4>;
using Matrix = std::array<Vector, 4>;

double dot(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

Vector times(const Matrix& m, const Vector& v) {
    Vector result{};
    for (std::size_t i = 0; i < v.size(); ++i) result[i] = dot(m[i], v);
    return result;
}

Matrix times(const Matrix& a, const Matrix& b) {
    Matrix result{};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            for (std::size_t k = 0; k < 4; ++k) result[i][j] += a[i][k] * b[k][j];
    return result;
}

void add_outer(Matrix& m, double factor, const Vector& v) {
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) m[i][j] += factor * v[i] * v[j];
}

// Gauss and Jordan, with pivots; nothing if the matrix is singular.
std::optional<Matrix> inverse(Matrix m) {
    Matrix result{};
    for (std::size_t i = 0; i < 4; ++i) result[i][i] = 1;
    for (std::size_t column = 0; column < 4; ++column) {
        std::size_t pivot = column;
        for (std::size_t row = column + 1; row < 4; ++row)
            if (std::abs(m[row][column]) > std::abs(m[pivot][column])) pivot = row;
        if (std::abs(m[pivot][column]) < 1e-12) return std::nullopt;
        std::swap(m[pivot], m[column]);
        std::swap(result[pivot], result[column]);
        const double scale = 1 / m[column][column];
        for (std::size_t j = 0; j < 4; ++j) {
            m[column][j] *= scale;
            result[column][j] *= scale;
        }
        for (std::size_t row = 0; row < 4; ++row) {
            if (row == column) continue;
            const double factor = m[row][column];
            for (std::size_t j = 0; j < 4; ++j) {
                m[row][j] -= factor * m[column][j];
                result[row][j] -= factor * result[column][j];
            }
        }
    }
    return result;
}

// How the logits of winning and losing depend on the parameters: linearly.
struct Logits {
    Vector win;
    Vector loss;
};
Logits logits_of(const ScoredPosition& position, bool by_material) {
    const double x = position.score / kUnit;
    const double u = by_material ? scaled_material(position.material) : 0;
    return {{x, x * u, -1, -u}, {-x, -x * u, -1, -u}};
}

// Log-likelihood with its first and second derivatives.
struct Likelihood {
    double value = 0;
    Vector gradient{};
    Matrix curvature{};  // minus the second derivatives
    Matrix spread{};     // sum over games of the squares of their gradients
};

// Nothing where the model is none: a draw would have no chance.
std::optional<Likelihood> likelihood_of(const std::vector<ScoredPosition>& positions,
                                        const Vector& parameters, bool by_material) {
    Likelihood sum;
    // Parameters that nothing depends on stay where they are.
    if (!by_material) sum.curvature[1][1] = sum.curvature[3][3] = 1;
    Vector of_game{};
    for (std::size_t n = 0; n < positions.size(); ++n) {
        const ScoredPosition& position = positions[n];
        const Logits logits = logits_of(position, by_material);
        const double win = logistic(dot(logits.win, parameters));
        const double loss = logistic(dot(logits.loss, parameters));
        const double draw = 1 - win - loss;
        if (draw <= 0) return std::nullopt;
        Vector gradient{};
        if (position.outcome != 0) {
            const double p = position.outcome > 0 ? win : loss;
            const Vector& direction = position.outcome > 0 ? logits.win : logits.loss;
            sum.value += std::log(p);
            for (std::size_t i = 0; i < 4; ++i) gradient[i] = (1 - p) * direction[i];
            add_outer(sum.curvature, p * (1 - p), direction);
        } else {
            const double win_slope = win * (1 - win);
            const double loss_slope = loss * (1 - loss);
            sum.value += std::log(draw);
            for (std::size_t i = 0; i < 4; ++i)
                gradient[i] = -(win_slope * logits.win[i] + loss_slope * logits.loss[i]) / draw;
            add_outer(sum.curvature, 1, gradient);
            add_outer(sum.curvature, win_slope * (1 - 2 * win) / draw, logits.win);
            add_outer(sum.curvature, loss_slope * (1 - 2 * loss) / draw, logits.loss);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            sum.gradient[i] += gradient[i];
            of_game[i] += gradient[i];
        }
        if (n + 1 == positions.size() || positions[n + 1].game != position.game) {
            add_outer(sum.spread, 1, of_game);
            of_game = {};
        }
    }
    return sum;
}

WinRateModel to_model(const Vector& parameters) {
    return {parameters[0] / kUnit, parameters[1] / kUnit, parameters[2], parameters[3]};
}

// By the chain rule, from the parameters' covariance.
FittedPoint point_at(int material, const Vector& parameters, const Matrix& covariance) {
    const double u = scaled_material(material);
    const double sharpness = parameters[0] + parameters[1] * u;
    const double threshold = parameters[2] + parameters[3] * u;
    const double a = threshold / sharpness;
    const Vector of_a{-a / sharpness, -a * u / sharpness, 1 / sharpness, u / sharpness};
    const Vector of_b{-1 / (sharpness * sharpness), -u / (sharpness * sharpness), 0, 0};
    return {material, kUnit * a, kUnit * std::sqrt(dot(of_a, times(covariance, of_a))), kUnit / sharpness,
            kUnit * std::sqrt(dot(of_b, times(covariance, of_b)))};
}

std::vector<CalibrationRow> calibrate(const std::vector<ScoredPosition>& positions, const Vector& parameters,
                                      bool by_material) {
    std::vector<CalibrationRow> rows;
    for (const double from : {0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98})
        rows.push_back({from, 0, {}, {}});
    for (const ScoredPosition& position : positions) {
        const Logits logits = logits_of(position, by_material);
        const double win = logistic(dot(logits.win, parameters));
        const double loss = logistic(dot(logits.loss, parameters));
        auto row = std::prev(std::ranges::upper_bound(rows, win, {}, &CalibrationRow::from));
        ++row->positions;
        row->predicted.win += win;
        row->predicted.draw += 1 - win - loss;
        row->predicted.loss += loss;
        row->observed.win += position.outcome > 0;
        row->observed.draw += position.outcome == 0;
        row->observed.loss += position.outcome < 0;
    }
    for (CalibrationRow& row : rows) {
        if (row.positions == 0) continue;
        const auto count = static_cast<double>(row.positions);
        for (chess::Wdl* wdl : {&row.predicted, &row.observed}) {
            wdl->win /= count;
            wdl->draw /= count;
            wdl->loss /= count;
        }
    }
    return rows;
}

}  // namespace

base::Result<WinRateFit> fit_win_rate(const std::vector<ScoredPosition>& positions, bool by_material) {
    std::array<std::uint64_t, 3> outcomes{};  // lost, drawn, won
    for (const ScoredPosition& position : positions)
        ++outcomes[position.outcome < 0 ? 0U : position.outcome == 0 ? 1U : 2U];
    if (std::ranges::find(outcomes, 0U) != outcomes.end())
        return base::fail("{} positions won, {} drawn, {} lost, expected some of each", outcomes[2],
                          outcomes[1], outcomes[0]);

    // From scores that say nothing, and draws as often as they are.
    const double drawn = static_cast<double>(outcomes[1]) / static_cast<double>(positions.size());
    Vector parameters{0, 0, std::log((1 + drawn) / (1 - drawn)), 0};
    auto now = likelihood_of(positions, parameters, by_material);
    Matrix inverse_curvature{};
    constexpr int kSteps = 100;
    double still_to_gain = 0;  // nats, about
    bool settled = false;
    for (int step = 0; step < kSteps && !settled; ++step) {
        const auto inverted = inverse(now->curvature);
        if (!inverted)
            return base::fail("{} positions: scores and material do not vary enough to fit",
                              positions.size());
        inverse_curvature = *inverted;
        const Vector newton = times(inverse_curvature, now->gradient);
        still_to_gain = dot(newton, now->gradient) / 2;
        settled = still_to_gain < 1e-9;
        // Too far a step is halved.
        for (double length = 1; length > 1e-6; length /= 2) {
            Vector next = parameters;
            for (std::size_t i = 0; i < 4; ++i) next[i] += length * newton[i];
            const auto there = likelihood_of(positions, next, by_material);
            if (!there || there->value < now->value) continue;
            parameters = next;
            now = there;
            break;
        }
    }
    // The last digits of a sum over millions of positions may never come to rest.
    if (!settled && still_to_gain > 1e-6)
        return base::fail("{} positions: the fit has not settled after {} steps", positions.size(), kSteps);
    if (now->value > -1e-6)
        return base::fail("{} positions: scores foretell every result, expected some that they do not",
                          positions.size());
    for (const double u : {-1.0, 1.0})
        if (parameters[0] + parameters[1] * u <= 0 || parameters[2] + parameters[3] * u <= 0)
            return base::fail(
                "{} positions: better scores do not win more, or draws never come, at one end of the "
                "material",
                positions.size());

    const Matrix covariance = times(times(inverse_curvature, now->spread), inverse_curvature);
    WinRateFit fit;
    fit.model = to_model(parameters);
    for (std::size_t i = 0; i < 4; ++i) fit.errors[i] = std::sqrt(covariance[i][i]) / (i < 2 ? kUnit : 1);
    fit.positions = positions.size();
    for (std::size_t n = 0; n < positions.size(); ++n)
        fit.games += n == 0 || positions[n].game != positions[n - 1].game;
    const auto count = static_cast<double>(positions.size());
    fit.log_likelihood = now->value / count;
    for (const std::uint64_t outcome : outcomes) {
        const double share = static_cast<double>(outcome) / count;
        fit.baseline += share * std::log(share);
    }
    for (const int material : {32, 24, 16, 10})
        fit.points.push_back(point_at(material, parameters, covariance));
    fit.calibration = calibrate(positions, parameters, by_material);
    return fit;
}

}  // namespace scholar::engine
