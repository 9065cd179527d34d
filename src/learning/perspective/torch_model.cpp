// A network trained by libtorch's own operators: on a GPU, where the kernels of cpu_model.cpp cannot work,
// and on the CPU as what these are held to.

#include <ATen/ATen.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <chrono>
#include <cmath>
#include <limits>
#include <torch/csrc/autograd/custom_function.h>

#include "learning/perspective/bucket_order.hpp"
#include "learning/perspective/head.hpp"
#include "learning/perspective/model_backend.hpp"
#include "learning/perspective/tensors.hpp"
#include "learning/run/run_time.hpp"

namespace scholar::learning {

namespace {

using Clock = std::chrono::steady_clock;

// Positions that go forward and back at once: all that libtorch works out of them is in the device's memory.
constexpr std::size_t kTorchPartSize = 65'536;

std::vector<std::int64_t> to_shape(at::IntArrayRef shape) {
    return shape.vec();
}

// An array of weights, and what the optimiser remembers of it.
struct TorchParameter {
    at::Tensor values;
    at::Tensor first;
    at::Tensor second;
    float WeightClip::* clip;
    bool decays = true;

    TorchParameter(const std::vector<float>& start, at::IntArrayRef shape, const AdamMoments& moments,
                   float WeightClip::* within, at::Device device)
        : values(put(start, shape, device).requires_grad_()),
          first(put(moments.first, shape, device)),
          second(put(moments.second, shape, device)),
          clip(within) {}

    static at::Tensor put(const std::vector<float>& from, at::IntArrayRef shape, at::Device device) {
        return at::from_blob(const_cast<float*>(from.data()), to_shape(shape)).clone().to(device);
    }

    AdamMoments moments() const {
        AdamMoments all(0);
        all.first = to_vector(first);
        all.second = to_vector(second);
        return all;
    }

    // adam_update() in libtorch's words; the number clipped.
    at::Tensor update(const AdamOptions& options, double learning_rate, std::uint64_t step, double within) {
        const c10::NoGradGuard no_gradients;
        const auto steps = static_cast<double>(step);
        const double decay = decays ? options.weight_decay : 0;
        const bool apart = options.kind == AdamKind::AdamW;
        at::Tensor slope = values.grad();
        if (!apart && decay != 0) slope = slope + values * decay;
        first.mul_(options.beta1).add_(slope, 1 - options.beta1);
        second.mul_(options.beta2).addcmul_(slope, slope, 1 - options.beta2);
        const at::Tensor spread =
            (second / (1 - std::pow(options.beta2, steps))).sqrt_().add_(options.epsilon);
        at::Tensor moved = values * (apart ? 1 - learning_rate * decay : 1);
        moved.addcdiv_(first, spread, -learning_rate / (1 - std::pow(options.beta1, steps)));
        const at::Tensor clipped = (moved.abs() > within).sum();
        values.copy_(moved.clamp_(-within, within));
        values.mutable_grad().reset();
        return clipped;
    }
};

struct TorchLayer {
    TorchParameter weight;
    TorchParameter bias;
};

struct TorchFactor {
    FactorKind kind;
    TorchParameter rows;
    at::Tensor row_of;  // [feature]
};

class TorchModel final : public ModelBackend {
  public:
    TorchModel(const ModelState& state, at::Device device)
        : device_(device),
          info_(state.network.info),
          transformer_(state.network.transformer,
                       {info_.architecture.features->size(), info_.architecture.width}, state.transformer,
                       &WeightClip::transformer, device),
          transformer_bias_(state.network.transformer_bias, {info_.architecture.width},
                            state.transformer_bias, &WeightClip::transformer, device),
          output_(state.network.output, {buckets(), 1, info_.architecture.output_inputs()}, state.output,
                  &WeightClip::output, device),
          output_bias_(state.network.output_bias, {buckets(), 1}, state.output_bias, &WeightClip::output,
                       device),
          steps_(state.steps) {
        for (const Factor& factor : state.factors) {
            const std::vector<std::int64_t> row_of =
                rows_by_feature(factor.kind, info_.architecture.features->size());
            const int width = info_.architecture.width;
            factors_.push_back({factor.kind,
                                {factor.rows,
                                 {static_cast<std::int64_t>(factor.rows.size()) / width, width},
                                 factor.moments,
                                 &WeightClip::transformer,
                                 device},
                                at::tensor(row_of, at::kLong).to(device)});
            factors_.back().rows.decays = false;
        }
        for (std::size_t i = 0; i < state.hidden.size(); ++i) {
            const int units = info_.architecture.hidden[i];
            hidden_.push_back({{state.network.hidden[i].weight,
                                {buckets(), units, info_.architecture.head_inputs(i)},
                                state.hidden[i].weight,
                                &WeightClip::hidden,
                                device},
                               {state.network.hidden[i].bias,
                                {buckets(), units},
                                state.hidden[i].bias,
                                &WeightClip::hidden,
                                device}});
        }
    }

    StepResult train(const Batch& batch, const AdamOptions& options, double learning_rate,
                     const WeightClip& clip) override {
        StepResult result;
        for (std::size_t begin = 0; begin < batch.size(); begin += kTorchPartSize) {
            auto start = Clock::now();
            const BucketOrder order = in_bucket_order(
                batch, begin, std::min(begin + kTorchPartSize, batch.size()), info_.architecture);
            const at::Tensor logits = logits_of(order);
            const at::Tensor loss =
                at::binary_cross_entropy_with_logits(logits, wanted_targets(order.batch, logits), {}, {},
                                                     at::Reduction::Sum) /
                static_cast<double>(batch.size());
            result.loss += static_cast<double>(loss.item<float>());
            result.times.forward += seconds_since(start);
            start = Clock::now();
            loss.backward();
            result.times.backward += seconds_since(start);
        }
        const auto start = Clock::now();
        ++steps_;
        at::Tensor clipped = at::zeros({}, at::TensorOptions(at::kLong).device(device_));
        const auto update = [&](TorchParameter& each, const WeightClip& within) {
            clipped += each.update(options, learning_rate, steps_, static_cast<double>(within.*each.clip));
        };
        WeightClip without = clip;  // with factors it is the sums that are clipped
        without.transformer = std::numeric_limits<float>::max();
        update(transformer_, factors_.empty() ? clip : without);
        for (TorchFactor& factor : factors_) update(factor.rows, clip);
        if (!factors_.empty()) clipped += clip_sums(static_cast<double>(clip.transformer));
        update(transformer_bias_, clip);
        for (TorchLayer& layer : hidden_) {
            update(layer.weight, clip);
            update(layer.bias, clip);
        }
        update(output_, clip);
        update(output_bias_, clip);
        result.clipped = static_cast<std::size_t>(clipped.item<std::int64_t>());
        result.times.update = seconds_since(start);
        return result;
    }

    std::vector<float> logits(const Batch& batch) override {
        const c10::NoGradGuard no_gradients;
        std::vector<float> logits(batch.size());
        for (std::size_t begin = 0; begin < batch.size(); begin += kTorchPartSize) {
            const BucketOrder order = in_bucket_order(
                batch, begin, std::min(begin + kTorchPartSize, batch.size()), info_.architecture);
            const std::vector<float> part = to_vector(logits_of(order));
            for (std::size_t i = 0; i < part.size(); ++i) logits[order.places[i]] = part[i];
        }
        return logits;
    }

    nets::FloatNetwork network() const override {
        const c10::NoGradGuard no_gradients;
        return network_with(whole_transformer());
    }

    const nets::Architecture& architecture() const override { return info_.architecture; }
    std::uint64_t steps() const override { return steps_; }

    ModelState state() const override {
        ModelState state;
        state.network = network_with(transformer_.values);
        for (const TorchFactor& factor : factors_)
            state.factors.push_back({factor.kind, to_vector(factor.rows.values), factor.rows.moments()});
        state.transformer = transformer_.moments();
        state.transformer_bias = transformer_bias_.moments();
        for (const TorchLayer& layer : hidden_)
            state.hidden.push_back({layer.weight.moments(), layer.bias.moments()});
        state.output = output_.moments();
        state.output_bias = output_bias_.moments();
        state.steps = steps_;
        return state;
    }

  private:
    std::int64_t buckets() const { return info_.architecture.output_buckets; }

    nets::FloatNetwork network_with(const at::Tensor& transformer) const {
        nets::FloatNetwork network;
        network.info = info_;
        network.transformer = to_vector(transformer);
        network.transformer_bias = to_vector(transformer_bias_.values);
        for (const TorchLayer& layer : hidden_)
            network.hidden.push_back({to_vector(layer.weight.values), to_vector(layer.bias.values)});
        network.output = to_vector(output_.values);
        network.output_bias = to_vector(output_bias_.values);
        return network;
    }

    // [feature, width]
    at::Tensor whole_transformer() const {
        at::Tensor whole = transformer_.values;
        for (const TorchFactor& factor : factors_)
            whole = whole + factor.rows.values.index_select(0, factor.row_of);
        return whole;
    }

    // add_factors() in libtorch's words; the number clipped.
    at::Tensor clip_sums(double within) {
        const c10::NoGradGuard no_gradients;
        const at::Tensor whole = whole_transformer();
        transformer_.values.add_(whole.clamp(-within, within) - whole);
        return (whole.abs() > within).sum();
    }

    // What the head gets of one viewpoint: `which` of the counts is its.
    at::Tensor units_of(const at::Tensor& whole, const Batch& batch, const std::vector<std::uint16_t>& active,
                        std::size_t which) const {
        std::vector<int> flat;
        std::vector<int> offsets;
        flat.reserve(active.size());
        offsets.reserve(batch.size());
        const auto stride = static_cast<std::size_t>(batch.stride);
        for (std::size_t position = 0; position < batch.size(); ++position) {
            offsets.push_back(static_cast<int>(flat.size()));
            const auto first = active.begin() + static_cast<std::ptrdiff_t>(position * stride);
            flat.insert(flat.end(), first, first + batch.counts[2 * position + which]);
        }
        const at::Tensor sums = std::get<0>(
            at::embedding_bag(whole, at::tensor(flat).to(device_), at::tensor(offsets).to(device_)));
        at::Tensor clipped = at::clamp(at::add(sums, transformer_bias_.values), 0, 1);
        if (info_.architecture.activation == nets::Activation::Squared) return clipped.square();
        if (info_.architecture.activation != nets::Activation::Paired) return clipped;
        const std::vector<at::Tensor> halves = clipped.chunk(2, 1);
        return halves[0] * halves[1];
    }

    // In the order of the buckets.
    at::Tensor logits_of(const BucketOrder& order) const {
        const at::Tensor whole = whole_transformer();
        const at::Tensor units = at::cat({units_of(whole, order.batch, order.batch.own, 0),
                                          units_of(whole, order.batch, order.batch.enemy, 1)},
                                         1);
        std::vector<LayerTensors> layers;
        layers.reserve(hidden_.size() + 1);
        for (const TorchLayer& layer : hidden_) layers.push_back({layer.weight.values, layer.bias.values});
        layers.push_back({output_.values, output_bias_.values});
        return head_logits(layers, units, order.counts);
    }

    at::Device device_;
    nets::NetworkInfo info_;
    TorchParameter transformer_;
    TorchParameter transformer_bias_;
    std::vector<TorchLayer> hidden_;
    TorchParameter output_;
    TorchParameter output_bias_;
    std::vector<TorchFactor> factors_;
    std::uint64_t steps_ = 0;
};

}  // namespace

std::unique_ptr<ModelBackend> make_torch_model(const ModelState& state, Device device) {
    return std::make_unique<TorchModel>(
        state, device == Device::Gpu ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU));
}

}  // namespace scholar::learning
