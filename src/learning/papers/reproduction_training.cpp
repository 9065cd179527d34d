// What a reproduction learns from stores of games, or from its own play.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "games/scan.hpp"
#include "learning/papers/reproduction.hpp"
#include "learning/reports/train_report.hpp"
#include "learning/segments/segment_learner.hpp"
#include "learning/selfplay_loop/learn_folder.hpp"
#include "learning/selfplay_loop/learn_recipe.hpp"
#include "learning/selfplay_loop/learner.hpp"
#include "learning/training/trainer.hpp"

namespace scholar::learning {

namespace {

// What says that a run in its folder is over, and what came of it.
constexpr const char* kFigures = "figures.json";
// Another recipe is another run.
std::string run_name(const std::string& name, const std::string& recipe) {
    return fmt::format("{}-{}", name, base::to_hex(base::hash_text(recipe)).substr(0, 8));
}

// What a recipe says, without its comments, and the games that it learns from: others under the same names
// are another run.
base::Result<std::string> identity_of(const Recipe& recipe) {
    const auto stores = open_stores(recipe.data.stores);
    if (!stores) return std::unexpected(stores.error());
    return fmt::format("{} {}", base::to_hex(recipe.hash()), base::to_hex(games::data_hash(*stores)));
}

// A recipe with the folder of its run as its output.
base::Result<Recipe> run_of(const Reproduction& work, const std::string& name, const std::string& recipe) {
    auto parsed = parse_recipe(recipe, name + ".toml");
    if (!parsed) return parsed;
    const auto identity = identity_of(*parsed);
    if (!identity) return std::unexpected(identity.error());
    parsed->output = work.path(run_name(name, *identity));
    return parsed;
}

base::Status note(const std::filesystem::path& folder, const TrainedFigures& figures) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [name, figure] : figures) json[name] = {figure.network, figure.constant};
    return base::write_atomically(folder / kFigures, base::json_text(json) + "\n");
}

TrainedFigures figures_of(const Measurement& measured) {
    TrainedFigures figures;
    for (const Measure& measure : measured.measures)
        if (measure.samples > 0) figures[measure.name] = {measure.network, measure.constant};
    return figures;
}

base::Result<TrainedFigures> noted(const std::filesystem::path& folder) {
    const auto path = folder / kFigures;
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    TrainedFigures figures;
    if (json.is_object())
        for (const auto& [name, pair] : json.items())
            if (pair.is_array() && pair.size() == 2 && pair[0].is_number() && pair[1].is_number())
                figures[name] = {pair[0].get<double>(), pair[1].get<double>()};
    if (!json.is_object() || figures.size() != json.size())
        return base::fail(
            "{}: expected figures, each [network, constant]; without the file it is trained again",
            path.string());
    return figures;
}

// Where the network of a run after so many core-minutes is kept, while the run goes on.
std::filesystem::path reading_of(const std::filesystem::path& run, double core_minutes) {
    return run / fmt::format("after-{}", core_minutes);
}

// Nothing if it has not been read so far.
base::Result<std::optional<Trained>> known_reading(const std::filesystem::path& reading) {
    std::error_code error;
    if (!std::filesystem::exists(reading / kFigures, error)) return std::nullopt;
    auto figures = noted(reading);
    if (!figures) return std::unexpected(figures.error());
    return Trained{std::move(*figures), reading};
}

// More than a kill between a reading's last checkpoint and its note can leave.
constexpr double kSlack = 1.1;

// It went on without a note of what it was then.
std::unexpected<base::Error> gone_past(const std::filesystem::path& run, double core_seconds,
                                       double core_minutes) {
    return base::fail(
        "{}: has learnt for {:.1f} core-minutes already, so what it knew after {} is gone: remove the "
        "folder, and it learns again",
        run.string(), core_seconds / 60, core_minutes);
}

// Says what a run has to say, and nothing of how it goes.
class Notices : public LearnObserver {
    void on_status(const LearnStatus&, bool) override {}
    void on_notice(const std::string& text) override { fmt::print(stderr, "{}\n", text); }
};

base::Result<Trained> keep_reading(const std::filesystem::path& run, const std::filesystem::path& reading,
                                   TrainedFigures figures) {
    std::error_code error;
    std::filesystem::create_directories(reading, error);
    if (!error)
        std::filesystem::copy_file(run / kNetworkFile, reading / kNetworkFile,
                                   std::filesystem::copy_options::overwrite_existing, error);
    if (error) return base::fail("{}: cannot write: {}", reading.string(), error.message());
    if (auto status = note(reading, figures); !status) return std::unexpected(status.error());
    return Trained{std::move(figures), reading};
}

}  // namespace

base::Result<std::filesystem::path> Reproduction::games(const PaperStore& wanted) const {
    return make_paper_store(wanted, path("games"), options_.threads, stop_);
}

base::Result<std::vector<games::StoreReader>> open_stores(const std::vector<std::string>& paths) {
    std::vector<games::StoreReader> stores;
    for (const std::string& path : paths) {
        auto store = games::StoreReader::open(path);
        if (!store) return std::unexpected(store.error());
        stores.push_back(std::move(*store));
    }
    return stores;
}

base::Result<std::vector<std::string>> Reproduction::stores_or(const PaperStore& own) const {
    if (!options_.stores.empty()) return options_.stores;
    const auto store = games(own);
    if (!store) return std::unexpected(store.error());
    return std::vector{store->string()};
}

base::Result<Trained> Reproduction::train(const std::string& name, const std::string& recipe) const {
    auto parsed = run_of(*this, name, recipe);
    if (!parsed) return std::unexpected(parsed.error());
    const std::filesystem::path folder = parsed->output;
    std::error_code error;
    if (std::filesystem::exists(folder / kFigures, error)) {
        auto figures = noted(folder);
        if (!figures) return std::unexpected(figures.error());
        return Trained{std::move(*figures), folder};
    }
    const auto outcome = learning::train(*parsed, {.resume = true, .or_begin = true}, stop_);
    if (!outcome) return std::unexpected(outcome.error());
    if (!outcome->finished) return stopped_to_go_on();
    TrainedFigures figures = figures_of(outcome->measured);
    if (const auto report = write_train_report(folder); !report) return std::unexpected(report.error());
    if (auto status = note(folder, figures); !status) return std::unexpected(status.error());
    return Trained{std::move(figures), folder};
}

base::Result<Trained> Reproduction::train_for(const std::string& name, const std::string& recipe,
                                              double core_minutes) const {
    const auto parsed = run_of(*this, name, recipe);
    if (!parsed) return std::unexpected(parsed.error());
    const std::filesystem::path reading = reading_of(parsed->output, core_minutes);
    if (auto known = known_reading(reading); !known || *known)
        return known ? base::Result<Trained>(std::move(**known)) : std::unexpected(known.error());
    const auto outcome = learning::train(
        *parsed, {.resume = true, .or_begin = true, .core_minutes = core_minutes, .writes_unfinished = true},
        stop_);
    if (!outcome) return std::unexpected(outcome.error());
    if (stop_.stop_requested()) return stopped_to_go_on();
    if (outcome->core_seconds_before > kSlack * 60 * core_minutes)
        return gone_past(parsed->output, outcome->core_seconds_before, core_minutes);
    TrainedFigures figures = figures_of(outcome->measured);
    figures["samples"] = {static_cast<double>(outcome->step * parsed->batch), 0};
    return keep_reading(parsed->output, reading, std::move(figures));
}

base::Result<Trained> Reproduction::learn_for(const std::string& name, const std::string& recipe,
                                              std::uint64_t seed, double core_minutes) const {
    const auto parsed = parse_learn_recipe(recipe, name + ".toml");
    if (!parsed) return std::unexpected(parsed.error());
    // What it leaves out is as in the built-in recipe.
    const LearnFolder folder(
        path(run_name(name, fmt::format("{}\n{}\n{}", recipe, default_learn_recipe(), seed))));
    const std::filesystem::path reading = reading_of(folder.root(), core_minutes);
    if (auto known = known_reading(reading); !known || *known)
        return known ? base::Result<Trained>(std::move(**known)) : std::unexpected(known.error());
    LearnOptions how;
    how.output = folder.root();
    how.threads = 1;
    how.core_minutes = core_minutes;
    how.resume = folder.has_begun();
    // Also of a run that was killed before its first checkpoint.
    how.seed = seed;
    Notices notices;
    const auto outcome = learning::learn(*parsed, how, notices, stop_);
    if (!outcome) return std::unexpected(outcome.error());
    if (stop_.stop_requested()) return stopped_to_go_on();
    if (outcome->core_seconds_before > kSlack * 60 * core_minutes)
        return gone_past(folder.root(), outcome->core_seconds_before, core_minutes);
    TrainedFigures figures{{"samples", {static_cast<double>(outcome->progress.lessons), 0}}};
    return keep_reading(folder.root(), reading, std::move(figures));
}

base::Result<std::filesystem::path> Reproduction::learn_by_segments(const std::string& name,
                                                                    const std::string& recipe) const {
    const auto folder = path(run_name(name, recipe));
    auto network = folder / kNetworkFile;
    std::error_code error;
    if (std::filesystem::exists(folder / kFigures, error)) return network;
    auto parsed = parse_segment_recipe(recipe, name + ".toml");
    if (!parsed) return std::unexpected(parsed.error());
    SegmentOptions how;
    how.output = folder;
    how.resume = true;
    how.or_begin = true;
    how.threads = options_.threads;
    const auto outcome = learning::learn_by_segments(*parsed, how, stop_);
    if (!outcome) return std::unexpected(outcome.error());
    if (!outcome->finished) return stopped_to_go_on();
    if (auto status = note(folder, {}); !status) return std::unexpected(status.error());
    return network;
}

}  // namespace scholar::learning
