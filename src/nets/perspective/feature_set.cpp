#include "nets/perspective/feature_set.hpp"

#include <algorithm>
#include <limits>

#include "chess/attacks.hpp"

namespace scholar::nets {

namespace {

constexpr std::string_view kOneBucket =
    "0000"
    "0000"
    "0000"
    "0000"
    "0000"
    "0000"
    "0000"
    "0000";
constexpr std::string_view kFourBuckets =
    "3333"
    "3333"
    "3333"
    "3333"
    "3333"
    "3333"
    "2222"
    "0011";

// The board is mirrored while the own king stands on e to h. `buckets`: of the king on a to d, from the
// eighth rank down to the first, as one looks at a board.
constexpr FeatureSet mirrored(std::string_view name, std::string_view buckets, int states = 1) {
    FeatureSet set{name, 0, states, {}};
    for (std::size_t square = 0; square < 64; ++square) {
        const std::size_t file = square % 8;
        const std::size_t rank = square / 8;
        const int bucket = buckets[(7 - rank) * 4 + std::min(file, 7 - file)] - '0';
        set.views[square] = {static_cast<std::uint8_t>(bucket), static_cast<std::uint8_t>(file < 4 ? 0 : 7)};
        set.buckets = std::max(set.buckets, bucket + 1);
    }
    return set;
}

// All feature sets there are.
constexpr std::array kFeatureSets{
    FeatureSet{"768", 1, 1, {}},
    mirrored("768-mirrored", kOneBucket),
    mirrored("768-king4", kFourBuckets),
    mirrored("768-king6",
             "5555"
             "5555"
             "5555"
             "5555"
             "5555"
             "5555"
             "3344"
             "0012"),
    mirrored("768-king10",
             "8899"
             "8899"
             "8899"
             "8899"
             "6677"
             "6677"
             "4455"
             "0123"),
    FeatureSet{"768-threats", 1, FeatureSet::kThreatStates, {}},
    mirrored("768-mirrored-threats", kOneBucket, FeatureSet::kThreatStates),
    mirrored("768-king4-threats", kFourBuckets, FeatureSet::kThreatStates),
};
static_assert(std::ranges::all_of(kFeatureSets, [](const FeatureSet& set) {
    return set.size() - 1 <= std::numeric_limits<std::uint16_t>::max();
}));
static_assert(FeatureSet::kMaxActive <= ActiveFeatures::kCapacity);

std::array<chess::Bitboard, 2> attacked_squares(const chess::Position& position) {
    std::array<chess::Bitboard, 2> attacked{};
    const chess::Bitboard occupied = position.occupied();
    for (const chess::Color color : chess::kColors) {
        chess::Bitboard all = chess::king_attacks(position.king(color));
        const chess::Bitboard queens = position.pieces(color, chess::Queen);
        for (const chess::Square square : chess::squares(position.pieces(color, chess::Pawn)))
            all |= chess::pawn_attacks(color, square);
        for (const chess::Square square : chess::squares(position.pieces(color, chess::Knight)))
            all |= chess::knight_attacks(square);
        for (const chess::Square square : chess::squares(position.pieces(color, chess::Bishop) | queens))
            all |= chess::bishop_attacks(square, occupied);
        for (const chess::Square square : chess::squares(position.pieces(color, chess::Rook) | queens))
            all |= chess::rook_attacks(square, occupied);
        attacked[color] = all;
    }
    return attacked;
}

std::array<chess::Bitboard, 2> attacked_squares(const Placement& placement) {
    std::array<chess::Bitboard, 2> attacked{};
    for (const chess::Square square : chess::squares(placement.occupied)) {
        const chess::Piece piece = placement.board[square];
        const chess::Color color = chess::color_of(piece);
        attacked[color] |= chess::attacks_from(chess::kind_of(piece), color, square, placement.occupied);
    }
    return attacked;
}

template <class Board>
int encode_both(const FeatureSet& set, chess::Bitboard occupied, const Board& board, chess::Color us,
                std::uint16_t* own, std::uint16_t* enemy) {
    const View ours = set.view(us, board.king(us));
    const View theirs = set.view(~us, board.king(~us));
    BoardState attacks;
    if (set.reads_attacks()) attacks.attacked = attacked_squares(board);
    int count = 0;
    for (const chess::Square square : chess::squares(occupied)) {
        const chess::Piece piece = board.piece_on(square);
        const int state = set.state(chess::color_of(piece), square, attacks);
        own[count] = static_cast<std::uint16_t>(set.index(ours, us, piece, square, state));
        enemy[count] = static_cast<std::uint16_t>(set.index(theirs, ~us, piece, square, state));
        ++count;
    }
    return count;
}

}  // namespace

int FeatureSet::encode(const chess::Position& position, chess::Color us, std::uint16_t* own,
                       std::uint16_t* enemy) const {
    return encode_both(*this, position.occupied(), position, us, own, enemy);
}

int FeatureSet::encode(const Placement& placement, chess::Color us, std::uint16_t* own,
                       std::uint16_t* enemy) const {
    return encode_both(*this, placement.occupied, placement, us, own, enemy);
}

void FeatureSet::encode(const chess::Position& position, chess::Color viewpoint, ActiveFeatures& out) const {
    const View view = this->view(viewpoint, position.king(viewpoint));
    const BoardState board = state_of(position);
    out.count = 0;
    for (const chess::Square square : chess::squares(position.occupied())) {
        const chess::Piece piece = position.piece_on(square);
        out.push(index(view, viewpoint, piece, square, state(chess::color_of(piece), square, board)));
    }
}

BoardState FeatureSet::state_of(const chess::Position& position) const {
    BoardState board;
    for (const chess::Color color : chess::kColors) board.by_color[color] = position.pieces(color);
    for (const chess::PieceKind kind : chess::kPieceKinds) board.by_kind[kind] = position.pieces(kind);
    if (reads_attacks()) board.attacked = attacked_squares(position);
    return board;
}

BoardDifference FeatureSet::difference(const BoardState& from, const BoardState& to) const {
    chess::Bitboard changed = 0;
    for (const chess::Color color : chess::kColors) changed |= from.by_color[color] ^ to.by_color[color];
    for (const chess::PieceKind kind : chess::kPieceKinds) changed |= from.by_kind[kind] ^ to.by_kind[kind];
    if (reads_attacks())  // whoever stands there, stands otherwise
        changed |= (from.attacked[0] ^ to.attacked[0]) | (from.attacked[1] ^ to.attacked[1]);
    const auto collect = [&](const BoardState& board, BoardDifference::Men& men) {
        for (const chess::Color color : chess::kColors)
            for (const chess::Square square : chess::squares(board.by_color[color] & changed)) {
                const auto kind = std::ranges::find_if(chess::kPieceKinds, [&](chess::PieceKind each) {
                    return (board.by_kind[each] >> square & 1) != 0;
                });
                men.push({chess::make_piece(color, *kind), square,
                          static_cast<std::uint8_t>(state(color, square, board))});
            }
    };
    BoardDifference difference;
    collect(to, difference.added);
    collect(from, difference.removed);
    return difference;
}

const FeatureSet& plain_features() {
    return kFeatureSets.front();
}

std::string feature_set_names() {
    std::string names;
    for (const FeatureSet& set : kFeatureSets) {
        names += names.empty() ? "" : ", ";
        names += set.name;
    }
    return names;
}

base::Result<const FeatureSet*> find_feature_set(std::string_view name) {
    for (const FeatureSet& set : kFeatureSets)
        if (set.name == name) return &set;
    return base::fail("feature set '{}' is not known, expected one of: {}", name, feature_set_names());
}

}  // namespace scholar::nets
