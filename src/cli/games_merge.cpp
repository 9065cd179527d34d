#include <fmt/core.h>
#include <memory>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "cli/games_commands.hpp"
#include "cli/games_merging.hpp"

namespace scholar::cli {

namespace {

base::Status merge(const MergeArguments& arguments, const std::stop_token& stop) {
    const auto start = Clock::now();
    const auto summary = merge_with_progress(arguments, "merging", stop, games::merge_stores);
    if (!summary) return std::unexpected(summary.error());
    if (arguments.json) {
        print(to_json(arguments, *summary, seconds_since(start), Json::object()));
        return {};
    }
    const games::StoreSummary& store = summary->store;
    fmt::print("{}: {}, {} of {}; {} copied, {} packed together\n", arguments.output,
               base::counted(store.games, "game"), base::counted(store.plies, "half-move"),
               base::counted(arguments.stores.size(), "store"),
               base::counted(summary->blocks_copied, "block"),
               base::counted(summary->blocks_packed, "small one"));
    fmt::print("{} in {}, data hash {} ({:.1f} s)\n", base::counted(store.bytes, "byte"),
               base::counted(store.blocks, "block"), base::to_hex(store.data_hash), seconds_since(start));
    return {};
}

}  // namespace

void add_games_merge(Command games, Invocation& invocation) {
    const Command command = games.add_subcommand("merge", "Put the games of several stores into one");
    auto arguments = std::make_shared<MergeArguments>();
    add_merge_options(command, *arguments, [](Command) {});
    command.callback([&invocation, arguments] {
        invocation.run = [arguments](const std::stop_token& stop) { return merge(*arguments, stop); };
    });
}

}  // namespace scholar::cli
