#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "chess/line.hpp"
#include "chess/score.hpp"
#include "chess/types.hpp"
#include "nets/container/abilities.hpp"

namespace scholar::evaluators {

// What a network thinks of a position, as far as it can say. Value and chances are those of the side to move.
struct Opinion {
    std::optional<chess::Score> value;
    std::optional<chess::Wdl> wdl;
    // Of the moves that were asked about, in their order, from 0 to 1: their sum is 1. Empty without a
    // policy.
    std::vector<float> probabilities;
    std::optional<float> moves_left;  // half-moves to the end of the game

    // The expected result for the side to move, 0 to 1; nothing where there is neither value nor chances.
    std::optional<double> expected() const {
        if (wdl) return wdl->expected();
        if (value) return value->expected();
        return std::nullopt;
    }
};

// What of an opinion somebody needs now.
enum class Wanted : std::uint8_t {
    Value,   // value and chances, as far as it has them
    Policy,  // probabilities of moves
    All,
};

// The run-time seam for whoever asks about many positions at once, or about more than their value: tree
// searches, and players without search. It belongs to one thread.
class BatchEvaluator {
  public:
    virtual ~BatchEvaluator() = default;

    // What its opinions have, of Value, Wdl, Policy and MovesLeft.
    virtual nets::Abilities abilities() const = 0;
    virtual nets::Reads reads() const = 0;
    // How many positions may be submitted before their opinions are collected.
    virtual std::size_t capacity() const = 0;
    // Takes the line's current position into the batch, with its legal moves, of which there is at least one.
    // It is encoded at once: both may change afterwards.
    virtual void submit(const chess::Line& line, const chess::MoveList& moves) = 0;
    // The same for who needs only a part. What is worked out apart from it, by a network of its own, is then
    // left out; what comes with it anyway, its opinion has too.
    virtual void submit_part(const chess::Line& line, const chess::MoveList& moves, Wanted /*wanted*/) {
        submit(line, moves);
    }
    // The opinions on all that was submitted, in that order, in place of what `opinions` holds. An error (of
    // a device, of a fake that found what it looks for) leaves none, and an empty batch.
    virtual base::Status collect(std::vector<Opinion>& opinions) = 0;
    // A hash of all that it reads of the line: where two lines' are the same, so are its opinions.
    std::uint64_t key(const chess::Line& line) const;
};

// As BatchEvaluator::key(), for what reads so much.
std::uint64_t key_of(const chess::Line& line, const nets::Reads& reads);

}  // namespace scholar::evaluators
