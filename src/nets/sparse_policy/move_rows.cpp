#include "nets/sparse_policy/move_rows.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "chess/attacks.hpp"
#include "chess/bitboard.hpp"
#include "chess/checks.hpp"
#include "chess/exchange.hpp"
#include "nets/attacks_by.hpp"

namespace scholar::nets {

namespace {

using namespace chess;

constexpr std::array kRowNames{std::pair{PolicyRows::Moves, std::string_view("moves")},
                               std::pair{PolicyRows::Exchanges, std::string_view("exchanges")},
                               std::pair{PolicyRows::Circumstances, std::string_view("circumstances")}};

// Where a piece may go from a square on an empty board, up the board if it is a pawn; promotions apart.
constexpr Bitboard reach(PieceKind kind, int from) {
    Bitboard found = 0;
    for (int to = 0; to < 64; ++to) {
        const int files = to % 8 - from % 8;
        const int ranks = to / 8 - from / 8;
        const int across = files < 0 ? -files : files;
        const int along = ranks < 0 ? -ranks : ranks;
        const bool straight = across == 0 || along == 0;
        const bool diagonal = across == along;
        bool can = false;
        switch (kind) {
            case Pawn:
                can = from / 8 > 0 && to / 8 < 7 &&
                      ((ranks == 1 && across <= 1) || (ranks == 2 && across == 0 && from / 8 == 1));
                break;
            case Knight:
                can = across * along == 2;
                break;
            case Bishop:
                can = diagonal;
                break;
            case Rook:
                can = straight;
                break;
            case Queen:
                can = straight || diagonal;
                break;
            default:
                can = across <= 1 && along <= 1;
        }
        if (can && to != from) found |= bit(static_cast<Square>(to));
    }
    return found;
}

struct MoveTable {
    std::array<std::array<Bitboard, 64>, 6> reach{};
    std::array<std::array<std::uint16_t, 64>, 6> first{};  // the number of the first move from there
    int promotions = 0;                                    // [file][left, straight on, right][kind]
    int castlings = 0;                                     // [to the left, to the right]
    int count = 0;

    constexpr MoveTable() {
        for (const PieceKind kind : kPieceKinds)
            for (std::size_t from = 0; from < 64; ++from) {
                reach[kind][from] = nets::reach(kind, static_cast<int>(from));
                first[kind][from] = static_cast<std::uint16_t>(count);
                count += popcount(reach[kind][from]);
            }
        promotions = count;
        castlings = promotions + 8 * 3 * 4;
        count = castlings + 2;
    }
};
constexpr MoveTable kMoves;
static_assert(kMoves.count == kMoveNumbers);

// As a side sees its own moves.
int number_of(PieceKind kind, Square from, Square to, Move move) {
    if (move.is_castling()) return kMoves.castlings + (to > from ? 1 : 0);
    if (move.is_promotion())
        return kMoves.promotions + (file_of(from) * 3 + file_of(to) - file_of(from) + 1) * 4 +
               move.promotion_kind() - Knight;
    return kMoves.first[kind][from] + popcount(kMoves.reach[kind][from] & (bit(to) - 1));
}

// What all moves of a position have in common.
class Circumstances {
  public:
    Circumstances(const Position& position, const PieceValues& values, const Attacks& enemy)
        : position_(position),
          values_(values),
          us_(position.side_to_move()),
          enemy_(enemy),
          ours_(attacks_by(position, us_)),
          checks_(find_check_squares(position)),
          them_(position.pieces(~us_) & ~position.pieces(King)) {
        for (const PieceKind kind : kPieceKinds)
            for (const PieceKind other : kPieceKinds) {
                if (other == King) continue;
                if (values[other] < values[kind]) by_lesser_[kind] |= enemy.by_kind[other];
                if (values[other] > values[kind]) greater_[kind] |= them_ & position.pieces(other);
            }
        for (const PieceKind kind : kPieceKinds)
            if (kind != King) in_danger_ |= position.pieces(us_, kind) & hangs(kind);
    }

    // The two rows, from 0, one behind the other.
    std::array<int, 2> of(Move move, bool loses) const {
        const PieceKind kind = kind_of(position_.piece_on(move.from()));
        const PieceKind taken = position_.captured_kind(move);
        const int before = danger_before(kind, move.from());
        int taking = kind * 6 + (taken == NoKind ? 0 : taken + 1);
        taking = taking * 3 + exchange(move, taken, loses);
        taking = taking * 2 + (gives_check(position_, checks_, move) ? 1 : 0);
        taking = taking * 3 + before;
        int attack = kind * 4;
        if (!move.is_castling()) {
            const Aim aim = aim_of(kind, move);
            attack += danger_after(kind, move);
            attack = attack * 3 + aim.threat;
            attack = attack * 2 + (aim.helps ? 1 : 0);
        } else {
            attack *= 3 * 2;
        }
        attack = attack * 3 + before;
        return {taking, kTakingRows + attack};
    }

  private:
    struct Aim {
        int threat;
        bool helps;
    };

    Bitboard attacked_from(PieceKind kind, Square square) const {
        return kind == Pawn ? pawn_attacks(us_, square) : ours_.from[square];
    }
    // Squares where a piece of that kind is in the worst danger.
    Bitboard hangs(PieceKind kind) const { return by_lesser_[kind] | (enemy_.all & ~ours_.all); }
    int danger_before(PieceKind kind, Square square) const {
        const Bitboard here = bit(square);
        return !(enemy_.all & here) ? 0 : hangs(kind) & here ? 2 : 1;
    }
    int danger_after(PieceKind kind, Move move) const {
        const Bitboard here = bit(move.to());
        if (!(enemy_.all & here)) return 0;
        if (by_lesser_[kind] & here) return 3;
        const bool own = attacked_from(kind, move.from()) & here;
        return (own ? ours_.twice : ours_.all) & here ? 1 : 2;
    }
    int exchange(Move move, PieceKind taken, bool loses) const {
        if (loses) return 0;
        return taken != NoKind && exchange_wins(position_, move, 1, values_) ? 2 : 1;
    }
    Aim aim_of(PieceKind kind, Move move) const {
        const PieceKind becomes = move.is_promotion() ? move.promotion_kind() : kind;
        const Bitboard occupied = position_.occupied();
        const Bitboard now = attacks_from(becomes, us_, move.to(), occupied ^ bit(move.from())) &
                             ~attacked_from(kind, move.from()) & ~bit(move.to()) & ~bit(move.from());
        const int threat = now & greater_[becomes] ? 2 : now & them_ & ~enemy_.all ? 1 : 0;
        return {threat, (now & in_danger_) != 0};
    }

    const Position& position_;
    const PieceValues& values_;
    Color us_;
    const Attacks& enemy_;
    Attacks ours_;
    CheckSquares checks_;
    Bitboard them_;                        // all but the king
    Bitboard in_danger_ = 0;               // own pieces, in the worst danger
    std::array<Bitboard, 6> by_lesser_{};  // squares attacked by what is worth less than that kind
    std::array<Bitboard, 6> greater_{};    // enemy pieces that are worth more
};

// chess::exchange_wins() of at least nothing, sooner where nobody can answer: no enemy piece attacks the
// square, nor one from which the mover might uncover it.
bool loses_exchange(const Position& position, const PieceValues& values, Bitboard attacked, Move move) {
    const Bitboard squares = bit(move.from()) | bit(move.to());
    if (!(attacked & squares) && !move.is_en_passant()) return false;
    return !exchange_wins(position, move, 0, values);
}

}  // namespace

std::string_view to_string(PolicyRows rows) {
    for (const auto& [known, name] : kRowNames)
        if (known == rows) return name;
    return "?";
}

std::string policy_rows_names() {
    std::string names;
    for (const auto& [rows, name] : kRowNames) names.append(names.empty() ? "" : ", ").append(name);
    return names;
}

base::Result<PolicyRows> find_policy_rows(std::string_view name) {
    for (const auto& [rows, known] : kRowNames)
        if (known == name) return rows;
    return base::fail("outputs '{}' are not known, expected one of: {}", name, policy_rows_names());
}

int move_number(const Position& position, View view, Move move) {
    const Color us = position.side_to_move();
    const auto seen = [&](Square square) {
        return static_cast<Square>(relative_square(us, square) ^ view.flip);
    };
    return number_of(kind_of(position.piece_on(move.from())), seen(move.from()), seen(move.to()), move);
}

void find_move_rows(PolicyRows rows, const PieceValues& values, const Position& position, View view,
                    const MoveList& moves, std::span<std::uint16_t> out) {
    auto* place = out.data();
    if (rows == PolicyRows::Moves) {
        for (const Move move : moves)
            *place++ = static_cast<std::uint16_t>(move_number(position, view, move));
        return;
    }
    const Attacks enemy = attacks_by(position, ~position.side_to_move());
    const auto both = [&](Move move, auto&& circumstances) {
        const bool loses = loses_exchange(position, values, enemy.all, move);
        *place++ = static_cast<std::uint16_t>(move_number(position, view, move) + (loses ? 0 : kMoveNumbers));
        circumstances(move, loses);
    };
    if (rows == PolicyRows::Exchanges) {
        for (const Move move : moves) both(move, [](Move, bool) {});
        return;
    }
    const Circumstances circumstances(position, values, enemy);
    for (const Move move : moves)
        both(move, [&](Move of, bool loses) {
            for (const int row : circumstances.of(of, loses))
                *place++ = static_cast<std::uint16_t>(2 * kMoveNumbers + row);
        });
}

}  // namespace scholar::nets
