#include "learning/model.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <chrono>
#include <dlfcn.h>
#include <malloc.h>
#include <thread>
#include <torch/csrc/autograd/custom_function.h>

#include "learning/run_time.hpp"
#include "learning/sparse_layer.hpp"

namespace scholar::learning {

namespace {

// Features of one piece stand together, one for each square.
constexpr std::int64_t kSquares = 64;

using Clock = std::chrono::steady_clock;

at::Tensor parameter(const float* values, at::IntArrayRef shape) {
    at::Tensor tensor = at::empty(shape, at::kFloat);
    std::copy_n(values, tensor.numel(), tensor.data_ptr<float>());
    return tensor.requires_grad_();
}

std::vector<float> to_vector(const at::Tensor& tensor) {
    const auto* values = tensor.data_ptr<float>();
    return {values, values + tensor.numel()};
}

std::span<float> span_of(const at::Tensor& tensor) {
    return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

}  // namespace

std::string prepare_torch(int threads) {
    at::set_num_threads(threads > 0 ? threads
                                    : static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
    // Activations are tens of megabytes and come and go with every batch: giving them back to the system each
    // time would cost a page fault for every 4 KB.
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    if (dlsym(RTLD_DEFAULT, "openblas_get_config") == nullptr)
        return "libtorch found a BLAS that is not OpenBLAS and trains many times slower with it: "
               "install libopenblas0-openmp";
    return "";
}

int torch_threads() {
    return at::get_num_threads();
}

double transformer_bound() {
    return 32'767.0 / nets::Network::kActivationScale / (nets::Features768::kMaxActive + 1);
}

double output_bound(int width) {
    const double one = 32'767.0 / nets::Network::kOutputScale;
    const double sum =
        0.99 * 2'147'483'647.0 / (nets::Network::kActivationScale * nets::Network::kOutputScale);
    return std::min(one, sum / (2.0 * width));
}

struct Model::Weights {
    nets::NetworkInfo info;
    at::Tensor transformer;
    at::Tensor transformer_bias;
    at::Tensor output;
    at::Tensor output_bias;
    at::Tensor factor;  // undefined if not factorised
    AdamMoments transformer_moments;
    AdamMoments transformer_bias_moments;
    AdamMoments output_moments;
    AdamMoments output_bias_moments;
    AdamMoments factor_moments;
    std::uint64_t steps = 0;

    explicit Weights(const nets::FloatNetwork& start)
        : info(start.info),
          transformer(parameter(
              start.transformer.data(),
              {static_cast<std::int64_t>(start.transformer.size()) / start.info.width, start.info.width})),
          transformer_bias(parameter(start.transformer_bias.data(), {start.info.width})),
          output(parameter(start.output.data(), {2 * start.info.width})),
          output_bias(parameter(&start.output_bias, {1})),
          transformer_moments(start.transformer.size()),
          transformer_bias_moments(start.transformer_bias.size()),
          output_moments(start.output.size()),
          output_bias_moments(1) {}

    void set_factor(const std::vector<float>& values) {
        factor =
            parameter(values.data(), {static_cast<std::int64_t>(values.size()) / info.width, info.width});
    }
    at::Tensor whole_transformer() const {
        return factor.defined() ? at::add(transformer, at::repeat_interleave(factor, kSquares, 0))
                                : transformer;
    }
    at::Tensor forward(const Batch& batch) const {
        return at::add(
            at::mv(sparse_layer(whole_transformer(), transformer_bias, feature_tensors(batch)), output),
            output_bias);
    }
};

Model::Model(const nets::FloatNetwork& start, bool factorised) : weights_(std::make_unique<Weights>(start)) {
    if (!factorised) return;
    const std::vector<float> zeros(start.transformer.size() / kSquares);
    weights_->set_factor(zeros);
    weights_->factor_moments = AdamMoments(zeros.size());
}

Model::Model(const ModelState& state) : Model(state.network, false) {
    if (!state.factor.empty()) weights_->set_factor(state.factor);
    weights_->factor_moments = state.factor_moments;
    weights_->transformer_moments = state.transformer;
    weights_->transformer_bias_moments = state.transformer_bias;
    weights_->output_moments = state.output;
    weights_->output_bias_moments = state.output_bias;
    weights_->steps = state.steps;
}

Model::Model(Model&&) noexcept = default;
Model::~Model() = default;

StepResult Model::train(const Batch& batch, const AdamOptions& options, double learning_rate,
                        const WeightClip& clip) {
    StepResult result;
    auto start = Clock::now();
    const at::Tensor targets = at::from_blob(const_cast<float*>(batch.targets.data()),
                                             {static_cast<std::int64_t>(batch.size())}, at::kFloat);
    const at::Tensor loss = at::binary_cross_entropy_with_logits(weights_->forward(batch), targets);
    result.loss = static_cast<double>(loss.item<float>());
    result.times.forward = seconds_since(start);

    start = Clock::now();
    loss.backward();
    result.times.backward = seconds_since(start);

    start = Clock::now();
    ++weights_->steps;
    const auto update_with = [&](const AdamOptions& how, at::Tensor& weight, AdamMoments& moments,
                                 float bound) {
        const at::Tensor gradient = weight.grad().contiguous();
        result.clipped += adam_update(how, learning_rate, weights_->steps, bound, span_of(weight),
                                      span_of(gradient), moments);
        weight.mutable_grad().reset();
    };
    const auto update = [&](at::Tensor& weight, AdamMoments& moments, float bound) {
        update_with(options, weight, moments, bound);
    };
    // Row and factor are added up: each may have half of what the sum may.
    const float row_clip = weights_->factor.defined() ? clip.transformer / 2 : clip.transformer;
    update(weights_->transformer, weights_->transformer_moments, row_clip);
    if (weights_->factor.defined()) {
        AdamOptions undecayed = options;
        undecayed.weight_decay = 0;
        update_with(undecayed, weights_->factor, weights_->factor_moments, row_clip);
    }
    update(weights_->transformer_bias, weights_->transformer_bias_moments, clip.transformer);
    update(weights_->output, weights_->output_moments, clip.output);
    update(weights_->output_bias, weights_->output_bias_moments, clip.output);
    result.times.update = seconds_since(start);
    return result;
}

std::vector<float> Model::logits(const Batch& batch) const {
    const c10::NoGradGuard no_gradients;
    constexpr std::size_t part = 16'384;
    std::vector<float> all;
    all.reserve(batch.size());
    for (std::size_t begin = 0; begin < batch.size(); begin += part) {
        const Batch some = batch.slice(begin, std::min(batch.size(), begin + part));
        const std::vector<float> values = to_vector(weights_->forward(some));
        all.insert(all.end(), values.begin(), values.end());
    }
    return all;
}

nets::FloatNetwork Model::network() const {
    nets::FloatNetwork network;
    network.info = weights_->info;
    {
        const c10::NoGradGuard no_gradients;
        network.transformer = to_vector(weights_->whole_transformer());
    }
    network.transformer_bias = to_vector(weights_->transformer_bias);
    network.output = to_vector(weights_->output);
    network.output_bias = weights_->output_bias.item<float>();
    return network;
}

std::uint64_t Model::steps() const {
    return weights_->steps;
}

ModelState Model::state() const {
    nets::FloatNetwork raw = network();
    raw.transformer = to_vector(weights_->transformer);
    return {std::move(raw),
            weights_->factor.defined() ? to_vector(weights_->factor) : std::vector<float>{},
            weights_->factor_moments,
            weights_->transformer_moments,
            weights_->transformer_bias_moments,
            weights_->output_moments,
            weights_->output_bias_moments,
            weights_->steps};
}

}  // namespace scholar::learning
