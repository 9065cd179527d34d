#include "nets/conv/planes.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "chess/attacks.hpp"
#include "nets/attacks_by.hpp"

namespace scholar::nets {

namespace {

using chess::Bitboard;

struct LayoutRow {
    PlanesLayout layout;
    std::string_view name;
    int planes;
};
constexpr std::array kLayouts{
    LayoutRow{PlanesLayout::Board6, "board-6", 6}, LayoutRow{PlanesLayout::Board12, "board-12", 12},
    LayoutRow{PlanesLayout::Board13, "board-13", 13}, LayoutRow{PlanesLayout::Board18, "board-18", 18},
    LayoutRow{PlanesLayout::Lc0Classical112, "lc0-112", 112}};

struct LayerRow {
    bool PlaneLayers::* layer;
    std::string_view name;
    int planes;
};
constexpr std::array kLayers{
    LayerRow{&PlaneLayers::last_move, "last-move", 2}, LayerRow{&PlaneLayers::attacks, "attacks", 12},
    LayerRow{&PlaneLayers::threats, "threats", 11},    LayerRow{&PlaneLayers::rating, "rating", 1},
    LayerRow{&PlaneLayers::outcome, "outcome", 1},     LayerRow{&PlaneLayers::piece, "piece", 1}};

constexpr int kHistoryBoards = 8;
constexpr int kPlanesABoard = 13;
constexpr std::size_t kMostPlanes = 112 + 28;

// Writes plane after plane, all turned to one side's viewpoint.
class PlaneWriter {
  public:
    PlaneWriter(std::span<Plane> out, chess::Color viewpoint) : out_(out), viewpoint_(viewpoint) {}

    void squares(Bitboard set) { put({seen(set), 1}); }
    void both(Bitboard ours, Bitboard theirs) { put({seen(ours), 1, seen(theirs)}); }
    void everywhere(float value) { put({value == 0 ? 0 : ~Bitboard{0}, value}); }
    void flag(bool value) { everywhere(value ? 1.0F : 0.0F); }
    void nothing(int planes) {
        for (int i = 0; i < planes; ++i) put({});
    }
    // The twelve planes of pieces.
    void pieces(const chess::Position& position) {
        for (const chess::Color color : {viewpoint_, ~viewpoint_})
            for (const chess::PieceKind kind : chess::kPieceKinds) squares(position.pieces(color, kind));
    }
    bool is_full() const { return out_.empty(); }

  private:
    Bitboard seen(Bitboard set) const { return viewpoint_ == chess::White ? set : __builtin_bswap64(set); }
    void put(const Plane& plane) {
        out_.front() = plane;
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

// Men of `color` that stand alone between their king and a slider that would attack him.
Bitboard shields(const chess::Position& position, chess::Color color) {
    const chess::Square king = position.king(color);
    const Bitboard queens = position.pieces(~color, chess::Queen);
    const Bitboard sliders =
        (chess::rook_attacks(king, 0) & (position.pieces(~color, chess::Rook) | queens)) |
        (chess::bishop_attacks(king, 0) & (position.pieces(~color, chess::Bishop) | queens));
    Bitboard alone = 0;
    for (const chess::Square slider : chess::squares(sliders)) {
        const Bitboard men = chess::between(king, slider) & position.occupied();
        if (!chess::several(men)) alone |= men & position.pieces(color);
    }
    return alone;
}

// Men of `color` that stand to be lost: attacked by a cheaper kind, or by any and not defended. The kinds in
// the order of what they cost; knight and bishop alike.
Bitboard in_danger(const chess::Position& position, chess::Color color, const Attacks& own,
                   const Attacks& enemy) {
    Bitboard danger = position.pieces(color) & enemy.all & ~own.all;
    Bitboard cheaper = enemy.by_kind[chess::Pawn];
    danger |= cheaper & (position.pieces(color, chess::Knight) | position.pieces(color, chess::Bishop));
    cheaper |= enemy.by_kind[chess::Knight] | enemy.by_kind[chess::Bishop];
    // Pawns attack rooks and queens too: `cheaper` grows.
    danger |= cheaper & position.pieces(color, chess::Rook);
    cheaper |= enemy.by_kind[chess::Rook];
    danger |= cheaper & position.pieces(color, chess::Queen);
    return danger & ~position.pieces(color, chess::King);
}

void encode_threats(const chess::Position& position, const Attacks& ours, const Attacks& theirs,
                    PlaneWriter& planes) {
    const chess::Color us = position.side_to_move();
    planes.squares(ours.twice);
    planes.squares(theirs.twice);
    // Where a man of ours must stand to attack the king is where one of theirs on his square would attack.
    const chess::Square king = position.king(~us);
    for (const chess::PieceKind kind : {chess::Pawn, chess::Knight, chess::Bishop, chess::Rook, chess::Queen})
        planes.squares(chess::attacks_from(kind, ~us, king, position.occupied()));
    planes.squares(shields(position, us));
    planes.squares(shields(position, ~us));
    planes.squares(in_danger(position, us, ours, theirs));
    planes.squares(in_danger(position, ~us, theirs, ours));
}

void encode_layers(const PlaneLayers& layers, const chess::Position& position, const PlaneContext& context,
                   PlaneWriter& planes) {
    if (layers.last_move) {
        planes.squares(context.last_move.left);
        planes.squares(context.last_move.reached);
    }
    if (layers.attacks || layers.threats) {
        const Attacks ours = attacks_by(position, position.side_to_move());
        const Attacks theirs = attacks_by(position, ~position.side_to_move());
        if (layers.attacks)
            for (const Attacks* side : {&ours, &theirs})
                for (const Bitboard attacked : side->by_kind) planes.squares(attacked);
        if (layers.threats) encode_threats(position, ours, theirs, planes);
    }
    if (layers.rating) planes.everywhere(context.rating);
    if (layers.outcome) planes.everywhere(context.outcome);
    if (layers.piece)
        planes.squares(context.piece == chess::NoSquare ? Bitboard{0} : chess::bit(context.piece));
}

}  // namespace

std::string to_string(const PlanesInput& input) {
    std::string name;
    for (const LayoutRow& row : kLayouts)
        if (row.layout == input.layout) name = row.name;
    for (const LayerRow& row : kLayers)
        if (input.layers.*row.layer) name.append("+").append(row.name);
    return name;
}

std::optional<PlanesInput> find_planes_input(std::string_view name) {
    const auto take = [&name] {
        const std::string_view first = name.substr(0, name.find('+'));
        name.remove_prefix(std::min(first.size() + 1, name.size()));
        return first;
    };
    const bool ends_open = name.ends_with('+');
    const auto layout = std::ranges::find(kLayouts, take(), &LayoutRow::name);
    if (layout == kLayouts.end() || ends_open) return std::nullopt;
    PlanesInput input(layout->layout);
    while (!name.empty()) {
        const auto layer = std::ranges::find(kLayers, take(), &LayerRow::name);
        if (layer == kLayers.end() || input.layers.*layer->layer) return std::nullopt;
        input.layers.*layer->layer = true;
    }
    return input;
}

std::string planes_input_names() {
    std::string names;
    for (const LayoutRow& row : kLayouts) names.append(names.empty() ? "" : ", ").append(row.name);
    names += ", each with any of";
    for (const LayerRow& row : kLayers) names.append(" +").append(row.name);
    return names;
}

base::Status check_input(const PlanesInput& input) {
    const int least = input.rating_least;
    const int most = input.rating_most;
    if (!input.layers.rating) {
        if (least == 0 && most == 0) return {};
        return base::fail("ratings from {} to {}, expected none: the input has no layer of them", least,
                          most);
    }
    if (least >= 0 && least < most && most <= kMostRating) return {};
    return base::fail("ratings from {} to {}, expected two numbers from 0 to {}, the first below the second",
                      least, most, kMostRating);
}

float rating_plane(const PlanesInput& input, int rating) {
    if (rating <= 0 || !input.layers.rating) return -1;
    return std::clamp(static_cast<float>(rating - input.rating_least) /
                          static_cast<float>(input.rating_most - input.rating_least),
                      -0.5F, 1.5F);
}

int plane_count(const PlanesInput& input) {
    int count = 0;
    for (const LayoutRow& row : kLayouts)
        if (row.layout == input.layout) count = row.planes;
    for (const LayerRow& row : kLayers)
        if (input.layers.*row.layer) count += row.planes;
    return count;
}

Reads reads_of(const PlanesInput& input) {
    if (input.layout == PlanesLayout::Lc0Classical112) return {kHistoryBoards, true, true};
    return {input.layers.last_move ? 2 : 1, false, false};
}

MoveTraces traces_of(chess::Move move, chess::Color mover) {
    if (!move) return {};
    if (!move.is_castling()) return {chess::bit(move.from()), chess::bit(move.to())};
    // The king takes his rook, and both go elsewhere; who stays where he was leaves nothing.
    const chess::CastlingSide side = move.to() > move.from() ? chess::KingSide : chess::QueenSide;
    const chess::Square king = chess::castled_king(mover, side);
    const chess::Square rook = chess::castled_rook(mover, side);
    const Bitboard before = chess::bit(move.from()) | chess::bit(move.to());
    const Bitboard after = chess::bit(king) | chess::bit(rook);
    return {before & ~after, after & ~before};
}

MoveTraces traces_between(const chess::Position& before, const chess::Position& after) {
    const Bitboard was = before.pieces(before.side_to_move());
    const Bitboard is = after.pieces(before.side_to_move());
    return {was & ~is, is & ~was};
}

MoveTraces last_traces(const chess::Line& line) {
    return line.ply() == 0 ? MoveTraces{} : traces_between(line.ago(1), line.current());
}

PlaneContext play_context(const PlanesInput& input, int asked_rating, const chess::Line& line) {
    PlaneContext context;
    context.last_move = last_traces(line);
    context.rating = rating_plane(input, asked_rating > 0 ? asked_rating : input.rating_most);
    context.outcome = 1;
    return context;
}

void encode_planes(const PlanesInput& input, const chess::Line& line, const PlaneContext& context,
                   std::span<Plane> out) {
    assert(out.size() == static_cast<std::size_t>(plane_count(input)));
    const chess::Position& position = line.current();
    PlaneWriter planes(out, position.side_to_move());
    switch (input.layout) {
        case PlanesLayout::Board6:
            for (const chess::PieceKind kind : chess::kPieceKinds)
                planes.both(position.pieces(position.side_to_move(), kind),
                            position.pieces(~position.side_to_move(), kind));
            break;
        case PlanesLayout::Board12:
            planes.pieces(position);
            break;
        case PlanesLayout::Board13:
            planes.pieces(position);
            planes.squares(~position.occupied());
            break;
        case PlanesLayout::Board18:
            encode_board(position, planes);
            break;
        case PlanesLayout::Lc0Classical112:
            encode_history(line, planes);
            break;
    }
    encode_layers(input.layers, position, context, planes);
    assert(planes.is_full());
}

void encode_planes(const PlanesInput& input, const chess::Line& line, const PlaneContext& context,
                   std::span<float> out) {
    assert(out.size() == kPlaneSquares * static_cast<std::size_t>(plane_count(input)));
    std::array<Plane, kMostPlanes> planes;
    const std::span<Plane> used(planes.data(), static_cast<std::size_t>(plane_count(input)));
    encode_planes(input, line, context, used);
    for (std::size_t plane = 0; plane < used.size(); ++plane)
        for (std::size_t square = 0; square < kPlaneSquares; ++square)
            out[plane * kPlaneSquares + square] = used[plane].at(square);
}

}  // namespace scholar::nets
