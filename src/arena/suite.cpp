#include "arena/suite.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "arena/questions.hpp"
#include "base/json.hpp"
#include "base/progress.hpp"
#include "base/streams.hpp"
#include "base/text.hpp"
#include "chess/line.hpp"
#include "chess/uci_move.hpp"

namespace scholar::arena {

namespace {

// Operands may stand as words or together in one string.
std::vector<std::string> operand_words(const std::vector<std::string>& operands) {
    std::vector<std::string> words;
    for (const auto& operand : operands) {
        for (const auto word : base::split_words(operand)) words.emplace_back(word);
    }
    return words;
}

void add(SuiteScore& score, const SuiteItem& item, const SuiteAnswer& answer) {
    ++score.positions;
    score.max_points += item.max_points();
    if (!answer.failure.empty()) {
        ++score.failures;
        return;
    }
    if (answer.late) {
        ++score.late;
        return;
    }
    score.solved += item.is_solved_by(answer.move, answer.info) ? 1 : 0;
    score.points += item.points_for(answer.move, answer.info);
}

bool contains(const std::vector<chess::Move>& moves, chess::Move move) {
    return std::ranges::find(moves, move) != moves.end();
}

double percent(double part, double whole) {
    return whole > 0 ? 100 * part / whole : 0;
}

}  // namespace

int SuiteItem::max_points() const {
    int most = points.empty() ? 1 : 0;
    for (const auto& [move, worth] : points) most = std::max(most, worth);
    return most;
}

int SuiteItem::points_for(chess::Move move, const SearchInfo& info) const {
    if (points.empty()) return is_solved_by(move, info) ? 1 : 0;
    for (const auto& [candidate, worth] : points)
        if (candidate == move) return worth;
    return 0;
}

bool SuiteItem::is_solved_by(chess::Move move, const SearchInfo& info) const {
    if (contains(avoid, move)) return false;
    if (mate > 0 && !announces_mate(position, move, info, mate)) return false;
    if (!best.empty()) return contains(best, move);
    return !avoid.empty() || mate > 0 || points_for(move, info) == max_points();
}

bool announces_mate(const chess::Position& position, chess::Move move, const SearchInfo& info, int moves) {
    if (!info.mate || *info.mate < 1 || *info.mate > moves) return false;
    const auto& variation = info.principal_variation;
    if (variation.empty() || variation.size() > 2 * static_cast<std::size_t>(*info.mate) - 1) return false;
    chess::Line line(position);
    for (std::size_t i = 0; i < variation.size(); ++i) {
        const auto next = chess::parse_uci_move(line.current(), variation[i]);
        if (!next || (i == 0 && *next != move)) return false;
        line.push(*next);
    }
    return line.terminal() == chess::Terminal::Checkmate && variation.size() % 2 == 1;
}

std::string theme_of(const std::string& id) {
    std::string theme = id;
    if (const auto dot = theme.rfind('.');
        dot != std::string::npos && theme.find_first_not_of("0123456789", dot + 1) == std::string::npos)
        theme.erase(dot);
    if (const auto head = theme.find(") "); head != std::string::npos) theme.erase(0, head + 2);
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= theme.size();) {
        const auto end = std::min(theme.find('/', begin), theme.size());
        parts.push_back(theme.substr(begin, end - begin));
        begin = end + 1;
    }
    std::ranges::sort(parts);
    return fmt::format("{}", fmt::join(parts, "/"));
}

base::Result<SuiteItem> suite_item(const chess::Epd& epd) {
    SuiteItem item;
    item.position = epd.position;
    if (const auto* id = epd.find("id"); id != nullptr && !id->empty()) item.id = id->front();
    item.theme = theme_of(item.id);
    for (auto [opcode, moves] : {std::pair{"bm", &item.best}, std::pair{"am", &item.avoid}}) {
        if (epd.find(opcode) == nullptr) continue;
        auto read = epd.moves(opcode);
        if (!read) return std::unexpected(read.error());
        *moves = std::move(*read);
    }
    const auto* worths = epd.find("c8");
    const auto* moves = epd.find("c9");
    if (worths != nullptr && moves != nullptr) {
        const auto worth_words = operand_words(*worths);
        const auto move_words = operand_words(*moves);
        if (worth_words.size() != move_words.size())
            return base::fail("c8 has {} for the {} of c9", base::counted(worth_words.size(), "value"),
                              base::counted(move_words.size(), "move"));
        for (std::size_t i = 0; i < move_words.size(); ++i) {
            const auto move = chess::parse_uci_move(item.position, move_words[i]);
            if (!move) return base::fail_in("c9", move.error());
            const auto worth = base::parse_number<int>(worth_words[i]);
            if (!worth || *worth < 0)
                return base::fail("c8: '{}', expected points as a whole number", worth_words[i]);
            item.points.emplace_back(*move, *worth);
        }
    }
    if (const auto* mate = epd.find("dm"); mate != nullptr) {
        const auto distance = mate->size() == 1 ? base::parse_number<int>(mate->front()) : std::nullopt;
        if (!distance || *distance < 1 || *distance > 1000)
            return base::fail("dm: '{}', expected a number of moves from 1 to 1000", fmt::join(*mate, " "));
        item.mate = *distance;
    }
    if (item.best.empty() && item.avoid.empty() && item.points.empty() && item.mate == 0)
        return base::fail("nothing to test: expected bm, am, dm, or c8 with c9");
    return item;
}

base::Result<std::vector<SuiteItem>> read_suite(const std::string& path) {
    const auto input = base::open_input(path);
    if (!input) return std::unexpected(input.error());
    const auto text = base::read_all(**input);
    if (!text) return std::unexpected(text.error());
    std::vector<SuiteItem> items;
    std::size_t begin = 0;
    for (int number = 1; begin < text->size(); ++number) {
        const auto end = std::min(text->find('\n', begin), text->size());
        const std::string_view line = std::string_view(*text).substr(begin, end - begin);
        begin = end + 1;
        const auto first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos || line[first] == '#') continue;
        const auto where = fmt::format("{}: line {}", path, number);
        const auto epd = chess::parse_epd(line);
        if (!epd) return base::fail_in(where, epd.error());
        auto item = suite_item(*epd);
        if (!item) return base::fail_in(where, item.error());
        if (item->id.empty()) item->id = fmt::format("line {}", number);
        items.push_back(std::move(*item));
    }
    if (items.empty()) return base::fail("{}: no positions, expected EPD lines", path);
    return items;
}

base::Result<SuiteResults> run_suite(const std::vector<SuiteItem>& items, const SuiteOptions& options,
                                     const std::function<void(std::size_t)>& progress, std::stop_token stop) {
    AskingOptions asking{.engines = {},
                         .concurrency = options.concurrency,
                         .stall_after = options.stall_after,
                         .untimed_patience = options.untimed_patience,
                         .patience = options.patience,
                         .start_attempts = options.start_attempts};
    for (const EngineConfig& engine : options.engines) asking.engines.push_back({engine, options.limit});
    const auto is_for_mate = [&](const SuiteItem& item) { return options.ask_for_mates && item.mate > 0; };
    const auto* time = std::get_if<MoveTimeLimit>(&options.limit);

    SuiteResults results(options.engines.size());
    for (auto& result : results) result.answers.resize(items.size());
    std::size_t done = 0;
    const auto question = [&](std::size_t index) {
        const SuiteItem& item = items[index];
        Question asked{.start = item.position, .moves = {}, .position = item.position};
        if (is_for_mate(item)) asked.limit = MateLimit{item.mate};
        return asked;
    };
    const auto answer = [&](Answered answered) {
        Reply& reply = answered.reply;
        const bool late = answered.failure.empty() && !is_for_mate(items[answered.question]) &&
                          time != nullptr && reply.elapsed > time->time + options.time_margin;
        results[answered.engine].answers[answered.question] = {.asked = true,
                                                               .late = late,
                                                               .failure = std::move(answered.failure),
                                                               .move = reply.move,
                                                               .info = std::move(reply.info),
                                                               .elapsed = reply.elapsed};
        ++done;
        if (progress) progress(done);
    };
    const auto asked = ask_questions("suite", items.size(), asking, question, answer, std::move(stop));
    if (!asked) return std::unexpected(asked.error());
    for (std::size_t engine = 0; engine < results.size(); ++engine) {
        results[engine].engine = asked->names[engine];
        results[engine].interrupted = asked->interrupted;
    }
    return results;
}

std::vector<SuiteScore> scores_by_theme(const std::vector<SuiteItem>& items, const SuiteResult& result) {
    std::vector<SuiteScore> scores;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!result.answers[i].asked) continue;
        auto at = std::ranges::find(scores, items[i].theme, &SuiteScore::theme);
        if (at == scores.end()) at = scores.insert(at, SuiteScore{.theme = items[i].theme});
        add(*at, items[i], result.answers[i]);
    }
    return scores;
}

SuiteScore total_score(const std::vector<SuiteItem>& items, const SuiteResult& result) {
    SuiteScore total{.theme = "total"};
    for (std::size_t i = 0; i < items.size(); ++i)
        if (result.answers[i].asked) add(total, items[i], result.answers[i]);
    return total;
}

namespace {

// Of the answers that came.
double mean_seconds(const SuiteResult& result) {
    double seconds = 0;
    int answers = 0;
    for (const auto& answer : result.answers) {
        if (!answer.asked || !answer.failure.empty()) continue;
        seconds += std::chrono::duration<double>(answer.elapsed).count();
        ++answers;
    }
    return answers > 0 ? seconds / answers : 0;
}

std::string describe_search(const SuiteResult& result) {
    std::string text;
    double nodes = 0, depth = 0, seconds = 0;
    int with_nodes = 0, with_depth = 0;
    for (const auto& answer : result.answers) {
        if (answer.info.nodes > 0) {
            nodes += static_cast<double>(answer.info.nodes);
            seconds += std::chrono::duration<double>(answer.elapsed).count();
            ++with_nodes;
        }
        if (answer.info.depth > 0) {
            depth += answer.info.depth;
            ++with_depth;
        }
    }
    if (const double mean = mean_seconds(result); mean > 0) text = fmt::format("{:.3f} s a position", mean);
    if (with_nodes > 0)
        text += fmt::format(", {} nodes a position, {} nodes/s", base::short_count(nodes / with_nodes),
                            base::short_count(nodes / std::max(1e-9, seconds)));
    if (with_depth > 0) text += fmt::format(", depth {:.1f}", depth / with_depth);
    return text;
}

constexpr const char* kInterrupted = "interrupted: positions not asked do not count\n";

}  // namespace

std::string describe(const std::vector<SuiteItem>& items, const SuiteResult& result) {
    auto scores = scores_by_theme(items, result);
    const SuiteScore total = total_score(items, result);
    if (scores.size() != 1) scores.push_back(total);
    std::size_t width = 5;
    for (const auto& score : scores) width = std::max(width, score.theme.size());

    // What went wrong has a column only if something did.
    std::string text = fmt::format("{}\n{:{}}  {:>9} {:>7} {:>7} {:>7} {:>7}", result.engine, "theme", width,
                                   "positions", "solved", "points", "of", "%");
    if (total.failures > 0) text += fmt::format(" {:>9}", "failures");
    if (total.late > 0) text += fmt::format(" {:>5}", "late");
    text += '\n';
    for (const auto& score : scores) {
        text += fmt::format("{:{}}  {:>9} {:>7} {:>7} {:>7} {:>7.1f}", score.theme, width, score.positions,
                            score.solved, score.points, score.max_points,
                            percent(score.points, score.max_points));
        if (total.failures > 0) text += fmt::format(" {:>9}", score.failures);
        if (total.late > 0) text += fmt::format(" {:>5}", score.late);
        text += '\n';
    }
    if (const auto search = describe_search(result); !search.empty()) text += search + "\n";
    if (result.interrupted) text += kInterrupted;
    return text;
}

std::string describe(const std::vector<SuiteItem>& items, const SuiteResults& results) {
    if (results.size() == 1) return describe(items, results.front());
    // Names stand above the table: they may be longer than any column.
    std::string text;
    std::vector<std::vector<SuiteScore>> columns;
    for (std::size_t i = 0; i < results.size(); ++i) {
        auto scores = scores_by_theme(items, results[i]);
        if (scores.size() != 1) scores.push_back(total_score(items, results[i]));
        columns.push_back(std::move(scores));
        const auto search = describe_search(results[i]);
        text += fmt::format("({}) {}{}{}\n", i + 1, results[i].engine, search.empty() ? "" : ": ", search);
    }
    std::size_t width = 5;
    for (const auto& score : columns.front()) width = std::max(width, score.theme.size());
    text += fmt::format("{:{}}  {:>9}", "theme", width, "of");
    for (std::size_t i = 0; i < results.size(); ++i)
        text += fmt::format("  {:>7} {:>6} {:>6}", fmt::format("({})", i + 1), "%", "solved");
    text += '\n';
    for (const auto& row : columns.front()) {
        text += fmt::format("{:{}}  {:>9}", row.theme, width, row.max_points);
        for (const auto& column : columns) {
            const auto score = std::ranges::find(column, row.theme, &SuiteScore::theme);
            if (score == column.end())
                text += fmt::format("  {:>7} {:>6} {:>6}", "-", "-", "-");
            else
                text += fmt::format("  {:>7} {:>6.1f} {:>6}", score->points,
                                    percent(score->points, score->max_points), score->solved);
        }
        text += '\n';
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto total = total_score(items, results[i]);
        if (total.failures > 0) text += fmt::format("failures of ({}): {}\n", i + 1, total.failures);
        if (total.late > 0) text += fmt::format("late answers of ({}): {}\n", i + 1, total.late);
    }
    if (results.front().interrupted) text += kInterrupted;
    return text;
}

std::string to_json_lines(const std::vector<SuiteItem>& items, const SuiteResult& result) {
    using nlohmann::ordered_json;
    const auto line = [](const ordered_json& record) { return base::json_line(record) + "\n"; };
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const SuiteAnswer& answer = result.answers[i];
        if (!answer.asked) continue;
        ordered_json record{{"engine", result.engine}, {"id", items[i].id}, {"theme", items[i].theme}};
        SuiteScore score;
        add(score, items[i], answer);
        if (answer.failure.empty())
            record["move"] = chess::to_uci(answer.move, needs_chess960(items[i].position)
                                                            ? chess::CastlingNotation::Chess960
                                                            : chess::CastlingNotation::Standard);
        else
            record["failure"] = answer.failure;
        if (answer.late) record["late"] = true;
        record["solved"] = score.solved == 1;
        record["points"] = score.points;
        record["max_points"] = score.max_points;
        if (answer.info.mate)
            record["mate"] = *answer.info.mate;
        else if (answer.info.centipawns)
            record["cp"] = *answer.info.centipawns;
        record["depth"] = answer.info.depth;
        record["nodes"] = answer.info.nodes;
        record["seconds"] = std::chrono::duration<double>(answer.elapsed).count();
        text += line(record);
    }
    const SuiteScore total = total_score(items, result);
    text += line({{"engine", result.engine},
                  {"positions", total.positions},
                  {"solved", total.solved},
                  {"points", total.points},
                  {"max_points", total.max_points},
                  {"failures", total.failures},
                  {"late", total.late},
                  {"mean_seconds", mean_seconds(result)},
                  {"interrupted", result.interrupted}});
    return text;
}

}  // namespace scholar::arena
