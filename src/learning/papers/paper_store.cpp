#include "learning/papers/paper_store.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arena/engine_identity.hpp"
#include "arena/ladder.hpp"
#include "arena/player.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "engine/engine.hpp"
#include "games/openings.hpp"
#include "games/store.hpp"
#include "selfplay/labelled_games.hpp"
#include "selfplay/system_games.hpp"

namespace scholar::learning {

namespace {

namespace fs = std::filesystem;

arena::EngineConfig player_of(const PaperStore& wanted) {
    arena::EngineConfig config;
    config.protocol = arena::Protocol::Internal;
    config.options = {{"Hash", "4"}};
    config.options.insert(config.options.end(), wanted.options.begin(), wanted.options.end());
    return config;
}

base::Status play(const PaperStore& wanted, const fs::path& store, int threads, const std::stop_token& stop) {
    auto plan = paper_plan(wanted);
    if (!plan) return std::unexpected(plan.error());
    selfplay::SystemGames how;
    how.plan = std::move(*plan);
    how.games = wanted.games;
    how.threads = threads;
    how.store = store;
    how.settings = {{"games", fmt::format("{}", wanted.games)}, {"nodes", fmt::format("{}", wanted.nodes)}};
    how.resume = true;
    const auto played = selfplay::play_system_games(
        how, [&wanted] { return paper_engine(wanted); }, [](std::uint64_t) {}, stop);
    if (!played) return std::unexpected(played.error());
    return played->finished ? base::Status() : base::Status(stopped_to_go_on());
}

base::Status label(const PaperStore& wanted, const fs::path& played, const fs::path& store, int threads,
                   const std::stop_token& stop) {
    auto games = games::read_all_games(played);
    if (!games) return std::unexpected(games.error());
    selfplay::LabelledGames how;
    how.plan.games = std::move(*games);
    how.plan.annotator = "Scholar, static";
    how.threads = threads;
    how.store = store;
    how.resume = true;
    const auto made = selfplay::label_games(
        std::move(how), [&wanted] { return arena::start_player(player_of(wanted), {}); },
        [](std::uint64_t) {}, stop);
    if (!made) return std::unexpected(made.error());
    return made->finished ? base::Status() : base::Status(stopped_to_go_on());
}

// Of where its games begin, and by which lot, if that is said.
std::string beginnings_word(const PaperStore& wanted) {
    std::string all = wanted.seed == 1 ? "" : fmt::format("{} ", wanted.seed);
    if (wanted.openings.empty()) return all.empty() ? all : " " + all;
    for (const games::Opening& opening : wanted.openings) {
        games::Game game;
        game.start = opening.start;
        game.moves = opening.moves;
        all += base::to_hex(game.hash());
    }
    return " " + base::to_hex(base::hash_text(all));
}

}  // namespace

base::Result<selfplay::SystemPlan> paper_plan(const PaperStore& wanted) {
    selfplay::SystemPlan plan;
    plan.seed = wanted.seed;
    plan.limit = search::NodeLimit{wanted.nodes};
    plan.openings = wanted.openings;
    plan.max_plies = 200;
    if (!plan.openings.empty()) return plan;
    auto openings = games::parse_openings(arena::embedded_openings(), "the built-in openings");
    if (!openings) return std::unexpected(openings.error());
    plan.openings = std::move(*openings);
    plan.most_random_plies = 4;
    return plan;
}

base::Result<std::unique_ptr<engine::Engine>> paper_engine(const PaperStore& wanted) {
    auto engine = engine::Engine::create();
    if (!engine) return std::unexpected(engine.error());
    for (const auto& [name, value] : player_of(wanted).options)
        if (auto set = (*engine)->set_option(name, value); !set) return std::unexpected(set.error());
    return engine;
}

base::Result<std::string> paper_word(const PaperStore& wanted) {
    const auto who = arena::describe_engine(player_of(wanted));
    if (!who) return std::unexpected(who.error());
    return base::to_hex(base::hash_text(fmt::format("{} {} {}{}", base::json_text(*who), wanted.games,
                                                    wanted.nodes, beginnings_word(wanted))))
        .substr(0, 8);
}

base::Result<fs::path> make_paper_store(const PaperStore& wanted, const fs::path& folder, int threads,
                                        const std::stop_token& stop) {
    const auto word = paper_word(wanted);
    if (!word) return std::unexpected(word.error());
    std::error_code error;
    fs::create_directories(folder, error);
    const auto file = [&](const char* kind) {
        return folder / fmt::format("{}-{}{}.games", wanted.name, *word, kind);
    };
    fs::path played = file("");
    if (!fs::exists(played, error))
        if (auto status = play(wanted, played, threads, stop); !status)
            return std::unexpected(status.error());
    if (!wanted.is_static) return played;
    fs::path labelled = file("-static");
    if (!fs::exists(labelled, error))
        if (auto status = label(wanted, played, labelled, threads, stop); !status)
            return std::unexpected(status.error());
    return labelled;
}

}  // namespace scholar::learning
