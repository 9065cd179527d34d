#include "games/learnt_book_graph.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "chess/polyglot_key.hpp"
#include "games/book.hpp"

namespace scholar::games {

namespace {

// A fresh search knows better, since the player has learnt meanwhile, unless it was only a glance.
void update(std::optional<BookOpinion>& known, const BookOpinion& fresh) {
    if (!known || fresh.nodes >= known->nodes / 2) known = fresh;
}

// What an opinion of a move says of the position after it, and the other way round.
BookOpinion turned(BookOpinion opinion) {
    opinion.score = -opinion.score;
    return opinion;
}

LearntMove& move_of(LearntPosition& position, std::uint16_t bits, std::uint64_t leads_to) {
    const auto place = std::ranges::lower_bound(position.moves, bits, {}, &LearntMove::move);
    if (place != position.moves.end() && place->move == bits) return *place;
    LearntMove move;
    move.move = bits;
    move.leads_to = leads_to;
    return *position.moves.insert(place, std::move(move));
}

OpponentTally& tally_of(LearntMove& move, std::uint32_t opponent, bool ours) {
    const auto order = [](const OpponentTally& tally) { return std::pair(tally.opponent, tally.ours); };
    const auto place = std::ranges::lower_bound(move.opponents, std::pair(opponent, ours), {}, order);
    if (place != move.opponents.end() && order(*place) == std::pair(opponent, ours)) return *place;
    OpponentTally tally;
    tally.opponent = opponent;
    tally.ours = ours;
    return *move.opponents.insert(place, tally);
}

// A game in which the move was played, worth `points` to the side that did.
void count(LearntMove& move, std::uint32_t opponent, bool ours, double points) {
    ++(ours ? move.ours : move.theirs);
    OpponentTally& tally = tally_of(move, opponent, ours);
    if (points == 1) {
        ++move.wins;
        ++tally.wins;
    } else if (points == 0) {
        ++move.losses;
        ++tally.losses;
    } else {
        ++move.draws;
        ++tally.draws;
    }
    if (tally.games() > OpponentTally::kMost) {
        tally.wins /= 2;
        tally.draws /= 2;
        tally.losses /= 2;
    }
}

// How much would be lost with a position.
std::uint64_t worth(const LearntPosition& position) {
    return position.games + (position.opinion ? position.opinion->nodes / kNodesOfAGame : 0);
}

}  // namespace

BookGraph::BookGraph(BookState state) : state_(std::move(state)) {
    for (std::uint32_t i = 0; i < state_.opponents.size(); ++i) numbers_.emplace(state_.opponents[i], i);
}

std::uint32_t BookGraph::number_of(const std::string& name) {
    const auto [found, is_new] = numbers_.emplace(name, static_cast<std::uint32_t>(state_.opponents.size()));
    if (is_new) state_.opponents.push_back(name);
    return found->second;
}

std::optional<std::uint32_t> BookGraph::opponent(std::string_view name) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
}

const LearntPosition* BookGraph::find(const chess::Position& position) const {
    const auto found = state_.positions.find(chess::polyglot_key(position));
    return found == state_.positions.end() ? nullptr : &found->second;
}

void BookGraph::add(const BookGame& game) {
    ++state_.games;
    const std::uint32_t opponent = number_of(game.opponent);
    // A game counts once for a position or move, even if it comes back.
    std::set<std::uint64_t> met;
    std::set<std::pair<std::uint64_t, std::uint16_t>> played;
    chess::Position position = game.start;
    LearntMove* before = nullptr;          // the move that led here
    std::optional<BookOpinion> inherited;  // from the search that chose it
    const auto plies = std::min(game.moves.size(), static_cast<std::size_t>(state_.bounds.max_plies));
    for (std::size_t ply = 0; ply < plies; ++ply) {
        const JudgedMove& judged = game.moves[ply];
        const chess::Position after = position.after(judged.move);
        const std::uint64_t key = chess::polyglot_key(position);
        const auto [place, is_new] = state_.positions.try_emplace(key);
        LearntPosition& here = place->second;
        if (is_new) {
            here.position = position;
            here.ply = static_cast<std::uint32_t>(ply);
        }
        here.ply = std::min(here.ply, static_cast<std::uint32_t>(ply));
        here.last_game = state_.games;
        here.games += met.insert(key).second ? 1 : 0;
        if (inherited) update(here.opinion, *inherited);
        if (judged.opinion && before != nullptr) update(before->opinion, turned(*judged.opinion));
        const std::uint16_t bits = to_book_move(judged.move);
        LearntMove& move = move_of(here, bits, chess::polyglot_key(after));
        if (played.emplace(key, bits).second)
            count(move, opponent, position.side_to_move() == game.color,
                  *points(game.result, position.side_to_move()));
        inherited.reset();
        if (judged.opinion) {
            update(here.opinion, *judged.opinion);
            update(move.opinion, *judged.opinion);
            inherited = turned(*judged.opinion);
        }
        before = &move;
        position = after;
    }
    forget();
}

void BookGraph::add(const BookSearch& search) {
    ++state_.searches;
    if (search.moves.empty()) return;
    const std::uint64_t key = chess::polyglot_key(search.position);
    const auto [place, is_new] = state_.positions.try_emplace(key);
    LearntPosition& here = place->second;
    if (is_new) here.position = search.position;
    update(here.opinion, *search.moves.front().opinion);
    for (const JudgedMove& judged : search.moves) {
        const std::uint64_t next = chess::polyglot_key(search.position.after(judged.move));
        update(move_of(here, to_book_move(judged.move), next).opinion, *judged.opinion);
    }
    forget();
}

// Down to a little less than the bound, so that it is not done after every game: first what was met in the
// fewest games, of those the deepest, then what was met longest ago.
void BookGraph::forget() {
    const std::size_t bound = state_.bounds.max_positions;
    if (state_.positions.size() <= bound) return;
    using Rank = std::tuple<std::uint64_t, std::int64_t, std::uint64_t, std::uint64_t>;
    std::vector<Rank> ranks;
    ranks.reserve(state_.positions.size());
    for (const auto& [key, position] : state_.positions)
        ranks.emplace_back(worth(position), -static_cast<std::int64_t>(position.ply), position.last_game,
                           key);
    const std::size_t surplus = ranks.size() - (bound - bound / 16);
    std::ranges::nth_element(ranks, ranks.begin() + static_cast<std::ptrdiff_t>(surplus));
    for (std::size_t i = 0; i < surplus; ++i) state_.positions.erase(std::get<3>(ranks[i]));
}

}  // namespace scholar::games
