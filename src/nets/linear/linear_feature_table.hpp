#pragma once

#include <array>
#include <string_view>

#include "chess/types.hpp"

// Everything that the linear evaluation (architecture "linear") counts, in one table. J. Baxter, A. Tridgell
// and L. Weaver, "KnightCap: a chess program that learns by combining TD(λ) with game-tree search" (1999),
// section 4.1, had 1,468 features a stage and does not list them: these are our own, by what the paper names
// and by the literature of its time.
//
// A feature is a number of one side; what the evaluation gets is that of the side to move less that of the
// other. Each side sees the board with its own pieces moving up it, so that "e4" is the fourth square from
// its own edge and "ahead" is up. Distances are in king's moves. "Lead" is material in points of the paper's
// start (kPoints), 0 to kMostLead of it for the side that has more.
//
// Sources: Baxter, Tridgell and Weaver 1999, as above; C. Shannon, "Programming a computer for playing chess"
// (1950), sections 3 and appendix I; D. Slate and L. Atkin, "Chess 4.5: the Northwestern University chess
// program" (1977), evaluation; A. Nimzowitsch, "Mein System" (1925); H. Kmoch, "Pawn power in chess" (1959);
// L. Kaufman, "The evaluation of material imbalances" (1999); "Scholar": our own.

namespace scholar::nets {

// What a pawn, knight, bishop, rook, queen and king are worth at the paper's start (section 4.1).
constexpr std::array<int, 6> kPoints{1, 4, 4, 6, 12, 0};
constexpr int kMostLead = 4;

enum class AxisKind {
    None,
    Square,
    File,
    Rank,
    Number,
    NumberOrMore,  // the last stands for all beyond it too
    Kind,
    FileBeside,  // the king's file and those beside, from the left
    Wing,        // files a to c, d and e, f to h
    Direction,   // southwest to northeast, by rank
};

// What tells the features of a block apart: `size` values, the first of them `first`.
struct Axis {
    AxisKind kind;
    int first;
    int size;
};

constexpr Axis kNone{AxisKind::None, 0, 1};
constexpr Axis kSquares{AxisKind::Square, chess::A1, 64};
constexpr Axis kPawnSquares{AxisKind::Square, chess::A2, 48};
constexpr Axis kPawnControlSquares{AxisKind::Square, chess::A3, 48};
constexpr Axis kDefendedPawnSquares{AxisKind::Square, chess::A3, 40};
constexpr Axis kPawnSquaresToSixth{AxisKind::Square, chess::A2, 40};
constexpr Axis kOutpostSquares{AxisKind::Square, chess::A4, 24};
constexpr Axis kFiles{AxisKind::File, 0, 8};
constexpr Axis kCentreFiles{AxisKind::File, 3, 2};
constexpr Axis kFilesBeside{AxisKind::FileBeside, 0, 3};
constexpr Axis kWings{AxisKind::Wing, 0, 3};
constexpr Axis kDirections{AxisKind::Direction, 0, 8};
constexpr Axis kPawnToQueen{AxisKind::Kind, chess::Pawn, 5};
constexpr Axis kPawnToKing{AxisKind::Kind, chess::Pawn, 6};
constexpr Axis kPawnToRook{AxisKind::Kind, chess::Pawn, 4};
constexpr Axis kKnightToQueen{AxisKind::Kind, chess::Knight, 4};
constexpr Axis kKnightToKing{AxisKind::Kind, chess::Knight, 5};
constexpr Axis kBishopToRook{AxisKind::Kind, chess::Bishop, 2};
constexpr Axis kBishopToQueen{AxisKind::Kind, chess::Bishop, 3};
constexpr Axis numbers(int first, int size) {
    return {AxisKind::Number, first, size};
}
constexpr Axis numbers_or_more(int first, int size) {
    return {AxisKind::NumberOrMore, first, size};
}
// As players count them, from 1.
constexpr Axis ranks(int first, int size) {
    return {AxisKind::Rank, first, size};
}
constexpr Axis kPawnRanks = ranks(2, 6);

enum class Group {
    Material,
    PieceSquare,
    Mobility,
    Control,
    Attacks,
    Loose,
    Pins,
    Pawns,
    Passed,
    Rooks,
    Minors,
    Shelter,
    Castling,
    KingAttack,
    Tempo,
    Threats,
    Development,
    TradeDown,
    Drawish,
    Mating
};
constexpr int kGroups = 20;

enum class Block {
    Material,
    PawnNumber,
    KnightNumber,
    BishopNumber,
    RookNumber,
    QueenNumber,
    PawnSquare,
    KnightSquare,
    BishopSquare,
    RookSquare,
    QueenSquare,
    KingSquare,
    KnightMobility,
    BishopMobility,
    RookMobility,
    QueenMobility,
    KnightSafeMobility,
    BishopSafeMobility,
    RookSafeMobility,
    QueenSafeMobility,
    KingMobility,
    PawnMobility,
    ControlSquare,
    AttackSquare,
    PawnControl,
    Space,
    Attack,
    Defence,
    AttackedTwice,
    Outnumbered,
    Undefended,
    Hanging,
    HangingSquare,
    LesserAttack,
    LesserAttackSquare,
    EnPriseNumber,
    Trapped,
    TrappedAttacked,
    Pinned,
    PinnedToQueen,
    PinnedByPawn,
    Discoverer,
    DoubledPawn,
    DoubledFile,
    IsolatedPawn,
    IsolatedSquare,
    IsolatedOpen,
    WeakPawn,
    WeakSquare,
    BackwardPawn,
    DefendedPawn,
    PawnDuo,
    CandidatePawn,
    PawnIslands,
    PawnMajority,
    BlockedPawn,
    PassedPawn,
    PassedSquare,
    PassedDefended,
    PassedConnected,
    PassedBlocked,
    PassedBlocker,
    PassedObstructed,
    PassedFree,
    PassedClear,
    PassedKing,
    PassedRook,
    PassedEnemyRook,
    PassedOwnKing,
    PassedEnemyKing,
    UnstoppablePawn,
    UnstoppableRank,
    RookOpenFile,
    RookHalfOpenFile,
    QueenOpenFile,
    RookSeventh,
    QueenSeventh,
    SeventhPair,
    RooksConnected,
    RooksConnectedHome,
    RooksDoubled,
    RookOnQueen,
    RookOnKing,
    RookWalledIn,
    RookWeakPawn,
    KnightOutpost,
    KnightHole,
    BishopOutpost,
    BishopHole,
    BishopPair,
    BishopPairPawns,
    KnightPawns,
    RookPawns,
    QueenPawns,
    BishopOwnPawns,
    BishopEnemyPawns,
    LongDiagonal,
    Fianchetto,
    Shelter,
    Storm,
    KingOpenFile,
    KingHalfOpenFile,
    Guard,
    BackRank,
    Castled,
    CastledShort,
    CastledLong,
    MayCastleShort,
    MayCastleLong,
    CastlingLost,
    KingAttackers,
    KingAttackerNumber,
    KingAttackerQueen,
    KingRingAttacked,
    KingRingWeak,
    KingRingSquare,
    SafeCheck,
    Tropism,
    Tempo,
    EnPriseMoving,
    EnPriseWaiting,
    DoubleWaiting,
    PushThreat,
    KnightFork,
    PawnFork,
    MinorsAtHome,
    EarlyQueen,
    CentrePawnBlocked,
    TradePieces,
    TradePawns,
    NoPawns,
    OnePawn,
    OppositeBishops,
    OppositeBishopsAlone,
    RookEnding,
    QueenEnding,
    PawnEnding,
    MinorEnding,
    OneMinor,
    TwoKnights,
    RookAgainstMinor,
    OneWing,
    WrongBishop,
    KingsDistance,
    LoneKingEdge,
    LoneKingCorner,
    LoneKingBishop
};

struct FeatureBlock {
    Block id;
    std::string_view name;
    Group group;
    Axis first;
    Axis second;
    std::string_view counts;  // of one side
    std::string_view source;

    constexpr int size() const { return first.size * second.size; }
};

// clang-format off
inline constexpr std::array kFeatureBlocks{
    FeatureBlock{Block::Material, "material", Group::Material, kPawnToQueen, kNone,
                 "pieces of the kind", "Shannon 1950, Baxter et al. 1999"},
    FeatureBlock{Block::PawnNumber, "pawn_number", Group::Material, numbers(0, 9), kNone,
                 "1 for the number of pawns", "Kaufman 1999"},
    FeatureBlock{Block::KnightNumber, "knight_number", Group::Material, numbers_or_more(0, 3), kNone,
                 "1 for the number of knights", "Kaufman 1999"},
    FeatureBlock{Block::BishopNumber, "bishop_number", Group::Material, numbers_or_more(0, 3), kNone,
                 "1 for the number of bishops", "Kaufman 1999"},
    FeatureBlock{Block::RookNumber, "rook_number", Group::Material, numbers_or_more(0, 3), kNone,
                 "1 for the number of rooks", "Kaufman 1999"},
    FeatureBlock{Block::QueenNumber, "queen_number", Group::Material, numbers_or_more(0, 2), kNone,
                 "1 for the number of queens", "Kaufman 1999"},
    FeatureBlock{Block::PawnSquare, "pawn_square", Group::PieceSquare, kPawnSquares, kNone,
                 "pawns on the square", "Baxter et al. 1999"},
    FeatureBlock{Block::KnightSquare, "knight_square", Group::PieceSquare, kSquares, kNone,
                 "knights on the square", "Baxter et al. 1999"},
    FeatureBlock{Block::BishopSquare, "bishop_square", Group::PieceSquare, kSquares, kNone,
                 "bishops on the square", "Baxter et al. 1999"},
    FeatureBlock{Block::RookSquare, "rook_square", Group::PieceSquare, kSquares, kNone,
                 "rooks on the square", "Baxter et al. 1999"},
    FeatureBlock{Block::QueenSquare, "queen_square", Group::PieceSquare, kSquares, kNone,
                 "queens on the square", "Baxter et al. 1999"},
    FeatureBlock{Block::KingSquare, "king_square", Group::PieceSquare, kSquares, kNone,
                 "king on the square", "Baxter et al. 1999"},
    FeatureBlock{Block::KnightMobility, "knight_mobility", Group::Mobility, numbers(0, 9), kNone,
                 "knights that reach so many squares without an own piece", "Shannon 1950"},
    FeatureBlock{Block::BishopMobility, "bishop_mobility", Group::Mobility, numbers(0, 14), kNone,
                 "bishops that reach so many squares without an own piece", "Shannon 1950"},
    FeatureBlock{Block::RookMobility, "rook_mobility", Group::Mobility, numbers(0, 15), kNone,
                 "rooks that reach so many squares without an own piece", "Shannon 1950"},
    FeatureBlock{Block::QueenMobility, "queen_mobility", Group::Mobility, numbers(0, 28), kNone,
                 "queens that reach so many squares without an own piece", "Shannon 1950"},
    FeatureBlock{Block::KnightSafeMobility, "knight_safe_mobility", Group::Mobility, numbers(0, 9), kNone,
                 "the same, squares that enemy pawns attack left out", "Baxter et al. 1999"},
    FeatureBlock{Block::BishopSafeMobility, "bishop_safe_mobility", Group::Mobility, numbers(0, 14), kNone,
                 "the same, squares that enemy pawns attack left out", "Baxter et al. 1999"},
    FeatureBlock{Block::RookSafeMobility, "rook_safe_mobility", Group::Mobility, numbers(0, 15), kNone,
                 "the same, squares that enemy pawns, knights or bishops attack left out", "Baxter et al. 1999"},
    FeatureBlock{Block::QueenSafeMobility, "queen_safe_mobility", Group::Mobility, numbers(0, 28), kNone,
                 "the same, squares that enemy pawns, knights, bishops or rooks attack left out", "Baxter et al. 1999"},
    FeatureBlock{Block::KingMobility, "king_mobility", Group::Mobility, numbers(0, 9), kNone,
                 "1 for the number of squares the king may go to: no own piece, no enemy attack", "Baxter et al. 1999"},
    FeatureBlock{Block::PawnMobility, "pawn_mobility", Group::Mobility, numbers(0, 9), kNone,
                 "1 for the number of pawns with an empty square before them", "Shannon 1950"},
    FeatureBlock{Block::ControlSquare, "control_square", Group::Control, kSquares, kNone,
                 "1 if more own than enemy pieces attack the square (up to three counted)", "Shannon 1950, Baxter et al. 1999"},
    FeatureBlock{Block::AttackSquare, "attack_square", Group::Control, kSquares, kNone,
                 "1 if any own piece attacks the square", "Shannon 1950"},
    FeatureBlock{Block::PawnControl, "pawn_control", Group::Control, kPawnControlSquares, kNone,
                 "1 if an own pawn attacks the square", "Shannon 1950"},
    FeatureBlock{Block::Space, "space", Group::Control, numbers(0, 13), kNone,
                 "1 for the number of squares c2 to f4 without own pawn and not attacked by enemy pawns", "Scholar"},
    FeatureBlock{Block::Attack, "attack", Group::Attacks, kPawnToKing, kPawnToQueen,
                 "enemy pieces of the second kind that own pieces of the first attack", "Shannon 1950"},
    FeatureBlock{Block::Defence, "defence", Group::Attacks, kPawnToKing, kPawnToQueen,
                 "own pieces of the second kind that own pieces of the first defend", "Shannon 1950"},
    FeatureBlock{Block::AttackedTwice, "attacked_twice", Group::Attacks, kPawnToQueen, kNone,
                 "enemy pieces of the kind that at least two own pieces attack", "Shannon 1950"},
    FeatureBlock{Block::Outnumbered, "outnumbered", Group::Attacks, kPawnToQueen, kNone,
                 "own pieces of the kind with more attackers than defenders (up to three counted)", "Slate & Atkin 1977"},
    FeatureBlock{Block::Undefended, "undefended", Group::Loose, kPawnToQueen, kNone,
                 "own pieces of the kind that nothing defends", "Shannon 1950"},
    FeatureBlock{Block::Hanging, "hanging", Group::Loose, kPawnToQueen, kNone,
                 "own pieces of the kind, attacked and not defended", "Slate & Atkin 1977"},
    FeatureBlock{Block::HangingSquare, "hanging_square", Group::Loose, kSquares, kNone,
                 "1 if a hanging own piece is on the square", "Baxter et al. 1999"},
    FeatureBlock{Block::LesserAttack, "lesser_attack", Group::Loose, kKnightToQueen, kNone,
                 "own pieces of the kind that a less valuable kind attacks (pawn; knight, bishop; rook)", "Slate & Atkin 1977"},
    FeatureBlock{Block::LesserAttackSquare, "lesser_attack_square", Group::Loose, kSquares, kNone,
                 "1 if such a piece is on the square", "Baxter et al. 1999"},
    FeatureBlock{Block::EnPriseNumber, "en_prise_number", Group::Loose, numbers_or_more(1, 3), kNone,
                 "1 for the number of own pieces that hang or are attacked by a lesser one", "Slate & Atkin 1977"},
    FeatureBlock{Block::Trapped, "trapped", Group::Loose, kKnightToQueen, kNone,
                 "own pieces of the kind without safe mobility", "Slate & Atkin 1977"},
    FeatureBlock{Block::TrappedAttacked, "trapped_attacked", Group::Loose, kKnightToQueen, kNone,
                 "trapped own pieces of the kind that are attacked", "Slate & Atkin 1977"},
    FeatureBlock{Block::Pinned, "pinned", Group::Pins, kPawnToQueen, kBishopToQueen,
                 "own pieces of the first kind pinned to the king by enemy ones of the second", "Shannon 1950"},
    FeatureBlock{Block::PinnedToQueen, "pinned_to_queen", Group::Pins, kPawnToRook, kBishopToRook,
                 "own pieces of the first kind alone between an own queen and an enemy piece of the second "
                 "that attacks along the line", "Shannon 1950"},
    FeatureBlock{Block::PinnedByPawn, "pinned_by_pawn", Group::Pins, kNone, kNone,
                 "own pinned pieces that an enemy pawn attacks", "Slate & Atkin 1977"},
    FeatureBlock{Block::Discoverer, "discoverer", Group::Pins, kPawnToRook, kNone,
                 "own pieces of the kind alone between an own slider and the enemy king", "Shannon 1950"},
    FeatureBlock{Block::DoubledPawn, "doubled_pawn", Group::Pawns, kNone, kNone,
                 "pawns with an own pawn ahead on the file", "Baxter et al. 1999, figure 5; Shannon 1950"},
    FeatureBlock{Block::DoubledFile, "doubled_file", Group::Pawns, kFiles, kNone,
                 "such pawns on the file", "Baxter et al. 1999"},
    FeatureBlock{Block::IsolatedPawn, "isolated_pawn", Group::Pawns, kNone, kNone,
                 "pawns without own pawns on the files beside", "Shannon 1950"},
    FeatureBlock{Block::IsolatedSquare, "isolated_square", Group::Pawns, kPawnSquares, kNone,
                 "1 if such a pawn is on the square", "Baxter et al. 1999"},
    FeatureBlock{Block::IsolatedOpen, "isolated_open", Group::Pawns, kNone, kNone,
                 "isolated pawns without an enemy pawn ahead on the file", "Slate & Atkin 1977"},
    FeatureBlock{Block::WeakPawn, "weak_pawn", Group::Pawns, kNone, kNone,
                 "pawns, not isolated, without own pawn beside or behind on the files beside", "Shannon 1950"},
    FeatureBlock{Block::WeakSquare, "weak_square", Group::Pawns, kPawnSquaresToSixth, kNone,
                 "1 if such a pawn is on the square", "Baxter et al. 1999"},
    FeatureBlock{Block::BackwardPawn, "backward_pawn", Group::Pawns, kNone, kNone,
                 "weak pawns whose next square an enemy pawn attacks", "Shannon 1950"},
    FeatureBlock{Block::DefendedPawn, "defended_pawn", Group::Pawns, kDefendedPawnSquares, kNone,
                 "1 if a pawn that an own pawn defends is on the square", "Kmoch 1959"},
    FeatureBlock{Block::PawnDuo, "pawn_duo", Group::Pawns, kPawnSquares, kNone,
                 "1 if a pawn with an own pawn right beside is on the square", "Kmoch 1959"},
    FeatureBlock{Block::CandidatePawn, "candidate_pawn", Group::Pawns, ranks(2, 5), kNone,
                 "pawns not passed, no pawn ahead on the file, with as many own pawns beside or behind on "
                 "the files beside as enemy ones ahead there", "Nimzowitsch 1925"},
    FeatureBlock{Block::PawnIslands, "pawn_islands", Group::Pawns, numbers(0, 5), kNone,
                 "1 for the number of groups of files with own pawns", "Nimzowitsch 1925"},
    FeatureBlock{Block::PawnMajority, "pawn_majority", Group::Pawns, kWings, kNone,
                 "1 if there are more own than enemy pawns on files a to c, d and e, f to h", "Nimzowitsch 1925"},
    FeatureBlock{Block::BlockedPawn, "blocked_pawn", Group::Pawns, kPawnSquaresToSixth, kNone,
                 "1 if a pawn with an own piece right ahead is on the square", "Baxter et al. 1999"},
    FeatureBlock{Block::PassedPawn, "passed_pawn", Group::Passed, kPawnRanks, kNone,
                 "passed pawns on the rank: no enemy pawn ahead on this file and those beside, no own "
                 "ahead on this", "Slate & Atkin 1977"},
    FeatureBlock{Block::PassedSquare, "passed_square", Group::Passed, kPawnSquares, kNone,
                 "1 if a passed pawn is on the square", "Baxter et al. 1999"},
    FeatureBlock{Block::PassedDefended, "passed_defended", Group::Passed, ranks(3, 5), kNone,
                 "passed pawns that an own pawn defends", "Nimzowitsch 1925"},
    FeatureBlock{Block::PassedConnected, "passed_connected", Group::Passed, kPawnRanks, kNone,
                 "passed pawns with another on a file beside, at most one rank away", "Nimzowitsch 1925"},
    FeatureBlock{Block::PassedBlocked, "passed_blocked", Group::Passed, kPawnRanks, kNone,
                 "passed pawns with an enemy piece right ahead", "Nimzowitsch 1925"},
    FeatureBlock{Block::PassedBlocker, "passed_blocker", Group::Passed, kKnightToKing, kNone,
                 "passed pawns with such a piece right ahead", "Nimzowitsch 1925"},
    FeatureBlock{Block::PassedObstructed, "passed_obstructed", Group::Passed, kPawnRanks, kNone,
                 "passed pawns with an own piece right ahead", "Baxter et al. 1999"},
    FeatureBlock{Block::PassedFree, "passed_free", Group::Passed, kPawnRanks, kNone,
                 "passed pawns whose next square is empty and not attacked", "Slate & Atkin 1977"},
    FeatureBlock{Block::PassedClear, "passed_clear", Group::Passed, kPawnRanks, kNone,
                 "passed pawns whose way is empty and not attacked to the end", "Slate & Atkin 1977"},
    FeatureBlock{Block::PassedKing, "passed_king", Group::Passed, kPawnRanks, kNone,
                 "passed pawns with the own king next to them or to their next square", "Baxter et al. 1999"},
    FeatureBlock{Block::PassedRook, "passed_rook", Group::Passed, kPawnRanks, kNone,
                 "passed pawns with an own rook behind and nothing between", "Slate & Atkin 1977"},
    FeatureBlock{Block::PassedEnemyRook, "passed_enemy_rook", Group::Passed, kPawnRanks, kNone,
                 "passed pawns with an enemy rook behind and nothing between", "Slate & Atkin 1977"},
    FeatureBlock{Block::PassedOwnKing, "passed_own_king", Group::Passed, numbers(0, 8), kNone,
                 "passed pawns by the own king's distance from their next square", "Slate & Atkin 1977"},
    FeatureBlock{Block::PassedEnemyKing, "passed_enemy_king", Group::Passed, numbers(0, 8), kNone,
                 "passed pawns by the enemy king's distance from their next square", "Slate & Atkin 1977"},
    FeatureBlock{Block::UnstoppablePawn, "unstoppable_pawn", Group::Passed, kNone, kNone,
                 "passed pawns with an empty way that an enemy with king and pawns alone cannot catch "
                 "(rule of the square)", "Baxter et al. 1999"},
    FeatureBlock{Block::UnstoppableRank, "unstoppable_rank", Group::Passed, kPawnRanks, kNone,
                 "such pawns on the rank", "Baxter et al. 1999"},
    FeatureBlock{Block::RookOpenFile, "rook_open_file", Group::Rooks, kFiles, kNone,
                 "rooks on the file if it has no pawns", "Shannon 1950"},
    FeatureBlock{Block::RookHalfOpenFile, "rook_half_open_file", Group::Rooks, kFiles, kNone,
                 "rooks on the file if it has enemy pawns alone", "Shannon 1950"},
    FeatureBlock{Block::QueenOpenFile, "queen_open_file", Group::Rooks, kFiles, kNone,
                 "queens on the file if it has no own pawns", "Slate & Atkin 1977"},
    FeatureBlock{Block::RookSeventh, "rook_seventh", Group::Rooks, kNone, kNone,
                 "rooks on the seventh rank with the enemy king on the eighth or enemy pawns on the "
                 "seventh", "Shannon 1950"},
    FeatureBlock{Block::QueenSeventh, "queen_seventh", Group::Rooks, kNone, kNone,
                 "queens so placed", "Slate & Atkin 1977"},
    FeatureBlock{Block::SeventhPair, "seventh_pair", Group::Rooks, kNone, kNone,
                 "1 if at least two rooks and queens are so placed", "Slate & Atkin 1977"},
    FeatureBlock{Block::RooksConnected, "rooks_connected", Group::Rooks, kNone, kNone,
                 "1 if a rook defends a rook", "Baxter et al. 1999"},
    FeatureBlock{Block::RooksConnectedHome, "rooks_connected_home", Group::Rooks, kNone, kNone,
                 "1 if a rook defends a rook, both on the first rank", "Baxter et al. 1999"},
    FeatureBlock{Block::RooksDoubled, "rooks_doubled", Group::Rooks, kNone, kNone,
                 "1 if two rooks are on one file without own pawns", "Shannon 1950"},
    FeatureBlock{Block::RookOnQueen, "rook_on_queen", Group::Rooks, kNone, kNone,
                 "rooks on a file with an enemy queen", "Slate & Atkin 1977"},
    FeatureBlock{Block::RookOnKing, "rook_on_king", Group::Rooks, kNone, kNone,
                 "rooks on the enemy king's file", "Slate & Atkin 1977"},
    FeatureBlock{Block::RookWalledIn, "rook_walled_in", Group::Rooks, kNone, kNone,
                 "rooks shut in beside their king (king f1, g1: rook g1, h1 outside it; king b1, c1: a1, "
                 "b1) without the right to castle", "Baxter et al. 1999"},
    FeatureBlock{Block::RookWeakPawn, "rook_weak_pawn", Group::Rooks, kNone, kNone,
                 "isolated and weak enemy pawns that rooks attack", "Nimzowitsch 1925"},
    FeatureBlock{Block::KnightOutpost, "knight_outpost", Group::Minors, kOutpostSquares, kNone,
                 "1 if a knight defended by a pawn is on the square and no enemy pawn can come to attack "
                 "it", "Nimzowitsch 1925"},
    FeatureBlock{Block::KnightHole, "knight_hole", Group::Minors, kOutpostSquares, kNone,
                 "the same, not defended by a pawn", "Nimzowitsch 1925"},
    FeatureBlock{Block::BishopOutpost, "bishop_outpost", Group::Minors, kOutpostSquares, kNone,
                 "1 if a bishop defended by a pawn is on the square and no enemy pawn can come to attack "
                 "it", "Nimzowitsch 1925"},
    FeatureBlock{Block::BishopHole, "bishop_hole", Group::Minors, kOutpostSquares, kNone,
                 "the same, not defended by a pawn", "Nimzowitsch 1925"},
    FeatureBlock{Block::BishopPair, "bishop_pair", Group::Minors, kNone, kNone,
                 "1 if there are bishops on both colours", "Slate & Atkin 1977"},
    FeatureBlock{Block::BishopPairPawns, "bishop_pair_pawns", Group::Minors, numbers(0, 9), kNone,
                 "1 for the number of own pawns if there are bishops on both colours", "Kaufman 1999"},
    FeatureBlock{Block::KnightPawns, "knight_pawns", Group::Minors, numbers(0, 9), kNone,
                 "knights by the number of own pawns", "Kaufman 1999"},
    FeatureBlock{Block::RookPawns, "rook_pawns", Group::Minors, numbers(0, 9), kNone,
                 "rooks by the number of own pawns", "Kaufman 1999"},
    FeatureBlock{Block::QueenPawns, "queen_pawns", Group::Minors, numbers(0, 9), kNone,
                 "queens by the number of own pawns", "Kaufman 1999"},
    FeatureBlock{Block::BishopOwnPawns, "bishop_own_pawns", Group::Minors, numbers(0, 9), kNone,
                 "bishops by the number of own pawns on their colour", "Shannon 1950"},
    FeatureBlock{Block::BishopEnemyPawns, "bishop_enemy_pawns", Group::Minors, numbers(0, 9), kNone,
                 "bishops by the number of enemy pawns on their colour", "Shannon 1950"},
    FeatureBlock{Block::LongDiagonal, "long_diagonal", Group::Minors, kNone, kNone,
                 "bishops that see (or stand on) both central squares of a long diagonal", "Nimzowitsch 1925"},
    FeatureBlock{Block::Fianchetto, "fianchetto", Group::Minors, kNone, kNone,
                 "bishops on b2 or g2 with an own pawn right ahead", "Nimzowitsch 1925"},
    FeatureBlock{Block::Shelter, "shelter", Group::Shelter, kFilesBeside, numbers(2, 7),
                 "1 for the rank (8: none) of the nearest own pawn ahead of or beside the king on its file "
                 "and those beside", "Slate & Atkin 1977"},
    FeatureBlock{Block::Storm, "storm", Group::Shelter, kFilesBeside, numbers(2, 7),
                 "1 for the rank (8: none) of the nearest enemy pawn ahead of or beside the king on its "
                 "file and those beside", "Slate & Atkin 1977"},
    FeatureBlock{Block::KingOpenFile, "king_open_file", Group::Shelter, kFiles, kNone,
                 "1 if the king is on the file and it has no pawns", "Slate & Atkin 1977"},
    FeatureBlock{Block::KingHalfOpenFile, "king_half_open_file", Group::Shelter, kFiles, kNone,
                 "1 if the king is on the file and it has enemy pawns alone", "Slate & Atkin 1977"},
    FeatureBlock{Block::Guard, "guard", Group::Shelter, kPawnToQueen, numbers(1, 7),
                 "own pieces of the kind so far from the own king", "Slate & Atkin 1977"},
    FeatureBlock{Block::BackRank, "back_rank", Group::Shelter, kNone, kNone,
                 "1 if the king on the first rank cannot step to the second and the enemy has a rook or "
                 "queen", "Baxter et al. 1999"},
    FeatureBlock{Block::Castled, "castled", Group::Castling, kNone, kNone,
                 "1 if castled to either side", "Baxter et al. 1999, figure 5"},
    FeatureBlock{Block::CastledShort, "castled_short", Group::Castling, kNone, kNone,
                 "1 if no right to castle is left, the king on g1 or h1 and no own rook beyond it", "Baxter et al. 1999"},
    FeatureBlock{Block::CastledLong, "castled_long", Group::Castling, kNone, kNone,
                 "1 if no right to castle is left, the king on a1, b1 or c1 and no own rook beyond it", "Baxter et al. 1999"},
    FeatureBlock{Block::MayCastleShort, "may_castle_short", Group::Castling, kNone, kNone,
                 "1 if the right to castle short is left", "Baxter et al. 1999"},
    FeatureBlock{Block::MayCastleLong, "may_castle_long", Group::Castling, kNone, kNone,
                 "1 if the right to castle long is left", "Baxter et al. 1999"},
    FeatureBlock{Block::CastlingLost, "castling_lost", Group::Castling, kNone, kNone,
                 "1 if no right to castle is left and the king has not castled", "Baxter et al. 1999"},
    FeatureBlock{Block::KingAttackers, "king_attackers", Group::KingAttack, kPawnToQueen, kNone,
                 "own pieces of the kind that attack squares next to the enemy king", "Shannon 1950"},
    FeatureBlock{Block::KingAttackerNumber, "king_attacker_number", Group::KingAttack, numbers_or_more(0, 6), kNone,
                 "1 for the number of knights, bishops, rooks and queens that do", "Slate & Atkin 1977"},
    FeatureBlock{Block::KingAttackerQueen, "king_attacker_queen", Group::KingAttack, numbers_or_more(0, 6), kNone,
                 "the same, if there is an own queen", "Slate & Atkin 1977"},
    FeatureBlock{Block::KingRingAttacked, "king_ring_attacked", Group::KingAttack, numbers(0, 9), kNone,
                 "1 for the number of squares next to the enemy king that own pieces attack", "Shannon 1950"},
    FeatureBlock{Block::KingRingWeak, "king_ring_weak", Group::KingAttack, numbers(0, 9), kNone,
                 "1 for the number of those that the enemy king alone defends", "Slate & Atkin 1977"},
    FeatureBlock{Block::KingRingSquare, "king_ring_square", Group::KingAttack, kDirections, kNone,
                 "1 if the square that way of the enemy king is attacked", "Scholar"},
    FeatureBlock{Block::SafeCheck, "safe_check", Group::KingAttack, kKnightToQueen, kNone,
                 "squares from which an own piece of the kind could give check and that the enemy does not "
                 "attack", "Scholar"},
    FeatureBlock{Block::Tropism, "tropism", Group::KingAttack, kPawnToQueen, numbers(1, 7),
                 "own pieces of the kind so far from the enemy king", "Slate & Atkin 1977"},
    FeatureBlock{Block::Tempo, "tempo", Group::Tempo, kNone, kNone,
                 "1 for the side to move", "Slate & Atkin 1977"},
    FeatureBlock{Block::EnPriseMoving, "en_prise_moving", Group::Tempo, kPawnToQueen, kNone,
                 "pieces of the side to move that hang or are attacked by a lesser one", "Slate & Atkin 1977"},
    FeatureBlock{Block::EnPriseWaiting, "en_prise_waiting", Group::Tempo, kPawnToQueen, kNone,
                 "such pieces of the other side", "Slate & Atkin 1977"},
    FeatureBlock{Block::DoubleWaiting, "double_waiting", Group::Tempo, kNone, kNone,
                 "1 for the side not to move if it has at least two such pieces", "Slate & Atkin 1977"},
    FeatureBlock{Block::PushThreat, "push_threat", Group::Threats, kKnightToQueen, kNone,
                 "enemy pieces of the kind that a pawn would attack after one safe step", "Scholar"},
    FeatureBlock{Block::KnightFork, "knight_fork", Group::Threats, kNone, kNone,
                 "knights that attack at least two of enemy rooks, queens and king", "Baxter et al. 1999"},
    FeatureBlock{Block::PawnFork, "pawn_fork", Group::Threats, kNone, kNone,
                 "pawns that attack two enemy pieces", "Baxter et al. 1999"},
    FeatureBlock{Block::MinorsAtHome, "minors_at_home", Group::Development, numbers(0, 5), kNone,
                 "1 for the number of knights on b1, g1 and bishops on c1, f1", "Shannon 1950"},
    FeatureBlock{Block::EarlyQueen, "early_queen", Group::Development, kNone, kNone,
                 "1 if the queen has left d1 and at least three minor pieces are at home", "Shannon 1950"},
    FeatureBlock{Block::CentrePawnBlocked, "centre_pawn_blocked", Group::Development, kCentreFiles, kNone,
                 "1 if the pawn on d2, e2 has an own piece right ahead", "Shannon 1950"},
    FeatureBlock{Block::TradePieces, "trade_pieces", Group::TradeDown, numbers_or_more(0, 8), kNone,
                 "the lead of the side ahead, for the number of enemy pieces without pawns and king", "Slate & Atkin 1977"},
    FeatureBlock{Block::TradePawns, "trade_pawns", Group::TradeDown, numbers(0, 9), kNone,
                 "the lead of the side ahead, for the number of its pawns", "Slate & Atkin 1977"},
    FeatureBlock{Block::NoPawns, "no_pawns", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if it has no pawns", "Slate & Atkin 1977"},
    FeatureBlock{Block::OnePawn, "one_pawn", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if it has one pawn", "Slate & Atkin 1977"},
    FeatureBlock{Block::OppositeBishops, "opposite_bishops", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if each side has one bishop, on opposite colours, and other "
                 "pieces are left", "Slate & Atkin 1977"},
    FeatureBlock{Block::OppositeBishopsAlone, "opposite_bishops_alone", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if each side has one bishop, on opposite colours, and no "
                 "other pieces are left", "Slate & Atkin 1977"},
    FeatureBlock{Block::RookEnding, "rook_ending", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if each side has one rook and no other piece", "Nimzowitsch 1925"},
    FeatureBlock{Block::QueenEnding, "queen_ending", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if each side has one queen and no other piece", "Nimzowitsch 1925"},
    FeatureBlock{Block::PawnEnding, "pawn_ending", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if no side has pieces", "Nimzowitsch 1925"},
    FeatureBlock{Block::MinorEnding, "minor_ending", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if there are knights and bishops and no other pieces", "Nimzowitsch 1925"},
    FeatureBlock{Block::OneMinor, "one_minor", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if it has one knight or bishop, no other piece and no pawn", "Slate & Atkin 1977"},
    FeatureBlock{Block::TwoKnights, "two_knights", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if it has two knights, no other piece and no pawn", "Slate & Atkin 1977"},
    FeatureBlock{Block::RookAgainstMinor, "rook_against_minor", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if it has one rook, no other piece and no pawn, against one "
                 "knight or bishop and no other piece", "Slate & Atkin 1977"},
    FeatureBlock{Block::OneWing, "one_wing", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if all pawns are on files a to d, or all on e to h", "Nimzowitsch 1925"},
    FeatureBlock{Block::WrongBishop, "wrong_bishop", Group::Drawish, kNone, kNone,
                 "the lead of the side ahead, if it has one bishop, no other piece, pawns on one rook's "
                 "file alone whose last square the bishop does not see, and the enemy king is there or "
                 "next to it", "Slate & Atkin 1977"},
    FeatureBlock{Block::KingsDistance, "kings_distance", Group::Mating, numbers(2, 6), kNone,
                 "1 for the side ahead, for the distance of the kings", "Baxter et al. 1999, footnote 7"},
    FeatureBlock{Block::LoneKingEdge, "lone_king_edge", Group::Mating, numbers(0, 4), kNone,
                 "1 for the side ahead, for the enemy king's distance from the edge", "Slate & Atkin 1977"},
    FeatureBlock{Block::LoneKingCorner, "lone_king_corner", Group::Mating, numbers(0, 7), kNone,
                 "1 for the side ahead, for the ranks and files from the enemy king to the nearest corner", "Slate & Atkin 1977"},
    FeatureBlock{Block::LoneKingBishop, "lone_king_bishop", Group::Mating, numbers(0, 8), kNone,
                 "1 for the side ahead if its bishops are of one colour, for the ranks and files from the "
                 "enemy king to the nearest corner of that colour", "Slate & Atkin 1977"},
};
// clang-format on

}  // namespace scholar::nets
