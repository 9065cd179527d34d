#include <array>

#include "learning/papers/convchess_paper.hpp"
#include "learning/papers/deepchess_paper.hpp"
#include "learning/papers/experiment.hpp"
#include "learning/papers/giraffe_paper.hpp"
#include "learning/papers/knightcap_paper.hpp"
#include "learning/papers/methods_paper.hpp"
#include "learning/papers/rl_in_chess_paper.hpp"

namespace scholar::learning {

std::span<const Paper> all_papers() {
    static const std::array papers{knightcap_paper(),   giraffe_paper(),   convchess_paper(),
                                   rl_in_chess_paper(), deepchess_paper(), methods_paper()};
    return papers;
}

}  // namespace scholar::learning
