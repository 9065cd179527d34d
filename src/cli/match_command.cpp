#include <cmath>
#include <cstdio>
#include <memory>

#include "arena/engine_text.hpp"
#include "arena/match.hpp"
#include "arena/match_output.hpp"
#include "arena/match_state.hpp"
#include "arena/sprt.hpp"
#include "base/progress.hpp"
#include "cli/commands.hpp"
#include "cli/engine_words.hpp"

namespace scholar::cli {

namespace {

struct MatchArguments {
    std::vector<std::string> engines;
    std::string openings;
    std::size_t opening_plies = 10'000;
    int games = 100;
    std::string time_control = "10+0.1";
    int concurrency = 1;
    std::uint64_t seed = 1;
    std::string pgn;
    std::string json;
    std::string event = "Scholar match";
    std::string state;
    std::string tablebases;
    std::string draw;
    std::string resign;
    int max_plies = 0;
    int time_margin = 50;
    std::string sprt;
};

base::Result<arena::SprtSettings> parse_sprt(std::string_view text) {
    const auto settings = split_settings("--sprt", text);
    if (!settings) return std::unexpected(settings.error());
    arena::SprtSettings sprt;
    bool has_elo0 = false, has_elo1 = false;
    for (const auto& [key, value] : *settings) {
        if (key == "model") {
            if (value != "logistic" && value != "normalized")
                return base::fail("--sprt: model is '{}', expected logistic or normalized", value);
            sprt.model = value == "logistic" ? arena::EloModel::Logistic : arena::EloModel::Normalized;
            continue;
        }
        double* into = key == "elo0"    ? &sprt.elo0
                       : key == "elo1"  ? &sprt.elo1
                       : key == "alpha" ? &sprt.alpha
                       : key == "beta"  ? &sprt.beta
                                        : nullptr;
        if (into == nullptr)
            return base::fail("--sprt: key '{}', expected elo0, elo1, alpha, beta or model", key);
        const auto number = arena::parse_number<double>(value);
        if (!number || !std::isfinite(*number))
            return base::fail("--sprt: {} is '{}', expected a number", key, value);
        *into = *number;
        has_elo0 |= key == "elo0";
        has_elo1 |= key == "elo1";
    }
    if (!has_elo0 || !has_elo1 || sprt.elo0 >= sprt.elo1)
        return base::fail("--sprt '{}': expected elo0 and elo1, the first the smaller", text);
    if (sprt.alpha <= 0 || sprt.beta <= 0 || sprt.alpha + sprt.beta >= 1)
        return base::fail("--sprt '{}': expected alpha and beta above 0, together below 1", text);
    return sprt;
}

// Ends the match when the test has decided.
class SprtWatch : public arena::MatchObserver {
  public:
    explicit SprtWatch(const arena::SprtSettings& settings) : test_(settings) {}

    void replay(const arena::EarlierGames& earlier, int games) {
        test_.replay(earlier.games, games);
        end_if_decided();
    }
    base::Status game_finished(const arena::MatchGame&, const arena::MatchResult& so_far) override {
        test_.update(so_far.pairs);
        end_if_decided();
        return {};
    }
    const arena::Sprt& test() const { return test_; }
    const std::stop_source& decided() const { return decided_; }

  private:
    void end_if_decided() {
        if (test_.verdict() != arena::Sprt::Verdict::None) decided_.request_stop();
    }

    arena::Sprt test_;
    std::stop_source decided_;
};

class ProgressLine : public arena::MatchObserver {
  public:
    // `sprt`: nothing where there is no test.
    ProgressLine(int games, const SprtWatch* sprt) : games_(static_cast<std::uint64_t>(games)), sprt_(sprt) {}
    void match_started(const arena::MatchResult& so_far) override {
        progress_.emplace(fmt::format("{} - {}", so_far.engines[0].name, so_far.engines[1].name), games_,
                          "games", so_far.score.games());
    }
    base::Status game_finished(const arena::MatchGame&, const arena::MatchResult& so_far) override {
        std::string note = arena::describe_briefly(so_far);
        if (sprt_ != nullptr) note += ", " + sprt_->test().describe_briefly();
        progress_->update(so_far.score.games(), note);
        return {};
    }

  private:
    std::uint64_t games_;
    const SprtWatch* sprt_;
    std::optional<base::Progress> progress_;
};

base::Result<arena::MatchOptions> match_options(const MatchArguments& arguments) {
    if (arguments.engines.size() != 2)
        return base::fail("--engine: given {} times, expected twice", arguments.engines.size());
    arena::MatchOptions options;
    const auto control = arena::parse_time_control(arguments.time_control);
    if (!control) return base::fail_in("--tc", control.error());
    for (std::size_t i = 0; i < 2; ++i) {
        auto engine = parse_engine_words(arguments.engines[i]);
        if (!engine) return std::unexpected(engine.error());
        options.engines[i] = std::move(engine->config);
        options.time_controls[i] = engine->time_control.value_or(*control);
    }
    auto openings = games::read_openings(arguments.openings, arguments.opening_plies);
    if (!openings) return std::unexpected(openings.error());
    options.openings = std::move(*openings);
    options.games = arguments.games;
    options.concurrency = arguments.concurrency;
    options.seed = arguments.seed;
    options.max_plies = arguments.max_plies;
    options.time_margin = std::chrono::milliseconds(arguments.time_margin);
    if (!arguments.draw.empty()) {
        auto& rule = options.draw.emplace();
        if (auto status = read_number_settings(
                "--draw", arguments.draw,
                {{"moves", &rule.moves}, {"score", &rule.score}, {"after", &rule.after}});
            !status)
            return std::unexpected(status.error());
        if (rule.moves < 1) return base::fail("--draw: moves is 0, expected at least 1");
    }
    if (!arguments.resign.empty()) {
        auto& rule = options.resign.emplace();
        int two_sided = 0;
        if (auto status = read_number_settings(
                "--resign", arguments.resign,
                {{"moves", &rule.moves}, {"score", &rule.score}, {"twosided", &two_sided}});
            !status)
            return std::unexpected(status.error());
        if (two_sided > 1) return base::fail("--resign: twosided is {}, expected 0 or 1", two_sided);
        rule.two_sided = two_sided == 1;
        if (rule.moves < 1) return base::fail("--resign: moves is 0, expected at least 1");
    }
    if (!arguments.tablebases.empty()) {
        auto tables = tablebases::Tablebases::open(arguments.tablebases);
        if (!tables) return base::fail_in("--tablebases", tables.error());
        options.tablebases = std::move(*tables);
    }
    return options;
}

base::Status run_match(const MatchArguments& arguments, std::stop_token stop) {
    const auto options = match_options(arguments);
    if (!options) return std::unexpected(options.error());

    std::optional<SprtWatch> sprt;
    if (!arguments.sprt.empty()) {
        const auto settings = parse_sprt(arguments.sprt);
        if (!settings) return std::unexpected(settings.error());
        sprt.emplace(*settings);
    }

    std::vector<arena::MatchObserver*> observers;
    std::unique_ptr<arena::MatchState> state;
    arena::EarlierGames earlier;
    if (!arguments.state.empty()) {
        auto opened =
            arena::MatchState::open(arguments.state, *options,
                                    {.pgn = arguments.pgn, .json = arguments.json, .event = arguments.event});
        if (!opened) return std::unexpected(opened.error());
        state = std::move(*opened);
        observers.push_back(state.get());
        earlier = state->earlier();
        if (!earlier.games.empty())
            fmt::print(stderr, "{}: goes on after {} games\n", arguments.state, earlier.games.size());
    }
    std::optional<arena::PgnOutput> pgn;
    if (!arguments.pgn.empty() && !state) {
        auto file = arena::LineAppender::open(arguments.pgn);
        if (!file) return std::unexpected(file.error());
        observers.push_back(&pgn.emplace(std::move(*file), *options, arguments.event));
    }
    std::optional<arena::JsonOutput> json;
    if (!arguments.json.empty() && !state) {
        auto file = arena::LineAppender::open(arguments.json);
        if (!file) return std::unexpected(file.error());
        observers.push_back(&json.emplace(std::move(*file)));
    }
    std::stop_source either;
    if (sprt) {
        sprt->replay(earlier, options->games);
        observers.push_back(&*sprt);
    }
    const auto end = [&either] { either.request_stop(); };
    const std::stop_callback on_stop(stop, end);
    const std::stop_callback on_decision(sprt ? sprt->decided().get_token() : std::stop_token{}, end);

    base::Result<arena::MatchResult> result;
    {
        ProgressLine progress(options->games, sprt ? &*sprt : nullptr);
        observers.push_back(&progress);
        result = arena::play_match(*options, observers, either.get_token(), earlier);
    }
    if (!result) return std::unexpected(result.error());
    if (!stop.stop_requested()) result->interrupted = false;
    fmt::print("{}", arena::describe(*result));
    if (sprt) fmt::print("  SPRT         {}\n", sprt->test().describe());
    if (!result->problem.empty()) return base::fail("the match ended early: {}", result->problem);
    return {};
}

}  // namespace

void add_match_command(Command app, Invocation& invocation) {
    const Command command =
        app.add_subcommand("match", "Play two engines against each other from an opening file");
    command.footer(
        "Each opening is played twice, with both colours. The order of the openings depends on the seed "
        "alone.\n"
        "An engine that makes an illegal move, crashes, stalls, floods or oversteps the time loses that game "
        "and is named.\n"
        "Example:\n"
        "  scholar match --engine 'name=new option.Hash=64' --engine 'cmd=\"gnuchess --uci\"' \\\n"
        "    --openings book.epd --games 100 --tc 10+0.1 --pgn games.pgn");
    auto arguments = std::make_shared<MatchArguments>();
    command
        .add_option("--engine", arguments->engines,
                    std::string(kEngineHelp) + ", tc (a time control of its own). Give it twice")
        .required()
        .allow_extra_args(false);
    command
        .add_option("--openings", arguments->openings,
                    "File of positions (EPD or FEN, one a line) or of PGN games; may be compressed")
        .required();
    command.add_option("--opening-plies", arguments->opening_plies,
                       "Half-moves taken from each game of a PGN opening file (default: all)");
    command.add_option("--games", arguments->games, "Games to play; an even number makes complete pairs")
        .capture_default_str()
        .check(range(1, 10'000'000));
    command
        .add_option("--tc", arguments->time_control,
                    "Time control: seconds 10+0.1, minutes 5:00+3, periods 40/60+0.5 or 40/60,30+1, a move "
                    "movetime=0.1 "
                    "or 0.1/move, nodes=5000, depth=8")
        .capture_default_str();
    command
        .add_option("--concurrency", arguments->concurrency,
                    "Games at a time; more than the cores allow cost the engines time")
        .capture_default_str()
        .check(range(1, 1024));
    command.add_option("--seed", arguments->seed, "Seed of the order of the openings").capture_default_str();
    command.add_option("--pgn", arguments->pgn, "File to append the games to, each as it ends");
    command.add_option("--json", arguments->json, "File to append a line of JSON for each game to");
    command.add_option("--state", arguments->state,
                       "File that keeps the match: the same command with the same file goes on after it was "
                       "interrupted or killed");
    command.add_option("--event", arguments->event, "Event tag of the games").capture_default_str();
    command.add_option(
        "--draw", arguments->draw,
        "Call a game a draw when both scores stay within SCORE centipawns of 0 for MOVES moves after "
        "move AFTER: \"moves=8 score=10 after=40\" (off unless given)");
    command.add_option(
        "--resign", arguments->resign,
        "An engine resigns when its own score stays at or below -SCORE centipawns for MOVES moves: "
        "\"moves=4 score=600\"; with twosided=1 only if its opponent agrees (off unless given)");
    command.add_option("--tablebases", arguments->tablebases,
                       "Folder of Syzygy tables: a game ends when they know its result (off unless given)");
    command
        .add_option("--max-plies", arguments->max_plies,
                    "Half-moves after which a game is a draw; 0: no limit")
        .capture_default_str()
        .check(range(0, 100'000));
    command
        .add_option(
            "--time-margin", arguments->time_margin,
            "Milliseconds over the time allowed that are forgiven: what pipes and a busy machine may cost")
        .capture_default_str()
        .check(range(0, 60'000));
    command.add_option("--sprt", arguments->sprt,
                       "Stop when a sequential probability ratio test on the pairs has decided: "
                       "\"elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic\" (or model=normalized)");
    command.callback([&invocation, arguments] {
        invocation.run = [arguments](std::stop_token stop) { return run_match(*arguments, std::move(stop)); };
    });
}

}  // namespace scholar::cli
