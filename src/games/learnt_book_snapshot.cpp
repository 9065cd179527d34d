#include "games/learnt_book_snapshot.hpp"

#include "base/hash.hpp"
#include "chess/fen.hpp"
#include "chess/polyglot_key.hpp"
#include "games/bytes.hpp"

namespace scholar::games {

namespace {

constexpr std::string_view kMagic = "SCHOLARB";
constexpr std::uint32_t kSnapshotVersion = 1;
constexpr std::size_t kHashSize = 8;

void put(std::string& out, const std::optional<BookOpinion>& opinion) {
    put_varint(out, opinion ? 1 : 0);
    if (!opinion) return;
    put_varint(out, zigzag(opinion->score.value()));
    put_varint(out, static_cast<std::uint32_t>(opinion->depth));
    put_varint(out, opinion->nodes);
}

std::optional<BookOpinion> take_opinion(ByteSource& in) {
    if (in.varint() == 0) return std::nullopt;
    BookOpinion opinion;
    opinion.score = chess::Score(unzigzag(in.varint()));
    opinion.depth = static_cast<int>(in.varint());
    opinion.nodes = in.varint64();
    return opinion;
}

void put(std::string& out, const LearntMove& move) {
    put_fixed(out, move.move);
    put_fixed(out, move.leads_to);
    for (const std::uint32_t number : {move.ours, move.theirs, move.wins, move.draws, move.losses})
        put_varint(out, number);
    put(out, move.opinion);
    put_varint(out, move.opponents.size());
    for (const OpponentTally& tally : move.opponents) {
        put_varint(out, tally.opponent);
        put_varint(out, tally.ours ? 1 : 0);
        put_fixed(out, tally.wins);
        put_fixed(out, tally.draws);
        put_fixed(out, tally.losses);
    }
}

// `opponents` is how many there are.
LearntMove take_move(ByteSource& in, std::size_t opponents, bool& sound) {
    LearntMove move;
    move.move = in.fixed<std::uint16_t>();
    move.leads_to = in.fixed<std::uint64_t>();
    for (std::uint32_t* number : {&move.ours, &move.theirs, &move.wins, &move.draws, &move.losses})
        *number = in.varint();
    move.opinion = take_opinion(in);
    for (std::uint64_t left = in.varint64(); left > 0 && in.ok(); --left) {
        OpponentTally tally;
        tally.opponent = in.varint();
        tally.ours = in.varint() != 0;
        tally.wins = in.fixed<std::uint8_t>();
        tally.draws = in.fixed<std::uint8_t>();
        tally.losses = in.fixed<std::uint8_t>();
        sound = sound && tally.opponent < opponents;
        move.opponents.push_back(tally);
    }
    return move;
}

void put(std::string& out, const LearntPosition& position) {
    put_text(out, chess::to_fen(position.position));
    put_varint(out, position.ply);
    put_varint(out, position.games);
    put_varint(out, position.last_game);
    put(out, position.opinion);
    put_varint(out, position.moves.size());
    for (const LearntMove& move : position.moves) put(out, move);
}

// False: not a sound one.
bool take_position(ByteSource& in, BookState& state) {
    const auto parsed = chess::parse_fen(in.text());
    if (!parsed) return false;
    const auto [place, is_new] = state.positions.try_emplace(chess::polyglot_key(*parsed));
    LearntPosition& position = place->second;
    position.position = *parsed;
    position.ply = in.varint();
    position.games = in.varint();
    position.last_game = in.varint64();
    position.opinion = take_opinion(in);
    bool sound = is_new;
    for (std::uint64_t left = in.varint64(); left > 0 && in.ok(); --left)
        position.moves.push_back(take_move(in, state.opponents.size(), sound));
    return sound;
}

}  // namespace

std::string to_bytes(const BookSnapshot& snapshot) {
    std::string out(kMagic);
    put_fixed(out, kSnapshotVersion);
    for (const std::uint64_t number :
         {snapshot.place.end, snapshot.place.chain, snapshot.place.lines, snapshot.journal_hash})
        put_fixed(out, number);
    const BookState& state = snapshot.state;
    put_varint(out, static_cast<std::uint64_t>(state.bounds.max_plies));
    put_varint(out, state.bounds.max_positions);
    put_varint(out, state.games);
    put_varint(out, state.searches);
    put_varint(out, state.opponents.size());
    for (const std::string& name : state.opponents) put_text(out, name);
    put_varint(out, state.positions.size());
    for (const auto& [key, position] : state.positions) put(out, position);
    put_fixed(out, base::hash_text(out));
    return out;
}

base::Result<BookSnapshot> parse_book_snapshot(std::string_view bytes) {
    if (bytes.size() < kMagic.size() + kHashSize || !bytes.starts_with(kMagic))
        return base::fail("not the snapshot of a learnt book");
    const std::string_view content = bytes.substr(0, bytes.size() - kHashSize);
    if (ByteSource(bytes.substr(content.size())).fixed<std::uint64_t>() != base::hash_text(content))
        return base::fail("damaged: its checksum is wrong");
    ByteSource in(content.substr(kMagic.size()));
    if (const auto version = in.fixed<std::uint32_t>(); version != kSnapshotVersion)
        return base::fail("a snapshot of version {}, expected version {}", version, kSnapshotVersion);
    BookSnapshot snapshot;
    for (std::uint64_t* number :
         {&snapshot.place.end, &snapshot.place.chain, &snapshot.place.lines, &snapshot.journal_hash})
        *number = in.fixed<std::uint64_t>();
    BookState& state = snapshot.state;
    state.bounds.max_plies = static_cast<int>(in.varint());
    state.bounds.max_positions = in.varint64();
    state.games = in.varint64();
    state.searches = in.varint64();
    for (std::uint64_t left = in.varint64(); left > 0 && in.ok(); --left)
        state.opponents.emplace_back(in.text());
    bool sound = true;
    for (std::uint64_t left = in.varint64(); left > 0 && in.ok() && sound; --left)
        sound = take_position(in, state);
    if (!sound || !in.finished()) return base::fail("damaged: expected a state of a learnt book");
    return snapshot;
}

}  // namespace scholar::games
