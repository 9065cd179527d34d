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

#include "learning/bucket_order.hpp"
#include "learning/head.hpp"
#include "learning/panels.hpp"
#include "learning/perspective_layer.hpp"
#include "learning/perspective_units.hpp"
#include "learning/run_time.hpp"

namespace scholar::learning {

namespace {

using Clock = std::chrono::steady_clock;

// With hidden layers, positions of which all that libtorch works out is in memory at once: some kilobytes
// each.
constexpr std::size_t kPartSize = 16'384;

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
    const nets::OutputRange range = nets::output_range(architecture);
    const int top = nets::Network::output_top(architecture);
    const double sum = 0.99 * 2'147'483'647.0 / top / std::max(architecture.output_inputs(), 1);
    return std::min<double>(range.largest_weight, std::floor(sum)) / range.coarsest_scale;
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
    clip.hidden = std::min(clip.hidden, static_cast<float>(hidden_bound(architecture)));
    return clip;
}

// An array of weights that libtorch knows, but for the transformer.
struct Parameter {
    at::Tensor values;
    AdamMoments moments;
    float WeightClip::* clip;

    Parameter(const std::vector<float>& start, at::IntArrayRef shape, const AdamMoments& remembered,
              float WeightClip::* within)
        : values(parameter(start.data(), shape)), moments(remembered), clip(within) {}
};

struct HiddenParameters {
    Parameter weight;
    Parameter bias;
};

// Transformer, factors and their moments in panels.
struct Model::Weights {
    nets::NetworkInfo info;
    at::Tensor transformer;
    AdamMoments transformer_moments;
    Parameter transformer_bias;
    std::vector<HiddenParameters> hidden;
    Parameter output;
    Parameter output_bias;
    std::vector<Factor> factors;
    std::uint64_t steps = 0;

    explicit Weights(const ModelState& state)
        : info(state.network.info),
          transformer(parameter(to_panels(state.network.transformer, width()).data(),
                                {info.architecture.width / static_cast<int>(kPanel),
                                 info.architecture.features->size(), kPanel})),
          transformer_moments(in_panels(state.transformer)),
          transformer_bias(state.network.transformer_bias, {info.architecture.width}, state.transformer_bias,
                           &WeightClip::transformer),
          output(state.network.output, {buckets(), info.architecture.output_inputs()}, state.output,
                 &WeightClip::output),
          output_bias(state.network.output_bias, {buckets()}, state.output_bias, &WeightClip::output),
          steps(state.steps) {
        for (const Factor& factor : state.factors)
            factors.push_back({factor.kind, to_panels(factor.rows, width()), in_panels(factor.moments)});
        for (std::size_t i = 0; i < state.hidden.size(); ++i) {
            const int units = info.architecture.hidden[i];
            hidden.push_back({{state.network.hidden[i].weight,
                               {buckets(), units, info.architecture.head_inputs(i)},
                               state.hidden[i].weight,
                               &WeightClip::hidden},
                              {state.network.hidden[i].bias,
                               {buckets(), units},
                               state.hidden[i].bias,
                               &WeightClip::hidden}});
        }
    }

    std::size_t width() const { return static_cast<std::size_t>(info.architecture.width); }
    int buckets() const { return info.architecture.output_buckets; }
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
    // All but the transformer.
    std::vector<Parameter*> parameters() {
        std::vector<Parameter*> all{&transformer_bias};
        for (HiddenParameters& layer : hidden) all.insert(all.end(), {&layer.weight, &layer.bias});
        all.insert(all.end(), {&output, &output_bias});
        return all;
    }

    // What the gradient is worked out for. Without factors it is the transformer itself.
    at::Tensor whole_transformer() const {
        if (factors.empty()) return transformer;
        at::Tensor whole = transformer.detach().clone();
        for (const Factor& factor : factors) add_factor(factor, info.architecture.width, span_of(whole));
        return whole.requires_grad_();
    }
    // Where the output is all of the head.
    PerspectiveTensors with(const at::Tensor& whole) const {
        return {whole, transformer_bias.values, output.values, output_bias.values};
    }
    // Where there are hidden layers.
    at::Tensor hidden_logits(const at::Tensor& whole, const BucketOrder& order) {
        const at::Tensor units =
            perspective_units(team(), whole, transformer_bias.values, info.architecture, order.batch);
        std::vector<LayerTensors> layers;
        for (const HiddenParameters& layer : hidden)
            layers.push_back({layer.weight.values, layer.bias.values});
        layers.push_back({output.values.unsqueeze(1), output_bias.values.unsqueeze(1)});
        return head_logits(layers, units, order.counts);
    }
    // Positions that go forward and back at once: with hidden layers what these get of them is in memory.
    std::size_t part_size(const Batch& batch) const {
        return hidden.empty() ? std::max<std::size_t>(batch.size(), 1) : kPartSize;
    }
    // Works out the gradients of the mean loss of a batch, and gives the loss. Those of parts add up.
    double backward(const at::Tensor& whole, const Batch& batch, StepTimes& times) {
        double sum = 0;
        for (std::size_t begin = 0; begin < batch.size(); begin += part_size(batch)) {
            auto start = Clock::now();
            const std::size_t end = std::min(begin + part_size(batch), batch.size());
            BucketOrder order;  // must outlast the gradients
            at::Tensor loss;
            if (hidden.empty()) {
                loss = perspective_loss(team(), with(whole), info.architecture, batch);
            } else {
                order = in_bucket_order(batch, begin, end, info.architecture);
                const at::Tensor targets =
                    at::from_blob(order.batch.targets.data(), {static_cast<std::int64_t>(end - begin)});
                loss = at::binary_cross_entropy_with_logits(hidden_logits(whole, order), targets, {}, {},
                                                            at::Reduction::Sum) /
                       static_cast<double>(batch.size());
            }
            sum += static_cast<double>(loss.item<float>());
            times.forward += seconds_since(start);
            start = Clock::now();
            loss.backward();
            times.backward += seconds_since(start);
        }
        return sum;
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
    // As many threads as libtorch has, at most one for each panel of what the head gets.
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
    result.times.forward = seconds_since(start);
    result.loss = weights_->backward(whole, batch, result.times);

    start = Clock::now();
    ++weights_->steps;
    const at::Tensor gradient = whole.grad().contiguous();
    whole.mutable_grad().reset();
    // Row and factors are added up: each may have its share of what the sum may.
    const float row_clip = clip.transformer / static_cast<float>(1 + weights_->factors.size());
    result.clipped += weights_->update_transformer(options, learning_rate, span_of(gradient), row_clip);
    AdamOptions undecayed = options;
    undecayed.weight_decay = 0;
    for (Factor& factor : weights_->factors)
        result.clipped += adam_update(
            undecayed, learning_rate, weights_->steps, row_clip, factor.rows,
            factor_gradient(factor, weights_->info.architecture.width, span_of(gradient)), factor.moments);
    for (Parameter* each : weights_->parameters()) {
        const at::Tensor slope = each->values.grad().contiguous();
        result.clipped += adam_update(options, learning_rate, weights_->steps, clip.*each->clip,
                                      span_of(each->values), span_of(slope), each->moments);
        each->values.mutable_grad().reset();
    }
    result.times.update = seconds_since(start);
    return result;
}

std::vector<float> Model::logits(const Batch& batch) const {
    const at::Tensor whole = weights_->whole_transformer();
    if (weights_->hidden.empty())
        return perspective_logits(weights_->team(), weights_->with(whole), weights_->info.architecture,
                                  batch);
    const c10::NoGradGuard no_gradients;
    std::vector<float> logits(batch.size());
    for (std::size_t begin = 0; begin < batch.size(); begin += kPartSize) {
        const BucketOrder order = in_bucket_order(batch, begin, std::min(begin + kPartSize, batch.size()),
                                                  weights_->info.architecture);
        const std::vector<float> part = to_vector(weights_->hidden_logits(whole, order));
        for (std::size_t i = 0; i < part.size(); ++i) logits[order.places[i]] = part[i];
    }
    return logits;
}

nets::FloatNetwork Model::network() const {
    nets::FloatNetwork network;
    network.info = weights_->info;
    network.transformer = from_panels(span_of(weights_->whole_transformer()), weights_->width());
    network.transformer_bias = to_vector(weights_->transformer_bias.values);
    for (const HiddenParameters& layer : weights_->hidden)
        network.hidden.push_back({to_vector(layer.weight.values), to_vector(layer.bias.values)});
    network.output = to_vector(weights_->output.values);
    network.output_bias = to_vector(weights_->output_bias.values);
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
    state.transformer_bias = weights_->transformer_bias.moments;
    for (const HiddenParameters& layer : weights_->hidden)
        state.hidden.push_back({layer.weight.moments, layer.bias.moments});
    state.output = weights_->output.moments;
    state.output_bias = weights_->output_bias.moments;
    state.steps = weights_->steps;
    return state;
}

}  // namespace scholar::learning
