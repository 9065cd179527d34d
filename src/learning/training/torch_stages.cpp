#include "learning/training/torch_stages.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <tuple>

#include "games/parameters.hpp"
#include "learning/run/course.hpp"
#include "learning/training/torch_network.hpp"

namespace scholar::learning {

namespace {

// A parameter of a stage as games::Number is one: names with a plus between them.
struct PartNames {
    std::string_view name;
    static constexpr bool required = false;

    std::string expected() const { return "names of parts, head+trunk.2"; }
    bool read(TorchStage& into, std::string_view text) const {
        into.parts.clear();
        while (true) {
            const std::size_t end = text.find('+');
            into.parts.emplace_back(text.substr(0, end));
            if (into.parts.back().empty()) return false;
            if (end == std::string_view::npos) return true;
            text.remove_prefix(end + 1);
        }
    }
};

constexpr std::tuple kTorchStageParameters{
    games::Number{"from", &TorchStage::from, 0U, 1'000'000'000'000U},
    PartNames{"train"},
    games::Number{"learning_rate", &TorchStage::learning_rate, 1e-9, 10.0},
};

bool is_trained(const TorchStage& stage, std::string_view name) {
    return stage.parts.empty() ||
           std::ranges::any_of(stage.parts, [&](const std::string& part) { return holds(part, name); });
}

}  // namespace

base::Result<TorchStage> parse_torch_stage(std::string_view text) {
    TorchStage stage;
    if (auto status = games::read_named(stage, text, kStageName, kTorchStageParameters); !status)
        return std::unexpected(status.error());
    return stage;
}

base::Status check_stages(const std::vector<TorchStage>& stages) {
    std::optional<std::uint64_t> before;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const std::string wrong = wrong_beginning(stages[i].from, before);
        if (!wrong.empty()) return base::fail("stage {}: {}", i + 1, wrong);
        before = stages[i].from;
    }
    return {};
}

const TorchStage& stage_of(const std::vector<TorchStage>& stages, std::uint64_t step) {
    const auto after = std::ranges::upper_bound(stages, step - 1, {}, &TorchStage::from);
    return *std::prev(after);
}

void set_trained(TorchNetwork& network, const TorchStage& stage) {
    for (auto& item : network.named_parameters())
        item.value().set_requires_grad(is_trained(stage, item.key()));
    // From the outside in: train() reaches down to all modules within.
    network.train(true);
    for (auto& item : network.named_modules("", false)) {
        const bool has_trained_parts = std::ranges::any_of(
            stage.parts, [&](const std::string& part) { return holds(item.key(), part); });
        item.value()->train(has_trained_parts || is_trained(stage, item.key()));
    }
}

}  // namespace scholar::learning
