#include <array>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/game_files.hpp"
#include "cli/games_shared.hpp"
#include "cli/output.hpp"
#include "nets/linear/linear_counts.hpp"

namespace scholar::cli {

namespace {

using nets::FeatureBlock;

struct NetFeaturesArguments {
    std::string games;
    bool all = false;
    bool markdown = false;
    bool json = false;
};

// In how many positions a feature is not even.
struct Census {
    std::uint64_t games = 0;
    std::uint64_t positions = 0;
    std::array<std::uint64_t, nets::kLinearFeatures> fired{};

    void add(const games::Game& game) {
        ++games;
        chess::Position position = game.start;
        for (const chess::Move move : game.moves) {
            position.make(move);
            ++positions;
            const auto counts = nets::dense_counts(position);
            for (std::size_t i = 0; i < counts.size(); ++i) fired[i] += counts[i] != 0;
        }
    }
    int firing(const FeatureBlock& block) const {
        int count = 0;
        for (int i = 0; i < block.size(); ++i) count += fired_of(nets::feature(block.id) + i) > 0;
        return count;
    }
    int firing() const {
        int count = 0;
        for (const FeatureBlock& block : nets::kFeatureBlocks) count += firing(block);
        return count;
    }
    std::uint64_t fired_of(int feature) const { return fired[static_cast<std::size_t>(feature)]; }
    double share(std::uint64_t count) const {
        return 100 * ratio(static_cast<double>(count), static_cast<double>(positions));
    }
    // The mean of the block's features.
    double share(const FeatureBlock& block) const {
        std::uint64_t sum = 0;
        for (int i = 0; i < block.size(); ++i) sum += fired_of(nets::feature(block.id) + i);
        return share(sum) / block.size();
    }
};

base::Result<Census> count_games(const std::string& path, const std::stop_token& stop) {
    Census census;
    ProblemLog problems;
    const auto status =
        for_each_game_of(path, "counting features", problems, stop, [&](const games::Game& game) {
            census.add(game);
            return base::Status();
        });
    if (!status) return std::unexpected(status.error());
    problems.note();
    return census;
}

void print_text(const NetFeaturesArguments& options, const Census& census) {
    const bool counted = census.games > 0;
    fmt::print("{:<24} {:<14} {:>8}{}  counts (source)\n", options.all ? "feature" : "block", "group",
               options.all ? "" : "features", counted ? "     fire  positions" : "");
    for (const FeatureBlock& block : nets::kFeatureBlocks) {
        fmt::print("{:<24} {:<14} {:>8}", block.name, to_string(block.group), block.size());
        if (counted) fmt::print(" {:>8} {:>8.3f} %", census.firing(block), census.share(block));
        fmt::print("  {} ({})\n", block.counts, block.source);
        if (!options.all) continue;
        for (int i = 0; i < block.size(); ++i) {
            const int feature = nets::feature(block.id) + i;
            fmt::print("  {}", nets::feature_name(feature));
            if (counted)
                fmt::print(" {} ({:.4f} %)", census.fired_of(feature),
                           census.share(census.fired_of(feature)));
            fmt::print("\n");
        }
    }
    fmt::print("\n{} in {}", base::counted(nets::kLinearFeatures, "feature"),
               base::counted(nets::kFeatureBlocks.size(), "block"));
    if (counted)
        fmt::print("; {} fire in {} of {}", census.firing(), base::counted(census.positions, "position"),
                   base::counted(census.games, "game"));
    fmt::print("\n");
}

void print_markdown(const Census& census) {
    const bool counted = census.games > 0;
    fmt::print("{} in {}, each with a weight in four stages.\n",
               base::counted(nets::kLinearFeatures, "feature"),
               base::counted(nets::kFeatureBlocks.size(), "block"));
    if (counted)
        fmt::print(
            "{} of them fire (own less enemy is not 0) in {} of {}. \"Fire\" is how many of a block's "
            "features do so at least once, \"positions\" in how many positions one of them does, on "
            "average.\n",
            census.firing(), base::counted(census.positions, "position"),
            base::counted(census.games, "game"));
    fmt::print("\n| block | group | counts | source | features |{}\n|---|---|---|---|--:|{}\n",
               counted ? " fire | positions |" : "", counted ? "--:|--:|" : "");
    for (const FeatureBlock& block : nets::kFeatureBlocks) {
        fmt::print("| `{}` | {} | {} | {} | {} |", block.name, to_string(block.group), block.counts,
                   block.source, block.size());
        if (counted) fmt::print(" {} | {:.3f} % |", census.firing(block), census.share(block));
        fmt::print("\n");
    }
    if (!counted) return;
    fmt::print("\nNever:");
    std::string_view separator;
    for (int feature = 0; feature < nets::kLinearFeatures; ++feature)
        if (census.fired_of(feature) == 0) {
            fmt::print("{} `{}`", separator, nets::feature_name(feature));
            separator = ",";
        }
    fmt::print(".\n");
}

Json to_json(const Census& census) {
    const bool counted = census.games > 0;
    Json json;
    json["features"] = Json::array();
    for (int i = 0; i < nets::kLinearFeatures; ++i) {
        const FeatureBlock& block = nets::row(nets::place_of(i).block);
        Json entry{{"feature", nets::feature_name(i)},
                   {"block", block.name},
                   {"group", to_string(block.group)},
                   {"counts", block.counts},
                   {"source", block.source}};
        if (counted) entry["positions"] = census.fired_of(i);
        json["features"].push_back(std::move(entry));
    }
    if (counted) {
        json["games"] = census.games;
        json["positions"] = census.positions;
        json["firing"] = census.firing();
    }
    return json;
}

base::Status run_net_features(const NetFeaturesArguments& options, const std::stop_token& stop) {
    Census census;
    if (!options.games.empty()) {
        auto counted = count_games(options.games, stop);
        if (!counted) return std::unexpected(counted.error());
        if (counted->games == 0)
            return base::fail("{}: no games, expected a game store or PGN", options.games);
        census = *counted;
    }
    if (options.json)
        print(to_json(census));
    else if (options.markdown)
        print_markdown(census);
    else
        print_text(options, census);
    return {};
}

}  // namespace

void add_net_features_command(Command net, Invocation& invocation) {
    const Command command = net.add_subcommand(
        "features", "The features of the linear evaluation: name, group, what is counted, source");
    auto options = std::make_shared<NetFeaturesArguments>();
    command.add_option("--games", options->games,
                       "Game store or PGN: in how many of its positions each feature is not even");
    command.add_flag("--all", options->all, "Every feature, not only the blocks that they come in");
    const Option markdown = command.add_flag("--markdown", options->markdown, "As a table for a page");
    command.add_flag("--json", options->json, "One JSON object with every feature").excludes(markdown);
    command.callback([&invocation, options] {
        invocation.run = [options](std::stop_token stop) { return run_net_features(*options, stop); };
    });
}

}  // namespace scholar::cli
