#include "selfplay/system_games.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace scholar::selfplay {

base::Result<FilledStore> play_system_games(const SystemGames& how, const EngineMaker& make_engine,
                                            const std::function<void(std::uint64_t)>& told,
                                            const std::stop_token& stop) {
    std::vector<std::unique_ptr<SystemPlayer>> players;
    for (int i = 0; i < workers_of(how); ++i) {
        auto engine = make_engine();
        if (!engine) return std::unexpected(engine.error());
        players.push_back(std::make_unique<SystemPlayer>(how.plan, std::move(*engine)));
    }
    using Played = base::Result<std::optional<std::vector<games::Game>>>;
    return fill_store(
        how,
        [&](int worker, std::uint64_t number, const std::stop_token& told_to_stop) -> Played {
            auto game = players[static_cast<std::size_t>(worker)]->play(number, told_to_stop);
            if (!game) return std::unexpected(game.error());
            if (!*game) return std::nullopt;
            std::vector<games::Game> one;
            one.push_back(std::move(**game));
            return one;
        },
        told, stop);
}

}  // namespace scholar::selfplay
