#include "arena/tuning.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "arena/engine_identity.hpp"
#include "arena/fingerprint.hpp"
#include "arena/journal.hpp"
#include "base/files.hpp"
#include "base/hint.hpp"
#include "base/json.hpp"
#include "base/strict_toml.hpp"
#include "base/text.hpp"
#include "search/alpha_beta/tunables.hpp"

namespace scholar::arena {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kDefaultRate = 0.002;
constexpr double kDefaultPartOfRange = 20;

std::optional<double> number_in(std::string_view text) {
    return base::parse_number<double>(text);
}

Json json_of(const SpsaPlan& plan) {
    Json parameters = Json::array();
    for (const auto& parameter : plan.parameters)
        parameters.push_back({{"name", parameter.name},
                              {"start", parameter.start},
                              {"minimum", parameter.minimum},
                              {"maximum", parameter.maximum},
                              {"c_end", parameter.c_end},
                              {"r_end", parameter.r_end}});
    return {{"parameters", std::move(parameters)},
            {"pairs", plan.pairs},
            {"pairs_per_iteration", plan.pairs_per_iteration},
            {"alpha", plan.alpha},
            {"gamma", plan.gamma},
            {"a_ratio", plan.a_ratio},
            {"seed", plan.seed}};
}

// What is kept of an iteration: where the tuning stands after it.
Json record_of(const Spsa& spsa, const TuningResult& result) {
    return {{"iteration", spsa.iteration()}, {"values", spsa.values()},       {"wins", result.games.wins},
            {"draws", result.games.draws},   {"losses", result.games.losses}, {"failures", result.failures}};
}

base::Status restore(const Json& record, Spsa& spsa, TuningResult& result) try {
    const int iteration = record.at("iteration").get<int>();
    auto values = record.at("values").get<std::vector<double>>();
    if (iteration < 1 || iteration > spsa.plan().iterations() || values.size() != spsa.values().size())
        return base::fail("iteration {} with {} values, expected one of {} with {}", iteration, values.size(),
                          spsa.plan().iterations(), spsa.values().size());
    spsa.restore(iteration, std::move(values));
    result.games = {record.at("wins").get<std::uint64_t>(), record.at("draws").get<std::uint64_t>(),
                    record.at("losses").get<std::uint64_t>()};
    result.failures = record.at("failures").get<std::uint64_t>();
    return {};
} catch (const Json::exception& error) {
    return base::fail("not an iteration of a tuning: {}", error.what());
}

// The journal of this tuning, with its log as the output.
base::Result<Journal> open_journal(const SpsaPlan& plan, const std::string& games,
                                   const std::string& state_file, const std::string& log_file) {
    std::error_code error;
    const bool is_new = !std::filesystem::exists(state_file, error);
    auto journal = Journal::open(state_file, {.format = "scholar tuning state 2", .noun = "tuning"},
                                 {{"plan", json_of(plan)}, {"games", games}, {"log", log_file}}, {log_file});
    if (!journal || !journal->records().empty() || journal->size(0) == 0) return journal;
    if (is_new) journal->remove();
    return base::fail("{}: there is a log, but no state to go on from, expected another --log", log_file);
}

// Which tuning it is: all that another outcome could come from.
base::Result<std::string> words_of(const TuningOptions& options) {
    const auto engine = describe_engine(options.engine);
    if (!engine) return std::unexpected(engine.error());
    return fmt::format("{} at {} from {} openings {}", base::json_line(*engine),
                       to_string(options.time_control), options.openings.size(),
                       fingerprint(options.openings));
}

class FailureCounter : public MatchObserver {
  public:
    base::Status game_finished(const MatchGame& game, const MatchResult&) override {
        failures += game.failure == Failure::None ? 0 : 1;
        return {};
    }
    std::uint64_t failures = 0;
};

}  // namespace

base::Result<ParameterWish> parse_parameter_wish(std::string_view text) {
    ParameterWish wish;
    const auto comma = text.find(',');
    wish.name = text.substr(0, comma);
    std::string_view rest = comma == std::string_view::npos ? "" : text.substr(comma + 1);
    const auto second = rest.find(',');
    if (comma != std::string_view::npos) wish.c_end = number_in(rest.substr(0, second));
    if (second != std::string_view::npos) wish.r_end = number_in(rest.substr(second + 1));
    if (wish.name.empty() || (comma != std::string_view::npos && !wish.c_end) ||
        (second != std::string_view::npos && !wish.r_end))
        return base::fail("--param '{}': expected NAME, NAME,C_END or NAME,C_END,R_END", text);
    return wish;
}

base::Result<std::vector<ParameterWish>> read_parameter_wishes(const std::string& path) {
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    auto toml = base::StrictToml::parse(*text, path);
    if (!toml) return std::unexpected(toml.error());
    std::vector<ParameterWish> wishes;
    for (const auto& name : toml->section_names())
        toml->section(name, [&](base::StrictToml::Section& section) {
            ParameterWish wish;
            wish.name = name;
            constexpr double kFar = 1e15;
            const auto read = [&](const char* key, double low, std::optional<double>& into) {
                const double value = section.real(key, low, low, kFar);
                if (section.has(key)) into = value;
            };
            read("c_end", 1e-9, wish.c_end);
            read("r_end", 1e-9, wish.r_end);
            read("start", -kFar, wish.start);
            read("minimum", -kFar, wish.minimum);
            read("maximum", -kFar, wish.maximum);
            wishes.push_back(std::move(wish));
        });
    if (auto status = toml->finish(); !status) return std::unexpected(status.error());
    return wishes;
}

base::Result<std::vector<SpsaParameter>> find_parameters(const EngineConfig& engine,
                                                         const std::vector<ParameterWish>& wishes, bool all) {
    const auto started = start_player(engine, {});
    if (!started) return std::unexpected(started.error());
    const auto& options = (*started)->options();
    std::vector<ParameterWish> wanted = wishes;
    if (all)
        for (const auto& tunable : search::kTunables)
            if (find_option(options, tunable.name) != nullptr &&
                std::ranges::none_of(wishes, [&](const auto& wish) { return wish.name == tunable.name; }))
                wanted.push_back({.name = tunable.name});
    if (wanted.empty())
        return base::fail("engine {}: nothing to tune, expected {}", (*started)->name(),
                          all ? "a build of the preset 'tuning', which has the search's constants as options"
                              : "--param, --params or --all");
    std::vector<SpsaParameter> parameters;
    for (const auto& wish : wanted) {
        const auto* option = find_option(options, wish.name);
        if (option == nullptr || option->type != EngineOption::Type::Spin) {
            std::vector<std::string> spins;
            for (const auto& other : options)
                if (other.type == EngineOption::Type::Spin) spins.push_back(other.name);
            const bool ours = std::ranges::any_of(
                search::kTunables, [&](const auto& tunable) { return wish.name == tunable.name; });
            return base::fail("engine {}: no option '{}' with a number, {}", (*started)->name(), wish.name,
                              ours ? "expected a build of the preset 'tuning' (cmake --preset tuning)"
                                   : base::hint(wish.name, spins));
        }
        SpsaParameter parameter;
        parameter.name = option->name;
        parameter.minimum = wish.minimum.value_or(static_cast<double>(option->minimum));
        parameter.maximum = wish.maximum.value_or(static_cast<double>(option->maximum));
        if (parameter.minimum < static_cast<double>(option->minimum) ||
            parameter.maximum > static_cast<double>(option->maximum) ||
            parameter.minimum >= parameter.maximum)
            return base::fail("parameter {}: from {} to {}, expected a range within the option's {} to {}",
                              option->name, parameter.minimum, parameter.maximum, option->minimum,
                              option->maximum);
        // Set for all games, it is where the tuning begins.
        std::string value = option->default_value;
        for (const auto& [name, set] : engine.options)
            if (find_option({*option}, name) != nullptr) value = set;
        parameter.start = wish.start.value_or(number_in(value).value_or(parameter.minimum));
        if (parameter.start < parameter.minimum || parameter.start > parameter.maximum)
            return base::fail("parameter {}: start {}, expected from {} to {}", option->name, parameter.start,
                              parameter.minimum, parameter.maximum);
        parameter.c_end = wish.c_end.value_or((parameter.maximum - parameter.minimum) / kDefaultPartOfRange);
        parameter.r_end = wish.r_end.value_or(kDefaultRate);
        if (parameter.c_end <= 0 || parameter.r_end <= 0)
            return base::fail("parameter {}: c_end {} and r_end {}, expected both above 0", option->name,
                              parameter.c_end, parameter.r_end);
        if (std::ranges::any_of(parameters, [&](const auto& other) { return other.name == parameter.name; }))
            return base::fail("parameter {}: given twice", option->name);
        parameters.push_back(std::move(parameter));
    }
    return parameters;
}

base::Result<TuningResult> run_spsa(const SpsaPlan& plan, const std::string& fingerprint,
                                    const std::string& state_file, const std::string& log_file,
                                    const PlayTrial& play,
                                    const std::function<void(const TuningResult&)>& progress,
                                    const std::stop_token& stop) {
    Spsa spsa(plan);
    TuningResult result;
    auto journal = open_journal(plan, fingerprint, state_file, log_file);
    if (!journal) return std::unexpected(journal.error());
    if (!journal->records().empty()) {
        if (auto status = restore(journal->records().back(), spsa, result); !status)
            return base::fail_in(state_file, status.error());
        result.resumed = true;
    }
    const auto tell = [&] {
        result.values = spsa.values();
        result.iterations = spsa.iteration();
        progress(result);
    };
    tell();
    while (!spsa.done()) {
        if (stop.stop_requested()) {
            result.interrupted = true;
            break;
        }
        const SpsaTrial trial = spsa.next();
        const auto played = play(trial, spsa.pairs_played());
        if (!played) return std::unexpected(played.error());
        if (!*played) {
            result.interrupted = true;
            break;
        }
        const auto& games = (*played)->games;
        spsa.apply(trial, static_cast<int>(games.wins) - static_cast<int>(games.losses));
        result.games.wins += games.wins;
        result.games.draws += games.draws;
        result.games.losses += games.losses;
        result.failures += (*played)->failures;
        Json values = Json::object();
        Json plus = Json::object();
        Json minus = Json::object();
        for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
            plus[plan.parameters[i].name] = trial.plus[i];
            minus[plan.parameters[i].name] = trial.minus[i];
            values[plan.parameters[i].name] = spsa.values()[i];
        }
        const std::string line = base::json_line(Json{{"iteration", spsa.iteration()},
                                                      {"plus", std::move(plus)},
                                                      {"minus", std::move(minus)},
                                                      {"wins", games.wins},
                                                      {"draws", games.draws},
                                                      {"losses", games.losses},
                                                      {"failures", (*played)->failures},
                                                      {"values", std::move(values)}}) +
                                 "\n";
        if (auto status = journal->append(record_of(spsa, result), {line}); !status)
            return std::unexpected(status.error());
        tell();
    }
    return result;
}

base::Result<TuningResult> tune(const TuningOptions& options,
                                const std::function<void(const TuningResult&)>& progress,
                                const std::stop_token& stop) {
    if (options.openings.empty()) return base::fail("tune: no openings, expected at least one");
    const auto order =
        opening_order(static_cast<int>(options.openings.size()), options.plan.pairs, options.plan.seed);
    const auto play = [&](const SpsaTrial& trial,
                          int pairs_before) -> base::Result<std::optional<TrialResult>> {
        MatchOptions match;
        for (std::size_t side = 0; side < 2; ++side) {
            match.engines[side] = options.engine;
            match.engines[side].name = side == 0 ? "plus" : "minus";
            match.time_controls[side] = options.time_control;
            for (std::size_t i = 0; i < trial.signs.size(); ++i) {
                const auto& name = options.plan.parameters[i].name;
                std::erase_if(match.engines[side].options,
                              [&](const auto& set) { return set.first == name; });
                match.engines[side].options.emplace_back(
                    name, fmt::format("{}", side == 0 ? trial.plus[i] : trial.minus[i]));
            }
        }
        for (int pair = 0; pair < trial.pairs; ++pair)
            match.openings.push_back(options.openings[static_cast<std::size_t>(
                order[static_cast<std::size_t>(pairs_before) + static_cast<std::size_t>(pair)])]);
        match.games = 2 * trial.pairs;
        match.concurrency = options.concurrency;
        match.time_margin = options.time_margin;
        match.seed = options.plan.seed + static_cast<std::uint64_t>(pairs_before);
        FailureCounter failures;
        const auto result = play_match(match, {&failures}, stop);
        if (!result) return std::unexpected(result.error());
        if (!result->problem.empty()) return base::fail("{}", result->problem);
        if (result->interrupted) return std::nullopt;
        return TrialResult{result->score(), failures.failures};
    };
    const auto words = words_of(options);
    if (!words) return std::unexpected(words.error());
    return run_spsa(options.plan, *words, options.state_file, options.log_file, play, progress, stop);
}

}  // namespace scholar::arena
