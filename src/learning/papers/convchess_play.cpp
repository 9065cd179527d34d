// Games: section 3.6.

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

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

// Of what looks ahead, in place of a depth.
constexpr std::uint64_t kQuickSlowNodes = 4;
constexpr int kSlow = 4;
constexpr int kSlowest = 20;

// Sunfish is MTD(f) with a table of what pieces are worth where: here pieces alone.
base::Result<Contender> paper_opponent(const Reproduction& work) {
    const auto network = nets::quantise(nets::FloatLinearNetwork::material_start());
    if (!network) return std::unexpected(network.error());
    const auto file = work.path("material.safetensors");
    if (auto status = nets::save_network(file, *network); !status) return std::unexpected(status.error());
    return Contender{"MTD(f) that counts pieces", file, {{"Search", "mtdf"}}};
}

struct OpponentRow {
    Contender who;
    arena::TimeControl control;
    arena::TimeControl::DrawnNodes opponent;
    int fewer;       // by how much the games are divided
    bool is_placed;  // on the ladder
    const char* paper;
};

// The rows of table 3.7, and others.
base::Result<std::vector<OpponentRow>> opponent_rows(const ConvChessExperiment& experiment) {
    const Reproduction& work = experiment.work();
    const auto trained = experiment.seven();
    if (!trained) return std::unexpected(trained.error());
    const std::string policy = trained->network().string();
    const auto value = experiment.value(kPaperGamma);
    if (!value) return std::unexpected(value.error());
    const auto modern = experiment.modern();
    if (!modern) return std::unexpected(modern.error());
    const std::string modern_policy = modern->network().string();
    const arena::TimeControl once{arena::TimeControl::Nodes{1}};
    // Of a value that knows nothing, captures alone take long at any depth.
    const auto limit = [&work](int depth) {
        return work.options().quick ? arena::TimeControl{arena::TimeControl::Nodes{kQuickSlowNodes}}
                                    : arena::TimeControl{arena::TimeControl::Depth{depth}};
    };
    const arena::TimeControl::DrawnNodes usual{10, work.nodes(1'000)};
    std::vector<OpponentRow> rows{
        {{"top probability", {}, {{"Search", "policy"}, {"PolicyFile", policy}}},
         once,
         usual,
         1,
         true,
         "+7 =20 −46"},
        {{"top probability without masks",
          {},
          {{"Search", "policy"}, {"PolicyFile", fmt::format("<unmasked:{}>", policy)}}},
         once,
         usual,
         1,
         false,
         "–"},
        {{"top move", {}, {{"Search", "top-move"}, {"PolicyFile", policy}}}, once, usual, 1, true, "–"},
        {{"likely moves",
          value->network(),
          {{"Search", "likely"}, {"PolicyFile", policy}, {"LikelyBreadth", "4"}}},
         limit(4),
         {10, 100},
         kSlow,
         true,
         "+3 =4 −12"},
        {{"the modern network, top probability", {}, {{"Search", "policy"}, {"PolicyFile", modern_policy}}},
         once,
         usual,
         1,
         true,
         "+7 =20 −46, its best without a search"},
        {{"the modern network, likely moves",
          value->network(),
          {{"Search", "likely"}, {"PolicyFile", modern_policy}, {"LikelyBreadth", "4"}}},
         limit(4),
         {10, 100},
         kSlow,
         true,
         "+3 =4 −12"},
        {{"the value, full width, with quiescence", value->network(), {{"Search", "naive-depth"}}},
         limit(3),
         usual,
         kSlow,
         false,
         "+6 =4 −11 at depths 3 and 4"},
        {{"the value, deeper", value->network(), {{"Search", "naive-depth"}}},
         limit(4),
         usual,
         kSlowest,
         false,
         "+6 =4 −11 at depths 3 and 4"}};
    for (const std::string_view gamma : kValueGammas) {
        const auto other = experiment.value(gamma);
        if (!other) return std::unexpected(other.error());
        rows.push_back({{fmt::format("the value of γ = {}, one half-move ahead", gamma),
                         other->network(),
                         {{"Search", "value"}}},
                        once,
                        usual,
                        1,
                        false,
                        "–"});
    }
    return rows;
}

}  // namespace

base::Status play_opponents(Reproduction& work, const TakeFindings& take) {
    auto experiment = ConvChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto rows = opponent_rows(*experiment);
    if (!rows) return std::unexpected(rows.error());
    const auto opponent = paper_opponent(work);
    if (!opponent) return std::unexpected(opponent.error());
    const int games = work.options().match_games;
    for (const OpponentRow& row : *rows) {
        const arena::TimeControl other{row.opponent};
        const auto duel =
            work.match(row.who, *opponent, {row.control, other}, std::max(2, games / row.fewer));
        if (!duel) return std::unexpected(duel.error());
        experiment->findings.figures.push_back(
            {row.who.name + " against " + opponent->name,
             fmt::format("{} against {}", arena::to_string(row.control), arena::to_string(other)), row.paper,
             describe(*duel)});
        if (auto status = experiment->take(); !status) return status;
    }
    for (const OpponentRow& row : *rows)
        if (row.is_placed)
            if (auto status = experiment->place(row.who, row.control, "–"); !status) return status;
    return {};
}

// Section 4.3.1: the value as a teacher of the policy.
base::Status learn_from_search(Reproduction& work, const TakeFindings& take) {
    auto experiment = ConvChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto before = experiment->seven();
    if (!before) return std::unexpected(before.error());
    const auto value = experiment->value(kPaperGamma);
    if (!value) return std::unexpected(value.error());
    const auto searched = work.games({.name = "searched",
                                      .games = work.sized(kSearchedGames, kQuickOwnGames),
                                      .nodes = work.sized(kSearchedNodes, 2),
                                      .options = {{"Search", "likely"},
                                                  {"PolicyFile", before->network().string()},
                                                  {"EvalFile", value->network().string()}},
                                      .is_static = false});
    if (!searched) return std::unexpected(searched.error());
    const auto after = experiment->variant_of(
        {searched->string()}, "searched", kSearchedPositions,
        {{"kind = \"chessnet\"\n",
          fmt::format("kind = \"chessnet\"\ninitial = {}\n", in_toml(before->weights().string()))},
         {"learning_rate = 0.1\n", "learning_rate = 0.01\n"},
         {"warmup = 300", "warmup = 20"}});
    if (!after) return std::unexpected(after.error());
    const auto policy = [](const char* name, const Trained& trained) {
        return Contender{name, {}, {{"Search", "policy"}, {"PolicyFile", trained.network().string()}}};
    };
    const arena::TimeControl once{arena::TimeControl::Nodes{1}};
    const auto duel =
        work.match(policy("taught by the search", *after), policy("taught by games alone", *before), once);
    if (!duel) return std::unexpected(duel.error());
    experiment->findings.figures.push_back(
        {"taught by the search against taught by games alone, top probability", "no search", "–",
         describe(*duel)});
    return experiment->take();
}

}  // namespace scholar::learning
