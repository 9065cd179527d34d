#include "selfplay/player.hpp"

#include <algorithm>
#include <cstdlib>

#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "search/alpha_beta.hpp"

namespace scholar::selfplay {

namespace {

// So many half-moves in a row must agree that a game is decided.
constexpr int kResignAfter = 4;

search::AlphaBetaOptions learning_mode() {
    search::AlphaBetaOptions options;
    options.exact_leaves = true;
    return options;
}

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

}  // namespace

Player::Player(const Assignment& assignment, std::uint64_t seed)
    : assignment_(assignment),
      seed_(seed),
      table_(assignment.plan.table_megabytes),
      search_(search::make_alpha_beta(assignment.network, table_, learning_mode())) {}

chess::Move Player::draw_move(const chess::Position& position, base::Random& random) {
    const chess::MoveList moves = chess::legal_moves(position);
    return moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
}

// A start, and some random moves. Tries again where they end the game.
chess::Line Player::opening(base::Random& random, Record& record) const {
    const PlayPlan& plan = assignment_.plan;
    while (true) {
        const int choices = std::max(0, plan.most_random_moves - plan.least_random_moves) + 1;
        int moves =
            plan.least_random_moves + static_cast<int>(random.below(static_cast<std::uint64_t>(choices)));
        chess::Line line;
        record.game.start = line.start();
        record.game.moves.clear();
        for (int i = 0; i < moves && line.terminal() == chess::Terminal::None; ++i) {
            record.game.moves.push_back(draw_move(line.current(), random));
            line.push(record.game.moves.back());
        }
        if (line.terminal() != chess::Terminal::None) continue;
        record.judgements.assign(record.game.moves.size(), {});
        return line;
    }
}

Judgement Player::judge(const chess::Line& line, const std::stop_token& stop, chess::Move& best) {
    search::Limits limits;
    limits.limits.emplace_back(search::NodeLimit{assignment_.plan.nodes});
    search::Silence silent;
    search::SearchResult found = search_->run(line, limits, stop, silent);
    best = found.best;
    Judgement judgement;
    judgement.searched = true;
    judgement.score = found.score;
    judgement.leaf = found.leaf_kind;
    judgement.nodes = static_cast<std::uint32_t>(found.counters.nodes);
    if (found.leaf_kind == search::LeafKind::Exact)
        judgement.variation = std::move(found.principal_variation);
    return judgement;
}

std::optional<Record> Player::play(std::uint64_t number, const std::stop_token& stop) {
    const PlayPlan& plan = assignment_.plan;
    base::Random random(seed_, number);
    Record record;
    record.number = number;
    record.generation = assignment_.generation;
    table_.clear();
    search_->new_game();
    chess::Line line = opening(random, record);
    const bool plays_on = plan.resign_score == 0 || random.unit() < plan.resign_not;
    int decided = 0;  // for so many half-moves White (positive) or Black (negative) has been far ahead
    chess::Terminal terminal = chess::Terminal::None;
    while ((terminal = line.terminal()) == chess::Terminal::None && line.ply() < plan.most_moves) {
        if (stop.stop_requested()) return std::nullopt;
        chess::Move move;
        if (plan.random_move > 0 && random.unit() < plan.random_move) {
            move = draw_move(line.current(), random);
            record.judgements.emplace_back();
            decided = 0;
        } else {
            record.judgements.push_back(judge(line, stop, move));
            if (!plays_on) {
                const int white =
                    chess::PovScore(record.judgements.back().score, line.current().side_to_move())
                        .white()
                        .value();
                const int sign = white >= plan.resign_score ? 1 : white <= -plan.resign_score ? -1 : 0;
                decided = sign == 0 ? 0 : decided * sign > 0 ? decided + sign : sign;
            }
        }
        record.game.moves.push_back(move);
        line.push(move);
        if (std::abs(decided) >= kResignAfter) {
            terminal = line.terminal();
            if (terminal != chess::Terminal::None) break;
            record.game.result = decided > 0 ? games::GameResult::WhiteWins : games::GameResult::BlackWins;
            record.game.ending = games::Ending::Resignation;
            return record;
        }
    }
    if (stop.stop_requested()) return std::nullopt;
    end_game(record.game, line, terminal);
    return record;
}

}  // namespace scholar::selfplay
