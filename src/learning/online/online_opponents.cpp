#include "learning/online/online_opponents.hpp"

namespace scholar::learning {

namespace {

// Failures of an opponent running, after which it plays no more.
constexpr int kMostFailures = 3;

}  // namespace

base::Result<OnlineOpponents> OnlineOpponents::find(const OnlineRecipe& recipe, Tell tell) {
    const auto ladder = recipe.plays_built_in()
                            ? arena::parse_ladder(online_opponents(), "the built-in opponents")
                            : arena::read_ladder(recipe.opponents);
    if (!ladder) return std::unexpected(ladder.error());
    auto pool = arena::OpponentPool::find(*ladder, {});
    if (!pool) return std::unexpected(pool.error());
    return OnlineOpponents(std::move(*pool), std::move(tell));
}

OnlineOpponents::OnlineOpponents(arena::OpponentPool pool, Tell tell)
    : pool_(std::move(pool)), engines_(pool_.opponents().size()), tell_(std::move(tell)) {}

base::Result<std::size_t> OnlineOpponents::choose(const arena::Glicko& player, double spread,
                                                  base::Random& random) {
    std::string last;
    while (const auto number = pool_.choose(player, spread, random)) {
        const auto ready = make_ready(*number);
        if (ready) return *number;
        last = ready.error().message;
        note_failure(*number, last);
    }
    return base::fail("no opponent is left that plays{}", last.empty() ? "" : " (" + last + ")");
}

base::Status OnlineOpponents::make_ready(std::size_t number) {
    const arena::RatedOpponent& opponent = pool_.opponents()[number];
    auto& player = engines_[number].player;
    if (!player || !player->plays_again()) {
        player.reset();
        auto started = arena::start_player(opponent.player.config, {});
        if (!started) return std::unexpected(started.error());
        player = std::move(*started);
    }
    auto ready = player->new_game({false, opponent.time_control});
    if (!ready) player.reset();
    return ready;
}

void OnlineOpponents::note_game(std::size_t number, bool failed, const std::string& reason) {
    if (failed)
        note_failure(number, reason);
    else
        engines_[number].failures = 0;
}

void OnlineOpponents::note_failure(std::size_t number, const std::string& reason) {
    Engine& engine = engines_[number];
    engine.player.reset();
    const std::string& name = pool_.opponents()[number].player.config.name;
    const bool plays_on = ++engine.failures < kMostFailures;
    if (!plays_on) pool_.drop(number);
    tell_(fmt::format("warning: {}: {}{}", name, reason,
                      plays_on ? "" : fmt::format("; it plays no more, after {} failures", kMostFailures)));
}

void OnlineOpponents::set_rating(std::size_t number, const arena::Glicko& rating) {
    if (!pool_.opponents()[number].player.anchor) pool_.set_rating(number, rating);
}

}  // namespace scholar::learning
