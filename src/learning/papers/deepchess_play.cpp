// A search that never sees a number: section 4.3, and games.

#include <chrono>
#include <fmt/format.h>
#include <stop_token>

#include "base/text.hpp"
#include "learning/papers/deepchess_experiment.hpp"
#include "nets/container/open_network.hpp"
#include "search/ordered/ordered_search.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kNodes = 5'000;
constexpr std::uint64_t kCountedPositions = 200;
// At which the rebuilding played.
constexpr int kPaperDepth = 4;
constexpr int kQuickDepth = 1;

arena::TimeControl nodes(const Reproduction& work) {
    return {arena::TimeControl::Nodes{work.nodes(kNodes)}};
}
arena::TimeControl depth(const Reproduction& work) {
    return {arena::TimeControl::Depth{work.options().quick ? kQuickDepth : kPaperDepth}};
}
// A second for a game, and a bit a move.
arena::TimeControl second_and_a_bit(const Reproduction& work) {
    arena::TimeControl::Clock clock;
    clock.base = std::chrono::milliseconds(work.sized(1'000, 100));
    clock.increment = std::chrono::milliseconds(work.sized(10, 1));
    return {clock};
}

Contender by_numbers(std::string name, const Trained& trained, const char* search) {
    return {std::move(name), trained.network(), {{"Search", search}}};
}

// What a search at the paper's depth asks of the network, in the mean of a set's positions.
base::Status count_comparisons(const Reproduction& work, const char* name, const Trained& trained, bool plain,
                               const games::HeldOutSet& set, Findings::Table& table) {
    const auto network = nets::open_network(trained.network().string());
    if (!network) return std::unexpected(network.error());
    const auto search = search::make_ordered_search(*network, {.plain = plain});
    if (!search) return std::unexpected(search.error());
    search::Limits limits;
    limits.limits.emplace_back(search::DepthLimit{work.options().quick ? kQuickDepth : kPaperDepth});
    search::Silence silence;
    std::uint64_t searched = 0;
    for (const games::HeldOutPosition& position : set.positions) {
        if (work.stop().stop_requested()) return stopped_to_go_on();
        (*search)->new_game();
        searched +=
            (*search)->run(chess::Line(position.position), limits, work.stop(), silence).counters.nodes;
    }
    const search::OrderCounts& counts = (*search)->counts();
    const auto a_move = [&set](std::uint64_t all) {
        return base::grouped(static_cast<std::int64_t>(all / set.positions.size()));
    };
    table.rows.push_back(
        {name, plain ? "the bare tree" : "all that it has", a_move(searched), a_move(counts.embeddings),
         a_move(counts.comparisons), base::grouped(static_cast<std::int64_t>(counts.triples)),
         counts.triples == 0 ? "–"
                             : fmt::format("{:.2f}", 100 * static_cast<double>(counts.cycles) /
                                                         static_cast<double>(counts.triples))});
    return {};
}

}  // namespace

base::Status compare_distilled(Reproduction& work, const TakeFindings& take) {
    auto experiment = DeepChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto full = experiment->full();
    if (!full) return std::unexpected(full.error());
    const auto distilled = experiment->distilled();
    if (!distilled) return std::unexpected(distilled.error());
    const auto small = experiment->small();
    if (!small) return std::unexpected(small.error());
    const Contender student = ordered_player("distilled", *distilled);
    for (const arena::TimeControl& control : {nodes(work), second_and_a_bit(work)}) {
        if (auto status = experiment->play(student, ordered_player("full", *full), control, "–"); !status)
            return status;
        if (auto status =
                experiment->play(student, ordered_player("small, no teacher", *small), control, "–");
            !status)
            return status;
    }
    return {};
}

base::Status search_by_order(Reproduction& work, const TakeFindings& take) {
    auto experiment = DeepChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto split = experiment->split();
    if (!split) return std::unexpected(split.error());
    const auto small = experiment->small();
    if (!small) return std::unexpected(small.error());
    auto set = experiment->positions(kCountedPositions);
    if (!set) return std::unexpected(set.error());
    if (work.options().quick) set->positions.resize(std::min<std::size_t>(5, set->positions.size()));
    Findings& findings = experiment->findings;
    findings.remarks.emplace_back(
        "The split network is a number for each position, so that the same network plays with and without "
        "comparisons: what differs between the two is the search alone.");
    findings.tables.push_back(
        {fmt::format("A move at depth {}, in the mean of {} positions, from an empty memory; cycles in a "
                     "sample of triples",
                     work.options().quick ? kQuickDepth : kPaperDepth, set->positions.size()),
         {{"network", "search", "nodes", "embeddings", "comparisons", "triples", "cycles, %"}}});
    for (const auto& [name, trained] : {std::pair{"small, no teacher", &*small}, {"split", &*split}})
        for (const bool plain : {true, false}) {
            if (auto status = count_comparisons(work, name, *trained, plain, *set, findings.tables.front());
                !status)
                return status;
            if (auto status = experiment->take(); !status) return status;
        }
    const Contender bare{
        "naive-ordered, split", {}, {{"Search", "naive-ordered"}, {"OrderFile", split->network().string()}}};
    const Contender bare_numbers = by_numbers("naive-depth, split", *split, "naive-depth");
    const Contender ordered = ordered_player("ordered, split", *split);
    const Contender pvs = by_numbers("pvs, split", *split, "pvs");
    for (const arena::TimeControl& control : {nodes(work), second_and_a_bit(work), depth(work)})
        if (auto status = experiment->play(bare, bare_numbers, control, "–"); !status) return status;
    for (const arena::TimeControl& control : {nodes(work), second_and_a_bit(work)})
        if (auto status = experiment->play(ordered, pvs, control, "–"); !status) return status;
    return {};
}

base::Status place_forms(Reproduction& work, const TakeFindings& take) {
    auto experiment = DeepChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto full = experiment->full();
    if (!full) return std::unexpected(full.error());
    const auto distilled = experiment->distilled();
    if (!distilled) return std::unexpected(distilled.error());
    const auto small = experiment->small();
    if (!small) return std::unexpected(small.error());
    const auto split = experiment->split();
    if (!split) return std::unexpected(split.error());
    const arena::TimeControl usual = second_and_a_bit(work);
    if (auto status = experiment->place(ordered_player("small, no teacher, at depth 4", *small), depth(work),
                                        "novice to amateur");
        !status)
        return status;
    for (const Contender& contender :
         {ordered_player("full", *full), ordered_player("distilled", *distilled),
          ordered_player("small, no teacher", *small), ordered_player("split", *split),
          by_numbers("split, mtdf", *split, "mtdf"),
          by_numbers("split, bounded by probability", *split, "probability")})
        if (auto status = experiment->place(contender, usual, "–"); !status) return status;
    return {};
}

}  // namespace scholar::learning
