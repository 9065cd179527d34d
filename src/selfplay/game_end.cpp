#include "selfplay/game_end.hpp"

namespace scholar::selfplay {

void end_game(games::Game& game, const chess::Line& line, chess::Terminal terminal) {
    using chess::Terminal;
    using games::Ending;
    game.result = games::GameResult::Draw;
    switch (terminal) {
        case Terminal::Checkmate:
            game.ending = Ending::Checkmate;
            game.result = line.current().side_to_move() == chess::White ? games::GameResult::BlackWins
                                                                        : games::GameResult::WhiteWins;
            break;
        case Terminal::Stalemate:
            game.ending = Ending::Stalemate;
            break;
        case Terminal::InsufficientMaterial:
            game.ending = Ending::InsufficientMaterial;
            break;
        case Terminal::ThreefoldRepetition:
            game.ending = Ending::Repetition;
            break;
        case Terminal::FiftyMoves:
            game.ending = Ending::FiftyMoves;
            break;
        case Terminal::None:
            game.ending = Ending::Adjudication;
            break;
    }
}

}  // namespace scholar::selfplay
