#include "cli/game_files.hpp"

#include "base/progress.hpp"
#include "cli/games_shared.hpp"
#include "cli/output.hpp"
#include "games/pgn.hpp"
#include "games/store.hpp"

namespace scholar::cli {

namespace {

using Use = std::function<base::Status(const games::Game&)>;

base::Status for_each_game_of_pgn(const std::string& path, const std::string& what, ProblemLog& problems,
                                  const std::stop_token& stop, const Use& use) {
    auto reader = games::PgnReader::open(path);
    if (!reader) return std::unexpected(reader.error());
    base::Progress progress(what, 0, "games");
    std::string first_problem;
    bool any = false;
    while (!stop.stop_requested()) {
        const auto item = reader->next();
        if (!item) return std::unexpected(item.error());
        if (*item == games::PgnItem::End) {
            if (!any && !first_problem.empty()) return base::fail("no game could be read: {}", first_problem);
            return {};
        }
        const bool good = *item != games::PgnItem::Problem;
        if (!good && first_problem.empty()) first_problem = reader->problem().to_string();
        any = any || good;
        const auto status = good ? use(reader->game()) : problems.add(reader->problem());
        if (!status) return status;
        progress.update(reader->games(), path);
    }
    return base::fail("stopped in {}", path);
}

}  // namespace

base::Status for_each_game_of(const std::string& path, const std::string& what, ProblemLog& problems,
                              const std::stop_token& stop, const Use& use) {
    if (!is_game_store(path)) return for_each_game_of_pgn(path, what, problems, stop, use);
    const auto store = games::StoreReader::open(path);
    if (!store) return std::unexpected(store.error());
    return for_each_game(*store, what, stop, [&](const games::Game& game, const auto&) { return use(game); });
}

}  // namespace scholar::cli
