#include "nets/perspective/head_values.hpp"

#include <cstdint>
#include <utility>

namespace scholar::nets {

std::vector<std::vector<int>> head_values(const Network& network, const chess::Position& position) {
    const Architecture& architecture = network.info.architecture;
    const int bucket = architecture.output_bucket(chess::popcount(position.occupied()));
    std::vector<std::vector<int>> values{head_inputs(network, position, Network::kActivationScale)};
    if (architecture.activation != Activation::Clipped)
        for (int& product : values.front())
            product = (product + Network::kProductHalf) >> Network::kProductShift;
    for (std::size_t layer = 0; layer < network.hidden.size(); ++layer) {
        const std::vector<int>& inputs = values.back();
        const Layer& hidden = network.hidden[layer];
        const int units = architecture.hidden[layer];
        const auto count = static_cast<int>(inputs.size());
        std::vector<int> outputs;
        for (int unit = 0; unit < units; ++unit) {
            std::int32_t sum = hidden.bias[Layer::bias_index(bucket, unit, units)];
            for (int i = 0; i < count; ++i)
                sum += inputs[static_cast<std::size_t>(i)] *
                       hidden.weight[Layer::index(bucket, unit, i, units, count)];
            outputs.push_back(std::clamp(sum >> hidden.shift, 0, Network::kHiddenScale));
        }
        values.push_back(std::move(outputs));
    }
    return values;
}

}  // namespace scholar::nets
