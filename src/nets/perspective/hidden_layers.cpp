#include "nets/perspective/hidden_layers.hpp"

#include <algorithm>

#include "nets/perspective/kernels.hpp"

namespace scholar::nets {

HiddenLayers::HiddenLayers(const Network& network) {
    const Architecture& architecture = network.info.architecture;
    int most = 0;
    for (std::size_t layer = 0; layer <= network.hidden.size(); ++layer)
        most = std::max(most, architecture.head_inputs(layer));
    inputs_.resize(static_cast<std::size_t>(most));
    outputs_.resize(static_cast<std::size_t>(most));
}

std::int32_t HiddenLayers::output_sum(const Network& network, const std::int16_t* own,
                                      const std::int16_t* enemy, int bucket) {
    const Architecture& architecture = network.info.architecture;
    int count = 0;
    for (const std::int16_t* sums : {own, enemy}) {
        activate_sums(architecture.activation, sums, architecture.width, Network::kActivationScale,
                      Network::kProductShift, inputs_.data() + count);
        count += architecture.outputs();
    }
    for (std::size_t i = 0; i < network.hidden.size(); ++i) {
        const Layer& layer = network.hidden[i];
        const int units = architecture.hidden[i];
        hidden_layer(inputs_.data(), count, layer.weight.data() + std::ptrdiff_t{bucket} * count * units,
                     layer.bias.data() + std::ptrdiff_t{bucket} * units, units, layer.shift,
                     Network::kHiddenScale, outputs_.data());
        inputs_.swap(outputs_);
        count = units;
    }
    return dot_product(inputs_.data(), network.output_weights(bucket), count);
}

}  // namespace scholar::nets
