#include "learning/model_state.hpp"

namespace scholar::learning {

ModelState ModelState::begin(nets::FloatNetwork network, bool factorised) {
    ModelState state;
    state.network = std::move(network);
    if (factorised) state.factors = factors_of(state.network.info.architecture);
    state.transformer = AdamMoments(state.network.transformer.size());
    state.transformer_bias = AdamMoments(state.network.transformer_bias.size());
    state.output = AdamMoments(state.network.output.size());
    state.output_bias = AdamMoments(state.network.output_bias.size());
    return state;
}

}  // namespace scholar::learning
