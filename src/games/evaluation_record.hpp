#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <unordered_map>

#include "chess/types.hpp"
#include "games/game.hpp"

namespace scholar::games {

// The evaluations of one producer beside the results of their games: do they mean what they should?
class EvaluationRecord {
  public:
    // `mover`: who made the evaluation. From White's view, as everything here.
    void add(const Evaluation& evaluation, GameResult result, chess::Color mover);
    // Once for each game that has evaluations of this producer; `movers`: the colours that it made them as.
    void add_game(GameResult result, std::initializer_list<chess::Color> movers);
    void merge(const EvaluationRecord& other);

    std::uint64_t evaluations() const { return evaluations_; }
    std::uint64_t mates() const { return mates_; }
    std::uint64_t games() const { return games_; }  // with a known result
    // Of those, the ones with evaluations that it made as `mover`.
    std::uint64_t games(chess::Color mover) const { return games_as_[mover]; }
    // Between evaluations (limited to ±10 pawns, mates there) and White's points, over the evaluations that
    // the producer made as `mover`. Nothing if all results or all evaluations are the same.
    std::optional<double> correlation(chess::Color mover) const;
    // Centipawns of advantage that score e / (1 + e) = 73 % of the points, by logistic regression without
    // mates and beyond ±20 pawns. Nothing if there are no such evaluations or better ones score no more.
    std::optional<double> scale() const;
    // The share of the most frequent evaluation (to 10 centipawns); 0 if there are none.
    double most_frequent_share() const;

  private:
    static constexpr int kBinWidth = 10;  // centipawns
    static constexpr int kLimit = 2'000;
    static constexpr int kBins = 2 * kLimit / kBinWidth + 1;
    static int value_of(int bin) { return bin * kBinWidth - kLimit; }

    // By evaluation: results, by GameResult.
    using Bins = std::array<std::array<std::uint64_t, 4>, kBins>;
    Bins bins_of(chess::Color mover) const;

    // How often each (mover, evaluation, result) came, packed into a number. There may be a great many
    // producers, most of them with few evaluations.
    std::unordered_map<std::uint32_t, std::uint64_t> counts_;
    std::uint64_t evaluations_ = 0;
    std::uint64_t mates_ = 0;
    std::uint64_t games_ = 0;
    std::array<std::uint64_t, 2> games_as_{};
};

}  // namespace scholar::games
