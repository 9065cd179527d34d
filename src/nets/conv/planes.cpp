#include "nets/conv/planes.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "chess/bitboard.hpp"

namespace scholar::nets {

namespace {

using chess::Bitboard;

constexpr std::array kLayoutNames{std::pair{PlanesLayout::Board18, std::string_view("board-18")},
                                  std::pair{PlanesLayout::Lc0Classical112, std::string_view("lc0-112")}};

constexpr int kHistoryBoards = 8;
constexpr int kPlanesABoard = 13;
constexpr std::size_t kMostPlanes = 112;

// Writes plane after plane, all turned to one side's viewpoint.
class PlaneWriter {
  public:
    PlaneWriter(std::span<Plane> out, chess::Color viewpoint) : out_(out), viewpoint_(viewpoint) {}

    void squares(Bitboard set) { put(viewpoint_ == chess::White ? set : __builtin_bswap64(set), 1); }
    void everywhere(float value) { put(value == 0 ? 0 : ~Bitboard{0}, value); }
    void flag(bool value) { everywhere(value ? 1.0F : 0.0F); }
    void nothing(int planes) {
        for (int i = 0; i < planes; ++i) put(0, 1);
    }
    // The twelve planes of pieces.
    void pieces(const chess::Position& position) {
        for (const chess::Color color : {viewpoint_, ~viewpoint_})
            for (const chess::PieceKind kind : chess::kPieceKinds) squares(position.pieces(color, kind));
    }
    bool is_full() const { return out_.empty(); }

  private:
    void put(Bitboard set, float value) {
        out_.front() = {set, value};
        out_ = out_.subspan(1);
    }

    std::span<Plane> out_;
    chess::Color viewpoint_;
};

void encode_board(const chess::Position& position, PlaneWriter& planes) {
    const chess::Color us = position.side_to_move();
    planes.pieces(position);
    for (const chess::Color color : {us, ~us})
        for (const chess::CastlingSide side : {chess::KingSide, chess::QueenSide})
            planes.flag(position.may_castle(color, side));
    planes.squares(position.en_passant_is_legal() ? chess::bit(position.en_passant()) : 0);
    planes.flag(true);
}

// The board that the first one known stands for before the game: with the pawn that has just jumped where it
// came from.
chess::Setup before_last_jump(const chess::Position& start) {
    chess::Setup setup = start.setup();
    if (start.en_passant() == chess::NoSquare) return setup;
    const chess::Color jumped = ~start.side_to_move();
    const int step = chess::forward(jumped);
    setup.board[start.en_passant() - step] = make_piece(jumped, chess::Pawn);
    setup.board[start.en_passant() + step] = chess::NoPiece;
    return setup;
}

void put_setup(const chess::Setup& setup, chess::Color viewpoint, PlaneWriter& planes) {
    for (const chess::Color color : {viewpoint, ~viewpoint})
        for (const chess::PieceKind kind : chess::kPieceKinds) {
            Bitboard set = 0;
            for (std::size_t square = 0; square < kPlaneSquares; ++square)
                if (setup.board[square] == make_piece(color, kind)) set |= 1ULL << square;
            planes.squares(set);
        }
}

void encode_history(const chess::Line& line, PlaneWriter& planes) {
    const chess::Position& position = line.current();
    const chess::Color us = position.side_to_move();
    const int known = std::min(line.ply() + 1, kHistoryBoards);
    for (int back = 0; back < known; ++back) {
        planes.pieces(line.ago(back));
        planes.flag(line.repetitions(back) > 0);
    }
    if (known < kHistoryBoards) {
        const bool from_the_start = line.start().key() == chess::Position().key();
        const chess::Setup before = before_last_jump(line.start());
        for (int board = known; board < kHistoryBoards; ++board) {
            if (from_the_start) {
                planes.nothing(kPlanesABoard);
                continue;
            }
            put_setup(before, us, planes);
            planes.nothing(1);
        }
    }
    for (const chess::Color color : {us, ~us})
        for (const chess::CastlingSide side : {chess::QueenSide, chess::KingSide})
            planes.flag(position.may_castle(color, side));
    planes.flag(us == chess::Black);
    planes.everywhere(static_cast<float>(position.halfmove_clock()));
    planes.nothing(1);
    planes.flag(true);
}

}  // namespace

std::string_view to_string(PlanesLayout layout) {
    for (const auto& [known, name] : kLayoutNames)
        if (known == layout) return name;
    return "";
}

std::optional<PlanesLayout> find_planes_layout(std::string_view name) {
    for (const auto& [layout, known] : kLayoutNames)
        if (known == name) return layout;
    return std::nullopt;
}

Reads reads_of(PlanesLayout layout) {
    if (layout == PlanesLayout::Board18) return {};
    return {kHistoryBoards, true, true};
}

void encode_planes(PlanesLayout layout, const chess::Line& line, std::span<Plane> out) {
    assert(out.size() == static_cast<std::size_t>(plane_count(layout)));
    PlaneWriter planes(out, line.current().side_to_move());
    if (layout == PlanesLayout::Board18)
        encode_board(line.current(), planes);
    else
        encode_history(line, planes);
    assert(planes.is_full());
}

void encode_planes(PlanesLayout layout, const chess::Line& line, std::span<float> out) {
    assert(out.size() == kPlaneSquares * static_cast<std::size_t>(plane_count(layout)));
    std::array<Plane, kMostPlanes> planes;
    const std::span<Plane> used(planes.data(), static_cast<std::size_t>(plane_count(layout)));
    encode_planes(layout, line, used);
    for (std::size_t plane = 0; plane < used.size(); ++plane)
        for (std::size_t square = 0; square < kPlaneSquares; ++square)
            out[plane * kPlaneSquares + square] =
                (used[plane].squares >> square & 1) != 0 ? used[plane].value : 0.0F;
}

}  // namespace scholar::nets
