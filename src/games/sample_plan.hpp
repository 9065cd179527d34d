#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "games/sample_stages.hpp"

namespace scholar::games {

// Stages put in the order in which they are asked. Filters and thinnings that follow one another commute, so
// that the cheap ones come first, whatever order they are written in: what needs the game, what needs the
// ply, chance, and only for positions that are then left what needs the board. A limit a game, a
// transformation and all that stands behind the first of either keep their order.
class SamplePlan {
  public:
    // Why stages make no sense in their order, and which of them does not.
    struct Problem {
        std::size_t stage;  // index
        std::string message;
    };
    static std::expected<SamplePlan, Problem> make(std::span<const SampleStage> stages);

    // Whether any stage asks for ratings.
    bool needs_ratings() const { return needs_ratings_; }
    // Whether any speaks of the move played.
    bool uses_move() const { return uses_move_; }

    bool accepts(const GameFacts& game) const;
    // The plies whose positions are to be looked at, in order: what all stages that need no position let
    // through. No other position of the game needs to be worked out. Of a game without moves it is the only
    // one, 0.
    void choose_plies(const GameFacts& game, base::Random& random, std::vector<int>& plies) const;
    // Whether such a position passes the filters that look at it.
    bool accepts(const Candidate& candidate) const {
        for (const SampleStage& filter : filters_)
            if (!accepts(filter, candidate)) return false;
        return true;
    }

    // Whether evaluations do not stay as the game has them, and what becomes of them: one a half-move, from
    // White's view.
    bool revises() const { return !revisions_.empty(); }
    void revise(std::span<std::optional<Evaluation>> evaluations, const GameFacts& game) const;

    // How many samples of a game go on, drawn at random; 0: all of them.
    int per_game() const { return per_game_; }
    // The stages behind that; false: the sample is dropped.
    bool has_late_stages() const { return !late_.empty(); }
    bool finish(Sample& sample, const GameFacts& game, base::Random& random) const;

  private:
    static bool accepts(const SampleStage& filter, const Candidate& candidate);

    bool needs_ratings_ = false;
    bool uses_move_ = false;
    std::vector<SampleStage> game_filters_;
    int first_ply_ = 0;
    int last_ply_ = kMaxPly;
    std::vector<SampleStage> ply_filters_;  // the others of Cost::Ply
    std::vector<double> shares_;            // by ply, all thinnings together; empty: all 1
    std::vector<SampleStage> filters_;      // by rising cost
    int per_game_ = 0;
    std::vector<SampleStage> late_;
    std::vector<SampleStage> revisions_;
};

}  // namespace scholar::games
