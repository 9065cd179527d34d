#include "selfplay/system_games.hpp"

#include <algorithm>
#include <mutex>

#include "base/text.hpp"
#include "selfplay/in_order.hpp"

namespace scholar::selfplay {

base::Result<SystemGamesResult> play_system_games(const SystemGames& how, const EngineMaker& make_engine,
                                                  const std::function<void(std::uint64_t)>& told,
                                                  const std::stop_token& stop) {
    const int threads =
        static_cast<int>(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(how.threads), 1, how.games));
    std::vector<std::unique_ptr<SystemPlayer>> players;
    for (int i = 0; i < threads; ++i) {
        auto engine = make_engine();
        if (!engine) return std::unexpected(engine.error());
        players.push_back(std::make_unique<SystemPlayer>(how.plan, std::move(*engine)));
    }
    auto store = GrowingStore::open(how.store, how.settings, how.resume, how.replace);
    if (!store) return std::unexpected(store.error());

    SystemGamesResult result;
    result.before = result.games = store->games();
    told(result.games);
    std::mutex mutex;
    base::Status status;  // the first error
    std::stop_source failed;
    const auto fail_with = [&](const base::Error& error) {
        const std::scoped_lock lock(mutex);
        if (status) status = std::unexpected(error);
        failed.request_stop();
    };
    const std::stop_callback stopped(stop, [&failed] { failed.request_stop(); });
    in_order<games::Game>(
        threads, result.before, how.games - std::min(result.before, how.games),
        [&](int worker, std::uint64_t number) -> std::optional<games::Game> {
            auto game = players[static_cast<std::size_t>(worker)]->play(number, failed.get_token());
            if (game) return std::move(*game);
            fail_with(game.error());
            return std::nullopt;
        },
        [&](games::Game&& game) {
            if (auto added = store->add(game); !added) {
                fail_with(base::Error{fmt::format("{}: {}", how.store.string(), added.error().message)});
                return false;
            }
            told(++result.games);
            return true;
        });
    if (!status) return std::unexpected(status.error());
    if (result.games < how.games) return result;
    auto finished = store->finish();
    if (!finished) return std::unexpected(finished.error());
    result.finished = *finished;
    return result;
}

}  // namespace scholar::selfplay
