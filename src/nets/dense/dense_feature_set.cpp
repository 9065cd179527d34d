#include "nets/dense/dense_feature_set.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "chess/fen.hpp"
#include "nets/dense/giraffe_features.hpp"

namespace scholar::nets {

using namespace chess;

namespace {

template <GiraffeParts kParts>
constexpr std::array kGiraffeModalities{
    DenseModality{"position", 0, giraffe_position_size(kParts)},
    DenseModality{"pieces", giraffe_position_size(kParts), giraffe_pieces_size(kParts)},
    DenseModality{"squares", giraffe_position_size(kParts) + giraffe_pieces_size(kParts),
                  giraffe_squares_size(kParts)}};

template <GiraffeParts kParts>
constexpr DenseFeatureSet giraffe(std::string_view name, std::string_view help) {
    // A modality of no numbers is none.
    return {name, help, std::span(kGiraffeModalities<kParts>).first(kParts.maps ? 3 : 2),
            encode_giraffe<kParts>, [] { return giraffe_feature_names(kParts); }};
}

constexpr int kPieceBits = 12 * 64;
constexpr std::array kBitsModalities{DenseModality{"pieces", 0, kPieceBits},
                                     DenseModality{"position", kPieceBits, 1 + 4}};

// [white, black][pawn, knight, bishop, rook, queen, king][a1, b1, … h8], then side to move, then castling
// rights: White's long and short, Black's.
void encode_bits(const Position& position, float* out) {
    std::fill_n(out, kPieceBits, 0.0F);
    for (const Square square : squares(position.occupied())) {
        const Piece piece = position.piece_on(square);
        out[(color_of(piece) * 6 + kind_of(piece)) * 64 + square] = 1;
    }
    out += kPieceBits;
    *out++ = position.side_to_move() == White ? 1 : 0;
    for (const Color color : kColors)
        for (const CastlingSide side : {QueenSide, KingSide})
            *out++ = position.may_castle(color, side) ? 1 : 0;
}

std::vector<std::string> bits_feature_names() {
    std::vector<std::string> names;
    for (const std::string side : {"white ", "black "})
        for (const std::string kind : {"pawn ", "knight ", "bishop ", "rook ", "queen ", "king "})
            for (int square = 0; square < 64; ++square)
                names.push_back(side + kind + chess::to_string(static_cast<chess::Square>(square)));
    for (const char* rest : {"side to move", "white long castle", "white short castle", "black long castle",
                             "black short castle"})
        names.emplace_back(rest);
    return names;
}

constexpr std::array kDenseFeatureSets{
    giraffe<kGiraffe363>("giraffe-363", "Giraffe's input"),
    giraffe<kGiraffeMobility>("giraffe-363-mobility", "with the steps of kings, knights and pawns"),
    giraffe<kGiraffeWithoutMaps>("giraffe-no-maps", "without attackers of all squares"),
    giraffe<kGiraffeLists>("giraffe-pieces", "lists of pieces and the side to move alone"),
    DenseFeatureSet{"bits-773", "a bit for each piece on each square, side to move, castling rights",
                    kBitsModalities, encode_bits, bits_feature_names},
};

}  // namespace

void DenseFeatureSet::encode(const Position& position, std::span<float> out) const {
    assert(out.size() == static_cast<std::size_t>(size()));
    encode_to(position, out.data());
}

std::span<const DenseFeatureSet> dense_feature_sets() {
    return kDenseFeatureSets;
}

base::Result<const DenseFeatureSet*> find_dense_feature_set(std::string_view name) {
    std::string names;
    for (const DenseFeatureSet& set : kDenseFeatureSets) {
        if (set.name == name) return &set;
        names.append(names.empty() ? "" : ", ").append(set.name);
    }
    return base::fail("dense feature set '{}' is not known, expected one of: {}", name, names);
}

}  // namespace scholar::nets
