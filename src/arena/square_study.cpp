#include "arena/square_study.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "chess/bitboard.hpp"
#include "chess/movegen.hpp"
#include "evaluators/softmax.hpp"
#include "nets/conv/chess_net_runner.hpp"
#include "nets/conv/square_policy.hpp"

namespace scholar::arena {

namespace {

using nets::ChessNetRole;

constexpr std::size_t kBoard = nets::kPlaneSquares;
using SquareChances = std::array<float, kBoard>;

constexpr std::size_t index_of(ChessNetRole role) {
    return static_cast<std::size_t>(role);
}

// Bits are squares as the mover sees them.
bool is_in(chess::Bitboard squares, std::size_t square) {
    return (squares >> square & 1) != 0;
}

// Sums, until mean() divides them.
class SquareSums {
  public:
    void add(std::span<const float> chances, chess::Bitboard legal, std::size_t played) {
        ++sums_.positions;
        int before = 1;
        int after = 1;
        std::size_t likeliest = 0;
        double squares = 0;
        float largest = 0;
        for (std::size_t square = 0; square < kBoard; ++square) {
            const bool is_better =
                chances[square] > chances[played] || (chances[square] == chances[played] && square < played);
            before += is_better ? 1 : 0;
            after += is_better && is_in(legal, square) ? 1 : 0;
            if (chances[square] > chances[likeliest]) likeliest = square;
            if (is_in(legal, square)) continue;
            squares += static_cast<double>(chances[square]) * static_cast<double>(chances[square]);
            largest = std::max(largest, chances[square]);
        }
        for (std::size_t i = 0; i < kSquaresWithin.size(); ++i) {
            sums_.unmasked.at(i) += before <= kSquaresWithin.at(i) ? 1 : 0;
            sums_.masked.at(i) += after <= kSquaresWithin.at(i) ? 1 : 0;
        }
        sums_.illegal += is_in(legal, likeliest) ? 0 : 1;
        sums_.squared_distance += squares;
        sums_.largest_distance += static_cast<double>(largest);
        sums_.rank_unmasked += before;
        sums_.rank_masked += after;
    }

    SquareScore mean() const {
        SquareScore score = sums_;
        if (score.positions == 0) return score;
        const auto count = static_cast<double>(score.positions);
        for (auto* shares : {&score.unmasked, &score.masked})
            for (double& share : *shares) share /= count;
        for (double* one : {&score.illegal, &score.squared_distance, &score.largest_distance,
                            &score.rank_unmasked, &score.rank_masked})
            *one /= count;
        return score;
    }

  private:
    SquareScore sums_;
};

using SumsByRole = std::array<SquareSums, kSquareQuestions>;

SquareStudy means_of(const SumsByRole& sums, bool interrupted) {
    SquareStudy study;
    for (std::size_t i = 0; i < sums.size(); ++i) study.by_role.at(i) = sums.at(i).mean();
    study.interrupted = interrupted;
    return study;
}

// A position, what was played there, and what may be.
struct PosedPosition {
    chess::Line line;
    chess::MoveList moves;
    std::vector<nets::SquareMove> steps;  // of the moves, in their order
    nets::SquareMove played;
    chess::Square man;      // that moved
    chess::PieceKind kind;  // of it

    PosedPosition(const games::HeldOutSet& set, const games::HeldOutPosition& position)
        : line(set.game_of(position).start),
          moves(chess::legal_moves(position.position)),
          played(nets::square_move(position.played, position.position.side_to_move())),
          man(position.played.from()),
          kind(kind_of(position.position.piece_on(man))) {
        for (const chess::Move move : set.past(position)) line.push(move);
        for (const chess::Move move : moves)
            steps.push_back(nets::square_move(move, position.position.side_to_move()));
    }

    chess::PieceKind kind_on(const nets::SquareMove& step) const {
        const auto from =
            chess::relative_square(line.current().side_to_move(), static_cast<chess::Square>(step.from));
        return kind_of(line.current().piece_on(from));
    }
    bool is_of_kind(std::size_t move) const { return kind_on(steps[move]) == kind; }
    bool is_of_man(std::size_t move) const { return steps[move].from == played.from; }

    // Of own men.
    chess::Bitboard leaving() const {
        const chess::Color us = line.current().side_to_move();
        chess::Bitboard squares = 0;
        for (const chess::Square square : chess::squares(line.current().pieces(us)))
            squares |= chess::bit(chess::relative_square(us, square));
        return squares;
    }
    // That the man, or any of his kind, can reach.
    chess::Bitboard reaching(bool of_man) const {
        chess::Bitboard squares = 0;
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (of_man ? is_of_man(i) : is_of_kind(i)) squares |= chess::Bitboard{1} << steps[i].to;
        return squares;
    }
};

nets::PlaneContext context_of(const nets::ChessNetShape& shape, const PosedPosition& posed, int rating,
                              chess::Square man) {
    nets::PlaneContext context = nets::play_context(shape.input, rating, posed.line);
    // Who plays is known here, or it is known that he is not.
    if (shape.input.layers.rating && rating == 0) context.rating = nets::PlaneContext{}.rating;
    context.piece = man;
    return context;
}

// P(from) · P(to | from), over all own men and all squares.
base::Result<nets::SquareMove> likeliest_of_all(const PosedPosition& posed, const nets::ChessNetShape& shape,
                                                int rating, std::vector<nets::ChessNetRunner>& runners) {
    const auto ask = [&](ChessNetRole role, chess::Square man) -> base::Result<std::vector<float>> {
        nets::ChessNetRunner& runner = runners[index_of(role)];
        nets::encode_planes(nets::input_of(shape, role), posed.line, context_of(shape, posed, rating, man),
                            runner.planes(0));
        if (auto status = runner.run(1); !status) return std::unexpected(status.error());
        std::vector<float> chances(runner.outputs(0).begin(), runner.outputs(0).end());
        evaluators::softmax(chances);
        return chances;
    };
    const chess::Position& board = posed.line.current();
    const chess::Color us = board.side_to_move();
    const auto leaving = ask(ChessNetRole::Piece, chess::NoSquare);
    if (!leaving) return std::unexpected(leaving.error());
    nets::SquareMove likeliest{0, 0, 0};
    float most = -1;
    // Without the layer of the piece all men of a kind are told the same.
    std::array<std::optional<std::vector<float>>, kSquareQuestions> by_kind;
    for (const chess::Square man : chess::squares(board.pieces(us))) {
        const ChessNetRole role = nets::role_of(kind_of(board.piece_on(man)));
        std::optional<std::vector<float>>& reaching = by_kind.at(index_of(role));
        if (!reaching || shape.piece_layer) {
            auto asked = ask(role, man);
            if (!asked) return std::unexpected(asked.error());
            reaching = std::move(*asked);
        }
        const chess::Square from = chess::relative_square(us, man);
        for (std::size_t to = 0; to < kBoard; ++to) {
            const float chance = (*leaving)[from] * (*reaching)[to];
            if (chance <= most) continue;
            most = chance;
            likeliest = {from, static_cast<int>(to), 0};
        }
    }
    return likeliest;
}

// One of the networks, with the positions that wait for it.
class AskedNetwork {
  public:
    AskedNetwork(const nets::ChessNetShape& shape, ChessNetRole role, nets::ChessNetRunner runner)
        : shape_(shape), role_(role), input_(nets::input_of(shape, role)), runner_(std::move(runner)) {}

    base::Status ask(const PosedPosition& posed, int rating, SquareSums& sums) {
        const nets::PlaneContext context = context_of(shape_, posed, rating, posed.man);
        nets::encode_planes(input_, posed.line, context, runner_.planes(static_cast<int>(waiting_.size())));
        waiting_.push_back(
            role_ == ChessNetRole::Piece
                ? Waiting{posed.leaving(), static_cast<std::size_t>(posed.played.from)}
                : Waiting{posed.reaching(shape_.piece_layer), static_cast<std::size_t>(posed.played.to)});
        return waiting_.size() == nets::ChessNetRunner::kMostPositions ? answer(sums) : base::Status();
    }

    base::Status answer(SquareSums& sums) {
        if (waiting_.empty()) return {};
        if (auto status = runner_.run(static_cast<int>(waiting_.size())); !status) return status;
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            const std::span<const float> logits = runner_.outputs(static_cast<int>(i));
            std::vector<float> chances(logits.begin(), logits.end());
            evaluators::softmax(chances);
            sums.add(chances, waiting_[i].legal, waiting_[i].played);
        }
        waiting_.clear();
        return {};
    }

  private:
    struct Waiting {
        chess::Bitboard legal;
        std::size_t played;
    };
    const nets::ChessNetShape& shape_;
    ChessNetRole role_;
    nets::PlanesInput input_;
    nets::ChessNetRunner runner_;
    std::vector<Waiting> waiting_;
};

// What a policy's probabilities of moves make of the squares of those that `is_asked` names.
template <class IsAsked, class SquareOf>
SquareChances chances_of(const PosedPosition& posed, std::span<const float> probabilities, IsAsked is_asked,
                         SquareOf square_of) {
    SquareChances chances{};
    for (std::size_t i = 0; i < posed.steps.size(); ++i)
        if (is_asked(i)) chances.at(static_cast<std::size_t>(square_of(posed.steps[i]))) += probabilities[i];
    return chances;
}

struct PolicySums {
    SumsByRole man_known;
    SumsByRole kind_known;

    void add(const PosedPosition& posed, std::span<const float> probabilities) {
        const auto left = [](const nets::SquareMove& step) { return step.from; };
        const auto reached = [](const nets::SquareMove& step) { return step.to; };
        const SquareChances leaving =
            chances_of(posed, probabilities, [](std::size_t) { return true; }, left);
        const auto played_from = static_cast<std::size_t>(posed.played.from);
        const auto played_to = static_cast<std::size_t>(posed.played.to);
        for (SumsByRole* sums : {&man_known, &kind_known})
            sums->at(index_of(ChessNetRole::Piece)).add(leaving, posed.leaving(), played_from);
        const std::size_t role = index_of(nets::role_of(posed.kind));
        man_known.at(role).add(
            chances_of(
                posed, probabilities, [&](std::size_t i) { return posed.is_of_man(i); }, reached),
            posed.reaching(true), played_to);
        kind_known.at(role).add(
            chances_of(
                posed, probabilities, [&](std::size_t i) { return posed.is_of_kind(i); }, reached),
            posed.reaching(false), played_to);
    }
};

}  // namespace

base::Result<SquareStudy> study_squares(const games::HeldOutSet& set,
                                        std::shared_ptr<const nets::ChessNets> networks,
                                        const std::stop_token& stop) {
    std::array<std::optional<AskedNetwork>, kSquareQuestions> asked;
    for (std::size_t i = 0; i < kSquareQuestions; ++i) {
        const ChessNetRole role = nets::kChessNetRoles.at(i);
        if (!networks->of(role)) continue;
        auto runner = nets::ChessNetRunner::make(networks, role);
        if (!runner) return std::unexpected(runner.error());
        asked.at(i).emplace(networks->info.shape, role, std::move(*runner));
    }
    SumsByRole sums;
    std::size_t done = 0;
    for (const games::HeldOutPosition& position : set.positions) {
        if (stop.stop_requested()) break;
        const PosedPosition posed(set, position);
        for (const std::size_t role : {index_of(ChessNetRole::Piece), index_of(nets::role_of(posed.kind))})
            if (asked.at(role))
                if (auto status = asked.at(role)->ask(posed, position.rating, sums.at(role)); !status)
                    return std::unexpected(status.error());
        ++done;
    }
    for (std::size_t i = 0; i < kSquareQuestions; ++i)
        if (asked.at(i))
            if (auto status = asked.at(i)->answer(sums.at(i)); !status)
                return std::unexpected(status.error());
    return means_of(sums, done < set.positions.size());
}

base::Result<FirstChoices> study_first_choices(const games::HeldOutSet& set, std::uint64_t most,
                                               std::shared_ptr<const nets::ChessNets> networks,
                                               const std::stop_token& stop) {
    std::vector<nets::ChessNetRunner> runners;
    for (std::size_t i = 0; i < kSquareQuestions; ++i) {
        const ChessNetRole role = nets::kChessNetRoles.at(i);
        if (!networks->of(role)) return base::fail("no network '{}', expected all seven", to_string(role));
        auto runner = nets::ChessNetRunner::make(networks, role);
        if (!runner) return std::unexpected(runner.error());
        runners.push_back(std::move(*runner));
    }
    FirstChoices choices;
    for (const games::HeldOutPosition& position : set.positions) {
        if (choices.positions == most || stop.stop_requested()) break;
        const PosedPosition posed(set, position);
        const auto likeliest = likeliest_of_all(posed, networks->info.shape, position.rating, runners);
        if (!likeliest) return std::unexpected(likeliest.error());
        ++choices.positions;
        const auto is_it = [&](const nets::SquareMove& step) {
            return step.from == likeliest->from && step.to == likeliest->to;
        };
        choices.illegal += std::ranges::any_of(posed.steps, is_it) ? 0U : 1U;
    }
    return choices;
}

base::Result<PolicyStudy> study_policy(const games::HeldOutSet& set, const PolicyFor& policy_for,
                                       const std::stop_token& stop) {
    std::map<int, std::vector<const games::HeldOutPosition*>> by_rating;
    for (const games::HeldOutPosition& position : set.positions)
        by_rating[(position.rating + kRatingStep / 2) / kRatingStep * kRatingStep].push_back(&position);
    PolicySums sums;
    std::vector<PosedPosition> posed;
    std::vector<evaluators::Opinion> opinions;
    std::size_t asked = 0;
    for (const auto& [rating, positions] : by_rating) {
        if (stop.stop_requested()) break;
        const auto policy = policy_for(rating);
        if (!policy) return std::unexpected(policy.error());
        if (!(*policy)->abilities().has(nets::Ability::Policy))
            return base::fail("it gives no probabilities of moves");
        for (std::size_t done = 0; done < positions.size() && !stop.stop_requested();) {
            const std::size_t count = std::min((*policy)->capacity(), positions.size() - done);
            posed.clear();
            for (std::size_t i = 0; i < count; ++i) {
                posed.emplace_back(set, *positions[done + i]);
                (*policy)->submit(posed.back().line, posed.back().moves);
            }
            if (auto status = (*policy)->collect(opinions); !status) return std::unexpected(status.error());
            for (std::size_t i = 0; i < count; ++i) sums.add(posed[i], opinions[i].probabilities);
            done += count;
            asked += count;
        }
    }
    const bool interrupted = asked < set.positions.size();
    return PolicyStudy{means_of(sums.man_known, interrupted), means_of(sums.kind_known, interrupted)};
}

}  // namespace scholar::arena
