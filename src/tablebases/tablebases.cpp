#include "tablebases/tablebases.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <tbprobe.h>
#include <tuple>

#include "base/random.hpp"
#include "chess/movegen.hpp"
#include "tablebases/table_files.hpp"

namespace scholar::tablebases {

namespace {

using chess::Position;

// The fifty-move rule in half-moves.
constexpr int kFiftyMoves = 100;

// A position in Fathom's terms.
struct Pieces {
    std::uint64_t white, black, kings, queens, rooks, bishops, knights, pawns;
    unsigned en_passant;
    bool white_to_move;

    explicit Pieces(const Position& position)
        : white(position.pieces(chess::White)),
          black(position.pieces(chess::Black)),
          kings(position.pieces(chess::King)),
          queens(position.pieces(chess::Queen)),
          rooks(position.pieces(chess::Rook)),
          bishops(position.pieces(chess::Bishop)),
          knights(position.pieces(chess::Knight)),
          pawns(position.pieces(chess::Pawn)),
          en_passant(position.en_passant() == chess::NoSquare ? 0 : position.en_passant()),
          white_to_move(position.side_to_move() == chess::White) {}
};

// Signed: Fathom keeps the sign in the outcome.
int dtz_of(unsigned result) {
    const auto size = static_cast<int>(TB_GET_DTZ(result));
    return TB_GET_WDL(result) < TB_DRAW ? -size : size;
}

chess::Move move_of(unsigned result, const chess::MoveList& legal) {
    constexpr std::array<chess::PieceKind, 5> kPromotions{chess::NoKind, chess::Queen, chess::Rook,
                                                          chess::Bishop, chess::Knight};
    const unsigned promotion = TB_GET_PROMOTES(result);
    for (const chess::Move move : legal) {
        const chess::PieceKind kind = move.is_promotion() ? move.promotion_kind() : chess::NoKind;
        if (move.from() == TB_GET_FROM(result) && move.to() == TB_GET_TO(result) &&
            promotion < kPromotions.size() && kind == kPromotions[promotion])
            return move;
    }
    return chess::Move::none();
}

// With `clock` half-moves since the last capture or pawn move before this move.
Outcome outcome_of(int dtz, int clock, bool sets_clock_to_zero, bool mates) {
    if (dtz == 0) return Outcome::Draw;
    const int size = std::abs(dtz);
    const bool in_time = mates || size + (sets_clock_to_zero ? 0 : clock) <= kFiftyMoves;
    const Outcome outcome = in_time ? Outcome::Win : Outcome::CursedWin;
    return dtz > 0 ? outcome : -outcome;
}

bool sets_clock_to_zero(const Position& position, chess::Move move) {
    return position.is_capture(move) || chess::kind_of(position.piece_on(move.from())) == chess::Pawn;
}

// Best first.
bool is_better(const RootMove& a, const RootMove& b) {
    const auto rank = [](const RootMove& m) {
        // A smaller number is better for both: near wins and far losses. Without distances only mate is
        // known to be near.
        const int distance = m.mates ? 0 : m.distance().value_or(1);
        const int promotion = m.move.is_promotion() ? m.move.promotion_kind() : 0;
        return std::tuple(-static_cast<int>(m.outcome), distance, m.move.from(), m.move.to(), promotion);
    };
    return rank(a) < rank(b);
}

// A position with these pieces in which the side to move cannot take anything; so a probe looks into the
// table of these pieces itself.
std::optional<Position> quiet_position(const Material& material, base::Random& random) {
    constexpr int kTries = 100'000;
    for (int i = 0; i < kTries; ++i) {
        chess::Setup setup;
        setup.side_to_move = random.below(2) == 0 ? chess::White : chess::Black;
        bool placed = true;
        for (const chess::Color color : chess::kColors) {
            for (const chess::PieceKind kind : chess::kPieceKinds) {
                for (int piece = 0; piece < material.count[color][kind]; ++piece) {
                    const auto square = static_cast<chess::Square>(random.below(64));
                    placed = placed && setup.board[square] == chess::NoPiece;
                    setup.board[square] = chess::make_piece(color, kind);
                }
            }
        }
        if (!placed) continue;
        const auto position = Position::from_setup(setup);
        if (position && chess::legal_moves(*position, chess::MoveSet::Captures).empty()) return *position;
    }
    return std::nullopt;
}

// The libraries' state is the process's, so what guards it must be too.
std::mutex& libraries_mutex() {
    static std::mutex mutex;
    return mutex;
}

// Of a mate in so many half-moves, with `clock` of them since the last capture or pawn move. Nothing if that
// is too far to be sure of, since nobody knows what of it sets the clock to 0.
std::optional<Outcome> certain_outcome(const DistanceToMate& mate, int clock) {
    if (mate.sign == 0) return Outcome::Draw;
    if (mate.plies + clock > kFiftyMoves) return std::nullopt;
    return mate.sign > 0 ? Outcome::Win : Outcome::Loss;
}

DistanceToMate before_the_move(const DistanceToMate& after) {
    return {-after.sign, after.sign == 0 ? 0 : after.plies + 1};
}

}  // namespace

class Tablebases::Session {
  public:
    Session(std::string path, TableFiles files) : path_(std::move(path)), files_(std::move(files)) {
        for (const SyzygyTable& table : files_.syzygy) {
            if (table.kind == SyzygyKind::Wdl) {
                ++wdl_tables_;
                syzygy_pieces_ = std::max(syzygy_pieces_, table.material.pieces());
            } else {
                ++dtz_tables_;
            }
        }
        for (const GaviotaTable& table : files_.gaviota)
            gaviota_pieces_ = std::max(gaviota_pieces_, table.material.pieces());
        if (!files_.gaviota.empty()) gaviota_.emplace(files_.folders);
    }

    const std::string& path() const { return path_; }
    const TableFiles& files() const { return files_; }
    int max_pieces() const { return std::max(syzygy_pieces_, gaviota_pieces_); }
    std::size_t wdl_tables() const { return wdl_tables_; }
    std::size_t dtz_tables() const { return dtz_tables_; }

    bool syzygy_may_have(const Position& position) const { return may_have(position, syzygy_pieces_); }

    std::optional<Outcome> probe_wdl(const Position& position) const {
        if (!syzygy_may_have(position)) return std::nullopt;
        const Pieces pieces(position);
        const unsigned result = tb_probe_wdl(pieces.white, pieces.black, pieces.kings, pieces.queens,
                                             pieces.rooks, pieces.bishops, pieces.knights, pieces.pawns, 0, 0,
                                             pieces.en_passant, pieces.white_to_move);
        if (result == TB_RESULT_FAILED) return std::nullopt;
        return static_cast<Outcome>(static_cast<int>(result) + static_cast<int>(Outcome::Loss));
    }

    std::optional<DistanceToMate> probe_dtm(const Position& position) const {
        if (!gaviota_ || !may_have(position, gaviota_pieces_)) return std::nullopt;
        return gaviota_->probe(position);
    }

    // Of the position, and of its moves if asked for, as if the clock were 0. Fathom says that this function
    // is not safe to call from two threads.
    unsigned probe_root(const Position& position, unsigned* results) const {
        const Pieces pieces(position);
        const std::scoped_lock lock(root_mutex_);
        return tb_probe_root(pieces.white, pieces.black, pieces.kings, pieces.queens, pieces.rooks,
                             pieces.bishops, pieces.knights, pieces.pawns, 0, 0, pieces.en_passant,
                             pieces.white_to_move, results);
    }

  private:
    static bool may_have(const Position& position, int max_pieces) {
        return position.castling_rights() == 0 && std::popcount(position.occupied()) <= max_pieces;
    }

    std::string path_;
    TableFiles files_;
    int syzygy_pieces_ = 0;
    int gaviota_pieces_ = 0;
    std::size_t wdl_tables_ = 0;
    std::size_t dtz_tables_ = 0;
    std::optional<GaviotaLibrary> gaviota_;
    mutable std::mutex root_mutex_;
};

std::string_view to_string(Outcome outcome) {
    constexpr std::array<std::string_view, 5> kNames{"loss", "blessed loss", "draw", "cursed win", "win"};
    return kNames[static_cast<std::size_t>(outcome) - static_cast<std::size_t>(Outcome::Loss)];
}

base::Result<Tablebases> Tablebases::open(const std::string& path) {
    static std::weak_ptr<const Session> open_session;
    const std::scoped_lock lock(libraries_mutex());
    if (auto session = open_session.lock()) {
        if (session->path() == path) return Tablebases(std::move(session));
        return base::fail(
            "tablebases: cannot open '{}' while '{}' is open: the libraries hold one set at a time", path,
            session->path());
    }
    auto files = TableFiles::find(path);
    if (!files) return std::unexpected(files.error());
    const bool syzygy = !files->syzygy.empty();
    auto session = std::make_shared<const Session>(path, std::move(*files));
    // Frees what it held before. There is no call when a session ends: Fathom 1.0's tb_free() leaves pointers
    // to what it freed, and it reports each file that it unmaps on standard error.
    if (syzygy && !tb_init(path.c_str())) return base::fail("{}: Fathom cannot read these tablebases", path);
    Tablebases tablebases(session);
    if (auto status = tablebases.map_all(); !status) return std::unexpected(status.error());
    open_session = session;
    return tablebases;
}

// Fathom maps a table when it is asked for the first time, and in doing so races with other threads that ask.
base::Status Tablebases::map_all() const {
    base::Random random(1);
    for (const SyzygyTable& table : session_->files().syzygy) {
        if (table.kind != SyzygyKind::Wdl) continue;
        const auto position = quiet_position(table.material, random);
        if (!position || !session_->probe_wdl(*position))
            return base::fail("{}: Fathom cannot read this table", table.path.string());
    }
    return {};
}

const std::string& Tablebases::path() const {
    return session_->path();
}
int Tablebases::max_pieces() const {
    return session_->max_pieces();
}
std::size_t Tablebases::wdl_tables() const {
    return session_->wdl_tables();
}
std::size_t Tablebases::dtz_tables() const {
    return session_->dtz_tables();
}
std::size_t Tablebases::dtm_tables() const {
    return session_->files().gaviota.size();
}

base::Status Tablebases::verify() const {
    for (const SyzygyTable& table : session_->files().syzygy)
        if (auto status = check_syzygy_checksum(table.path); !status) return status;
    return {};
}

std::optional<Outcome> Tablebases::probe_wdl(const Position& position) const {
    if (const auto outcome = session_->probe_wdl(position)) return outcome;
    const auto mate = session_->probe_dtm(position);
    return mate ? certain_outcome(*mate, 0) : std::nullopt;
}

std::optional<DistanceToMate> Tablebases::probe_dtm(const Position& position) const {
    return session_->probe_dtm(position);
}

std::optional<int> Tablebases::probe_dtz(const Position& position) const {
    if (!session_->syzygy_may_have(position)) return std::nullopt;
    if (!chess::has_legal_move(position)) return position.in_check() ? -1 : 0;
    const unsigned result = session_->probe_root(position, nullptr);
    if (result == TB_RESULT_FAILED) return std::nullopt;
    return dtz_of(result);
}

std::optional<RootProbe> Tablebases::probe_root(const chess::Line& line) const {
    const Position& position = line.current();
    if (!probe_wdl(position)) return std::nullopt;
    const chess::MoveList legal = chess::legal_moves(position);
    RootProbe probe;
    if (legal.empty()) {
        probe.outcome = position.in_check() ? Outcome::Loss : Outcome::Draw;
        if (session_->syzygy_may_have(position)) probe.dtz = position.in_check() ? -1 : 0;
        return probe;
    }

    std::array<unsigned, TB_MAX_MOVES> results;
    const unsigned root = session_->syzygy_may_have(position) ? session_->probe_root(position, results.data())
                                                              : TB_RESULT_FAILED;
    bool every_dtm = true;
    chess::Line after = line;
    for (int i = 0; i < legal.size(); ++i) {
        RootMove entry;
        entry.move = legal[i];
        if (root != TB_RESULT_FAILED) {
            const unsigned result = results[static_cast<std::size_t>(i)];
            if (result == TB_RESULT_FAILED) return std::nullopt;
            entry.move = move_of(result, legal);
            if (!entry.move) return std::nullopt;
            entry.dtz = dtz_of(result);
        }
        after.push(entry.move);
        const Position& next = after.current();
        const bool stuck = !chess::has_legal_move(next);
        entry.mates = stuck && next.in_check();
        std::optional<DistanceToMate> mate;
        if (entry.mates) {
            mate = DistanceToMate{1, 1};
        } else if (stuck || after.repetitions() >= 2) {
            mate = DistanceToMate{};
        } else if (const auto known = session_->probe_dtm(next)) {
            mate = before_the_move(*known);
        }
        if (mate) entry.dtm = mate->sign * mate->plies;
        every_dtm = every_dtm && mate;
        const int clock = sets_clock_to_zero(position, entry.move) ? 0 : position.halfmove_clock();
        if (after.repetitions() >= 2) {
            entry.dtz = entry.dtz ? std::optional(0) : std::nullopt;
        } else if (entry.dtz) {
            entry.outcome = outcome_of(*entry.dtz, position.halfmove_clock(),
                                       sets_clock_to_zero(position, entry.move), entry.mates);
        } else if (entry.mates) {
            entry.outcome = Outcome::Win;
        } else if (!stuck) {
            auto outcome = mate ? certain_outcome(*mate, clock) : std::nullopt;
            if (const auto reply = outcome ? std::nullopt : session_->probe_wdl(next)) outcome = -*reply;
            if (!outcome) return std::nullopt;
            entry.outcome = *outcome;
        }
        after.pop();
        probe.moves.push_back(entry);
    }
    // Distances of some moves alone would put these before or after the others for no reason.
    if (!every_dtm)
        for (RootMove& entry : probe.moves) entry.dtm.reset();
    std::ranges::sort(probe.moves, is_better);
    probe.outcome = probe.moves.front().outcome;
    if (root != TB_RESULT_FAILED) probe.dtz = probe.moves.front().dtz;
    return probe;
}

}  // namespace scholar::tablebases
