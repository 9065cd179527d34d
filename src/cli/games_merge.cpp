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

struct MergeOptions {
    std::vector<std::string> stores;
    std::string output;
    int level = games::StoreWriter::Options().compression_level;
    bool skip_damaged = false;
    bool overwrite = false;
    bool json = false;
};

base::Status merge(const MergeOptions& options, const std::stop_token& stop) {
    const auto start = Clock::now();
    if (auto status = check_output(options.output, options.stores); !status) return status;
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    base::Progress progress("merging", 0, "games");
    games::MergeJob job;
    job.inputs.assign(options.stores.begin(), options.stores.end());
    job.output = options.output;
    job.compression_level = options.level;
    job.skip_damaged = options.skip_damaged;
    job.progress = [&progress](std::uint64_t games) { progress.update(games); };
    job.stop = stop;
    const auto summary = games::merge_stores(job);
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
    fmt::print("{}: {}, {} of {}; {} copied, {} packed together\n", options.output,
               base::counted(store.games, "game"), base::counted(store.plies, "half-move"),
               base::counted(options.stores.size(), "store"), base::counted(summary->blocks_copied, "block"),
               base::counted(summary->blocks_packed, "small one"));
    fmt::print("{} in {}, data hash {} ({:.1f} s)\n", base::counted(store.bytes, "byte"),
               base::counted(store.blocks, "block"), base::to_hex(store.data_hash), seconds_since(start));
    return {};
}

}  // namespace

void add_games_merge(Command games, Invocation& invocation) {
    const Command command = games.add_subcommand("merge", "Put the games of several stores into one");
    auto options = std::make_shared<MergeOptions>();
    command.add_option("STORE", options->stores, "Game stores, one without its index too").required();
    command.add_option("-o,--output", options->output, "The game store to write").required();
    command.add_option("--level", options->level, "zstd compression level of blocks packed again")
        .check(range(1, 22))
        .capture_default_str();
    command.add_flag("--skip-damaged", options->skip_damaged,
                     "Leave damaged blocks out and say which, rather than stop at the first");
    command.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    command.add_flag("--json", options->json, "Print one JSON object");
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return merge(*options, stop); };
    });
}

}  // namespace scholar::cli
