#include "learning/perspective/model.hpp"

#include <algorithm>
#include <cmath>

#include "learning/perspective/model_backend.hpp"

namespace scholar::learning {

double transformer_bound() {
    // As an integer, which is what is added up.
    constexpr int most = 32'767 / (nets::FeatureSet::kMaxActive + 1);
    return static_cast<double>(most) / nets::Network::kActivationScale;
}

double output_bound(const nets::Architecture& architecture) {
    const int top = nets::Network::output_top(architecture);
    // The bias counts as one more weight.
    const double sum = 0.99 * 2'147'483'647.0 / top / (architecture.output_inputs() + 1);
    return std::min(32'767.0, std::floor(sum)) / nets::output_range(architecture).coarsest_scale;
}

double hidden_bound(const nets::Architecture& architecture) {
    using nets::Network;
    constexpr int shift = nets::Layer::kLeastShift;
    // The bias counts as one more weight.
    const double sum = 0.99 * 2'147'483'647.0 / (Network::kHiddenScale << shift);
    double bound = architecture.hidden.empty() ? 0 : sum;
    for (std::size_t layer = 0; layer < architecture.hidden.size(); ++layer)
        bound = std::min({bound, 32'767 / Network::hidden_scale(architecture, layer, shift),
                          sum / (architecture.head_inputs(layer) + 1)});
    return bound;
}

WeightClip within_bounds(WeightClip clip, const nets::Architecture& architecture) {
    clip.output = std::min(clip.output, static_cast<float>(output_bound(architecture)));
    if (!architecture.hidden.empty())
        clip.hidden = std::min(clip.hidden, static_cast<float>(hidden_bound(architecture)));
    return clip;
}

Model::Model(const nets::FloatNetwork& start, bool factorised, Device device)
    : Model(ModelState::begin(start, factorised), device) {}

Model::Model(const ModelState& state, Device device)
    : backend_(device == Device::Cpu ? make_cpu_model(state) : make_torch_model(state, device)) {}

Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

StepResult Model::train(const Batch& batch, const AdamOptions& options, double learning_rate,
                        const WeightClip& clip) {
    return backend_->train(batch, options, learning_rate, clip);
}

std::vector<float> Model::logits(const Batch& batch) const {
    return backend_->logits(batch);
}

nets::FloatNetwork Model::network() const {
    return backend_->network();
}

const nets::Architecture& Model::architecture() const {
    return backend_->architecture();
}

ModelState Model::state() const {
    return backend_->state();
}

std::uint64_t Model::steps() const {
    return backend_->steps();
}

}  // namespace scholar::learning
