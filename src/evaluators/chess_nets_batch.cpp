#include "evaluators/chess_nets_batch.hpp"

#include <cassert>
#include <cmath>

#include "evaluators/softmax.hpp"
#include "nets/conv/square_policy.hpp"

namespace scholar::evaluators {

namespace {

using nets::ChessNetRole;

constexpr std::size_t kMostMen = 16;

std::size_t number_of(ChessNetRole role) {
    return static_cast<std::size_t>(role);
}

}  // namespace

base::Result<std::unique_ptr<BatchEvaluator>> ChessNetsBatch::make(
    std::shared_ptr<const nets::ChessNets> networks) {
    std::unique_ptr<ChessNetsBatch> batch(new ChessNetsBatch(std::move(networks)));
    for (const ChessNetRole role : nets::kChessNetRoles) {
        if (!batch->networks_->of(role)) continue;
        auto runner = nets::ChessNetRunner::make(batch->networks_, role);
        if (!runner) return base::fail_in(nets::describe(*batch->networks_), runner.error());
        batch->by_role_[number_of(role)].runner = std::move(*runner);
    }
    return batch;
}

std::size_t ChessNetsBatch::capacity() const {
    const auto most = static_cast<std::size_t>(nets::ChessNetRunner::kMostPositions);
    return networks_->info.shape.piece_layer ? most / kMostMen : most;
}

// Where the position waits for this network; nothing happens where there is none.
int ChessNetsBatch::ask(ChessNetRole role, const chess::Line& line, const nets::PlaneContext& context) {
    Asked& asked = by_role_[number_of(role)];
    if (!asked.runner) return 0;
    nets::encode_planes(nets::input_of(networks_->info.shape, role), line, context,
                        asked.runner->planes(asked.waiting));
    return asked.waiting++;
}

void ChessNetsBatch::submit(const chess::Line& line, const chess::MoveList& moves) {
    assert(positions_.size() < capacity());
    const nets::ChessNetInfo& info = networks_->info;
    nets::PlaneContext context = nets::play_context(info.shape.input, info.asked_rating, line);
    Position& position = positions_.emplace_back();
    position.of_value = ask(ChessNetRole::Value, line, context);
    if (!abilities().has(nets::Ability::Policy)) return;
    position.of_piece = ask(ChessNetRole::Piece, line, context);

    const chess::Position& board = line.current();
    std::array<int, kRoles> asked;  // where a kind's network has the position, if all its men share it
    asked.fill(-1);
    for (const chess::Move move : moves) {
        const nets::SquareMove& steps =
            position.moves.emplace_back(nets::square_move(move, board.side_to_move()));
        Position::Place& man = position.men[static_cast<std::size_t>(steps.from)];
        if (man.role >= 0) continue;
        const ChessNetRole role = nets::role_of(kind_of(board.piece_on(move.from())));
        man.role = static_cast<int>(number_of(role));
        int& shared = asked[number_of(role)];
        if (shared < 0 || info.shape.piece_layer) {
            context.piece = move.from();
            shared = ask(role, line, context);
        }
        man.index = shared;
    }
}

base::Status ChessNetsBatch::collect(std::vector<Opinion>& opinions) {
    opinions.clear();
    base::Status status;
    for (Asked& asked : by_role_) {
        if (status && asked.waiting > 0) status = asked.runner->run(asked.waiting);
        asked.waiting = 0;
    }
    for (std::size_t i = 0; status && i < positions_.size(); ++i) {
        opinions.push_back(opinion_of(positions_[i]));
        float checked = 0;
        for (const float probability : opinions.back().probabilities) checked += probability * 0;
        if (const auto& value = by_role_[number_of(ChessNetRole::Value)].runner)
            checked += value->outputs(positions_[i].of_value).front() * 0;
        if (checked != 0)
            status = base::fail("{}: its weights are too large: what it says is no number",
                                nets::describe(*networks_));
    }
    positions_.clear();
    if (!status) opinions.clear();
    return status;
}

Opinion ChessNetsBatch::opinion_of(const Position& position) const {
    Opinion opinion;
    if (!position.moves.empty())
        opinion.probabilities = networks_->info.masked
                                    ? nets::two_step_probabilities(
                                          [&](int place) { return logit(position, place); }, position.moves)
                                    : unmasked(position);
    if (const auto& value = by_role_[number_of(ChessNetRole::Value)].runner) {
        const double advantage = std::tanh(static_cast<double>(value->outputs(position.of_value).front()));
        opinion.value = chess::Score::from_expected((1 + advantage) / 2);
    }
    return opinion;
}

// P(from) · P(to | from), each over all squares.
std::vector<float> ChessNetsBatch::unmasked(const Position& position) const {
    const auto over_squares = [&](ChessNetRole role, int index) {
        const std::span<const float> logits = by_role_[number_of(role)].runner->outputs(index);
        std::vector<float> squares(logits.begin(), logits.end());
        softmax(squares);
        return squares;
    };
    const std::vector<float> leaving = over_squares(ChessNetRole::Piece, position.of_piece);
    std::array<std::vector<float>, nets::kPlaneSquares> reaching;
    std::vector<float> all;
    float sum = 0;
    for (const nets::SquareMove& move : position.moves) {
        const auto from = static_cast<std::size_t>(move.from);
        const Position::Place& man = position.men.at(from);
        if (reaching.at(from).empty())
            reaching.at(from) = over_squares(static_cast<ChessNetRole>(man.role), man.index);
        // As where they are masked: a queen is taken, and the others hardly count.
        const bool is_under = move.promotion > 0 && move.promotion < nets::kUnderpromotions + 1;
        all.push_back(leaving[from] * reaching.at(from)[static_cast<std::size_t>(move.to)] *
                      (is_under ? std::exp(nets::kUnderpromotionLogit) : 1));
        sum += all.back();
    }
    // Where so little is left that it is none, nothing is known.
    for (float& one : all) one = sum > 0 ? one / sum : 1 / static_cast<float>(all.size());
    return all;
}

float ChessNetsBatch::logit(const Position& position, int place) const {
    if (place < nets::kSquaresFrom)
        return by_role_[number_of(ChessNetRole::Piece)].runner->outputs(
            position.of_piece)[static_cast<std::size_t>(place)];
    if (place >= nets::kSquaresFrom + nets::kSquaresTo) return nets::kUnderpromotionLogit;
    const auto pair = static_cast<std::size_t>(place - nets::kSquaresFrom);
    const Position::Place& man = position.men[pair / nets::kPlaneSquares];
    return by_role_[static_cast<std::size_t>(man.role)].runner->outputs(
        man.index)[pair % nets::kPlaneSquares];
}

}  // namespace scholar::evaluators
