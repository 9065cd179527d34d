// Which networks are any good under which search: a table of systems by searches.

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "arena/analysis/analyst.hpp"
#include "arena/in_process_engine.hpp"
#include "arena/statistics.hpp"
#include "base/heat_map.hpp"
#include "engine/players.hpp"
#include "learning/papers/methods_experiment.hpp"
#include "nets/container/embedded.hpp"

namespace scholar::learning {

namespace {

constexpr int kMatrixGames = 100;
// A cell that one side wins throughout so many games of ends there: more would say only how much it is beyond
// doubt, and networks that lose so are often the slowest.
constexpr int kSweepGames = 20;
constexpr std::uint64_t kMatrixNodes = 1'000;
constexpr std::uint64_t kQuickMatrixNodes = 8;
constexpr std::chrono::milliseconds kMatrixTime{20};
constexpr std::chrono::milliseconds kQuickMatrixTime{1};
// From where on the colours of the heat map are full, Elo.
constexpr double kFullColour = 600;

struct Player {
    std::string name;  // of its row
    std::string system;
    std::string network;  // instead of the system's own, as EvalFile names it; "": the system's own

    Contender under(const std::string& search) const {
        Contender contender{name + " " + search, {}, {{"System", system}, {"Search", search}}};
        if (!network.empty()) contender.options.emplace_back("EvalFile", network);
        return contender;
    }
};

// The systems, and the networks that ship beside theirs: those of the ladder's players, which are Scholar's.
std::vector<Player> players_of_rows() {
    std::vector<Player> rows;
    for (const std::string& system : arena::systems_of_their_own()) rows.push_back({system, system, ""});
    for (const nets::EmbeddedNetwork& network : nets::embedded_networks())
        if (network.name.starts_with("scholar-"))
            rows.push_back({std::string(network.name), "scholar", fmt::format("<{}>", network.name)});
    return rows;
}

bool is_sweep(const Duel& duel) {
    return duel.rating && (duel.rating->score <= 0 || duel.rating->score >= 1);
}

// As the heat map has it: of a sweep only a bound is known.
std::string short_elo(const Duel& duel) {
    if (!is_sweep(duel)) return fmt::format("{:+.0f}", duel.rating->elo);
    const double bound = arena::elo_bound_of_sweep(duel.games.games());
    return duel.rating->score > 0 ? fmt::format("> {:+.0f}", bound) : fmt::format("< {:+.0f}", -bound);
}

// Why an engine will not play so, as a sentence about its search; "": it will.
std::string why_not(const Player& player, const std::string& search) {
    arena::EngineConfig config;
    config.name = player.name;
    config.protocol = arena::Protocol::Internal;
    config.options = player.under(search).options;
    const auto engine = arena::InProcessEngine::start(config);
    if (engine) return {};
    const std::string name = fmt::format("Search {} ", search);
    const std::string& message = engine.error().message;
    const std::size_t at = message.find(name);
    return at == std::string::npos ? message : "This search " + message.substr(at + name.size());
}

base::Result<Duel> play_cell(const Reproduction& work, const Contender& contender,
                             const arena::TimeControl& limit, int games) {
    const auto play = [&](int count) {
        return work.match(contender, methods_opponent(), {limit, limit}, count);
    };
    auto duel = play(std::min(kSweepGames, games));
    if (!duel || games <= kSweepGames || is_sweep(*duel)) return duel;
    return play(games);
}

// Searches that are made of networks, but for those that are only there to be compared with.
std::vector<std::string> searches_of_networks(const engine::Players& players) {
    std::vector<std::string> names;
    for (const engine::SearchKind& search : players.searches)
        if (!search.needs.empty() && !search.name.starts_with("naive-")) names.push_back(search.name);
    return names;
}

// One table of the two, with its heat map, filled cell by cell.
class CellTable {
  public:
    CellTable(std::string title, std::string file, const std::vector<std::string>& players,
              const std::vector<std::string>& searches)
        : file_(std::move(file)) {
        map_.title = std::move(title);
        map_.rows = players;
        map_.columns = searches;
        map_.cells.assign(players.size(), std::vector<base::HeatMap::Cell>(searches.size()));
        map_.least = -kFullColour;
        map_.most = kFullColour;
        texts_.assign(players.size(), std::vector<std::string>(searches.size(), "…"));
    }

    void refuse(std::size_t row, std::size_t column, std::size_t reason) {
        texts_[row][column] = fmt::format("({})", reason);
        map_.cells[row][column].text = "–";
    }
    void set(std::size_t row, std::size_t column, const Duel& duel) {
        if (!duel.rating) return;
        texts_[row][column] = fmt::format("{} ({:.1f} %){}", describe_elo(duel), 100 * duel.rating->score,
                                          describe_failures(duel));
        map_.cells[row][column] = {duel.rating->elo, short_elo(duel)};
    }

    Findings::Table table() const {
        Findings::Table table{map_.title, {{"system or network"}}};
        table.rows.front().insert(table.rows.front().end(), map_.columns.begin(), map_.columns.end());
        for (std::size_t row = 0; row < map_.rows.size(); ++row) {
            table.rows.push_back({map_.rows[row]});
            table.rows.back().insert(table.rows.back().end(), texts_[row].begin(), texts_[row].end());
        }
        return table;
    }
    Findings::Drawing drawing() const { return {map_.title, file_, base::to_svg(map_)}; }

  private:
    base::HeatMap map_;
    std::string file_;
    std::vector<std::vector<std::string>> texts_;
};

Findings findings_of(const std::vector<CellTable>& matrices, const std::vector<std::string>& reasons) {
    Findings findings;
    findings.remarks.push_back(fmt::format(
        "Elo against one opponent, KnightCap's evaluation under MTD(f) with the same limit, with the 95 % "
        "interval and the share of points. A system's networks are those that it ships with, also where "
        "another search than its own asks for one that its own does not need; a network by itself plays as "
        "the "
        "system scholar. Where one side won all of the "
        "first {} games the match ends, and only a bound is known.",
        kSweepGames));
    for (std::size_t i = 0; i < reasons.size(); ++i)
        findings.remarks.push_back(fmt::format("({}) {}.", i + 1, reasons[i]));
    for (const CellTable& matrix : matrices) {
        findings.tables.push_back(matrix.table());
        findings.drawings.push_back(matrix.drawing());
    }
    return findings;
}

}  // namespace

Contender methods_opponent() {
    return {"KnightCap", {}, {{"System", "knightcap"}, {"Search", "mtdf"}}};
}

base::Status fill_matrix(Reproduction& work, const TakeFindings& take) {
    const engine::Players players = engine::standard_players();
    const std::vector<Player> rows = players_of_rows();
    std::vector<std::string> names;
    names.reserve(rows.size());
    for (const Player& row : rows) names.push_back(row.name);
    const std::vector<std::string> searches = searches_of_networks(players);
    const std::uint64_t nodes = work.sized(kMatrixNodes, kQuickMatrixNodes);
    const std::chrono::milliseconds time = work.options().quick ? kQuickMatrixTime : kMatrixTime;
    const std::vector<std::pair<arena::TimeControl, std::string>> limits{
        {{arena::TimeControl::Nodes{nodes}}, fmt::format("{} nodes or visits a move", nodes)},
        {{arena::TimeControl::MoveTime{time}}, fmt::format("{} ms a move", time.count())}};
    std::vector<CellTable> matrices;
    matrices.reserve(limits.size());
    for (std::size_t i = 0; i < limits.size(); ++i)
        matrices.emplace_back("Elo against KnightCap, " + limits[i].second,
                              i == 0 ? "matrix-nodes.svg" : "matrix-time.svg", names, searches);
    std::vector<std::string> reasons;
    const int games = std::min(kMatrixGames, work.options().match_games);
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t column = 0; column < searches.size(); ++column) {
            const std::string& search = searches[column];
            if (const std::string why = why_not(rows[row], search); !why.empty()) {
                auto known = std::ranges::find(reasons, why);
                if (known == reasons.end()) known = reasons.insert(reasons.end(), why);
                const auto number = static_cast<std::size_t>(known - reasons.begin()) + 1;
                for (CellTable& matrix : matrices) matrix.refuse(row, column, number);
                continue;
            }
            for (std::size_t i = 0; i < limits.size(); ++i) {
                const auto duel = play_cell(work, rows[row].under(search), limits[i].first, games);
                if (!duel) return std::unexpected(duel.error());
                matrices[i].set(row, column, *duel);
                if (auto status = take(findings_of(matrices, reasons)); !status) return status;
            }
        }
    return take(findings_of(matrices, reasons));
}

}  // namespace scholar::learning
