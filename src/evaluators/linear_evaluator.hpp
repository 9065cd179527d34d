#pragma once

#include <memory>
#include <vector>

#include "evaluators/leaf_evaluator.hpp"
#include "nets/linear/linear_network.hpp"

namespace scholar::evaluators {

// An evaluation of architecture "linear". The sums of material and piece-square weights follow the moves of
// the path; those of the pawns' features are kept for the pawn structures met before; all else is counted
// anew at each leaf.
class LinearEvaluator {
  public:
    explicit LinearEvaluator(std::shared_ptr<const nets::LinearNetwork> network);

    void reset(const chess::Position& position);
    void push(const chess::Position& before, chess::Move move);
    void push_null(const chess::Position& before);
    void pop() { path_.pop_back(); }
    chess::Score value(const chess::Position& position);
    const nets::PieceValues& piece_values() const { return network_->info.piece_values; }

  private:
    // Known by the pawns themselves, not by a hash of them: no structure is mistaken for another.
    struct PawnEntry {
        chess::Bitboard white = 0;
        chess::Bitboard black = 0;
        nets::PawnSets sets;
        nets::StageSums sums{};
    };
    static constexpr std::size_t kPawnEntries = 1 << 12;

    const PawnEntry& pawns_of(const chess::Position& position);

    std::shared_ptr<const nets::LinearNetwork> network_;
    // White's less Black's, by stage: of the root and after each move of the path.
    std::vector<nets::StageSums> path_;
    std::vector<PawnEntry> pawns_;
};

static_assert(LeafEvaluator<LinearEvaluator>);

}  // namespace scholar::evaluators
