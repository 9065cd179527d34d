#include "arena/uci_text.hpp"

#include <fmt/format.h>

#include "chess/fen.hpp"

namespace scholar::arena {

std::string position_command(const chess::Position& start, std::span<const chess::Move> moves,
                             chess::CastlingNotation notation) {
    std::string text =
        start == chess::Position() ? "position startpos" : "position fen " + chess::to_fen(start);
    if (!moves.empty()) text += " moves";
    for (const auto move : moves) text += " " + chess::to_uci(move, notation);
    return text;
}

std::string go_command(const SearchLimit& limit) {
    struct Text {
        std::string operator()(const ClockLimit& clock) const {
            std::string text = fmt::format("go wtime {} btime {}", clock.white.count(), clock.black.count());
            if (clock.white_increment.count() > 0 || clock.black_increment.count() > 0)
                text += fmt::format(" winc {} binc {}", clock.white_increment.count(),
                                    clock.black_increment.count());
            if (clock.moves_to_go > 0) text += fmt::format(" movestogo {}", clock.moves_to_go);
            return text;
        }
        std::string operator()(const MoveTimeLimit& l) const {
            return fmt::format("go movetime {}", l.time.count());
        }
        std::string operator()(const NodeLimit& l) const { return fmt::format("go nodes {}", l.nodes); }
        std::string operator()(const DepthLimit& l) const { return fmt::format("go depth {}", l.depth); }
        std::string operator()(const MateLimit& l) const { return fmt::format("go mate {}", l.moves); }
    };
    return std::visit(Text{}, limit);
}

}  // namespace scholar::arena
