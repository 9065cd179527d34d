#include "protocols/ics_game.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "chess/legality.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "games/pgn_writer.hpp"

namespace scholar::protocols::ics {

namespace {

// Not all servers mark checks.
std::string_view without_check(std::string_view san) {
    return san.substr(0, san.find_last_not_of("+#") + 1);
}

}  // namespace

GameTracker::GameTracker(engine::GameHeader header, const Style12& board)
    : header_(std::move(header)), line_(board.position) {}

bool GameTracker::is_our_turn() const {
    return line_.current().side_to_move() == header_.side && chess::has_legal_move(line_.current());
}

void GameTracker::push(chess::Move move) {
    engine::PlayedMove played;
    played.move = move;
    if (decision_ && decision_ply_ == line_.ply()) {
        if (decision_->move == move) {
            played.search = std::move(decision_->search);
            played.evaluation = decision_->evaluation;
        }
        decision_.reset();
    }
    if (line_.ply() == kMostPlies) forget_past();
    moves_.push_back(std::move(played));
    line_.push(move);
}

// Begins anew where we are.
void GameTracker::forget_past() {
    line_ = chess::Line(line_.current());
    moves_.clear();
}

void GameTracker::truncate(int plies) {
    while (line_.ply() > plies) line_.pop();
    moves_.resize(static_cast<std::size_t>(line_.ply()));
}

// Looks for legal moves to a board so many half-moves away, one or two. Of two there may be several pairs,
// such as two rooks that could be exchanged: what we decided to play and what the server calls the last move
// tell them apart.
bool GameTracker::advance(const Style12& board, int plies) {
    const chess::Position from = line_.current();
    std::array<chess::Move, 2> best{};
    int best_agreement = -1;
    for (const chess::Move move : chess::legal_moves(from)) {
        const chess::Position after = from.after(move);
        if (plies == 1) {
            if (!same_board(after, board.position)) continue;
            push(move);
            return true;
        }
        const int decided = decision_ && decision_ply_ == line_.ply() && decision_->move == move ? 2 : 0;
        for (const chess::Move reply : chess::legal_moves(after)) {
            if (!same_board(after.after(reply), board.position)) continue;
            const int told =
                without_check(chess::to_san(after, reply)) == without_check(board.last_move) ? 1 : 0;
            if (decided + told <= best_agreement) continue;
            best_agreement = decided + told;
            best = {move, reply};
        }
    }
    if (best_agreement < 0) return false;
    for (const chess::Move move : best) push(move);
    return true;
}

void GameTracker::note_clock(const Style12& board) {
    if (!moves_.empty()) moves_.back().clock = board.clocks[~board.position.side_to_move()];
}

GameTracker::Change GameTracker::apply(const Style12& board) {
    const int target = ply_number(board.position) - ply_number(line_.start());
    const int ahead = target - line_.ply();
    if (ahead == 0 && same_board(board.position, line_.current())) return Change::None;
    if (ahead == 1 || ahead == 2) {
        if (!advance(board, ahead)) return Change::Strange;
        note_clock(board);
        return Change::Advanced;
    }
    if (ahead < 0 && target >= 0 && same_board(board.position, line_.ago(-ahead))) return Change::Behind;
    return Change::Strange;
}

void GameTracker::believe(const Style12& board) {
    const int target = ply_number(board.position) - ply_number(line_.start());
    for (int from = std::min(target, line_.ply()); from >= std::max(0, target - 2); --from) {
        const chess::Position& position = line_.ago(line_.ply() - from);
        if (from == target && same_board(position, board.position)) {
            truncate(from);
            return;
        }
        if (from == target) continue;
        GameTracker other = *this;
        other.truncate(from);
        if (!other.advance(board, target - from)) continue;
        other.note_clock(board);
        *this = std::move(other);
        return;
    }
    line_ = chess::Line(board.position);
    moves_.clear();
}

// The moves from the game's beginning to where we are, if the list leads to the same boards. Where it says
// another move than ours it is right: boards that are two moves apart can leave the first one open, such as
// which piece a pawn became that was taken at once.
std::optional<std::vector<chess::Move>> GameTracker::agreed_moves(const MoveList& list) const {
    const auto begin = static_cast<std::size_t>(ply_number(line_.start()));
    const std::size_t end = begin + moves_.size();
    if (list.moves.size() < begin || end > static_cast<std::size_t>(kMostPlies)) return std::nullopt;
    std::vector<chess::Move> moves = list.moves;
    const std::size_t listed = std::min(moves.size(), end);
    moves.resize(listed);
    for (std::size_t i = listed; i < end; ++i) moves.push_back(moves_[i - begin].move);
    chess::Position position;
    bool differs = false;
    for (std::size_t i = 0; i <= end; ++i) {
        const bool differed = differs;
        differs = i >= begin && !same_board(position, line_.ago(static_cast<int>(end - i)));
        if (differs && (differed || i == begin || i == listed || i == end)) return std::nullopt;
        if (i == end) break;
        if (!chess::is_legal(position, moves[i])) return std::nullopt;
        position.make(moves[i]);
    }
    return moves;
}

bool GameTracker::complete(const MoveList& list) {
    const auto agreed = agreed_moves(list);
    if (!agreed) return false;
    const std::size_t begin = agreed->size() - moves_.size();
    chess::Line whole;
    std::vector<engine::PlayedMove> moves(begin);
    std::ranges::move(moves_, std::back_inserter(moves));
    for (std::size_t i = 0; i < moves.size(); ++i) {
        moves[i].move = (*agreed)[i];
        whole.push(moves[i].move);
    }
    decision_ply_ += static_cast<int>(begin);
    line_ = std::move(whole);
    moves_ = std::move(moves);
    return true;
}

bool GameTracker::extend(const MoveList& list) {
    if (list.moves.size() < static_cast<std::size_t>(ply_number(line_.current())) || !complete(list))
        return false;
    for (std::size_t i = moves_.size(); i < list.moves.size(); ++i) push(list.moves[i]);
    return true;
}

void GameTracker::note_decision(const engine::Decision& decision) {
    decision_ = decision;
    decision_ply_ = line_.ply();
}

void GameTracker::resume(const engine::GameHeader& header) {
    header_ = header;
    header_.resumed = true;
}

engine::PlayedGame GameTracker::played(games::GameResult result, engine::GameEnd end,
                                       std::string reason) const {
    engine::PlayedGame game;
    game.header = header_;
    game.start = line_.start();
    game.moves = moves_;
    game.result = result;
    game.end = end;
    game.reason = std::move(reason);
    game.is_whole = line_.start() == chess::Position();
    game.date = games::date_of_today();
    return game;
}

engine::GameEnd classify_end(std::string_view reason, games::GameResult result) {
    using engine::GameEnd;
    // Longer ones before those that they contain.
    static constexpr std::array<std::pair<std::string_view, GameEnd>, 20> kWords{{
        {"game adjourned", GameEnd::Adjourned},
        {"adjourned", GameEnd::Adjourned},
        {"aborted", GameEnd::Aborted},
        {"checkmated", GameEnd::Checkmate},
        {"resigns", GameEnd::Resignation},
        {"forfeits by disconnection", GameEnd::Disconnection},
        {"forfeits on time", GameEnd::TimeForfeit},
        {"stalemate", GameEnd::Stalemate},
        {"mutual agreement", GameEnd::Agreement},
        {"repetition", GameEnd::Repetition},
        {"50 move rule", GameEnd::FiftyMoves},
        {"mating material", GameEnd::InsufficientMaterial},
        {"insufficient material", GameEnd::InsufficientMaterial},
        {"no material to mate", GameEnd::TimeForfeit},
        {"ran out of time", GameEnd::TimeForfeit},
        {"wins by adjudication", GameEnd::Adjudication},
        {"drawn by adjudication", GameEnd::Adjudication},
        {"adjudicat", GameEnd::Adjudication},
        {"disconnect", GameEnd::Disconnection},
        {"time", GameEnd::TimeForfeit},
    }};
    // With a result it is neither of the first three, whatever the players are called.
    for (const auto& [words, end] : kWords) {
        const bool without_result = end == GameEnd::Adjourned || end == GameEnd::Aborted;
        if (without_result == (result == games::GameResult::Unknown) &&
            reason.find(words) != std::string_view::npos)
            return end;
    }
    return GameEnd::Unknown;
}

}  // namespace scholar::protocols::ics
