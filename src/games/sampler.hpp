#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/game.hpp"

namespace scholar::games {

// Which positions of which games are drawn. Every field is a stage that can be left out.
struct SampleFilter {
    Split split = Split::Train;
    SplitShares shares{};
    bool chess960 = false;  // whether Chess960 games take part
    int min_ply = 0;        // positions before this many half-moves are skipped
    int max_ply = 10'000;
    int min_rating = 0;          // of both players; games without ratings pass only if 0
    bool skip_in_check = false;  // the side to move is in check
    bool skip_noisy = false;     // the move played is a capture or a promotion: not quiet
    double keep = 1.0;           // share of the positions left that are drawn, at random
};

// One position of a game, with what is known about how good it was.
struct Sample {
    chess::Position position;
    float result = 0.5F;  // 1, ½ or 0 for the side to move
    // The search score of the side to move, from the side to move's view (not White's), if the game has one.
    std::optional<Evaluation> evaluation;
    std::uint32_t producer = 0;  // index into producers(): whose evaluation it is
    std::uint16_t ply = 0;
    chess::Move move;  // what was played
};

// A shuffled stream of positions out of game stores. Blocks are read in random order and positions are drawn
// through a shuffle buffer, so memory is bounded whatever the size of the stores. The same seed and epoch
// give the same stream.
class Sampler {
  public:
    struct Options {
        std::vector<std::string> stores;
        SampleFilter filter;
        std::uint64_t seed = 1;
        std::size_t shuffle_buffer = 1 << 19;  // positions; 1: no shuffling, file order
    };
    // Opens every store and reads its index; refuses a damaged one.
    static base::Result<Sampler> open(const Options& options);
    Sampler(Sampler&&) noexcept;
    Sampler& operator=(Sampler&&) noexcept;
    ~Sampler();

    // Begins pass number `epoch` over the data from its start, in an order that (seed, epoch) fixes.
    void start_epoch(std::uint64_t epoch);
    // Appends up to `count` samples; fewer (or none) only at the end of the pass. A damaged block is an
    // error.
    base::Result<std::size_t> next(std::size_t count, std::vector<Sample>& out);
    // Passes over `count` samples without giving them out, for exact resumption.
    base::Status skip(std::size_t count);

    // Names of the engines whose evaluations occur, version and build left off ("Stockfish 15.1" is
    // "Stockfish").
    const std::vector<std::string>& producers() const;
    // Games and half-moves in the stores, all splits, before any filter.
    std::uint64_t total_games() const;
    std::uint64_t total_plies() const;
    // Processor time of the thread that reads, replays, filters and shuffles, in all passes so far.
    double reading_seconds() const;
    // A hash of the stores' contents.
    std::uint64_t data_hash() const;

  private:
    struct State;
    explicit Sampler(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace scholar::games
