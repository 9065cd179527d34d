// All methods learn from the same games for the same time, and one from its own.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/plot.hpp"
#include "base/strict_toml.hpp"
#include "base/text.hpp"
#include "learning/papers/methods_experiment.hpp"
#include "learning/papers/methods_judgement.hpp"
#include "learning/papers/recipe_text.hpp"
#include "learning/papers/store_experiment.hpp"
#include "nets/container/open_network.hpp"

namespace scholar::learning {

// recipes/methods.toml.
std::string_view methods_recipes();

namespace {

// Core-minutes at which a run is read; other seeds than the first end earlier.
constexpr std::array kReadings{5.0, 20.0, 60.0};
constexpr double kLastOfOtherSeeds = 20;
constexpr double kQuickReading = 0.004;
constexpr std::uint64_t kJudgedPositions = 10'000;
constexpr std::size_t kAheadPositions = 2'000;
constexpr std::size_t kQuickAhead = 5;
constexpr int kReadingGames = 100;

Contender opponent_without_search() {
    return {"KnightCap one half-move ahead", {}, {{"System", "knightcap"}, {"Search", "value"}}};
}

// Of who plays and who is asked.
std::chrono::milliseconds time_a_move(const Reproduction& work) {
    return std::chrono::milliseconds(work.sized(20, 1));
}

struct Method {
    std::string key;
    std::string name;
    std::string search;
    bool plays_itself = false;  // learns from its own games alone; else from the stores'
    std::int64_t batch = 1;     // of one that learns from stores
    std::string recipe;         // of `scholar learn`, or of `scholar train`
};

base::Result<std::vector<Method>> all_methods() {
    auto file = base::StrictToml::parse(methods_recipes(), "methods.toml");
    if (!file) return std::unexpected(file.error());
    std::vector<Method> methods;
    for (const std::string& key : file->section_names())
        file->section(key, [&](base::StrictToml::Section& keys) {
            Method method{.key = key,
                          .name = keys.text("name", std::nullopt),
                          .search = keys.text("search", std::nullopt),
                          .plays_itself = keys.flag("plays_itself", false),
                          .recipe = keys.text("recipe", std::nullopt)};
            if (!method.plays_itself) method.batch = keys.integer("batch", std::nullopt, 1, 1 << 20);
            methods.push_back(std::move(method));
        });
    if (auto status = file->finish(); !status) return std::unexpected(status.error());
    return methods;
}

// A recipe for training, without an end of its own.
std::string recipe_of(const Method& method, const std::vector<std::string>& stores, int seed, bool quick) {
    const games::SplitShares shares =
        quick ? games::SplitShares{.validation = 0.1, .test = 0.2} : games::SplitShares{};
    return fmt::format(
        "[data]\nstores = {}\nvalidation_share = {}\ntest_share = {}\n{}[schedule]\nkind = "
        "\"constant\"\nwarmup = "
        "100\n[run]\nseed = {}\nbatch = {}\nsteps = 1_000_000_000\nvalidate_every = 1_000_000_000\n"
        "checkpoint_every = 500\nvalidation_positions = {}\nthreads = 1\noutput = \"unused\"\n",
        in_toml(stores), shares.validation, shares.test, method.recipe, seed,
        quick ? std::min<std::int64_t>(method.batch, 128) : method.batch, quick ? 200 : 5'000);
}

// Games of moments, of one that plays itself.
constexpr const char* kQuickSelfPlay =
    "[course]\nstages = [\"stage nodes=20 games=20 window=10000 reuse=1\"]\n[rating]\npairs = 0\n";

// One network, read after so many core-minutes of one seed.
struct MethodReading {
    double core_minutes = 0;
    int seed = 1;
    double samples = 0;
    MethodJudgement knows;
    std::optional<Duel> own;                 // with its own search
    std::optional<Duel> common;              // one half-move ahead
    std::optional<arena::SuiteScore> suite;  // with its own search
};

// Whether a search looks further than one half-move: others answer at once, whatever their time.
bool looks_ahead(const std::string& search) {
    return search != "policy" && search != "value";
}

struct MethodCourse {
    Method method;
    std::vector<MethodReading> readings;
};

// Mean over seeds, and half the width of its 95 % interval if there are several.
struct OverSeeds {
    double mean = 0;
    double error = 0;
    int seeds = 0;
};
template <class Figure>
std::optional<OverSeeds> over_seeds(const MethodCourse& course, double core_minutes, Figure figure) {
    std::vector<double> values;
    for (const MethodReading& reading : course.readings)
        if (reading.core_minutes == core_minutes)
            if (const std::optional<double> value = figure(reading)) values.push_back(*value);
    if (values.empty()) return std::nullopt;
    const auto count = static_cast<double>(values.size());
    OverSeeds all{0, 0, static_cast<int>(values.size())};
    for (const double value : values) all.mean += value / count;
    if (values.size() < 2) return all;
    double squares = 0;
    for (const double value : values) squares += (value - all.mean) * (value - all.mean);
    // Student's t, of 95 %, by degrees of freedom from 1 on; beyond the last they are taken for many.
    constexpr std::array kStudent{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
    const double t = values.size() - 2 < kStudent.size() ? kStudent.at(values.size() - 2) : 2.228;
    all.error = t * std::sqrt(squares / (count - 1) / count);
    return all;
}

std::string seeds_text(const std::optional<OverSeeds>& figure, double unit, int places) {
    if (!figure) return "–";
    const std::string mean = fmt::format("{:.{}f}", unit * figure->mean, places);
    return figure->seeds > 1 ? fmt::format("{} ± {:.{}f}", mean, unit * figure->error, places) : mean;
}

std::string elo_of(const std::optional<Duel>& duel) {
    return duel ? describe_elo(*duel) + describe_failures(*duel) : "–";
}

std::string suite_text(const std::optional<arena::SuiteScore>& score) {
    if (!score || score->max_points == 0) return "–";
    std::string text = in_per_cent(static_cast<double>(score->points) / score->max_points);
    if (score->late + score->failures > 0)
        text += fmt::format("; {} late, {} failed", score->late, score->failures);
    return text;
}

class MethodsLearning {
  public:
    MethodsLearning(StoreExperiment experiment, std::vector<std::string> stores, games::HeldOutSet set)
        : experiment_(std::move(experiment)), stores_(std::move(stores)), set_(std::move(set)) {}

    base::Status run(const std::vector<Method>& methods) {
        const ReproductionOptions& options = experiment_.work().options();
        for (const Method& method : methods) courses_.push_back({method, {}});
        // All methods' first minutes before anybody's last: what is known early covers all of them.
        for (const double core_minutes : readings())
            for (int seed = 1; seed <= options.seeds; ++seed) {
                if (seed > 1 && core_minutes > kLastOfOtherSeeds * options.length) continue;
                for (MethodCourse& course : courses_) {
                    if (auto status = read(course, core_minutes, seed); !status) return status;
                    if (auto status = take(); !status) return status;
                }
            }
        return {};
    }

  private:
    bool is_quick() const { return experiment_.work().options().quick; }
    std::vector<double> readings() const {
        if (is_quick()) return {kQuickReading};
        std::vector<double> minutes(kReadings.begin(), kReadings.end());
        for (double& each : minutes) each *= experiment_.work().options().length;
        return minutes;
    }
    base::Status read(MethodCourse& course, double core_minutes, int seed);
    // Of a reading's network; kept beside it.
    base::Result<MethodJudgement> judgement(const nets::AnyNetwork& network,
                                            const std::filesystem::path& folder) const;
    // With this network wherever its search asks one.
    static Contender player(const std::string& name, const std::string& network, const std::string& search);
    base::Result<std::optional<Duel>> play(const Contender& contender, const std::string& search) const;
    base::Status take();

    StoreExperiment experiment_;
    std::vector<std::string> stores_;
    games::HeldOutSet set_;
    std::vector<MethodCourse> courses_;
};

base::Result<MethodJudgement> MethodsLearning::judgement(const nets::AnyNetwork& network,
                                                         const std::filesystem::path& folder) const {
    const std::size_t ahead = is_quick() ? kQuickAhead : kAheadPositions;
    const std::filesystem::path file = folder / fmt::format("judged-{}-{}-{}.json", network.content_name(),
                                                            base::to_hex(set_.hash()), ahead);
    if (const auto text = base::read_text(file))
        if (auto known = judgement_from(*text)) return *known;
    auto judged = judge_method(network, set_, ahead, experiment_.work().stop());
    if (!judged) return judged;
    if (auto status = base::write_atomically(file, to_text(*judged)); !status)
        return std::unexpected(status.error());
    return judged;
}

base::Status MethodsLearning::read(MethodCourse& course, double core_minutes, int seed) {
    const Reproduction& work = experiment_.work();
    const Method& method = course.method;
    const std::string run = fmt::format("{}-seed-{}", method.key, seed);
    const auto trained =
        method.plays_itself ? work.learn_for(run, is_quick() ? kQuickSelfPlay : method.recipe,
                                             static_cast<std::uint64_t>(seed), core_minutes)
                            : work.train_for(run, recipe_of(method, stores_, seed, is_quick()), core_minutes);
    if (!trained) return std::unexpected(trained.error());
    const std::string file = trained->network().string();
    const auto network = nets::open_network(file);
    if (!network) return std::unexpected(network.error());
    MethodReading reading{.core_minutes = core_minutes,
                          .seed = seed,
                          .samples = 0,
                          .knows = {},
                          .own = {},
                          .common = {},
                          .suite = {}};
    if (const TrainedFigure* const samples = trained->find("samples")) reading.samples = samples->network;
    auto judged = judgement(*network, trained->folder);
    if (!judged) return std::unexpected(judged.error());
    reading.knows = *judged;
    if (seed == 1) {
        const std::string name = fmt::format("{} after {}", method.key, core_minutes);
        const Contender itself = player(name, file, method.search);
        auto own = play(itself, method.search);
        if (!own) return std::unexpected(own.error());
        reading.own = *own;
        if (!work.options().suite.empty()) {
            const auto score = work.solve(itself, time_a_move(work));
            if (!score) return std::unexpected(score.error());
            reading.suite = *score;
        }
        if (reading.knows.log_loss) {
            auto common = play(player(name, file, "value"), "value");
            if (!common) return std::unexpected(common.error());
            reading.common = *common;
        }
    }
    course.readings.push_back(std::move(reading));
    return {};
}

Contender MethodsLearning::player(const std::string& name, const std::string& network,
                                  const std::string& search) {
    return {fmt::format("{} {}", name, search),
            {},
            {{"Search", search},
             {"EvalFile", network},
             {"PolicyFile", search == "policy" || search == "mcts" ? network : "<empty>"},
             {"OrderFile", search == "ordered" ? network : "<empty>"}}};
}

base::Result<std::optional<Duel>> MethodsLearning::play(const Contender& contender,
                                                        const std::string& search) const {
    const Reproduction& work = experiment_.work();
    const arena::TimeControl time{arena::TimeControl::MoveTime{time_a_move(work)}};
    // Who does not search meets one of his kind: against a search all of them would have nothing.
    auto duel = work.match(contender, looks_ahead(search) ? methods_opponent() : opponent_without_search(),
                           {time, time}, std::min(kReadingGames, work.options().match_games));
    if (!duel) return std::unexpected(duel.error());
    return std::optional(std::move(*duel));
}

base::Status MethodsLearning::take() {
    Findings& findings = experiment_.findings;
    findings.tables.clear();
    findings.drawings.clear();
    Findings::Table table{fmt::format("On {} of {}, held out; the best constant's cross-entropy of results "
                                      "is {:.4f}. Scaled: of every second one",
                                      base::counted(set_.positions.size(), "position"),
                                      base::counted(set_.games.size(), "game"), constant_log_loss(set_)),
                          {{"method", "core-minutes", "samples", "cross-entropy of results",
                            "the same, scaled", "moves by probability, %", "moves one half-move ahead, %",
                            "own search", "Elo", "one half-move ahead, Elo"}}};
    const bool has_suite = !experiment_.work().options().suite.empty();
    if (has_suite) table.rows.front().emplace_back("suite, %");
    base::Plot losses{.title = "Cross-entropy of results, scaled",
                      .x = {.label = "core-minutes", .logarithmic = true},
                      .y = {.label = "nats"},
                      .series = {}};
    base::Plot moves{.title = "Moves of held-out games, first guesses",
                     .x = {.label = "core-minutes", .logarithmic = true},
                     .y = {.label = "%"},
                     .series = {}};
    base::Plot elo{.title = "Elo against KnightCap, by its own search",
                   .x = {.label = "core-minutes", .logarithmic = true},
                   .y = {.label = "Elo"},
                   .series = {}};
    for (const MethodCourse& course : courses_) {
        base::PlotSeries loss{.name = course.method.name, .points = {}};
        base::PlotSeries move{.name = course.method.name, .points = {}};
        base::PlotSeries strength{.name = course.method.name, .points = {}};
        for (const double core_minutes : readings()) {
            const auto first = std::ranges::find_if(course.readings, [&](const MethodReading& reading) {
                return reading.core_minutes == core_minutes && reading.seed == 1;
            });
            if (first == course.readings.end()) continue;
            const auto of = [&](std::optional<double> MethodJudgement::* figure) {
                return over_seeds(course, core_minutes,
                                  [figure](const MethodReading& reading) { return reading.knows.*figure; });
            };
            const auto by_policy = of(&MethodJudgement::by_policy);
            const auto by_value = of(&MethodJudgement::by_value);
            const auto scaled = of(&MethodJudgement::scaled_log_loss);
            table.rows.push_back({course.method.name, fmt::format("{}", core_minutes),
                                  base::grouped(static_cast<std::int64_t>(first->samples)),
                                  seeds_text(of(&MethodJudgement::log_loss), 1, 4), seeds_text(scaled, 1, 4),
                                  seeds_text(by_policy, 100, 1), seeds_text(by_value, 100, 1),
                                  course.method.search, elo_of(first->own), elo_of(first->common)});
            if (has_suite) table.rows.back().push_back(suite_text(first->suite));
            if (scaled) loss.points.push_back({core_minutes, scaled->mean, scaled->error});
            if (const auto& best = by_policy ? by_policy : by_value)
                move.points.push_back({core_minutes, 100 * best->mean, 100 * best->error});
            if (first->own && first->own->rating && looks_ahead(course.method.search))
                strength.points.push_back(
                    {core_minutes, first->own->rating->elo, first->own->rating->elo_error});
        }
        losses.series.push_back(std::move(loss));
        moves.series.push_back(std::move(move));
        elo.series.push_back(std::move(strength));
    }
    findings.tables.push_back(std::move(table));
    findings.drawings.push_back({losses.title, "learning-losses.svg", base::to_svg(losses)});
    findings.drawings.push_back({moves.title, "learning-moves.svg", base::to_svg(moves)});
    findings.drawings.push_back({elo.title, "learning-elo.svg", base::to_svg(elo)});
    return experiment_.take();
}

}  // namespace

base::Status compare_learning(Reproduction& work, const TakeFindings& take) {
    const auto methods = all_methods();
    if (!methods) return std::unexpected(methods.error());
    auto experiment =
        StoreExperiment::begin(work, take,
                               {.own_games = 20'000,
                                .quick_own_games = 60,
                                .stores = "",
                                .quick_keys = {},
                                .quick_shares = games::SplitShares{.validation = 0.1, .test = 0.2}});
    if (!experiment) return std::unexpected(experiment.error());
    auto set = experiment->held_out({.shares = experiment->shares(), .positions = kJudgedPositions});
    if (!set) return std::unexpected(set.error());
    experiment->findings.remarks.emplace_back(
        "All but the one that plays itself learn from the same games, their moves and results, in one "
        "thread; a reading is a network after so many core-minutes, reading games and counting features "
        "included, or playing them. Samples are positions, each as often as it was shown, but of self-play "
        "each once. What is unfair: the recipes are small versions of each method, chosen before this was "
        "measured, with a rate that stays, where self-play is as it ships; who learns moves sees a label "
        "in every position, who learns results one in a game; decided games alone teach DeepChess's "
        "network, so draws surprise it; KnightCap's and Giraffe's own ways to learn, from their own play, "
        "are not among these.");
    experiment->findings.remarks.push_back(
        fmt::format("Elo is against KnightCap's evaluation: under MTD(f) with {0} ms a move for both where "
                    "the own search "
                    "is one; by the best value one half-move ahead, as the common search, where it is not.",
                    time_a_move(work).count()));
    if (!work.options().suite.empty())
        experiment->findings.remarks.push_back(fmt::format(
            "Suite: the share of the points of {} that the network of seed 1 has by its own search, with {} "
            "ms a position.",
            std::filesystem::path(work.options().suite).filename().string(), time_a_move(work).count()));
    auto stores = experiment->store_paths();
    return MethodsLearning(std::move(*experiment), std::move(stores), std::move(*set)).run(*methods);
}

}  // namespace scholar::learning
