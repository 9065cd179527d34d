// PGN: the same games and the same problems come out whatever the sizes of the pieces in which the file
// arrives, and a game that was read is the same after it was written and read again.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/file_kind.hpp"
#include "check.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "fuzzer.hpp"
#include "games/pgn.hpp"
#include "games/pgn_parallel.hpp"
#include "games/pgn_writer.hpp"
#include "memory_file.hpp"

namespace scholar::fuzz {
namespace {

using namespace games;

// Gives at most `piece` bytes at a time.
class PiecemealInput final : public base::InputStream {
  public:
    PiecemealInput(std::string_view bytes, std::size_t piece)
        : input_(base::memory_input(bytes)), piece_(piece) {}

    base::Result<std::size_t> read(std::span<char> buffer) override {
        return input_->read(buffer.first(std::min(buffer.size(), piece_)));
    }

  private:
    std::unique_ptr<base::InputStream> input_;
    std::size_t piece_;
};

using Item = std::variant<Game, PgnProblem>;
using Items = std::vector<Item>;

// So many bytes of the text are there at first, the rest comes in pieces.
Items read_all(std::string_view text, std::size_t first, std::size_t piece) {
    first = std::min(first, text.size());
    PgnText source;
    source.buffer.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(first));
    source.buffer.resize(first + PgnText::kPadding);
    source.size = first;
    source.room = 1;  // the least: a megabyte for each of them would be most of the work
    if (first < text.size()) source.rest = std::make_unique<PiecemealInput>(text.substr(first), piece);
    PgnReader reader("memory", std::move(source));
    Items items;
    while (true) {
        switch (must(reader.next(), "reading from memory")) {
            case PgnItem::Game:
                items.emplace_back(reader.game());
                break;
            case PgnItem::Problem:
                items.emplace_back(reader.problem());
                break;
            case PgnItem::End:
                check(reader.games() == items.size(), "{} games counted, {} read", reader.games(),
                      items.size());
                return items;
        }
    }
}

Items read_all(std::string_view text) {
    return read_all(text, text.size(), 1);
}

// Files that are packed or UTF-16, known by their first bytes, are unpacked or refused; text in memory is
// taken as it is.
bool is_text_file(std::string_view bytes) {
    return base::kind_of_file(bytes) == base::FileKind::Plain;
}

// The same as a file, by one thread or two, from parts as small as can be; nothing if the file is refused, as
// only one that is no text may be.
std::optional<Items> read_in_parts(std::string_view text) {
    struct Sink final : PgnSink {
        Items items;
        base::Status take(Game& game) override {
            items.emplace_back(game);
            return {};
        }
    };
    const MemoryFile file(text);
    // To start threads takes longer than to read: one input in four has them.
    const unsigned threads = text.size() % 4 == 0 ? 2 : 1;
    const PgnReadOptions options{.threads = threads, .part_size = 1, .games_per_stretch = 2};
    Items items;
    std::uint64_t games = 0;
    const auto read = read_pgn(
        file.path(), options, [] { return std::make_unique<Sink>(); },
        [&](PgnStretch stretch) -> base::Status {
            auto& good = static_cast<Sink&>(*stretch.sink).items;
            check(good.size() + stretch.problems.size() == stretch.games,
                  "a stretch of {} games has {} and {}", stretch.games, good.size(), stretch.problems.size());
            // Problems know their places; the games take the others.
            std::size_t next_good = 0;
            std::size_t next_problem = 0;
            for (std::uint64_t i = 0; i < stretch.games; ++i) {
                ++games;
                if (next_problem < stretch.problems.size() && stretch.problems[next_problem].game == games) {
                    items.emplace_back(stretch.problems[next_problem++]);
                    std::get<PgnProblem>(items.back()).file = "memory";
                } else {
                    check(next_good < good.size(), "game {} is neither good nor bad", games);
                    items.emplace_back(std::move(good[next_good++]));
                }
            }
            return {};
        },
        std::stop_token());
    if (!is_text_file(text) && !read) {
        check_refusal(read.error(), "a file");
        return std::nullopt;
    }
    must(read, "reading in parts");
    return items;
}

bool same(const Game& a, const Game& b) {
    return a.tags == b.tags && a.start == b.start && a.chess960 == b.chess960 && a.result == b.result &&
           a.ending == b.ending && a.moves == b.moves && a.evaluations == b.evaluations &&
           a.clocks == b.clocks && a.times == b.times && a.nodes == b.nodes;
}

void check_same(const Items& a, const Items& b) {
    check(a.size() == b.size(), "{} games in one piece, {} in several", a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        check(a[i].index() == b[i].index(), "game {}: read in one way, refused in another", i + 1);
        if (const Game* game = std::get_if<Game>(&a[i])) {
            check(same(*game, std::get<Game>(b[i])), "game {} differs:\n{}{}", i + 1, to_pgn(*game),
                  to_pgn(std::get<Game>(b[i])));
        } else {
            const std::string one = std::get<PgnProblem>(a[i]).to_string();
            const std::string other = std::get<PgnProblem>(b[i]).to_string();
            check(one == other, "'{}' in one piece, '{}' in several", one, other);
        }
    }
}

void check_legal(const Game& game) {
    chess::Position position = game.start;
    for (const chess::Move move : game.moves) {
        const chess::MoveList legal = chess::legal_moves(position);
        check(std::ranges::find(legal, move) != legal.end(), "an illegal move in {}",
              chess::to_fen(position));
        position.make(move);
    }
    for (const std::size_t size :
         {game.evaluations.size(), game.clocks.size(), game.times.size(), game.nodes.size()})
        check(size == 0 || size == game.moves.size(), "{} numbers for {} moves", size, game.moves.size());
}

void check_written_and_read(const Game& game) {
    const std::string text = to_pgn(game);
    const Items again = read_all(text);
    check(again.size() == 1, "a game is written and read as {} games:\n{}", again.size(), text);
    if (const auto* problem = std::get_if<PgnProblem>(&again.front()))
        check(false, "what we wrote is refused: {}\n{}", problem->to_string(), text);
    const Game& other = std::get<Game>(again.front());
    check(other.start == game.start && other.moves == game.moves && other.chess960 == game.chess960,
          "other moves:\n{}{}", text, to_pgn(other));
    check(other.result == game.result && other.ending == game.ending, "another ending: {} {}, {} {}\n{}",
          to_string(game.result), static_cast<int>(game.ending), to_string(other.result),
          static_cast<int>(other.ending), text);
    check(other.evaluations == game.evaluations, "other evaluations:\n{}{}", text, to_pgn(other));
    check(other.clocks == game.clocks && other.times == game.times && other.nodes == game.nodes,
          "other clocks, times or nodes:\n{}{}", text, to_pgn(other));
    check(to_pgn(other) == text, "written again it is another text:\n{}{}", text, to_pgn(other));
}

void run(std::string_view text) {
    const Items items = read_all(text);
    check_same(items, read_all(text, 0, 1));
    check_same(items, read_all(text, text.size() / 2, 61));
    const auto in_parts = read_in_parts(text);
    if (is_text_file(text)) check_same(items, *in_parts);
    for (const auto& item : items) {
        if (const Game* game = std::get_if<Game>(&item)) {
            check_legal(*game);
            check_written_and_read(*game);
        } else {
            const auto& problem = std::get<PgnProblem>(item);
            check_refusal({problem.message}, "a game");
            check(problem.line > 0 && problem.game > 0, "'{}' says too little", problem.to_string());
        }
    }
}

}  // namespace
}  // namespace scholar::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scholar::fuzz::run(scholar::fuzz::as_text(data, size));
    return 0;
}
