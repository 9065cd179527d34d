#include "learning/alarms.hpp"

#include <algorithm>
#include <numeric>

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

}  // namespace

UnitActivity measure_activity(const nets::Network& network, std::span<const chess::Position> positions) {
    const int width = network.width();
    std::vector<char> alive(static_cast<std::size_t>(width));
    std::uint64_t saturated = 0;
    std::uint64_t all = 0;
    for (const chess::Position& position : positions)
        for (const chess::Color viewpoint : chess::kColors) {
            nets::ActiveFeatures active;
            network.info.architecture.features->encode(position, viewpoint, active);
            for (int unit = 0; unit < width; ++unit) {
                int sum = network.transformer_bias[static_cast<std::size_t>(unit)];
                for (const std::uint16_t feature : active) sum += network.row(feature)[unit];
                alive[static_cast<std::size_t>(unit)] |= sum > 0;
                saturated += sum >= nets::Network::kActivationScale;
                ++all;
            }
        }
    UnitActivity activity;
    activity.units = width;
    if (all == 0) return activity;
    activity.dead = static_cast<int>(std::ranges::count(alive, 0));
    activity.saturated = static_cast<double>(saturated) / static_cast<double>(all);
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

std::vector<std::string> Alarms::check(const RoundSummary& round, const UnitActivity& activity) {
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
          fmt::format("the loss, {:.4f}, is hardly below that of a constant, {:.4f}, after {} positions: the "
                      "network says the same of all; another learning_rate helps, or beginning again",
                      round.loss, round.constant_loss, trained_),
          lines);
    if (round.fresh_loss && round.steps > 0) by_heart_.push_back(*round.fresh_loss - round.loss);
    if (by_heart_.size() > kRoundsByHeart) by_heart_.pop_front();
    const double by_heart = std::accumulate(by_heart_.begin(), by_heart_.end(), 0.0) /
                            static_cast<double>(std::max<std::size_t>(1, by_heart_.size()));
    raise(by_heart_.size() == kRoundsByHeart && by_heart > (learnt_by_heart_ ? kOverBelow : 1) * kMostByHeart,
          learnt_by_heart_,
          fmt::format("over {} rounds the loss on new positions was {:.4f} above that on the window: it is "
                      "learnt by heart; a smaller reuse or a larger window helps",
                      kRoundsByHeart, by_heart),
          lines);
    raise(activity.units > 0 && activity.dead > kMostDead * activity.units, dead_,
          fmt::format(
              "{} of {} units are 0 in every position: a smaller learning_rate helps, or beginning again",
              activity.dead, activity.units),
          lines);
    raise(
        activity.saturated > kMostSaturated, saturated_,
        fmt::format("{:.0f} % of all activations are clipped: a smaller learning_rate or weight decay helps",
                    100 * activity.saturated),
        lines);
    raise(round.games > 0 &&
              static_cast<double>(round.repeated) > kMostRepeated * static_cast<double>(round.games),
          repeats_,
          fmt::format("{} of {} games had been played before: more random moves at the start help",
                      round.repeated, round.games),
          lines);
    return lines;
}

}  // namespace scholar::learning
