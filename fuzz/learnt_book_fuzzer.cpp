// Journals of learnt books. An input is a journal's file; if its first line is "!", the other lines are
// records that get the digits they need, so that small inputs have games that are learnt. If it begins with
// SCHOLARB, it is a snapshot, whose checksum is made right.

#include <algorithm>
#include <string>

#include "base/hash.hpp"
#include "check.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "fuzzer.hpp"
#include "games/bytes.hpp"
#include "games/learnt_book.hpp"
#include "games/learnt_book_refinement.hpp"
#include "games/learnt_book_snapshot.hpp"
#include "memory_file.hpp"

namespace scholar::fuzz {
namespace {

using namespace games;

std::string with_digits(std::string_view records) {
    std::string bytes;
    JournalPlace place;
    while (!records.empty()) {
        const std::size_t end = std::min(records.find('\n'), records.size());
        bytes += journal_line(records.substr(0, end), place);
        records.remove_prefix(std::min(end + 1, records.size()));
    }
    return bytes;
}

// What is read survives being written and read again.
void check_record(std::string_view text) {
    const auto record = parse_book_record(text);
    if (!record) return check_refusal(record.error(), "a record");
    const bool is_search = std::holds_alternative<BookSearch>(*record);
    std::string again;
    if (is_search) {
        again = to_text(std::get<BookSearch>(*record));
    } else {
        const auto& [number, game] = std::get<NumberedGame>(*record);
        again = to_text(game, number);
    }
    const BookRecord same = must(parse_book_record(again), "a record that was written");
    if (is_search)
        check(std::get<BookSearch>(same) == std::get<BookSearch>(*record), "a search becomes another: {}",
              again);
    else
        check(std::get<NumberedGame>(same).game == std::get<NumberedGame>(*record).game,
              "a game becomes another: {}", again);
}

void check_state(const BookGraph& graph) {
    const BookState& state = graph.state();
    check(state.positions.size() <= state.bounds.max_positions, "{} positions, expected at most {}",
          state.positions.size(), state.bounds.max_positions);
    const BookSnapshot snapshot{{1, 2, 3}, 4, state};
    check(must(parse_book_snapshot(to_bytes(snapshot)), "a snapshot").state == state, "a snapshot differs");
    const BookBeliefs beliefs(graph, {},
                              state.opponents.empty() ? std::nullopt : std::optional(BookOpponent{}));
    base::Random random(state.games);
    for (const auto& [key, learnt] : state.positions) {
        const auto belief = beliefs.find(learnt.position);
        check(belief.has_value(), "a position is lost: {}", chess::to_fen(learnt.position));
        check(belief->value >= 0 && belief->value <= 1, "a value of {}", belief->value);
        const BookAdvice advice = beliefs.advise(learnt.position, random);
        const chess::MoveList legal = chess::legal_moves(learnt.position);
        check(!advice.play || legal.contains(*advice.play), "an illegal move in {}",
              chess::to_fen(learnt.position));
        check(legal.empty() || advice.avoid.size() < static_cast<std::size_t>(legal.size()),
              "no move is left in {}", chess::to_fen(learnt.position));
        check(!advice.play || std::ranges::find(advice.avoid, *advice.play) == advice.avoid.end(),
              "a move is played and avoided in {}", chess::to_fen(learnt.position));
    }
    const auto polyglot = to_polyglot(graph);
    check(std::ranges::is_sorted(polyglot, {}, &BookEntry::key), "a Polyglot book out of order");
    const auto task = next_search(graph, 1);
    check(!task || graph.find(task->position) != nullptr, "a search beside the book");
}

void run_snapshot(std::string_view input) {
    std::string bytes(input);
    put_fixed(bytes, base::hash_text(bytes));
    const auto snapshot = parse_book_snapshot(bytes);
    if (!snapshot) return check_refusal(snapshot.error(), "a snapshot");
    const auto again = must(parse_book_snapshot(to_bytes(*snapshot)), "a snapshot that was written");
    check(again.state == snapshot->state, "a snapshot becomes another");
}

void run(std::string_view input) {
    constexpr std::string_view bare = "!\n";
    if (input.starts_with("SCHOLARB")) return run_snapshot(input);
    std::string bytes(input);
    if (input.starts_with(bare)) {
        std::string_view records = input.substr(bare.size());
        bytes = with_digits(records);
        while (!records.empty()) {
            const std::size_t end = std::min(records.find('\n'), records.size());
            check_record(records.substr(0, end));
            records.remove_prefix(std::min(end + 1, records.size()));
        }
    }
    const MemoryFile file(bytes);
    const auto book = LearntBook::open(file.path(), BookAccess::Read);
    if (!book) return check_refusal(book.error(), "a learnt book");
    check((*book)->place().end + (*book)->torn() == bytes.size(), "bytes are lost");
    check_state((*book)->graph());
    // Without its last byte it is the same but for the last record.
    const MemoryFile cut(std::string_view(bytes).substr(0, bytes.size() - 1));
    const auto less = LearntBook::open(cut.path(), BookAccess::Read);
    if (!less) return check_refusal(less.error(), "a learnt book that was cut off");
    check((*less)->state().games + (*less)->state().searches + 1 >=
              (*book)->state().games + (*book)->state().searches,
          "more than a record is lost");
}

}  // namespace
}  // namespace scholar::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scholar::fuzz::run(scholar::fuzz::as_text(data, size));
    return 0;
}
