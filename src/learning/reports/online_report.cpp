#include "learning/reports/online_report.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arena/glicko.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "learning/reports/report_plot.hpp"
#include "learning/run/metrics.hpp"
#include "learning/run/run_files.hpp"
#include "nets/linear/stages.hpp"

namespace scholar::learning {

namespace {

using nlohmann::json;

// A game as metrics.jsonl has it.
struct Played {
    double game = 0;  // from 1
    std::string opponent;
    double points = 0;
    double expected_points = 0;  // by the ratings before the game
    double rating = 0;
    double deviation = 0;
    std::optional<double> opponent_rating;  // nothing: it is the learner itself
    std::vector<double> castled;            // by stage, in pawns
    std::vector<double> doubled_pawn;
    std::vector<double> piece_values;
    double core_seconds = 0;
};

base::Result<std::vector<Played>> read_games(const std::filesystem::path& file) {
    const auto text = base::read_text(file);
    if (!text) return std::unexpected(text.error());
    std::vector<Played> games;
    const auto take = [&](const json& record) -> base::Status {
        try {
            if (record.at("kind") != "game") return {};
            Played game{record.at("step").get<double>(),
                        record.at("opponent").get<std::string>(),
                        record.at("points").get<double>(),
                        record.value("expected_points", 0.5),
                        record.at("rating").get<double>(),
                        record.at("deviation").get<double>(),
                        record.contains("opponent_rating")
                            ? std::optional(record.at("opponent_rating").get<double>())
                            : std::nullopt,
                        record.at("castled").get<std::vector<double>>(),
                        record.at("doubled_pawn").get<std::vector<double>>(),
                        record.at("piece_values").get<std::vector<double>>(),
                        record.at("core_seconds").get<double>()};
            const bool whole = game.castled.size() == nets::kStageCount &&
                               game.doubled_pawn.size() == nets::kStageCount &&
                               game.piece_values.size() > kPieceNames.size();
            if (!whole)
                return base::fail("expected {} stages and {} pieces", nets::kStageCount,
                                  kPieceNames.size() + 1);
            games.push_back(std::move(game));
            return {};
        } catch (const json::exception&) {
            return base::fail("no record, expected a JSON object of a game");
        }
    };
    if (auto status = for_each_record(*text, file.string(), take); !status)
        return std::unexpected(status.error());
    if (games.empty()) return base::fail("{}: no game yet", file.string());
    return games;
}

class OnlineReport {
  public:
    OnlineReport(const std::filesystem::path& folder, const std::vector<Played>& games)
        : folder_(folder), games_(games) {}

    base::Status write() {
        const Played& last = games_.back();
        text_ = fmt::format(
            "# {} on-line\n\nRating {:.0f} ± {:.0f} (Glicko, 95 %), after {:.1f} core-minutes of this "
            "program; {:.1f} % of the points.\n\n",
            base::counted(games_.size(), "game"), last.rating,
            arena::Glicko{last.rating, last.deviation}.error(), last.core_seconds / 60,
            100 * share_of_points());
        base::PlotSeries rating{"", {}};
        for (const Played& game : games_) rating.points.push_back({game.game, game.rating});
        if (auto s = plot("rating", "Rating by games", "Elo", {rating}); !s) return s;
        if (auto s = plot_stages("castling", "What it is worth to have castled", &Played::castled); !s)
            return s;
        if (auto s = plot_stages("doubled-pawn", "What a doubled pawn is worth", &Played::doubled_pawn); !s)
            return s;
        std::vector<base::PlotSeries> pieces;
        for (std::size_t kind = 0; kind < kPieceNames.size(); ++kind) {
            pieces.push_back({kPieceNames[kind], {}});
            for (const Played& game : games_)
                pieces.back().points.push_back({game.game, game.piece_values[kind]});
        }
        if (auto s = plot("pieces", "What the evaluation loses with a piece", "Score units", pieces); !s)
            return s;
        add_opponents();
        return base::write_atomically(folder_ / kReportFile, text_);
    }

  private:
    double share_of_points() const {
        double points = 0;
        for (const Played& game : games_) points += game.points;
        return points / static_cast<double>(games_.size());
    }

    base::Status plot(const char* name, const char* title, const char* unit,
                      std::vector<base::PlotSeries> series) {
        const auto shown = add_report_plot(folder_, name, {title, {"games"}, {unit}, std::move(series)});
        if (!shown) return std::unexpected(shown.error());
        text_ += *shown;
        return {};
    }

    base::Status plot_stages(const char* name, const char* title, std::vector<double> Played::* values) {
        std::vector<base::PlotSeries> stages;
        for (const nets::Stage stage : nets::kStages) {
            stages.push_back({std::string(nets::to_string(stage)), {}});
            for (const Played& game : games_)
                stages.back().points.push_back({game.game, (game.*values)[static_cast<std::size_t>(stage)]});
        }
        return plot(name, title, "pawns", std::move(stages));
    }

    void add_opponents() {
        struct Score {
            int games = 0;
            double points = 0;
            double expected = 0;  // by the ratings
            std::optional<double> rating;
        };
        std::map<std::string, Score> scores;
        for (const Played& game : games_) {
            Score& score = scores[game.opponent];
            ++score.games;
            score.points += game.points;
            score.expected += game.expected_points;
            score.rating = game.opponent_rating;
        }
        std::vector<std::pair<std::string, Score>> rows(scores.begin(), scores.end());
        std::ranges::sort(rows, std::greater{}, [](const auto& row) { return row.second.games; });
        text_ += "| opponent | rating | games | points | expected |\n|---|---|---|---|---|\n";
        for (const auto& [name, score] : rows)
            text_ += fmt::format("| {} | {} | {} | {:.1f} | {:.1f} |\n", name,
                                 score.rating ? fmt::format("{:.0f}", *score.rating) : "–", score.games,
                                 score.points, score.expected);
    }

    const std::filesystem::path& folder_;
    const std::vector<Played>& games_;
    std::string text_;
};

}  // namespace

base::Result<std::filesystem::path> write_online_report(const std::filesystem::path& folder) {
    const auto games = read_games(folder / kMetricsFile);
    if (!games) return std::unexpected(games.error());
    if (auto status = OnlineReport(folder, *games).write(); !status) return std::unexpected(status.error());
    return folder / kReportFile;
}

}  // namespace scholar::learning
