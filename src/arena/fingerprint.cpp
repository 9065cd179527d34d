#include "arena/fingerprint.hpp"

#include "base/hash.hpp"
#include "chess/fen.hpp"
#include "chess/uci_move.hpp"

namespace scholar::arena {

std::string fingerprint(const std::vector<games::Opening>& openings) {
    std::string text;
    for (const auto& opening : openings) {
        text += chess::to_fen(opening.start);
        for (const auto move : opening.moves) text += " " + chess::to_uci(move);
        text += '\n';
    }
    return base::to_hex(base::hash_text(text));
}

}  // namespace scholar::arena
