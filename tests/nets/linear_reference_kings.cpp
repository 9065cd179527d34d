#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "nets/linear_reference.hpp"

namespace scholar::tests {

using namespace chess;
using nets::Block;

bool LinearReference::on_seventh() const {
    return rank(king(Enemy)) == 7 || pawns_where(Enemy, 0, 7, 6, 6) > 0;
}

bool LinearReference::both_colours(Owner owner) const {
    const auto bishops = all(owner, Bishop);
    return std::ranges::any_of(bishops, dark) && !std::ranges::all_of(bishops, dark);
}

// No enemy pawn can ever attack the square.
bool LinearReference::beyond_pawns(int square) const {
    const int f = file(square);
    return pawns_where(Enemy, f - 1, f - 1, rank(square) + 1, 7) == 0 &&
           pawns_where(Enemy, f + 1, f + 1, rank(square) + 1, 7) == 0;
}

int LinearReference::count_officers(Block block, int i) const {
    int count = 0;
    const auto of_kind = [&](PieceKind kind, auto&& condition) {
        for (const int square : all(Own, kind)) count += condition(square);
        return count;
    };
    const auto pawns_on_file = [&](Owner owner, int square) {
        return pawns_where(owner, file(square), file(square), 0, 7);
    };
    const auto is_outpost = [&](int square, bool defended) {
        return square == 24 + i && beyond_pawns(square) && attacked_by(square, Own, Pawn) == defended;
    };
    const auto pawns_of_colour = [&](Owner owner, int square) {
        return std::ranges::count_if(all(owner, Pawn), [&](int p) { return dark(p) == dark(square); });
    };
    switch (block) {
        case Block::RookOpenFile:
            return of_kind(Rook, [&](int s) {
                return file(s) == i && pawns_on_file(Own, s) + pawns_on_file(Enemy, s) == 0;
            });
        case Block::RookHalfOpenFile:
            return of_kind(Rook, [&](int s) {
                return file(s) == i && pawns_on_file(Own, s) == 0 && pawns_on_file(Enemy, s) > 0;
            });
        case Block::QueenOpenFile:
            return of_kind(Queen, [&](int s) { return file(s) == i && pawns_on_file(Own, s) == 0; });
        case Block::RookSeventh:
            return of_kind(Rook, [&](int s) { return rank(s) == 6 && on_seventh(); });
        case Block::QueenSeventh:
            return of_kind(Queen, [&](int s) { return rank(s) == 6 && on_seventh(); });
        case Block::SeventhPair:
            of_kind(Rook, [&](int s) { return rank(s) == 6 && on_seventh(); });
            return of_kind(Queen, [&](int s) { return rank(s) == 6 && on_seventh(); }) >= 2;
        case Block::RooksConnected:
            return of_kind(Rook, [&](int s) { return attacked_by(s, Own, Rook); }) > 0;
        case Block::RooksConnectedHome:
            return of_kind(Rook, [&](int s) { return rank(s) == 0 && attacked_by(s, Own, Rook); }) >= 2;
        case Block::RooksDoubled:
            for (const int a : all(Own, Rook))
                for (const int b : all(Own, Rook))
                    count += a != b && file(a) == file(b) && pawns_on_file(Own, a) == 0;
            return count > 0;
        case Block::RookOnQueen:
            return of_kind(Rook, [&](int s) {
                return std::ranges::any_of(all(Enemy, Queen), [&](int q) { return file(q) == file(s); });
            });
        case Block::RookOnKing:
            return of_kind(Rook, [&](int s) { return file(s) == file(king(Enemy)); });
        case Block::RookWalledIn: {
            if (may_short_ || may_long_) return 0;
            const int k = king(Own);
            return of_kind(Rook, [&](int s) {
                if (s > 7) return false;
                return ((k == F1 || k == G1) && s > k && s >= G1) ||
                       ((k == B1 || k == C1) && s < k && s <= B1);
            });
        }
        case Block::RookWeakPawn:
            for (const int p : all(Enemy, Pawn)) count += weak(p, Enemy) && attacked_by(p, Own, Rook);
            return count;
        case Block::KnightOutpost:
            return of_kind(Knight, [&](int s) { return is_outpost(s, true); });
        case Block::KnightHole:
            return of_kind(Knight, [&](int s) { return is_outpost(s, false); });
        case Block::BishopOutpost:
            return of_kind(Bishop, [&](int s) { return is_outpost(s, true); });
        case Block::BishopHole:
            return of_kind(Bishop, [&](int s) { return is_outpost(s, false); });
        case Block::BishopPair:
            return both_colours(Own);
        case Block::BishopPairPawns:
            return both_colours(Own) && number(Own, Pawn) == i;
        case Block::KnightPawns:
            return number(Own, Pawn) == i ? number(Own, Knight) : 0;
        case Block::RookPawns:
            return number(Own, Pawn) == i ? number(Own, Rook) : 0;
        case Block::QueenPawns:
            return number(Own, Pawn) == i ? number(Own, Queen) : 0;
        case Block::BishopOwnPawns:
            return of_kind(Bishop, [&](int s) { return pawns_of_colour(Own, s) == i; });
        case Block::BishopEnemyPawns:
            return of_kind(Bishop, [&](int s) { return pawns_of_colour(Enemy, s) == i; });
        case Block::LongDiagonal:
            return of_kind(Bishop, [&](int s) {
                const auto sees = [&](int to) { return s == to || reaches(s, to); };
                return (sees(D4) && sees(E5)) || (sees(E4) && sees(D5));
            });
        case Block::Fianchetto:
            return of_kind(Bishop, [&](int s) { return (s == B2 || s == G2) && is(s + 8, Own, Pawn); });
        case Block::MinorsAtHome:
        case Block::EarlyQueen: {
            const int home =
                is(B1, Own, Knight) + is(G1, Own, Knight) + is(C1, Own, Bishop) + is(F1, Own, Bishop);
            if (block == Block::MinorsAtHome) return home == i;
            return home >= 3 && number(Own, Queen) > 0 && !is(D1, Own, Queen);
        }
        case Block::CentrePawnBlocked:
            return is(D2 + i, Own, Pawn) && places_[static_cast<std::size_t>(D3 + i)].owner == Own;
        case Block::PushThreat:
            for (const int target : all(Enemy, static_cast<PieceKind>(Knight + i))) {
                bool found = false;
                for (const int p : all(Own, Pawn)) {
                    const int to = p + 8;
                    if (!empty(to) || attacked_by(to, Enemy, Pawn)) continue;
                    if (attackers(to, Enemy) > 0 && attackers(to, Own) == 0) continue;
                    found |= rank(target) == rank(to) + 1 && std::abs(file(target) - file(to)) == 1;
                }
                count += found;
            }
            return count;
        case Block::KnightFork:
            return of_kind(Knight, [&](int s) {
                int targets = 0;
                for (const PieceKind kind : {Rook, Queen, King})
                    for (const int target : all(Enemy, kind)) targets += reaches(s, target);
                return targets >= 2;
            });
        case Block::PawnFork:
            return of_kind(Pawn, [&](int s) {
                int targets = 0;
                for (const int target : all(Enemy)) targets += reaches(s, target) && !is(target, Enemy, Pawn);
                return targets == 2;
            });
        default:
            std::abort();
    }
}

// The rank, from 1, of the lowest pawn not below the own king; 8 for none. Side −1 to 1.
int LinearReference::nearest_pawn(Owner owner, int side) const {
    const int f = file(king(Own)) + side;
    for (int r = rank(king(Own)); r < 8; ++r)
        if (is(8 * r + f, owner, Pawn)) return r + 1;
    return 8;
}

bool LinearReference::castled_short() const {
    const int k = king(Own);
    if (may_short_ || may_long_ || (k != G1 && k != H1)) return false;
    return std::ranges::none_of(all(Own, Rook), [&](int s) { return s > k && s <= 7; });
}

bool LinearReference::castled_long() const {
    const int k = king(Own);
    if (may_short_ || may_long_ || k > C1) return false;
    return std::ranges::none_of(all(Own, Rook), [&](int s) { return s < k; });
}

bool LinearReference::near_enemy_king(int square) const {
    return distance(square, king(Enemy)) == 1;
}

int LinearReference::king_attacker_officers() const {
    int count = 0;
    for (const int square : officers(Own))
        count += std::ranges::any_of(reach_[static_cast<std::size_t>(square)],
                                     [&](int to) { return near_enemy_king(to); });
    return count;
}

int LinearReference::safe_checks(PieceKind kind) const {
    int count = 0;
    for (int square = 0; square < 64; ++square) {
        if (!attacked_by(square, Own, kind)) continue;
        if (places_[static_cast<std::size_t>(square)].owner == Own || attackers(square, Enemy) > 0) continue;
        bool gives_check = false;
        if (kind == Knight)
            gives_check =
                std::abs(file(square) - file(king(Enemy))) * std::abs(rank(square) - rank(king(Enemy))) == 2;
        else
            gives_check =
                std::ranges::count(walk(king(Enemy), kind != Rook, kind != Bishop, true), square) > 0;
        count += gives_check;
    }
    return count;
}

int LinearReference::count_kings(Block block, int i, int j) const {
    int count = 0;
    const int k = king(Own);
    const auto on_file = [&](Owner owner) { return pawns_where(owner, i, i, 0, 7); };
    const auto so_far = [&](Owner from) {
        for (const int square : all(Own, static_cast<PieceKind>(i)))
            count += distance(king(from), square) == 1 + j;
        return count;
    };
    switch (block) {
        case Block::Shelter:
        case Block::Storm: {
            const int f = file(k) + i - 1;
            if (f < 0 || f > 7) return 0;
            return nearest_pawn(block == Block::Shelter ? Own : Enemy, i - 1) == 2 + j;
        }
        case Block::KingOpenFile:
            return file(k) == i && on_file(Own) == 0 && on_file(Enemy) == 0;
        case Block::KingHalfOpenFile:
            return file(k) == i && on_file(Own) == 0 && on_file(Enemy) > 0;
        case Block::Guard:
            return so_far(Own);
        case Block::Tropism:
            return so_far(Enemy);
        case Block::BackRank:
            if (rank(k) != 0 || number(Enemy, Rook) + number(Enemy, Queen) == 0) return 0;
            for (const int to : reach(k))
                if (rank(to) == 1 && places_[static_cast<std::size_t>(to)].owner != Own &&
                    attackers(to, Enemy) == 0)
                    return 0;
            return 1;
        case Block::Castled:
            return castled_short() || castled_long();
        case Block::CastledShort:
            return castled_short();
        case Block::CastledLong:
            return castled_long();
        case Block::MayCastleShort:
            return may_short_;
        case Block::MayCastleLong:
            return may_long_;
        case Block::CastlingLost:
            return !may_short_ && !may_long_ && !castled_short() && !castled_long();
        case Block::KingAttackers:
            for (const int square : all(Own, static_cast<PieceKind>(i)))
                count += std::ranges::any_of(reach_[static_cast<std::size_t>(square)],
                                             [&](int to) { return near_enemy_king(to); });
            return count;
        case Block::KingAttackerNumber:
            return std::min(5, king_attacker_officers()) == i;
        case Block::KingAttackerQueen:
            return number(Own, Queen) > 0 && std::min(5, king_attacker_officers()) == i;
        case Block::KingRingAttacked:
            for (int square = 0; square < 64; ++square)
                count += near_enemy_king(square) && attackers(square, Own) > 0;
            return count == i;
        case Block::KingRingWeak:
            for (int square = 0; square < 64; ++square)
                count +=
                    near_enemy_king(square) && attackers(square, Own) > 0 && attackers(square, Enemy) == 1;
            return count == i;
        case Block::KingRingSquare: {
            constexpr std::array<std::pair<int, int>, 8> steps{
                {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
            const auto [df, dr] = steps[static_cast<std::size_t>(i)];
            const int f = file(king(Enemy)) + df;
            const int r = rank(king(Enemy)) + dr;
            return f >= 0 && f < 8 && r >= 0 && r < 8 && attackers(8 * r + f, Own) > 0;
        }
        case Block::SafeCheck:
            return safe_checks(static_cast<PieceKind>(Knight + i));
        default:
            std::abort();
    }
}

int LinearReference::points(Owner owner) const {
    return number(owner, Pawn) + 4 * number(owner, Knight) + 4 * number(owner, Bishop) +
           6 * number(owner, Rook) + 12 * number(owner, Queen);
}

int LinearReference::lead() const {
    return std::clamp(points(Own) - points(Enemy), 0, 4);
}

bool LinearReference::only(Owner owner, int knights, int bishops, int rooks, int queens) const {
    return number(owner, Knight) == knights && number(owner, Bishop) == bishops &&
           number(owner, Rook) == rooks && number(owner, Queen) == queens;
}

bool LinearReference::one_minor(Owner owner) const {
    return only(owner, 1, 0, 0, 0) || only(owner, 0, 1, 0, 0);
}

bool LinearReference::opposite_bishops() const {
    return number(Own, Bishop) == 1 && number(Enemy, Bishop) == 1 &&
           dark(all(Own, Bishop).front()) != dark(all(Enemy, Bishop).front());
}

int LinearReference::count_lead(Block block, int i) const {
    if (lead() == 0) return 0;
    const int pawns = number(Own, Pawn);
    const int k = king(Enemy);
    const auto value = [&](bool condition) { return condition ? lead() : 0; };
    const auto corners = [&](bool of_dark, bool any) {
        int nearest = 14;
        for (const int corner : {A1, H1, A8, H8})
            if (any || dark(corner) == of_dark)
                nearest =
                    std::min(nearest, std::abs(file(k) - file(corner)) + std::abs(rank(k) - rank(corner)));
        return nearest;
    };
    switch (block) {
        case Block::TradePieces:
            return value(std::min<int>(7, static_cast<int>(officers(Enemy).size())) == i);
        case Block::TradePawns:
            return value(pawns == i);
        case Block::NoPawns:
            return value(pawns == 0);
        case Block::OnePawn:
            return value(pawns == 1);
        case Block::OppositeBishops:
            return value(opposite_bishops() && officers(Own).size() + officers(Enemy).size() > 2);
        case Block::OppositeBishopsAlone:
            return value(opposite_bishops() && officers(Own).size() + officers(Enemy).size() == 2);
        case Block::RookEnding:
            return value(only(Own, 0, 0, 1, 0) && only(Enemy, 0, 0, 1, 0));
        case Block::QueenEnding:
            return value(only(Own, 0, 0, 0, 1) && only(Enemy, 0, 0, 0, 1));
        case Block::PawnEnding:
            return value(officers(Own).empty() && officers(Enemy).empty());
        case Block::MinorEnding:
            return value(
                officers(Own).size() + officers(Enemy).size() > 0 &&
                number(Own, Rook) + number(Own, Queen) + number(Enemy, Rook) + number(Enemy, Queen) == 0);
        case Block::OneMinor:
            return value(pawns == 0 && one_minor(Own));
        case Block::TwoKnights:
            return value(pawns == 0 && only(Own, 2, 0, 0, 0));
        case Block::RookAgainstMinor:
            return value(pawns == 0 && only(Own, 0, 0, 1, 0) && one_minor(Enemy));
        case Block::OneWing: {
            const int left = pawns_where(Own, 0, 3, 0, 7) + pawns_where(Enemy, 0, 3, 0, 7);
            const int right = pawns_where(Own, 4, 7, 0, 7) + pawns_where(Enemy, 4, 7, 0, 7);
            return value((left == 0) != (right == 0));
        }
        case Block::WrongBishop:
            for (const int f : {0, 7})
                if (only(Own, 0, 1, 0, 0) && pawns > 0 && pawns_where(Own, f, f, 0, 7) == pawns &&
                    dark(all(Own, Bishop).front()) != dark(56 + f) && distance(k, 56 + f) <= 1)
                    return lead();
            return 0;
        case Block::KingsDistance:
            return distance(king(Own), k) == 2 + i;
        case Block::LoneKingEdge:
            return std::min({file(k), 7 - file(k), rank(k), 7 - rank(k)}) == i;
        case Block::LoneKingCorner:
            return corners(false, true) == i;
        case Block::LoneKingBishop:
            return number(Own, Bishop) > 0 && !both_colours(Own) &&
                   corners(dark(all(Own, Bishop).front()), false) == i;
        default:
            std::abort();
    }
}

int LinearReference::count(Block block, int i, int j) const {
    const auto within = [block](Block first, Block last) { return block >= first && block <= last; };
    if (block == Block::Material) return number(Own, static_cast<PieceKind>(i));
    if (within(Block::PawnNumber, Block::QueenNumber)) {
        const auto kind =
            static_cast<PieceKind>(static_cast<int>(block) - static_cast<int>(Block::PawnNumber));
        constexpr std::array most{8, 2, 2, 2, 1};
        return std::min(number(Own, kind), most[kind]) == i;
    }
    if (block == Block::PawnSquare) return is(8 + i, Own, Pawn);
    if (within(Block::KnightSquare, Block::KingSquare))
        return is(i, Own,
                  static_cast<PieceKind>(static_cast<int>(block) - static_cast<int>(Block::PawnSquare)));
    if (within(Block::KnightMobility, Block::Discoverer)) return count_activity(block, i, j);
    if (within(Block::DoubledPawn, Block::BlockedPawn)) return count_pawns(block, i, j);
    if (within(Block::PassedPawn, Block::UnstoppableRank)) return count_passed(block, i);
    if (within(Block::RookOpenFile, Block::Fianchetto)) return count_officers(block, i);
    if (within(Block::Shelter, Block::Tropism)) return count_kings(block, i, j);
    if (block == Block::Tempo) return to_move_;
    if (within(Block::EnPriseMoving, Block::DoubleWaiting)) return count_activity(block, i, j);
    if (within(Block::PushThreat, Block::CentrePawnBlocked)) return count_officers(block, i);
    return count_lead(block, i);
}

std::vector<int> reference_counts(const Position& position) {
    const LinearReference own(position, position.side_to_move());
    const LinearReference enemy(position, ~position.side_to_move());
    std::vector<int> counts(nets::kLinearFeatures);
    for (int feature = 0; feature < nets::kLinearFeatures; ++feature) {
        const auto [block, i, j] = nets::place_of(feature);
        counts[static_cast<std::size_t>(feature)] = own.count(block, i, j) - enemy.count(block, i, j);
    }
    return counts;
}

}  // namespace scholar::tests
