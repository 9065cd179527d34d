#include "evaluators/explanation.hpp"

#include <algorithm>
#include <utility>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "evaluators/make.hpp"
#include "nets/explained/explained.hpp"

namespace scholar::evaluators {

namespace {

using chess::Position;
using chess::Square;

constexpr std::array<std::string_view, kExplanationMethods.size()> kMethodNames{"occlusion", "gradient",
                                                                                "integrated"};

int index_in(const chess::MoveList& moves, chess::Move move) {
    return static_cast<int>(std::find(moves.begin(), moves.end(), move) - moves.begin());
}

// Why a man is left out where a move is explained: without him it is not that move.
std::optional<std::string> needed_for(const Position& rest, Square man, chess::Move move) {
    if (man == move.from()) return "it is the man that moves";
    if (!chess::legal_moves(rest).contains(move)) return "the move is not legal without it";
    return std::nullopt;
}

}  // namespace

std::string_view to_string(ExplanationMethod method) {
    return kMethodNames.at(static_cast<std::size_t>(method));
}

std::optional<ExplanationMethod> find_explanation_method(std::string_view name) {
    const auto* const found = std::ranges::find(kMethodNames, name);
    if (found == kMethodNames.end()) return std::nullopt;
    return kExplanationMethods.at(static_cast<std::size_t>(found - kMethodNames.begin()));
}

double Explanation::men_total() const {
    double total = 0;
    for (const auto& share : men) total += share.value_or(0);
    return total;
}

std::vector<Square> Explanation::order() const {
    std::vector<Square> squares;
    for (int square = 0; square < 64; ++square)
        if (men.at(static_cast<std::size_t>(square))) squares.push_back(static_cast<Square>(square));
    std::ranges::stable_sort(squares, std::greater(), [this](Square square) { return *men[square]; });
    return squares;
}

base::Result<Position> without_man(const Position& position, Square square) {
    if (kind_of(position.piece_on(square)) == chess::King) return base::fail("a king cannot be taken off");
    chess::Setup setup = position.setup();
    setup.board[square] = chess::NoPiece;
    for (std::size_t i = 0; i < setup.castling_rooks.size(); ++i)
        if (setup.castling_rooks[i] == square) {
            setup.castling_rooks[i] = chess::NoSquare;
            setup.castling_rights &= static_cast<std::uint8_t>(~(1U << i));
        }
    if (setup.en_passant != chess::NoSquare &&
        setup.en_passant + chess::forward(~position.side_to_move()) == square)
        setup.en_passant = chess::NoSquare;
    auto rest = Position::from_setup(setup);
    if (rest && !chess::has_legal_move(*rest)) return base::fail("the game would be over");
    return rest;
}

base::Result<Explainer> Explainer::make(const nets::AnyNetwork& network, int steps) {
    auto batch = make_batch(network);
    if (!batch) return std::unexpected(batch.error());
    return Explainer(network, std::move(*batch), steps);
}

bool Explainer::has_slopes(bool of_move) const {
    const chess::Line line;
    return of_move ? nets::explain_move(network_, line, chess::legal_moves(line.current()), 0).has_value()
                   : nets::explain_value(network_, line).has_value();
}

base::Result<std::vector<double>> Explainer::say(const std::vector<Position>& positions,
                                                 std::optional<chess::Move> move) {
    const nets::Abilities can = batch_->abilities();
    if (move ? !can.has(nets::Ability::Policy) : !can.has_any({nets::Ability::Value, nets::Ability::Wdl}))
        return base::fail("{}: gives {}, expected {}", network_.description(),
                          nets::to_string(network_.abilities()),
                          move ? nets::to_string(nets::Ability::Policy) : "a value");
    std::vector<double> said;
    std::vector<Opinion> opinions;
    std::size_t waiting = 0;
    const auto collect = [&]() -> base::Status {
        if (auto status = batch_->collect(opinions); !status) return status;
        const std::size_t first = said.size();
        for (std::size_t i = 0; i < opinions.size(); ++i) {
            const Position& position = positions[first + i];
            if (move) {
                const int index = index_in(chess::legal_moves(position), *move);
                said.push_back(opinions[i].probabilities[static_cast<std::size_t>(index)]);
            } else {
                const chess::Score score = opinions[i].value
                                               ? *opinions[i].value
                                               : chess::Score::from_expected(*opinions[i].expected());
                said.push_back((position.side_to_move() == chess::White ? score : -score).value());
            }
        }
        waiting = 0;
        return {};
    };
    for (const Position& position : positions) {
        batch_->submit_part(chess::Line(position), chess::legal_moves(position),
                            move ? Wanted::Policy : Wanted::Value);
        if (++waiting < batch_->capacity()) continue;
        if (auto status = collect(); !status) return std::unexpected(status.error());
    }
    if (waiting > 0)
        if (auto status = collect(); !status) return std::unexpected(status.error());
    return said;
}

base::Result<chess::Move> Explainer::likeliest_move(const Position& position) {
    const chess::MoveList moves = chess::legal_moves(position);
    std::vector<Opinion> opinions;
    batch_->submit_part(chess::Line(position), moves, Wanted::Policy);
    if (auto status = batch_->collect(opinions); !status) return std::unexpected(status.error());
    const std::vector<float>& probabilities = opinions.front().probabilities;
    if (probabilities.empty())
        return base::fail("{}: gives {}, expected {}", network_.description(),
                          nets::to_string(network_.abilities()), nets::to_string(nets::Ability::Policy));
    return moves[static_cast<int>(std::ranges::max_element(probabilities) - probabilities.begin())];
}

base::Result<Explanation> Explainer::explain(const Position& position, std::optional<chess::Move> move,
                                             ExplanationMethod method) {
    if (!chess::has_legal_move(position))
        return base::fail("{}: the game is over, expected a position with a legal move",
                          chess::to_fen(position));
    auto explanation = method == ExplanationMethod::Occlusion
                           ? by_occlusion(position, move)
                           : by_slopes(position, move, method == ExplanationMethod::Integrated);
    if (explanation) explanation->method = method;
    return explanation;
}

base::Result<Explanation> Explainer::by_occlusion(const Position& position, std::optional<chess::Move> move) {
    Explanation explanation;
    std::vector<Position> positions{position};
    std::vector<Square> taken;
    for (const Square square : chess::squares(position.occupied())) {
        const auto rest = without_man(position, square);
        std::optional<std::string> why;
        if (!rest)
            why = rest.error().message;
        else if (move)
            why = needed_for(*rest, square, *move);
        if (why) {
            explanation.left_out[square] = *why;
            continue;
        }
        positions.push_back(*rest);
        taken.push_back(square);
    }
    const auto said = say(positions, move);
    if (!said) return std::unexpected(said.error());
    explanation.said = said->front();
    for (std::size_t i = 0; i < taken.size(); ++i)
        explanation.men[taken[i]] = explanation.said - (*said)[i + 1];
    return explanation;
}

base::Result<Explanation> Explainer::by_slopes(const Position& position, std::optional<chess::Move> move,
                                               bool integrated) {
    const chess::Line line(position);
    const chess::MoveList moves = chess::legal_moves(position);
    const auto explained = move ? nets::explain_move(network_, line, moves, index_in(moves, *move))
                                : nets::explain_value(network_, line);
    if (!explained) return std::unexpected(explained.error());
    const nets::Tangent here = explained->at(explained->inputs);
    nets::Numbers slopes = here.slopes;
    if (integrated) {
        std::ranges::fill(slopes, 0);
        // The middle of each step.
        for (int step = 0; step < steps_; ++step) {
            nets::Numbers inputs = explained->inputs;
            for (double& input : inputs) input *= (step + 0.5) / steps_;
            const nets::Tangent there = explained->at(inputs);
            for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] += there.slopes[i] / steps_;
        }
    }
    Explanation explanation;
    explanation.said = here.said;
    for (const Square square : chess::squares(position.occupied())) explanation.men[square] = 0;
    for (std::size_t i = 0; i < slopes.size(); ++i) {
        const double share = slopes[i] * explained->inputs[i];
        const chess::Bitboard owners = explained->owners[i];
        if (owners == 0) explanation.others += share;
        for (const Square square : chess::squares(owners))
            *explanation.men[square] += share / chess::popcount(owners);
    }
    explanation.rest = explanation.said - explanation.men_total() - explanation.others;
    return explanation;
}

}  // namespace scholar::evaluators
