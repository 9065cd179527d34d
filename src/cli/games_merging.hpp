#pragma once

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "cli/command.hpp"
#include "cli/games_shared.hpp"
#include "cli/output.hpp"
#include "games/store_merge.hpp"

// What `scholar games merge` and `scholar games dedup` have in common: stores made of stores.

namespace scholar::cli {

struct MergeArguments {
    std::vector<std::string> stores;
    std::string output;
    int level = games::StoreWriter::Options().compression_level;
    bool skip_damaged = false;
    bool overwrite = false;
    bool json = false;
};

// `between` adds what stands between the output and the level.
template <class Between>
void add_merge_options(Command command, MergeArguments& arguments, Between between) {
    command.add_option("STORE", arguments.stores, "Game stores, one without its index too").required();
    command.add_option("-o,--output", arguments.output, "The game store to write").required();
    between(command);
    command.add_option("--level", arguments.level, "zstd compression level of blocks packed again")
        .check(range(1, 22))
        .capture_default_str();
    command.add_flag("--skip-damaged", arguments.skip_damaged,
                     "Leave damaged blocks out and say which, rather than stop at the first");
    command.add_flag(kOverwrite, arguments.overwrite, kOverwriteHelp);
    command.add_flag("--json", arguments.json, "Print one JSON object");
}

// The job of the arguments; their output is checked first.
base::Result<games::MergeJob> merge_job(const MergeArguments& arguments, const std::stop_token& stop);

// Says of which stores something was missing or lost.
void say_losses(const games::MergeSummary& summary);

// Runs `merge` on the job, with a line that says how far it is.
template <class Merge>
auto merge_with_progress(const MergeArguments& arguments, std::string doing, const std::stop_token& stop,
                         Merge merge) -> decltype(merge(std::declval<games::MergeJob>())) {
    auto job = merge_job(arguments, stop);
    if (!job) return std::unexpected(job.error());
    base::Progress progress(std::move(doing), 0, "games");
    job->progress = [&progress](std::uint64_t games) { progress.update(games); };
    auto summary = merge(*job);
    progress.finish();
    if (summary) say_losses(*summary);
    return summary;
}

// What is printed of both with --json; `read` stands before the games of the new store.
Json to_json(const MergeArguments& arguments, const games::MergeSummary& summary, double seconds,
             const Json& read);

}  // namespace scholar::cli
