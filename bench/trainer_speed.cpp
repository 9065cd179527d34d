// bench/trainer_speed STORE... [--positions N] [--rounds N] [--threads N]: positions a second of training 768
// → 256 × 2 → 1 with Adam, everything included (reading games, features, forward, backward, update):
// Scholar's trainer beside the same network made of libtorch's own operators, embedding_bag with dense and
// with sparse gradients, by batch size. Both get the same batches of the same sampler, begin with the same
// weights and are updated by the same fused Adam (with sparse gradients, on the rows that have any); a
// warm-up is not counted. The runs alternate; medians of N rounds (3) with their range, and the loss of each
// on the same held-out positions at the end. And what the memory of the machine would allow.
//
// ninja -C BUILD trainer_speed makes it.

#include <ATen/ATen.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "base/cores.hpp"
#include "base/error.hpp"
#include "games/sample_text.hpp"
#include "learning/perspective/model.hpp"
#include "learning/perspective/panels.hpp"
#include "learning/targets/losses.hpp"
#include "learning/training/sample_stream.hpp"

namespace scholar::learning {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kWidth = 256;
constexpr double kLearningRate = 0.001;
constexpr std::size_t kHeldOut = 50'000;
const nets::Architecture kArchitecture{.width = kWidth};
// Far beyond what so short a training reaches.
constexpr WeightClip kClip{10, 10};

struct Settings {
    std::vector<std::string> stores;
    std::size_t positions = 1'000'000;  // of a measurement
    int rounds = 3;
    int threads = base::cores();
};

double seconds_from(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

base::Result<games::Sampler::Options> sampling(const Settings& settings, games::Split split) {
    games::Sampler::Options options;
    options.stores = settings.stores;
    options.sampling.split = split;
    options.sampling.shares = {.validation = 0.02, .test = 0};
    for (const char* text : {"ply min=10 max=200", "not_in_check", "quiet_move"}) {
        auto stage = games::parse_stage(text);
        if (!stage) return std::unexpected(stage.error());
        options.sampling.stages.push_back(*stage);
    }
    return options;
}

struct EncodedPositions final : Encoded {
    Batch batch;
    explicit EncodedPositions(Batch of) : batch(std::move(of)) {}
};

TargetRule rule() {
    TargetRule rule;
    rule.result_weight = 1;
    return rule;
}

// Whatever can be trained.
class Trainee {
  public:
    virtual ~Trainee() = default;
    virtual void train(const Batch& batch) = 0;
    virtual std::vector<float> logits(const Batch& batch) = 0;
};

class Ours final : public Trainee {
  public:
    Ours() : model_(nets::FloatNetwork::random(kArchitecture, 1), false) {}
    void train(const Batch& batch) override { model_.train(batch, {}, kLearningRate, kClip); }
    std::vector<float> logits(const Batch& batch) override { return model_.logits(batch); }

  private:
    Model model_;
};

at::Tensor leaf(const std::vector<float>& values, at::IntArrayRef shape) {
    at::Tensor tensor = at::empty(shape, at::kFloat);
    std::copy(values.begin(), values.end(), tensor.data_ptr<float>());
    return tensor.requires_grad_();
}

std::span<float> span_of(const at::Tensor& tensor) {
    return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

// The network out of libtorch's operators.
class Theirs final : public Trainee {
  public:
    explicit Theirs(bool sparse) : sparse_(sparse) {
        const nets::FloatNetwork start = nets::FloatNetwork::random(kArchitecture, 1);
        transformer_ = leaf(start.transformer, {768, kWidth});
        transformer_bias_ = leaf(start.transformer_bias, {kWidth});
        output_ = leaf(start.output, {2 * kWidth});
        output_bias_ = leaf(start.output_bias, {1});
        for (const at::Tensor* weights : {&transformer_, &transformer_bias_, &output_, &output_bias_})
            moments_.emplace_back(static_cast<std::size_t>(weights->numel()));
    }

    void train(const Batch& batch) override {
        const at::Tensor targets = at::from_blob(const_cast<float*>(batch.targets.data()),
                                                 {static_cast<std::int64_t>(batch.size())}, at::kFloat);
        at::binary_cross_entropy_with_logits(forward(batch), targets).backward();
        ++steps_;
        if (sparse_)
            update_rows();
        else
            update(transformer_, moments_[0]);
        update(transformer_bias_, moments_[1]);
        update(output_, moments_[2]);
        update(output_bias_, moments_[3]);
    }

    std::vector<float> logits(const Batch& batch) override {
        const at::Tensor values = forward(batch).detach().contiguous();
        return {values.data_ptr<float>(), values.data_ptr<float>() + values.numel()};
    }

  private:
    at::Tensor side(const Batch& batch, const std::vector<std::uint16_t>& features, std::size_t which) {
        indices_[which].clear();
        offsets_[which].clear();
        for (std::size_t position = 0; position < batch.size(); ++position) {
            offsets_[which].push_back(static_cast<std::int64_t>(indices_[which].size()));
            const std::uint16_t* row = features.data() + position * static_cast<std::size_t>(batch.stride);
            indices_[which].insert(indices_[which].end(), row, row + batch.counts[2 * position + which]);
        }
        const auto view = [](std::vector<std::int64_t>& values) {
            return at::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, at::kLong);
        };
        const at::Tensor sums = std::get<0>(
            at::embedding_bag(transformer_, view(indices_[which]), view(offsets_[which]), false, 0, sparse_));
        return at::clamp(at::add(sums, transformer_bias_), 0, 1);
    }
    at::Tensor forward(const Batch& batch) {
        return at::add(at::mv(at::cat({side(batch, batch.own, 0), side(batch, batch.enemy, 1)}, 1), output_),
                       output_bias_);
    }
    void update(at::Tensor& weights, AdamMoments& moments) const {
        const at::Tensor gradient = weights.grad().contiguous();
        adam_update({}, kLearningRate, steps_, 1e9F, span_of(weights), span_of(gradient), moments);
        weights.mutable_grad().reset();
    }
    // Only the rows that occurred in the batch.
    void update_rows() {
        const at::Tensor gradient = transformer_.grad().coalesce();
        const at::Tensor rows = gradient._indices()[0].contiguous();
        const at::Tensor values = gradient._values().contiguous();
        AdamMoments& all = moments_[0];
        AdamMoments some(kWidth);
        const auto* row = rows.data_ptr<std::int64_t>();
        for (std::int64_t i = 0; i < rows.numel(); ++i) {
            const auto at = static_cast<std::size_t>(row[i]) * kWidth;
            std::copy_n(all.first.begin() + static_cast<std::ptrdiff_t>(at), kWidth, some.first.begin());
            std::copy_n(all.second.begin() + static_cast<std::ptrdiff_t>(at), kWidth, some.second.begin());
            adam_update({}, kLearningRate, steps_, 1e9F, span_of(transformer_).subspan(at, kWidth),
                        span_of(values).subspan(static_cast<std::size_t>(i) * kWidth, kWidth), some);
            std::ranges::copy(some.first, all.first.begin() + static_cast<std::ptrdiff_t>(at));
            std::ranges::copy(some.second, all.second.begin() + static_cast<std::ptrdiff_t>(at));
        }
        transformer_.mutable_grad().reset();
    }

    bool sparse_;
    at::Tensor transformer_, transformer_bias_, output_, output_bias_;
    std::vector<AdamMoments> moments_;
    std::uint64_t steps_ = 0;
    std::array<std::vector<std::int64_t>, 2> indices_;
    std::array<std::vector<std::int64_t>, 2> offsets_;
};

struct Measured {
    double speed = 0;  // positions a second
    double loss = 0;   // of the held-out positions, afterwards
};

base::Result<Measured> measure(const Settings& settings, Trainee& trainee, std::size_t size,
                               const Batch& held_out) {
    const auto options = sampling(settings, games::Split::Train);
    if (!options) return std::unexpected(options.error());
    auto source = open_positions(*options);
    if (!source) return std::unexpected(source.error());
    SampleStream stream(
        std::move(*source), {}, size, [](const Samples& samples) -> base::Result<std::unique_ptr<Encoded>> {
            return std::make_unique<EncodedPositions>(
                encode(std::get<std::vector<games::Sample>>(samples), *kArchitecture.features, rule()));
        });
    const std::size_t steps = std::max<std::size_t>(1, settings.positions / size);
    const std::size_t warm_up = std::max<std::size_t>(1, steps / 10);
    Clock::time_point start;
    for (std::size_t step = 0; step < warm_up + steps; ++step) {
        if (step == warm_up) start = Clock::now();
        const auto batch = stream.next();
        if (!batch) return std::unexpected(batch.error());
        trainee.train(static_cast<const EncodedPositions&>(*batch->samples).batch);
    }
    Measured measured;
    measured.speed = static_cast<double>(steps * size) / seconds_from(start);
    LossSum loss;
    const std::vector<float> logits = trainee.logits(held_out);
    for (std::size_t i = 0; i < logits.size(); ++i)
        loss.add(static_cast<double>(logits[i]), static_cast<double>(held_out.targets[i]));
    measured.loss = loss.mean().cross_entropy;
    return measured;
}

base::Result<Batch> draw_held_out(const Settings& settings) {
    const auto options = sampling(settings, games::Split::Validation);
    if (!options) return std::unexpected(options.error());
    auto sampler = games::Sampler::open(*options);
    if (!sampler) return std::unexpected(sampler.error());
    std::vector<games::Sample> samples;
    if (const auto got = sampler->next(kHeldOut, samples); !got) return std::unexpected(got.error());
    return encode(samples, *kArchitecture.features, rule());
}

std::string range(std::vector<double> all) {
    std::ranges::sort(all);
    return fmt::format("{:8.0f} ({:.0f} to {:.0f})", all[all.size() / 2], all.front(), all.back());
}

// Nanoseconds of one thread for a row of a panel, read and added up in registers (forward), and added to in
// place (backward), all threads at it at once, the rows in no order: what the caches and the adders allow.
struct RowCost {
    double read = 0;
    double write = 0;
};

using Sixteen [[gnu::vector_size(64)]] = float;
constexpr std::size_t kRowVectors = kPanel / 16;

template <class Sweep>
double nanoseconds_a_row(int threads, Sweep sweep) {
    constexpr std::size_t rows = 768;
    constexpr int sweeps = 50'000;
    std::vector<double> seconds(static_cast<std::size_t>(threads));
    std::vector<float> sinks(static_cast<std::size_t>(threads));
    {
        std::vector<std::jthread> all;
        all.reserve(seconds.size());
        for (std::size_t thread = 0; thread < seconds.size(); ++thread)
            all.emplace_back([&, thread] {
                std::vector<Sixteen> table(rows * kRowVectors);
                std::array<Sixteen, kRowVectors> sums{};
                const auto start = Clock::now();
                for (int i = 0; i < sweeps; ++i)
                    for (std::size_t row = 0; row < rows; ++row)
                        sweep(table.data() + row * 389 % rows * kRowVectors, sums);
                seconds[thread] = seconds_from(start);
                sinks[thread] = sums[0][0] + table[0][0];
            });
    }
    if (std::accumulate(sinks.begin(), sinks.end(), 0.0F) < 0) fmt::print("impossible\n");
    return 1e9 * *std::ranges::max_element(seconds) / sweeps / rows;
}

RowCost row_cost(int threads) {
    using Sums = std::array<Sixteen, kRowVectors>;
    return {nanoseconds_a_row(threads,
                              [](const Sixteen* row, Sums& sums) {
                                  for (std::size_t v = 0; v < kRowVectors; ++v) sums[v] += row[v];
                              }),
            nanoseconds_a_row(threads, [](Sixteen* row, const Sums& sums) {
                for (std::size_t v = 0; v < kRowVectors; ++v) row[v] += sums[v];
            })};
}

base::Status run(const Settings& settings) {
    if (const std::string warning = prepare_torch(settings.threads); !warning.empty())
        fmt::print("warning: {}\n", warning);
    const auto held_out = draw_held_out(settings);
    if (!held_out) return std::unexpected(held_out.error());
    const double active = std::accumulate(held_out->counts.begin(), held_out->counts.end(), 0.0) /
                          static_cast<double>(held_out->size());
    fmt::print(
        "768 -> {} x 2 -> 1, Adam, {} threads, {} positions each, {:.1f} active features a position; "
        "{} held-out positions\n\n",
        kWidth, torch_threads(), settings.positions, active, held_out->size());
    const std::vector<std::pair<const char*, std::function<std::unique_ptr<Trainee>()>>> makers{
        {"scholar", [] { return std::make_unique<Ours>(); }},
        {"embedding_bag, dense", [] { return std::make_unique<Theirs>(false); }},
        {"embedding_bag, sparse", [] { return std::make_unique<Theirs>(true); }}};
    fmt::print("{:>6}  {:<22} {:>34} {:>10}\n", "batch", "", "positions/s", "loss");
    double best_ours = 0;
    double best_theirs = 0;
    for (const std::size_t size : {1'024, 4'096, 16'384, 65'536}) {
        std::vector<std::vector<double>> speeds(makers.size());
        std::vector<double> losses(makers.size());
        for (int round = 0; round < settings.rounds; ++round)
            for (std::size_t who = 0; who < makers.size(); ++who) {
                const auto trainee = makers[who].second();
                const auto measured = measure(settings, *trainee, size, *held_out);
                if (!measured) return std::unexpected(measured.error());
                speeds[who].push_back(measured->speed);
                losses[who] = measured->loss;
            }
        for (std::size_t who = 0; who < makers.size(); ++who) {
            fmt::print("{:>6}  {:<22} {:>34} {:>10.5f}\n", size, makers[who].first, range(speeds[who]),
                       losses[who]);
            std::ranges::sort(speeds[who]);
            double& best = who == 0 ? best_ours : best_theirs;
            best = std::max(best, speeds[who][speeds[who].size() / 2]);
        }
        std::fflush(stdout);
    }
    fmt::print("\nbest against best: {:.2f} times\n", best_ours / best_theirs);
    // Forward reads the row of each active feature in each panel; backward adds to it.
    const RowCost cost = row_cost(settings.threads);
    const double rows = active * (kWidth / static_cast<double>(kPanel));
    const double bound = 1e9 * settings.threads / (rows * (cost.read + cost.write));
    fmt::print(
        "the rows alone: {:.0f} a position, {:.2f} ns to read and {:.2f} ns to add to in cache, so at most "
        "{:.0f} "
        "positions/s with {} threads; best {:.0f} %\n",
        rows, cost.read, cost.write, bound, settings.threads, 100 * best_ours / bound);
    return {};
}

}  // namespace
}  // namespace scholar::learning

int main(int argc, char** argv) {
    scholar::learning::Settings settings;
    for (int i = 1; i < argc; ++i) {
        const auto number = [&](const char* name) {
            return std::strcmp(argv[i], name) == 0 && i + 1 < argc ? std::atoi(argv[++i]) : 0;
        };
        if (const int positions = number("--positions"))
            settings.positions = static_cast<std::size_t>(positions);
        else if (const int rounds = number("--rounds"))
            settings.rounds = rounds;
        else if (const int threads = number("--threads"))
            settings.threads = threads;
        else
            settings.stores.emplace_back(argv[i]);
    }
    if (settings.stores.empty()) {
        fmt::print(stderr, "usage: trainer_speed STORE... [--positions N] [--rounds N] [--threads N]\n");
        return 2;
    }
    if (const auto status = scholar::learning::run(settings); !status) {
        fmt::print(stderr, "trainer_speed: {}\n", status.error().message);
        return 1;
    }
    return 0;
}
