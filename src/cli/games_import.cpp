#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

#include "base/cores.hpp"
#include "base/hash.hpp"
#include "base/progress.hpp"
#include "base/streams.hpp"
#include "base/text.hpp"
#include "cli/games_commands.hpp"
#include "cli/games_problems.hpp"
#include "cli/games_shared.hpp"
#include "games/pgn_import.hpp"
#include "games/store.hpp"

namespace scholar::cli {

namespace {

struct ImportOptions {
    std::vector<std::string> files;
    std::string output;
    std::string errors;
    int level = games::StoreWriter::Options().compression_level;
    unsigned threads = 1;
    bool append = false;
    bool resume = false;
    bool overwrite = false;
    bool json = false;
};

// What is wrong with a file shows here, before anything is written, rather than hours later.
base::Status check_sources(const ImportOptions& options) {
    for (const std::string& file : options.files) {
        std::error_code unknown;
        if (file != "-" && !std::filesystem::exists(file, unknown))
            return base::fail("{}: no such file", file);
        if (!games::is_lasting(file)) continue;
        if (auto input = base::open_input(file); !input) return std::unexpected(input.error());
        if (games::StoreReader::open(file))
            return base::fail("{}: is a game store, expected PGN; 'games merge' makes one store of several",
                              file);
    }
    return {};
}

base::Result<games::StoreWriter> open_writer(const ImportOptions& options) {
    games::StoreWriter::Options store_options;
    store_options.compression_level = options.level;
    store_options.resumable = std::ranges::all_of(options.files, games::is_lasting);
    if (options.resume && !store_options.resumable)
        return base::fail("--resume: standard input and pipes cannot be read again, expected files");
    if (auto status = check_sources(options); !status) return std::unexpected(status.error());
    store_options.session = games::import_session({options.files, options.level, options.threads});
    if (options.resume) return games::StoreWriter::resume(options.output, store_options);
    if (options.append) return games::StoreWriter::append_to(options.output, store_options);
    return games::StoreWriter::create(options.output, store_options);
}

// What is there is added to, gone on with, or replaced if that was asked for.
base::Status check_outputs(const ImportOptions& options) {
    for (const std::string& output : {options.output, options.errors})
        if (auto status = check_output(output, options.files); !status) return status;
    if (options.append && options.overwrite)
        return base::fail("--append stands beside {}, expected one of them", kOverwrite);
    std::error_code not_there;
    if (std::filesystem::is_regular_file(options.output, not_there) &&
        !std::filesystem::is_empty(options.output, not_there) && !is_game_store(options.output))
        return base::fail("{}: exists and is no game store, expected one or a new name: not replaced",
                          options.output);
    // A new store, begun now or gone on with, takes its name in the end.
    const bool grows_in_place =
        options.append ||
        (options.resume && !std::filesystem::exists(games::partial_path(options.output), not_there));
    if (!grows_in_place)
        if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    if (!options.resume)
        if (auto status = check_new_output(options.errors, options.overwrite || options.append); !status)
            return status;
    return {};
}

base::Status import_games(const ImportOptions& options, const std::stop_token& stop) {
    const auto start = Clock::now();
    if (auto status = check_outputs(options); !status) return status;
    auto writer = open_writer(options);
    if (!writer) return std::unexpected(writer.error());

    // Games in the store before; of this session or an earlier one.
    const std::uint64_t games_before = writer->games();
    const std::uint64_t plies_before = writer->plies();
    const games::ImportProgress before = writer->progress();
    const bool resumed = before.source > 0 || before.games > 0;
    const bool resumable = std::ranges::all_of(options.files, games::is_lasting);
    ProblemLog problems;
    if (auto status = problems.open(options.errors, resumed); !status) return status;
    if (resumed && !options.json)
        fmt::print("{}: going on behind {} of {}\n", options.output, base::counted(before.games, "game"),
                   options.files.at(before.source));

    base::Progress shown("importing", 0, "games");
    const auto status = games::import_pgn(
        {options.files, options.level, options.threads}, *writer,
        [&](const std::string& file, const games::PgnStretch& stretch) -> base::Status {
            if (auto noted = problems.add_all(stretch); !noted) return noted;
            shown.update(writer->games() - games_before, file);
            return {};
        },
        stop);
    if (!status) return status;
    const games::ImportProgress& progress = writer->progress();
    if (stop.stop_requested()) {
        if (!resumable || (writer->games() == games_before && !resumed))
            return base::fail("stopped: {} was not written", options.output);
        return base::fail("stopped in {}; the same command with --resume goes on behind {}",
                          options.files.at(progress.source), base::counted(progress.games, "game"));
    }
    shown.finish();

    if (writer->games() == games_before && !resumed) {
        for (const std::string& line : problems.first()) fmt::print(stderr, "{}\n", line);
        return base::fail("no game could be imported ({} skipped); {} was not written", problems.count(),
                          options.output);
    }
    const auto summary = writer->finish();
    if (!summary) return std::unexpected(summary.error());

    const double seconds = seconds_since(start);
    const auto games = static_cast<double>(summary->games - games_before);
    const auto plies = static_cast<double>(summary->plies - plies_before);
    const auto bytes_a_move = ratio(static_cast<double>(summary->bytes), static_cast<double>(summary->plies));
    if (options.json) {
        print({{"output", options.output},
               {"files", options.files.size()},
               {"games", summary->games},
               {"games_before", games_before},
               {"skipped", progress.skipped},
               {"remarks", problems.remarks()},
               {"plies", summary->plies},
               {"blocks", summary->blocks},
               {"bytes", summary->bytes},
               {"bytes_per_move", bytes_a_move},
               {"seconds", seconds},
               {"games_per_second", ratio(games, seconds)},
               {"moves_per_second", ratio(plies, seconds)},
               {"data_hash", base::to_hex(summary->data_hash)},
               {"problems", problems.first()}});
        return {};
    }
    fmt::print("{}: {}, {}", options.output, base::counted(summary->games, "game"),
               base::counted(summary->plies, "half-move"));
    if (games_before > 0)
        fmt::print(", {} of them new", base::counted(summary->games - games_before, "game"));
    fmt::print(" from {} in {:.1f} s ({:.0f} games/s, {:.2f} million moves/s)\n",
               base::counted(options.files.size(), "file"), seconds, ratio(games, seconds),
               ratio(plies, seconds) / 1e6);
    fmt::print("{} in {}, {:.3f} bytes a move, data hash {}\n", base::counted(summary->bytes, "byte"),
               base::counted(summary->blocks, "block"), bytes_a_move, base::to_hex(summary->data_hash));
    problems.print();
    if (before.skipped > 0) fmt::print("and {} before it was resumed\n", grouped(before.skipped));
    return {};
}

}  // namespace

void add_games_import(Command games, Invocation& invocation) {
    const Command import = games.add_subcommand("import", "Read PGN files into a game store");
    auto options = std::make_shared<ImportOptions>();
    import
        .add_option("FILE", options->files,
                    "PGN files, packed too (.zst, .gz, .bz2, .xz, .zip, .7z); - is standard input")
        .required();
    import
        .add_option("-o,--output", options->output,
                    "The game store to write (NAME.games); it takes that name when it is finished")
        .required();
    import.add_flag("--append", options->append, "Add to the store that is there");
    import.add_flag("--resume", options->resume,
                    "Go on with an import of the same files that did not come to its end");
    import.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    import.add_option("--errors", options->errors,
                      "Write every skipped game and why to this file, a line each; --resume adds to it");
    import.add_option("--level", options->level, "zstd compression level")
        .check(range(1, 22))
        .capture_default_str();
    options->threads = static_cast<unsigned>(base::cores());
    import.add_option("--threads", options->threads, "Threads that read and pack")
        .check(range(1, 256))
        .capture_default_str();
    import.add_flag("--json", options->json, "Print one JSON object");
    import.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return import_games(*options, stop); };
    });
}

}  // namespace scholar::cli
