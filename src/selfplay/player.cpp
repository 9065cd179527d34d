#include "selfplay/player.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "chess/line.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "selfplay/early_end.hpp"
#include "selfplay/game_end.hpp"
#include "selfplay/openings.hpp"

namespace scholar::selfplay {

namespace {

// So many moves of both sides must agree that a game is decided, or drawn.
constexpr int kResignAfter = 2;
constexpr int kDrawAfter = 8;
// Openings that are drawn before one is taken that is not balanced.
constexpr int kOpeningsTried = 20;

EarlyEnd early_end(const PlayPlan& plan) {
    std::optional<ResignTerms> resign;
    if (plan.resign_score > 0) resign = {.moves = kResignAfter, .score = plan.resign_score};
    std::optional<DrawTerms> draw;
    if (plan.draw_score > 0) draw = {.moves = kDrawAfter, .score = plan.draw_score, .after = plan.draw_after};
    return {resign, draw};
}

search::AlphaBetaOptions search_options(const PlayPlan& plan, TreeStrap* tap) {
    search::AlphaBetaOptions options;
    options.tap = tap;
    // Of a game's searches, of 100 to 400 nodes, it is the values that are learnt from: to the last unit.
    options.root_search = search::RootSearch::PrincipalVariation;
    options.exact_leaves = plan.exact_leaves;
    return options;
}

}  // namespace

Player::Player(const Assignment& assignment)
    : assignment_(assignment),
      tap_(assignment.plan.treestrap ? std::make_unique<TreeStrap>(*assignment.plan.treestrap) : nullptr),
      table_(assignment.plan.table_megabytes),
      search_(search::make_alpha_beta(assignment.network, table_, search_options(assignment.plan, tap_.get()))
                  .value()) {}

// A start, and some random moves.
Player::Start Player::opening(base::Random& random, Record& record, const std::stop_token& stop) {
    const PlayPlan& plan = assignment_.plan;
    const auto between = [&random](int least, int most) {
        const int choices = std::max(0, most - least) + 1;
        return least + static_cast<int>(random.below(static_cast<std::uint64_t>(choices)));
    };
    const auto& starts = assignment_.starts;
    Opening opening;
    std::optional<Searched> searched;
    for (int tried = 1;; ++tried) {
        searched.reset();
        const bool own = plan.own_start > 0 && starts && !starts->empty() && random.unit() < plan.own_start;
        const chess::Position start = own ? (*starts)[random.below(starts->size())] : chess::Position();
        opening = random_opening(
            start,
            own ? between(0, plan.own_start_moves) : between(plan.least_random_moves, plan.most_random_moves),
            random);
        if (plan.unbalanced > 0 && random.unit() < plan.unbalanced)
            if (const auto without = unbalanced(opening.line.current(), random)) {
                opening = {chess::Line(*without), {}};
                break;
            }
        if (plan.opening_score == 0 || tried == kOpeningsTried) break;
        searched = search(opening.line, plan.nodes, random, stop);
        if (std::abs(searched->judgement.score.value()) <= plan.opening_score) break;
    }
    record.game.start = opening.line.start();
    record.game.moves = std::move(opening.moves);
    record.judgements.assign(record.game.moves.size(), {});
    return {std::move(opening.line), std::move(searched)};
}

Player::Searched Player::search(const chess::Line& line, std::uint64_t nodes, base::Random& random,
                                const std::stop_token& stop) {
    search::Limits limits;
    limits.limits.emplace_back(search::NodeLimit{nodes});
    search::Silence silent;
    search::SearchResult found = search_->run(line, limits, stop, silent);
    Searched searched;
    searched.best = found.best;
    Judgement& judgement = searched.judgement;
    judgement.searched = true;
    judgement.score = *found.score;  // alpha-beta has one
    judgement.bound = found.lines.front().bound;
    judgement.leaf = found.leaf_kind;
    judgement.nodes = static_cast<std::uint32_t>(found.counters.nodes);
    judgement.depth = found.counters.depth;
    if (found.leaf_kind == search::LeafKind::Exact)
        judgement.variation = std::move(found.principal_variation);
    if (tap_) searched.nodes = tap_->take(random);
    return searched;
}

std::optional<Record> Player::play(std::uint64_t number, const std::stop_token& stop) {
    const PlayPlan& plan = assignment_.plan;
    base::Random random(assignment_.seed, number);
    Record record;
    record.number = number;
    record.generation = assignment_.generation;
    table_.clear();
    search_->new_game();
    auto [line, searched] = opening(random, record, stop);
    const bool plays_on = plan.resign_score > 0 && random.unit() < plan.resign_not;
    EarlyEnd early = early_end(plan);
    chess::Terminal terminal = chess::Terminal::None;
    while ((terminal = line.terminal()) == chess::Terminal::None && line.ply() < plan.most_moves) {
        chess::Move move;
        const chess::Position& position = line.current();
        if (plan.random_move > 0 && random.unit() < plan.random_move) {
            move = draw_move(position, random);
            record.judgements.emplace_back();
            early.note(std::nullopt, position.side_to_move(), position.fullmove_number());
        } else {
            const bool quick = plan.full_share < 1 && random.unit() >= plan.full_share;
            if (quick || !searched)
                searched = search(line, quick ? plan.quick_nodes : plan.nodes, random, stop);
            move = searched->best;
            searched->judgement.quick = quick;
            if (!quick) std::ranges::move(searched->nodes, std::back_inserter(record.nodes));
            early.note(searched->judgement.score, position.side_to_move(), position.fullmove_number());
            record.judgements.push_back(std::move(searched->judgement));
        }
        // It was of this position, whatever is played there.
        searched.reset();
        if (stop.stop_requested()) return std::nullopt;  // the search was cut short
        record.game.moves.push_back(move);
        line.push(move);
        if (early.is_drawn()) {
            terminal = line.terminal();
            break;
        }
        const auto winner = record.decided_for ? std::nullopt : early.resigned_to();
        if (!winner) continue;
        terminal = line.terminal();
        if (terminal != chess::Terminal::None) break;
        record.decided_for = winner;
        if (plays_on) continue;
        record.game.result =
            *winner == chess::White ? games::GameResult::WhiteWins : games::GameResult::BlackWins;
        record.game.ending = games::Ending::Resignation;
        return record;
    }
    end_game(record.game, line, terminal);
    return record;
}

}  // namespace scholar::selfplay
