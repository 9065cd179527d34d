#include "learning/selfplay_loop/games_lessons.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <span>

#include "base/cores.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "games/distinct_files.hpp"
#include "games/pgn_import.hpp"
#include "games/sampler.hpp"
#include "games/store_format.hpp"
#include "learning/run/run_files.hpp"
#include "learning/training/recipe.hpp"
#include "learning/training/trainer.hpp"
#include "nets/perspective/network_file.hpp"

namespace scholar::learning {

namespace {

constexpr const char* kRecipe = "recipe.toml";
constexpr const char* kStart = "start.safetensors";
constexpr const char* kRun = "run";
constexpr const char* kImported = "imported.games";
// What the finished store was made of.
constexpr const char* kImportedFrom = "imported.from";
constexpr std::size_t kCountAtATime = 65'536;
// Games that are held out at least, if they are no more than this share of all.
constexpr double kLeastHeldOut = 40;
constexpr double kMostHeldOutOfFew = 0.2;

std::string in_quotes(const std::string& text) {
    return base::quoted(text, base::Quoting::Json);
}

std::string quoted_list(const std::vector<std::string>& texts) {
    std::vector<std::string> all;
    all.reserve(texts.size());
    for (const std::string& text : texts) all.push_back(in_quotes(text));
    return fmt::format("[{}]", fmt::join(all, ", "));
}

base::Status remove_tree(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) return base::fail("{}: cannot remove: {}", path.string(), error.message());
    return {};
}

// With what a killed import has left of it.
base::Status remove_import(const std::filesystem::path& folder) {
    const std::filesystem::path store = folder / kImported;
    for (const std::filesystem::path& path :
         {store, games::partial_path(store), games::journal_path(store), folder / kImportedFrom})
        if (auto status = remove_tree(path); !status) return status;
    return {};
}

// Whether an import was begun, and perhaps finished.
bool import_begun(const std::filesystem::path& folder) {
    const std::filesystem::path store = folder / kImported;
    return std::ranges::any_of(std::array{store, games::partial_path(store), games::journal_path(store)},
                               [](const auto& path) {
                                   std::error_code unknown;
                                   return std::filesystem::exists(path, unknown);
                               });
}

// A new store, or that of an import of the same files that was stopped or killed.
base::Result<games::StoreWriter> open_import(const std::filesystem::path& folder,
                                             const games::StoreWriter::Options& options) {
    const std::filesystem::path path = folder / kImported;
    auto writer = options.resumable ? games::StoreWriter::resume(path, options)
                                    : games::StoreWriter::create(path, options);
    if (!writer) return base::fail("{}; --overwrite begins again", writer.error().message);
    return writer;
}

// Whether the import of the same files was finished.
bool is_imported(const std::filesystem::path& folder, const std::string& session) {
    const auto from = base::read_text(folder / kImportedFrom);
    return from && *from == session && games::StoreReader::open(folder / kImported);
}

// Whether the file says that it is a store, whatever has become of it since.
bool looks_like_store(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string start(games::kStoreMagic.size(), '\0');
    return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == games::kStoreMagic;
}

base::Status check_exists(const std::string& file) {
    std::error_code unknown;
    if (file == "-") return {};
    if (!std::filesystem::exists(file, unknown)) return base::fail("{}: no such file", file);
    if (std::filesystem::is_directory(file, unknown))
        return base::fail("{}: is a folder, expected a file of games", file);
    return {};
}

// `first`: what is wrong with one, or "".
base::Status no_game(const std::vector<std::string>& files, const std::string& first) {
    return base::fail("no game could be read from {}{}", fmt::join(files, ", "),
                      first.empty() ? "" : ": " + first);
}

// The stores as they are, and one that holds the games of all PGN files.
base::Result<std::vector<std::string>> make_stores(const GamesLessons& lessons, const std::stop_token& stop) {
    std::vector<std::string> stores;
    std::vector<std::string> texts;
    for (const std::string& file : games::distinct_files(lessons.files)) {
        if (auto there = check_exists(file); !there) return std::unexpected(there.error());
        // What is read of a pipe is gone.
        if (!games::is_lasting(file) || !looks_like_store(file)) {
            texts.push_back(file);
            continue;
        }
        if (const auto store = games::StoreReader::open(file); !store) return std::unexpected(store.error());
        stores.push_back(file);
    }
    if (texts.empty()) return stores;
    const games::PgnImport import = import_of(lessons, std::move(texts));
    const std::filesystem::path path = lessons.folder / kImported;
    games::StoreWriter::Options options;
    options.resumable = std::ranges::all_of(import.files, games::is_lasting);
    options.session = games::import_session(import);
    if (options.resumable && is_imported(lessons.folder, options.session)) {
        stores.push_back(path.string());
        return stores;
    }
    if (std::error_code unknown; std::filesystem::exists(path, unknown))
        return base::fail("{}: was made of other files than {}, or of older ones; --overwrite begins again",
                          path.string(), fmt::join(import.files, ", "));
    auto writer = open_import(lessons.folder, options);
    if (!writer) return std::unexpected(writer.error());
    if (const std::uint64_t before = writer->games(); before > 0)
        fmt::print(stderr, "the import goes on after {}\n", base::counted(before, "game"));
    std::string first;
    base::Progress shown("importing", 0, "games", writer->games());
    const auto status = games::import_pgn(
        import, *writer,
        [&](const std::string& file, const games::PgnStretch& stretch) -> base::Status {
            if (first.empty() && !stretch.problems.empty()) first = stretch.problems.front().to_string();
            shown.update(writer->games(), file);
            return {};
        },
        stop);
    shown.finish();
    if (!status) return std::unexpected(status.error());
    if (stop.stop_requested()) return stores;
    if (writer->games() == 0) {
        if (auto removed = remove_import(lessons.folder); !removed) return std::unexpected(removed.error());
        return std::unexpected(no_game(import.files, first).error());
    }
    if (const std::uint64_t skipped = writer->progress().skipped; skipped > 0)
        fmt::print(stderr, "{} skipped{}\n", base::counted(skipped, "game"),
                   first.empty() ? "" : "; one of them: " + first);
    // Before the store has its name: it counts only with it.
    if (options.resumable)
        if (auto written = base::write_atomically(lessons.folder / kImportedFrom, options.session); !written)
            return std::unexpected(written.error());
    if (auto finished = writer->finish(); !finished) return std::unexpected(finished.error());
    stores.push_back(path.string());
    return stores;
}

// The share of all games that is held out: of few games a larger one, since few of few would hardly be any.
base::Result<double> held_out_share(double share, const std::vector<std::string>& stores) {
    std::uint64_t games = 0;
    for (const std::string& path : stores) {
        const auto store = games::StoreReader::open(path);
        if (!store) return std::unexpected(store.error());
        games += store->games();
    }
    const double of_few = kLeastHeldOut / static_cast<double>(std::max<std::uint64_t>(1, games));
    return std::max(share, std::min(kMostHeldOutOfFew, of_few));
}

// Positions that one pass over the games of this part gives.
base::Result<std::uint64_t> count_positions(const Recipe& recipe, games::Split part,
                                            const std::stop_token& stop) {
    games::Sampler::Options options = recipe.sampling(part, recipe.seed);
    options.shuffle_buffer = 1;
    auto sampler = games::Sampler::open(options);
    if (!sampler) return std::unexpected(sampler.error());
    std::uint64_t count = 0;
    std::vector<games::Sample> samples;
    base::Progress shown("counting", 0, "positions");
    while (!stop.stop_requested()) {
        samples.clear();
        const auto got = sampler->next(kCountAtATime, samples);
        if (!got) return std::unexpected(got.error());
        count += *got;
        shown.update(count);
        if (*got < kCountAtATime) break;
    }
    shown.finish();
    return count;
}

// A line of the recipe that tells games, settings and network of one run from those of another.
std::string made_from(const LearnRecipe& recipe, const nets::FloatNetwork& start,
                      const GamesLessons& lessons) {
    std::string settings = fmt::format("{} {} {}", lessons.seed, nets::to_string(start.info.architecture),
                                       recipe.network.factorise ? "factorised" : "plain");
    nets::for_each_weights(start, [&](const auto&, const auto&, const std::vector<float>& weights) {
        settings += " " + base::to_hex(base::hash_bytes(std::as_bytes(std::span(weights))));
    });
    for (const auto& [key, value] : recipe.settings)
        if (key.starts_with("games.")) settings += fmt::format(" {}={}", key, value);
    return fmt::format("# made from {}, settings {}", quoted_list(lessons.files),
                       base::to_hex(base::hash_text(settings)));
}

std::string recipe_text(const LearnRecipe& recipe, const nets::FloatNetwork& start,
                        const GamesLessons& lessons, const std::vector<std::string>& stores,
                        double validation_share, std::uint64_t positions) {
    const LearnRecipe::Games& games = recipe.games;
    const nets::Architecture& architecture = start.info.architecture;
    return fmt::format(
        R"(# What scholar learn --games trained with; scholar train goes through it again.
{}

[data]
stores = {}
validation_share = {}
test_share = {}

[sampler]
stages = {}

[network]
feature_set = {}
width = {}
activation = {}
output_buckets = {}
hidden = [{}]
factorise = {}
initial = {}

[target]
result_weight = {}

[optimiser]
kind = "adamw"
weight_decay = {}
learning_rate = {}

[schedule]
warmup = {}
final_learning_rate = {}

[run]
seed = {}
batch = {}
positions = {}
checkpoint_every = 200
validation_positions = 50000
threads = {}
output = {}

[export]
largest_mean_difference = 1000
largest_difference = 10000
)",
        made_from(recipe, start, lessons), quoted_list(stores), validation_share, games.test_share,
        quoted_list(games.stages), in_quotes(std::string(architecture.features->name)), architecture.width,
        in_quotes(std::string(nets::to_string(architecture.activation))), architecture.output_buckets,
        fmt::join(architecture.hidden, ", "), recipe.network.factorise,
        in_quotes((lessons.folder / kStart).string()), games.result_weight, games.weight_decay,
        games.learning_rate,
        // Few games make few steps, most of which must have the whole rate.
        std::min<std::uint64_t>(100, positions / games.batch / 10), games.learning_rate / 100, lessons.seed,
        games.batch, positions, lessons.threads, in_quotes((lessons.folder / kRun).string()));
}

base::Status write_recipe(const LearnRecipe& recipe, const nets::FloatNetwork& start,
                          const GamesLessons& lessons, const std::filesystem::path& path,
                          const std::stop_token& stop) {
    std::error_code error;
    std::filesystem::create_directories(lessons.folder, error);
    if (error)
        return base::fail("{}: cannot create the folder: {}", lessons.folder.string(), error.message());
    if (auto saved = nets::save_network(lessons.folder / kStart, start); !saved) return saved;
    const auto stores = make_stores(lessons, stop);
    if (!stores) return std::unexpected(stores.error());
    if (stop.stop_requested()) return {};
    const auto share = held_out_share(recipe.games.validation_share, *stores);
    if (!share) return std::unexpected(share.error());
    const auto draft = parse_recipe(recipe_text(recipe, start, lessons, *stores, *share, 1), path.string());
    if (!draft) return std::unexpected(draft.error());
    std::uint64_t count = 0;
    for (const games::Split part : {games::Split::Validation, games::Split::Train}) {
        const auto of_part = count_positions(*draft, part, stop);
        if (!of_part) return std::unexpected(of_part.error());
        if (stop.stop_requested()) return {};
        if (*of_part == 0) {
            // Other games may be tried in the same folder.
            if (auto removed = remove_games_lessons(lessons.folder); !removed) return removed;
            return base::fail(
                "the games {} have no position that passes the stages of [games] in the recipe, "
                "expected more games, with results",
                part == games::Split::Train ? "to learn from" : "that are held out");
        }
        count = *of_part;
    }
    const auto positions = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::llround(recipe.games.passes * static_cast<double>(count))));
    return base::write_atomically(path, recipe_text(recipe, start, lessons, *stores, *share, positions));
}

// Goes on with the recipe of an earlier call only if that was about the same.
base::Status check_same(const LearnRecipe& recipe, const nets::FloatNetwork& start,
                        const GamesLessons& lessons, const std::filesystem::path& path) {
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    const std::string expected = made_from(recipe, start, lessons);
    if (text->find(expected + "\n") != std::string::npos) return {};
    const std::size_t at = std::min(text->find("# made from "), text->size());
    return base::fail("{}: began with other games or settings: '{}', expected '{}'; --overwrite begins again",
                      path.string(), text->substr(at, text->find('\n', at) - at), expected);
}

// Whether an earlier call came as far as training.
bool has_recipe(const std::filesystem::path& folder) {
    std::error_code unknown;
    return std::filesystem::exists(folder / kRecipe, unknown);
}

}  // namespace

std::filesystem::path games_lessons_metrics(const std::filesystem::path& folder) {
    return folder / kRun / kMetricsFile;
}

bool games_lessons_begun(const std::filesystem::path& folder) {
    return has_recipe(folder) || import_begun(folder);
}

games::PgnImport import_of(const GamesLessons& lessons, std::vector<std::string> pgn_files) {
    games::PgnImport import;
    import.files = std::move(pgn_files);
    import.threads = static_cast<unsigned>(base::threads_or_cores(lessons.threads));
    return import;
}

base::Status check_games(const std::vector<std::string>& files, const std::stop_token& stop) {
    std::vector<std::string> texts;
    bool has_game = false;
    std::string first;
    for (const std::string& file : files) {
        if (auto there = check_exists(file); !there) return there;
        if (games::is_lasting(file) && looks_like_store(file)) {
            if (const auto store = games::StoreReader::open(file); !store)
                return std::unexpected(store.error());
            continue;
        }
        texts.push_back(file);
        if (!games::is_lasting(file)) {
            has_game = true;  // for all that is known
            continue;
        }
        auto reader = games::PgnReader::open(file);
        if (!reader) return std::unexpected(reader.error());
        while (!has_game && !stop.stop_requested()) {
            const auto item = reader->next();
            if (!item) return std::unexpected(item.error());
            if (*item == games::PgnItem::End) break;
            has_game = *item == games::PgnItem::Game;
            if (!has_game && first.empty()) first = reader->problem().to_string();
        }
    }
    if (texts.empty() || has_game) return {};
    if (stop.stop_requested())
        return base::fail("stopped before a game was found in {}", fmt::join(texts, ", "));
    return no_game(texts, first);
}

base::Status remove_games_lessons(const std::filesystem::path& folder) {
    // The recipe first: without it nobody takes the rest for a run to go on with.
    for (const char* name : {kRecipe, kRun, kStart})
        if (auto status = remove_tree(folder / name); !status) return status;
    return remove_import(folder);
}

base::Result<std::optional<LearntFromGames>> learn_from_games(const LearnRecipe& recipe,
                                                              const nets::FloatNetwork& start,
                                                              const GamesLessons& lessons,
                                                              const std::stop_token& stop) {
    const std::filesystem::path path = lessons.folder / kRecipe;
    if (auto status = has_recipe(lessons.folder) ? check_same(recipe, start, lessons, path)
                                                 : write_recipe(recipe, start, lessons, path, stop);
        !status)
        return std::unexpected(status.error());
    if (stop.stop_requested()) return std::nullopt;
    auto training = load_recipe(path);
    if (!training) return std::unexpected(training.error());
    // Those of this call, not of that which wrote the recipe.
    training->threads = lessons.threads;
    TrainOptions options;
    options.resume = true;
    options.or_begin = true;
    options.json = lessons.json;
    options.device = lessons.device;
    const auto outcome = train(*training, options, stop);
    if (!outcome) return std::unexpected(outcome.error());
    if (!outcome->finished) return std::nullopt;
    auto network = nets::load_float_network((training->output / kFloatNetworkFile).string());
    if (!network) return std::unexpected(network.error());
    return LearntFromGames{std::move(*network), outcome->core_seconds_before};
}

}  // namespace scholar::learning
