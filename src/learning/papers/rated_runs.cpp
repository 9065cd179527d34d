#include "learning/papers/rated_runs.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "arena/place.hpp"

namespace scholar::learning {

namespace {

std::optional<LadderPlace> place_of(const RatedRuns& runs, const std::string& run, std::uint64_t games) {
    const auto found = runs.places.find({run, games});
    return found == runs.places.end() ? std::nullopt : std::optional(found->second);
}

std::string in_words(const std::optional<LadderPlace>& place) {
    if (!place) return "–";
    return arena::describe_place(place->kind, place->elo, place->error);
}

std::size_t nearest_column(const RatedRuns& runs, std::uint64_t games) {
    const auto distance = [games](std::uint64_t column) {
        return std::max(column, games) - std::min(column, games);
    };
    return static_cast<std::size_t>(std::ranges::min_element(runs.games, {}, distance) - runs.games.begin());
}

}  // namespace

Findings::Table to_table(const RatedRuns& runs) {
    Findings::Table table{runs.heading, {}};
    auto& columns = table.rows.emplace_back(std::vector<std::string>{"games"});
    for (const std::uint64_t games : runs.games) columns.push_back(fmt::format("{}", games));
    if (!runs.paper.empty()) {
        std::vector<std::string> cells(runs.games.size() + 1);
        cells.front() = "paper";
        for (const PaperRating& rating : runs.paper) {
            const std::size_t column = nearest_column(runs, rating.games);
            cells[column + 1] = runs.games[column] == rating.games
                                    ? fmt::format("{:.0f}", rating.elo)
                                    : fmt::format("{:.0f} ({})", rating.elo, rating.games);
        }
        table.rows.push_back(std::move(cells));
    }
    for (const auto& [name, run] : runs.runs) {
        auto& cells = table.rows.emplace_back(std::vector<std::string>{name});
        for (const std::uint64_t games : runs.games) cells.push_back(in_words(place_of(runs, run, games)));
    }
    return table;
}

base::Plot to_plot(const RatedRuns& runs, const std::string& title) {
    base::Plot plot;
    plot.title = title;
    plot.x = {"games"};
    plot.y = {"Elo"};
    for (const auto& [name, run] : runs.runs) {
        base::PlotSeries series{name, {}};
        for (const std::uint64_t games : runs.games)
            if (const auto place = place_of(runs, run, games))
                series.points.push_back({static_cast<double>(games), place->elo, place->error});
        plot.series.push_back(std::move(series));
    }
    if (!runs.paper.empty()) {
        base::PlotSeries paper{"paper", {}};
        for (const PaperRating& rating : runs.paper)
            paper.points.push_back({static_cast<double>(rating.games), rating.elo, runs.paper_error});
        plot.series.push_back(std::move(paper));
    }
    return plot;
}

}  // namespace scholar::learning
