#include "arena/analysis/report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "games/pgn_writer.hpp"

namespace scholar::arena {

namespace {

// Half-moves of a line that are shown.
constexpr std::size_t kShownPlies = 12;

std::string move_text(const chess::Position& before, chess::Move move, std::string_view sign) {
    return fmt::format("{}{} {}{}", before.fullmove_number(),
                       before.side_to_move() == chess::White ? "." : "...", chess::to_san(before, move),
                       sign);
}

// "64→31", "64".
std::string expected_text(const View& before, const View& after) {
    if (!before.expected) return "–";
    const std::string text = fmt::format("{:.0f}", 100 * *before.expected);
    return after.expected ? fmt::format("{}→{:.0f}", text, 100 * *after.expected) : text;
}

// What a system says of a move, with a star if it objects, and the move that it would have played, if it is
// another one.
std::string cell_of(const GameAnalysis& analysis, std::size_t system, std::size_t ply,
                    const chess::Position& before) {
    const SystemGame& seen = analysis.by_system[system];
    const View& view = seen.views[ply];
    const MoveView& move = seen.moves[ply];
    std::string text = view.chooses_by_probability && move.likelihood
                           ? fmt::format("{:.1f} %", 100 * *move.likelihood)
                           : expected_text(view, seen.views[ply + 1]);
    if (analysis.objects(system, ply)) text += '*';
    if (view.best() && view.best() != analysis.game.moves[ply])
        text += ' ' + chess::to_san(before, view.best());
    return text;
}

using Rows = std::vector<std::vector<std::string>>;

// Columns side by side; the last is not padded. A row of one column goes below as it is.
std::string columns(const Rows& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        if (row.size() == 1) continue;
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], base::width_of(row[i]));
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += row.size() == 1 ? row[i] : base::padded(row[i], widths[i]) + "  ";
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

// The lines of those who would have played another move, each once.
void add_lines(Rows& rows, const GameAnalysis& analysis, std::size_t ply, const chess::Position& before) {
    for (std::size_t system = 0; system < analysis.systems.size(); ++system) {
        const View& view = analysis.by_system[system].views[ply];
        if (view.lines.empty() || view.best() == analysis.game.moves[ply]) continue;
        for (const ViewedLine& line : view.lines)
            rows.push_back({fmt::format("      {}: {}  {}", analysis.systems[system], score_text(line.shown),
                                        line_text(before, line.moves, kShownPlies))});
    }
}

std::string likely_text(const chess::Position& position, const View& view, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(most, view.likely.size()); ++i)
        text += fmt::format("{}{} {:.1f} %", i == 0 ? "" : ", ",
                            chess::to_san(position, view.likely[i].first), 100 * view.likely[i].second);
    return text;
}

// Of a line that begins with a move that is not among a view's: the system's best, and what follows it.
std::vector<chess::Move> better_line(const SystemGame& seen, std::size_t ply) {
    std::vector<chess::Move> moves{seen.views[ply].best()};
    const auto& better = seen.moves[ply].better;
    if (better && !better->lines.empty())
        moves.insert(moves.end(), better->lines.front().moves.begin(), better->lines.front().moves.end());
    else
        moves = seen.views[ply].lines.front().moves;
    return moves;
}

std::span<const chess::Move> shown_part(const std::vector<chess::Move>& moves) {
    return std::span(moves).first(std::min(kShownPlies, moves.size()));
}

// Of those who object while the judge does not, the one to whom the move costs most; one that moves by
// probability if there is no other. Nothing: nobody.
std::optional<std::size_t> loudest_objector(const GameAnalysis& analysis, std::size_t ply) {
    std::optional<std::size_t> loudest;
    double most = -1;
    for (const std::size_t system : analysis.objectors(ply)) {
        const double loss = analysis.by_system[system].moves[ply].loss.value_or(0);
        if (loss > most) {
            most = loss;
            loudest = system;
        }
    }
    return loudest;
}

// White's, of the line that is better than the move played.
double expected_of_better(const SystemGame& seen, std::size_t ply) {
    const auto& better = seen.moves[ply].better;
    if (better && better->expected) return *better->expected;
    return seen.views[ply].expected.value_or(0.5);
}

std::string comment_on(const GameAnalysis& analysis, const games::Game& clocks, std::size_t ply) {
    std::vector<std::string> parts;
    const auto judge = analysis.judge();
    if (judge)
        if (const auto& shown = analysis.by_system[*judge].views[ply + 1].shown)
            parts.push_back(games::eval_note(*shown));
    if (const std::string notes = games::notes_of(clocks, ply); !notes.empty()) parts.push_back(notes);
    if (judge)
        if (const auto why = analysis.explanation(*judge, ply)) {
            const SystemGame& seen = analysis.by_system[*judge];
            parts.push_back(fmt::format("{} {} to {}: {}.", analysis.systems[*judge],
                                        percent(expected_of_better(seen, ply)),
                                        percent(seen.views[ply + 1].expected.value_or(0.5)), why->words()));
        }
    if (!analysis.objectors(ply).empty()) parts.push_back(analysis.disagreement(ply) + ".");
    return fmt::format("{}", fmt::join(parts, " "));
}

void add_variations(games::PgnWriter& writer, const GameAnalysis& analysis, std::size_t ply) {
    const auto judge = analysis.judge();
    if (!judge) return;
    const SystemGame& seen = analysis.by_system[*judge];
    if (analysis.verdict(ply) != Verdict::Fine) {
        const std::vector<chess::Move> line = better_line(seen, ply);
        writer.variation(shown_part(line), percent(expected_of_better(seen, ply)));
    } else if (const auto objector = loudest_objector(analysis, ply)) {
        const SystemGame& other = analysis.by_system[*objector];
        const std::vector<chess::Move> line = better_line(other, ply);
        const View& view = other.views[ply];
        const std::string comment =
            view.chooses_by_probability
                ? fmt::format("{}: likely {}, as played {}", analysis.systems[*objector],
                              percent(view.likelihood(view.best()).value_or(0)),
                              percent(other.moves[ply].likelihood.value_or(0)))
                : fmt::format("{}: {}, as played {}", analysis.systems[*objector],
                              percent(expected_of_better(other, ply)),
                              percent(other.views[ply + 1].expected.value_or(0.5)));
        writer.variation(shown_part(line), comment);
    } else if (ply > 0 && analysis.verdict(ply - 1) >= Verdict::Mistake &&
               seen.views[ply].best() != analysis.game.moves[ply]) {
        // What would have punished the move before.
        writer.variation(shown_part(seen.views[ply].lines.front().moves),
                         percent(seen.views[ply].expected.value_or(0.5)));
    }
}

}  // namespace

std::string to_string(const GameSource& source) {
    return fmt::format("{}{}game {}", source.file, source.file.empty() ? "" : ": ", source.number);
}

std::string describe(const GameAnalysis& analysis, bool wide) {
    Rows rows{{"move"}};
    rows.front().insert(rows.front().end(), analysis.systems.begin(), analysis.systems.end());
    rows.front().emplace_back("who disagrees");
    chess::Position position = analysis.game.start;
    for (std::size_t ply = 0; ply < analysis.game.moves.size(); ++ply) {
        const chess::Move move = analysis.game.moves[ply];
        std::vector<std::string> row{move_text(position, move, sign_of(analysis.verdict(ply)))};
        for (std::size_t system = 0; system < analysis.systems.size(); ++system)
            row.push_back(cell_of(analysis, system, ply, position));
        row.push_back(analysis.disagreement(ply));
        rows.push_back(std::move(row));
        if (wide) add_lines(rows, analysis, ply, position);
        position.make(move);
    }
    return columns(rows);
}

std::string describe(const PositionAnalysis& analysis, std::size_t likely) {
    Rows rows{{"system", "White", "score", "depth", "nodes", "line"}};
    for (std::size_t system = 0; system < analysis.systems.size(); ++system) {
        const View& view = analysis.by_system[system];
        if (view.lines.empty())
            rows.push_back({analysis.systems[system], view.expected ? percent(*view.expected) : "–", "–", "–",
                            "–", "the game is over"});
        for (std::size_t i = 0; i < view.lines.size(); ++i) {
            const ViewedLine& line = view.lines[i];
            const bool first = i == 0;
            rows.push_back({first ? analysis.systems[system] : "",
                            line.expected ? percent(*line.expected) : "–", score_text(line.shown),
                            first ? fmt::format("{}", view.depth) : "",
                            first ? fmt::format("{}", view.nodes) : "",
                            line_text(analysis.position, line.moves, kShownPlies)});
        }
    }
    std::string text = columns(rows);
    for (std::size_t system = 0; system < analysis.systems.size(); ++system) {
        const View& view = analysis.by_system[system];
        if (!view.likely.empty())
            text += fmt::format("{} {}: {}\n", view.likely_are_visits ? "visits by" : "likely by",
                                analysis.systems[system], likely_text(analysis.position, view, likely));
        if (!view.trouble.empty()) text += fmt::format("{}: {}\n", analysis.systems[system], view.trouble);
    }
    if (const std::string who = analysis.disagreement(); !who.empty()) text += "they disagree: " + who + "\n";
    return text;
}

std::string to_annotated_pgn(const GameAnalysis& analysis, const std::string& annotator) {
    games::Game game = analysis.game;
    game.set_tag("Annotator", annotator);
    games::PgnWriter writer;
    games::write_tags(writer, game);
    // What others thought is not beside what is thought here.
    game.evaluations.clear();
    game.nodes.clear();
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
        writer.move(game.moves[ply]);
        if (const int glyph = glyph_of(analysis.verdict(ply)); glyph != 0) writer.glyph(glyph);
        writer.comment(comment_on(analysis, game, ply));
        add_variations(writer, analysis, ply);
    }
    return writer.finish(game.result);
}

AnalysisSummary summary_of(const GameAnalysis& analysis, const GameSource& source) {
    AnalysisSummary summary;
    summary.source = source;
    summary.white = analysis.game.tag("White");
    summary.black = analysis.game.tag("Black");
    summary.result = games::to_string(analysis.game.result);
    const auto judge = analysis.judge();
    if (judge) summary.judge = analysis.systems[*judge];
    chess::Position position = analysis.game.start;
    for (std::size_t ply = 0; ply < analysis.game.moves.size(); ++ply) {
        const chess::Move move = analysis.game.moves[ply];
        AnalysisSummary::Side& side = summary.sides.at(position.side_to_move());
        const Verdict verdict = analysis.verdict(ply);
        const double loss = analysis.loss(ply);
        side.mean_loss += loss;
        ++side.moves;
        side.inaccuracies += verdict == Verdict::Inaccuracy ? 1 : 0;
        side.mistakes += verdict == Verdict::Mistake ? 1 : 0;
        side.blunders += verdict == Verdict::Blunder ? 1 : 0;
        summary.disagreements += analysis.objectors(ply).empty() ? 0 : 1;
        if (judge)
            if (const auto why = analysis.explanation(*judge, ply)) {
                const SystemGame& seen = analysis.by_system[*judge];
                summary.findings.push_back({.source = source,
                                            .fen = chess::to_fen(position),
                                            .move = move_text(position, move, sign_of(verdict)),
                                            .loss = loss,
                                            .expected_better = expected_of_better(seen, ply),
                                            .expected_played = seen.views[ply + 1].expected.value_or(0.5),
                                            .words = why->words(),
                                            .played = line_text(position, why->played, kShownPlies),
                                            .better = line_text(position, why->better, kShownPlies),
                                            .disagreement = analysis.disagreement(ply)});
            }
        position.make(move);
    }
    for (AnalysisSummary::Side& side : summary.sides)
        if (side.moves > 0) side.mean_loss /= side.moves;
    return summary;
}

std::string describe(const AnalysisSummary& summary) {
    std::string text =
        fmt::format("{}: {} – {}, {}\n", to_string(summary.source),
                    base::excerpt(summary.white.empty() ? "?" : summary.white),
                    base::excerpt(summary.black.empty() ? "?" : summary.black), summary.result);
    if (summary.sides[0].moves + summary.sides[1].moves == 0) return text + "  no moves\n";
    if (summary.judge.empty())
        return text + fmt::format("  disagreements on {}\n", base::counted(summary.disagreements, "move"));
    for (const chess::Color color : chess::kColors) {
        const AnalysisSummary::Side& side = summary.sides.at(color);
        text += fmt::format("  {}: loss {:.1f} % a move, ?! {}, ? {}, ?? {}",
                            color == chess::White ? "White" : "Black", 100 * side.mean_loss,
                            side.inaccuracies, side.mistakes, side.blunders);
    }
    return text + fmt::format("  (by {}); disagreements on {}\n", summary.judge,
                              base::counted(summary.disagreements, "move"));
}

std::string describe_findings(const std::vector<AnalysisSummary>& games, std::size_t most) {
    std::vector<const Finding*> worst;
    for (const AnalysisSummary& game : games)
        for (const Finding& finding : game.findings) worst.push_back(&finding);
    if (worst.empty() || most == 0) return "";
    std::ranges::stable_sort(worst, std::ranges::greater{}, &Finding::loss);
    std::string text = fmt::format(
        "{}, the worst first:\n", base::counted(worst.size(), "mistake or blunder", "mistakes and blunders"));
    for (const Finding* finding : std::span(worst).first(std::min(most, worst.size()))) {
        text +=
            fmt::format("{}, {}: White {} to {}, {}\n", to_string(finding->source), finding->move,
                        percent(finding->expected_better), percent(finding->expected_played), finding->words);
        text +=
            fmt::format("  {}\n  played {}\n  better {}\n", finding->fen, finding->played, finding->better);
        if (!finding->disagreement.empty()) text += fmt::format("  {}\n", finding->disagreement);
    }
    return text;
}

}  // namespace scholar::arena
