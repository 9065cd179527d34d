#include <cstdint>
#include <fmt/core.h>
#include <memory>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "cli/games_commands.hpp"
#include "cli/games_merging.hpp"

namespace scholar::cli {

namespace {

struct DedupArguments : MergeArguments {
    std::uint32_t min_plies = 0;
};

base::Status dedup(const DedupArguments& arguments, const std::stop_token& stop) {
    const auto start = Clock::now();
    const auto summary = merge_with_progress(
        arguments, "writing", stop,
        [&arguments](const games::MergeJob& job) { return games::dedup_stores(job, arguments.min_plies); });
    if (!summary) return std::unexpected(summary.error());
    if (arguments.json) {
        print(to_json(arguments, *summary, seconds_since(start),
                      {{"games_read", summary->games_read},
                       {"duplicates", summary->duplicates},
                       {"too_short", summary->too_short}}));
        return {};
    }
    const games::StoreSummary& store = summary->store;
    fmt::print("{}: {} of {} kept; {} of others", arguments.output, grouped(store.games),
               base::counted(summary->games_read, "game"),
               base::counted(summary->duplicates, "copy", "copies"));
    if (arguments.min_plies > 0)
        fmt::print(", {} shorter than {}", grouped(summary->too_short),
                   base::counted(arguments.min_plies, "half-move"));
    fmt::print("\n{}, {} in {}, data hash {} ({:.1f} s)\n", base::counted(store.plies, "half-move"),
               base::counted(store.bytes, "byte"), base::counted(store.blocks, "block"),
               base::to_hex(store.data_hash), seconds_since(start));
    return {};
}

}  // namespace

void add_games_dedup(Command games, Invocation& invocation) {
    const Command command = games.add_subcommand(
        "dedup", "Keep one copy of each game: that with the most evaluations, then tags, then the first");
    auto arguments = std::make_shared<DedupArguments>();
    add_merge_options(command, *arguments, [&arguments](Command options) {
        options
            .add_option("--min-plies", arguments->min_plies, "Leave out games of fewer half-moves than this")
            .capture_default_str();
    });
    command.callback([&invocation, arguments] {
        invocation.run = [arguments](const std::stop_token& stop) { return dedup(*arguments, stop); };
    });
}

}  // namespace scholar::cli
