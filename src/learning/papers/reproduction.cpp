#include "learning/papers/reproduction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "arena/engine_identity.hpp"
#include "arena/match.hpp"
#include "arena/match_state.hpp"
#include "arena/placement.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "games/openings.hpp"
#include "learning/measuring/ladder_place.hpp"
#include "learning/online/online_learner.hpp"
#include "learning/reports/online_report.hpp"
#include "nets/container/open_network.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kQuickNodes = 500;
constexpr std::array kNetworkOptions{"EvalFile", "PolicyFile", "OrderFile"};

// Of all networks that it names: games of others that had the same name, in a folder that was removed and
// learnt again, are not its own. Nothing of one that names none.
base::Result<std::string> weights_of(const Contender& contender) {
    std::vector<std::string> names{contender.network.string()};
    for (const auto& [option, value] : contender.options)
        if (std::ranges::find(kNetworkOptions, option) != kNetworkOptions.end()) names.push_back(value);
    std::string all;
    for (const std::string& name : names) {
        if (name.empty() || name == "<embedded>" || name == "<empty>") continue;
        const auto network = nets::open_network(name);
        if (!network) return std::unexpected(network.error());
        all += " " + network->content_name();
    }
    return all;
}

// Its name, and which weights it has.
base::Result<std::string> full_name(const Contender& contender) {
    const auto weights = weights_of(contender);
    if (!weights) return std::unexpected(weights.error());
    if (weights->empty()) return contender.name;
    return fmt::format("{} {}", contender.name, base::to_hex(base::hash_text(*weights)).substr(0, 8));
}

arena::EngineConfig engine_of(const Contender& contender, const std::string& name) {
    arena::EngineConfig config;
    config.name = name;
    config.options = contender.options;
    if (!contender.command.empty()) {
        config.command = contender.command;
        return config;
    }
    config.protocol = arena::Protocol::Internal;
    const auto is_hash = [](const auto& option) { return option.first == "Hash"; };
    if (std::ranges::none_of(config.options, is_hash)) config.options.emplace_back("Hash", "16");
    if (!contender.network.empty()) config.options.emplace_back("EvalFile", contender.network.string());
    return config;
}

// Who is asked without a match plays within this process.
base::Status expect_ours(const Contender& contender) {
    if (contender.command.empty()) return {};
    return base::fail("{}: an engine of its own, expected a network of this program", contender.name);
}

std::string failures_in(const arena::MatchResult& result, std::array<std::string_view, 2> names) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < names.size(); ++i)
        for (const arena::Failure failure : arena::kFailures)
            if (const std::uint64_t count = result.engines[i].count(failure); count > 0)
                all.push_back(fmt::format("{} {} {}", names[i], count, to_string(failure)));
    return fmt::format("{}", fmt::join(all, ", "));
}

// What was asked before; nothing, if nothing was.
base::Result<std::optional<arena::SuiteScore>> noted_score(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return std::nullopt;
    const auto text = base::read_text(file);
    if (!text) return std::unexpected(text.error());
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    if (!json.is_array() || json.size() != 6 ||
        !std::ranges::all_of(json, [](const auto& part) { return part.is_number_integer(); }))
        return base::fail(
            "{}: expected [positions, solved, points, most points, failures, late]; without the file the "
            "suite is asked again",
            file.string());
    return arena::SuiteScore{.theme = "total",
                             .positions = json[0].get<int>(),
                             .solved = json[1].get<int>(),
                             .points = json[2].get<int>(),
                             .max_points = json[3].get<int>(),
                             .failures = json[4].get<int>(),
                             .late = json[5].get<int>()};
}

// A name as part of a file's.
std::string file_word(std::string text) {
    for (char& c : text)
        if (c == ' ' || c == '/' || c == ',') c = '-';
    return text;
}

}  // namespace

std::string in_per_cent(double share) {
    return fmt::format("{:.1f}", 100 * share);
}

std::string Trained::per_cent(const std::string& name) const {
    const TrainedFigure* const figure = find(name);
    return figure == nullptr ? "–" : in_per_cent(figure->network);
}

std::string Trained::loss(const std::string& name) const {
    const TrainedFigure* const figure = find(name);
    return figure == nullptr ? "–" : fmt::format("{:.3f}", figure->network);
}

std::string describe(const Duel& duel) {
    if (!duel.rating) return "–";
    return fmt::format("{:.1f} % ({} Elo; +{} ={} −{}){}", 100 * duel.rating->score, describe_elo(duel),
                       duel.games.wins, duel.games.draws, duel.games.losses, describe_failures(duel));
}

std::string describe_elo(const Duel& duel) {
    if (!duel.rating) return "–";
    const arena::Rating& rating = *duel.rating;
    if (rating.score > 0 && rating.score < 1)
        return fmt::format("{:+.0f} ± {:.0f}", rating.elo, rating.elo_error);
    const double bound = arena::elo_bound_of_sweep(duel.games.games());
    return rating.score > 0.5 ? fmt::format("at least {:+.0f}", bound)
                              : fmt::format("at most {:+.0f}", -bound);
}

std::string describe_failures(const Duel& duel) {
    return duel.failures.empty() ? "" : fmt::format("; not lost on the board: {}", duel.failures);
}

std::uint64_t Reproduction::length(std::uint64_t whole) const {
    const double left = options_.length * static_cast<double>(whole);
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(left)));
}

std::uint64_t Reproduction::nodes(std::uint64_t full) const {
    return options_.quick ? std::min(full, kQuickNodes) : full;
}

base::Status Reproduction::learn_online(const std::string& name, std::string_view recipe, std::uint64_t seed,
                                        std::uint64_t games) const {
    auto parsed = parse_online_recipe(recipe, name + ".toml");
    if (!parsed) return std::unexpected(parsed.error());
    parsed->nodes = nodes(parsed->nodes);
    OnlineOptions how;
    how.output = path(name);
    how.seed = seed;
    how.games = games;
    how.resume = true;
    how.or_begin = true;
    const auto outcome = learning::learn_online(*parsed, how, stop_);
    if (!outcome) return std::unexpected(outcome.error());
    if (!outcome->finished) return stopped_to_go_on();
    const auto report = write_online_report(how.output);
    if (!report) return std::unexpected(report.error());
    return {};
}

base::Result<Duel> Reproduction::match(const Contender& first, const Contender& second,
                                       const std::array<arena::TimeControl, 2>& controls, int games,
                                       MatchRecord kept) const {
    const auto first_name = full_name(first);
    const auto second_name = full_name(second);
    for (const auto* name : {&first_name, &second_name})
        if (!*name) return std::unexpected(name->error());
    arena::MatchOptions match;
    match.engines = {engine_of(first, *first_name), engine_of(second, *second_name)};
    match.time_controls = {controls.begin(), controls.end()};
    match.games = games;
    match.concurrency = options_.threads;
    auto openings = games::parse_openings(arena::embedded_openings(), "the built-in openings");
    if (!openings) return std::unexpected(openings.error());
    match.openings = std::move(*openings);
    std::error_code error;
    std::filesystem::create_directories(path("matches"), error);
    // Another build of this program plays another match: its file has another name.
    std::string who;
    for (const arena::EngineConfig& engine : match.engines) {
        const auto description = arena::describe_engine(engine);
        if (!description) return std::unexpected(description.error());
        who += base::json_text(*description);
    }
    std::string limits = arena::to_string(controls[0]);
    if (arena::to_string(controls[1]) != limits) limits += " " + arena::to_string(controls[1]);
    const std::string name = file_word(fmt::format("{}-{}-{}-{}", *first_name, *second_name, limits,
                                                   base::to_hex(base::hash_text(who)).substr(0, 8)));
    std::filesystem::path pgn;
    if (kept == MatchRecord::Pgn)
        pgn = std::filesystem::weakly_canonical(path("matches") / (name + ".pgn"), error);
    const auto state = arena::MatchState::open((path("matches") / (name + ".jsonl")).string(), match,
                                               {.pgn = pgn.string(), .json = {}});
    if (!state) return std::unexpected(state.error());
    const auto result = arena::play_match(match, {state->get()}, stop_, (*state)->earlier());
    if (!result) return std::unexpected(result.error());
    if (!result->problem.empty()) return base::fail("{}: {}", name, result->problem);
    if (stop_.stop_requested()) return stopped_to_go_on();
    return Duel{.games = result->score(),
                .rating = arena::rate(result->score(), result->pairs()),
                .pgn = pgn,
                .first = *first_name,
                .failures = failures_in(*result, {first.name, second.name})};
}

base::Result<arena::MoveSuiteResult> Reproduction::foretell(const games::HeldOutSet& set,
                                                            const games::MoveHabits& habits,
                                                            const std::vector<Contender>& contenders) const {
    arena::AskingOptions how;
    how.concurrency = options_.threads;
    for (const Contender& contender : contenders) {
        if (auto status = expect_ours(contender); !status) return std::unexpected(status.error());
        arena::EngineConfig config;
        config.name = contender.name;
        config.protocol = arena::Protocol::Internal;
        config.options = contender.options;
        config.options.emplace_back("Search", "policy");
        if (!contender.network.empty()) config.options.emplace_back("PolicyFile", contender.network.string());
        how.engines.push_back({std::move(config), arena::NodeLimit{1}});
    }
    auto result = arena::run_move_suite(set, habits, how, {}, stop_);
    if (result && result->interrupted) return stopped_to_go_on();
    return result;
}

base::Result<arena::SuiteScore> Reproduction::solve(const Contender& contender,
                                                    std::chrono::milliseconds time) const {
    if (auto status = expect_ours(contender); !status) return std::unexpected(status.error());
    const auto name = full_name(contender);
    if (!name) return std::unexpected(name.error());
    const auto text = base::read_text(options_.suite);
    if (!text) return std::unexpected(text.error());
    arena::SuiteOptions how;
    how.engines = {engine_of(contender, *name)};
    how.limit = arena::MoveTimeLimit{time};
    // Beside another it would have less of the machine; in a match that falls on both sides alike.
    how.concurrency = 1;
    const auto description = arena::describe_engine(how.engines.front());
    if (!description) return std::unexpected(description.error());
    const std::string who = base::json_text(*description) + *text;
    const auto file =
        path("suites") / file_word(fmt::format("{}-{}-ms-{}.json", *name, time.count(),
                                               base::to_hex(base::hash_text(who)).substr(0, 8)));
    if (auto known = noted_score(file); !known || *known)
        return known ? base::Result<arena::SuiteScore>(**known) : std::unexpected(known.error());
    const auto items = arena::read_suite(options_.suite);
    if (!items) return std::unexpected(items.error());
    const auto results = arena::run_suite(*items, how, [](std::size_t) {}, stop_);
    if (!results) return std::unexpected(results.error());
    if (results->front().interrupted) return stopped_to_go_on();
    arena::SuiteScore score = arena::total_score(*items, results->front());
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    const nlohmann::json json{score.positions,  score.solved,   score.points,
                              score.max_points, score.failures, score.late};
    if (auto status = base::write_atomically(file, base::json_text(json) + "\n"); !status)
        return std::unexpected(status.error());
    return score;
}

base::Result<arena::Ladder> Reproduction::ladder() const {
    if (options_.ladder_games == 0) return base::fail("no games on the ladder were asked for");
    auto ladder = arena::built_in_ladder();
    if (ladder && !arena::can_place(*ladder)) return base::fail("no player of the ladder can play here");
    return ladder;
}

std::optional<std::string> Reproduction::why_no_places() const {
    const auto there = ladder();
    return there ? std::nullopt : std::optional(there.error().message);
}

base::Result<std::optional<LadderPlace>> Reproduction::place(const Contender& contender,
                                                             const arena::TimeControl& control) {
    auto there = ladder();
    if (!there) return std::nullopt;
    if (auto status = expect_ours(contender); !status) return std::unexpected(status.error());
    const auto name = full_name(contender);
    if (!name) return std::unexpected(name.error());
    const auto content = weights_of(contender);
    if (!content) return std::unexpected(content.error());
    std::string who = arena::to_string(control) + *content;
    for (const auto& [option, value] : contender.options) who += fmt::format(" {}={}", option, value);
    const std::uint64_t hash = base::hash_text(who);
    if (const auto known = places_.find(hash); known != places_.end()) return known->second;
    LadderPlan plan;
    plan.ladder = std::move(*there);
    plan.results = path("ladder-games.jsonl");
    plan.games = options_.ladder_games;
    plan.threads = options_.threads;
    plan.options = contender.options;
    plan.control = control;
    auto placed = place_network(plan, *name, contender.network, stop_);
    if (placed && stop_.stop_requested()) return stopped_to_go_on();
    if (placed) places_[hash] = *placed;
    return placed;
}

}  // namespace scholar::learning
