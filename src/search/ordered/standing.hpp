#pragma once

#include <memory>
#include <utility>

#include "chess/position.hpp"
#include "chess/score.hpp"
#include "evaluators/comparator.hpp"

namespace scholar::search {

// A position as a comparator keeps it. Shared by all that a search remembers of it.
struct EmbeddedPosition {
    chess::Position position;
    evaluators::Embedding embedding;
};

// How White stands, where there is no number for it: as in some position, or as by a result that is known. In
// the order of results, the best first:
//
//   White mates in 1, in 2, …; positions that a comparator prefers to a draw; a draw; the others; Black mates
//   in …, in 2, in 1
class Standing {
  public:
    // A draw.
    Standing() = default;
    explicit Standing(std::shared_ptr<const EmbeddedPosition> position) : position_(std::move(position)) {}
    // A mate as White sees it, by half-moves from the root; or what is beyond all mates.
    static Standing of(chess::Score decided) {
        Standing standing;
        standing.decided_ = decided;
        return standing;
    }
    // Worse for this side than all that can come.
    static Standing worst(chess::Color side) {
        return of(side == chess::White ? -chess::Score::infinite() : chess::Score::infinite());
    }

    // Null: the result is known.
    const std::shared_ptr<const EmbeddedPosition>& position() const { return position_; }
    // 0: a draw, or a position.
    chess::Score decided() const { return decided_; }
    bool is_draw() const { return !position_ && decided_ == chess::Score::draw(); }
    // Whether it is the very same, which needs no comparison.
    bool operator==(const Standing&) const = default;

  private:
    std::shared_ptr<const EmbeddedPosition> position_;
    chess::Score decided_;
};

}  // namespace scholar::search
