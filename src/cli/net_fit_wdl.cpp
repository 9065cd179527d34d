#include <cmath>
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/game_files.hpp"
#include "cli/output.hpp"
#include "engine/win_rate_fit.hpp"

namespace scholar::cli {

namespace {

struct FitWdlArguments {
    std::vector<std::string> files;
    std::string player;
    double score_per_pawn = 0;
    int first_ply = 16;
    int max_score = 2'000;
    bool one_curve = false;
    bool json = false;
};

// The evaluations of games with a known result, as positions to fit to.
class Collector {
  public:
    explicit Collector(const FitWdlArguments& options) : options_(options) {}

    void add(const games::Game& game) {
        if (game.result == games::GameResult::Unknown) return;
        // A lost clock or connection says nothing of the position.
        if (game.ending == games::Ending::TimeForfeit || game.ending == games::Ending::Forfeit ||
            game.ending == games::Ending::Abandoned)
            return;
        const std::array wanted{is_wanted(game.tag("White")), is_wanted(game.tag("Black"))};
        ++game_;
        chess::Position position = game.start;
        for (std::size_t ply = 0; ply < game.moves.size() && ply < game.evaluations.size(); ++ply) {
            const chess::Color mover = position.side_to_move();
            const auto& evaluation = game.evaluations[ply];
            if (evaluation && evaluation->mate == 0 && wanted[mover] &&
                ply >= static_cast<std::size_t>(options_.first_ply))
                add(scored(position, *evaluation, game.result));
            position.make(game.moves[ply]);
        }
    }

    const std::vector<engine::ScoredPosition>& positions() const { return positions_; }

  private:
    // Where a game is as good as decided, scores of different programs mean nothing alike, and weigh most.
    void add(const engine::ScoredPosition& position) {
        if (std::abs(position.score) <= options_.max_score) positions_.push_back(position);
    }

    bool is_wanted(std::string_view player) const {
        return options_.player.empty() || player.find(options_.player) != std::string_view::npos;
    }

    engine::ScoredPosition scored(const chess::Position& position, const games::Evaluation& evaluation,
                                  games::GameResult result) const {
        const chess::Color mover = position.side_to_move();
        const int material = engine::material_of(position);
        const double centipawns = mover == chess::White ? evaluation.centipawns : -evaluation.centipawns;
        const double score = options_.score_per_pawn > 0
                                 ? centipawns * options_.score_per_pawn / 100
                                 : engine::default_win_rate().score_of_centipawns(centipawns, material);
        const double points = *games::points(result, mover);
        return {score, material, points == 1 ? 1 : points == 0 ? -1 : 0, game_};
    }

    const FitWdlArguments& options_;
    std::vector<engine::ScoredPosition> positions_;
    std::uint32_t game_ = 0;
};

void print_text(const engine::WinRateFit& fit) {
    const engine::WinRateModel& model = fit.model;
    fmt::print("{} of {}\n\n", base::counted(fit.positions, "position"), base::counted(fit.games, "game"));
    fmt::print("sharpness              {:.6f} ± {:.6f}\n", model.sharpness, fit.errors[0]);
    fmt::print("sharpness_by_material  {:.6f} ± {:.6f}\n", model.sharpness_by_material, fit.errors[1]);
    fmt::print("threshold              {:.4f} ± {:.4f}\n", model.threshold, fit.errors[2]);
    fmt::print("threshold_by_material  {:.4f} ± {:.4f}\n", model.threshold_by_material, fit.errors[3]);
    fmt::print("(standard errors, clustered by game)\n\n");
    fmt::print("log-likelihood {:.5f} nats a position; of the results' shares alone {:.5f}\n\n",
               fit.log_likelihood, fit.baseline);
    fmt::print("material    a: even chance to win    b: width\n");
    for (const engine::FittedPoint& point : fit.points)
        fmt::print("{:8}    {:9.1f} ± {:<9.1f}    {:7.1f} ± {:.1f}\n", point.material, point.even_chance,
                   point.even_chance_error, point.width, point.width_error);
    fmt::print("\nchance to win    positions    win: said, was    draw: said, was    loss: said, was\n");
    for (const engine::CalibrationRow& row : fit.calibration) {
        if (row.positions == 0) continue;
        fmt::print(
            "from {:4.0f} %     {:10}    {:5.1f} % {:5.1f} %    {:5.1f} % {:5.1f} %     {:5.1f} % {:5.1f} "
            "%\n",
            100 * row.from, row.positions, 100 * row.predicted.win, 100 * row.observed.win,
            100 * row.predicted.draw, 100 * row.observed.draw, 100 * row.predicted.loss,
            100 * row.observed.loss);
    }
}

Json to_json(const engine::WinRateFit& fit) {
    Json json{{"positions", fit.positions},
              {"games", fit.games},
              {"sharpness", fit.model.sharpness},
              {"sharpness_by_material", fit.model.sharpness_by_material},
              {"threshold", fit.model.threshold},
              {"threshold_by_material", fit.model.threshold_by_material},
              {"errors", fit.errors},
              {"log_likelihood", fit.log_likelihood},
              {"baseline", fit.baseline}};
    for (const engine::FittedPoint& point : fit.points)
        json["points"].push_back({{"material", point.material},
                                  {"even_chance", point.even_chance},
                                  {"even_chance_error", point.even_chance_error},
                                  {"width", point.width},
                                  {"width_error", point.width_error}});
    const auto shares = [](const chess::Wdl& wdl) { return Json{wdl.win, wdl.draw, wdl.loss}; };
    for (const engine::CalibrationRow& row : fit.calibration)
        json["calibration"].push_back({{"from", row.from},
                                       {"positions", row.positions},
                                       {"predicted", shares(row.predicted)},
                                       {"observed", shares(row.observed)}});
    return json;
}

base::Status run_fit_wdl(const FitWdlArguments& options, const std::stop_token& stop) {
    Collector collector(options);
    ProblemLog problems;
    for (const std::string& file : options.files) {
        const auto status = for_each_game_of(file, "reading", problems, stop, [&](const games::Game& game) {
            collector.add(game);
            return base::Status();
        });
        if (!status) return status;
    }
    problems.note();
    if (collector.positions().empty())
        return base::fail("{}: no evaluations, expected games with comments as '+0.35/12 0.10s'{}",
                          fmt::join(options.files, ", "),
                          options.player.empty() ? "" : " by a player '" + options.player + "'");
    const auto fit = engine::fit_win_rate(collector.positions(), !options.one_curve);
    if (!fit) return std::unexpected(fit.error());
    if (options.json)
        print(to_json(*fit));
    else
        print_text(*fit);
    return {};
}

}  // namespace

void add_net_fit_wdl_command(Command net, Invocation& invocation) {
    const Command command = net.add_subcommand(
        "fit-wdl", "Fit what scores mean in results (win, draw, loss; centipawns) to games with evaluations");
    auto options = std::make_shared<FitWdlArguments>();
    command.add_option("games", options->files, "Game stores and PGN files").required();
    command.add_option("--player", options->player,
                       "Only the evaluations of players whose name has this in it");
    command
        .add_option(
            "--score-per-pawn", options->score_per_pawn,
            "What 100 centipawns in the games are in units of 400 · logit (default: as this program shows "
            "them)")
        .check(positive_number());
    command
        .add_option("--first-ply", options->first_ply,
                    "Leave out as many half-moves at each game's beginning")
        .check(range(0, 1000))
        .capture_default_str();
    command
        .add_option("--max-score", options->max_score,
                    "Leave out scores beyond this, in units of 400 · logit")
        .check(range(100, 30'000))
        .capture_default_str();
    command.add_flag("--one-curve", options->one_curve, "The same curve whatever the material on the board");
    command.add_flag("--json", options->json, "One JSON object");
    command.callback([&invocation, options] {
        invocation.run = [options](std::stop_token stop) { return run_fit_wdl(*options, stop); };
    });
}

}  // namespace scholar::cli
