#include "arena/analysis/game_analysis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "chess/san.hpp"

namespace scholar::arena {

namespace {

// From the mover's view.
std::optional<double> movers(const std::optional<double>& expected, chess::Color mover) {
    if (!expected || mover == chess::White) return expected;
    return 1 - *expected;
}

std::optional<int> movers_mate(const View& view, chess::Color mover) {
    if (!view.shown || view.shown->mate == 0) return std::nullopt;
    return mover == chess::White ? view.shown->mate : -view.shown->mate;
}

// Of the position after a move of `mover`, in moves of the whole line, from his view: 0 half-moves is on the
// board.
std::optional<int> mate_behind(const View& after, chess::Color mover) {
    if (after.lines.empty() && after.expected && std::abs(*after.expected - 0.5) > 0.4) return 1;
    const auto mate = movers_mate(after, mover);
    // He has made one more move than the position after it says.
    if (mate && *mate > 0) return *mate + 1;
    return mate;
}

std::vector<chess::Move> behind(chess::Move first, const View& after) {
    std::vector<chess::Move> moves{first};
    if (!after.lines.empty())
        moves.insert(moves.end(), after.lines.front().moves.begin(), after.lines.front().moves.end());
    return moves;
}

// "a, b and c".
std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

std::optional<GameAnalysis::Spread> spread_of(const std::vector<const View*>& views, double least) {
    std::optional<GameAnalysis::Spread> spread;
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (!views[i]->expected) continue;
        if (!spread) spread = {i, i};
        if (*views[i]->expected < *views[spread->least]->expected) spread->least = i;
        if (*views[i]->expected > *views[spread->most]->expected) spread->most = i;
    }
    if (!spread || *views[spread->most]->expected - *views[spread->least]->expected < least)
        return std::nullopt;
    return spread;
}

}  // namespace

Verdict verdict_on(double loss, const AnalysisThresholds& thresholds) {
    if (loss >= thresholds.blunder) return Verdict::Blunder;
    if (loss >= thresholds.mistake) return Verdict::Mistake;
    return loss >= thresholds.inaccuracy ? Verdict::Inaccuracy : Verdict::Fine;
}

std::string_view sign_of(Verdict verdict) {
    return std::array<std::string_view, 4>{"", "?!", "?", "??"}.at(static_cast<std::size_t>(verdict));
}

int glyph_of(Verdict verdict) {
    return std::array<int, 4>{0, 6, 2, 4}.at(static_cast<std::size_t>(verdict));
}

base::Result<std::optional<SystemGame>> analyse_game(Analyst& analyst, const games::Game& game,
                                                     std::uint64_t number, const search::Limit& limit,
                                                     const AnalysisThresholds& thresholds,
                                                     const std::function<void()>& told,
                                                     const std::stop_token& stop) {
    const std::size_t plies = game.moves.size();
    SystemGame seen;
    seen.views.resize(plies + 1);
    seen.moves.resize(plies);
    analyst.new_game(number, game.chess960);
    chess::Line line(game.start);
    line.reserve_ahead(static_cast<int>(plies) + 1);
    for (const chess::Move move : game.moves) line.push(move);
    for (std::size_t position = plies + 1; position-- > 0;) {
        auto view = analyst.look(line, limit, position < plies, stop);
        if (!view) return std::unexpected(view.error());
        if (!*view) return std::nullopt;
        seen.views[position] = std::move(**view);
        told();
        if (position < plies) {
            const View& before = seen.views[position];
            const chess::Move played = game.moves[position];
            MoveView& move = seen.moves[position];
            const chess::Color mover = line.current().side_to_move();
            move.likelihood = before.likelihood(played);
            const auto hoped = movers(before.expected, mover);
            const auto left = movers(seen.views[position + 1].expected, mover);
            if (hoped && left && !before.chooses_by_probability) {
                move.loss = played == before.best() ? 0 : std::max(0.0, *hoped - *left);
                if (*move.loss >= thresholds.inaccuracy) {
                    line.push(before.best());
                    auto better = analyst.look(line, limit, false, stop);
                    line.pop();
                    if (!better) return std::unexpected(better.error());
                    if (!*better) return std::nullopt;
                    move.better = std::move(**better);
                    move.loss = std::max(0.0, movers(move.better->expected, mover).value_or(*hoped) - *left);
                }
            }
        }
        if (position > 0) line.pop();
    }
    return seen;
}

std::optional<std::size_t> GameAnalysis::judge() const {
    for (std::size_t system = 0; system < by_system.size(); ++system)
        if (std::ranges::any_of(by_system[system].moves,
                                [](const MoveView& move) { return move.loss.has_value(); }))
            return system;
    return std::nullopt;
}

double GameAnalysis::loss(std::size_t ply) const {
    const auto who = judge();
    return who ? by_system[*who].moves[ply].loss.value_or(0) : 0;
}

Verdict GameAnalysis::verdict(std::size_t ply) const {
    return verdict_on(loss(ply), thresholds);
}

bool GameAnalysis::objects(std::size_t system, std::size_t ply) const {
    const MoveView& move = by_system[system].moves[ply];
    if (move.loss) return *move.loss >= thresholds.mistake;
    return by_system[system].views[ply].chooses_by_probability && move.likelihood &&
           *move.likelihood < thresholds.unlikely && by_system[system].views[ply].best() != game.moves[ply];
}

std::vector<std::size_t> GameAnalysis::objectors(std::size_t ply) const {
    std::vector<std::size_t> found;
    for (std::size_t system = 0; system < by_system.size(); ++system)
        if (objects(system, ply)) found.push_back(system);
    if (found.size() == by_system.size()) found.clear();
    return found;
}

std::optional<GameAnalysis::Spread> GameAnalysis::spread(std::size_t position) const {
    std::vector<const View*> views;
    views.reserve(by_system.size());
    for (const SystemGame& each : by_system) views.push_back(&each.views[position]);
    return spread_of(views, thresholds.disagreement);
}

std::string GameAnalysis::disagreement(std::size_t ply) const {
    std::string text;
    if (const auto who = objectors(ply); !who.empty()) {
        std::vector<std::string> names, others;
        for (std::size_t system = 0; system < systems.size(); ++system)
            (std::ranges::find(who, system) != who.end() ? names : others).push_back(systems[system]);
        if (names.size() == 1)
            text = fmt::format("only {} objects", names.front());
        else if (others.size() == 1)
            text = fmt::format("all but {} object", others.front());
        else
            text = fmt::format("{} object", listed(names));
    }
    if (const auto far = spread(ply))
        text += fmt::format("{}{} {}, {} {}", text.empty() ? "" : "; ", systems[far->least],
                            percent(*by_system[far->least].views[ply].expected), systems[far->most],
                            percent(*by_system[far->most].views[ply].expected));
    return text;
}

std::optional<Explanation> GameAnalysis::explanation(std::size_t system, std::size_t ply) const {
    const MoveView& move = by_system[system].moves[ply];
    if (!move.loss || *move.loss < thresholds.mistake || !move.better) return std::nullopt;
    chess::Position before = game.start;
    for (std::size_t i = 0; i < ply; ++i) before.make(game.moves[i]);
    const View& after = by_system[system].views[ply + 1];
    const chess::Color mover = before.side_to_move();
    return explain(before, behind(game.moves[ply], after),
                   behind(by_system[system].views[ply].best(), *move.better), mate_behind(after, mover),
                   mate_behind(*move.better, mover));
}

std::string PositionAnalysis::disagreement() const {
    std::string text;
    std::vector<std::pair<chess::Move, std::vector<std::string>>> choices;
    std::vector<const View*> views;
    for (std::size_t system = 0; system < by_system.size(); ++system) {
        const View& view = by_system[system];
        views.push_back(&view);
        if (!view.best()) continue;
        auto choice = std::ranges::find(choices, view.best(), &decltype(choices)::value_type::first);
        if (choice == choices.end()) choice = choices.insert(choices.end(), {view.best(), {}});
        choice->second.push_back(systems[system]);
    }
    if (choices.size() > 1)
        for (const auto& [move, names] : choices)
            text += fmt::format("{}{} by {}", text.empty() ? "" : ", ", chess::to_san(position, move),
                                listed(names));
    if (const auto far = spread_of(views, thresholds.disagreement))
        text += fmt::format("{}White is expected to score {} by {}, {} by {}", text.empty() ? "" : "; ",
                            percent(*by_system[far->least].expected), systems[far->least],
                            percent(*by_system[far->most].expected), systems[far->most]);
    return text;
}

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string score_text(const std::optional<games::Evaluation>& shown) {
    if (!shown) return "–";
    if (shown->mate != 0) return fmt::format("#{}", shown->mate);
    return fmt::format("{:+.2f}", shown->centipawns / 100.0);
}

std::string line_text(const chess::Position& start, std::span<const chess::Move> moves, std::size_t most) {
    std::string text;
    chess::Position position = start;
    for (std::size_t i = 0; i < std::min(most, moves.size()); ++i) {
        const bool white = position.side_to_move() == chess::White;
        if (white || i == 0)
            text += fmt::format("{}{}{} ", text.empty() ? "" : " ", position.fullmove_number(),
                                white ? "." : "...");
        else
            text += ' ';
        text += chess::to_san(position, moves[i]);
        position.make(moves[i]);
    }
    return text;
}

}  // namespace scholar::arena
