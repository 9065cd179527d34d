// Which man, and which square: the tables and figures of sections 2.2.3, 3.1 to 3.3.

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>

#include "arena/square_study.hpp"
#include "base/plot.hpp"
#include "base/text.hpp"
#include "games/move_habits.hpp"
#include "learning/papers/convchess_experiment.hpp"
#include "learning/papers/convchess_figures.hpp"
#include "nets/container/open_network.hpp"

namespace scholar::learning {

namespace {

using nets::ChessNetRole;

constexpr std::uint64_t kSquarePositions = 50'000;
constexpr std::uint64_t kFirstChoices = 10'000;
constexpr std::uint64_t kMovePositions = 20'000;
constexpr std::uint64_t kHabitsOf = 20'000;  // games
constexpr std::uint64_t kLayerPositions = 1'000'000;
constexpr std::uint64_t kToldPositions = 10'000'000;

void add_square_tables(const arena::SquareStudy& study, Findings& findings) {
    Findings::Table accuracy{
        "The square of the move played among the likeliest, % of positions, nothing "
        "said of what is legal (the paper's table 3.1)",
        {{"network", "positions", "first", "in 3", "in 5", "in 10"}}};
    Findings::Table rules{"With the probabilities of what is not legal, and without (table 3.2)",
                          {{"network", "squared distance", "largest difference", "illegal first, %",
                            "mean place", "mean place among legal"}}};
    Findings::Table masking{"First guess, % (table 3.3)", {{"network", "of all squares", "of the legal"}}};
    for (const PaperSquares& paper : kPaperSquares) {
        const arena::SquareScore& score = study.of(paper.role);
        if (score.positions == 0) continue;
        const std::string name(nets::to_string(paper.role));
        std::vector<std::string> row = row_of_squares(paper, score.positions, score.unmasked);
        accuracy.rows.push_back(std::move(row));
        rules.rows.push_back({name, beside(fmt::format("{:.2e}", score.squared_distance), paper.learning[0]),
                              beside(fmt::format("{:.2e}", score.largest_distance), paper.learning[1]),
                              beside(fmt::format("{:.3g}", 100 * score.illegal), paper.learning[2]),
                              beside(fmt::format("{:.3f}", score.rank_unmasked), paper.learning[3]),
                              beside(fmt::format("{:.3f}", score.rank_masked), paper.learning[4])});
        masking.rows.push_back({name, beside(in_per_cent(score.unmasked.front()), paper.masking[0]),
                                beside(in_per_cent(score.masked.front()), paper.masking[1])});
    }
    findings.tables = {std::move(accuracy), std::move(rules), std::move(masking)};
}

// Of the networks that were told which man moves.
Findings::Table told_table(const arena::SquareStudy& study) {
    Findings::Table table{
        "The same by networks that are told which man moves, by the piece's layer (table 3.1)",
        {{"network", "positions", "first", "in 3", "in 5", "in 10", "illegal first, %"}}};
    for (const PaperSquares& paper : kPaperSquares) {
        const arena::SquareScore& score = study.of(paper.role);
        if (score.positions == 0) continue;
        std::vector<std::string> row = row_of_squares(paper, score.positions, score.unmasked);
        row.push_back(fmt::format("{:.3g}", 100 * score.illegal));
        table.rows.push_back(std::move(row));
    }
    return table;
}

// What networks say of the squares of a set.
base::Result<arena::SquareStudy> study_of(const ConvChessExperiment& experiment, const Trained& trained,
                                          const games::HeldOutSet& set) {
    const auto networks = chess_nets_of(trained);
    if (!networks) return std::unexpected(networks.error());
    auto study = arena::study_squares(set, *networks, experiment.work().stop());
    if (study && study->interrupted) return stopped_to_go_on();
    return study;
}

}  // namespace

base::Status learn_squares(Reproduction& work, const TakeFindings& take) {
    auto experiment = ConvChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto trained = experiment->seven();
    if (!trained) return std::unexpected(trained.error());
    experiment->add_run("losses and accuracies by positions learnt from (figures 3.1 and 3.2)", *trained);
    const auto networks = chess_nets_of(*trained);
    if (!networks) return std::unexpected(networks.error());
    const auto set = experiment->held_out(kSquarePositions, 0);
    if (!set) return std::unexpected(set.error());
    const auto first = arena::study_first_choices(*set, kFirstChoices, *networks, work.stop());
    if (!first) return std::unexpected(first.error());
    const auto study = study_of(*experiment, *trained, *set);
    if (!study) return std::unexpected(study.error());
    experiment->findings.remarks.emplace_back(
        "In brackets what the paper has. Its tables do not agree with each other: 94.8 % of pawns' squares "
        "in 3.1 and a mean place of 1.08 in 3.2 cannot belong to 53.6 % in 3.3; test sets differ, and with "
        "the piece's layer, which these networks have not, a pawn's square is nearly known.");
    experiment->findings.remarks.push_back(arena::describe(*set));
    add_square_tables(*study, experiment->findings);
    experiment->findings.figures.push_back(
        {"illegal first choices among all moves of own men, without masks",
         base::counted(first->positions, "position"), "–",
         fmt::format("{} ({:.2f} %)", first->illegal,
                     100 * static_cast<double>(first->illegal) / static_cast<double>(first->positions))});
    if (auto status = experiment->take(); !status) return status;

    const auto told = experiment->variant("told", kToldPositions,
                                          {{"kind = \"chessnet\"\n",
                                            "kind = \"chessnet\"\nnetworks = [\"pawn\", \"knight\", "
                                            "\"bishop\", \"rook\", \"queen\", \"king\"]\n"
                                            "piece_layer = true\n"}});
    if (!told) return std::unexpected(told.error());
    const auto told_study = study_of(*experiment, *told, *set);
    if (!told_study) return std::unexpected(told_study.error());
    experiment->findings.tables.push_back(told_table(*told_study));
    return experiment->take();
}

base::Status learn_piece(Reproduction& work, const TakeFindings& take) {
    auto experiment = ConvChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto trained = experiment->piece();
    if (!trained) return std::unexpected(trained.error());
    experiment->add_run("loss and accuracy by positions learnt from", *trained);
    const auto set = experiment->held_out(kSquarePositions, 0);
    if (!set) return std::unexpected(set.error());
    const auto study = study_of(*experiment, *trained, *set);
    if (!study) return std::unexpected(study.error());
    experiment->findings.remarks.emplace_back("In brackets what the paper has, after days of a GPU.");
    experiment->findings.remarks.push_back(arena::describe(*set));
    add_square_tables(*study, experiment->findings);
    return experiment->take();
}

base::Status compare_layers(Reproduction& work, const TakeFindings& take) {
    auto experiment = ConvChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    struct Shown {
        const char* what;
        const char* keys;  // of [network]
    };
    constexpr std::array kShown{
        Shown{"6 channels", "input = \"board-6\"\n"},
        Shown{"12 channels", "input = \"board-12\"\n"},
        Shown{"6 channels, rating", "input = \"board-6+rating\"\nrating_least = 1600\nrating_most = 2850\n"},
        Shown{"6 channels, outcome", "input = \"board-6+outcome\"\n"},
        Shown{"6 channels, the man that moves", "input = \"board-6\"\npiece_layer = true\n"},
        Shown{"18 channels, last move, attacks, threats",
              "input = \"board-18+last-move+attacks+threats\"\n"}};
    experiment->findings.remarks.emplace_back(
        "The man that moves is shown to ROOK alone. The outcome is the game's own, here too: nobody knows it "
        "when he plays. Where "
        "players are not rated, the layer of ratings says so everywhere.");
    experiment->findings.tables.push_back(
        {"PIECE and ROOK after the same positions, by what they are shown, on positions that training did "
         "not see",
         {{"shown", "piece, first %", "in 3", "loss", "rook, first %", "in 3", "loss"}}});
    for (const Shown& shown : kShown) {
        const auto trained = experiment->variant(
            fmt::format("sees-{}", &shown - kShown.data()), kLayerPositions,
            {{"kind = \"chessnet\"\n",
              fmt::format("kind = \"chessnet\"\n{}networks = [\"piece\", \"rook\"]\n", shown.keys)}});
        if (!trained) return std::unexpected(trained.error());
        experiment->findings.tables.back().rows.push_back(
            {shown.what, trained->per_cent("piece"), trained->per_cent("piece in 3"),
             trained->loss("loss of piece"), trained->per_cent("rook"), trained->per_cent("rook in 3"),
             trained->loss("loss of rook")});
        if (auto status = experiment->take(); !status) return status;
    }
    return {};
}

namespace {

// Of a whole move, as the authors' program prints it.
constexpr std::array kMovesWithin{1, 3, 5, 10, 20, 30};
constexpr std::array kPaperMovesWithin{"33.6", "59.5", "72.1", "87.6", "97.5", "99.6"};
// As figure 3.3 has them.
constexpr std::array kDrawnWithin{1, 5, 10, 20, 30};
constexpr int kMostMoveNumber = 80;
constexpr std::size_t kFewestOfNumber = 30;  // positions: fewer say nothing

std::optional<double> within_of(const arena::MoveScore& score, int count) {
    const auto& estimate = score.within.at(static_cast<std::size_t>(count) - 1);
    return estimate ? std::optional(estimate->mean) : std::nullopt;
}

arena::MoveGroup all_positions(const games::HeldOutSet& set) {
    arena::MoveGroup all{.kind = "all", .name = "all", .positions = {}};
    for (std::size_t i = 0; i < set.positions.size(); ++i) all.positions.push_back(i);
    return all;
}

base::Plot within_plot(const std::vector<const arena::MovePredictor*>& predictors,
                       const arena::MoveGroup& all) {
    base::Plot plot{"The move played among the likeliest k",
                    {.label = "k", .least = 0, .most = 30},
                    {.label = "% of positions", .least = 0, .most = 100},
                    {}};
    for (const arena::MovePredictor* predictor : predictors) {
        const arena::MoveScore score = arena::score_moves(*predictor, all);
        base::PlotSeries series{predictor->name, {}};
        for (const int count : arena::kWithin)
            if (const auto share = within_of(score, count))
                series.points.push_back({static_cast<double>(count), 100 * *share});
        plot.series.push_back(std::move(series));
    }
    return plot;
}

base::Plot number_plot(const games::HeldOutSet& set, const arena::MovePredictor& predictor) {
    base::Plot plot{"The move played among the likeliest k, by its number",
                    {.label = "move", .least = 0},
                    {.label = "% of positions", .least = 0, .most = 100},
                    {}};
    std::vector<arena::MoveGroup> by_number(kMostMoveNumber);
    for (std::size_t i = 0; i < set.positions.size(); ++i) {
        const auto number = static_cast<std::size_t>(set.positions[i].ply / 2);
        if (number < by_number.size()) by_number[number].positions.push_back(i);
    }
    for (const int count : kDrawnWithin) {
        base::PlotSeries series{fmt::format("k = {}", count), {}};
        for (std::size_t number = 0; number < by_number.size(); ++number) {
            if (by_number[number].positions.size() < kFewestOfNumber) continue;
            if (const auto share = within_of(arena::score_moves(predictor, by_number[number]), count))
                series.points.push_back({static_cast<double>(number + 1), 100 * *share});
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

}  // namespace

base::Status foretell_moves(Reproduction& work, const TakeFindings& take) {
    auto experiment = ConvChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto trained = experiment->seven();
    if (!trained) return std::unexpected(trained.error());
    const auto set = experiment->held_out(kMovePositions, 0);
    if (!set) return std::unexpected(set.error());
    const auto stores = experiment->stores();
    if (!stores) return std::unexpected(stores.error());
    const auto habits = games::learn_move_habits(*stores, experiment->shares(), kHabitsOf, work.stop());
    if (!habits) return std::unexpected(habits.error());
    const auto modern = experiment->modern();
    if (!modern) return std::unexpected(modern.error());
    std::vector<Contender> policies{
        {"the seven networks", {}, {{"PolicyFile", trained->network().string()}}},
        {"the modern network", {}, {{"PolicyFile", modern->network().string()}}},
        {"Giraffe's sparse policy, taught by searches", {}, {{"System", "giraffe"}}}};
    for (const auto& [name, network] : work.options().beside)
        policies.push_back({name, {}, {{"PolicyFile", network}}});
    const auto result = work.foretell(*set, *habits, policies);
    if (!result) return std::unexpected(result.error());

    std::vector<const arena::MovePredictor*> predictors;
    for (const auto* part : {&result->engines, &result->constants})
        for (const arena::MovePredictor& predictor : *part) predictors.push_back(&predictor);
    const arena::MoveGroup all = all_positions(*set);
    Findings& findings = experiment->findings;
    findings.remarks.push_back(arena::describe(*set));
    findings.remarks.emplace_back("The modern network is asked as for players of 2,850, whoever plays.");
    for (const auto& [name, file] : work.options().beside) {
        const auto network = nets::open_network(file);
        if (!network) return std::unexpected(network.error());
        findings.remarks.push_back(fmt::format("{}: {}.", name, network->description()));
    }
    Findings::Table table{"The whole move played among the likeliest, % of positions", {{"who"}}};
    for (const int count : kMovesWithin)
        table.rows.front().push_back(count == 1 ? "first" : fmt::format("in {}", count));
    table.rows.emplace_back(1, "the authors' program, on its games");
    table.rows.back().insert(table.rows.back().end(), kPaperMovesWithin.begin(), kPaperMovesWithin.end());
    for (const arena::MovePredictor* predictor : predictors) {
        const arena::MoveScore score = arena::score_moves(*predictor, all);
        std::vector<std::string> row{predictor->name};
        for (const int count : kMovesWithin) {
            const auto& estimate = score.within.at(static_cast<std::size_t>(count) - 1);
            row.push_back(estimate
                              ? fmt::format("{:.1f} ± {:.1f}", 100 * estimate->mean, 100 * estimate->error())
                              : "–");
        }
        table.rows.push_back(std::move(row));
    }
    findings.tables.push_back(std::move(table));
    findings.drawings = {
        {"Accuracy by k (figure 3.4)", "moves-within.svg", base::to_svg(within_plot(predictors, all))},
        {"Accuracy by the move's number, the seven networks (figure 3.3)", "moves-by-number.svg",
         base::to_svg(number_plot(*set, *predictors.front()))}};
    return experiment->take();
}

}  // namespace scholar::learning
