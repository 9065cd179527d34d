#include "learning/model.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <chrono>
#include <cmath>
#include <dlfcn.h>
#include <malloc.h>
#include <numeric>
#include <thread>
#include <torch/csrc/autograd/custom_function.h>

#include "learning/panels.hpp"
#include "learning/perspective_layer.hpp"
#include "learning/run_time.hpp"

namespace scholar::learning {

namespace {

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
    return 32'767.0 / nets::Network::kActivationScale / (nets::FeatureSet::kMaxActive + 1);
}

double output_bound(const nets::Architecture& architecture) {
    const nets::OutputRange range = nets::output_range(architecture.activation);
    constexpr int scale = nets::Network::kActivationScale;
    const int top = nets::activate(architecture.activation, scale, scale);
    const double sum = 0.99 * 2'147'483'647.0 / top / (2.0 * std::max(architecture.outputs(), 1));
    return std::min<double>(range.largest_weight, std::floor(sum)) / range.coarsest_scale;
}

// Transformer, factors and their moments in panels.
struct Model::Weights {
    nets::NetworkInfo info;
    at::Tensor transformer;
    at::Tensor transformer_bias;
    at::Tensor output;
    at::Tensor output_bias;
    std::vector<Factor> factors;
    AdamMoments transformer_moments;
    AdamMoments transformer_bias_moments;
    AdamMoments output_moments;
    AdamMoments output_bias_moments;
    std::uint64_t steps = 0;

    explicit Weights(const ModelState& state)
        : info(state.network.info),
          transformer(parameter(to_panels(state.network.transformer, width()).data(),
                                {info.architecture.width / static_cast<int>(kPanel),
                                 info.architecture.features->size(), kPanel})),
          transformer_bias(parameter(state.network.transformer_bias.data(), {info.architecture.width})),
          output(parameter(state.network.output.data(),
                           {info.architecture.output_buckets, 2 * info.architecture.outputs()})),
          output_bias(parameter(state.network.output_bias.data(), {info.architecture.output_buckets})),
          transformer_moments(in_panels(state.transformer)),
          transformer_bias_moments(state.transformer_bias),
          output_moments(state.output),
          output_bias_moments(state.output_bias),
          steps(state.steps) {
        for (const Factor& factor : state.factors)
            factors.push_back({factor.kind, to_panels(factor.rows, width()), in_panels(factor.moments)});
    }

    std::size_t width() const { return static_cast<std::size_t>(info.architecture.width); }
    AdamMoments in_panels(const AdamMoments& moments) const {
        AdamMoments panels(0);
        panels.first = to_panels(moments.first, width());
        panels.second = to_panels(moments.second, width());
        return panels;
    }
    AdamMoments in_rows(const AdamMoments& moments) const {
        AdamMoments rows(0);
        rows.first = from_panels(moments.first, width());
        rows.second = from_panels(moments.second, width());
        return rows;
    }

    // What the gradient is worked out for. Without factors it is the transformer itself.
    at::Tensor whole_transformer() const {
        if (factors.empty()) return transformer;
        at::Tensor whole = transformer.detach().clone();
        for (const Factor& factor : factors) add_factor(factor, info.architecture.width, span_of(whole));
        return whole.requires_grad_();
    }
    PerspectiveTensors with(const at::Tensor& whole) const {
        return {whole, transformer_bias, output, output_bias};
    }
    // By all threads: these are nearly all of the weights.
    std::size_t update_transformer(const AdamOptions& options, double learning_rate,
                                   std::span<const float> gradient, float clip) {
        std::vector<std::size_t> clipped(static_cast<std::size_t>(team().size()));
        team().run([&](int member) {
            const auto me = static_cast<std::size_t>(member);
            const std::size_t from = gradient.size() * me / clipped.size();
            const std::size_t count = gradient.size() * (me + 1) / clipped.size() - from;
            clipped[me] =
                adam_update(options, learning_rate, steps, clip, span_of(transformer).subspan(from, count),
                            gradient.subspan(from, count), MomentSpans(transformer_moments, from, count));
        });
        return std::accumulate(clipped.begin(), clipped.end(), std::size_t{0});
    }
    // As many threads as libtorch has, at most one for each panel of what the output gets.
    Team& team() {
        const int size =
            std::clamp(info.architecture.outputs() / static_cast<int>(kPanel), 1, at::get_num_threads());
        if (!team_ || team_->size() != size) team_ = std::make_unique<Team>(size);
        return *team_;
    }

  private:
    std::unique_ptr<Team> team_;
};

Model::Model(const nets::FloatNetwork& start, bool factorised)
    : Model(ModelState::begin(start, factorised)) {}

Model::Model(const ModelState& state) : weights_(std::make_unique<Weights>(state)) {}

Model::Model(Model&&) noexcept = default;
Model::~Model() = default;

StepResult Model::train(const Batch& batch, const AdamOptions& options, double learning_rate,
                        const WeightClip& clip) {
    StepResult result;
    auto start = Clock::now();
    at::Tensor whole = weights_->whole_transformer();
    const at::Tensor loss =
        perspective_loss(weights_->team(), weights_->with(whole), weights_->info.architecture, batch);
    result.loss = static_cast<double>(loss.item<float>());
    result.times.forward = seconds_since(start);

    start = Clock::now();
    loss.backward();
    result.times.backward = seconds_since(start);

    start = Clock::now();
    ++weights_->steps;
    const auto step = [&](const AdamOptions& how, std::span<float> values, std::span<const float> gradient,
                          AdamMoments& moments, float bound) {
        result.clipped += adam_update(how, learning_rate, weights_->steps, bound, values, gradient, moments);
    };
    const auto update = [&](at::Tensor& weight, AdamMoments& moments, float bound) {
        step(options, span_of(weight), span_of(weight.grad().contiguous()), moments, bound);
        weight.mutable_grad().reset();
    };
    const at::Tensor gradient = whole.grad().contiguous();
    whole.mutable_grad().reset();
    // Row and factors are added up: each may have its share of what the sum may.
    const float row_clip = clip.transformer / static_cast<float>(1 + weights_->factors.size());
    result.clipped += weights_->update_transformer(options, learning_rate, span_of(gradient), row_clip);
    AdamOptions undecayed = options;
    undecayed.weight_decay = 0;
    for (Factor& factor : weights_->factors)
        step(undecayed, factor.rows,
             factor_gradient(factor, weights_->info.architecture.width, span_of(gradient)), factor.moments,
             row_clip);
    update(weights_->transformer_bias, weights_->transformer_bias_moments, clip.transformer);
    update(weights_->output, weights_->output_moments, clip.output);
    update(weights_->output_bias, weights_->output_bias_moments, clip.output);
    result.times.update = seconds_since(start);
    return result;
}

std::vector<float> Model::logits(const Batch& batch) const {
    return perspective_logits(weights_->team(), weights_->with(weights_->whole_transformer()),
                              weights_->info.architecture, batch);
}

nets::FloatNetwork Model::network() const {
    nets::FloatNetwork network;
    network.info = weights_->info;
    network.transformer = from_panels(span_of(weights_->whole_transformer()), weights_->width());
    network.transformer_bias = to_vector(weights_->transformer_bias);
    network.output = to_vector(weights_->output);
    network.output_bias = to_vector(weights_->output_bias);
    return network;
}

const nets::Architecture& Model::architecture() const {
    return weights_->info.architecture;
}

std::uint64_t Model::steps() const {
    return weights_->steps;
}

ModelState Model::state() const {
    ModelState state;
    state.network = network();
    state.network.transformer = from_panels(span_of(weights_->transformer), weights_->width());
    for (const Factor& factor : weights_->factors)
        state.factors.push_back(
            {factor.kind, from_panels(factor.rows, weights_->width()), weights_->in_rows(factor.moments)});
    state.transformer = weights_->in_rows(weights_->transformer_moments);
    state.transformer_bias = weights_->transformer_bias_moments;
    state.output = weights_->output_moments;
    state.output_bias = weights_->output_bias_moments;
    state.steps = weights_->steps;
    return state;
}

}  // namespace scholar::learning
