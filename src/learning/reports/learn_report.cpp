#include "learning/reports/learn_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <numeric>

#include "base/files.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "learning/measuring/milestone_places.hpp"
#include "learning/measuring/opening_views.hpp"
#include "learning/reports/lessons_report.hpp"
#include "learning/reports/report_plot.hpp"
#include "learning/reports/run_series.hpp"
#include "learning/run/run_files.hpp"
#include "learning/selfplay_loop/games_course.hpp"
#include "learning/selfplay_loop/games_lessons.hpp"
#include "learning/selfplay_loop/learn_folder.hpp"
#include "learning/selfplay_loop/run_history.hpp"
#include "nets/perspective/network_file.hpp"

namespace scholar::learning {

namespace {

using base::PlotAxis;
using base::PlotPoint;
using base::PlotSeries;
using base::short_count;

constexpr const char* kMinutes = "core-minutes";
// First moves that the plot of them shows: the best of the newest network's, and its worst.
constexpr std::size_t kBestMoves = 5;
// Rows of the table of openings.
constexpr std::size_t kOpeningRows = 12;
constexpr std::size_t kSampleGames = 3;
// What the lines of alarms begin with.
constexpr const char* kAlarmMark = "alarm: ";

// A network that the run kept.
struct Kept {
    std::string file;  // in the run's folder
    double core_seconds = 0;
    nets::NetworkInfo info;
    OpeningView view;
};

struct Report {
    LearnFolder folder;
    RunHistory history{};                  // without rounds where it has only learnt from games so far
    std::optional<GamesCourse> lessons{};  // from other people's games
    std::string no_lessons{};              // why nothing is told of them; "" if there were none, or it is
    std::vector<Kept> networks{};
    std::vector<std::string> unreadable{};  // why other networks are not among them
    bool has_begun = true;                  // false: still learns from games, and has no network yet
    std::vector<LadderPlace> places{};
    std::string no_places{};  // why the games on the ladder tell none; "" if they do
    std::string text{};
};

const RunRound& last_round(const Report& report) {
    return report.history.rounds.back();
}

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

// Of all rounds, or of the last tenth of them.
double sum(std::span<const RunRound> rounds, const std::function<double(const RunRound&)>& of) {
    double total = 0;
    for (const RunRound& round : rounds) total += of(round);
    return total;
}
std::span<const RunRound> last_tenth(const std::vector<RunRound>& rounds) {
    return std::span(rounds).last((rounds.size() + 9) / 10);
}

PlotAxis minutes_axis(const Report& report) {
    return course_axis(kMinutes, core_minutes(report.history.rounds.front()),
                       core_minutes(last_round(report)));
}

// A line of the course by core-minutes, from the rounds that have such a value.
PlotSeries course(const Report& report, const char* name,
                  const std::function<std::optional<double>(const RunRound&)>& of) {
    return series_of(report.history, name, minutes_axis(report).logarithmic, of);
}

// Writes a plot and shows it in the text.
base::Status add_plot(Report& report, const char* name, const char* title, const PlotAxis& x,
                      const PlotAxis& y, std::vector<PlotSeries> series) {
    base::Plot plot{title, x, y, std::move(series)};
    if (x.label == kMinutes) plot.marks = stage_marks(report.history);
    const auto shown = add_report_plot(report.folder.root(), name, plot);
    if (!shown) return std::unexpected(shown.error());
    report.text += *shown;
    return {};
}

// Text in a table or a paragraph of Markdown, which would take some signs for its own.
std::string plain(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("\\|*_`<>[]#").contains(c)) out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

void add_row(Report& report, const char* name, const std::string& value) {
    report.text += fmt::format("| {} | {} |\n", name, value);
}

std::string in_pawns(const nets::PieceValues& values) {
    const double pawn = std::max(1, values[0]);
    return fmt::format("knight {:.1f}, bishop {:.1f}, rook {:.1f}, queen {:.1f} pawns", values[1] / pawn,
                       values[2] / pawn, values[3] / pawn, values[4] / pawn);
}

// Of a run that has not played a round.
void add_summary_of_lessons(Report& report) {
    report.text += "| | |\n|---|---|\n";
    if (const std::string& start = report.history.start.began_with; !start.empty())
        add_row(report, "began with", plain(start));
    if (!report.networks.empty()) {
        const nets::NetworkInfo& info = report.networks.back().info;
        add_row(report, "network", nets::to_string(info.architecture));
        add_row(report, "pieces", in_pawns(info.piece_values));
    }
    add_row(report, "games against itself", "none yet");
    report.text += "\n";
}

void add_summary(Report& report) {
    const RunHistory& history = report.history;
    const RunRound& last = last_round(report);
    const std::span<const RunRound> all = history.rounds;
    const std::span<const RunRound> late = last_tenth(history.rounds);
    const double playing = sum(all, [](const RunRound& round) { return round.playing; });
    const double training = sum(all, [](const RunRound& round) { return round.training; });
    const auto speed = [&](auto member, double seconds) {
        return short_count(ratio(
            sum(all, [&](const RunRound& round) { return static_cast<double>(round.*member); }), seconds));
    };
    const auto mean = [&](auto member) {
        return ratio(sum(late, [&](const RunRound& round) { return round.*member; }),
                     static_cast<double>(late.size()));
    };
    const auto row = [&](const char* name, const std::string& value) { add_row(report, name, value); };
    report.text += "| | |\n|---|---|\n";
    if (!history.start.began_with.empty()) row("began with", plain(history.start.began_with));
    const std::string& first = history.rounds.front().network;
    if (!last.network.empty())
        row("network", last.network + (first == last.network ? "" : fmt::format(", grown from {}", first)));
    row("games", fmt::format("{} in {}", base::grouped(static_cast<std::int64_t>(last.games)),
                             base::counted(last.step, "round")));
    row("positions learnt from", base::grouped(static_cast<std::int64_t>(last.lessons)));
    row("time",
        fmt::format("{:.1f} core-minutes{}", core_minutes(last),
                    history.resumed == 0 ? "" : ", resumed " + base::counted(history.resumed, "time")));
    row("self-play",
        fmt::format("{} games/s, {} positions/s, {} lessons/s, {} nodes/s ({:.0f} % of the time)",
                    speed(&RunRound::round_games, playing), speed(&RunRound::positions, playing),
                    speed(&RunRound::new_lessons, playing), speed(&RunRound::searched_nodes, playing),
                    100 * ratio(playing, playing + training)));
    row("training", fmt::format("{} positions/s", speed(&RunRound::trained, training)));
    const auto matches =
        std::ranges::count_if(all, [](const RunRound& round) { return !!round.match_score; });
    if (matches > 0)
        row("promotions", fmt::format("{} of {} won", std::ranges::count(all, true, &RunRound::promoted),
                                      base::counted(matches, "match", "matches")));
    if (!history.ratings.empty()) {
        const LearnRating& rating = history.ratings.back();
        row("rating",
            fmt::format("{:.0f} ± {:.0f} above the network that it began with", rating.elo, rating.error));
    }
    const auto loss = [&](double RunRound::* of) {
        return ratio(sum(late, [&](const RunRound& round) { return round.steps > 0 ? round.*of : 0; }),
                     sum(late, [](const RunRound& round) { return round.steps > 0 ? 1.0 : 0.0; }));
    };
    if (std::ranges::any_of(late, [](const RunRound& round) { return round.steps > 0; }))
        row("loss at the end¹", fmt::format("{:.4f}; of a constant {:.4f}", loss(&RunRound::loss),
                                            loss(&RunRound::constant_loss)));
    else
        row("loss at the end¹", "not trained: the window was not full yet");
    if (const auto clipped =
            sum(all, [](const RunRound& round) { return static_cast<double>(round.clipped); });
        clipped > 0)
        row("weights clipped in training", base::grouped(static_cast<std::int64_t>(clipped)));
    row("games at the end¹", fmt::format("{:.0f} % drawn, {:.0f} half-moves", 100 * mean(&RunRound::draws),
                                         mean(&RunRound::half_moves)));
    const auto all_of = [&](auto member) {
        return sum(all, [&](const RunRound& round) { return static_cast<double>(round.*member); });
    };
    if (const double played_on = all_of(&RunRound::played_on); played_on > 0)
        row("games played out although decided",
            fmt::format("{}; in {:.1f} % of them the side that was ahead did not win",
                        base::grouped(static_cast<std::int64_t>(played_on)),
                        100 * all_of(&RunRound::misjudged) / played_on));
    row("pieces at the end", in_pawns(last.piece_values));
    row("alarms", history.alarms.empty() ? "none" : fmt::format("{}", history.alarms.size()));
    report.text += "\n¹ on average over the last tenth of the rounds\n\n";
    for (const RunAlarm& alarm : history.alarms) {
        std::string_view text = alarm.text;
        if (text.starts_with(kAlarmMark)) text.remove_prefix(std::string_view(kAlarmMark).size());
        report.text += fmt::format("- round {}: {}\n", alarm.step, plain(text));
    }
    if (!history.alarms.empty()) report.text += "\n";
}

void add_settings(Report& report) {
    const RunStart& start = report.history.start;
    report.text += fmt::format("## Learnt with\n\n{}, seed {}, {}; the recipe in full:\n\n```\n",
                               start.program.empty() ? "Scholar" : start.program, start.seed,
                               base::counted(start.threads, "thread"));
    for (const auto& [key, value] : start.settings) report.text += fmt::format("{} = {}\n", key, value);
    report.text += "```\n\n";
}

base::Status add_lessons(Report& report) {
    if (report.no_lessons.empty() && !report.lessons) return {};
    report.text += "## From other people's games\n\n";
    if (!report.no_lessons.empty()) report.text += fmt::format("- {}\n\n", plain(report.no_lessons));
    if (!report.lessons) return {};
    const auto section = describe_lessons(report.folder.root(), *report.lessons);
    if (!section) return std::unexpected(section.error());
    report.text += *section;
    return {};
}

base::Status add_ratings(Report& report) {
    report.text += "## Rating\n\n";
    const std::vector<LearnRating>& ratings = report.history.ratings;
    if (ratings.empty()) {
        report.text += "There were no games between the networks of this run.\n\n";
        return {};
    }
    report.text +=
        "Networks of this run against each other, at the nodes a move that they were learning with. 0 is the "
        "one that it began with;\nbars are 95 % intervals of the distance to it. The scale is the run's "
        "own and says nothing of other players.\n\n";
    PlotSeries by_minutes;
    PlotSeries by_games;
    for (const LearnRating& rating : ratings) {
        // The one that had learnt nothing is the 0 of the scale, and has no place on a logarithmic axis.
        if (rating.lessons == 0) continue;
        by_minutes.points.push_back({rating.core_seconds / 60, rating.elo, rating.error});
        by_games.points.push_back({static_cast<double>(rating.games), rating.elo, rating.error});
    }
    const auto add = [&](const char* name, const char* title, const char* label, const PlotSeries& series) {
        const double first = series.points.empty() ? 0 : series.points.front().x;
        const double last = series.points.empty() ? 0 : series.points.back().x;
        return add_plot(report, name, title, course_axis(label, first, last),
                        {"Elo above the start", false, 0.0}, {series});
    };
    if (auto s = add("rating", "Rating by core-minutes", "core-minutes", by_minutes); !s) return s;
    return add("rating-by-games", "Rating by games", "games learnt from", by_games);
}

base::Status add_places(Report& report) {
    const std::vector<LadderPlace>& places = report.places;
    if (places.empty() && report.no_places.empty()) return {};
    report.text +=
        "## On the ladder\n\nThe milestones against players of known strength (`scholar rate --ladder`); 95 "
        "% intervals.\n\n";
    if (!report.no_places.empty()) report.text += fmt::format("- {}\n\n", plain(report.no_places));
    if (places.empty()) return {};
    report.text += "| core-minutes | Elo | games |\n|---|---|---|\n";
    PlotSeries series;
    for (const LadderPlace& place : places) {
        series.points.push_back({place.core_seconds / 60, place.elo, place.error});
        report.text += fmt::format("| {:.0f} | {} | {} |\n", place.core_seconds / 60,
                                   arena::describe_place(place.kind, place.elo, place.error), place.games);
    }
    report.text += "\n";
    if (places.size() == 1) return {};
    return add_plot(report, "ladder", "Place on the ladder",
                    course_axis("core-minutes", series.points.front().x, series.points.back().x), {"Elo"},
                    {series});
}

// Those of run_curves() of which there is anything.
base::Status add_curves(Report& report, std::initializer_list<std::string_view> names) {
    for (const RunCurve& curve : run_curves()) {
        if (std::ranges::find(names, curve.name) == names.end()) continue;
        PlotSeries series = course(report, "", curve.of);
        if (series.points.empty()) continue;
        if (auto s =
                add_plot(report, curve.name, curve.title, minutes_axis(report), curve.y, {std::move(series)});
            !s)
            return s;
    }
    return {};
}

base::Status add_loss(Report& report) {
    report.text +=
        "## Loss\n\nCross-entropy, in training, of what the weights say of the positions that they are "
        "trained "
        "on (\"training\") and of one value for all (\"constant\");\nand of the network that plays, on the "
        "positions of new games before it is trained on them (\"new positions\") and on older ones of the "
        "window (\"old positions\").\nNo loss goes below that of the targets themselves (\"targets\"; of "
        "bounds that of their middle, which is no "
        "such limit). They "
        "change as the player does: the distances mean more than any of them.\nBy how much it is lower on "
        "old "
        "positions than on new ones has been learnt by heart. Thin lines across: a stage of the course "
        "begins.\n\n";
    const auto if_trained = [](double RunRound::* of) {
        return
            [of](const RunRound& round) { return round.steps > 0 ? std::optional(round.*of) : std::nullopt; };
    };
    std::vector<PlotSeries> lines{
        course(report, "training", if_trained(&RunRound::loss)),
        course(report, "new positions", [](const RunRound& round) { return round.fresh_loss; }),
        course(report, "old positions", [](const RunRound& round) { return round.seen_loss; }),
        course(report, "constant", if_trained(&RunRound::constant_loss))};
    PlotSeries entropy =
        course(report, "targets", [](const RunRound& round) { return round.target_entropy; });
    if (!entropy.points.empty()) lines.push_back(std::move(entropy));
    if (auto s =
            add_plot(report, "loss", "Loss", minutes_axis(report), {"nats a position"}, std::move(lines));
        !s)
        return s;
    return add_curves(report, {"loss-above-entropy", "by-heart"});
}

// The whole course as numbers, to be read by others.
base::Status add_rounds(Report& report) {
    report.text +=
        fmt::format("## Speed\n\n[rounds.csv]({}/rounds.csv) has a line for each round.\n\n", kReportFolder);
    if (auto s = base::write_atomically(report.folder.report_files() / "rounds.csv",
                                        rounds_as_csv(report.history));
        !s)
        return s;
    return add_curves(report, {"lessons-a-second", "nodes-a-second", "depth"});
}

// In the last tenth of the rounds, in % by tenths of what is expected.
PlotSeries tenths_of(const Report& report, const char* name, Tenths RunRound::* of) {
    Tenths all{};
    for (const RunRound& round : last_tenth(report.history.rounds))
        std::ranges::transform(all, round.*of, all.begin(), std::plus{});
    const double count = std::accumulate(all.begin(), all.end(), 0.0);
    PlotSeries series{name, {}};
    for (std::size_t i = 0; i < all.size() && count > 0; ++i)
        series.points.push_back(
            {0.05 + static_cast<double>(i) / 10, 100 * static_cast<double>(all[i]) / count});
    return series;
}

base::Status add_targets(Report& report) {
    std::vector<PlotSeries> lines{tenths_of(report, "targets", &RunRound::targets),
                                  tenths_of(report, "openings", &RunRound::openings)};
    if (lines.front().points.empty()) return {};
    report.text +=
        "## What it learns from\n\nWhat was to be said of positions (the side to move's expected result) and "
        "what "
        "the first searches said of openings (White's), in the last tenth of the rounds: share of each "
        "tenth.\n\n";
    return add_plot(report, "targets", "Targets and openings", {"expected result", false, 0.0, 1.0},
                    {"%", false, 0.0}, std::move(lines));
}

base::Status add_games(Report& report) {
    report.text += "## Its games\n\n";
    if (auto s =
            add_plot(report, "draws", "Games drawn", minutes_axis(report), {"% of the games", false, 0.0},
                     {course(report, "", [](const RunRound& round) { return 100 * round.draws; })});
        !s)
        return s;
    return add_plot(report, "length", "Length of the games", minutes_axis(report), {"half-moves", false, 0.0},
                    {course(report, "", [](const RunRound& round) { return round.half_moves; })});
}

base::Status add_pieces(Report& report) {
    report.text +=
        "## What it learnt about the pieces\n\nBy how much the value of a position falls when a piece of the "
        "kind is taken off the board, on average over positions of its\ngames; 400 points ahead, it expects "
        "73 % of the points of the game. Nobody told it what a piece is worth.\n\n";
    std::vector<PlotSeries> pieces;
    for (std::size_t i = kPieceNames.size(); i-- > 0;)
        pieces.push_back(course(report, kPieceNames.at(i), [i](const RunRound& round) {
            return static_cast<double>(round.piece_values.at(i));
        }));
    return add_plot(report, "pieces", "Worth of the pieces", minutes_axis(report),
                    {"points (400 · logit)", false, 0.0}, std::move(pieces));
}

// At most so many of them, evenly spread, the first and the last among them.
template <class T>
std::vector<const T*> spread(const std::vector<T>& all, std::size_t most) {
    std::vector<const T*> chosen;
    const std::size_t count = std::min(most, all.size());
    chosen.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        chosen.push_back(&all[count == 1 ? all.size() - 1 : i * (all.size() - 1) / (count - 1)]);
    return chosen;
}

base::Status add_first_moves(Report& report) {
    const std::vector<OpeningMove>& newest = report.networks.back().view.first_moves;
    std::vector<PlotSeries> shown;
    for (std::size_t i = 0; i < newest.size(); ++i) {
        if (i >= kBestMoves && i + 1 < newest.size()) continue;
        PlotSeries series{"1. " + newest[i].move, {}};
        for (const Kept& network : report.networks)
            for (const OpeningMove& move : network.view.first_moves)
                if (move.move == newest[i].move)
                    series.points.push_back({network.core_seconds / 60, 100 * move.expected});
        shown.push_back(std::move(series));
    }
    return add_plot(report, "first-moves", "First moves", minutes_axis(report),
                    {"White's expected result, %"}, std::move(shown));
}

base::Status add_openings(Report& report) {
    report.text +=
        "## How it opens\n\nThe networks that the run kept, asked with a few thousand nodes a position: "
        "White's expected result after some first moves\n(those that the newest network likes best, and the "
        "one that it likes least), and what each would play. White's result in %.\n\n";
    for (const std::string& line : report.unreadable) report.text += fmt::format("- {}\n", plain(line));
    if (!report.unreadable.empty()) report.text += "\n";
    if (report.networks.empty()) return {};
    if (!report.history.rounds.empty())
        if (auto s = add_first_moves(report); !s) return s;

    report.text += "| core-minutes | how the game would go |";
    for (const OpeningPosition& opening : opening_positions())
        report.text += fmt::format(" {}: {} |", opening.name, opening.moves);
    report.text += "\n|---|---|";
    for (std::size_t i = 0; i < opening_positions().size(); ++i) report.text += "---|";
    report.text += "\n";
    for (const Kept* network : spread(report.networks, kOpeningRows)) {
        report.text += fmt::format("| {:.2f} | {} |", network->core_seconds / 60, network->view.line);
        for (const OpeningMove& reply : network->view.replies)
            report.text += fmt::format(" {} {:.0f} |", reply.move, 100 * reply.expected);
        report.text += "\n";
    }
    report.text += "\n";
    return {};
}

base::Status add_sample_games(Report& report) {
    const std::vector<RunGame>& games = report.history.games;
    if (games.empty()) return {};
    std::string pgn;
    for (const RunGame& game : games) pgn += game.pgn;
    if (auto s = base::write_atomically(report.folder.report_files() / "games.pgn", pgn); !s) return s;
    report.text += fmt::format(
        "## Some of its games\n\n[games.pgn]({}/games.pgn) has {} from the first round to the last. First "
        "moves "
        "were drawn by lot.\n\n",
        kReportFolder, base::counted(games.size(), "game"));
    for (const RunGame* game : spread(games, kSampleGames)) {
        const std::size_t moves = game->pgn.find("\n\n");
        const std::string movetext = moves == std::string::npos ? game->pgn : game->pgn.substr(moves + 2);
        report.text += fmt::format(
            "Round {}, by a network that had learnt from {}; {}, {} of them by lot; {}:\n\n"
            "```\n{}\n```\n\n",
            game->step, base::counted(game->games, "game"), base::counted(game->half_moves, "half-move"),
            game->random_moves, plain(game->ending), movetext.substr(0, movetext.find("\n\n")));
    }
    return {};
}

// Of milestones that have games there these tell, together; of others what the run wrote down when it placed
// them.
void look_at_places(Report& report) {
    if (auto places = milestone_places(report.folder))
        report.places = std::move(*places);
    else
        report.no_places = places.error().message;
    const std::vector<int> milestones = report.folder.milestones();
    for (const LadderPlace& place : report.history.places) {
        const auto after = std::ranges::upper_bound(milestones, place.core_seconds / 60);
        const double seconds = after == milestones.begin() ? place.core_seconds : 60.0 * *std::prev(after);
        if (std::ranges::find(report.places, seconds, &LadderPlace::core_seconds) == report.places.end())
            report.places.push_back(place);
    }
    std::ranges::sort(report.places, {}, &LadderPlace::core_seconds);
}

// The networks that ratings were made with, and the newest.
void look_at_networks(Report& report) {
    const auto look = [&](const std::filesystem::path& file, double seconds) {
        auto network = nets::load_network(file);
        if (!network) {
            report.unreadable.push_back(network.error().message);
            return;
        }
        const nets::NetworkInfo info = network->info;
        report.networks.push_back({file.lexically_relative(report.folder.root()).string(), seconds, info,
                                   opening_view(std::make_shared<const nets::Network>(std::move(*network)))});
    };
    // While a run learns from games, what lies there is of an older one.
    if (!report.has_begun) return;
    const double end =
        report.history.rounds.empty() ? report.lessons->core_seconds : last_round(report).core_seconds;
    for (const LearnRating& rating : report.history.ratings)
        if (rating.core_seconds < end)
            look(report.folder.snapshots() / (rating.name + ".safetensors"), rating.core_seconds);
    look(report.folder.network(), end);
}

}  // namespace

base::Result<std::filesystem::path> write_learn_report(const std::filesystem::path& run) {
    const LearnFolder folder(run);
    if (auto s = folder.check_is_run(); !s) return std::unexpected(s.error());
    std::error_code unknown;
    Report report{folder};
    const auto games_metrics = games_lessons_metrics(folder.games_lessons());
    if (std::filesystem::exists(games_metrics, unknown)) {
        if (auto course = read_games_course(games_metrics))
            report.lessons = std::move(*course);
        else
            report.no_lessons = course.error().message;
    }
    // A run that learns from games first begins its own records afterwards.
    report.has_begun = !report.lessons || std::filesystem::exists(folder.metrics(), unknown);
    if (report.has_begun) {
        auto history = read_run_history(folder.metrics());
        if (!history) return std::unexpected(history.error());
        report.history = std::move(*history);
    }
    if (report.history.rounds.empty() && !report.no_lessons.empty())
        return base::fail("{}", report.no_lessons);
    if (report.history.rounds.empty() && !report.lessons)
        return base::fail("{}: no complete round, expected at least one to report of",
                          folder.metrics().string());
    std::error_code error;
    std::filesystem::create_directories(folder.report_files(), error);
    if (error)
        return base::fail("{}: cannot create the folder: {}", folder.report_files().string(),
                          error.message());

    report.text = "# A run of scholar learn\n\n";
    look_at_networks(report);
    look_at_places(report);
    std::vector<base::Status (*)(Report&)> parts;
    if (report.history.rounds.empty()) {
        add_summary_of_lessons(report);
        parts = {add_lessons, add_places, add_openings};
    } else {
        add_summary(report);
        parts = {add_lessons, add_ratings, add_places, add_loss,     add_targets,
                 add_rounds,  add_games,   add_pieces, add_openings, add_sample_games};
    }
    for (const auto part : parts)
        if (auto s = part(report); !s) return std::unexpected(s.error());
    if (report.has_begun) add_settings(report);
    if (auto s = base::write_atomically(folder.report(), report.text); !s) return std::unexpected(s.error());
    return folder.report();
}

}  // namespace scholar::learning
