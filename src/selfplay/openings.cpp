#include "selfplay/openings.hpp"

#include <bit>
#include <fmt/format.h>
#include <string>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"

namespace scholar::selfplay {

namespace {

constexpr int kTries = 100;

// The FEN's first field, with one square emptied.
std::string board_without(const std::string& board, chess::Square emptied) {
    std::string all;  // a character a square, and '/'
    for (const char c : board)
        if (c >= '1' && c <= '8')
            all.append(static_cast<std::size_t>(c - '0'), ' ');
        else
            all += c;
    const int rank = emptied / 8;
    const int file = emptied % 8;
    const int at = (7 - rank) * 9 + file;
    all[static_cast<std::size_t>(at)] = ' ';
    std::string packed;
    int empty = 0;
    for (const char c : all + '/') {
        if (c == ' ') {
            ++empty;
            continue;
        }
        if (empty > 0) packed += static_cast<char>('0' + empty);
        empty = 0;
        packed += c;
    }
    packed.pop_back();
    return packed;
}

}  // namespace

chess::Move draw_move(const chess::Position& position, base::Random& random) {
    const chess::MoveList moves = chess::legal_moves(position);
    return moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
}

Opening random_opening(const chess::Position& start, int moves, base::Random& random) {
    for (int attempt = 0; attempt < kTries; ++attempt) {
        Opening opening{chess::Line(start), {}};
        for (int i = 0; i < moves && opening.line.terminal() == chess::Terminal::None; ++i) {
            opening.moves.push_back(draw_move(opening.line.current(), random));
            opening.line.push(opening.moves.back());
        }
        if (opening.line.terminal() == chess::Terminal::None) return opening;
    }
    return {chess::Line(start), {}};
}

std::optional<chess::Position> unbalanced(const chess::Position& position, base::Random& random) {
    const chess::Bitboard kings =
        position.pieces(chess::White, chess::King) | position.pieces(chess::Black, chess::King);
    const chess::Bitboard others = position.occupied() & ~kings;
    if (others == 0) return std::nullopt;
    auto skip = random.below(static_cast<std::uint64_t>(std::popcount(others)));
    for (const chess::Square square : chess::squares(others)) {
        if (skip-- > 0) continue;
        const std::string fen = chess::to_fen(position);
        const std::string side = position.side_to_move() == chess::White ? "w" : "b";
        // Castling only where no rook that it may need is gone.
        const std::size_t castling = fen.find(' ', fen.find(' ') + 1) + 1;
        const bool rook = chess::kind_of(position.piece_on(square)) == chess::Rook;
        const std::string rights = rook ? "-" : fen.substr(castling, fen.find(' ', castling) - castling);
        const auto left = chess::parse_fen(
            fmt::format("{} {} {} - 0 1", board_without(fen.substr(0, fen.find(' ')), square), side, rights));
        if (!left || chess::Line(*left).terminal() != chess::Terminal::None) return std::nullopt;
        return *left;
    }
    return std::nullopt;
}

}  // namespace scholar::selfplay
