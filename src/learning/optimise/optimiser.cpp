#include "learning/optimise/optimiser.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "learning/optimise/update_rule.hpp"
#include "learning/run/checkpoint_values.hpp"
#include "learning/run/tensors_in_file.hpp"

namespace scholar::learning {

Optimiser::Optimiser(const OptimiserOptions& options, std::vector<Parameter> parameters)
    : kind_(kind_of(options)), rule_(make_update_rule(options)) {
    const c10::NoGradGuard no_gradients;
    for (Parameter& parameter : parameters) {
        Remembered each{std::move(parameter), {}, 0};
        for (std::size_t i = 0; i < rule_->memories().size(); ++i)
            each.memory.push_back(at::zeros_like(each.parameter.weights));
        all_.push_back(std::move(each));
    }
}

Optimiser::Optimiser(Optimiser&&) noexcept = default;
Optimiser& Optimiser::operator=(Optimiser&&) noexcept = default;
Optimiser::~Optimiser() = default;

void Optimiser::step(double learning_rate) {
    const c10::NoGradGuard no_gradients;
    for (Remembered& each : all_) {
        at::Tensor& weights = each.parameter.weights;
        if (!weights.grad().defined()) continue;
        ++each.steps;
        rule_->update(weights, weights.grad(), each.memory, each.steps, learning_rate);
        weights.mutable_grad().reset();
    }
}

void Optimiser::put(nets::TensorFile& file, std::string_view prefix) const {
    file.metadata[fmt::format("{}.kind", prefix)] = kind_;
    for (const Remembered& each : all_) {
        const std::string name = fmt::format("{}.{}", prefix, each.parameter.name);
        file.metadata[name + ".steps"] = fmt::format("{}", each.steps);
        for (std::size_t i = 0; i < each.memory.size(); ++i)
            put_tensor(file, fmt::format("{}.{}", name, rule_->memories()[i]), each.memory[i]);
    }
}

base::Status Optimiser::take(const nets::TensorFile& file, std::string_view prefix) {
    const auto kind = file.meta(fmt::format("{}.kind", prefix));
    if (!kind) return std::unexpected(kind.error());
    if (*kind != kind_) return base::fail("{}.kind '{}', expected '{}'", prefix, *kind, kind_);
    std::vector<Remembered> taken = all_;
    for (Remembered& each : taken) {
        const std::string name = fmt::format("{}.{}", prefix, each.parameter.name);
        const auto steps = take_number(file, name + ".steps");
        if (!steps) return std::unexpected(steps.error());
        each.steps = *steps;
        for (std::size_t i = 0; i < each.memory.size(); ++i) {
            auto memory = take_tensor(file, fmt::format("{}.{}", name, rule_->memories()[i]), each.memory[i]);
            if (!memory) return std::unexpected(memory.error());
            each.memory[i] = std::move(*memory);
        }
    }
    all_ = std::move(taken);
    return {};
}

}  // namespace scholar::learning
