#include <array>
#include <fmt/core.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "cli/games_commands.hpp"
#include "cli/games_shared.hpp"
#include "games/producer.hpp"
#include "games/store.hpp"

namespace scholar::cli {

namespace {

struct InfoOptions {
    std::vector<std::string> stores;
    bool json = false;
};

struct StoreStatistics {
    std::array<std::uint64_t, 4> results{};
    std::array<std::uint64_t, 3> splits{};
    std::map<std::string, std::uint64_t> column_bytes;
    std::uint64_t chess960 = 0;
    std::uint64_t set_up = 0;
    std::uint64_t with_evaluations = 0;
    std::uint64_t evaluations = 0;
    std::set<std::string> producers;  // engines that have evaluations
};

base::Result<StoreStatistics> gather(const games::StoreReader& store, const std::stop_token& stop) {
    StoreStatistics statistics;
    for (std::size_t number = 0; number < store.blocks().size(); ++number) {
        if (stop.stop_requested()) return base::fail("stopped");
        const auto header = store.read_block_header(number);
        if (!header) return std::unexpected(header.error());
        for (const auto& section : header->sections)
            statistics.column_bytes[section.id] += section.stored_size;
        const auto block = store.read_block(number, {.tags = true, .moves = false, .evaluations = true});
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
            if (!info.has_evaluations) continue;
            for (const std::string_view color : {"White", "Black"})
                statistics.producers.insert(games::producer_of(block->tag(game, color)));
        }
    }
    return statistics;
}

base::Status show_info(const std::string& path, bool json, const std::stop_token& stop) {
    const auto store = games::StoreReader::open(path, games::CutOff::Recover);
    if (!store) return std::unexpected(store.error());
    const auto statistics = gather(*store, stop);
    if (!statistics) return std::unexpected(statistics.error());

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
               {"producers", statistics->producers},
               {"recovered", store->recovered()},
               {"data_hash", base::to_hex(store->data_hash())}});
        return {};
    }
    const auto games = static_cast<double>(store->games());
    fmt::print("{}: game store, version {}, {}, data hash {}\n", path, store->version(),
               base::counted(store->blocks().size(), "block"), base::to_hex(store->data_hash()));
    if (!store->recovered().empty()) fmt::print("  not finished  {}\n", store->recovered());
    fmt::print("  games         {} ({} Chess960, {} from a set-up position)\n", grouped(store->games()),
               grouped(statistics->chess960), grouped(statistics->set_up));
    fmt::print("  half-moves    {} ({:.1f} a game)\n", grouped(store->plies()), ratio(plies, games));
    fmt::print("  results       {:.1f} % 1-0, {:.1f} % drawn, {:.1f} % 0-1, {} unknown\n",
               ratio(100.0 * static_cast<double>(white), games),
               ratio(100.0 * static_cast<double>(draw), games),
               ratio(100.0 * static_cast<double>(black), games), grouped(unknown));
    fmt::print("  splits        {} training, {} validation, {} test games\n", grouped(train),
               grouped(validation), grouped(test));
    fmt::print("  evaluations   {} in {}\n", grouped(statistics->evaluations),
               base::counted(statistics->with_evaluations, "game"));
    if (!statistics->producers.empty()) {
        std::string names;
        for (const std::string& name : statistics->producers) names += (names.empty() ? "" : ", ") + name;
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

}  // namespace

void add_games_info(Command games, Invocation& invocation) {
    const Command info = games.add_subcommand("info", "Say what is in game stores");
    auto info_options = std::make_shared<InfoOptions>();
    info.add_option("STORE", info_options->stores, "Game stores").required();
    info.add_flag("--json", info_options->json, "Print one JSON object a store");
    info.callback([&invocation, info_options] {
        invocation.run = [info_options](const std::stop_token& stop) -> base::Status {
            for (const std::string& store : info_options->stores)
                if (auto status = show_info(store, info_options->json, stop); !status) return status;
            return {};
        };
    });
}

}  // namespace scholar::cli
