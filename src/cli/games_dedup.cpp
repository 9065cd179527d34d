#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/games_commands.hpp"
#include "cli/games_shared.hpp"
#include "games/store_merge.hpp"

namespace scholar::cli {

namespace {

struct DedupOptions {
    std::vector<std::string> stores;
    std::string output;
    std::uint32_t min_plies = 0;
    int level = games::StoreWriter::Options().compression_level;
    bool skip_damaged = false;
    bool overwrite = false;
    bool json = false;
};

base::Status dedup(const DedupOptions& options, const std::stop_token& stop) {
    const auto start = Clock::now();
    if (auto status = check_output(options.output, options.stores); !status) return status;
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    base::Progress progress("writing", 0, "games");
    games::MergeJob job;
    job.inputs.assign(options.stores.begin(), options.stores.end());
    job.output = options.output;
    job.compression_level = options.level;
    job.skip_damaged = options.skip_damaged;
    job.progress = [&progress](std::uint64_t games) { progress.update(games); };
    job.stop = stop;
    const auto summary = games::dedup_stores(job, options.min_plies);
    progress.finish();
    if (!summary) return std::unexpected(summary.error());
    for (const auto* lines : {&summary->recovered, &summary->damaged})
        for (const std::string& line : *lines) fmt::print(stderr, "{}\n", line);
    if (summary->damaged.size() > 1)
        fmt::print(stderr, "{} lost with {}\n", base::counted(summary->games_lost, "game"),
                   base::counted(summary->damaged.size(), "damaged block"));

    const games::StoreSummary& store = summary->store;
    if (options.json) {
        print({{"output", options.output},
               {"stores", options.stores.size()},
               {"games_read", summary->games_read},
               {"duplicates", summary->duplicates},
               {"too_short", summary->too_short},
               {"games", store.games},
               {"plies", store.plies},
               {"blocks", store.blocks},
               {"blocks_copied", summary->blocks_copied},
               {"blocks_packed", summary->blocks_packed},
               {"bytes", store.bytes},
               {"seconds", seconds_since(start)},
               {"data_hash", base::to_hex(store.data_hash)},
               {"recovered", summary->recovered},
               {"damaged", summary->damaged},
               {"games_lost", summary->games_lost}});
        return {};
    }
    fmt::print("{}: {} of {} kept; {} of others", options.output, grouped(store.games),
               base::counted(summary->games_read, "game"),
               base::counted(summary->duplicates, "copy", "copies"));
    if (options.min_plies > 0)
        fmt::print(", {} shorter than {}", grouped(summary->too_short),
                   base::counted(options.min_plies, "half-move"));
    fmt::print("\n{}, {} in {}, data hash {} ({:.1f} s)\n", base::counted(store.plies, "half-move"),
               base::counted(store.bytes, "byte"), base::counted(store.blocks, "block"),
               base::to_hex(store.data_hash), seconds_since(start));
    return {};
}

}  // namespace

void add_games_dedup(Command games, Invocation& invocation) {
    const Command command = games.add_subcommand(
        "dedup", "Keep one copy of each game: that with the most evaluations, then tags, then the first");
    auto options = std::make_shared<DedupOptions>();
    command.add_option("STORE", options->stores, "Game stores, one without its index too").required();
    command.add_option("-o,--output", options->output, "The game store to write").required();
    command.add_option("--min-plies", options->min_plies, "Leave out games of fewer half-moves than this")
        .capture_default_str();
    command.add_option("--level", options->level, "zstd compression level of blocks packed again")
        .check(range(1, 22))
        .capture_default_str();
    command.add_flag("--skip-damaged", options->skip_damaged,
                     "Leave damaged blocks out and say which, rather than stop at the first");
    command.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    command.add_flag("--json", options->json, "Print one JSON object");
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return dedup(*options, stop); };
    });
}

}  // namespace scholar::cli
