#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "evaluators/batch_evaluator.hpp"
#include "nets/conv/chess_net_runner.hpp"

namespace scholar::evaluators {

// What the networks of ChessNet say together (nets/conv/chess_nets.hpp): probabilities over the legal moves
// given, in two steps, if there are all seven, and a value if there is the eighth. A promotion is to a queen
// as good as always: squares are all that these networks know.
class ChessNetsBatch final : public BatchEvaluator {
  public:
    static base::Result<std::unique_ptr<BatchEvaluator>> make(
        std::shared_ptr<const nets::ChessNets> networks);

    nets::Abilities abilities() const override { return nets::abilities(*networks_); }
    nets::Reads reads() const override { return nets::reads(*networks_); }
    // With the layer of the piece a position may be asked for each of sixteen men.
    std::size_t capacity() const override;
    void submit(const chess::Line& line, const chess::MoveList& moves) override;
    base::Status collect(std::vector<Opinion>& opinions) override;

  private:
    static constexpr std::size_t kRoles = nets::kChessNetRoles.size();
    // Of a network: how it is worked out, and how many positions wait for it.
    struct Asked {
        std::optional<nets::ChessNetRunner> runner;
        int waiting = 0;
    };
    struct Position {
        std::vector<nets::SquareMove> moves;
        // By the square that a man leaves: whose network is asked, and where it waits; −1: nobody's.
        struct Place {
            int role = -1;
            int index = 0;
        };
        std::array<Place, nets::kPlaneSquares> men{};
        // Where the position itself waits for the networks of the piece and of the value.
        int of_piece = 0;
        int of_value = 0;
    };
    explicit ChessNetsBatch(std::shared_ptr<const nets::ChessNets> networks)
        : networks_(std::move(networks)) {}

    int ask(nets::ChessNetRole role, const chess::Line& line, const nets::PlaneContext& context);
    Opinion opinion_of(const Position& position) const;
    std::vector<float> unmasked(const Position& position) const;
    float logit(const Position& position, int place) const;

    std::shared_ptr<const nets::ChessNets> networks_;
    std::array<Asked, kRoles> by_role_;
    std::vector<Position> positions_;
};

}  // namespace scholar::evaluators
