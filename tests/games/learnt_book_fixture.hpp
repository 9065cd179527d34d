#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "games/learnt_book.hpp"

// Games for learnt books.

namespace scholar::tests {

using games::BookGame;
using games::BookOpinion;
using games::BookSearch;
using games::GameResult;

inline BookOpinion opinion(int score, std::uint64_t nodes = 10'000) {
    return {chess::Score(score), 8, nodes};
}

// A game from the start position, its moves in SAN with blanks between them.
inline BookGame game_of(std::string_view moves, GameResult result, std::string opponent,
                        chess::Color color = chess::White) {
    BookGame game;
    game.opponent = std::move(opponent);
    game.color = color;
    game.result = result;
    chess::Position position;
    while (!moves.empty()) {
        const std::string_view word = moves.substr(0, moves.find(' '));
        moves.remove_prefix(std::min(moves.size(), word.size() + 1));
        const auto move = chess::parse_san(position, word).value();
        game.moves.push_back({move, std::nullopt});
        position.make(move);
    }
    return game;
}

inline GameResult random_result(base::Random& random) {
    return std::array{GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw}[random.below(3)];
}

// A game whose moves are among the first `width` legal ones, so that games meet; with opinions on some of our
// moves.
inline BookGame random_book_game(base::Random& random, int plies, std::uint64_t width,
                                 const chess::Position& start = {}) {
    BookGame game;
    game.start = start;
    game.opponent = random.below(8) == 0 ? "" : "Opponent " + std::to_string(random.below(5));
    game.color = random.below(2) == 0 ? chess::White : chess::Black;
    game.result = random_result(random);
    chess::Position position = start;
    for (int ply = 0; ply < plies; ++ply) {
        const chess::MoveList moves = chess::legal_moves(position);
        if (moves.empty()) break;
        const auto count = std::min(static_cast<std::uint64_t>(moves.size()), width);
        const chess::Move move = moves[static_cast<int>(random.below(count))];
        game.moves.push_back({move, std::nullopt});
        if (position.side_to_move() == game.color && random.below(3) > 0)
            game.moves.back().opinion =
                BookOpinion{chess::Score(static_cast<int>(random.below(2001)) - 1000),
                            static_cast<int>(random.below(30)), random.below(1'000'000)};
        position.make(move);
    }
    return game;
}

inline BookSearch random_book_search(base::Random& random, const BookGame& game) {
    BookSearch search;
    search.position = game.start;
    for (std::uint64_t plies = random.below(game.moves.size() + 1), i = 0; i < plies; ++i)
        search.position.make(game.moves[i].move);
    const chess::MoveList moves = chess::legal_moves(search.position);
    const auto count = std::min<int>(moves.size(), static_cast<int>(random.below(4)));
    for (int i = 0; i < count; ++i)
        search.moves.push_back({moves[i], opinion(100 - 50 * i, random.below(10'000'000))});
    return search;
}

}  // namespace scholar::tests
