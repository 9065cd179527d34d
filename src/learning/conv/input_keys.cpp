#include "learning/conv/input_keys.hpp"

#include <fmt/format.h>

#include "nets/conv/conv_runner.hpp"

namespace scholar::learning {

void read_input_keys(base::StrictToml::Section& network, nets::PlanesInput& input) {
    const std::string name = network.text("input", to_string(input));
    const auto known = nets::find_planes_input(name);
    if (!known || known->layout == nets::PlanesLayout::Lc0Classical112 || known->layers.piece)
        network.refuse("input",
                       fmt::format("is '{}', expected board-6, board-12, board-13 or board-18, with any of "
                                   "+last-move +attacks +threats +rating +outcome behind it",
                                   name));
    else
        input = *known;
    if (!input.layers.rating) return;
    const auto number = [&network](const char* key, int least, int most) {
        return static_cast<int>(network.integer(key, std::nullopt, least, most));
    };
    input.rating_least = number("rating_least", 0, nets::kMostRating - 1);
    input.rating_most = number("rating_most", input.rating_least + 1, nets::kMostRating);
}

nets::Precision read_precision(base::StrictToml::Section& network) {
    return network.choice("precision", "f32", {"f32", "bf16"}) == "bf16" ? nets::Precision::Bf16
                                                                         : nets::Precision::F32;
}

nets::Precision precision_here(nets::Precision wanted) {
    return nets::processor_has_bf16() ? wanted : nets::Precision::F32;
}

std::string describe_precision(nets::Precision wanted) {
    if (wanted == nets::Precision::F32) return "";
    return precision_here(wanted) == wanted
               ? ", trained in bf16"
               : ", trained in floats: this processor does not multiply bfloat16";
}

}  // namespace scholar::learning
