#include "nets/perspective/architecture.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace scholar::nets {

namespace {

// All activations there are.
constexpr std::array kActivations{std::pair{Activation::Clipped, std::string_view("clipped")},
                                  std::pair{Activation::Squared, std::string_view("squared")},
                                  std::pair{Activation::Paired, std::string_view("paired")}};

}  // namespace

std::string_view to_string(Activation activation) {
    for (const auto& [known, name] : kActivations)
        if (known == activation) return name;
    return "?";
}

base::Result<Activation> find_activation(std::string_view name) {
    std::string all;
    for (const auto& [activation, known] : kActivations) {
        if (known == name) return activation;
        all += all.empty() ? "" : ", ";
        all += known;
    }
    return base::fail("activation '{}' is not known, expected one of: {}", name, all);
}

std::string expected_widths(const Architecture& architecture) {
    return fmt::format("a multiple of {}{}", architecture.width_multiple(),
                       group_size(architecture.activation) > 1 ? " (units are paired)" : "");
}

base::Status check_hidden(const std::vector<int>& hidden) {
    using A = Architecture;
    const bool sizes = std::ranges::all_of(hidden, [](int units) {
        return units > 0 && units <= A::kMaxHidden && units % A::kHiddenMultiple == 0;
    });
    if (sizes && hidden.size() <= A::kMaxHiddenLayers) return {};
    return base::fail("is [{}], expected at most {} layers, each a multiple of {} up to {}",
                      fmt::join(hidden, ", "), A::kMaxHiddenLayers, A::kHiddenMultiple, A::kMaxHidden);
}

std::string to_string(const Architecture& architecture) {
    const std::string buckets =
        architecture.output_buckets > 1 ? fmt::format(" of {}", architecture.output_buckets) : "";
    std::string hidden;
    for (const int units : architecture.hidden) hidden += fmt::format("{} → ", units);
    return fmt::format("{} → {} × 2 → {}1{}, {}", architecture.features->name, architecture.width, hidden,
                       buckets, to_string(architecture.activation));
}

}  // namespace scholar::nets
