#include "games/learnt_book_beliefs.hpp"

#include <algorithm>
#include <cmath>

#include "chess/movegen.hpp"
#include "chess/polyglot_key.hpp"
#include "games/book.hpp"

namespace scholar::games {

namespace {

// A result's standard deviation is at most this.
constexpr double kDeviationOfAGame = 0.5;

}  // namespace

std::optional<BookOpponent> book_opponent(const BookGraph& graph, std::string_view name, chess::Color us) {
    const auto number = graph.opponent(name);
    if (!number) return std::nullopt;
    return BookOpponent{*number, us};
}

BookBeliefs::BookBeliefs(const BookGraph& graph, const BeliefOptions& options,
                         std::optional<BookOpponent> opponent)
    : options_(options), opponent_(opponent) {
    // Children come before their parents but for transpositions: values then settle in few rounds.
    std::vector<std::pair<std::uint64_t, const LearntPosition*>> order;
    order.reserve(graph.state().positions.size());
    for (const auto& [key, position] : graph.state().positions) order.emplace_back(key, &position);
    std::ranges::stable_sort(order, std::ranges::greater(), [](const auto& p) { return p.second->ply; });
    for (std::size_t i = 0; i < order.size(); ++i)
        index_.emplace(order[i].first, static_cast<std::ptrdiff_t>(i));

    nodes_.reserve(order.size());
    for (const auto& [key, position] : order) {
        Node node;
        node.learnt = position;
        if (position->opinion) node.searched = position->opinion->score.expected();
        node.value = node.searched;
        node.has_others =
            static_cast<std::size_t>(chess::count_legal_moves(position->position)) > position->moves.size();
        for (const LearntMove& learnt : position->moves) {
            Move move = own_belief(*position, learnt);
            if (const auto child = index_.find(learnt.leads_to); child != index_.end()) {
                const LearntPosition& after = *order[static_cast<std::size_t>(child->second)].second;
                const double games = learnt.ours + learnt.theirs;
                move.child = child->second;
                move.continuation =
                    options_.continuation * (games > 0 ? std::min(1.0, after.games / games) : 1.0);
            }
            node.moves.push_back(move);
        }
        nodes_.push_back(std::move(node));
    }

    constexpr double kSettled = 1e-12;
    constexpr int kMaxRounds = 300;  // 0.8 ^ 300 is beyond what a double tells apart
    for (int round = 0; round < kMaxRounds; ++round) {
        double change = 0;
        for (Node& node : nodes_) change = std::max(change, revise(node));
        if (change < kSettled) break;
    }
}

BookBeliefs::Move BookBeliefs::own_belief(const LearntPosition& position, const LearntMove& learnt) const {
    const auto& opinion = learnt.opinion ? learnt.opinion : position.opinion;
    Move move;
    double points = 0;
    for (const OpponentTally& tally : learnt.opponents) {
        const double games = tally.games();
        if (games == 0) continue;
        const bool as_then = opponent_ && tally.opponent == opponent_->number &&
                             tally.ours == (position.position.side_to_move() == opponent_->us);
        const double weight = as_then ? games : effective_games(games, options_.opponent_games);
        move.games += weight;
        points += weight * (tally.wins + 0.5 * tally.draws) / games;
    }
    const double searched = opinion ? opinion->score.expected() : 0.5;
    move.own = (options_.search_games * searched + points) / (options_.search_games + move.games);
    move.value = move.own;
    return move;
}

// Returns by how much the position's value changed.
double BookBeliefs::revise(Node& node) {
    double best = 0;
    double sum = options_.search_games * (node.searched - options_.gap);
    double weight = options_.search_games;
    for (Move& move : node.moves) {
        move.value = move.own;
        if (move.child >= 0) {
            const double after = 1 - nodes_[static_cast<std::size_t>(move.child)].value;
            move.value += move.continuation * (after - move.own);
        }
        best = std::max(best, move.value);
        sum += options_.sibling * move.games * move.value;
        weight += options_.sibling * move.games;
    }
    node.otherwise = node.has_others ? sum / weight : 0;
    const double value = std::max(best, node.otherwise);
    return std::abs(std::exchange(node.value, value) - value);
}

std::optional<PositionBelief> BookBeliefs::find(const chess::Position& position) const {
    const auto found = index_.find(chess::polyglot_key(position));
    if (found == index_.end()) return std::nullopt;
    const Node& node = nodes_[static_cast<std::size_t>(found->second)];
    PositionBelief belief{node.value, node.otherwise, {}};
    for (std::size_t i = 0; i < node.moves.size(); ++i) {
        const LearntMove& learnt = node.learnt->moves[i];
        if (const chess::Move move = from_book_move(position, learnt.move))
            belief.moves.push_back({move, &learnt, node.moves[i].value, node.moves[i].games});
    }
    std::ranges::stable_sort(belief.moves, std::ranges::greater(), &MoveBelief::value);
    return belief;
}

bool BookBeliefs::is_reliable(const MoveBelief& move) const {
    return move.games + (move.learnt->opinion ? options_.search_games : 0) >= options_.reliable;
}

bool BookBeliefs::is_bad(const PositionBelief& belief, const MoveBelief& move) const {
    double best = belief.otherwise;
    for (const MoveBelief& other : belief.moves)
        if (is_reliable(other)) best = std::max(best, other.value);
    return move.value < best - options_.clearly;
}

bool BookBeliefs::is_playable(const PositionBelief& belief, const MoveBelief& move) const {
    return is_reliable(move) && !is_bad(belief, move);
}

BookAdvice BookBeliefs::advise(const chess::Position& position, base::Random& random) const {
    BookAdvice advice;
    const auto belief = find(position);
    if (!belief) return advice;
    double highest = 0;
    for (const MoveBelief& move : belief->moves) {
        if (is_bad(*belief, move)) advice.avoid.push_back(move.move);
        if (!is_playable(*belief, move)) continue;
        const double known = options_.search_games + move.games;
        const double deviation = options_.exploration * kDeviationOfAGame / std::sqrt(known);
        const double drawn = move.value + (deviation > 0 ? deviation * random.normal() : 0);
        if (advice.play && drawn <= highest) continue;
        advice.play = move.move;
        highest = drawn;
    }
    // A move must be left to play, if only the best of bad ones.
    if (advice.avoid.size() == static_cast<std::size_t>(chess::count_legal_moves(position)))
        advice.avoid.erase(advice.avoid.begin());
    return advice;
}

}  // namespace scholar::games
