#include "arena/spsa.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace scholar::arena {

Spsa::Spsa(SpsaPlan plan) : plan_(std::move(plan)) {
    for (const auto& parameter : plan_.parameters) values_.push_back(parameter.start);
}

double Spsa::perturbation(const SpsaParameter& parameter, int pairs_before) const {
    return parameter.c_end * std::pow(static_cast<double>(plan_.pairs) / (pairs_before + 1), plan_.gamma);
}

double Spsa::rate(const SpsaParameter& parameter, int pairs_before) const {
    const double stability = plan_.a_ratio * plan_.pairs;
    const double a = parameter.r_end * parameter.c_end * parameter.c_end *
                     std::pow((stability + plan_.pairs) / (stability + pairs_before + 1), plan_.alpha);
    const double c = perturbation(parameter, pairs_before);
    return a / (c * c);
}

SpsaTrial Spsa::next() const {
    base::Random random(plan_.seed, static_cast<std::uint64_t>(iteration_) + 1);
    SpsaTrial trial;
    trial.pairs = std::min(plan_.pairs_per_iteration, plan_.pairs - pairs_played());
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const auto& parameter = plan_.parameters[i];
        const int sign = random.below(2) == 0 ? 1 : -1;
        const double apart = sign * perturbation(parameter, pairs_played());
        // One draw for both sides: where rounding is coarse they stay as far apart as meant.
        const double at = random.unit();
        const auto whole = [&](double value) {
            const double inside = std::clamp(value, parameter.minimum, parameter.maximum);
            return static_cast<std::int64_t>(
                std::clamp(std::floor(inside + at), parameter.minimum, parameter.maximum));
        };
        trial.signs.push_back(sign);
        trial.plus.push_back(whole(values_[i] + apart));
        trial.minus.push_back(whole(values_[i] - apart));
    }
    return trial;
}

void Spsa::apply(const SpsaTrial& trial, int wins_less_losses) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const auto& parameter = plan_.parameters[i];
        const double step = rate(parameter, pairs_played()) * perturbation(parameter, pairs_played()) *
                            wins_less_losses * trial.signs[i];
        values_[i] = std::clamp(values_[i] + step, parameter.minimum, parameter.maximum);
    }
    ++iteration_;
}

void Spsa::restore(int iteration, std::vector<double> values) {
    iteration_ = iteration;
    values_ = std::move(values);
}

}  // namespace scholar::arena
