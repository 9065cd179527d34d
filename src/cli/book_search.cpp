#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"
#include "cli/book_learnt.hpp"
#include "cli/engine_options.hpp"
#include "cli/games_shared.hpp"
#include "cli/output.hpp"
#include "games/learnt_book.hpp"
#include "games/learnt_book_refinement.hpp"

namespace scholar::cli {

namespace {

struct BookSearchArguments {
    std::string book;
    double minutes = 1;
    std::uint64_t nodes = 1'000'000;
    int lines = 3;
    EngineSettings settings;
    bool json = false;
};

games::BookSearch to_record(const chess::Position& position, const search::SearchResult& result) {
    games::BookSearch record{position, {}};
    for (const search::RootLine& line : result.lines)
        // Stopped in an iteration, the best may be known to be at least as good as it says.
        if (line.bound != search::Bound::Upper && !line.variation.empty() && line.score)
            record.moves.push_back(
                {line.variation.front(), games::BookOpinion{*line.score, line.depth, result.counters.nodes}});
    return record;
}

// Searches until the time is over; how often.
base::Result<std::uint64_t> search_book(const BookSearchArguments& options, games::LearntBook& book,
                                        engine::Engine& engine, const std::stop_token& stop) {
    const auto start = Clock::now();
    const auto total = std::chrono::duration_cast<search::Milliseconds>(
        std::chrono::duration<double, std::ratio<60>>(options.minutes));
    base::Progress progress("searching", static_cast<std::uint64_t>(total.count() / 1000), "s");
    search::Silence silence;
    std::uint64_t searches = 0;
    while (!stop.stop_requested()) {
        const auto used = std::chrono::duration_cast<search::Milliseconds>(Clock::now() - start);
        const auto task = games::next_search(book.graph(), options.nodes);
        if (used >= total || !task) break;
        progress.update(static_cast<std::uint64_t>(used.count() / 1000), chess::to_fen(task->position));
        // From nothing, so that the same task gives the same record.
        engine.new_game();
        engine.set_line(chess::Line(task->position));
        const auto result = engine.search(
            {{search::NodeLimit{task->nodes}, search::MoveTimeLimit{total - used}}, {}, {}}, silence, stop);
        if (stop.stop_requested()) break;
        const games::BookSearch record = to_record(task->position, result);
        // The time is over before anything was found.
        if (record.moves.empty()) break;
        if (auto status = book.add(record); !status) return std::unexpected(status.error());
        ++searches;
    }
    return searches;
}

base::Status run_book_search(const BookSearchArguments& options, const std::stop_token& stop) {
    auto engine = make_engine(*options.settings);
    if (!engine) return std::unexpected(engine.error());
    if (auto status = (*engine)->set_option("MultiPV", fmt::format("{}", options.lines)); !status)
        return status;
    if (auto status = (*engine)->set_option("OwnBook", "false"); !status) return status;
    if (!games::is_learnt_book(options.book))
        return base::fail("{}: expected a learnt book (scholar book learn makes one)", options.book);
    const auto book = games::LearntBook::open(options.book, games::BookAccess::Write);
    if (!book) return std::unexpected(book.error());
    const auto searches = search_book(options, **book, **engine, stop);
    if (!searches) return std::unexpected(searches.error());
    if (auto status = (*book)->save_snapshot(); !status) return status;
    if (options.json)
        print({{"book", options.book},
               {"searches", *searches},
               {"searches_of_all", (*book)->state().searches}});
    else
        fmt::print("{}: {}, {} with those before\n", options.book,
                   base::counted(*searches, "search", "searches"), grouped((*book)->state().searches));
    return {};
}

}  // namespace

void add_book_search_command(Command book, Invocation& invocation) {
    const Command command = book.add_subcommand(
        "search",
        "Let the engine search the positions of a learnt book that matter most: often met, little "
        "known");
    command.footer(
        "Each search goes into the book's journal as it ends, so that roll-back takes it back too. A "
        "position "
        "that was\nsearched before gets twice the nodes. Ctrl-C ends it and loses one search at most.");
    auto options = std::make_shared<BookSearchArguments>();
    command.add_option("BOOK", options->book, "Learnt book").required();
    command.add_option("--minutes", options->minutes, "How long")
        .check(range(0.001, 1e6))
        .capture_default_str();
    command.add_option("--nodes", options->nodes, "Nodes of a position's first search")
        .check(range(std::uint64_t{1}, std::uint64_t{1} << 50))
        .capture_default_str();
    command.add_option("--lines", options->lines, "Of how many moves of each position")
        .check(range(1, 256))
        .capture_default_str();
    options->settings = add_engine_settings(command);
    command.add_flag("--json", options->json, "Print one JSON object");
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return run_book_search(*options, stop); };
    });
}

}  // namespace scholar::cli
