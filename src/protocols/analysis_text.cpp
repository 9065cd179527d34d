#include "protocols/analysis_text.hpp"

#include <algorithm>
#include <cmath>

namespace scholar::protocols {

std::string to_text(const std::vector<chess::Move>& variation, chess::CastlingNotation notation) {
    std::string text;
    for (const chess::Move move : variation) {
        if (!text.empty()) text += ' ';
        text += chess::to_uci(move, notation);
    }
    return text;
}

std::uint64_t nodes_per_second(const search::Counters& counters) {
    const double seconds = std::max(1e-9, std::chrono::duration<double>(counters.elapsed).count());
    return static_cast<std::uint64_t>(static_cast<double>(counters.nodes) / seconds);
}

PermilleWdl to_permille(const chess::Wdl& wdl) {
    const int win = static_cast<int>(std::lround(1000 * wdl.win));
    const int loss = std::min(1000 - win, static_cast<int>(std::lround(1000 * wdl.loss)));
    return {win, 1000 - win - loss, loss};
}

}  // namespace scholar::protocols
