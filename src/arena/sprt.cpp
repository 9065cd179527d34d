#include "arena/sprt.hpp"

#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include "base/text.hpp"

namespace scholar::arena {

double most_sprt_elo(EloModel model) {
    // With more, no distribution over the results of a pair has such a ratio of mean and spread that the fit,
    // which begins with a uniform one, could reach.
    return model == EloModel::Normalised ? 200 : 1000;
}

base::Status check_sprt(const SprtSettings& settings) {
    const double most = most_sprt_elo(settings.model);
    for (const auto& [name, elo] : {std::pair("elo0", settings.elo0), std::pair("elo1", settings.elo1)})
        if (!(std::abs(elo) <= most))
            return base::fail("{} is {:g}, expected from {:g} to {:g} {}", name, elo, -most, most,
                              settings.model == EloModel::Normalised ? "normalised Elo" : "Elo");
    if (!(settings.elo0 < settings.elo1))
        return base::fail("elo0 is {:g} and elo1 {:g}, expected the first to be the smaller", settings.elo0,
                          settings.elo1);
    for (const auto& [name, rate] : {std::pair("alpha", settings.alpha), std::pair("beta", settings.beta)})
        if (!std::isfinite(rate) || rate <= 0 || rate >= 1)
            return base::fail("{} is {:g}, expected above 0 and below 1", name, rate);
    if (settings.alpha + settings.beta >= 1)
        return base::fail("alpha is {:g} and beta {:g}, expected them to be together below 1", settings.alpha,
                          settings.beta);
    return {};
}

void Sprt::update(const Pentanomial& pairs) {
    const auto count = std::accumulate(pairs.begin(), pairs.end(), std::uint64_t{0});
    if (verdict_ != Verdict::None || count == 0) return;
    pairs_ = count;
    ratio_ = log_likelihood_ratio(pairs, settings_.elo0, settings_.elo1, settings_.model);
    if (ratio_ >= bounds_.upper) verdict_ = Verdict::Elo1;
    if (ratio_ <= bounds_.lower) verdict_ = Verdict::Elo0;
}

void Sprt::replay(const std::vector<GameSummary>& earlier, int games) {
    PairCounter counter;
    for (const auto& game : earlier)
        if (game.number < games && counter.add(game)) update(counter.pairs());
}

std::string Sprt::describe_briefly() const {
    return fmt::format("LLR {:+.2f} ({:.2f}, {:.2f})", ratio_, bounds_.lower, bounds_.upper);
}

std::string Sprt::describe() const {
    const char* verdict = verdict_ == Verdict::Elo1   ? "elo1 accepted"
                          : verdict_ == Verdict::Elo0 ? "elo0 accepted"
                                                      : "not decided";
    return fmt::format("{} of [{:g}, {:g}]: {} after {}", describe_briefly(), settings_.elo0, settings_.elo1,
                       verdict, base::counted(pairs_, "pair"));
}

}  // namespace scholar::arena
