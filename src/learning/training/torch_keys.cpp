#include "learning/training/torch_keys.hpp"

#include <fmt/format.h>

#include "learning/optimise/optimiser_keys.hpp"
#include "learning/run/course.hpp"

namespace scholar::learning {

using TorchSection = base::StrictToml::Section;

void read_torch_network_keys(TorchSection& network, TorchPlan& plan) {
    network.text("kind", "");
    plan.initial = network.text("initial", "");
    plan.initial_parts = network.texts("initial_parts", std::vector<std::string>());
    if (!plan.initial_parts.empty() && plan.initial.empty())
        network.refuse("initial_parts",
                       "stands without 'initial', expected the file that they are taken from");
    plan.teacher = network.text("teacher", "");
}

std::vector<int> read_units(TorchSection& network, const char* key, int most) {
    const std::vector<std::int64_t> numbers = network.integers(key);
    std::vector<int> units;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] < 1 || numbers[i] > most) {
            network.refuse(key, fmt::format("has {}, expected numbers from 1 to {}", numbers[i], most), i);
            return {};
        }
        units.push_back(static_cast<int>(numbers[i]));
    }
    return units;
}

void read_torch_optimiser_keys(TorchSection& optimiser, TorchPlan& plan, Schedule& schedule) {
    plan.optimiser = read_optimiser_keys(optimiser);
    plan.learning_rate = optimiser.real("learning_rate", std::nullopt, 1e-9, 10);
    schedule.learning_rate = plan.learning_rate;
    // Noted only where it is given: runs that began when there was no such key go on.
    if (optimiser.has("averaging")) plan.averaging = optimiser.real("averaging", 0, 0, 0.999999);
    const std::vector<std::string> texts = optimiser.texts("stages", std::vector<std::string>{kStageName});
    plan.stages.clear();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        auto stage = parse_torch_stage(texts[i]);
        if (stage)
            plan.stages.push_back(std::move(*stage));
        else
            optimiser.refuse("stages", "is wrong: " + stage.error().message, i);
    }
    if (plan.stages.size() < texts.size()) return;  // the numbers of the stages then mean nothing
    if (auto status = check_stages(plan.stages); !status)
        optimiser.refuse("stages", "is wrong: " + status.error().message);
}

}  // namespace scholar::learning
