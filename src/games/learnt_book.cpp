#include "games/learnt_book.hpp"

#include <algorithm>
#include <cmath>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "games/learnt_book_snapshot.hpp"

namespace scholar::games {

namespace {

struct Replayed {
    BookGraph graph;
    JournalPlace place;
    std::uint64_t torn = 0;
};

bool may_begin_a_journal(std::string_view bytes) {
    constexpr std::string_view first_word = " book ";
    const std::size_t digits = std::min<std::size_t>(bytes.size(), 16);
    if (bytes.substr(0, digits).find_first_not_of("0123456789abcdef") != std::string_view::npos) return false;
    const std::string_view rest = bytes.substr(digits);
    return rest.starts_with(first_word) || first_word.starts_with(rest);
}

base::Result<BookState> read_bounds(JournalReader& reader) {
    const auto first = reader.next();
    if (!first) return base::fail("expected a learnt book");
    const auto bounds = parse_book_bounds(*first);
    if (!bounds) return std::unexpected(bounds.error());
    BookState state;
    state.bounds = *bounds;
    return state;
}

base::Status add_record(BookGraph& graph, std::string_view text) {
    const auto record = parse_book_record(text);
    if (!record) return std::unexpected(record.error());
    if (const auto* search = std::get_if<BookSearch>(&*record)) {
        graph.add(*search);
        return {};
    }
    const auto& [number, game] = std::get<NumberedGame>(*record);
    if (number != graph.state().games + 1)
        return base::fail("game {}, expected game {}", number, graph.state().games + 1);
    graph.add(game);
    return {};
}

// All records from where `replayed` stands.
base::Status replay(std::string_view bytes, Replayed& replayed) {
    JournalReader reader(bytes, replayed.place);
    while (const auto text = reader.next())
        if (auto status = add_record(replayed.graph, *text); !status)
            return base::fail_in(fmt::format("line {}", reader.place().lines), status.error());
    if (!reader.is_torn())
        return base::fail("line {} is damaged and others follow, expected the checksum of a record",
                          reader.place().lines + 1);
    replayed.place = reader.place();
    replayed.torn = reader.left();
    return {};
}

base::Result<Replayed> replay_all(std::string_view bytes) {
    JournalReader reader(bytes, {});
    auto state = read_bounds(reader);
    if (!state) return std::unexpected(state.error());
    Replayed replayed{BookGraph(std::move(*state)), reader.place()};
    if (auto status = replay(bytes, replayed); !status) return std::unexpected(status.error());
    return replayed;
}

bool belongs_to(const BookSnapshot& snapshot, std::string_view journal) {
    return snapshot.place.end <= journal.size() &&
           snapshot.journal_hash == base::hash_text(journal.substr(0, snapshot.place.end));
}

// What the snapshot has, if it is of these bytes.
std::optional<Replayed> from_snapshot(const std::filesystem::path& path, std::string_view journal) {
    const auto bytes = base::read_text(snapshot_path(path));
    if (!bytes) return std::nullopt;
    auto snapshot = parse_book_snapshot(*bytes);
    if (!snapshot || !belongs_to(*snapshot, journal)) return std::nullopt;
    return Replayed{BookGraph(std::move(snapshot->state)), snapshot->place};
}

std::string snapshot_of(const BookState& state, const JournalPlace& place, std::string_view journal) {
    return to_bytes({place, base::hash_text(journal.substr(0, place.end)), state});
}

// Puts bytes that leave the journal into a file `first`, or one with a number behind that, and says which.
// One that has just these bytes will do.
base::Result<std::filesystem::path> set_aside(const std::string& first, std::string_view bytes) {
    std::filesystem::path path = first;
    for (int number = 2; std::filesystem::exists(std::filesystem::symlink_status(path)); ++number) {
        if (base::read_text(path).value_or("") == bytes) return path;
        path = fmt::format("{}.{}", first, number);
    }
    if (auto status = base::write_atomically(path, bytes); !status) return std::unexpected(status.error());
    return path;
}

// Takes off the journal what is behind its whole lines. A line with an end may be an old one that was
// damaged: it is kept.
base::Status cut_torn(JournalWriter& writer, const std::string& name, std::string_view journal) {
    const std::string_view torn = journal.substr(writer.place().end);
    if (torn.empty()) return {};
    if (torn.ends_with('\n'))
        if (auto aside = set_aside(name + ".torn", torn); !aside) return std::unexpected(aside.error());
    return writer.cut(writer.place());
}

}  // namespace

std::filesystem::path snapshot_path(const std::filesystem::path& book) {
    std::filesystem::path path = book;
    path += ".snapshot";
    return path;
}

base::Result<std::unique_ptr<LearntBook>> LearntBook::open(const std::filesystem::path& path,
                                                           BookAccess access, Flush flush,
                                                           const BookBounds& bounds) {
    const std::string name = path.string();
    std::optional<LockedFile> file;
    if (access == BookAccess::Write) {
        auto locked = LockedFile::open(path, LockedFile::Missing::Create);
        if (!locked) return std::unexpected(locked.error());
        file.emplace(std::move(*locked));
    }
    auto bytes = base::read_text(path);
    if (!bytes) return std::unexpected(bytes.error());
    // New, or the first line was not written to its end.
    if (file && bytes->find('\n') == std::string::npos && may_begin_a_journal(*bytes)) {
        // It may also be something else that only looks so.
        if (!bytes->empty())
            if (auto aside = set_aside(name + ".torn", *bytes); !aside) return std::unexpected(aside.error());
        JournalPlace place;
        *bytes = journal_line(to_text(bounds), place);
        if (auto status = file->resize(0); !status) return std::unexpected(status.error());
        if (auto status = file->write(0, *bytes); !status) return std::unexpected(status.error());
        if (auto status = file->flush(); !status) return std::unexpected(status.error());
    }
    auto replayed = from_snapshot(path, *bytes);
    const bool had_snapshot = replayed.has_value();
    if (had_snapshot) {
        if (auto status = replay(*bytes, *replayed); !status) return base::fail_in(name, status.error());
    } else {
        auto all = replay_all(*bytes);
        if (!all) return base::fail_in(name, all.error());
        replayed.emplace(std::move(*all));
    }
    std::unique_ptr<LearntBook> book(new LearntBook(path, std::move(replayed->graph)));
    book->place_ = replayed->place;
    book->had_snapshot_ = had_snapshot;
    book->torn_ = replayed->torn;
    if (file) {
        book->writer_.emplace(std::move(*file), replayed->place, flush);
        if (auto status = cut_torn(*book->writer_, name, *bytes); !status)
            return std::unexpected(status.error());
    }
    return book;
}

base::Status LearntBook::append(std::string_view record) {
    if (!writer_) return base::fail("{}: open for reading only", path_.string());
    if (auto status = writer_->append(record); !status) return status;
    place_ = writer_->place();
    return {};
}

base::Status LearntBook::add(BookGame game) {
    if (game.result == GameResult::Unknown)
        return base::fail("{}: a game without a result, expected 1-0, 0-1 or 1/2-1/2", path_.string());
    game.opponent = book_name(game.opponent);
    game.moves.resize(std::min(game.moves.size(), static_cast<std::size_t>(state().bounds.max_plies)));
    if (auto status = append(to_text(game, state().games + 1)); !status) return status;
    graph_.add(game);
    return {};
}

base::Status LearntBook::add(const BookSearch& search) {
    if (auto status = append(to_text(search)); !status) return status;
    graph_.add(search);
    return {};
}

base::Status LearntBook::flush() {
    return writer_ ? writer_->flush() : base::Status();
}

base::Status LearntBook::save_snapshot() {
    if (auto status = flush(); !status) return status;
    const auto journal = base::read_text(path_);
    if (!journal) return std::unexpected(journal.error());
    return base::write_atomically(snapshot_path(path_), snapshot_of(state(), place_, *journal));
}

base::Result<bool> check_learnt_book(const std::filesystem::path& path) {
    const auto journal = base::read_text(path);
    if (!journal) return std::unexpected(journal.error());
    if (auto all = replay_all(*journal); !all) return base::fail_in(path.string(), all.error());
    const auto bytes = base::read_text(snapshot_path(path));
    if (!bytes) return false;
    const std::string name = snapshot_path(path).string();
    const auto snapshot = parse_book_snapshot(*bytes);
    if (!snapshot) return base::fail_in(name, snapshot.error());
    if (!belongs_to(*snapshot, *journal))
        return base::fail("{}: of another journal than {}: remove it", name, path.string());
    const std::string_view known = std::string_view(*journal).substr(0, snapshot->place.end);
    const auto replayed = replay_all(known);
    if (!replayed) return base::fail_in(path.string(), replayed.error());
    if (snapshot_of(replayed->graph.state(), replayed->place, *journal) != *bytes)
        return base::fail("{}: differs from what the journal makes: remove it", name);
    return true;
}

base::Result<RollBack> roll_back(const std::filesystem::path& path, std::uint64_t game) {
    auto file = LockedFile::open(path, LockedFile::Missing::Refuse);
    if (!file) return std::unexpected(file.error());
    const auto bytes = base::read_text(path);
    if (!bytes) return std::unexpected(bytes.error());
    JournalReader reader(*bytes, {});
    auto state = read_bounds(reader);
    if (!state) return base::fail_in(path.string(), state.error());
    Replayed kept{BookGraph(std::move(*state)), reader.place()};
    while (kept.graph.state().games < game) {
        const auto text = reader.next();
        if (!text)
            return base::fail("{}: has {} whole games, expected a number up to that, not {}", path.string(),
                              kept.graph.state().games, game);
        if (auto status = add_record(kept.graph, *text); !status)
            return base::fail_in(fmt::format("{}: line {}", path.string(), reader.place().lines),
                                 status.error());
        kept.place = reader.place();
    }
    JournalWriter writer(std::move(*file), kept.place, Flush::EachRecord);
    RollBack done;
    const std::string_view tail = std::string_view(*bytes).substr(kept.place.end);
    done.bytes = tail.size();
    if (!tail.empty()) {
        auto aside = set_aside(fmt::format("{}.after-{}", path.string(), game), tail);
        if (!aside) return std::unexpected(aside.error());
        done.set_aside = std::move(*aside);
        if (auto status = writer.cut(kept.place); !status) return std::unexpected(status.error());
    }
    const auto snapshot = snapshot_of(kept.graph.state(), kept.place, *bytes);
    if (auto status = base::write_atomically(snapshot_path(path), snapshot); !status)
        return std::unexpected(status.error());
    return done;
}

std::vector<BookEntry> to_polyglot(const BookGraph& graph, const BeliefOptions& options) {
    const BookBeliefs beliefs(graph, options, std::nullopt);
    std::vector<BookEntry> entries;
    for (const auto& [key, learnt] : graph.state().positions) {
        const auto belief = beliefs.find(learnt.position);
        double best = 0;
        for (const MoveBelief& move : belief->moves)
            if (beliefs.is_playable(*belief, move)) best = std::max(best, move.value);
        for (const MoveBelief& move : belief->moves) {
            if (!beliefs.is_playable(*belief, move)) continue;
            const double lag = std::min(1.0, (best - move.value) / options.clearly);
            entries.push_back({key, to_book_move(move.move),
                               static_cast<std::uint16_t>(1 + std::lround(99 * (1 - lag))), 0});
        }
    }
    return entries;
}

}  // namespace scholar::games
