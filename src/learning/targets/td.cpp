#include "learning/targets/td.hpp"

namespace scholar::learning {

std::vector<double> discounted_sums(std::span<const double> differences, double lambda) {
    std::vector<double> sums(differences.begin(), differences.end());
    for (std::size_t t = sums.size(); t-- > 1;) sums[t - 1] += lambda * sums[t];
    return sums;
}

std::vector<double> temporal_errors(std::span<const double> values, double outcome, double lambda,
                                    std::span<const char> cut) {
    std::vector<double> errors(values.size());
    double later = 0;
    double next = outcome;
    for (std::size_t t = values.size(); t-- > 0;) {
        errors[t] = !cut.empty() && cut[t] ? 0 : next - values[t] + lambda * later;
        later = errors[t];
        next = values[t];
    }
    return errors;
}

std::vector<double> lambda_returns(std::span<const double> values, double outcome, double lambda,
                                   std::span<const char> cut) {
    std::vector<double> returns = temporal_errors(values, outcome, lambda, cut);
    for (std::size_t t = 0; t < values.size(); ++t) returns[t] += values[t];
    return returns;
}

double error_of_first(std::span<const double> values, double lambda) {
    if (values.size() < 2) return 0;
    return lambda * temporal_errors(values.first(values.size() - 1), values.back(), lambda).front();
}

}  // namespace scholar::learning
