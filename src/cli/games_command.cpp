#include <array>
#include <chrono>
#include <fmt/core.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/progress.hpp"
#include "cli/commands.hpp"
#include "games/pgn.hpp"
#include "games/sampler.hpp"
#include "games/store.hpp"

namespace scholar::cli {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kProblemsShown = 10;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The whole of a count with its thousands apart: "27,125,810".
std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

void print(const Json& json) {
    fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// ---------------------------------------------------------------------------------------------------------------------

struct ImportOptions {
    std::vector<std::string> files;
    std::string output;
    std::string errors;
    int level = games::StoreWriter::Options().compression_level;
    bool json = false;
};

// What was wrong with games that were left out: the first few shown, all of them counted and, if asked for,
// written.
class ProblemLog {
  public:
    base::Status open(const std::string& path) {
        if (path.empty()) return {};
        auto file = base::AtomicFile::create(path);
        if (!file) return std::unexpected(file.error());
        file_.emplace(std::move(*file));
        return {};
    }
    base::Status add(const games::PgnProblem& problem) {
        const std::string line = problem.to_string();
        if (count_++ < kProblemsShown) first_.push_back(line);
        return file_ ? file_->write(line + "\n") : base::Status();
    }
    base::Status commit() { return file_ ? file_->commit() : base::Status(); }
    std::uint64_t count() const { return count_; }
    const std::vector<std::string>& first() const { return first_; }

  private:
    std::optional<base::AtomicFile> file_;
    std::vector<std::string> first_;
    std::uint64_t count_ = 0;
};

base::Status import_games(const ImportOptions& options, const std::stop_token& stop) {
    const auto start = Clock::now();
    games::StoreWriter::Options store_options;
    store_options.compression_level = options.level;
    auto writer = games::StoreWriter::create(options.output, store_options);
    if (!writer) return std::unexpected(writer.error());
    ProblemLog problems;
    if (auto status = problems.open(options.errors); !status) return status;

    base::Progress progress("importing", 0, "games");
    std::uint64_t imported = 0;
    for (const std::string& file : options.files) {
        auto reader = games::PgnReader::open(file);
        if (!reader) return std::unexpected(reader.error());
        while (true) {
            if (stop.stop_requested()) return base::fail("stopped: {} was not written", options.output);
            auto item = reader->next();
            if (!item) return std::unexpected(item.error());
            if (std::holds_alternative<games::PgnEnd>(*item)) break;
            if (const auto* problem = std::get_if<games::PgnProblem>(&*item)) {
                if (auto status = problems.add(*problem); !status) return status;
                continue;
            }
            if (auto status = writer->add(std::get<games::Game>(*item)); !status) {
                if (writer->file_failed()) return status;
                if (auto noted = problems.add(reader->refused(status.error().message)); !noted) return noted;
                continue;
            }
            if (++imported % 256 == 0) progress.update(imported, file);
        }
    }
    progress.update(imported);
    progress.finish();
    if (auto status = problems.commit(); !status) return status;

    if (imported == 0) {
        for (const std::string& line : problems.first()) fmt::print(stderr, "{}\n", line);
        return base::fail("no game could be imported ({} skipped); {} was not written", problems.count(),
                          options.output);
    }
    const auto summary = writer->finish();
    if (!summary) return std::unexpected(summary.error());

    const double seconds = seconds_since(start);
    const auto games = static_cast<double>(summary->games);
    const auto plies = static_cast<double>(summary->plies);
    const auto bytes = static_cast<double>(summary->bytes);
    if (options.json) {
        print({{"output", options.output},
               {"files", options.files.size()},
               {"games", summary->games},
               {"skipped", problems.count()},
               {"plies", summary->plies},
               {"blocks", summary->blocks},
               {"bytes", summary->bytes},
               {"bytes_per_move", ratio(bytes, plies)},
               {"seconds", seconds},
               {"games_per_second", ratio(games, seconds)},
               {"moves_per_second", ratio(plies, seconds)},
               {"data_hash", base::to_hex(summary->data_hash)},
               {"problems", problems.first()}});
        return {};
    }
    fmt::print(
        "{}: {} games, {} half-moves from {} file{} in {:.1f} s ({:.0f} games/s, {:.2f} million moves/s)\n",
        options.output, grouped(summary->games), grouped(summary->plies), options.files.size(),
        options.files.size() == 1 ? "" : "s", seconds, games / seconds, plies / seconds / 1e6);
    fmt::print("{} bytes in {} blocks, {:.3f} bytes a move, data hash {}\n", grouped(summary->bytes),
               summary->blocks, ratio(bytes, plies), base::to_hex(summary->data_hash));
    if (problems.count() > 0) {
        fmt::print("{} game{} skipped:\n", grouped(problems.count()), problems.count() == 1 ? "" : "s");
        for (const std::string& line : problems.first()) fmt::print("  {}\n", line);
        if (problems.count() > problems.first().size()) {
            if (options.errors.empty())
                fmt::print("  and {} more (--errors FILE writes them all)\n",
                           problems.count() - problems.first().size());
            else
                fmt::print("  and {} more, all in {}\n", problems.count() - problems.first().size(),
                           options.errors);
        }
    }
    return {};
}

// ---------------------------------------------------------------------------------------------------------------------

struct StoreStatistics {
    std::array<std::uint64_t, 4> results{};
    std::array<std::uint64_t, 3> splits{};
    std::map<std::string, std::uint64_t> column_bytes;
    std::uint64_t chess960 = 0;
    std::uint64_t set_up = 0;
    std::uint64_t with_evaluations = 0;
    std::uint64_t evaluations = 0;
};

base::Result<StoreStatistics> gather(const games::StoreReader& store, const std::stop_token& stop) {
    StoreStatistics statistics;
    for (std::size_t number = 0; number < store.blocks().size(); ++number) {
        if (stop.stop_requested()) return base::fail("stopped");
        const auto header = store.read_block_header(number);
        if (!header) return std::unexpected(header.error());
        for (const auto& section : header->sections)
            statistics.column_bytes[section.id] += section.stored_size;
        const auto block = store.read_block(number, {.tags = false, .moves = false, .evaluations = true});
        if (!block) return std::unexpected(block.error());
        for (std::size_t game = 0; game < block->games(); ++game) {
            const auto& info = block->info(game);
            ++statistics.results[static_cast<std::size_t>(info.result)];
            ++statistics.splits[static_cast<std::size_t>(games::split_of(info.hash))];
            statistics.chess960 += info.chess960;
            statistics.set_up += !info.standard_start;
            statistics.with_evaluations += info.has_evaluations;
            for (const auto& evaluation : block->evaluations(game))
                statistics.evaluations += evaluation.has_value();
        }
    }
    return statistics;
}

base::Status show_info(const std::string& path, bool json, const std::stop_token& stop) {
    const auto store = games::StoreReader::open(path);
    if (!store) return std::unexpected(store.error());
    const auto statistics = gather(*store, stop);
    if (!statistics) return std::unexpected(statistics.error());
    games::Sampler::Options sampler_options;
    sampler_options.stores = {path};
    const auto sampler = games::Sampler::open(sampler_options);
    if (!sampler) return std::unexpected(sampler.error());

    const auto plies = static_cast<double>(store->plies());
    const auto& [white, black, draw, unknown] = statistics->results;
    const auto& [train, validation, test] = statistics->splits;
    if (json) {
        Json columns;
        for (const auto& [id, bytes] : statistics->column_bytes) columns[id] = bytes;
        print({{"store", path},
               {"version", store->version()},
               {"blocks", store->blocks().size()},
               {"games", store->games()},
               {"plies", store->plies()},
               {"bytes", store->bytes()},
               {"bytes_per_move", ratio(static_cast<double>(store->bytes()), plies)},
               {"column_bytes", columns},
               {"results", {{"white", white}, {"black", black}, {"draw", draw}, {"unknown", unknown}}},
               {"splits", {{"train", train}, {"validation", validation}, {"test", test}}},
               {"chess960", statistics->chess960},
               {"set_up", statistics->set_up},
               {"games_with_evaluations", statistics->with_evaluations},
               {"evaluations", statistics->evaluations},
               {"producers", sampler->producers()},
               {"data_hash", base::to_hex(store->data_hash())}});
        return {};
    }
    const auto games = static_cast<double>(store->games());
    fmt::print("{}: game store, version {}, {} blocks, data hash {}\n", path, store->version(),
               store->blocks().size(), base::to_hex(store->data_hash()));
    fmt::print("  games         {} ({} Chess960, {} from a set-up position)\n", grouped(store->games()),
               grouped(statistics->chess960), grouped(statistics->set_up));
    fmt::print("  half-moves    {} ({:.1f} a game)\n", grouped(store->plies()), ratio(plies, games));
    fmt::print("  results       {:.1f} % 1-0, {:.1f} % drawn, {:.1f} % 0-1, {} unknown\n",
               ratio(100.0 * static_cast<double>(white), games),
               ratio(100.0 * static_cast<double>(draw), games),
               ratio(100.0 * static_cast<double>(black), games), grouped(unknown));
    fmt::print("  splits        {} training, {} validation, {} test games\n", grouped(train),
               grouped(validation), grouped(test));
    fmt::print("  evaluations   {} in {} games\n", grouped(statistics->evaluations),
               grouped(statistics->with_evaluations));
    if (!sampler->producers().empty()) {
        std::string names;
        for (const std::string& name : sampler->producers()) names += (names.empty() ? "" : ", ") + name;
        fmt::print("  producers     {}\n", names);
    }
    fmt::print("  bytes         {} ({:.3f} a half-move)\n", grouped(store->bytes()),
               ratio(static_cast<double>(store->bytes()), plies));
    for (const auto& [id, bytes] : statistics->column_bytes) {
        fmt::print("    {}        {:>12} ({:.3f})\n", id, grouped(bytes),
                   ratio(static_cast<double>(bytes), plies));
    }
    return {};
}

// ---------------------------------------------------------------------------------------------------------------------

// Calls `use` for every game of a store, unpacked.
template <class Use>
base::Status for_each_game(const games::StoreReader& store, std::string what, const std::stop_token& stop,
                           Use use) {
    base::Progress progress(std::move(what), store.games(), "games");
    std::uint64_t done = 0;
    for (std::size_t number = 0; number < store.blocks().size(); ++number) {
        const auto block = store.read_block(number);
        if (!block) return std::unexpected(block.error());
        for (std::size_t i = 0; i < block->games(); ++i) {
            if (stop.stop_requested()) return base::fail("stopped after {} games", done);
            const std::string where = fmt::format("{}: block {}", store.path(), number + 1);
            const auto game = block->game(i);
            if (!game) return base::fail_in(where, game.error());
            if (auto status = use(*game, block->info(i)); !status)
                return base::fail_in(fmt::format("{}: game {}", where, i + 1), status.error());
            progress.update(++done);
        }
    }
    return {};
}

base::Status check_store(const std::string& path, const std::stop_token& stop) {
    const auto start = Clock::now();
    const auto store = games::StoreReader::open(path);
    if (!store) return std::unexpected(store.error());
    const auto status =
        for_each_game(*store, "checking", stop,
                      [](const games::Game& game, const games::Block::GameInfo& info) -> base::Status {
                          if (game.hash() == info.hash) return {};
                          return base::fail("hash {} of its moves, {} in the store",
                                            base::to_hex(game.hash()), base::to_hex(info.hash));
                      });
    if (!status) return status;
    fmt::print("{}: {} blocks, {} games, {} half-moves, all sound ({:.1f} s)\n", path, store->blocks().size(),
               grouped(store->games()), grouped(store->plies()), seconds_since(start));
    return {};
}

base::Status export_store(const std::string& path, const std::string& output, const std::stop_token& stop) {
    const auto store = games::StoreReader::open(path);
    if (!store) return std::unexpected(store.error());
    auto file = base::AtomicFile::create(output);
    if (!file) return std::unexpected(file.error());
    std::string text;
    const auto status =
        for_each_game(*store, "exporting", stop,
                      [&](const games::Game& game, const games::Block::GameInfo&) -> base::Status {
                          text += games::to_pgn(game);
                          if (text.size() < 1 << 20) return {};
                          auto written = file->write(text);
                          text.clear();
                          return written;
                      });
    if (!status) return status;
    if (auto written = file->write(text); !written) return written;
    if (auto committed = file->commit(); !committed) return committed;
    fmt::print("{}: {} games\n", output, grouped(store->games()));
    return {};
}

}  // namespace

void add_games_command(CLI::App& app, Invocation& invocation) {
    CLI::App* games = app.add_subcommand("games", "Import, inspect, verify and export games");
    games->require_subcommand(1);

    CLI::App* import = games->add_subcommand("import", "Read PGN files into a game store");
    auto import_options = std::make_shared<ImportOptions>();
    import
        ->add_option("FILE", import_options->files, "PGN files; .zst, .gz and .bz2 too; - is standard input")
        ->required();
    import->add_option("-o,--output", import_options->output, "The game store to write (NAME.games)")
        ->required();
    import->add_option("--errors", import_options->errors,
                       "Write every skipped game and why to this file, a line each");
    import->add_option("--level", import_options->level, "zstd compression level")
        ->check(CLI::Range(1, 22))
        ->capture_default_str();
    import->add_flag("--json", import_options->json, "Print one JSON object");
    import->callback([&invocation, import_options] {
        invocation.run = [import_options](const std::stop_token& stop) {
            return import_games(*import_options, stop);
        };
    });

    struct StoreOptions {
        std::vector<std::string> stores;
        std::string output;
        bool json = false;
    };

    CLI::App* info = games->add_subcommand("info", "Say what is in game stores");
    auto info_options = std::make_shared<StoreOptions>();
    info->add_option("STORE", info_options->stores, "Game stores")->required();
    info->add_flag("--json", info_options->json, "Print one JSON object a store");
    info->callback([&invocation, info_options] {
        invocation.run = [info_options](const std::stop_token& stop) -> base::Status {
            for (const std::string& store : info_options->stores)
                if (auto status = show_info(store, info_options->json, stop); !status) return status;
            return {};
        };
    });

    CLI::App* check =
        games->add_subcommand("check", "Read all of a game store: checksums, every move, every hash");
    auto check_options = std::make_shared<StoreOptions>();
    check->add_option("STORE", check_options->stores, "Game stores")->required();
    check->callback([&invocation, check_options] {
        invocation.run = [check_options](const std::stop_token& stop) -> base::Status {
            for (const std::string& store : check_options->stores)
                if (auto status = check_store(store, stop); !status) return status;
            return {};
        };
    });

    CLI::App* export_command = games->add_subcommand("export", "Write a game store as PGN");
    auto export_options = std::make_shared<StoreOptions>();
    export_command->add_option("STORE", export_options->stores, "Game store")->required()->expected(1);
    export_command->add_option("-o,--output", export_options->output, "The PGN file to write")->required();
    export_command->callback([&invocation, export_options] {
        invocation.run = [export_options](const std::stop_token& stop) {
            return export_store(export_options->stores.front(), export_options->output, stop);
        };
    });
}

}  // namespace scholar::cli
