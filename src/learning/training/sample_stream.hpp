#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/error.hpp"
#include "learning/training/task.hpp"

namespace scholar::learning {

// Where a stream of samples stands: `consumed` samples of pass number `epoch` have been given out.
struct StreamPlace {
    std::uint64_t epoch = 0;
    std::uint64_t consumed = 0;
    bool operator==(const StreamPlace&) const = default;
};

// Seconds of work done by the threads behind the stream, and waited for them.
struct StreamTimes {
    double reading = 0;   // replaying games, filtering, shuffling
    double encoding = 0;  // features and targets
    double waiting = 0;   // in next(), for a batch to be ready
};

struct EncodedBatch {
    std::unique_ptr<Encoded> samples;
    std::size_t size = 0;
    StreamPlace after;  // where the stream stands once this batch has been used
};

// An endless stream of batches, pass after pass over the training data. One thread reads samples, one has the
// task encode them, so that both go on while the caller trains; what comes out depends only on the source and
// the place to begin at.
class SampleStream {
  public:
    // Task::encode, as a rule.
    using Encode = std::function<base::Result<std::unique_ptr<Encoded>>(const Samples& samples)>;
    // Begins at `from`.
    SampleStream(std::unique_ptr<SampleSource> source, StreamPlace from, std::size_t batch, Encode encode);
    ~SampleStream();
    SampleStream(const SampleStream&) = delete;
    SampleStream& operator=(const SampleStream&) = delete;

    // Always full. An error if the data is damaged, or has no sample that passes the filter.
    base::Result<EncodedBatch> next();
    StreamTimes times() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace scholar::learning
