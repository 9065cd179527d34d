#include "learning/conv/policy_logits.hpp"

#include <ATen/ATen.h>
#include <limits>

#include "learning/targets/move_targets.hpp"

namespace scholar::learning {

namespace {

constexpr int kBoardSquares = static_cast<int>(nets::kPlaneSquares);
constexpr int kQueen = 4;               // nets::SquareMove::promotion
constexpr float kLeastWeight = 1e-30F;  // beside a largest of 1: no logarithm of 0
constexpr float kFarBelow = -1e4F;      // any logit
constexpr float kImpossible = -std::numeric_limits<float>::infinity();

// The steps of what a policy of squares has said: logits [position][from], [position][from][to], and
// [position][promotion, by file] with the queen's 0 as the last.
struct Steps {
    at::Tensor from;
    at::Tensor to;
    at::Tensor promotion;
};

Steps steps_of(const at::Tensor& said) {
    const at::Tensor under = said.narrow(1, nets::kSquaresFrom + nets::kSquaresTo, nets::kUnderpromotions * 8)
                                 .view({-1, nets::kUnderpromotions, 8});
    return {said.narrow(1, 0, nets::kSquaresFrom),
            said.narrow(1, nets::kSquaresFrom, nets::kSquaresTo).reshape({-1, kBoardSquares, kBoardSquares}),
            at::cat({under, at::zeros_like(under.narrow(1, 0, 1))}, 1)};
}

// Of places [position][any]: their parts (nets::square_move_index()).
struct Parts {
    at::Tensor from;
    at::Tensor pair;       // from · 64 + to
    at::Tensor promotion;  // 0: none, then as nets::SquareMove has them
    at::Tensor file;       // of the square reached
};

Parts parts_of(const at::Tensor& places) {
    const at::Tensor all = places.clamp_min(0).to(at::kLong);
    const at::Tensor pair = all.remainder(nets::kSquaresTo);
    return {at::floor_divide(pair, kBoardSquares), pair, at::floor_divide(all, nets::kSquaresTo),
            pair.remainder(8)};
}

// ln P of what each place's pawn becomes, 0 where none does.
at::Tensor log_promotion(const at::Tensor& logits, const Parts& parts) {
    const at::Tensor logs = at::log_softmax(logits, 1).flatten(1);
    const at::Tensor index = (parts.promotion - 1).clamp_min(0) * 8 + parts.file;
    return logs.gather(1, index).masked_fill(parts.promotion == 0, 0);
}

// By move and not by square, of which a position has a hundred times as many pairs as legal moves.
at::Tensor two_step_logits(const at::Tensor& said, const at::Tensor& places) {
    const Steps steps = steps_of(said);
    const Parts parts = parts_of(places);
    const at::Tensor exists = places >= 0;
    // Promotions of one pawn are one way to go.
    const at::Tensor counts =
        at::logical_and(exists, at::logical_or(parts.promotion == 0, parts.promotion == kQueen))
            .to(said.scalar_type());
    const at::Tensor pairs =
        said.gather(1, parts.pair + nets::kSquaresFrom).masked_fill(exists.logical_not(), kFarBelow);
    // Of each man's squares the sum of weights, relative to his largest.
    const at::Tensor largest =
        at::full_like(steps.from, kFarBelow).scatter_reduce(1, parts.from, pairs.detach(), "amax", true);
    const at::Tensor relative = pairs - largest.gather(1, parts.from);
    const at::Tensor none = at::zeros_like(steps.from);
    const at::Tensor sums = none.scatter_add(1, parts.from, relative.exp() * counts);
    const at::Tensor to = relative - sums.clamp_min(kLeastWeight).log().gather(1, parts.from);
    const at::Tensor movable = none.scatter_add(1, parts.from, counts) > 0;
    // Where nothing can move, there is no move whose logit would show it.
    const at::Tensor from = at::log_softmax(
        steps.from.masked_fill(at::logical_and(movable.logical_not(), movable.any(1, true)), kImpossible), 1);
    const at::Tensor all = from.gather(1, parts.from) + to + log_promotion(steps.promotion, parts);
    return all.masked_fill(exists.logical_not(), kImpossible);
}

// What the heads of source and target have said [position][64] each.
at::Tensor source_of(const at::Tensor& said) {
    return said.narrow(1, 0, kBoardSquares);
}
at::Tensor target_of(const at::Tensor& said) {
    return said.narrow(1, kBoardSquares, kBoardSquares);
}

at::Tensor source_target_logits(const at::Tensor& said, const at::Tensor& places) {
    const Parts parts = parts_of(places);
    const at::Tensor is_under = at::logical_and(parts.promotion > 0, parts.promotion < kQueen);
    const at::Tensor all = source_of(said).gather(1, parts.from) +
                           target_of(said).gather(1, parts.pair.remainder(kBoardSquares)) +
                           is_under.to(said.scalar_type()) * nets::kUnderpromotionLogit;
    return all.masked_fill(places < 0, kImpossible);
}

bool has_squares(nets::PolicyForm form) {
    return form == nets::PolicyForm::Squares || form == nets::PolicyForm::SourceTarget;
}

}  // namespace

int policy_size(nets::PolicyForm form) {
    if (form == nets::PolicyForm::Squares) return nets::kSquarePolicySize;
    if (form == nets::PolicyForm::SourceTarget) return 2 * kBoardSquares;
    return policy_places(form);
}

int policy_places(nets::PolicyForm form) {
    if (has_squares(form)) return nets::kSquareMoves;
    return form == nets::PolicyForm::Dense ? nets::kPolicyMoves : nets::kPolicyPlanes * kBoardSquares;
}

int policy_place(nets::PolicyForm form, const chess::Position& position, chess::Move move) {
    const chess::Color side = position.side_to_move();
    if (has_squares(form)) return nets::square_move_index(nets::square_move(move, side));
    const int index = nets::policy_index(move, side);
    return form == nets::PolicyForm::Dense ? index
                                           : nets::policy_plane_indices()[static_cast<std::size_t>(index)];
}

at::Tensor policy_logits(nets::PolicyForm form, const at::Tensor& said, const at::Tensor& places) {
    if (form == nets::PolicyForm::Squares && said.size(1) == policy_size(form))
        return two_step_logits(said, places);
    if (form == nets::PolicyForm::SourceTarget && said.size(1) == policy_size(form))
        return source_target_logits(said, places);
    return legal_logits(said, places);
}

at::Tensor unmasked_squares_loss(nets::PolicyForm form, const at::Tensor& said, const at::Tensor& places,
                                 const at::Tensor& wanted) {
    const Parts played = parts_of(places.gather(1, wanted.argmax(1, true)));
    at::Tensor logs;
    if (form == nets::PolicyForm::SourceTarget) {
        logs = at::log_softmax(source_of(said), 1).gather(1, played.from) +
               at::log_softmax(target_of(said), 1).gather(1, played.pair.remainder(kBoardSquares));
    } else {
        const Steps steps = steps_of(said);
        logs = at::log_softmax(steps.from, 1).gather(1, played.from) +
               at::log_softmax(steps.to, 2).flatten(1).gather(1, played.pair) +
               log_promotion(steps.promotion, played);
    }
    return -(logs.squeeze(1) * wanted.amax(1)).mean();
}

std::vector<std::pair<std::string, double>> square_figures(nets::PolicyForm form, const at::Tensor& said,
                                                           const at::Tensor& places,
                                                           const at::Tensor& wanted) {
    if (!has_squares(form)) return {};
    const at::Tensor of_legal = policy_logits(form, said, places);
    // Where there is no move, there is no share of any.
    const at::Tensor shares = at::softmax(of_legal, 1).nan_to_num(0);
    const Parts parts = parts_of(places);
    const at::Tensor targets = parts.pair.remainder(kBoardSquares);
    const auto by_square = [&](const at::Tensor& squares, const at::Tensor& of_moves) {
        return at::zeros({places.size(0), kBoardSquares}, of_moves.options())
            .scatter_add(1, squares, of_moves);
    };
    const at::Tensor left = by_square(parts.from, wanted);
    const at::Tensor reached = by_square(targets, wanted);
    const at::Tensor by_source = by_square(parts.from, shares);
    const at::Tensor by_target = by_square(targets, shares);
    std::vector<std::pair<std::string, double>> all;
    if (form == nets::PolicyForm::SourceTarget) {
        const bool by_heads = said.size(1) == policy_size(form);
        all.emplace_back("source", share_in_first(by_heads ? source_of(said) : by_source, left, 1));
        all.emplace_back("target", share_in_first(by_heads ? target_of(said) : by_target, reached, 1));
    }
    all.emplace_back("legal source", share_in_first(by_source, left, 1));
    all.emplace_back("legal target", share_in_first(by_target, reached, 1));
    const at::Tensor other_men = parts.from != parts.from.gather(1, wanted.argmax(1, true));
    all.emplace_back("target of the man",
                     share_in_first(of_legal.masked_fill(other_men, kImpossible), wanted, 1));
    return all;
}

}  // namespace scholar::learning
