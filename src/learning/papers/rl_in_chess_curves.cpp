// How games go against opponents of many strengths, move by move: figures 5 and 6.

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arena/child_process.hpp"
#include "arena/ladder.hpp"
#include "arena/outcome_curve.hpp"
#include "base/plot.hpp"
#include "engine/strength.hpp"
#include "games/pgn.hpp"
#include "learning/papers/rl_in_chess_experiment.hpp"

namespace scholar::learning {

namespace {

constexpr int kCurveGames = 50;  // as the paper's
constexpr std::uint64_t kCurveJudgeNodes = 20'000;
constexpr std::chrono::milliseconds kMoveTime{100};
// Of UCI_Elo: Stockfish's own steps, and what of Scholar's stands below them on the ladder.
constexpr std::array kStockfishLevels{1'350, 1'600, 1'850, 2'100, 2'350, 2'600, 2'850};
const std::array kOwnLevels{engine::weakest_elo(), 1'100};
// The paper's other level is 2,000.
constexpr int kPaperLevel = 2'100;
// Of fewer games that come so far a mean says nothing.
constexpr std::uint64_t kFewestGames = 5;
constexpr std::array kCurveMoves{1, 5, 10, 15, 20, 30, 40, 60};

Contender stockfish(const std::string& program, std::optional<int> level) {
    if (!level) return {"Stockfish", {}, {{"Hash", "16"}}, {program}};
    return {fmt::format("Stockfish {}", *level),
            {},
            {{"Hash", "16"}, {"UCI_LimitStrength", "true"}, {"UCI_Elo", std::to_string(*level)}},
            {program}};
}

base::Result<std::vector<games::Game>> games_of(const Duel& duel) {
    auto reader = games::PgnReader::open(duel.pgn.string());
    if (!reader) return std::unexpected(reader.error());
    std::vector<games::Game> games;
    // There may be more of them, from when more were wanted.
    while (games.size() < duel.games.games()) {
        const auto item = reader->next();
        if (!item) return std::unexpected(item.error());
        if (*item == games::PgnItem::End) return games;
        if (*item == games::PgnItem::Problem) return base::fail("{}", reader->problem().to_string());
        games.push_back(std::move(reader->game()));
    }
    return games;
}

// Plays the games and has them judged.
class Curves {
  public:
    static base::Result<Curves> begin(RlInChessExperiment& experiment, const std::string& program) {
        arena::EngineConfig config;
        config.command = {program};
        config.options = {{"Hash", "16"}, {"UCI_ShowWDL", "true"}};
        auto judge = arena::start_player(config, {});
        if (!judge) return std::unexpected(judge.error());
        return Curves(experiment, std::move(*judge));
    }

    base::Result<std::vector<arena::OutcomePoint>> of(const Contender& player, const Contender& opponent) {
        const Reproduction& work = experiment_.work();
        const arena::TimeControl limit{
            arena::TimeControl::MoveTime{work.options().quick ? std::chrono::milliseconds(5) : kMoveTime}};
        const int games = std::min(kCurveGames, work.options().match_games);
        const auto duel = work.match(player, opponent, {limit, limit}, games, MatchRecord::Pgn);
        if (!duel) return std::unexpected(duel.error());
        Finding finding{player.name + " against " + opponent.name, arena::to_string(limit), "–",
                        describe(*duel)};
        auto& figures = experiment_.findings.figures;
        if (std::ranges::find(figures, finding.of, &Finding::of) == figures.end())
            figures.push_back(std::move(finding));
        const auto played = games_of(*duel);
        if (!played) return std::unexpected(played.error());
        auto points =
            arena::judge_games(*played, duel->first, *judge_, work.sized(kCurveJudgeNodes, 200), work.stop());
        if (!points) return std::unexpected(points.error());
        if (!*points) return stopped_to_go_on();
        if (auto status = experiment_.take(); !status) return std::unexpected(status.error());
        return std::move(**points);
    }

  private:
    Curves(RlInChessExperiment& experiment, std::unique_ptr<arena::Player> judge)
        : experiment_(experiment), judge_(std::move(judge)) {}
    RlInChessExperiment& experiment_;
    std::unique_ptr<arena::Player> judge_;
};

void add_curve(const std::string& name, const std::vector<arena::OutcomePoint>& points, std::uint64_t fewest,
               base::Plot& plot, Findings::Table& table) {
    base::PlotSeries series{name, {}};
    for (const arena::OutcomePoint& point : points)
        if (point.games >= fewest)
            series.points.push_back({static_cast<double>(point.move + 1), point.expected});
    plot.series.push_back(std::move(series));
    std::vector<std::string> row{name};
    for (const int move : kCurveMoves) {
        const auto index = static_cast<std::size_t>(move - 1);
        row.push_back(index < points.size() && points[index].games >= fewest
                          ? fmt::format("{:.2f}", points[index].expected)
                          : "–");
    }
    table.rows.push_back(std::move(row));
}

base::Plot empty_plot(std::string title) {
    return {std::move(title),
            {.label = "move", .least = 1},
            {.label = "expected outcome", .least = 0, .most = 1},
            {}};
}

Findings::Table empty_table(std::string heading, const char* first) {
    Findings::Table table{std::move(heading), {{first}}};
    for (const int move : kCurveMoves) table.rows.front().push_back(fmt::format("move {}", move));
    return table;
}

}  // namespace

base::Status draw_curves(Reproduction& work, const TakeFindings& take) {
    auto experiment = RlInChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    Findings& findings = experiment->findings;
    const auto ladder = arena::built_in_ladder();
    const auto program =
        arena::find_program("stockfish", ladder ? ladder->folders : std::vector<std::string>{});
    if (!program) {
        findings.remarks.push_back(
            fmt::format("Nothing was played, for want of opponent and judge: {}.", program.error().message));
        return experiment->take();
    }
    const auto arms = taught_by_mates(*experiment);
    if (!arms) return std::unexpected(arms.error());
    const auto trained = experiment->policy();
    if (!trained) return std::unexpected(trained.error());
    auto curves = Curves::begin(*experiment, *program);
    if (!curves) return std::unexpected(curves.error());
    const std::uint64_t fewest = work.options().quick ? 1 : kFewestGames;
    const Contender with_mates =
        policy_player("the policy, with states from mates", *arms ? (*arms)->mates : *trained);
    const Contender without = policy_player("the policy, without them", *arms ? (*arms)->none : *trained);
    const Contender random{"a random mover", {}, {{"System", "random"}}};
    if (!*arms)
        findings.remarks.emplace_back(
            "No game that was played out ended in mate: both policies are the same.");
    findings.remarks.push_back(
        fmt::format("The expected outcome of the games that are not over, at the player's moves from the "
                    "opening on, by Stockfish "
                    "with {} nodes.",
                    kCurveJudgeNodes));

    std::vector<Contender> opponents;
    opponents.reserve(kOwnLevels.size() + kStockfishLevels.size() + 1);
    for (const int level : kOwnLevels) opponents.push_back(own_level(level));
    for (const int level : kStockfishLevels) opponents.push_back(stockfish(*program, level));
    opponents.push_back(stockfish(*program, std::nullopt));
    if (work.options().quick) opponents = {opponents.front(), opponents.back()};
    base::Plot by_opponent = empty_plot("The policy, with states from mates, against many opponents");
    Findings::Table opponents_table =
        empty_table("The policy, with states from mates, by opponent (figure 6)", "opponent");
    for (const Contender& opponent : opponents) {
        const auto points = curves->of(with_mates, opponent);
        if (!points) return std::unexpected(points.error());
        add_curve(opponent.name, *points, fewest, by_opponent, opponents_table);
    }
    findings.tables.push_back(std::move(opponents_table));
    findings.drawings.push_back({"Expected outcome by move, by opponent (figure 6)", "curves-opponents.svg",
                                 base::to_svg(by_opponent)});
    if (auto status = experiment->take(); !status) return status;

    const Contender weak = own_level(kOwnLevels.front());
    const Contender strong = stockfish(*program, kPaperLevel);
    const Contender itself{weak.name + ", itself", {}, weak.options};
    for (const Contender& opponent : {weak, strong}) {
        base::Plot by_player = empty_plot("Against " + opponent.name);
        Findings::Table players_table =
            empty_table(fmt::format("Against {} (figure 5)", opponent.name), "player");
        for (const Contender& player : {with_mates, without, random, itself}) {
            const auto points = curves->of(player, opponent);
            if (!points) return std::unexpected(points.error());
            add_curve(player.name, *points, fewest, by_player, players_table);
        }
        findings.tables.push_back(std::move(players_table));
        findings.drawings.push_back({"Expected outcome by move, against " + opponent.name + " (figure 5)",
                                     opponent.name == weak.name ? "curves-weak.svg" : "curves-strong.svg",
                                     base::to_svg(by_player)});
        if (auto status = experiment->take(); !status) return status;
    }
    return {};
}

}  // namespace scholar::learning
