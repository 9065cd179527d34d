#include "selfplay/player.hpp"

#include <algorithm>
#include <cstdlib>

#include "chess/line.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "selfplay/game_end.hpp"
#include "selfplay/openings.hpp"

namespace scholar::selfplay {

namespace {

// So many half-moves in a row must agree that a game is decided.
constexpr int kResignAfter = 4;

search::AlphaBetaOptions search_options(const PlayPlan& plan) {
    search::AlphaBetaOptions options;
    // Of a game's searches, of 100 to 400 nodes, it is the values that are learnt from: to the last unit.
    options.root_search = search::RootSearch::PrincipalVariation;
    options.exact_leaves = plan.exact_leaves;
    return options;
}

}  // namespace

Player::Player(const Assignment& assignment)
    : assignment_(assignment),
      table_(assignment.plan.table_megabytes),
      search_(search::make_alpha_beta(assignment.network, table_, search_options(assignment.plan)).value()) {}

// A start, and some random moves.
chess::Line Player::opening(base::Random& random, Record& record) const {
    const PlayPlan& plan = assignment_.plan;
    const auto between = [&random](int least, int most) {
        const int choices = std::max(0, most - least) + 1;
        return least + static_cast<int>(random.below(static_cast<std::uint64_t>(choices)));
    };
    const auto& starts = assignment_.starts;
    const bool own = plan.own_start > 0 && starts && !starts->empty() && random.unit() < plan.own_start;
    const chess::Position start = own ? (*starts)[random.below(starts->size())] : chess::Position();
    Opening opening = random_opening(
        start,
        own ? between(0, plan.own_start_moves) : between(plan.least_random_moves, plan.most_random_moves),
        random);
    if (plan.unbalanced > 0 && random.unit() < plan.unbalanced)
        if (const auto without = unbalanced(opening.line.current(), random))
            opening = {chess::Line(*without), {}};
    record.game.start = opening.line.start();
    record.game.moves = std::move(opening.moves);
    record.judgements.assign(record.game.moves.size(), {});
    return std::move(opening.line);
}

Judgement Player::judge(const chess::Line& line, const std::stop_token& stop, chess::Move& best) {
    search::Limits limits;
    limits.limits.emplace_back(search::NodeLimit{assignment_.plan.nodes});
    search::Silence silent;
    search::SearchResult found = search_->run(line, limits, stop, silent);
    best = found.best;
    Judgement judgement;
    judgement.searched = true;
    judgement.score = *found.score;  // alpha-beta has one
    judgement.leaf = found.leaf_kind;
    judgement.nodes = static_cast<std::uint32_t>(found.counters.nodes);
    if (found.leaf_kind == search::LeafKind::Exact)
        judgement.variation = std::move(found.principal_variation);
    return judgement;
}

std::optional<Record> Player::play(std::uint64_t number, const std::stop_token& stop) {
    const PlayPlan& plan = assignment_.plan;
    base::Random random(assignment_.seed, number);
    Record record;
    record.number = number;
    record.generation = assignment_.generation;
    table_.clear();
    search_->new_game();
    chess::Line line = opening(random, record);
    const bool plays_on = plan.resign_score > 0 && random.unit() < plan.resign_not;
    int decided = 0;  // for so many half-moves White (positive) or Black (negative) has been far ahead
    chess::Terminal terminal = chess::Terminal::None;
    while ((terminal = line.terminal()) == chess::Terminal::None && line.ply() < plan.most_moves) {
        chess::Move move;
        if (plan.random_move > 0 && random.unit() < plan.random_move) {
            move = draw_move(line.current(), random);
            record.judgements.emplace_back();
            decided = 0;
        } else {
            record.judgements.push_back(judge(line, stop, move));
            if (plan.resign_score > 0 && !record.decided_for) {
                const int white =
                    chess::PovScore(record.judgements.back().score, line.current().side_to_move())
                        .white()
                        .value();
                const int sign = white >= plan.resign_score ? 1 : white <= -plan.resign_score ? -1 : 0;
                decided = sign == 0 ? 0 : decided * sign > 0 ? decided + sign : sign;
            }
        }
        if (stop.stop_requested()) return std::nullopt;  // the search was cut short
        record.game.moves.push_back(move);
        line.push(move);
        if (std::abs(decided) >= kResignAfter && !record.decided_for) {
            terminal = line.terminal();
            if (terminal != chess::Terminal::None) break;
            record.decided_for = decided > 0 ? chess::White : chess::Black;
            if (plays_on) continue;
            record.game.result = record.decided_for == chess::White ? games::GameResult::WhiteWins
                                                                    : games::GameResult::BlackWins;
            record.game.ending = games::Ending::Resignation;
            return record;
        }
    }
    end_game(record.game, line, terminal);
    return record;
}

}  // namespace scholar::selfplay
