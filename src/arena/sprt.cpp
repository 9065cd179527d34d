#include "arena/sprt.hpp"

#include <fmt/format.h>
#include <numeric>

namespace scholar::arena {

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
    return fmt::format("{} of [{:g}, {:g}]: {} after {} pair{}", describe_briefly(), settings_.elo0,
                       settings_.elo1, verdict, pairs_, pairs_ == 1 ? "" : "s");
}

}  // namespace scholar::arena
