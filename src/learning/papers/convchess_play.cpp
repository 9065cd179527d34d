// Games: section 3.6.

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <utility>

#include "learning/papers/convchess_experiment.hpp"
#include "learning/papers/recipe_text.hpp"
#include "nets/linear/linear_file.hpp"

namespace scholar::learning {

namespace {

// What the policy learns from that is taught by its own search: games, positions looked at for a move of
// them, positions learnt from.
constexpr std::uint64_t kSearchedGames = 1'500;
constexpr std::uint64_t kSearchedNodes = 64;
constexpr std::uint64_t kSearchedPositions = 200'000;

constexpr std::uint64_t kQuickNodesOf = 4;

// Sunfish is MTD(f) with a table of what pieces are worth where: here pieces alone.
base::Result<Contender> paper_opponent(const Reproduction& work) {
    const auto network = nets::quantise(nets::FloatLinearNetwork::material_start());
    if (!network) return std::unexpected(network.error());
    const auto file = work.path("material.safetensors");
    if (auto status = nets::save_network(file, *network); !status) return std::unexpected(status.error());
    return Contender{"MTD(f) that counts pieces", file, {{"Search", "mtdf"}}};
}

}  // namespace

base::Status play_opponents(Reproduction& work, const TakeFindings& take) {
    auto experiment = ConvChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto trained = experiment->seven();
    if (!trained) return std::unexpected(trained.error());
    const auto value = experiment->value("0.7");
    if (!value) return std::unexpected(value.error());
    const auto opponent = paper_opponent(work);
    if (!opponent) return std::unexpected(opponent.error());

    const std::string policy = trained->network().string();
    const std::filesystem::path values = value->network();
    struct Row {
        Contender who;
        arena::TimeControl control;
        arena::TimeControl::DrawnNodes opponent;
        const char* paper;
    };
    const arena::TimeControl once{arena::TimeControl::Nodes{1}};
    // Of a value that knows nothing, captures alone take long at any depth.
    const auto limit = [&work](int depth) {
        return work.options().quick ? arena::TimeControl{arena::TimeControl::Nodes{kQuickNodesOf}}
                                    : arena::TimeControl{arena::TimeControl::Depth{depth}};
    };
    const arena::TimeControl::DrawnNodes usual{10, work.nodes(1'000)};
    const std::array rows{
        Row{{"top probability", {}, {{"Search", "policy"}, {"PolicyFile", policy}}},
            once,
            usual,
            "+7 =20 −46"},
        Row{{"top move", {}, {{"Search", "top-move"}, {"PolicyFile", policy}}}, once, usual, "–"},
        Row{{"likely moves", values, {{"Search", "likely"}, {"PolicyFile", policy}, {"LikelyBreadth", "4"}}},
            limit(4),
            {10, 100},
            "+3 =4 −12"},
        Row{{"the value, full width", values, {{"Search", "naive-depth"}}},
            limit(3),
            usual,
            "+6 =4 −11 at depths 3 and 4, +16 =2 −7 at 4"}};
    for (const Row& row : rows) {
        const auto duel = work.match(row.who, *opponent, {row.control, arena::TimeControl{row.opponent}});
        if (!duel) return std::unexpected(duel.error());
        experiment->findings.figures.push_back(
            {row.who.name + " against " + opponent->name,
             fmt::format("{} against {}", arena::to_string(row.control),
                         arena::to_string(arena::TimeControl{row.opponent})),
             row.paper, describe(*duel)});
        if (auto status = experiment->take(); !status) return status;
    }
    return {};
}

// Section 4.3.1: the value as a teacher of the policy.
base::Status learn_from_search(Reproduction& work, const TakeFindings& take) {
    auto experiment = ConvChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto before = experiment->seven();
    if (!before) return std::unexpected(before.error());
    const auto value = experiment->value("0.7");
    if (!value) return std::unexpected(value.error());
    const auto searched = work.games({.name = "searched",
                                      .games = work.sized(kSearchedGames, 12),
                                      .nodes = work.sized(kSearchedNodes, 8),
                                      .options = {{"Search", "likely"},
                                                  {"PolicyFile", before->network().string()},
                                                  {"EvalFile", value->network().string()}},
                                      .is_static = false});
    if (!searched) return std::unexpected(searched.error());
    const auto after = experiment->variant_of(
        {searched->string()}, "searched", kSearchedPositions,
        {{"kind = \"chessnet\"\n",
          fmt::format("kind = \"chessnet\"\ninitial = {}\n",
                      in_toml((before->folder / "network-weights.safetensors").string()))},
         {"learning_rate = 0.1\n", "learning_rate = 0.01\n"}});
    if (!after) return std::unexpected(after.error());
    const auto policy = [](const char* name, const Trained& trained) {
        return Contender{name, {}, {{"Search", "policy"}, {"PolicyFile", trained.network().string()}}};
    };
    const arena::TimeControl once{arena::TimeControl::Nodes{1}};
    const auto duel =
        work.match(policy("taught by the search", *after), policy("taught by masters alone", *before), once);
    if (!duel) return std::unexpected(duel.error());
    experiment->findings.figures.push_back(
        {"taught by the search against taught by masters alone, top probability", "no search", "–",
         describe(*duel)});
    return experiment->take();
}

}  // namespace scholar::learning
