#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "base/error.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "games/held_out.hpp"
#include "nets/conv/chess_nets.hpp"

// What networks know of the squares that men leave and reach, as A. Singh, "Convolutional neural networks
// learn to play chess" (2015), tables 3.1 to 3.3, has it: which man moves, and where one of a kind that moves
// goes to, each with and without the rules.

namespace scholar::arena {

// The square of the move played is counted among so many that are held to be the likeliest.
inline constexpr std::array<int, 4> kSquaresWithin{1, 3, 5, 10};

// How well one question was answered. "Legal" are, as in section 3.3, the squares of own men, and those to
// which the man has a legal move, or any of his kind where he is not known. Of squares that are as likely as
// each other the first comes first, a1, b1, ….
struct SquareScore {
    std::uint64_t positions = 0;
    std::array<double, kSquaresWithin.size()> unmasked{};  // shares of positions, among all 64 squares
    std::array<double, kSquaresWithin.size()> masked{};    // and among the legal ones
    double illegal = 0;  // share of positions whose likeliest square is not legal
    // Between the probabilities p and q, p with those of squares that are not legal set to 0 (section 3.3.1):
    // the means of |p − q|² and of the largest |p − q|.
    double squared_distance = 0;
    double largest_distance = 0;
    double rank_unmasked = 0;  // the mean place of the square of the move played, 1 the likeliest
    double rank_masked = 0;
};

inline constexpr std::size_t kSquareQuestions = 7;  // the roles of nets::ChessNetRole but for the value

struct SquareStudy {
    std::array<SquareScore, kSquareQuestions> by_role;  // as nets::kChessNetRoles
    bool interrupted = false;

    const SquareScore& of(nets::ChessNetRole role) const {
        return by_role.at(static_cast<std::size_t>(role));
    }
};

// Of networks that know squares alone: each of those that are there on the positions that are its own. A
// layer of ratings shows the mover's, one of outcomes a win.
base::Result<SquareStudy> study_squares(const games::HeldOutSet& set,
                                        std::shared_ptr<const nets::ChessNets> networks,
                                        const std::stop_token& stop);

// How often the likeliest of all moves, of any own man to any square, is not legal: what comes of play
// without masks. Of the first `most` positions, or all; needs all seven.
struct FirstChoices {
    std::uint64_t positions = 0;
    std::uint64_t illegal = 0;
};
base::Result<FirstChoices> study_first_choices(const games::HeldOutSet& set, std::uint64_t most,
                                               std::shared_ptr<const nets::ChessNets> networks,
                                               const std::stop_token& stop);

// Of a policy, which gives whole legal moves their probabilities: those of a square are the sums over its
// moves, so that nothing is illegal.
struct PolicyStudy {
    SquareStudy man_known;   // where the man that moved goes: P(to | from)
    SquareStudy kind_known;  // where a man of his kind goes
};
// Whom to ask about positions of movers of a rating, in steps of kRatingStep; 0: not known.
using PolicyFor = std::function<base::Result<std::unique_ptr<evaluators::BatchEvaluator>>(int rating)>;
inline constexpr int kRatingStep = 50;
base::Result<PolicyStudy> study_policy(const games::HeldOutSet& set, const PolicyFor& policy_for,
                                       const std::stop_token& stop);

}  // namespace scholar::arena
