#include "learning/perspective/model_state.hpp"

namespace scholar::learning {

ModelState ModelState::begin(nets::FloatNetwork network, bool factorised) {
    ModelState state;
    state.network = std::move(network);
    if (factorised) state.factors = factors_of(state.network.info.architecture);
    state.hidden.resize(state.network.hidden.size());
    for_each_parameter(state, [](const auto&, const auto&, const auto& weights, AdamMoments& moments) {
        moments = AdamMoments(weights.size());
    });
    return state;
}

}  // namespace scholar::learning
