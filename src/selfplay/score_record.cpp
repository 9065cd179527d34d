#include "selfplay/score_record.hpp"

#include <algorithm>
#include <limits>

namespace scholar::selfplay {

games::Evaluation evaluation_of(const chess::Score& score, chess::Color side, int depth) {
    const chess::Score white = chess::PovScore(score, side).white();
    games::Evaluation evaluation;
    if (white.is_mate()) {
        // A side that is mated on the board has no move: it is never 0.
        evaluation.mate = static_cast<std::int16_t>(white.moves_to_mate());
    } else {
        evaluation.centipawns = static_cast<std::int16_t>(white.value());
    }
    constexpr int kDeepest = std::numeric_limits<std::uint8_t>::max();
    evaluation.depth = static_cast<std::uint8_t>(std::clamp(depth, 0, kDeepest));
    return evaluation;
}

}  // namespace scholar::selfplay
