#include "search/ordered/ordered_tree.hpp"

#include <algorithm>
#include <utility>

#include "chess/exchange.hpp"
#include "search/alpha_beta/move_picker.hpp"

namespace scholar::search {

namespace {

using chess::Move;
using chess::MoveSet;

// An order of positions says nothing of what pieces are worth. For the order in which moves are tried, and
// for exchanges: C. Shannon, "Programming a computer for playing chess", Philosophical Magazine 41 (1950).
constexpr nets::PieceValues kShannonValues{100, 300, 300, 500, 900, 0};

constexpr int kLeastToPass = 3;    // half-moves that are left
constexpr int kLeastToReduce = 3;  // likewise
constexpr int kFullDepthMoves = 3;

int reduction_of(const MovePicker::Pick& pick, int depth, int number) {
    if (pick.rank != MovePicker::Rank::Quiet || depth < kLeastToReduce || number <= kFullDepthMoves) return 0;
    constexpr int kLate = 10;
    return std::min(depth - 2, 1 + (number > kLate) + depth / 6);
}

}  // namespace

OrderedTree::OrderedTree(std::unique_ptr<evaluators::Comparator> comparator, std::size_t bytes, bool plain)
    : order_(std::move(comparator), plain ? bytes : bytes / 4 * 3),
      table_(plain ? 0 : bytes / 4),
      plain_(plain),
      variations_(chess::kMaxPly + 2),
      killers_(chess::kMaxPly + 2),
      histories_(std::make_unique<Histories>()) {}

void OrderedTree::begin(const chess::Line& line, Watch& watch) {
    line_ = line;
    line_.reserve_ahead(chess::kMaxPly + 2);  // nodes hold references to their positions
    root_ply_ = line_.ply();
    watch_ = &watch;
    over_ = false;
    passed_ = false;
    table_.next_search();
    std::ranges::fill(killers_, std::array<Move, 2>{});
}

void OrderedTree::forget() {
    order_.clear();
    table_.clear();
    *histories_ = {};
}

bool OrderedTree::visit(int ply) {
    over_ = over_ || !watch_->may_go_on(ply);
    return !over_;
}

bool OrderedTree::is_draw() const {
    const chess::Position& position = line_.current();
    if (line_.is_repetition_in_search(root_ply_) || position.has_insufficient_material()) return true;
    return position.halfmove_clock() >= 100 && (!position.in_check() || chess::has_legal_move(position));
}

Standing OrderedTree::mated(int ply) const {
    return Standing::of(line_.current().side_to_move() == chess::White ? chess::Score::mated_in(ply)
                                                                       : chess::Score::mate_in(ply));
}

template <class Visit>
void OrderedTree::for_each_move(const OrderedEntry* entry, int depth, int ply, Visit visit) {
    const chess::Position& position = line_.current();
    if (plain_) {
        const chess::MoveList moves = chess::legal_moves(position);
        std::vector<Move> sorted(moves.begin(), moves.end());
        std::ranges::stable_partition(sorted, [&](Move move) { return position.is_noisy(move); });
        for (const Move move : sorted)
            if (!visit(move, 0)) return;
        return;
    }
    OrderingHints hints;
    if (entry) hints.table_move = entry->move;
    hints.killers = killers_[static_cast<std::size_t>(ply)];
    hints.histories = histories_.get();
    MovePicker picker(position, MovePicker::Which::All, hints, kShannonValues);
    const bool in_check = position.in_check();
    int number = 0;
    MovePicker::Pick pick;
    while (picker.next(pick))
        if (!visit(pick.move, in_check ? 0 : reduction_of(pick, depth, ++number))) return;
}

Standing OrderedTree::work_out(int depth, int ply) {
    Variation& variation = variations_[static_cast<std::size_t>(ply)];
    variation.clear();
    const chess::Position& position = line_.current();
    const bool in_check = position.in_check();
    if (in_check && !plain_) ++depth;
    if (depth <= 0) return work_out_quietly(ply);
    if (!visit(ply)) return {};
    if (ply > 0 && is_draw()) return {};
    if (ply >= chess::kMaxPly) return standing();

    const chess::Color side = position.side_to_move();
    Standing best = in_check ? mated(ply) : Standing();
    Move best_move;
    std::vector<Move> others;
    for_each_move(table_.find(position.key()), depth, ply, [&](Move move, int less) {
        push(move);
        // Better, unless the other side comes away with what the best move leaves it.
        const Question question{best, ~side};
        bool better = !best_move || !is_reached(depth - 1 - less, question, ply + 1);
        if (better && best_move && less > 0) better = !is_reached(depth - 1, question, ply + 1);
        Standing value;
        if (better) value = work_out(depth - 1, ply + 1);
        pop();
        if (over_) return false;
        if (better) {
            best = std::move(value);
            if (best_move) others.push_back(best_move);
            best_move = move;
            variation.set(move, variations_[static_cast<std::size_t>(ply) + 1]);
        } else {
            others.push_back(move);
        }
        return true;
    });
    if (over_) return {};
    if (best_move) {
        remember(depth, best_move, best, Beside::Same);
        teach(best_move, others, depth, ply);
    }
    return best;
}

bool OrderedTree::is_reached(int depth, const Question& question, int ply) {
    const bool passed = std::exchange(passed_, false);
    const chess::Position& position = line_.current();
    if (position.in_check() && !plain_) ++depth;
    if (depth <= 0) return is_reached_quietly(question, ply);
    if (!visit(ply)) return false;
    if (is_draw()) return answers({}, question);
    if (ply >= chess::kMaxPly) return answers(standing(), question);

    const OrderedEntry* const entry = table_.find(position.key());
    if (const auto known = remembered(entry, depth, question)) return *known;
    // What the side to move would like to hear.
    const bool wanted = position.side_to_move() == question.who;
    if (!passed)
        if (const auto known = by_passing(depth, question, ply)) return *known;
    if (over_) return false;
    Move refutation;
    std::vector<Move> others;
    for_each_move(entry, depth, ply, [&](Move move, int less) {
        push(move);
        bool answer = is_reached(depth - 1 - less, question, ply + 1);
        if (answer == wanted && less > 0) answer = is_reached(depth - 1, question, ply + 1);
        pop();
        if (over_) return false;
        if (answer == wanted)
            refutation = move;
        else
            others.push_back(move);
        return answer != wanted;
    });
    if (over_) return false;
    if (others.empty() && !refutation)
        return answers(position.in_check() ? mated(ply) : Standing(), question);
    const bool answer = refutation ? wanted : !wanted;
    const Beside beside = answer ? Beside::AtLeast : Beside::Below;
    remember(depth, refutation, question.bound, question.who == chess::White ? beside : turned(beside));
    if (refutation) teach(refutation, others, depth, ply);
    return answer;
}

std::optional<bool> OrderedTree::remembered(const OrderedEntry* entry, int depth, const Question& question) {
    if (!entry || entry->depth < depth) return std::nullopt;
    const Standing& than = entry->than;
    switch (question.who == chess::White ? entry->beside : turned(entry->beside)) {
        case Beside::Same:
            return answers(than, question);
        case Beside::Above:
        case Beside::AtLeast:
            if (answers(than, question)) return true;
            break;
        case Beside::AtMost:
            if (!answers(than, question)) return false;
            break;
        case Beside::Below:
            if (!order_.is_better_for(question.who, than, question.bound)) return false;
            break;
    }
    return std::nullopt;
}

// A pass that leaves the side as well off as it likes: it has a move that does (C. Donninger, "Null move and
// deep search", ICCA Journal 16 (1993)).
std::optional<bool> OrderedTree::by_passing(int depth, const Question& question, int ply) {
    const chess::Position& position = line_.current();
    if (plain_ || depth < kLeastToPass || position.in_check() ||
        !position.has_pieces(position.side_to_move()) || question.bound.decided() != chess::Score::draw())
        return std::nullopt;
    const bool wanted = position.side_to_move() == question.who;
    if (answers(standing(), question) != wanted) return std::nullopt;
    line_.push_null();
    passed_ = true;
    const bool answer = is_reached(depth - 3 - depth / 4, question, ply + 1);
    passed_ = false;
    pop();
    if (over_ || answer != wanted) return std::nullopt;
    return answer;
}

void OrderedTree::remember(int depth, Move move, const Standing& than, Beside beside) {
    // A mate's distance is the root's.
    if (plain_ || than.decided() != chess::Score::draw()) return;
    table_.store({line_.current().key(), than, move, static_cast<std::int16_t>(depth), beside});
}

void OrderedTree::teach(Move move, std::span<const Move> before, int depth, int ply) {
    if (plain_) return;
    const chess::Position& position = line_.current();
    const int bonus = std::min(16 * depth * depth + 32 * depth, 1'600);
    const auto add = [&](Move to, int points) {
        if (position.is_noisy(to))
            histories_->captures.at(position, to).add(points);
        else
            histories_->butterfly.at(position.side_to_move(), to).add(points);
    };
    add(move, bonus);
    for (const Move other : before) add(other, -bonus);
    auto& killers = killers_[static_cast<std::size_t>(ply)];
    if (position.is_noisy(move) || killers[0] == move) return;
    killers[1] = std::exchange(killers[0], move);
}

std::vector<Move> OrderedTree::quiet_tree_moves(bool in_check) const {
    const chess::Position& position = line_.current();
    std::vector<std::pair<int, Move>> rated;
    for (const Move move : chess::legal_moves(position, in_check ? MoveSet::All : MoveSet::Noisy)) {
        if (!plain_ && !in_check && !chess::exchange_wins(position, move, 0, kShannonValues)) continue;
        int gain = -1;
        if (position.is_noisy(move)) {
            const chess::PieceKind victim = position.captured_kind(move);
            gain = 64 * ((victim == chess::NoKind ? 0 : kShannonValues[victim]) +
                         (move.is_promotion() ? kShannonValues[move.promotion_kind()] : 0)) -
                   kShannonValues[chess::kind_of(position.piece_on(move.from()))] + 1'000;
        }
        rated.emplace_back(gain, move);
    }
    std::ranges::stable_sort(rated, std::greater(), &std::pair<int, Move>::first);
    std::vector<Move> moves;
    moves.reserve(rated.size());
    for (const auto& [gain, move] : rated) moves.push_back(move);
    return moves;
}

Standing OrderedTree::work_out_quietly(int ply) {
    Variation& variation = variations_[static_cast<std::size_t>(ply)];
    variation.clear();
    if (!visit(ply) || is_draw()) return {};
    if (ply >= chess::kMaxPly) return standing();
    const chess::Position& position = line_.current();
    const bool in_check = position.in_check();
    Standing best = in_check ? mated(ply) : standing();
    for (const Move move : quiet_tree_moves(in_check)) {
        push(move);
        const bool better = !is_reached_quietly({best, ~position.side_to_move()}, ply + 1);
        Standing value;
        if (better) value = work_out_quietly(ply + 1);
        pop();
        if (over_) return {};
        if (!better) continue;
        best = std::move(value);
        variation.set(move, variations_[static_cast<std::size_t>(ply) + 1]);
    }
    return best;
}

bool OrderedTree::is_reached_quietly(const Question& question, int ply) {
    if (!visit(ply)) return false;
    if (is_draw()) return answers({}, question);
    if (ply >= chess::kMaxPly) return answers(standing(), question);
    const chess::Position& position = line_.current();
    const bool wanted = position.side_to_move() == question.who;
    const bool in_check = position.in_check();
    if (answers(in_check ? mated(ply) : standing(), question) == wanted) return wanted;
    for (const Move move : quiet_tree_moves(in_check)) {
        push(move);
        const bool answer = is_reached_quietly(question, ply + 1);
        pop();
        if (over_) return false;
        if (answer == wanted) return wanted;
    }
    return !wanted;
}

}  // namespace scholar::search
