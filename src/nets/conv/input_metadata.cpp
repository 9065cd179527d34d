#include "nets/conv/input_metadata.hpp"

#include <array>

#include "nets/container/network_metadata.hpp"

namespace scholar::nets {

void put_input(TensorFile& file, const PlanesInput& input) {
    file.metadata["input"] = to_string(input);
    if (!input.layers.rating) return;
    file.metadata["rating_least"] = fmt::format("{}", input.rating_least);
    file.metadata["rating_most"] = fmt::format("{}", input.rating_most);
}

base::Status take_input(const TensorFile& file, PlanesInput& input) {
    const auto name = file.meta("input");
    if (!name) return std::unexpected(name.error());
    const auto known = find_planes_input(*name);
    if (!known) return base::fail("input '{}', expected one of: {}", *name, planes_input_names());
    input = *known;
    if (!input.layers.rating) return {};
    for (const auto& [key, rating] :
         {std::pair{"rating_least", &input.rating_least}, {"rating_most", &input.rating_most}}) {
        const auto value = take_integer(file, key);
        if (!value) return std::unexpected(value.error());
        *rating = *value;
    }
    return {};
}

base::Status take_activation(const TensorFile& file, ConvActivation& activation) {
    return take_name(
        file, "activation",
        std::array{ConvActivation::Relu, ConvActivation::Mish, ConvActivation::Tanh, ConvActivation::Prelu},
        activation);
}

}  // namespace scholar::nets
