#include "nets/architecture.hpp"

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

std::string to_string(const Architecture& architecture) {
    const std::string buckets =
        architecture.output_buckets > 1 ? fmt::format(" of {}", architecture.output_buckets) : "";
    return fmt::format("{} → {} × 2 → 1{}, {}", architecture.features->name, architecture.width, buckets,
                       to_string(architecture.activation));
}

}  // namespace scholar::nets
