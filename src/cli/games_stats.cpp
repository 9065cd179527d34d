#include <fmt/core.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/games_commands.hpp"
#include "cli/games_selection.hpp"
#include "cli/games_shared.hpp"
#include "cli/games_tables.hpp"
#include "games/statistics.hpp"

namespace scholar::cli {

namespace {

struct StatsOptions {
    std::vector<std::string> stores;
    games::SelectionWords selection;
    std::size_t opening_plies = 6;
    std::size_t top = 10;
    unsigned threads = 0;
    bool json = false;
};

// Nothing if no result of the player is known.
std::optional<double> player_score(const games::PlayerRecord& record) {
    const std::uint64_t known = record.wins + record.draws + record.losses;
    if (known == 0) return std::nullopt;
    return (static_cast<double>(record.wins) + 0.5 * static_cast<double>(record.draws)) /
           static_cast<double>(known);
}
std::string scored_by(const games::PlayerRecord& record) {
    const auto score = player_score(record);
    return score ? fmt::format("scores {:.1f} %", 100 * *score) : "scores -";
}

// How many different ones there are; once a table is full, nobody knows.
template <class Value>
std::string number_of_names(const games::BoundedTable<Value>& table) {
    return (table.left_out() > 0 ? "at least " : "") + grouped(table.size());
}

struct Opening {
    std::string moves;
    games::ResultCounts results;
};

base::Result<std::vector<Opening>> top_openings(const games::GameStatistics& statistics,
                                                const std::vector<games::StoreReader>& stores,
                                                std::size_t most) {
    std::vector<Opening> openings;
    const auto top = statistics.openings.top(
        most, [](const games::OpeningRecord& record) { return record.results.games(); });
    for (const auto& [packed, record] : top) {
        auto moves = games::opening_moves(stores, record, statistics.opening_plies);
        if (!moves) return std::unexpected(moves.error());
        openings.push_back({moves->empty() ? "(no moves)" : std::move(*moves), record.results});
    }
    return openings;
}

void print_json(const StatsOptions& options, const games::GameStatistics& statistics,
                const std::vector<Opening>& top) {
    const auto times = [](const games::NumberOfTimes& number) { return number.count; };
    Json endings, tags, eco, openings = Json::array(), players = Json::array(), events = Json::array();
    for (const games::Ending ending : games::kEndings)
        endings[std::string(games::name_of(ending))] = statistics.endings[static_cast<std::size_t>(ending)];
    for (const auto& [name, count] : statistics.tags.top(statistics.tags.size(), times))
        tags[name] = count.count;
    for (const auto& [code, results] : statistics.eco.top(
             statistics.eco.size(), [](const games::ResultCounts& counts) { return counts.games(); }))
        eco[code] = json_of(results);
    for (const Opening& opening : top) {
        Json entry = json_of(opening.results);
        entry["moves"] = opening.moves;
        entry["games"] = opening.results.games();
        openings.push_back(entry);
    }
    for (const auto& [name, record] :
         statistics.players.top(options.top, [](const games::PlayerRecord& player) { return player.games; }))
        players.push_back({{"name", name},
                           {"games", record.games},
                           {"wins", record.wins},
                           {"draws", record.draws},
                           {"losses", record.losses},
                           {"score", json_of(player_score(record))}});
    for (const auto& [name, count] : statistics.events.top(options.top, times))
        events.push_back({{"name", name}, {"games", count.count}});
    print({{"stores", options.stores},
           {"games", statistics.games},
           {"plies", statistics.plies},
           {"results", json_of(statistics.results)},
           {"endings", endings},
           {"splits",
            {{"train", statistics.splits[0]},
             {"validation", statistics.splits[1]},
             {"test", statistics.splits[2]}}},
           {"chess960", statistics.chess960},
           {"set_up", statistics.set_up},
           {"lengths", json_of(statistics.lengths)},
           {"ratings", json_of(statistics.ratings)},
           {"unrated", statistics.unrated},
           {"years", json_of(statistics.years)},
           {"undated", statistics.undated},
           {"games_with_evaluations", statistics.evaluated},
           {"evaluations", statistics.evaluations},
           {"mate_evaluations", statistics.mates},
           {"games_with_clocks", statistics.clocked},
           {"clocks", statistics.clocks},
           {"times", statistics.times},
           {"nodes", statistics.nodes},
           {"tags", tags},
           {"eco", eco},
           {"opening_plies", statistics.opening_plies},
           {"opening_lines", statistics.openings.size()},
           {"openings_left_out", statistics.openings.left_out()},
           {"openings", openings},
           {"player_names", statistics.players.size()},
           {"players_left_out", statistics.players.left_out()},
           {"players", players},
           {"event_names", statistics.events.size()},
           {"events_left_out", statistics.events.left_out()},
           {"events", events}});
}

void show_text(const StatsOptions& options, const games::GameStatistics& statistics,
               const std::vector<Opening>& top) {
    const auto whole = statistics.games;
    const auto of = [&](games::GameResult result) { return statistics.results.of(result); };
    fmt::print("{}, {} ({:.1f} a game), White scores {}\n", base::counted(whole, "game"),
               base::counted(statistics.plies, "half-move"),
               ratio(static_cast<double>(statistics.plies), static_cast<double>(whole)),
               score_of(statistics.results));

    show_table("Results",
               {{"1-0", of(games::GameResult::WhiteWins), ""},
                {"1/2-1/2", of(games::GameResult::Draw), ""},
                {"0-1", of(games::GameResult::BlackWins), ""},
                {"*", of(games::GameResult::Unknown), ""}},
               whole);
    std::vector<Row> endings;
    for (const games::Ending ending : games::kEndings)
        if (const auto count = statistics.endings[static_cast<std::size_t>(ending)]; count > 0)
            endings.push_back({std::string(games::name_of(ending)), count, ""});
    show_table("Endings", endings, whole);
    show_table("Half-moves a game", rows_of(statistics.lengths), whole);
    show_table("Ratings (of both players)", rows_of(statistics.ratings), statistics.ratings.count());
    show_table("Years", rows_of(statistics.years), whole);

    std::vector<Row> columns;
    const auto column = [&columns](const char* name, std::uint64_t count) {
        if (count > 0) columns.push_back({name, count, ""});
    };
    column("evaluations", statistics.evaluations);
    column("  mates", statistics.mates);
    column("clocks", statistics.clocks);
    column("times", statistics.times);
    column("nodes", statistics.nodes);
    show_table("Columns (half-moves that have them)", columns, statistics.plies);
    std::vector<Row> kinds;
    const auto kind = [&kinds](const char* name, std::uint64_t count) {
        if (count > 0) kinds.push_back({name, count, ""});
    };
    kind("with evaluations", statistics.evaluated);
    kind("with clocks", statistics.clocked);
    kind("Chess960", statistics.chess960);
    kind("set-up position", statistics.set_up);
    kind("a rating missing", statistics.unrated);
    kind("no date", statistics.undated);
    kind("training", statistics.splits[0]);
    kind("validation", statistics.splits[1]);
    kind("test", statistics.splits[2]);
    show_table("Games that are or have", kinds, whole);

    const auto scored = [](const games::ResultCounts& results) {
        return fmt::format("White scores {}", score_of(results));
    };
    std::vector<Row> eco;
    for (const auto& [code, results] :
         statistics.eco.top(options.top, [](const games::ResultCounts& counts) { return counts.games(); }))
        eco.push_back({code, results.games(), scored(results)});
    show_table("ECO codes", eco, whole);
    std::vector<Row> openings;
    openings.reserve(top.size());
    for (const Opening& opening : top)
        openings.push_back({opening.moves, opening.results.games(), scored(opening.results)});
    show_table(fmt::format("Openings by their first {} ({} different)",
                           base::counted(statistics.opening_plies, "half-move"),
                           number_of_names(statistics.openings)),
               openings, whole, 36);
    std::vector<Row> players;
    for (const auto& [name, record] :
         statistics.players.top(options.top, [](const games::PlayerRecord& player) { return player.games; }))
        players.push_back({name, record.games, scored_by(record)});
    show_table(fmt::format("Players ({} different)", number_of_names(statistics.players)), players, whole,
               24);
}

base::Status show_stats(const StatsOptions& options, const std::stop_token& stop) {
    const auto selection = games::parse_selection(options.selection);
    if (!selection) return std::unexpected(selection.error());
    const auto stores = open_stores(options.stores);
    if (!stores) return std::unexpected(stores.error());
    base::Progress progress("reading", games_in(*stores), "games");
    const auto statistics =
        games::gather_statistics(*stores, *selection, options.opening_plies, options.threads, stop,
                                 [&](std::uint64_t done) { progress.update(done); });
    progress.finish();
    if (!statistics) return std::unexpected(statistics.error());
    const auto openings = top_openings(*statistics, *stores, options.top);
    if (!openings) return std::unexpected(openings.error());
    if (options.json)
        print_json(options, *statistics, *openings);
    else
        show_text(options, *statistics, *openings);
    return {};
}

}  // namespace

void add_games_stats(Command games, Invocation& invocation) {
    const Command command = games.add_subcommand("stats", "Count what is in the games of game stores");
    auto options = std::make_shared<StatsOptions>();
    command.add_option("STORE", options->stores, "Game stores").required();
    command.add_option("--openings", options->opening_plies, "Half-moves that an opening is known by")
        .check(range(1, 60))
        .capture_default_str();
    command.add_option("--top", options->top, "Openings, players and so on to show")
        .check(whole_number())
        .capture_default_str();
    command.add_option("--threads", options->threads, "Threads; 0: as many as the machine has")
        .check(range(0, 1'024))
        .capture_default_str();
    command.add_flag("--json", options->json, "Print one JSON object");
    add_selection_options(command, options->selection);
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return show_stats(*options, stop); };
    });
}

}  // namespace scholar::cli
