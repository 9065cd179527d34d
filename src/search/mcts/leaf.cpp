#include "search/mcts/leaf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "chess/uci_move.hpp"

namespace scholar::search::mcts {

namespace {

using chess::Score;

// From 0 to 1, but for what networks of single precision lose on the way. What is no number is none.
bool is_share(double value) {
    constexpr double kRounding = 1e-3;
    return value >= -kRounding && value <= 1 + kRounding;
}
// Never −0, whose bits are those of a large number.
template <class Number>
Number clamped(Number share) {
    return share > 0 ? std::min<Number>(share, 1) : 0;
}

std::optional<LeafRules> ask_tables(const chess::Position& position, const TablebaseRules& rules) {
    using tablebases::Outcome;
    // As long as the clock is not 0 a win may come too late.
    if (!rules.tables || position.halfmove_clock() != 0 || position.castling_rights() != 0 ||
        chess::popcount(position.occupied()) > std::min(rules.max_pieces, rules.tables->max_pieces()))
        return std::nullopt;
    const auto outcome = rules.tables->probe_wdl(position);
    if (!outcome) return std::nullopt;
    const bool any = !rules.fifty_move_rule;
    if (*outcome == Outcome::Win || (any && *outcome == Outcome::CursedWin))
        return LeafRules{NodeKind::Decided, Score::tablebase_win(0), true};
    if (*outcome == Outcome::Loss || (any && *outcome == Outcome::BlessedLoss))
        return LeafRules{NodeKind::Decided, Score::tablebase_loss(0), true};
    return LeafRules{NodeKind::Draw, Score::draw(), true};
}

// As a node keeps it (Node::moves_left).
std::uint16_t stored_moves_left(std::optional<float> half_moves) {
    if (!half_moves) return 0;
    constexpr float kMostUnits = (1 << kMovesLeftBits) - 2;
    // What is no number is not above 0.
    const float units = *half_moves > 0 ? std::min(*half_moves * kMovesLeftUnit, kMostUnits) : 0;
    return static_cast<std::uint16_t>(1 + std::lround(units));
}

}  // namespace

LeafRules ask_rules(const chess::Line& line, const chess::MoveList& moves, int root,
                    const TablebaseRules& tablebases) {
    const chess::Position& position = line.current();
    if (moves.empty())
        return position.in_check() ? LeafRules{NodeKind::Decided, Score::mated_in(0), false}
                                   : LeafRules{NodeKind::Draw, Score::draw(), false};
    if (position.has_insufficient_material() || position.halfmove_clock() >= 100)
        return {NodeKind::Draw, Score::draw(), false};
    if (line.is_repetition_in_search(root)) return {NodeKind::Repetition, Score::draw(), false};
    return ask_tables(position, tablebases).value_or(LeafRules{});
}

base::Result<Outcome> outcome_of(const evaluators::Opinion& opinion) {
    const auto expected = opinion.expected();
    if (!expected || !is_share(*expected))
        return base::fail("the expected result is {}, expected one from 0 to 1",
                          expected ? fmt::format("{}", *expected) : "missing");
    const double draw = opinion.wdl ? opinion.wdl->draw : 0;
    if (!is_share(draw)) return base::fail("the chance of a draw is {}, expected one from 0 to 1", draw);
    return Outcome{static_cast<std::int32_t>(std::lround((2 * clamped(*expected) - 1) * kOne)),
                   static_cast<std::int32_t>(std::lround(clamped(draw) * kOne)),
                   stored_moves_left(opinion.moves_left)};
}

base::Status make_edges(const chess::MoveList& moves, const evaluators::Opinion& opinion,
                        double policy_temperature, std::vector<Edge>& edges) {
    edges.clear();
    if (opinion.probabilities.size() != static_cast<std::size_t>(moves.size()))
        return base::fail("there are {} probabilities of moves, expected {}", opinion.probabilities.size(),
                          moves.size());
    // Powers are of shares of the largest: of small ones themselves nothing would be left as numbers go.
    float largest = 0;
    for (const float probability : opinion.probabilities) largest = std::max(largest, probability);
    const auto exponent = static_cast<float>(1 / policy_temperature);
    std::array<float, chess::kMaxMoves> shares;
    float sum = 0;
    for (int i = 0; i < moves.size(); ++i) {
        const float probability = opinion.probabilities[static_cast<std::size_t>(i)];
        if (!is_share(probability))
            return base::fail("the probability of {} is {}, expected one from 0 to 1",
                              chess::to_uci(moves[i], chess::CastlingNotation::Chess960), probability);
        shares[i] = policy_temperature == 1 || largest <= 0
                        ? clamped(probability)
                        : std::pow(clamped(probability / largest), exponent);
        sum += shares[i];
    }
    if (sum <= 0) return base::fail("the probabilities of all moves are 0, expected a sum of 1");
    // In order of priors, and of moves where these are equal: the bits of numbers that are not negative have
    // the order of the numbers.
    std::array<std::uint64_t, chess::kMaxMoves> ranks;
    for (int i = 0; i < moves.size(); ++i)
        ranks[i] =
            std::uint64_t{std::bit_cast<std::uint32_t>(shares[i] / sum)} << 16 | (0xFFFFU ^ moves[i].bits());
    std::ranges::sort(std::span(ranks).first(static_cast<std::size_t>(moves.size())), std::greater());
    for (int i = 0; i < moves.size(); ++i)
        edges.push_back({kNoNode, std::bit_cast<float>(static_cast<std::uint32_t>(ranks[i] >> 16)),
                         chess::Move::from_bits(static_cast<std::uint16_t>(0xFFFFU ^ (ranks[i] & 0xFFFFU)))});
    return {};
}

}  // namespace scholar::search::mcts
