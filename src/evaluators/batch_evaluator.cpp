#include "evaluators/batch_evaluator.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace scholar::evaluators {

std::uint64_t key_of(const chess::Line& line, const nets::Reads& reads) {
    std::uint64_t key = line.current().key();
    const auto mix = [&key](std::uint64_t more) {
        std::uint64_t state = key ^ more;
        key = base::split_mix(state);
    };
    // Those that are not there count too: a board at the game's start is not one with a past.
    for (int back = 1; back < reads.boards; ++back)
        mix(back <= line.ply() ? line.ago(back).key() : static_cast<std::uint64_t>(back));
    if (reads.halfmove_clock) mix(0x100U + static_cast<std::uint64_t>(line.current().halfmove_clock()));
    if (reads.repetitions) mix(0x1000U + static_cast<std::uint64_t>(std::min(line.repetitions(), 2)));
    return key;
}

std::uint64_t BatchEvaluator::key(const chess::Line& line) const {
    return key_of(line, reads());
}

}  // namespace scholar::evaluators
