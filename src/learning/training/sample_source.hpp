#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "games/sampler.hpp"
#include "learning/training/samples.hpp"

namespace scholar::learning {

// Samples of one kind in passes over the data. A pass is fixed by the seed with which the source was opened
// and by its number, so that a run which goes on finds its place again.
class SampleSource {
  public:
    virtual ~SampleSource() = default;

    // No samples, of the kind that this source has.
    virtual Samples none() const = 0;
    // Begins pass number `pass` from its start.
    virtual void start_pass(std::uint64_t pass) = 0;
    // Appends up to `count` samples to `into`, which is of the source's kind; fewer (or none) only at the end
    // of the pass. Gives how many. An error if the data is damaged.
    virtual base::Result<std::size_t> next(std::size_t count, Samples& into) = 0;
    // Passes over samples without giving them out.
    virtual base::Status skip(std::size_t count) = 0;

    // Of all that the samples are drawn from: a run that goes on must find the same.
    virtual std::uint64_t data_hash() const = 0;
    // What there is to draw from, for people: "1,200 games, 90,000 half-moves".
    virtual std::string describe() const = 0;
    // What one sample is called: "position".
    virtual std::string_view unit() const = 0;
    // Processor time of the threads that read, so far.
    virtual double reading_seconds() const = 0;
};

// Positions of games; the kind is games::Sample. Refuses what Sampler::open() refuses.
base::Result<std::unique_ptr<SampleSource>> open_positions(const games::Sampler::Options& options);

// Pairs of positions, one of a game that White won and one of a game that White lost, each drawn as the
// options say; a pass ends with the shorter side. Which is shown first is by lot, of seed, pass and place.
base::Result<std::unique_ptr<SampleSource>> open_pairs(const games::Sampler::Options& options);

// Nodes that somebody has made: each pass gives them all, in an order of its own.
std::unique_ptr<SampleSource> hold_nodes(std::vector<LabelledNode> nodes, std::uint64_t seed);

// The first `count` samples of pass 0, fewer if there are no more.
base::Result<Samples> draw_samples(SampleSource& source, std::size_t count);

}  // namespace scholar::learning
