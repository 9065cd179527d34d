#pragma once

#include <cstdint>
#include <memory>

#include "base/error.hpp"
#include "games/sampler.hpp"
#include "learning/training/batch.hpp"
#include "nets/perspective/feature_set.hpp"

namespace scholar::learning {

// Seconds of work done by the threads behind the stream, and waited for them.
struct StreamTimes {
    double reading = 0;   // replaying games, filtering, shuffling
    double encoding = 0;  // features and targets
    double waiting = 0;   // in next(), for a batch to be ready
};

// An endless stream of batches, pass after pass over the training data. One thread reads positions, one turns
// them into features, so that both go on while the caller trains; what comes out depends only on the
// sampler's seed and the place to begin at.
class BatchStream {
  public:
    // `sampler` must outlive nothing: it is taken over. Begins at `from`.
    BatchStream(games::Sampler sampler, StreamPlace from, std::size_t batch, const nets::FeatureSet& features,
                TargetRule rule);
    ~BatchStream();
    BatchStream(const BatchStream&) = delete;
    BatchStream& operator=(const BatchStream&) = delete;

    // Always full. An error if the data is damaged, or has no position that passes the filter.
    base::Result<Batch> next();
    StreamTimes times() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace scholar::learning
