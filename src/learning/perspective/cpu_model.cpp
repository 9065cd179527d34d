// A network trained by kernels of our own: Adam and the sparse first layer by a team of threads, what is left
// by libtorch.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <chrono>
#include <limits>
#include <numeric>
#include <torch/csrc/autograd/custom_function.h>
#include <utility>

#include "learning/perspective/bucket_order.hpp"
#include "learning/perspective/head.hpp"
#include "learning/perspective/model_backend.hpp"
#include "learning/perspective/panels.hpp"
#include "learning/perspective/perspective_layer.hpp"
#include "learning/perspective/perspective_units.hpp"
#include "learning/perspective/tensors.hpp"
#include "learning/run/run_time.hpp"

namespace scholar::learning {

namespace {

using Clock = std::chrono::steady_clock;

// With hidden layers, positions of which all that libtorch works out is in memory at once: some kilobytes
// each.
constexpr std::size_t kPartSize = 16'384;

constexpr float kNoClip = std::numeric_limits<float>::max();

at::Tensor parameter(const float* values, at::IntArrayRef shape) {
    at::Tensor tensor = at::empty(shape, at::kFloat);
    std::copy_n(values, tensor.numel(), tensor.data_ptr<float>());
    return tensor.requires_grad_();
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

class CpuModel final : public ModelBackend {
  public:
    explicit CpuModel(const ModelState& state)
        : info_(state.network.info),
          transformer_(parameter(to_panels(state.network.transformer, width()).data(),
                                 {info_.architecture.width / static_cast<int>(kPanel),
                                  info_.architecture.features->size(), kPanel})),
          transformer_moments_(in_panels(state.transformer)),
          transformer_bias_(state.network.transformer_bias, {info_.architecture.width},
                            state.transformer_bias, &WeightClip::transformer),
          output_(state.network.output, {buckets(), info_.architecture.output_inputs()}, state.output,
                  &WeightClip::output),
          output_bias_(state.network.output_bias, {buckets()}, state.output_bias, &WeightClip::output),
          steps_(state.steps) {
        for (const Factor& factor : state.factors)
            factors_.push_back({factor.kind, to_panels(factor.rows, width()), in_panels(factor.moments)});
        for (std::size_t i = 0; i < state.hidden.size(); ++i) {
            const int units = info_.architecture.hidden[i];
            hidden_.push_back({{state.network.hidden[i].weight,
                                {buckets(), units, info_.architecture.head_inputs(i)},
                                state.hidden[i].weight,
                                &WeightClip::hidden},
                               {state.network.hidden[i].bias,
                                {buckets(), units},
                                state.hidden[i].bias,
                                &WeightClip::hidden}});
        }
        whole_ = factors_.empty() ? transformer_ : at::empty_like(transformer_).requires_grad_();
        for (std::size_t panel = 0; panel < panels(); ++panel) add_up(panel, kNoClip);
    }

    StepResult train(const Batch& batch, const AdamOptions& options, double learning_rate,
                     const WeightClip& clip) override {
        StepResult result;
        result.loss = backward(batch, result.times);

        const auto start = Clock::now();
        ++steps_;
        result.clipped = update_transformer(options, learning_rate, clip.transformer);
        for (Parameter* each : parameters()) {
            const at::Tensor slope = each->values.grad().contiguous();
            result.clipped += adam_update(options, learning_rate, steps_, clip.*each->clip,
                                          span_of(each->values), span_of(slope), each->moments);
            each->values.mutable_grad().reset();
        }
        result.times.update = seconds_since(start);
        return result;
    }

    std::vector<float> logits(const Batch& batch) override {
        if (hidden_.empty()) return perspective_logits(team(), tensors(), info_.architecture, batch);
        const c10::NoGradGuard no_gradients;
        std::vector<float> logits(batch.size());
        for (std::size_t begin = 0; begin < batch.size(); begin += kPartSize) {
            const BucketOrder order =
                in_bucket_order(batch, begin, std::min(begin + kPartSize, batch.size()), info_.architecture);
            const std::vector<float> part = to_vector(hidden_logits(order));
            for (std::size_t i = 0; i < part.size(); ++i) logits[order.places[i]] = part[i];
        }
        return logits;
    }

    nets::FloatNetwork network() const override {
        nets::FloatNetwork network;
        network.info = info_;
        network.transformer = from_panels(span_of(whole_), width());
        network.transformer_bias = to_vector(transformer_bias_.values);
        for (const HiddenParameters& layer : hidden_)
            network.hidden.push_back({to_vector(layer.weight.values), to_vector(layer.bias.values)});
        network.output = to_vector(output_.values);
        network.output_bias = to_vector(output_bias_.values);
        return network;
    }

    const nets::Architecture& architecture() const override { return info_.architecture; }
    std::uint64_t steps() const override { return steps_; }

    ModelState state() const override {
        ModelState state;
        state.network = network();
        state.network.transformer = from_panels(span_of(transformer_), width());
        for (const Factor& factor : factors_)
            state.factors.push_back(
                {factor.kind, from_panels(factor.rows, width()), in_rows(factor.moments)});
        state.transformer = in_rows(transformer_moments_);
        state.transformer_bias = transformer_bias_.moments;
        for (const HiddenParameters& layer : hidden_)
            state.hidden.push_back({layer.weight.moments, layer.bias.moments});
        state.output = output_.moments;
        state.output_bias = output_bias_.moments;
        state.steps = steps_;
        return state;
    }

  private:
    std::size_t width() const { return static_cast<std::size_t>(info_.architecture.width); }
    std::size_t panels() const { return width() / kPanel; }
    std::size_t features() const { return static_cast<std::size_t>(info_.architecture.features->size()); }
    int buckets() const { return info_.architecture.output_buckets; }
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
        std::vector<Parameter*> all{&transformer_bias_};
        for (HiddenParameters& layer : hidden_) all.insert(all.end(), {&layer.weight, &layer.bias});
        all.insert(all.end(), {&output_, &output_bias_});
        return all;
    }

    // Where the output is all of the head.
    PerspectiveTensors tensors() const {
        return {whole_, transformer_bias_.values, output_.values, output_bias_.values};
    }
    // Where there are hidden layers.
    at::Tensor hidden_logits(const BucketOrder& order) {
        const at::Tensor units =
            perspective_units(team(), whole_, transformer_bias_.values, info_.architecture, order.batch);
        std::vector<LayerTensors> layers;
        layers.reserve(hidden_.size() + 1);
        for (const HiddenParameters& layer : hidden_)
            layers.push_back({layer.weight.values, layer.bias.values});
        layers.push_back({output_.values.unsqueeze(1), output_bias_.values.unsqueeze(1)});
        return head_logits(layers, units, order.counts);
    }
    // Positions that go forward and back at once: with hidden layers what these get of them is in memory.
    std::size_t part_size(const Batch& batch) const {
        return hidden_.empty() ? std::max<std::size_t>(batch.size(), 1) : kPartSize;
    }
    // Works out the gradients of the mean loss of a batch, and gives the loss. Those of parts add up.
    double backward(const Batch& batch, StepTimes& times) {
        double sum = 0;
        for (std::size_t begin = 0; begin < batch.size(); begin += part_size(batch)) {
            auto start = Clock::now();
            const std::size_t end = std::min(begin + part_size(batch), batch.size());
            BucketOrder order;  // must outlast the gradients
            at::Tensor loss;
            if (hidden_.empty()) {
                loss = perspective_loss(team(), tensors(), info_.architecture, batch);
            } else {
                order = in_bucket_order(batch, begin, end, info_.architecture);
                const at::Tensor logits = hidden_logits(order);
                loss = at::binary_cross_entropy_with_logits(logits, wanted_targets(order.batch, logits), {},
                                                            {}, at::Reduction::Sum) /
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
    // By all threads, panel by panel: these are nearly all of the weights. The number that had to be clipped.
    std::size_t update_transformer(const AdamOptions& options, double learning_rate, float clip) {
        const at::Tensor gradient = whole_.grad().contiguous();
        whole_.mutable_grad().reset();
        AdamOptions undecayed = options;
        undecayed.weight_decay = 0;
        const auto part = [](std::size_t panel, std::size_t rows) {
            return std::pair{panel * rows * kPanel, rows * kPanel};
        };
        std::vector<std::size_t> clipped(static_cast<std::size_t>(team().size()));
        team().run([&](int member) {
            std::size_t& mine = clipped[static_cast<std::size_t>(member)];
            for (auto panel = static_cast<std::size_t>(member); panel < panels(); panel += clipped.size()) {
                const auto [from, count] = part(panel, features());
                const auto slopes = span_of(gradient).subspan(from, count);
                // With factors it is the sums that are clipped.
                mine += adam_update(options, learning_rate, steps_, factors_.empty() ? clip : kNoClip,
                                    span_of(transformer_).subspan(from, count), slopes,
                                    MomentSpans(transformer_moments_, from, count));
                for (Factor& factor : factors_) {
                    const auto [first, size] = part(panel, rows_of(factor.kind));
                    mine += adam_update(
                        undecayed, learning_rate, steps_, clip, std::span(factor.rows).subspan(first, size),
                        factor_gradient(factor.kind, slopes), MomentSpans(factor.moments, first, size));
                }
                mine += add_up(panel, clip);
            }
        });
        return std::accumulate(clipped.begin(), clipped.end(), std::size_t{0});
    }
    // Makes a panel of the sums anew.
    std::size_t add_up(std::size_t panel, float clip) {
        if (factors_.empty()) return 0;
        const std::size_t size = features() * kPanel;
        return add_factors(factors_, panel, clip, span_of(transformer_).subspan(panel * size, size),
                           span_of(whole_).subspan(panel * size, size));
    }
    // As many threads as libtorch has, at most one for each panel of what the head gets.
    Team& team() {
        const int size =
            std::clamp(info_.architecture.outputs() / static_cast<int>(kPanel), 1, at::get_num_threads());
        if (!team_ || team_->size() != size) team_ = std::make_unique<Team>(size);
        return *team_;
    }

    nets::NetworkInfo info_;
    // Transformer, factors and their moments in panels.
    at::Tensor transformer_;
    at::Tensor whole_;  // the same with the factors, for which the gradient is worked out
    AdamMoments transformer_moments_;
    Parameter transformer_bias_;
    std::vector<HiddenParameters> hidden_;
    Parameter output_;
    Parameter output_bias_;
    std::vector<Factor> factors_;
    std::uint64_t steps_ = 0;
    std::unique_ptr<Team> team_;
};

}  // namespace

std::unique_ptr<ModelBackend> make_cpu_model(const ModelState& state) {
    return std::make_unique<CpuModel>(state);
}

}  // namespace scholar::learning
