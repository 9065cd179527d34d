#include "learning/reports/run_series.hpp"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "learning/reports/report_plot.hpp"

namespace scholar::learning {

namespace {

// A course is shown on a logarithmic axis if it grew by more than this.
constexpr double kLogarithmicFrom = 8;

using Value = std::optional<double>;

Value if_trained(const RunRound& round, double value) {
    return round.steps > 0 ? Value(value) : std::nullopt;
}

Value a_second(double count, double seconds) {
    return seconds > 0 ? Value(count / seconds) : std::nullopt;
}

// A column of the table of rounds.
struct Column {
    const char* name;
    Value (*of)(const RunRound&);
};

double real(std::uint64_t number) {
    return static_cast<double>(number);
}

constexpr std::array kColumns{
    Column{"round", [](const RunRound& round) -> Value { return real(round.step); }},
    Column{"core_seconds", [](const RunRound& round) -> Value { return round.core_seconds; }},
    Column{"games", [](const RunRound& round) -> Value { return real(round.games); }},
    Column{"lessons", [](const RunRound& round) -> Value { return real(round.lessons); }},
    Column{"stage", [](const RunRound& round) { return round.stage; }},
    Column{"nodes", [](const RunRound& round) { return round.nodes; }},
    Column{"window", [](const RunRound& round) { return round.window; }},
    Column{"learning_rate", [](const RunRound& round) { return round.learning_rate; }},
    Column{"result_weight", [](const RunRound& round) { return round.result_weight; }},
    Column{"lambda", [](const RunRound& round) { return round.lambda; }},
    Column{"reuse", [](const RunRound& round) { return round.reuse; }},
    Column{"loss", [](const RunRound& round) { return if_trained(round, round.loss); }},
    Column{"constant_loss", [](const RunRound& round) { return if_trained(round, round.constant_loss); }},
    Column{"target_entropy", [](const RunRound& round) { return round.target_entropy; }},
    Column{"fresh_loss", [](const RunRound& round) { return round.fresh_loss; }},
    Column{"seen_loss", [](const RunRound& round) { return round.seen_loss; }},
    Column{"clipped", [](const RunRound& round) -> Value { return real(round.clipped); }},
    Column{"draws", [](const RunRound& round) -> Value { return round.draws; }},
    Column{"half_moves", [](const RunRound& round) -> Value { return round.half_moves; }},
    Column{"bounded", [](const RunRound& round) { return round.bounded; }},
    Column{"depth", [](const RunRound& round) { return round.depth; }},
    Column{"searched_nodes", [](const RunRound& round) -> Value { return real(round.searched_nodes); }},
    Column{"trained", [](const RunRound& round) -> Value { return real(round.trained); }},
    Column{"playing", [](const RunRound& round) -> Value { return round.playing; }},
    Column{"training", [](const RunRound& round) -> Value { return round.training; }},
};

}  // namespace

double core_minutes(const RunRound& round) {
    return round.core_seconds / 60;
}

base::PlotAxis course_axis(const char* label, double first, double last) {
    return {label, first > 0 && last / first > kLogarithmicFrom};
}

base::PlotSeries series_of(const RunHistory& history, std::string name, bool logarithmic,
                           const std::function<std::optional<double>(const RunRound&)>& of) {
    base::PlotSeries series{std::move(name), {}};
    for (const RunRound& round : history.rounds)
        if (const auto value = of(round)) series.points.push_back({core_minutes(round), *value});
    series.points = thinned(series.points, logarithmic);
    return series;
}

const std::vector<RunCurve>& run_curves() {
    static const std::vector<RunCurve> curves{
        {"fresh-loss",
         "Loss on new positions",
         {"nats a position"},
         [](const RunRound& round) { return round.fresh_loss; }},
        {"loss-above-entropy",
         "Loss on new positions above the entropy of the targets",
         {"nats a position", false, 0.0},
         [](const RunRound& round) -> Value {
             if (!round.fresh_loss || !round.target_entropy) return std::nullopt;
             return *round.fresh_loss - *round.target_entropy;
         }},
        {"by-heart",
         "Learnt by heart: loss on new positions above that on old ones",
         {"nats a position"},
         [](const RunRound& round) -> Value {
             if (!round.fresh_loss || !round.seen_loss) return std::nullopt;
             return *round.fresh_loss - *round.seen_loss;
         }},
        {"lessons-a-second",
         "Positions to learn from, a second of a round",
         {"positions", false, 0.0},
         [](const RunRound& round) {
             return a_second(real(round.new_lessons), round.playing + round.training);
         }},
        {"nodes-a-second",
         "Nodes searched, a second of play",
         {"nodes", false, 0.0},
         [](const RunRound& round) { return a_second(real(round.searched_nodes), round.playing); }},
        {"depth",
         "Depth of the searches",
         {"half-moves", false, 0.0},
         [](const RunRound& round) { return round.depth; }},
        {"drawn", "Games drawn", {"% of the games", false, 0.0}, [](const RunRound& round) -> Value {
             return 100 * round.draws;
         }}};
    return curves;
}

std::vector<double> stage_marks(const RunHistory& history) {
    std::vector<double> marks;
    std::optional<double> before;
    for (const RunRound& round : history.rounds) {
        if (before && round.stage && *round.stage != *before) marks.push_back(core_minutes(round));
        if (round.stage) before = round.stage;
    }
    return marks;
}

std::string rounds_as_csv(const RunHistory& history) {
    std::string text;
    for (const Column& column : kColumns) text += fmt::format("{}{}", text.empty() ? "" : ",", column.name);
    text += "\r\n";
    for (const RunRound& round : history.rounds) {
        std::string line;
        for (const Column& column : kColumns) {
            const Value value = column.of(round);
            line += fmt::format("{}{}", &column == kColumns.data() ? "" : ",",
                                value ? fmt::format("{}", *value) : "");
        }
        text += line + "\r\n";
    }
    return text;
}

}  // namespace scholar::learning
