#include "cli/book_learnt.hpp"

#include <fmt/format.h>
#include <memory>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/polyglot_key.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "cli/games_shared.hpp"
#include "cli/output.hpp"
#include "games/learnt_book.hpp"

namespace scholar::cli {

namespace {

Json to_json(const std::optional<games::BookOpinion>& opinion) {
    if (!opinion) return nullptr;
    return {{"score", opinion->score.value()},
            {"expected", opinion->score.expected()},
            {"depth", opinion->depth},
            {"nodes", opinion->nodes}};
}

std::string to_text(const std::optional<games::BookOpinion>& opinion) {
    if (!opinion) return fmt::format("{:>8} {:>12}", "-", "-");
    return fmt::format("{:>6.1f} % {:>12}", 100 * opinion->score.expected(), grouped(opinion->nodes));
}

std::size_t opponents_of(const games::LearntMove& move) {
    std::set<std::uint32_t> numbers;
    for (const games::OpponentTally& tally : move.opponents) numbers.insert(tally.opponent);
    return numbers.size();
}

// What the book makes of a move: it plays it, keeps the search from it, or neither.
std::string_view verdict(const games::BookBeliefs& beliefs, const games::PositionBelief& belief,
                         const games::MoveBelief& move) {
    if (beliefs.is_playable(belief, move)) return "plays";
    return beliefs.is_bad(belief, move) ? "avoids" : "too little known";
}

Json to_json(const chess::Position& position, const games::BookBeliefs& beliefs,
             const games::PositionBelief& belief) {
    Json moves = Json::array();
    for (const games::MoveBelief& move : belief.moves)
        moves.push_back({{"move", chess::to_uci(move.move)},
                         {"san", chess::to_san(position, move.move)},
                         {"value", move.value},
                         {"verdict", verdict(beliefs, belief, move)},
                         {"ours", move.learnt->ours},
                         {"theirs", move.learnt->theirs},
                         {"wins", move.learnt->wins},
                         {"draws", move.learnt->draws},
                         {"losses", move.learnt->losses},
                         {"opponents", opponents_of(*move.learnt)},
                         {"effective_games", move.games},
                         {"searched", to_json(move.learnt->opinion)}});
    return moves;
}

}  // namespace

base::Status show_learnt(const LearntShowOptions& options) {
    const auto book = games::LearntBook::open(options.book, games::BookAccess::Read);
    if (!book) return std::unexpected(book.error());
    const auto position = options.fen.empty() ? chess::Position() : chess::parse_fen(options.fen);
    if (!position) return std::unexpected(position.error());
    const games::BookGraph& graph = (*book)->graph();
    const auto opponent =
        games::book_opponent(graph, games::book_name(options.opponent), position->side_to_move());
    if (!options.opponent.empty() && !opponent)
        return base::fail("{}: no game against '{}', expected the name of an opponent in the book",
                          options.book, options.opponent);
    const games::BookBeliefs beliefs(graph, {}, opponent);
    const auto belief = beliefs.find(*position);
    const games::LearntPosition* learnt = graph.find(*position);
    if (options.json) {
        Json json{{"book", options.book},
                  {"fen", chess::to_fen(*position)},
                  {"key", fmt::format("{:016x}", chess::polyglot_key(*position))},
                  {"games", learnt != nullptr ? learnt->games : 0}};
        if (belief) {
            json["searched"] = to_json(learnt->opinion);
            json["value"] = belief->value;
            json["otherwise"] = belief->otherwise;
        }
        json["moves"] = belief ? to_json(*position, beliefs, *belief) : Json::array();
        print(json);
        return {};
    }
    fmt::print("{}\nkey {:016x}\n", chess::to_fen(*position), chess::polyglot_key(*position));
    if (!belief) {
        fmt::print("not in the book\n");
        return {};
    }
    fmt::print("{}, worth {:.1f} %, another move {:.1f} %\n", base::counted(learnt->games, "game"),
               100 * belief->value, 100 * belief->otherwise);
    fmt::print("  {:<8} {:>7} {:>7} {:>7} {:>6} {:>6} {:>6} {:>9} {:>8} {:>12}\n", "move", "value", "ours",
               "theirs", "won", "drawn", "lost", "opponents", "searched", "nodes");
    for (const games::MoveBelief& move : belief->moves)
        fmt::print("  {:<8} {:>5.1f} % {:>7} {:>7} {:>6} {:>6} {:>6} {:>9} {}  {}\n",
                   chess::to_san(*position, move.move), 100 * move.value, move.learnt->ours,
                   move.learnt->theirs, move.learnt->wins, move.learnt->draws, move.learnt->losses,
                   opponents_of(*move.learnt), to_text(move.learnt->opinion),
                   verdict(beliefs, *belief, move));
    return {};
}

base::Status show_learnt_info(const std::string& path, bool json) {
    const auto book = games::LearntBook::open(path, games::BookAccess::Read);
    if (!book) return std::unexpected(book.error());
    const games::BookState& state = (*book)->state();
    std::uint64_t moves = 0;
    std::uint64_t searched = 0;
    std::uint32_t deepest = 0;
    for (const auto& [key, position] : state.positions) {
        moves += position.moves.size();
        searched += position.opinion.has_value();
        deepest = std::max(deepest, position.ply);
    }
    if (json) {
        print({{"book", path},
               {"games", state.games},
               {"opponents", state.opponents.size()},
               {"searches", state.searches},
               {"positions", state.positions.size()},
               {"searched_positions", searched},
               {"moves", moves},
               {"deepest_ply", deepest},
               {"max_positions", state.bounds.max_positions},
               {"max_plies", state.bounds.max_plies},
               {"journal_bytes", (*book)->place().end},
               {"torn_bytes", (*book)->torn()},
               {"snapshot", (*book)->had_snapshot()}});
        return {};
    }
    fmt::print("{}: {} against {}, {}\n", path, base::counted(state.games, "game"),
               base::counted(state.opponents.size(), "opponent"),
               base::counted(state.searches, "search", "searches"));
    fmt::print(
        "  {} in {} (of at most {}), {} of them searched, the deepest at half-move {} (of at most {})\n",
        base::counted(moves, "move"), base::counted(state.positions.size(), "position"),
        grouped(state.bounds.max_positions), grouped(searched), deepest, state.bounds.max_plies);
    fmt::print("  journal of {}, {}\n", base::counted((*book)->place().end, "byte"),
               (*book)->had_snapshot() ? "with a snapshot" : "without a snapshot of it");
    if ((*book)->torn() > 0)
        fmt::print("    {} at its end of a record that was not finished\n",
                   base::counted((*book)->torn(), "byte"));
    return {};
}

base::Status export_learnt(const std::string& path, const std::string& output) {
    if (output.empty())
        return base::fail("{} is a learnt book, expected -o with a name for a Polyglot book", path);
    const auto book = games::LearntBook::open(path, games::BookAccess::Read);
    if (!book) return std::unexpected(book.error());
    const auto polyglot = games::Book::from_entries(games::to_polyglot((*book)->graph()));
    if (polyglot.size() == 0)
        return base::fail("{}: no move is known well enough; {} was not written", path, output);
    if (auto status = games::write_book(output, polyglot.entries()); !status) return status;
    fmt::print("{}: {} in {}, as a Polyglot book\n", output, base::counted(polyglot.size(), "move"),
               base::counted(polyglot.positions(), "position"));
    return {};
}

// ---------------------------------------------------------------------------------------------------------------------

void add_book_check_command(Command book, Invocation& invocation) {
    const Command check = book.add_subcommand(
        "check", "Replay a learnt book's journal and compare its snapshot with what comes out");
    auto path = std::make_shared<std::string>();
    check.add_option("BOOK", *path, "Learnt book").required();
    check.callback([&invocation, path] {
        invocation.run = [path](const std::stop_token&) -> base::Status {
            const auto snapshot = games::check_learnt_book(*path);
            if (!snapshot) return std::unexpected(snapshot.error());
            const auto opened = games::LearntBook::open(*path, games::BookAccess::Read);
            if (!opened) return std::unexpected(opened.error());
            fmt::print("{}: {} and {} are sound, {}\n", *path,
                       base::counted((*opened)->state().games, "game"),
                       base::counted((*opened)->state().searches, "search", "searches"),
                       *snapshot ? "and the snapshot is what they make" : "there is no snapshot");
            if ((*opened)->torn() > 0)
                fmt::print(
                    "  {} at the end of a record that was not finished: the next writer cuts them off\n",
                    base::counted((*opened)->torn(), "byte"));
            return {};
        };
    });
}

void add_book_rollback_command(Command book, Invocation& invocation) {
    const Command command =
        book.add_subcommand("rollback", "Make a learnt book, byte for byte, what it was after a game");
    command.footer(
        "What came later, games and searches, goes into a file beside it, BOOK.after-GAME. As long as "
        "nothing "
        "new was\nlearnt, that file at the end of the book's makes it what it was: cat BOOK.after-GAME "
        ">>BOOK");
    struct RollbackArguments {
        std::string book;
        std::uint64_t game = 0;
    };
    auto options = std::make_shared<RollbackArguments>();
    command.add_option("BOOK", options->book, "Learnt book").required();
    command.add_option("GAME", options->game, "Number of the last game that stays; 0: none").required();
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token&) -> base::Status {
            const auto done = games::roll_back(options->book, options->game);
            if (!done) return std::unexpected(done.error());
            if (done->bytes == 0)
                fmt::print("{}: nothing came after game {}\n", options->book, options->game);
            else
                fmt::print("{}: as after game {}; what came later, {}, is in {}\n", options->book,
                           options->game, base::counted(done->bytes, "byte"), done->set_aside.string());
            return {};
        };
    });
}

}  // namespace scholar::cli
