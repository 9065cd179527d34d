#include "arena/suite.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <fmt/ranges.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "base/progress.hpp"
#include "base/streams.hpp"
#include "chess/uci_move.hpp"

namespace scholar::arena {

namespace {

using std::chrono::milliseconds;

base::Result<std::string> read_all(const std::string& path) {
    auto input = base::open_input(path);
    if (!input) return std::unexpected(input.error());
    std::string text;
    std::array<char, 1 << 16> chunk;
    while (true) {
        const auto size = (*input)->read(chunk);
        if (!size) return std::unexpected(size.error());
        if (*size == 0) return text;
        text.append(chunk.data(), *size);
    }
}

// Operands may stand as words or together in one string.
std::vector<std::string> operand_words(const std::vector<std::string>& operands) {
    std::vector<std::string> words;
    for (const auto& operand : operands) {
        std::size_t begin = 0;
        while ((begin = operand.find_first_not_of(' ', begin)) != std::string::npos) {
            const auto end = std::min(operand.find(' ', begin), operand.size());
            words.push_back(operand.substr(begin, end - begin));
            begin = end;
        }
    }
    return words;
}

class SuiteRun {
  public:
    SuiteRun(const std::vector<SuiteItem>& items, const SuiteOptions& options,
             const std::function<void(std::size_t)>& progress, std::stop_token stop)
        : items_(items), options_(options), progress_(progress), outer_stop_(std::move(stop)) {
        result_.answers.resize(items.size());
    }

    base::Result<SuiteResult> run() {
        auto first = start_player(options_.engine, options_.patience);
        if (!first) return std::unexpected(first.error());
        result_.engine = (*first)->name();
        {
            const std::stop_callback pass_on(outer_stop_, [this] { stop_.request_stop(); });
            std::vector<std::jthread> threads;
            std::unique_ptr<Player> started = std::move(*first);
            for (int i = 0; i < std::max(1, options_.concurrency); ++i)
                threads.emplace_back(
                    [this, engine = std::exchange(started, nullptr)]() mutable { work(engine); });
        }
        if (problem_) return std::unexpected(*problem_);
        result_.interrupted = outer_stop_.stop_requested() && done_ < items_.size();
        return std::move(result_);
    }

  private:
    void work(std::unique_ptr<Player>& engine) {
        while (!stop_.stop_requested()) {
            const std::size_t index = next_++;
            if (index >= items_.size()) return;
            const GameTerms terms{needs_chess960(items_[index].position), {}};
            if (auto status = prepare(engine, terms); !status) {
                const std::scoped_lock lock(mutex_);
                if (!problem_) problem_ = status.error();
                stop_.request_stop();
                return;
            }
            Reply reply = engine->go(items_[index].position, {}, items_[index].position, options_.limit,
                                     patience(), stop_.get_token());
            if (reply.answer == Answer::Stopped) return;
            if (reply.answer != Answer::Move) engine.reset();
            const std::scoped_lock lock(mutex_);
            result_.answers[index] = {true, failure_text(reply), reply.move, std::move(reply.info),
                                      reply.elapsed};
            if (progress_) progress_(++done_);
        }
    }

    base::Status prepare(std::unique_ptr<Player>& engine, const GameTerms& terms) {
        if (engine && engine->new_game(terms)) return {};
        engine.reset();
        auto started = start_player(options_.engine, options_.patience);
        if (!started) return std::unexpected(started.error());
        engine = std::move(*started);
        return engine->new_game(terms);
    }

    milliseconds patience() const {
        const auto* time = std::get_if<MoveTimeLimit>(&options_.limit);
        return time != nullptr ? time->time + options_.stall_after : options_.untimed_patience;
    }

    static std::string failure_text(const Reply& reply) {
        switch (reply.answer) {
            case Answer::Move:
            case Answer::Stopped:
                return "";
            case Answer::Illegal:
            case Answer::Garbage:
                return "illegal move: " + reply.detail;
            case Answer::Resign:
            case Answer::Agree:
                return "resigns";
            case Answer::Flood:
                return "flood: " + reply.detail;
            case Answer::Stall:
                return "stall: " + reply.detail;
            case Answer::Crash:
                return "crash: " + reply.detail;
        }
        return "";
    }

    const std::vector<SuiteItem>& items_;
    const SuiteOptions& options_;
    const std::function<void(std::size_t)>& progress_;
    std::stop_token outer_stop_;
    std::stop_source stop_;
    std::atomic<std::size_t> next_ = 0;

    std::mutex mutex_;  // of everything below
    SuiteResult result_;
    std::size_t done_ = 0;
    std::optional<base::Error> problem_;
};

void add(SuiteScore& score, const SuiteItem& item, const SuiteAnswer& answer) {
    ++score.positions;
    score.max_points += item.max_points();
    if (!answer.failure.empty()) {
        ++score.failures;
        return;
    }
    score.solved += item.is_solved_by(answer.move) ? 1 : 0;
    score.points += item.points_for(answer.move);
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

int SuiteItem::points_for(chess::Move move) const {
    if (points.empty()) return is_solved_by(move) ? 1 : 0;
    for (const auto& [candidate, worth] : points)
        if (candidate == move) return worth;
    return 0;
}

bool SuiteItem::is_solved_by(chess::Move move) const {
    if (contains(avoid, move)) return false;
    if (!best.empty()) return contains(best, move);
    return !avoid.empty() || points_for(move) == max_points();
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
            return base::fail("c8 has {} values for the {} moves of c9", worth_words.size(),
                              move_words.size());
        for (std::size_t i = 0; i < move_words.size(); ++i) {
            const auto move = chess::parse_uci_move(item.position, move_words[i]);
            if (!move) return base::fail_in("c9", move.error());
            int worth = 0;
            const auto& word = worth_words[i];
            const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), worth);
            if (error != std::errc{} || end != word.data() + word.size() || worth < 0)
                return base::fail("c8: '{}', expected points as a whole number", word);
            item.points.emplace_back(*move, worth);
        }
    }
    if (item.best.empty() && item.avoid.empty() && item.points.empty())
        return base::fail("nothing to test: expected bm, am, or c8 with c9");
    return item;
}

base::Result<std::vector<SuiteItem>> read_suite(const std::string& path) {
    const auto text = read_all(path);
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

base::Result<SuiteResult> run_suite(const std::vector<SuiteItem>& items, const SuiteOptions& options,
                                    const std::function<void(std::size_t)>& progress, std::stop_token stop) {
    return SuiteRun(items, options, progress, std::move(stop)).run();
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

std::string describe(const std::vector<SuiteItem>& items, const SuiteResult& result) {
    auto scores = scores_by_theme(items, result);
    const SuiteScore total = total_score(items, result);
    if (scores.size() != 1) scores.push_back(total);
    std::size_t width = 5;
    for (const auto& score : scores) width = std::max(width, score.theme.size());

    std::string text = fmt::format("{}\n{:{}}  {:>9} {:>7} {:>7} {:>7} {:>7} {:>9}\n", result.engine, "theme",
                                   width, "positions", "solved", "points", "of", "%", "failures");
    for (const auto& score : scores)
        text += fmt::format("{:{}}  {:>9} {:>7} {:>7} {:>7} {:>7.1f} {:>9}\n", score.theme, width,
                            score.positions, score.solved, score.points, score.max_points,
                            percent(score.points, score.max_points), score.failures);

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
    if (with_nodes > 0)
        text += fmt::format("{} nodes a position, {} nodes/s", base::short_count(nodes / with_nodes),
                            base::short_count(nodes / std::max(1e-9, seconds)));
    if (with_depth > 0) text += fmt::format("{}depth {:.1f}", with_nodes > 0 ? ", " : "", depth / with_depth);
    if (with_nodes > 0 || with_depth > 0) text += '\n';
    if (result.interrupted) text += "interrupted: positions not asked do not count\n";
    return text;
}

std::string to_json_lines(const std::vector<SuiteItem>& items, const SuiteResult& result) {
    using nlohmann::ordered_json;
    const auto line = [](const ordered_json& record) {
        return record.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
    };
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const SuiteAnswer& answer = result.answers[i];
        if (!answer.asked) continue;
        ordered_json record{{"id", items[i].id}, {"theme", items[i].theme}};
        SuiteScore score;
        add(score, items[i], answer);
        if (answer.failure.empty())
            record["move"] = chess::to_uci(answer.move, needs_chess960(items[i].position)
                                                            ? chess::CastlingNotation::Chess960
                                                            : chess::CastlingNotation::Standard);
        else
            record["failure"] = answer.failure;
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
                  {"interrupted", result.interrupted}});
    return text;
}

}  // namespace scholar::arena
