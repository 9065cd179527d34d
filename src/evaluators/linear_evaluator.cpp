#include "evaluators/linear_evaluator.hpp"

#include "nets/board_change.hpp"

namespace scholar::evaluators {

using namespace chess;
using nets::FeatureCounts;

LinearEvaluator::LinearEvaluator(std::shared_ptr<const nets::LinearNetwork> network)
    : network_(std::move(network)), pawns_(kPawnEntries) {
    path_.reserve(kMaxPly + 16);
    reset(Position());
}

void LinearEvaluator::reset(const Position& position) {
    FeatureCounts counts;
    nets::count_placement(position, counts);
    path_.assign(1, {});
    accumulate(*network_, counts, path_.back());
}

void LinearEvaluator::push(const Position& before, Move move) {
    const nets::BoardChange change = nets::board_change(before, move);
    FeatureCounts counts;
    for (int i = 0; i < change.added_count; ++i)
        nets::count_piece(change.added[i].piece, change.added[i].square, 1, counts);
    for (int i = 0; i < change.removed_count; ++i)
        nets::count_piece(change.removed[i].piece, change.removed[i].square, -1, counts);
    path_.push_back(path_.back());
    accumulate(*network_, counts, path_.back());
}

void LinearEvaluator::push_null(const Position&) {
    path_.push_back(path_.back());
}

const LinearEvaluator::PawnEntry& LinearEvaluator::pawns_of(const Position& position) {
    const Bitboard white = position.pieces(White, Pawn);
    const Bitboard black = position.pieces(Black, Pawn);
    const std::uint64_t mixed = (white * 0x9E3779B97F4A7C15ULL) ^ (black * 0xC2B2AE3D27D4EB4FULL);
    PawnEntry& entry = pawns_[(mixed ^ mixed >> 32) * 0x9E3779B97F4A7C15ULL >> 52];
    // An entry that was never written is right for a board without pawns: what both sides have alike cancels.
    if (entry.white == white && entry.black == black) return entry;
    FeatureCounts counts;
    entry = {white, black, nets::count_pawns(white, black, counts), {}};
    accumulate(*network_, counts, entry.sums);
    return entry;
}

Score LinearEvaluator::value(const Position& position) {
    const PawnEntry& pawns = pawns_of(position);
    FeatureCounts counts;
    nets::count_rest(position, pawns.sets, counts);
    nets::StageSums sums = path_.back();
    for (std::size_t stage = 0; stage < sums.size(); ++stage) sums[stage] += pawns.sums[stage];
    accumulate(*network_, counts, sums);
    const Score white = nets::to_score(nets::weigh(sums, nets::stage_shares(position)));
    return position.side_to_move() == White ? white : -white;
}

}  // namespace scholar::evaluators
