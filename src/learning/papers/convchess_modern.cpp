// One network in place of the paper's seven, and the layer of ratings (sections 2.2.3 and 3.1).

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>

#include "arena/square_study.hpp"
#include "base/text.hpp"
#include "evaluators/make.hpp"
#include "games/move_habits.hpp"
#include "learning/papers/convchess_experiment.hpp"
#include "learning/papers/convchess_figures.hpp"
#include "nets/container/open_network.hpp"
#include "nets/conv/asked_rating.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kStudyPositions = 50'000;
constexpr std::uint64_t kBandPositions = 2'000;
constexpr int kBand = 200;
constexpr std::uint64_t kHabitGames = 2'000;
// Within what the recipe's layer shows.
constexpr std::array kAskedRatings{1'600, 2'000, 2'400, 2'800};

Contender asked_for(const std::string& policy, int rating) {
    return {fmt::format("asked for {}", rating),
            {},
            {{"Search", "policy"}, {"PolicyFile", policy}, {"AskedRating", std::to_string(rating)}}};
}

void add_square_table(const arena::PolicyStudy& study, Findings& findings) {
    Findings::Table table{"The square of the move played among the likeliest, % of positions (table 3.1)",
                          {{"question", "positions", "first", "in 3", "in 5", "in 10", "first, by kind"}}};
    for (const PaperSquares& paper : kPaperSquares) {
        const arena::SquareScore& score = study.man_known.of(paper.role);
        if (score.positions == 0) continue;
        std::vector<std::string> row = row_of_squares(paper, score.positions, score.masked);
        row.push_back(in_per_cent(study.kind_known.of(paper.role).masked.front()));
        table.rows.push_back(std::move(row));
    }
    findings.tables.push_back(std::move(table));
}

}  // namespace

base::Status learn_modern(Reproduction& work, const TakeFindings& take) {
    auto experiment = ConvChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto trained = experiment->modern();
    if (!trained) return std::unexpected(trained.error());
    experiment->add_run("losses and accuracies by positions learnt from", *trained);
    const auto network = nets::open_network(trained->network().string());
    if (!network) return std::unexpected(network.error());
    const auto policy_for = [&network](int rating) {
        return evaluators::make_batch(nets::with_asked_rating(*network, rating));
    };
    const auto set = experiment->held_out(kStudyPositions, 0);
    if (!set) return std::unexpected(set.error());
    const auto study = arena::study_policy(*set, policy_for, work.stop());
    if (!study) return std::unexpected(study.error());
    if (study->man_known.interrupted) return stopped_to_go_on();
    experiment->findings.remarks.emplace_back(
        "In brackets what the paper has. The network gives legal moves alone a probability; which man moves "
        "is the sum over his moves, and where he goes is asked with him known, as the paper's piece layer "
        "tells it. The last column asks as its table 3.3 does: where a man of the kind goes, whichever of "
        "them. It is asked as for a player of the mover's rating.");
    experiment->findings.remarks.push_back(arena::describe(*set));
    add_square_table(*study, experiment->findings);
    return experiment->take();
}

namespace {

// First guesses, % of the positions of each band, by what is asked for.
base::Status add_bands(const ConvChessExperiment& experiment, const std::string& policy, Findings& findings) {
    const auto set = experiment.held_out(kBandPositions, 10, kBand);
    if (!set) return std::unexpected(set.error());
    const auto stores = experiment.stores();
    if (!stores) return std::unexpected(stores.error());
    const auto habits =
        games::learn_move_habits(*stores, experiment.shares(), kHabitGames, experiment.work().stop());
    if (!habits) return std::unexpected(habits.error());
    std::vector<Contender> contenders;
    contenders.reserve(kAskedRatings.size());
    for (const int rating : kAskedRatings) contenders.push_back(asked_for(policy, rating));
    const auto result = experiment.work().foretell(*set, *habits, contenders);
    if (!result) return std::unexpected(result.error());
    Findings::Table table{"First guess, % of the moves of players of a rating, by what was asked for",
                          {{"rating", "positions"}}};
    for (const Contender& contender : contenders) table.rows.front().push_back(contender.name);
    for (const arena::MoveGroup& group : arena::move_groups(*set, *result, kBand)) {
        if (group.kind != "rating") continue;
        table.rows.push_back({group.name, base::grouped(static_cast<std::int64_t>(group.positions.size()))});
        for (const arena::MovePredictor& predictor : result->engines) {
            const auto first = arena::score_moves(predictor, group).within.front();
            table.rows.back().push_back(
                first ? fmt::format("{:.1f} ± {:.1f}", 100 * first->mean, 100 * first->error()) : "–");
        }
    }
    findings.remarks.push_back(arena::describe(*set));
    findings.tables.push_back(std::move(table));
    return {};
}

// The same network with the layer and without, small and for a short time.
base::Status add_without_layer(const ConvChessExperiment& experiment, Findings& findings) {
    Findings::Table table{"A small network after the same positions, with the players' ratings and without",
                          {{"shown", "first %", "in 3", "in 10", "loss of moves"}}};
    const RecipeChanges small{{"filters = 64\n", "filters = 32\n"},
                              {"blocks = 6\n", "blocks = 4\n"},
                              {"positions = 8_000_000\n", "positions = 1_000_000\n"}};
    for (const bool layer : {true, false}) {
        RecipeChanges changes = small;
        if (!layer) changes.emplace_back("+rating\"\nrating_least = 1600\nrating_most = 2850\n", "\"\n");
        const auto trained = experiment.train(layer ? "small-with-ratings" : "small-without-ratings",
                                              convchess_recipe(), changes);
        if (!trained) return std::unexpected(trained.error());
        table.rows.push_back({layer ? "ratings" : "none", trained->per_cent("first move"),
                              trained->per_cent("in 3 moves"), trained->per_cent("in 10 moves"),
                              trained->loss("loss of moves")});
    }
    findings.tables.push_back(std::move(table));
    return {};
}

}  // namespace

base::Status ask_ratings(Reproduction& work, const TakeFindings& take) {
    auto experiment = ConvChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto trained = experiment->modern();
    if (!trained) return std::unexpected(trained.error());
    const std::string policy = trained->network().string();
    Findings& findings = experiment->findings;
    const auto some = experiment->held_out(kBandPositions, 10);
    if (!some) return std::unexpected(some.error());
    const bool are_rated = std::ranges::any_of(
        some->positions, [](const games::HeldOutPosition& position) { return position.rating > 0; });
    if (!are_rated)
        findings.remarks.emplace_back(
            "The players of these games have no ratings, so that the network has seen none: what is asked "
            "for makes no difference that was learnt.");
    else if (auto status = add_bands(*experiment, policy, findings); !status)
        return status;
    if (auto status = add_without_layer(*experiment, findings); !status) return status;
    if (auto status = experiment->take(); !status) return status;

    const arena::TimeControl once{arena::TimeControl::Nodes{1}};
    const Contender weak = asked_for(policy, kAskedRatings.front());
    const Contender strong = asked_for(policy, kAskedRatings.back());
    if (auto status = experiment->play(strong, weak, once, "–"); !status) return status;
    for (const Contender& contender : {weak, strong})
        if (auto status = experiment->place(contender, once, "–"); !status) return status;
    return {};
}

}  // namespace scholar::learning
