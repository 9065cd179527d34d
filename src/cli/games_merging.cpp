#include "cli/games_merging.hpp"

#include <fmt/core.h>

#include "base/hash.hpp"
#include "base/text.hpp"

namespace scholar::cli {

base::Result<games::MergeJob> merge_job(const MergeArguments& arguments, const std::stop_token& stop) {
    if (auto status = check_output(arguments.output, arguments.stores); !status)
        return std::unexpected(status.error());
    if (auto status = check_new_output(arguments.output, arguments.overwrite); !status)
        return std::unexpected(status.error());
    games::MergeJob job;
    job.inputs.assign(arguments.stores.begin(), arguments.stores.end());
    job.output = arguments.output;
    job.compression_level = arguments.level;
    job.skip_damaged = arguments.skip_damaged;
    job.stop = stop;
    return job;
}

void say_losses(const games::MergeSummary& summary) {
    for (const auto* lines : {&summary.recovered, &summary.damaged})
        for (const std::string& line : *lines) fmt::print(stderr, "{}\n", line);
    if (summary.damaged.size() > 1)
        fmt::print(stderr, "{} lost with {}\n", base::counted(summary.games_lost, "game"),
                   base::counted(summary.damaged.size(), "damaged block"));
}

Json to_json(const MergeArguments& arguments, const games::MergeSummary& summary, double seconds,
             const Json& read) {
    const games::StoreSummary& store = summary.store;
    Json all{{"output", arguments.output}, {"stores", arguments.stores.size()}};
    all.update(read);
    all.update({{"games", store.games},
                {"plies", store.plies},
                {"blocks", store.blocks},
                {"blocks_copied", summary.blocks_copied},
                {"blocks_packed", summary.blocks_packed},
                {"bytes", store.bytes},
                {"seconds", seconds},
                {"data_hash", base::to_hex(store.data_hash)},
                {"recovered", summary.recovered},
                {"damaged", summary.damaged},
                {"games_lost", summary.games_lost}});
    return all;
}

}  // namespace scholar::cli
