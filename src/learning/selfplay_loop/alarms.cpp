#include "learning/selfplay_loop/alarms.hpp"

#include <algorithm>
#include <numeric>

#include "base/text.hpp"
#include "nets/perspective/head_values.hpp"

namespace scholar::learning {

namespace {

constexpr std::size_t kRounds = 3;  // that are looked at together
constexpr double kMostDraws = 0.95;
constexpr double kMostDead = 0.5;
constexpr double kMostSaturated = 0.5;
constexpr double kMostRepeated = 0.02;
constexpr double kLossTolerance = 1.01;  // above that of a constant
// A network that says the same of everything has the loss of a constant. Any other is below this share of it
// after so many positions.
constexpr double kLeastLearnt = 0.99;
constexpr std::uint64_t kLearnsSomethingWithin = 4'000'000;
// Rounds over which the loss on new positions is compared, which are few in each, and how much higher it may
// be, in nats: in runs that grew stronger it was 0.008 to 0.014, in one that lost strength 0.0185.
constexpr std::size_t kRoundsByHeart = 200;
constexpr double kMostByHeart = 0.0165;
constexpr double kOverBelow = 0.9;  // of that: else noise would ring it again and again
// What is to be done is longer than a line.
constexpr const char* kHelp = " (docs/learning.md, When something goes wrong)";
constexpr std::size_t kRemembered = 200'000;
// Of an output bucket: of fewer nothing is said of its units.
constexpr int kLeastOfBucket = 16;

// The units of a layer over some positions, one after the other.
class UnitCounts {
  public:
    explicit UnitCounts(int units) : alive_(static_cast<std::size_t>(units)) {}
    void add(std::span<const int> values, int top) {
        for (std::size_t unit = 0; unit < alive_.size(); ++unit) {
            alive_[unit] |= values[unit] > 0;
            saturated_ += values[unit] >= top;
        }
        ++times_;
    }
    int times() const { return times_; }
    int units() const { return static_cast<int>(alive_.size()); }
    int dead() const { return static_cast<int>(std::ranges::count(alive_, 0)); }
    std::uint64_t saturated() const { return saturated_; }

  private:
    std::vector<char> alive_;
    std::uint64_t saturated_ = 0;
    int times_ = 0;
};

UnitActivity together(std::span<const UnitCounts> parts, int least_times) {
    UnitActivity activity;
    std::uint64_t saturated = 0;
    std::uint64_t all = 0;
    for (const UnitCounts& part : parts) {
        if (part.times() < least_times) continue;
        activity.units += part.units();
        activity.dead += part.dead();
        saturated += part.saturated();
        all += static_cast<std::uint64_t>(part.times()) * static_cast<std::uint64_t>(part.units());
    }
    if (all > 0) activity.saturated = static_cast<double>(saturated) / static_cast<double>(all);
    return activity;
}

UnitActivity transformer_activity(const nets::Network& network, std::span<const chess::Position> positions) {
    UnitCounts counts(network.width());
    std::vector<int> sums(static_cast<std::size_t>(network.width()));
    for (const chess::Position& position : positions)
        for (const chess::Color viewpoint : chess::kColors) {
            nets::ActiveFeatures active;
            network.info.architecture.features->encode(position, viewpoint, active);
            sums.assign(network.transformer_bias.begin(), network.transformer_bias.end());
            for (const std::uint16_t feature : active)
                for (std::size_t unit = 0; unit < sums.size(); ++unit)
                    sums[unit] += network.first_layer().row(feature)[unit];
            counts.add(sums, nets::Network::kActivationScale);
        }
    return together({&counts, 1}, 1);
}

std::string layer_name(std::size_t layer) {
    return layer == 0 ? "the first layer" : fmt::format("hidden layer {}", layer);
}

}  // namespace

std::vector<UnitActivity> measure_activity(const nets::Network& network,
                                           std::span<const chess::Position> positions) {
    const nets::Architecture& architecture = network.info.architecture;
    std::vector<UnitActivity> activity{transformer_activity(network, positions)};
    // A unit of a hidden layer is another in each output bucket.
    std::vector<std::vector<UnitCounts>> counts(network.hidden.size());  // [layer][output bucket]
    for (std::size_t layer = 0; layer < counts.size(); ++layer)
        counts[layer].assign(static_cast<std::size_t>(architecture.output_buckets),
                             UnitCounts(architecture.hidden[layer]));
    if (!counts.empty())
        for (const chess::Position& position : positions) {
            const int bucket = architecture.output_bucket(chess::popcount(position.occupied()));
            const auto values = nets::head_values(network, position);
            for (std::size_t layer = 0; layer < counts.size(); ++layer)
                counts[layer][static_cast<std::size_t>(bucket)].add(values[layer + 1],
                                                                    nets::Network::kHiddenScale);
        }
    for (const std::vector<UnitCounts>& buckets : counts)
        activity.push_back(together(buckets, kLeastOfBucket));
    return activity;
}

bool Alarms::is_repeated(std::uint64_t game_hash) {
    if (!seen_.insert(game_hash).second) return true;
    order_.push_back(game_hash);
    if (order_.size() > kRemembered) {
        seen_.erase(order_.front());
        order_.pop_front();
    }
    return false;
}

void Alarms::raise(bool trouble, bool& ringing, std::string text, std::vector<std::string>& into) const {
    if (trouble && !ringing) into.push_back("alarm: " + std::move(text) + kHelp);
    ringing = trouble;
}

std::vector<std::string> Alarms::check(const RoundSummary& round, std::span<const UnitActivity> activity) {
    recent_.push_back(round);
    if (recent_.size() > kRounds) recent_.pop_front();
    std::uint64_t games = 0;
    std::uint64_t draws = 0;
    for (const RoundSummary& each : recent_) {
        games += each.games;
        draws += each.draws;
    }
    const bool enough = recent_.size() == kRounds;
    const double drawn = games == 0 ? 0 : static_cast<double>(draws) / static_cast<double>(games);
    std::vector<std::string> lines;
    raise(
        enough && drawn > kMostDraws, draws_,
        fmt::format("{:.0f} % of the games of the last {} rounds were drawn: little can be learnt from them; "
                    "more random moves at the start help",
                    100 * drawn, kRounds),
        lines);
    raise(enough && std::ranges::all_of(recent_,
                                        [](const RoundSummary& each) {
                                            return each.steps > 0 &&
                                                   each.loss > kLossTolerance * each.constant_loss;
                                        }),
          loss_,
          fmt::format("the loss, {:.4f}, has been above that of a constant, {:.4f}, for {} rounds: a smaller "
                      "learning_rate helps",
                      round.loss, round.constant_loss, kRounds),
          lines);
    trained_ += round.trained;
    raise(enough && trained_ >= kLearnsSomethingWithin &&
              std::ranges::all_of(recent_,
                                  [](const RoundSummary& each) {
                                      return each.steps > 0 && each.loss > kLeastLearnt * each.constant_loss;
                                  }),
          nothing_learnt_,
          fmt::format("the loss, {:.4f}, is hardly below that of a constant, {:.4f}, after {}: the "
                      "network says the same of all; another learning_rate helps, or beginning again",
                      round.loss, round.constant_loss, base::counted(trained_, "position")),
          lines);
    if (round.fresh_loss && round.seen_loss) by_heart_.push_back(*round.fresh_loss - *round.seen_loss);
    if (by_heart_.size() > kRoundsByHeart) by_heart_.pop_front();
    const double by_heart = std::accumulate(by_heart_.begin(), by_heart_.end(), 0.0) /
                            static_cast<double>(std::max<std::size_t>(1, by_heart_.size()));
    raise(by_heart_.size() == kRoundsByHeart && by_heart > (learnt_by_heart_ ? kOverBelow : 1) * kMostByHeart,
          learnt_by_heart_,
          fmt::format("over {} rounds the loss on new positions was {:.4f} above that on the window: it is "
                      "learnt by heart; a smaller reuse or a larger window helps",
                      kRoundsByHeart, by_heart),
          lines);
    // The first layer that has it stands for all: what helps is the same.
    const auto dead = std::ranges::find_if(
        activity, [](const UnitActivity& layer) { return layer.dead > kMostDead * layer.units; });
    raise(dead != activity.end(), dead_,
          dead == activity.end()
              ? ""
              : fmt::format("{} of {} of {} are 0 in every position: a smaller learning_rate helps, or "
                            "beginning again",
                            dead->dead, base::counted(dead->units, "unit"),
                            layer_name(static_cast<std::size_t>(dead - activity.begin()))),
          lines);
    const auto saturated = std::ranges::find_if(
        activity, [](const UnitActivity& layer) { return layer.saturated > kMostSaturated; });
    raise(saturated != activity.end(), saturated_,
          saturated == activity.end()
              ? ""
              : fmt::format("{:.0f} % of all activations of {} are clipped: a smaller learning_rate or "
                            "weight decay helps",
                            100 * saturated->saturated,
                            layer_name(static_cast<std::size_t>(saturated - activity.begin()))),
          lines);
    raise(round.games > 0 &&
              static_cast<double>(round.repeated) > kMostRepeated * static_cast<double>(round.games),
          repeats_,
          fmt::format("{} of {} had been played before: more random moves at the start help", round.repeated,
                      base::counted(round.games, "game")),
          lines);
    return lines;
}

std::vector<std::string> Alarms::ringing() const {
    std::vector<std::string> names;
    for (const auto& [rings, name] : {std::pair(draws_, "draws"),
                                      {loss_, "loss above a constant's"},
                                      {nothing_learnt_, "nothing learnt"},
                                      {learnt_by_heart_, "learnt by heart"},
                                      {dead_, "dead units"},
                                      {saturated_, "clipped units"},
                                      {repeats_, "repeated games"}})
        if (rings) names.emplace_back(name);
    return names;
}

}  // namespace scholar::learning
