#include "learning/training/sample_source.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <numeric>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"

namespace scholar::learning {

namespace {

using Positions = std::vector<games::Sample>;
using Pairs = std::vector<SamplePair>;
using Nodes = std::vector<LabelledNode>;

std::string games_of(const games::Sampler& sampler) {
    return fmt::format("{}, {}", base::counted(sampler.total_games(), "game"),
                       base::counted(sampler.total_plies(), "half-move"));
}

class PositionSource final : public SampleSource {
  public:
    explicit PositionSource(games::Sampler sampler) : sampler_(std::move(sampler)) {}

    Samples none() const override { return Positions(); }
    void start_pass(std::uint64_t pass) override { sampler_.start_epoch(pass); }
    base::Result<std::size_t> next(std::size_t count, Samples& into) override {
        return sampler_.next(count, std::get<Positions>(into));
    }
    base::Status skip(std::size_t count) override { return sampler_.skip(count); }
    std::uint64_t data_hash() const override { return sampler_.data_hash(); }
    std::string describe() const override { return games_of(sampler_); }
    std::string_view unit() const override { return "position"; }
    double reading_seconds() const override { return sampler_.reading_seconds(); }

  private:
    games::Sampler sampler_;
};

// The order of a pair's two positions, apart from what the samplers draw.
constexpr std::uint64_t kPairOrder = 0x9A12'0000'0000;

class PairSource final : public SampleSource {
  public:
    PairSource(games::Sampler won, games::Sampler lost, std::uint64_t seed)
        : won_(std::move(won)), lost_(std::move(lost)), seed_(seed), order_(seed) {}

    Samples none() const override { return Pairs(); }
    void start_pass(std::uint64_t pass) override {
        won_.start_epoch(pass);
        lost_.start_epoch(pass);
        order_ = base::Random(seed_, kPairOrder + pass);
        ended_ = false;
    }
    base::Result<std::size_t> next(std::size_t count, Samples& into) override {
        auto& pairs = std::get<Pairs>(into);
        if (ended_) return 0;
        Positions won;
        Positions lost;
        for (const auto& [sampler, side] : {std::pair{&won_, &won}, {&lost_, &lost}})
            if (const auto drawn = sampler->next(count, *side); !drawn) return std::unexpected(drawn.error());
        const std::size_t both = std::min(won.size(), lost.size());
        // What the longer side has left has nobody to be compared with.
        ended_ = both < count;
        for (std::size_t i = 0; i < both; ++i) pairs.push_back({won[i], lost[i], order_.below(2) == 1});
        return both;
    }
    base::Status skip(std::size_t count) override {
        for (std::size_t i = 0; i < count; ++i) order_.below(2);
        if (auto status = won_.skip(count); !status) return status;
        return lost_.skip(count);
    }
    std::uint64_t data_hash() const override { return won_.data_hash(); }
    std::string describe() const override { return games_of(won_); }
    std::string_view unit() const override { return "pair"; }
    double reading_seconds() const override { return won_.reading_seconds() + lost_.reading_seconds(); }

  private:
    games::Sampler won_;
    games::Sampler lost_;
    std::uint64_t seed_;
    base::Random order_;
    bool ended_ = false;
};

class NodeSource final : public SampleSource {
  public:
    NodeSource(Nodes nodes, std::uint64_t seed) : nodes_(std::move(nodes)), seed_(seed) {
        for (const LabelledNode& node : nodes_) {
            hash_ = base::hash_bytes(std::as_bytes(std::span(node.labels)), hash_);
            const std::string fen = chess::to_fen(node.position);
            hash_ = base::hash_bytes(std::as_bytes(std::span(fen)), hash_);
        }
        start_pass(0);
    }

    Samples none() const override { return Nodes(); }
    void start_pass(std::uint64_t pass) override {
        order_.resize(nodes_.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        base::Random(seed_, pass).shuffle(order_);
        given_ = 0;
    }
    base::Result<std::size_t> next(std::size_t count, Samples& into) override {
        auto& nodes = std::get<Nodes>(into);
        const std::size_t end = std::min(order_.size(), given_ + count);
        const std::size_t first = given_;
        for (; given_ < end; ++given_) nodes.push_back(nodes_[order_[given_]]);
        return end - first;
    }
    base::Status skip(std::size_t count) override {
        given_ = std::min(order_.size(), given_ + count);
        return {};
    }
    std::uint64_t data_hash() const override { return hash_; }
    std::string describe() const override { return base::counted(nodes_.size(), "node"); }
    std::string_view unit() const override { return "node"; }
    double reading_seconds() const override { return 0; }

  private:
    Nodes nodes_;
    std::uint64_t seed_;
    std::uint64_t hash_ = 0;
    std::vector<std::size_t> order_;
    std::size_t given_ = 0;
};

}  // namespace

base::Result<std::unique_ptr<SampleSource>> open_positions(const games::Sampler::Options& options) {
    auto sampler = games::Sampler::open(options);
    if (!sampler) return std::unexpected(sampler.error());
    return std::make_unique<PositionSource>(std::move(*sampler));
}

base::Result<std::unique_ptr<SampleSource>> open_pairs(const games::Sampler::Options& options) {
    using games::stages::Result;
    const auto open = [&](Result::Kind kind) {
        games::Sampler::Options side = options;
        auto& stages = side.sampling.stages;
        stages.insert(stages.begin(), Result{.is = kind});
        return games::Sampler::open(side);
    };
    auto won = open(Result::Kind::WhiteWins);
    if (!won) return std::unexpected(won.error());
    auto lost = open(Result::Kind::BlackWins);
    if (!lost) return std::unexpected(lost.error());
    return std::make_unique<PairSource>(std::move(*won), std::move(*lost), options.seed);
}

std::unique_ptr<SampleSource> hold_nodes(std::vector<LabelledNode> nodes, std::uint64_t seed) {
    return std::make_unique<NodeSource>(std::move(nodes), seed);
}

base::Result<Samples> draw_samples(SampleSource& source, std::size_t count) {
    source.start_pass(0);
    Samples samples = source.none();
    std::visit([count](auto& all) { all.reserve(count); }, samples);
    if (const auto drawn = source.next(count, samples); !drawn) return std::unexpected(drawn.error());
    return samples;
}

}  // namespace scholar::learning
