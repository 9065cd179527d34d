#include "learning/comparison/encoder_keys.hpp"

#include "learning/training/torch_keys.hpp"
#include "nets/comparison/comparison_network.hpp"

namespace scholar::learning {

std::vector<int> read_encoder(base::StrictToml::Section& network) {
    std::vector<int> units = read_units(network, "encoder", nets::ComparisonBounds::kUnits);
    if (!network.has("encoder")) {
        network.integer("encoder", std::nullopt, 0, 0);  // it is missing
        return {};
    }
    if (units.empty()) return {};
    if (auto status = nets::check_shape({units, {}}); !status) {
        network.refuse("encoder", "is wrong: " + status.error().message);
        return {};
    }
    return units;
}

}  // namespace scholar::learning
