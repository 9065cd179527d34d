#pragma once

#include <array>
#include <vector>

#include "chess/position.hpp"
#include "nets/linear/linear_features.hpp"

// The features of the linear evaluation once more: one after the other, by walking over a board of squares,
// as the table says it in words. Slow, and independent of the code it is to judge.

namespace scholar::tests {

class LinearReference {
  public:
    explicit LinearReference(const chess::Position& position, chess::Color view);

    // What this side has of a feature.
    int count(nets::Block block, int i, int j) const;

  private:
    enum Owner { Nobody, Own, Enemy };
    struct Place {
        Owner owner = Nobody;
        chess::PieceKind kind = chess::NoKind;
    };

    static int file(int square) { return square % 8; }
    static int rank(int square) { return square / 8; }
    static int distance(int a, int b);
    static bool dark(int square) { return (file(square) + rank(square)) % 2 == 0; }
    static Owner other(Owner owner) { return owner == Own ? Enemy : Own; }
    bool is(int square, Owner owner, chess::PieceKind kind) const;
    std::vector<int> all(Owner owner, chess::PieceKind kind) const;
    std::vector<int> all(Owner owner) const;
    std::vector<int> officers(Owner owner) const;
    int number(Owner owner, chess::PieceKind kind) const;
    int king(Owner owner) const { return all(owner, chess::King).front(); }
    bool empty(int square) const { return places_[static_cast<std::size_t>(square)].owner == Nobody; }

    std::vector<int> walk(int from, bool diagonal, bool straight, bool stops) const;
    std::vector<int> reach(int from) const;
    bool reaches(int from, int to) const;
    int attackers(int square, Owner owner) const;
    bool attacked_by(int square, Owner owner, chess::PieceKind kind) const;
    bool attacked_by_lesser(int square, Owner owner, chess::PieceKind than) const;

    int mobility(int square, bool safe) const;
    bool hangs(int square) const;
    bool en_prise(int square) const;
    int en_prise_number() const;
    std::vector<int> alone_between(int a, int b) const;

    int pawns_where(Owner owner, int low_file, int high_file, int low_rank, int high_rank) const;
    bool isolated(int pawn, Owner owner) const;
    bool weak(int pawn, Owner owner) const;
    bool doubled(int pawn) const;
    bool passed(int pawn) const;
    bool candidate(int pawn) const;
    bool unstoppable(int pawn) const;
    bool rook_behind(int pawn, Owner owner) const;
    int islands() const;

    bool on_seventh() const;
    bool both_colours(Owner owner) const;
    bool beyond_pawns(int square) const;
    int lead() const;
    int points(Owner owner) const;
    bool only(Owner owner, int knights, int bishops, int rooks, int queens) const;
    bool one_minor(Owner owner) const;
    bool opposite_bishops() const;
    int nearest_pawn(Owner owner, int side) const;
    bool castled_short() const;
    bool castled_long() const;
    bool near_enemy_king(int square) const;
    int king_attacker_officers() const;
    int safe_checks(chess::PieceKind kind) const;

    int count_pawns(nets::Block block, int i, int j) const;
    int count_passed(nets::Block block, int i) const;
    int count_activity(nets::Block block, int i, int j) const;
    int count_officers(nets::Block block, int i) const;
    int count_kings(nets::Block block, int i, int j) const;
    int count_lead(nets::Block block, int i) const;

    std::array<Place, 64> places_;
    std::array<std::vector<int>, 64> reach_;
    bool to_move_;
    bool may_short_;
    bool may_long_;
};

// As nets::dense_counts(): for the side to move, less what the other side has.
std::vector<int> reference_counts(const chess::Position& position);

}  // namespace scholar::tests
