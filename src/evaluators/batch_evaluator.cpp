#include "evaluators/batch_evaluator.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace scholar::evaluators {

std::uint64_t key_of(const chess::Line& line, const nets::Reads& reads) {
    std::uint64_t key = line.current().key();
    // What is there is stirred before more comes to it: two boards in a row differ by one move, and by
    // exclusive or alone the rest of both would cancel out.
    const auto mix = [&key](std::uint64_t more) {
        std::uint64_t state = key;
        key = base::split_mix(state) ^ more;
    };
    // Those that are not there count too: a board at the game's start is not one with a past. In their place
    // a network may be shown what the en-passant square says of the move before (nets/conv/planes.hpp),
    // whether that capture is legal or not.
    const int last = std::min(line.ply(), reads.boards - 1);
    for (int back = 1; back <= last; ++back) mix(line.ago(back).key());
    for (int back = last + 1; back < reads.boards; ++back)
        mix(static_cast<std::uint64_t>(back) << 8 | line.start().en_passant());
    if (reads.halfmove_clock) mix(0x100U + static_cast<std::uint64_t>(line.current().halfmove_clock()));
    // Each board's: the oldest one may have been there before all that is read.
    for (int back = 0; reads.repetitions && back <= last; ++back)
        mix(0x1000U + static_cast<std::uint64_t>(std::min(line.repetitions(back), 2)));
    return key;
}

std::uint64_t BatchEvaluator::key(const chess::Line& line) const {
    return key_of(line, reads());
}

}  // namespace scholar::evaluators
