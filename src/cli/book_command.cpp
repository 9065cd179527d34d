#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/polyglot_key.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "cli/book_learnt.hpp"
#include "cli/commands.hpp"
#include "cli/game_files.hpp"
#include "cli/games_problems.hpp"
#include "cli/games_shared.hpp"
#include "cli/output.hpp"
#include "games/book.hpp"
#include "games/book_builder.hpp"
#include "games/learnt_book_journal.hpp"

namespace scholar::cli {

namespace {

// Of so few games a book has little: why is said.
constexpr std::uint64_t kFewGames = 200;

base::Result<chess::Position> position_of(const std::string& fen) {
    return fen.empty() ? chess::Position() : chess::parse_fen(fen);
}

double share(std::uint64_t weight, std::uint64_t total) {
    return ratio(static_cast<double>(weight), static_cast<double>(total));
}

// ---------------------------------------------------------------------------------------------------------------------

struct MakeOptions {
    std::vector<std::string> files;
    std::string output;
    std::string side = "both";
    games::BookBuilder::Options book;
    bool overwrite = false;
    bool json = false;
};

base::Status make_book(MakeOptions& options, const std::stop_token& stop) {
    const auto start = Clock::now();
    if (auto status = check_output(options.output, options.files); !status) return status;
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    if (options.side == "white") options.book.side = chess::White;
    if (options.side == "black") options.book.side = chess::Black;
    games::BookBuilder builder(options.book);
    ProblemLog problems;
    for (const std::string& file : options.files) {
        const auto status = for_each_game_of(file, "reading", problems, stop, [&](const games::Game& game) {
            builder.add(game);
            return base::Status();
        });
        if (!status) return status;
    }
    const auto entries = builder.finish();
    const auto& counts = builder.counts();
    if (entries.empty())
        return base::fail("no move was played often and well enough ({}, {} counted); {} was not written",
                          base::counted(counts.games, "game"), base::counted(counts.moves, "move"),
                          options.output);
    if (auto status = games::write_book(options.output, entries); !status) return status;

    const std::size_t bytes = entries.size() * 16;
    const auto book = games::Book::from_entries(entries);
    const double seconds = seconds_since(start);
    if (options.json) {
        print({{"output", options.output},
               {"games", counts.games},
               {"without_result", counts.without_result},
               {"chess960", counts.chess960},
               {"skipped", problems.count()},
               {"moves_counted", counts.moves},
               {"moves_forgotten", counts.forgotten},
               {"entries", book.size()},
               {"positions", book.positions()},
               {"bytes", bytes},
               {"seconds", seconds}});
        return {};
    }
    fmt::print("{}: {} in {}, {}, from {} of {} in {:.1f} s\n", options.output,
               base::counted(book.size(), "move"), base::counted(book.positions(), "position"),
               base::counted(bytes, "byte"), base::counted(counts.moves, "move"),
               base::counted(counts.games, "game"), seconds);
    if (counts.without_result + counts.chess960 > 0)
        fmt::print("left out: {} without a result, {} of Chess960\n",
                   base::counted(counts.without_result, "game"), grouped(counts.chess960));
    if (options.book.min_games > 1 && counts.games < kFewGames)
        fmt::print("only moves that were played in {} games or more are in it (--min-games)\n",
                   options.book.min_games);
    if (counts.forgotten > 0)
        fmt::print("{} forgotten on the way for want of memory: see --max-moves\n",
                   base::counted(counts.forgotten, "rare move"));
    problems.print();
    return {};
}

void add_make(Command book, Invocation& invocation) {
    const Command make =
        book.add_subcommand("make", "Make a book from the games of PGN files or game stores");
    make.footer(
        "A move's weight is 2 for each game that its player won and 1 for each draw. The same games give the "
        "same\n"
        "book, byte for byte.");
    auto options = std::make_shared<MakeOptions>();
    make.add_option("GAMES", options->files,
                    "PGN files, packed too (.zst, .gz, .bz2, .xz, .zip, .7z), or game stores")
        .required();
    make.add_option("-o,--output", options->output, "The book").required();
    make.add_option("--max-ply", options->book.max_ply, "Half-moves of each game that count")
        .check(range(1, 1000))
        .capture_default_str();
    make.add_option("--min-games", options->book.min_games, "Games that a move was played in, at least")
        .check(range(1U, 1'000'000'000U))
        .capture_default_str();
    make.add_option("--min-score", options->book.min_score, "Points a game that a move scored, at least")
        .check(range(0.0, 1.0))
        .capture_default_str();
    make.add_option("--side", options->side, "Whose moves")
        .check(one_of({"white", "black", "both"}))
        .capture_default_str();
    make.add_option("--min-rating", options->book.min_rating,
                    "Of the player who moves (WhiteElo, BlackElo); 0: any, or none")
        .check(range(0, 10'000))
        .capture_default_str();
    make.add_option("--max-moves", options->book.max_moves,
                    "Different moves held in memory, 24 bytes each; beyond that the rarest are forgotten")
        .check(range(std::size_t{1'000}, std::size_t{1} << 32))
        .capture_default_str();
    make.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    make.add_flag("--json", options->json, "Print one JSON object");
    make.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return make_book(*options, stop); };
    });
}

// ---------------------------------------------------------------------------------------------------------------------

struct ShowOptions {
    std::string book;
    std::string fen;
    std::string opponent;
    bool json = false;
};

base::Status show_book(const ShowOptions& options) {
    if (games::is_learnt_book(options.book))
        return show_learnt({options.book, options.fen, options.opponent, options.json});
    if (!options.opponent.empty())
        return base::fail("--opponent: {} is no learnt book, which alone knows opponents", options.book);
    const auto book = games::Book::open(options.book);
    if (!book) return std::unexpected(book.error());
    const auto position = position_of(options.fen);
    if (!position) return std::unexpected(position.error());
    const auto found = book->moves(*position);
    const std::uint64_t total = found.total_weight();
    if (options.json) {
        Json moves = Json::array();
        for (const auto& move : found.moves)
            moves.push_back({{"move", chess::to_uci(move.move)},
                             {"san", chess::to_san(*position, move.move)},
                             {"weight", move.weight},
                             {"share", share(move.weight, total)},
                             {"learn", move.learn}});
        print({{"book", options.book},
               {"fen", chess::to_fen(*position)},
               {"key", fmt::format("{:016x}", chess::polyglot_key(*position))},
               {"moves", moves},
               {"illegal", found.illegal}});
        return {};
    }
    fmt::print("{}\nkey {:016x}\n", chess::to_fen(*position), chess::polyglot_key(*position));
    if (found.moves.empty()) fmt::print("no move in the book\n");
    for (const auto& move : found.moves)
        fmt::print("  {:<8} {:>6}  {:>5.1f} %\n", chess::to_san(*position, move.move), move.weight,
                   100 * share(move.weight, total));
    if (found.illegal > 0)
        fmt::print("{} with a move that is not legal here\n",
                   base::counted(found.illegal, "entry", "entries"));
    return {};
}

void add_show(Command book, Invocation& invocation) {
    const Command show = book.add_subcommand("show", "What a book has for a position");
    auto options = std::make_shared<ShowOptions>();
    show.add_option("BOOK", options->book, "Polyglot or learnt book").required();
    show.add_option("FEN", options->fen, "Position (default: the start position)");
    show.add_option("--opponent", options->opponent,
                    "As it is for the side to move against this one; of a learnt book");
    show.add_flag("--json", options->json, "Print one JSON object");
    show.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token&) { return show_book(*options); };
    });
}

// ---------------------------------------------------------------------------------------------------------------------

struct Reached {
    std::size_t positions = 0;
    std::size_t moves = 0;
    std::size_t illegal = 0;
    int deepest = 0;
};

base::Status show_info(const ShowOptions& options) {
    if (games::is_learnt_book(options.book)) {
        if (!options.fen.empty())
            return base::fail("--fen: {} is a learnt book, expected a Polyglot book", options.book);
        return show_learnt_info(options.book, options.json);
    }
    const auto book = games::Book::open(options.book);
    if (!book) return std::unexpected(book.error());
    const auto start = position_of(options.fen);
    if (!start) return std::unexpected(start.error());
    Reached reached;
    book->walk(*start, [&](const chess::Position&, const games::BookMoves& moves, int plies) {
        ++reached.positions;
        reached.moves += moves.moves.size();
        reached.illegal += moves.illegal;
        reached.deepest = std::max(reached.deepest, plies + 1);
    });
    if (options.json) {
        print({{"book", options.book},
               {"entries", book->size()},
               {"positions", book->positions()},
               {"reached_positions", reached.positions},
               {"reached_moves", reached.moves},
               {"deepest_ply", reached.deepest},
               {"illegal", reached.illegal}});
        return {};
    }
    fmt::print("{}: {} in {}\n", options.book, base::counted(book->size(), "move"),
               base::counted(book->positions(), "position"));
    fmt::print("  from {}: {} in {}, the deepest at half-move {}\n",
               options.fen.empty() ? "the start position" : "there", base::counted(reached.moves, "move"),
               base::counted(reached.positions, "position"), reached.deepest);
    if (reached.illegal > 0)
        fmt::print("  {} with a move that is not legal\n",
                   base::counted(reached.illegal, "entry", "entries"));
    return {};
}

void add_info(Command book, Invocation& invocation) {
    const Command info = book.add_subcommand("info", "How large a book is and how deep it goes");
    auto options = std::make_shared<ShowOptions>();
    info.add_option("BOOK", options->book, "Polyglot or learnt book").required();
    info.add_option("--fen", options->fen,
                    "Where to begin (default: the start position); of a Polyglot book");
    info.add_flag("--json", options->json, "Print one JSON object");
    info.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token&) { return show_info(*options); };
    });
}

// ---------------------------------------------------------------------------------------------------------------------

struct BookExportOptions {
    std::string book;
    std::string fen;
    std::string output;
    bool overwrite = false;
    int max_ply = 1000;
};

// A line of EPD for each position: the heaviest moves as bm, all with their weights in c0.
base::Status export_book(const BookExportOptions& options) {
    if (auto status = check_output(options.output, {options.book}); !status) return status;
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    if (games::is_learnt_book(options.book)) return export_learnt(options.book, options.output);
    const auto book = games::Book::open(options.book);
    if (!book) return std::unexpected(book.error());
    const auto start = position_of(options.fen);
    if (!start) return std::unexpected(start.error());
    std::string text;
    book->walk(*start, [&](const chess::Position& position, const games::BookMoves& found, int plies) {
        if (plies >= options.max_ply) return;
        std::string best;
        std::string all;
        for (const auto& move : found.moves) {
            const std::string san = chess::to_san(position, move.move);
            if (move.weight == found.moves.front().weight) best += " " + san;
            all += fmt::format("{}{} {}", all.empty() ? "" : ", ", san, move.weight);
        }
        text += fmt::format("{} bm{}; c0 \"{}\";\n", chess::to_epd_fields(position), best, all);
    });
    if (text.empty()) return base::fail("{}: no move for the position to begin with", options.book);
    if (options.output.empty()) {
        fmt::print("{}", text);
        return {};
    }
    return base::write_atomically(options.output, text);
}

void add_export(Command book, Invocation& invocation) {
    const Command command = book.add_subcommand(
        "export",
        "Write the positions that a book leads to as EPD: best moves, and all with their weights. Of a "
        "learnt book: all of it as a Polyglot book");
    auto options = std::make_shared<BookExportOptions>();
    command.add_option("BOOK", options->book, "Polyglot or learnt book").required();
    command.add_option("--fen", options->fen, "Where to begin (default: the start position)");
    command.add_option("--max-ply", options->max_ply, "Half-moves from there")
        .check(range(1, 1000))
        .capture_default_str();
    command.add_option("-o,--output", options->output,
                       "The EPD file (default: standard output); or the Polyglot book");
    command.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token&) { return export_book(*options); };
    });
}

// ---------------------------------------------------------------------------------------------------------------------

struct BookMergeOptions {
    std::vector<std::string> books;
    std::string output;
    bool overwrite = false;
};

base::Status merge(const BookMergeOptions& options) {
    if (auto status = check_output(options.output, options.books); !status) return status;
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    std::vector<games::Book> books;
    for (const std::string& path : options.books) {
        auto book = games::Book::open(path);
        if (!book) return std::unexpected(book.error());
        books.push_back(std::move(*book));
    }
    std::vector<const games::Book*> pointers;
    pointers.reserve(books.size());
    for (const games::Book& book : books) pointers.push_back(&book);
    const auto merged = games::Book::from_entries(games::merge_books(pointers));
    if (auto status = games::write_book(options.output, merged.entries()); !status) return status;
    fmt::print("{}: {} in {}, from {}\n", options.output, base::counted(merged.size(), "move"),
               base::counted(merged.positions(), "position"), base::counted(books.size(), "book"));
    return {};
}

void add_merge(Command book, Invocation& invocation) {
    const Command command =
        book.add_subcommand("merge", "Make one book of several; weights of the same move are added");
    auto options = std::make_shared<BookMergeOptions>();
    command.add_option("BOOK", options->books, "Polyglot books").required();
    command.add_option("-o,--output", options->output, "The book of all of them").required();
    command.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token&) { return merge(*options); };
    });
}

}  // namespace

void add_book_command(Command app, Invocation& invocation) {
    const Command book =
        app.add_subcommand("book", "Opening books: make, show and merge Polyglot's, learn from games");
    book.require_subcommand(1, 1);
    add_make(book, invocation);
    add_show(book, invocation);
    add_info(book, invocation);
    add_export(book, invocation);
    add_merge(book, invocation);
    add_book_learn_command(book, invocation);
    add_book_search_command(book, invocation);
    add_book_check_command(book, invocation);
    add_book_rollback_command(book, invocation);
}

}  // namespace scholar::cli
