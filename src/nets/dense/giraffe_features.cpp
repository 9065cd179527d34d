#include "nets/dense/giraffe_features.hpp"

#include <algorithm>
#include <array>

#include "chess/attacks.hpp"

namespace scholar::nets {

using namespace chess;

namespace {

constexpr float kSeventh = 1.0F / 7;
constexpr float kSixth = 1.0F / 6;
constexpr float kSixteenth = 1.0F / 16;

// North, east, south, west, then north-east to north-west: file and rank of one step.
constexpr std::array<std::array<int, 2>, 8> kCompass{
    {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}}};
// Clockwise from north-north-east.
constexpr std::array<std::array<int, 2>, 8> kKnightJumps{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

// The squares that lie in a direction from each square, as far as `most` steps.
constexpr auto squares_by_direction(const std::array<std::array<int, 2>, 8>& directions, int most) {
    std::array<std::array<Bitboard, 64>, 8> towards{};
    for (std::size_t direction = 0; direction < 8; ++direction)
        for (int from = 0; from < 64; ++from) {
            int file = from % 8;
            int rank = from / 8;
            for (int step = 0; step < most; ++step) {
                file += directions[direction][0];
                rank += directions[direction][1];
                if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
                towards[direction][static_cast<std::size_t>(from)] |= bit(make_square(file, rank));
            }
        }
    return towards;
}
constexpr auto kCompassRays = squares_by_direction(kCompass, 7);
constexpr auto kKnightSteps = squares_by_direction(kKnightJumps, 1);

// Bit n of the index as the nth of eight numbers.
constexpr auto kBitsAsFloats = [] {
    std::array<std::array<float, 8>, 256> table{};
    for (std::size_t bits = 0; bits < 256; ++bits)
        for (std::size_t n = 0; n < 8; ++n) table[bits][n] = static_cast<float>(bits >> n & 1);
    return table;
}();

// What one side attacks.
struct SideAttacks {
    std::array<Bitboard, 6> by_kind{};
    Bitboard any = 0;
    Bitboard twice = 0;  // with two pieces or more
};

// What both attack, from each square where an officer or king stands, and in all.
class BoardAttacks {
  public:
    explicit BoardAttacks(const Position& position) {
        add_side<White>(position);
        add_side<Black>(position);
    }

    const SideAttacks& of(Color color) const { return sides_[color]; }
    Bitboard from(Square square) const { return from_[square]; }

  private:
    template <Color kColor>
    void add_side(const Position& position) {
        const Bitboard occupied = position.occupied();
        SideAttacks& side = sides_[kColor];
        const Bitboard pawns = position.pieces(kColor, Pawn);
        const Bitboard east = shift<forward(kColor) + 1>(pawns);
        const Bitboard west = shift<forward(kColor) - 1>(pawns);
        side.by_kind[Pawn] = side.any = east | west;
        side.twice = east & west;
        const auto add = [&](PieceKind kind, auto attacks_from) {
            for (const Square square : squares(position.pieces(kColor, kind))) {
                const Bitboard attacks = from_[square] = attacks_from(square);
                side.by_kind[kind] |= attacks;
                side.twice |= side.any & attacks;
                side.any |= attacks;
            }
        };
        add(Knight, [](Square square) { return knight_attacks(square); });
        add(Bishop, [occupied](Square square) { return bishop_attacks(square, occupied); });
        add(Rook, [occupied](Square square) { return rook_attacks(square, occupied); });
        add(Queen, [occupied](Square square) { return queen_attacks(square, occupied); });
        add(King, [](Square square) { return king_attacks(square); });
    }

    std::array<SideAttacks, 2> sides_;
    // Meaningful where an officer or king stands.
    std::array<Bitboard, 64> from_;
};

// The number of each square's lowest-valued attacker, by the sum of three numbers for each rank.
void write_map(const SideAttacks& side, float* out) {
    // In sixths, in binary: pawn 6, knight 5, … king 1.
    std::array<Bitboard, 3> digits{};
    Bitboard lower = 0;
    for (const PieceKind kind : kPieceKinds) {
        const Bitboard here = side.by_kind[kind] & ~lower;
        lower |= here;
        const unsigned sixths = 6U - kind;
        for (unsigned digit = 0; digit < 3; ++digit)
            if (sixths >> digit & 1) digits[digit] |= here;
    }
    for (unsigned rank = 0; rank < 8; ++rank) {
        const auto of_rank = [&](unsigned digit) -> const std::array<float, 8>& {
            return kBitsAsFloats[digits[digit] >> 8 * rank & 0xFF];
        };
        const auto& ones = of_rank(0);
        const auto& twos = of_rank(1);
        const auto& fours = of_rank(2);
        for (std::size_t file = 0; file < 8; ++file)
            out[8 * rank + file] = kSixth * (ones[file] + 2 * twos[file] + 4 * fours[file]);
    }
}

using Maps = std::array<float*, 2>;  // by colour of the attacker

// In the order of files, on one file of ranks.
constexpr int place(Square square) {
    return file_of(square) * 8 + rank_of(square);
}

// The first and the last of some officers of a kind; NoSquare in a slot that is empty.
std::array<Square, 2> pair_slots(Bitboard pieces) {
    if (pieces == 0) return {NoSquare, NoSquare};
    Square first = take_lowest(pieces);
    if (pieces == 0) return file_of(first) < 4 ? std::array{first, NoSquare} : std::array{NoSquare, first};
    Square last = first;
    do {
        const Square square = take_lowest(pieces);
        if (place(square) < place(first)) first = square;
        if (place(square) > place(last)) last = square;
    } while (pieces != 0);
    return {first, last};
}

Square queen_slot(Bitboard queens) {
    if (queens == 0) return NoSquare;
    Square first = take_lowest(queens);
    while (queens != 0) {
        const Square square = take_lowest(queens);
        if (place(square) < place(first)) first = square;
    }
    return first;
}

std::array<Square, 8> pawn_slots(Bitboard pawns) {
    std::array<Square, 8> slots;
    Bitboard left = pawns;
    for (int file = 0; file < 8; ++file) {
        const Bitboard on_file = pawns & file_bits(file);
        slots[static_cast<std::size_t>(file)] = on_file ? lowest(on_file) : NoSquare;
        left &= ~(on_file & -on_file);
    }
    for (const Square square : squares(left))
        for (int distance = 1; distance < 8; ++distance) {
            const auto free = [&](int file) {
                return file >= 0 && file < 8 && slots[static_cast<std::size_t>(file)] == NoSquare;
            };
            int file = file_of(square) - distance;
            if (!free(file)) file = file_of(square) + distance;
            if (!free(file)) continue;
            slots[static_cast<std::size_t>(file)] = square;
            break;
        }
    return slots;
}

template <std::size_t kFirst, std::size_t kCount>
float* write_directions(Square square, Bitboard attacks, float* out) {
    for (std::size_t direction = kFirst; direction < kFirst + kCount; ++direction)
        *out++ = kSeventh * static_cast<float>(popcount(attacks & kCompassRays[direction][square]));
    return out;
}

template <GiraffeParts kParts>
class GiraffeWriter {
  public:
    explicit GiraffeWriter(const Position& position) : position_(position), attacks_(position) {}

    void write(float* out) {
        if constexpr (kParts.maps) {
            float* const squares = out + giraffe_position_size(kParts) + giraffe_pieces_size(kParts);
            maps_ = {squares, squares + 64};
        } else {
            maps_ = {own_maps_.data(), own_maps_.data() + 64};
        }
        for (const Color color : kColors) write_map(attacks_.of(color), maps_[color]);
        out = write_position(out);
        out = write_pieces<White>(out);
        write_pieces<Black>(out);
    }

  private:
    float* write_position(float* out) {
        *out++ = position_.side_to_move() == White ? 1 : 0;
        if constexpr (kParts.all_but_lists) {
            for (const Color color : kColors) out = write_castling(color, out);
            for (const Color color : kColors) {
                *out++ = count(color, Queen);
                *out++ = count(color, Rook) / 2;
                *out++ = count(color, Bishop) / 2;
                *out++ = count(color, Knight) / 2;
                *out++ = count(color, Pawn) / 8;
            }
        }
        for (const Color color : kColors) {
            const Square king = position_.king(color);
            *out++ = kSeventh * static_cast<float>(file_of(king));
            *out++ = kSeventh * static_cast<float>(rank_of(king));
            if constexpr (kParts.steps)
                for (const auto& ray : kCompassRays) *out++ = (attacks_.from(king) & ray[king]) != 0 ? 1 : 0;
        }
        return out;
    }

    float* write_castling(Color color, float* out) const {
        *out++ = position_.may_castle(color, QueenSide) ? 1 : 0;
        *out++ = position_.may_castle(color, KingSide) ? 1 : 0;
        return out;
    }

    float count(Color color, PieceKind kind) const {
        return static_cast<float>(popcount(position_.pieces(color, kind)));
    }

    template <Color kColor>
    float* write_pieces(float* out) const {
        out = write_slot<kColor, Queen>(queen_slot(position_.pieces(kColor, Queen)), out);
        for (const Square square : pair_slots(position_.pieces(kColor, Rook)))
            out = write_slot<kColor, Rook>(square, out);
        if constexpr (kParts.all_but_lists) out = write_castling(kColor, out);
        for (const Square square : pair_slots(position_.pieces(kColor, Bishop)))
            out = write_slot<kColor, Bishop>(square, out);
        for (const Square square : pair_slots(position_.pieces(kColor, Knight)))
            out = write_slot<kColor, Knight>(square, out);
        for (const Square square : pawn_slots(position_.pieces(kColor, Pawn)))
            out = write_slot<kColor, Pawn>(square, out);
        return out;
    }

    template <PieceKind kKind>
    static constexpr int slot_size() {
        constexpr int directions = kKind == Queen ? 8 : kKind == Rook || kKind == Bishop ? 4 : 0;
        constexpr int steps = kKind == Knight ? 8 : kKind == Pawn ? 3 : 0;
        return 5 + (kParts.all_but_lists && kKind != Pawn ? directions + 1 : 0) + (kParts.steps ? steps : 0);
    }

    template <Color kColor, PieceKind kKind>
    float* write_slot(Square square, float* out) const {
        if (square == NoSquare) return std::fill_n(out, slot_size<kKind>(), 0.0F);
        *out++ = 1;
        *out++ = kSeventh * static_cast<float>(file_of(square));
        *out++ = kSeventh * static_cast<float>(rank_of(square));
        *out++ = maps_[~kColor][square];
        *out++ = maps_[kColor][square];
        if constexpr (kParts.all_but_lists && kKind != Pawn) {
            const Bitboard attacks = attacks_.from(square);
            if constexpr (kKind == Queen || kKind == Rook) out = write_directions<0, 4>(square, attacks, out);
            if constexpr (kKind == Queen || kKind == Bishop)
                out = write_directions<4, 4>(square, attacks, out);
            *out++ = kSixteenth * static_cast<float>(popcount(attacks & safe_squares<kColor, kKind>()));
        }
        if constexpr (kParts.steps && kKind == Knight)
            for (const auto& step : kKnightSteps) *out++ = step[square] != 0 ? 1 : 0;
        if constexpr (kParts.steps && kKind == Pawn) out = write_pawn_steps<kColor>(square, out);
        return out;
    }

    // For a piece of this kind.
    template <Color kColor, PieceKind kKind>
    Bitboard safe_squares() const {
        const SideAttacks& enemy = attacks_.of(~kColor);
        Bitboard by_lower = enemy.by_kind[Pawn];
        if constexpr (kKind == Rook || kKind == Queen)
            by_lower |= enemy.by_kind[Knight] | enemy.by_kind[Bishop];
        if constexpr (kKind == Queen) by_lower |= enemy.by_kind[Rook];
        return ~enemy.any | (~by_lower & attacks_.of(kColor).twice);
    }

    template <Color kColor>
    float* write_pawn_steps(Square square, float* out) const {
        *out++ = file_of(square) > 0 ? 1 : 0;
        *out++ = file_of(square) < 7 ? 1 : 0;
        constexpr int up = forward(kColor);
        const Bitboard free = ~position_.occupied();
        const Bitboard one = shift<up>(bit(square)) & free;
        const Bitboard two = shift<up>(one & relative_rank_bits(kColor, 2)) & free;
        *out++ = static_cast<float>(popcount(one | two)) / 2;
        return out;
    }

    const Position& position_;
    BoardAttacks attacks_;
    Maps maps_{};
    std::array<float, kParts.maps ? 1 : 128> own_maps_;
};

}  // namespace

template <GiraffeParts kParts>
void encode_giraffe(const Position& position, float* out) {
    GiraffeWriter<kParts>(position).write(out);
}

template void encode_giraffe<kGiraffe363>(const Position&, float*);
template void encode_giraffe<kGiraffeMobility>(const Position&, float*);
template void encode_giraffe<kGiraffeWithoutMaps>(const Position&, float*);
template void encode_giraffe<kGiraffeLists>(const Position&, float*);

}  // namespace scholar::nets
