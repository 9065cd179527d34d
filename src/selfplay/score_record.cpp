#include "selfplay/score_record.hpp"

#include "games/judgement.hpp"

namespace scholar::selfplay {

games::Evaluation evaluation_of(const chess::Score& score, chess::Color side, int depth) {
    return score.is_mate() ? games::evaluation_of_mate(score.moves_to_mate(), side, depth)
                           : games::evaluation_of_centipawns(score.value(), side, depth);
}

}  // namespace scholar::selfplay
