#include "chess/cycle.hpp"

#include <array>
#include <utility>

#include "chess/attacks.hpp"
#include "chess/zobrist.hpp"

namespace scholar::chess::detail {

namespace {

// All 3,668 changes of key in a cuckoo hash table (R. Pagh and F. Rodler 2004): each stands in one of two
// places.
class ReversibleMoves {
  public:
    ReversibleMoves() {
        for (const Color color : kColors)
            for (const PieceKind kind : {Knight, Bishop, Rook, Queen, King})
                for (int a = A1; a <= H8; ++a)
                    for (int b = a + 1; b <= H8; ++b) {
                        const auto from = static_cast<Square>(a);
                        const auto to = static_cast<Square>(b);
                        if (attacks_on_empty_board(kind, from) & bit(to))
                            add(make_piece(color, kind), from, to);
                    }
    }

    std::optional<ReversibleMove> find(std::uint64_t change) const {
        for (const std::size_t place : {first_place(change), second_place(change)})
            if (slots_[place].change == change && change != 0) return slots_[place].move;
        return std::nullopt;
    }

  private:
    static constexpr std::size_t kSize = 8192;
    struct Slot {
        std::uint64_t change = 0;
        ReversibleMove move{NoSquare, NoSquare};
    };

    static std::size_t first_place(std::uint64_t change) { return change % kSize; }
    static std::size_t second_place(std::uint64_t change) { return (change >> 16) % kSize; }

    static Bitboard attacks_on_empty_board(PieceKind kind, Square from) {
        switch (kind) {
            case Knight:
                return knight_attacks(from);
            case Bishop:
                return bishop_attacks(from, 0);
            case Rook:
                return rook_attacks(from, 0);
            case Queen:
                return queen_attacks(from, 0);
            default:
                return king_attacks(from);
        }
    }

    void add(Piece piece, Square a, Square b) {
        Slot wanderer{kZobrist.piece[piece][a] ^ kZobrist.piece[piece][b] ^ kZobrist.black_to_move, {a, b}};
        std::size_t place = first_place(wanderer.change);
        while (wanderer.change != 0) {
            std::swap(slots_[place], wanderer);
            place = place == first_place(wanderer.change) ? second_place(wanderer.change)
                                                          : first_place(wanderer.change);
        }
    }

    std::array<Slot, kSize> slots_;
};

}  // namespace

std::optional<ReversibleMove> find_reversible_move(std::uint64_t change) {
    static const ReversibleMoves moves;
    return moves.find(change);
}

}  // namespace scholar::chess::detail
