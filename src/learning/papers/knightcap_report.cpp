#include "learning/papers/knightcap_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "base/text.hpp"

namespace scholar::learning {

namespace {

// What the paper's ratings are off by: 95 %, of the standard deviation of its footnote 3.
constexpr double kPaperError = 1.96 * 50;

std::optional<LadderPlace> place_of(const KnightcapResults& results, const std::string& run,
                                    std::uint64_t games) {
    const auto found = results.places.find({run, games});
    return found == results.places.end() ? std::nullopt : std::optional(found->second);
}

std::string in_words(const std::optional<LadderPlace>& place) {
    if (!place) return "–";
    return arena::describe_place(place->kind, place->elo, place->error);
}

std::string in_words(const Duel& duel) {
    if (!duel.rating) return "–";
    return fmt::format("{:.1f} % ({:+.0f} ± {:.0f} Elo; +{} ={} −{})", 100 * duel.rating->score,
                       duel.rating->elo, duel.rating->elo_error, duel.games.wins, duel.games.draws,
                       duel.games.losses);
}

std::size_t nearest_column(const RatedRuns& table, std::uint64_t games) {
    const auto distance = [games](std::uint64_t column) {
        return std::max(column, games) - std::min(column, games);
    };
    return static_cast<std::size_t>(std::ranges::min_element(table.games, {}, distance) -
                                    table.games.begin());
}

std::string row(const std::string& name, const std::vector<std::string>& cells) {
    return fmt::format("| {} | {} |\n", name, fmt::join(cells, " | "));
}

std::string in_words(const KnightcapResults& results, const RatedRuns& table) {
    std::vector<std::string> cells;
    cells.reserve(table.games.size());
    for (const std::uint64_t games : table.games) cells.push_back(fmt::format("{}", games));
    std::string text = row("games", cells) + "|---|";
    for (std::size_t i = 0; i < cells.size(); ++i) text += "---|";
    text += "\n";
    if (!table.paper.empty()) {
        std::ranges::fill(cells, "");
        for (const PaperRating& rating : table.paper) {
            const std::size_t column = nearest_column(table, rating.games);
            cells[column] = fmt::format("{:.0f}", rating.elo);
            if (table.games[column] != rating.games) cells[column] += fmt::format(" ({})", rating.games);
        }
        text += row("paper", cells);
    }
    for (const auto& [name, run] : table.runs) {
        cells.clear();
        for (const std::uint64_t games : table.games)
            cells.push_back(in_words(place_of(results, run, games)));
        text += row(name, cells);
    }
    return text + "\n";
}

}  // namespace

std::string knightcap_report(const KnightcapResults& results) {
    std::string text = fmt::format(
        "# KnightCap\n\nThe experiments of Baxter, Tridgell and Weaver (1998) with `scholar reproduce "
        "knightcap`: {} a move wherever nothing else is said, MTD(f) as the engine has it, matches of "
        "{}.\n\n## Rating by games\n\n",
        base::counted(results.nodes, "node"), base::counted(results.match_games, "game"));
    if (!results.no_places.empty())
        text += fmt::format("None: {}.\n\n", results.no_places);
    else
        text += fmt::format("On the ladder, {} each.\n\n![Rating by games](rating.svg)\n\n",
                            base::counted(results.ladder_games, "game"));
    for (const RatedRuns& table : results.rated)
        text += fmt::format("{}:\n\n{}", table.heading, in_words(results, table));
    text += "## Matches\n\n| match | terms | paper | ours |\n|---|---|---|---|\n";
    for (const PlayedMatch& match : results.matches)
        text +=
            fmt::format("| {} | {} | {} | {} |\n", match.of, match.terms, match.paper, in_words(match.duel));
    text +=
        "\n## The runs\n\nRating by games, castling and doubled pawns by stage (the paper's figures 4 and "
        "5), "
        "what the pieces are worth, opponents:\n\n";
    for (const auto& [run, games] : results.learnt)
        text += fmt::format("- [{}, {}]({}/report.md)\n", run, base::counted(games, "game"), run);
    return text;
}

base::Plot knightcap_ratings(const KnightcapResults& results) {
    base::Plot plot;
    plot.title = "Rating on the ladder by games learnt from";
    plot.x = {"games"};
    plot.y = {"Elo"};
    for (const RatedRuns& table : results.rated) {
        if (!table.is_plotted) continue;
        for (const auto& [name, run] : table.runs) {
            base::PlotSeries series{name, {}};
            for (const std::uint64_t games : table.games)
                if (const auto place = place_of(results, run, games))
                    series.points.push_back({static_cast<double>(games), place->elo, place->error});
            plot.series.push_back(std::move(series));
        }
        if (table.paper.empty()) continue;
        base::PlotSeries paper{"paper", {}};
        for (const PaperRating& rating : table.paper)
            paper.points.push_back({static_cast<double>(rating.games), rating.elo, kPaperError});
        plot.series.push_back(std::move(paper));
    }
    return plot;
}

}  // namespace scholar::learning
