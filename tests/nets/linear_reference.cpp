#include "nets/linear_reference.hpp"

#include <algorithm>
#include <cstdlib>

namespace scholar::tests {

using namespace chess;
using nets::Block;

LinearReference::LinearReference(const Position& position, Color view)
    : to_move_(position.side_to_move() == view),
      may_short_(position.may_castle(view, KingSide)),
      may_long_(position.may_castle(view, QueenSide)) {
    for (int square = 0; square < 64; ++square) {
        const Piece piece = position.piece_on(static_cast<Square>(square));
        const int turned = view == White ? square : 8 * (7 - rank(square)) + file(square);
        if (piece != NoPiece)
            places_[static_cast<std::size_t>(turned)] = {color_of(piece) == view ? Own : Enemy,
                                                         kind_of(piece)};
    }
    for (int square = 0; square < 64; ++square)
        if (!empty(square)) reach_[static_cast<std::size_t>(square)] = reach(square);
}

int LinearReference::distance(int a, int b) {
    return std::max(std::abs(file(a) - file(b)), std::abs(rank(a) - rank(b)));
}

bool LinearReference::is(int square, Owner owner, PieceKind kind) const {
    const Place& place = places_[static_cast<std::size_t>(square)];
    return place.owner == owner && place.kind == kind;
}

std::vector<int> LinearReference::all(Owner owner, PieceKind kind) const {
    std::vector<int> found;
    for (int square = 0; square < 64; ++square)
        if (is(square, owner, kind)) found.push_back(square);
    return found;
}

std::vector<int> LinearReference::all(Owner owner) const {
    std::vector<int> found;
    for (int square = 0; square < 64; ++square)
        if (places_[static_cast<std::size_t>(square)].owner == owner) found.push_back(square);
    return found;
}

std::vector<int> LinearReference::officers(Owner owner) const {
    std::vector<int> found = all(owner);
    std::erase_if(found, [&](int square) { return is(square, owner, Pawn) || is(square, owner, King); });
    return found;
}

int LinearReference::number(Owner owner, PieceKind kind) const {
    return static_cast<int>(all(owner, kind).size());
}

// Squares in the directions of bishop or rook as far as the edge or, if it stops there, the first piece.
std::vector<int> LinearReference::walk(int from, bool diagonal, bool straight, bool stops) const {
    std::vector<int> found;
    for (int df = -1; df <= 1; ++df)
        for (int dr = -1; dr <= 1; ++dr) {
            if (df == 0 && dr == 0) continue;
            if (df != 0 && dr != 0 ? !diagonal : !straight) continue;
            for (int f = file(from) + df, r = rank(from) + dr; f >= 0 && f < 8 && r >= 0 && r < 8;
                 f += df, r += dr) {
                found.push_back(8 * r + f);
                if (stops && !empty(8 * r + f)) break;
            }
        }
    return found;
}

std::vector<int> LinearReference::reach(int from) const {
    const Place& place = places_[static_cast<std::size_t>(from)];
    std::vector<int> found;
    switch (place.kind) {
        case Bishop:
            return walk(from, true, false, true);
        case Rook:
            return walk(from, false, true, true);
        case Queen:
            return walk(from, true, true, true);
        default:
            break;
    }
    for (int to = 0; to < 64; ++to) {
        const int df = std::abs(file(to) - file(from));
        const int dr = rank(to) - rank(from);
        const bool hit = place.kind == Knight ? df * std::abs(dr) == 2
                         : place.kind == King ? std::max(df, std::abs(dr)) == 1
                                              : df == 1 && dr == (place.owner == Own ? 1 : -1);
        if (hit) found.push_back(to);
    }
    return found;
}

bool LinearReference::reaches(int from, int to) const {
    return std::ranges::count(reach_[static_cast<std::size_t>(from)], to) > 0;
}

int LinearReference::attackers(int square, Owner owner) const {
    return static_cast<int>(
        std::ranges::count_if(all(owner), [&](int from) { return reaches(from, square); }));
}

bool LinearReference::attacked_by(int square, Owner owner, PieceKind kind) const {
    return std::ranges::any_of(all(owner, kind), [&](int from) { return reaches(from, square); });
}

bool LinearReference::attacked_by_lesser(int square, Owner owner, PieceKind than) const {
    if (than == Pawn || than == King) return false;
    bool found = attacked_by(square, owner, Pawn);
    if (than == Rook || than == Queen)
        found |= attacked_by(square, owner, Knight) || attacked_by(square, owner, Bishop);
    if (than == Queen) found |= attacked_by(square, owner, Rook);
    return found;
}

int LinearReference::mobility(int square, bool safe) const {
    int count = 0;
    const PieceKind kind = places_[static_cast<std::size_t>(square)].kind;
    for (const int to : reach_[static_cast<std::size_t>(square)]) {
        if (places_[static_cast<std::size_t>(to)].owner == Own) continue;
        if (safe && attacked_by_lesser(to, Enemy, kind)) continue;
        ++count;
    }
    return count;
}

bool LinearReference::hangs(int square) const {
    const Place& place = places_[static_cast<std::size_t>(square)];
    return place.owner == Own && place.kind != King && attackers(square, Enemy) > 0 &&
           attackers(square, Own) == 0;
}

bool LinearReference::en_prise(int square) const {
    const Place& place = places_[static_cast<std::size_t>(square)];
    return place.owner == Own && (hangs(square) || attacked_by_lesser(square, Enemy, place.kind));
}

int LinearReference::en_prise_number() const {
    return static_cast<int>(std::ranges::count_if(all(Own), [&](int square) { return en_prise(square); }));
}

// The piece between two squares of one line, if there is exactly one.
std::vector<int> LinearReference::alone_between(int a, int b) const {
    const int df = (file(b) > file(a)) - (file(b) < file(a));
    const int dr = (rank(b) > rank(a)) - (rank(b) < rank(a));
    std::vector<int> found;
    for (int square = a + 8 * dr + df; square != b; square += 8 * dr + df)
        if (!empty(square)) found.push_back(square);
    if (found.size() != 1) found.clear();
    return found;
}

int LinearReference::pawns_where(Owner owner, int low_file, int high_file, int low_rank,
                                 int high_rank) const {
    int count = 0;
    for (const int pawn : all(owner, Pawn))
        count += file(pawn) >= low_file && file(pawn) <= high_file && rank(pawn) >= low_rank &&
                 rank(pawn) <= high_rank;
    return count;
}

bool LinearReference::isolated(int pawn, Owner owner) const {
    return pawns_where(owner, file(pawn) - 1, file(pawn) - 1, 0, 7) == 0 &&
           pawns_where(owner, file(pawn) + 1, file(pawn) + 1, 0, 7) == 0;
}

bool LinearReference::weak(int pawn, Owner owner) const {
    const int low = owner == Own ? 0 : rank(pawn);
    const int high = owner == Own ? rank(pawn) : 7;
    return pawns_where(owner, file(pawn) - 1, file(pawn) - 1, low, high) == 0 &&
           pawns_where(owner, file(pawn) + 1, file(pawn) + 1, low, high) == 0;
}

bool LinearReference::doubled(int pawn) const {
    return pawns_where(Own, file(pawn), file(pawn), rank(pawn) + 1, 7) > 0;
}

bool LinearReference::passed(int pawn) const {
    return !doubled(pawn) && pawns_where(Enemy, file(pawn) - 1, file(pawn) + 1, rank(pawn) + 1, 7) == 0;
}

bool LinearReference::candidate(int pawn) const {
    const int f = file(pawn);
    if (passed(pawn) || doubled(pawn) || pawns_where(Enemy, f, f, rank(pawn) + 1, 7) > 0) return false;
    const int helpers =
        pawns_where(Own, f - 1, f - 1, 0, rank(pawn)) + pawns_where(Own, f + 1, f + 1, 0, rank(pawn));
    const int guards = pawns_where(Enemy, f - 1, f - 1, rank(pawn) + 1, 7) +
                       pawns_where(Enemy, f + 1, f + 1, rank(pawn) + 1, 7);
    return helpers >= guards;
}

bool LinearReference::unstoppable(int pawn) const {
    if (!passed(pawn) || !officers(Enemy).empty()) return false;
    for (int square = pawn + 8; square < 64; square += 8)
        if (!empty(square)) return false;
    int moves = 7 - rank(pawn);
    if (rank(pawn) == 1) --moves;
    int king_moves = distance(king(Enemy), 56 + file(pawn));
    if (!to_move_) --king_moves;
    return king_moves > moves;
}

bool LinearReference::rook_behind(int pawn, Owner owner) const {
    for (int square = pawn - 8; square >= 0; square -= 8)
        if (!empty(square)) return is(square, owner, Rook);
    return false;
}

int LinearReference::islands() const {
    int count = 0;
    for (int f = 0; f < 8; ++f)
        count += pawns_where(Own, f, f, 0, 7) > 0 && (f == 0 || pawns_where(Own, f - 1, f - 1, 0, 7) == 0);
    return count;
}

int LinearReference::count_pawns(Block block, int i, int j) const {
    static_cast<void>(j);
    int count = 0;
    const auto where = [&](auto&& condition) {
        for (const int pawn : all(Own, Pawn)) count += condition(pawn);
        return count;
    };
    switch (block) {
        case Block::DoubledPawn:
            return where([&](int p) { return doubled(p); });
        case Block::DoubledFile:
            return where([&](int p) { return doubled(p) && file(p) == i; });
        case Block::IsolatedPawn:
            return where([&](int p) { return isolated(p, Own); });
        case Block::IsolatedSquare:
            return where([&](int p) { return isolated(p, Own) && p == 8 + i; });
        case Block::IsolatedOpen:
            return where([&](int p) {
                return isolated(p, Own) && pawns_where(Enemy, file(p), file(p), rank(p) + 1, 7) == 0;
            });
        case Block::WeakPawn:
            return where([&](int p) { return weak(p, Own) && !isolated(p, Own); });
        case Block::WeakSquare:
            return where([&](int p) { return weak(p, Own) && !isolated(p, Own) && p == 8 + i; });
        case Block::BackwardPawn:
            return where(
                [&](int p) { return weak(p, Own) && !isolated(p, Own) && attacked_by(p + 8, Enemy, Pawn); });
        case Block::DefendedPawn:
            return where([&](int p) { return p == 16 + i && attacked_by(p, Own, Pawn); });
        case Block::PawnDuo:
            return where([&](int p) {
                return p == 8 + i && pawns_where(Own, file(p) - 1, file(p) + 1, rank(p), rank(p)) > 1;
            });
        case Block::CandidatePawn:
            return where([&](int p) { return candidate(p) && rank(p) == 1 + i; });
        case Block::PawnIslands:
            return islands() == i;
        case Block::PawnMajority: {
            const int low = i == 0 ? 0 : i == 1 ? 3 : 5;
            const int high = i == 0 ? 2 : i == 1 ? 4 : 7;
            return pawns_where(Own, low, high, 0, 7) > pawns_where(Enemy, low, high, 0, 7);
        }
        case Block::BlockedPawn:
            return where(
                [&](int p) { return p == 8 + i && places_[static_cast<std::size_t>(p + 8)].owner == Own; });
        default:
            std::abort();
    }
}

int LinearReference::count_passed(Block block, int i) const {
    int count = 0;
    for (const int p : all(Own, Pawn)) {
        if (!passed(p)) continue;
        const int next = p + 8;
        const bool on_rank = rank(p) == 1 + i;
        const Place& before = places_[static_cast<std::size_t>(next)];
        bool clear = true;
        for (int square = next; square < 64; square += 8)
            clear &= empty(square) && attackers(square, Enemy) == 0;
        bool connected = false;
        for (const int q : all(Own, Pawn))
            connected |= passed(q) && std::abs(file(p) - file(q)) == 1 && std::abs(rank(p) - rank(q)) <= 1;
        switch (block) {
            case Block::PassedPawn:
                count += on_rank;
                break;
            case Block::PassedSquare:
                count += p == 8 + i;
                break;
            case Block::PassedDefended:
                count += rank(p) == 2 + i && attacked_by(p, Own, Pawn);
                break;
            case Block::PassedConnected:
                count += on_rank && connected;
                break;
            case Block::PassedBlocked:
                count += on_rank && before.owner == Enemy;
                break;
            case Block::PassedBlocker:
                count += before.owner == Enemy && before.kind == Knight + i;
                break;
            case Block::PassedObstructed:
                count += on_rank && before.owner == Own;
                break;
            case Block::PassedFree:
                count += on_rank && empty(next) && attackers(next, Enemy) == 0;
                break;
            case Block::PassedClear:
                count += on_rank && clear;
                break;
            case Block::PassedKing:
                count += on_rank && (distance(king(Own), p) <= 1 || distance(king(Own), next) <= 1);
                break;
            case Block::PassedRook:
                count += on_rank && rook_behind(p, Own);
                break;
            case Block::PassedEnemyRook:
                count += on_rank && rook_behind(p, Enemy);
                break;
            case Block::PassedOwnKing:
                count += distance(king(Own), next) == i;
                break;
            case Block::PassedEnemyKing:
                count += distance(king(Enemy), next) == i;
                break;
            case Block::UnstoppablePawn:
                count += unstoppable(p);
                break;
            case Block::UnstoppableRank:
                count += on_rank && unstoppable(p);
                break;
            default:
                std::abort();
        }
    }
    return count;
}

int LinearReference::count_activity(Block block, int i, int j) const {
    int count = 0;
    const auto of_kind = [&](Owner owner, int kind, auto&& condition) {
        for (const int square : all(owner, static_cast<PieceKind>(kind))) count += condition(square);
        return count;
    };
    const auto mobile = [&](int kind, bool safe) {
        return of_kind(Own, kind, [&](int square) { return mobility(square, safe) == i; });
    };
    switch (block) {
        case Block::KnightMobility:
            return mobile(Knight, false);
        case Block::BishopMobility:
            return mobile(Bishop, false);
        case Block::RookMobility:
            return mobile(Rook, false);
        case Block::QueenMobility:
            return mobile(Queen, false);
        case Block::KnightSafeMobility:
            return mobile(Knight, true);
        case Block::BishopSafeMobility:
            return mobile(Bishop, true);
        case Block::RookSafeMobility:
            return mobile(Rook, true);
        case Block::QueenSafeMobility:
            return mobile(Queen, true);
        case Block::KingMobility:
            for (const int to : reach(king(Own)))
                count += places_[static_cast<std::size_t>(to)].owner != Own && attackers(to, Enemy) == 0;
            return count == i;
        case Block::PawnMobility:
            return of_kind(Own, Pawn, [&](int square) { return empty(square + 8); }) == i;
        case Block::ControlSquare:
            return std::min(3, attackers(i, Own)) > std::min(3, attackers(i, Enemy));
        case Block::AttackSquare:
            return attackers(i, Own) > 0;
        case Block::PawnControl:
            return attacked_by(16 + i, Own, Pawn);
        case Block::Space:
            for (int f = 2; f <= 5; ++f)
                for (int r = 1; r <= 3; ++r)
                    count += !is(8 * r + f, Own, Pawn) && !attacked_by(8 * r + f, Enemy, Pawn);
            return count == i;
        case Block::Attack:
            return of_kind(Enemy, j,
                           [&](int square) { return attacked_by(square, Own, static_cast<PieceKind>(i)); });
        case Block::Defence:
            return of_kind(Own, j,
                           [&](int square) { return attacked_by(square, Own, static_cast<PieceKind>(i)); });
        case Block::AttackedTwice:
            return of_kind(Enemy, i, [&](int square) { return attackers(square, Own) >= 2; });
        case Block::Outnumbered:
            return of_kind(Own, i, [&](int square) {
                return std::min(3, attackers(square, Enemy)) > std::min(3, attackers(square, Own));
            });
        case Block::Undefended:
            return of_kind(Own, i, [&](int square) { return attackers(square, Own) == 0; });
        case Block::Hanging:
            return of_kind(Own, i, [&](int square) { return hangs(square); });
        case Block::HangingSquare:
            return hangs(i);
        case Block::LesserAttack:
            return of_kind(Own, Knight + i, [&](int square) {
                return attacked_by_lesser(square, Enemy, static_cast<PieceKind>(Knight + i));
            });
        case Block::LesserAttackSquare: {
            const Place& place = places_[static_cast<std::size_t>(i)];
            return place.owner == Own && attacked_by_lesser(i, Enemy, place.kind);
        }
        case Block::EnPriseNumber:
            return en_prise_number() > 0 && std::min(3, en_prise_number()) == i + 1;
        case Block::EnPriseMoving:
            return to_move_ ? of_kind(Own, i, [&](int square) { return en_prise(square); }) : 0;
        case Block::EnPriseWaiting:
            return to_move_ ? 0 : of_kind(Own, i, [&](int square) { return en_prise(square); });
        case Block::DoubleWaiting:
            return !to_move_ && en_prise_number() >= 2;
        case Block::Trapped:
            return of_kind(Own, Knight + i, [&](int square) { return mobility(square, true) == 0; });
        case Block::TrappedAttacked:
            return of_kind(Own, Knight + i, [&](int square) {
                return mobility(square, true) == 0 && attackers(square, Enemy) > 0;
            });
        case Block::Pinned:
        case Block::PinnedToQueen: {
            const bool to_king = block == Block::Pinned;
            for (const int back : all(Own, to_king ? King : Queen))
                for (const int slider : all(Enemy, static_cast<PieceKind>(Bishop + j))) {
                    const bool diagonal = Bishop + j != Rook;
                    const bool straight = Bishop + j != Bishop;
                    if (std::ranges::count(walk(back, diagonal, straight, false), slider) == 0) continue;
                    for (const int pinned : alone_between(back, slider))
                        count += is(pinned, Own, static_cast<PieceKind>(i));
                }
            return count;
        }
        case Block::PinnedByPawn: {
            std::vector<int> pinned;
            for (const PieceKind kind : {Bishop, Rook, Queen})
                for (const int slider : all(Enemy, kind))
                    if (std::ranges::count(walk(king(Own), kind != Rook, kind != Bishop, false), slider) > 0)
                        for (const int square : alone_between(king(Own), slider))
                            if (places_[static_cast<std::size_t>(square)].owner == Own &&
                                attacked_by(square, Enemy, Pawn))
                                pinned.push_back(square);
            return static_cast<int>(pinned.size());
        }
        case Block::Discoverer: {
            std::vector<bool> found(64);
            for (const PieceKind kind : {Bishop, Rook, Queen})
                for (const int slider : all(Own, kind))
                    if (std::ranges::count(walk(king(Enemy), kind != Rook, kind != Bishop, false), slider) >
                        0)
                        for (const int square : alone_between(king(Enemy), slider))
                            found[static_cast<std::size_t>(square)] = true;
            return of_kind(Own, i, [&](int square) { return found[static_cast<std::size_t>(square)]; });
        }
        default:
            std::abort();
    }
}

}  // namespace scholar::tests
