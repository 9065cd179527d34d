#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/sample.hpp"
#include "games/sample_stages.hpp"

namespace scholar::games {

// Which positions of which games are drawn, and what becomes of them. Games without a known result never take
// part: they teach nothing about who stood better.
struct Sampling {
    Split split = Split::Train;
    SplitShares shares{};
    bool chess960 = false;  // whether Chess960 games take part
    // Whether games without moves that have an evaluation take part, as the positions that they are:
    // samples of half-move 0, without a move and with nothing to the end. None passes a stage that asks for
    // the move.
    bool bare_positions = false;
    bool ratings = false;             // whether samples carry those of the players: their tags are then read
    std::vector<SampleStage> stages;  // none: every position of every game
};

// A shuffled stream of positions out of game stores. Blocks are read in random order and positions are drawn
// through a shuffle buffer, so memory is bounded whatever the size of the stores. The same seed and epoch
// give the same stream.
class Sampler {
  public:
    struct Options {
        std::vector<std::string> stores;  // one that is named twice counts once
        Sampling sampling;
        std::uint64_t seed = 1;
        std::size_t shuffle_buffer = 1 << 19;  // positions; 1: no shuffling, file order
    };
    // Opens every store and reads its index; refuses a damaged one, and stages that make no sense together.
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
    // Games and half-moves in the stores, all splits, before any stage.
    std::uint64_t total_games() const;
    std::uint64_t total_plies() const;
    // How many games take part, before any stage, and why the others do not. Reads the stores again.
    struct Participation {
        std::uint64_t games = 0;
        std::uint64_t unknown_result = 0;
        std::uint64_t chess960 = 0;  // not asked for
        std::uint64_t other_split = 0;
    };
    base::Result<Participation> participation() const;
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
