#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "chess/checks.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "evaluators/leaf_evaluator.hpp"
#include "search/alpha_beta/move_picker.hpp"

// What a tree search is told of positions by a network that values them one by one. Such a network has learnt
// what quiet positions are worth (sampler stages "quiet_move", "not_in_check"): where something hangs, what
// it says means little.

namespace scholar::search::mcts {

// A position's value once the captures are over: alpha-beta over captures and promotions that lose no
// material, in which whoever is not in check may also leave them all alone.
template <evaluators::LeafEvaluator Leaf>
class QuietValue {
  public:
    explicit QuietValue(Leaf leaf) : leaf_(std::move(leaf)) {}

    // For the side to move; a mate where the captures force one.
    chess::Score of(const chess::Position& position) {
        leaf_.reset(position);
        nodes_ = 0;
        return search(position, -chess::Score::infinite(), chess::Score::infinite(), 0);
    }

  private:
    // Beyond either of them positions count as they stand: most are quiet after a few captures, and nobody
    // looks at the clock meanwhile, however many queens there are.
    static constexpr int kLongest = 12;
    static constexpr int kMostNodes = 10'000;
    // What a capture may bring beyond what it takes, in score's units.
    static constexpr int kMargin = 150;

    chess::Score search(const chess::Position& position, chess::Score alpha, chess::Score beta, int ply) {
        using chess::Score;
        if (ply > 0 && position.has_insufficient_material()) return Score::draw();
        const bool in_check = position.in_check();
        if (ply >= kLongest || ++nodes_ > kMostNodes) return leaf_.value(position);
        const Score standing = in_check ? Score::mated_in(ply) : leaf_.value(position);
        Score best = standing;
        if (best >= beta) return best;
        const nets::PieceValues& values = leaf_.piece_values();
        MovePicker picker(position, in_check ? MovePicker::Which::All : MovePicker::Which::Noisy, {}, values);
        MovePicker::Pick pick;
        std::optional<chess::CheckSquares> check_squares;
        while (picker.next(pick)) {
            if (!in_check && !pick.move.is_promotion()) {
                // Even with what it takes, too little: who is not in check may let it be.
                const Score hoped = standing + values[position.captured_kind(pick.move)] + kMargin;
                if (hoped <= std::max(alpha, best)) {
                    if (!check_squares) check_squares = chess::find_check_squares(position);
                    if (!chess::gives_check(position, *check_squares, pick.move)) {
                        best = std::max(best, hoped);
                        continue;
                    }
                }
            }
            leaf_.push(position, pick.move);
            const Score score = -search(position.after(pick.move), -beta, -std::max(alpha, best), ply + 1);
            leaf_.pop();
            if (score <= best) continue;
            best = score;
            if (best >= beta) break;
        }
        return best;
    }

    Leaf leaf_;
    int nodes_ = 0;
};

// As a batch of one position.
template <evaluators::LeafEvaluator Leaf>
class QuietBatch final : public evaluators::BatchEvaluator {
  public:
    explicit QuietBatch(Leaf leaf) : value_(std::move(leaf)) {}

    nets::Abilities abilities() const override { return nets::Abilities{nets::Ability::Value}; }
    nets::Reads reads() const override { return {}; }
    std::size_t capacity() const override { return 1; }
    void submit(const chess::Line& line, const chess::MoveList& /*moves*/) override {
        opinions_.emplace_back().value = value_.of(line.current());
    }
    base::Status collect(std::vector<evaluators::Opinion>& opinions) override {
        opinions.swap(opinions_);
        opinions_.clear();
        return {};
    }

  private:
    QuietValue<Leaf> value_;
    std::vector<evaluators::Opinion> opinions_;
};

}  // namespace scholar::search::mcts
