#include "learning/training/sample_stream.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace scholar::learning {

namespace {

using Clock = std::chrono::steady_clock;

// Hands values from one thread to another; holds a few, so that neither waits for small unevenness.
template <class T>
class Channel {
  public:
    explicit Channel(std::size_t capacity) : capacity_(capacity) {}

    // False if asked to stop.
    bool put(T value, std::stop_token stop) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [this] { return values_.size() < capacity_; })) return false;
        values_.push_back(std::move(value));
        changed_.notify_all();
        return true;
    }
    std::optional<T> take(std::stop_token stop) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [this] { return !values_.empty(); })) return std::nullopt;
        T value = std::move(values_.front());
        values_.pop_front();
        changed_.notify_all();
        return value;
    }

  private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<T> values_;
    std::size_t capacity_;
};

// Adds up time spent in one thread, read from another.
class Stopwatch {
  public:
    template <class Work>
    auto measure(Work work) {
        const auto start = Clock::now();
        auto result = work();
        nanoseconds_ += (Clock::now() - start).count();
        return result;
    }
    double seconds() const { return 1e-9 * static_cast<double>(nanoseconds_.load()); }

  private:
    std::atomic<std::int64_t> nanoseconds_ = 0;
};

struct Read {
    Samples samples;
    StreamPlace after;
};

}  // namespace

struct SampleStream::State {
    std::unique_ptr<SampleSource> source;
    StreamPlace place;
    std::size_t batch;
    Encode encode;
    Channel<base::Result<Read>> reads{2};
    Channel<base::Result<EncodedBatch>> batches{2};
    Stopwatch encoding;
    Stopwatch waiting;
    // Last, so that they end before what they use.
    std::jthread encoder;
    std::jthread reader;

    base::Result<Read> read() {
        Read result{source->none(), {}};
        std::visit([this](auto& all) { all.reserve(batch); }, result.samples);
        bool fresh = place.consumed == 0;  // the current pass has only just begun
        for (std::size_t done = 0; done < batch;) {
            const auto count = source->next(batch - done, result.samples);
            if (!count) return std::unexpected(count.error());
            place.consumed += *count;
            done += *count;
            if (done == batch) break;
            if (fresh && place.consumed == 0)
                return base::fail("no {} of the training data passes the filter: expected at least one",
                                  source->unit());
            ++place.epoch;
            place.consumed = 0;
            fresh = true;
            source->start_pass(place.epoch);
        }
        result.after = place;
        return result;
    }

    void read_all(std::stop_token stop) {
        source->start_pass(place.epoch);
        if (place.consumed > 0)
            if (auto status = source->skip(place.consumed); !status) {
                reads.put(std::unexpected(status.error()), stop);
                return;
            }
        while (!stop.stop_requested()) {
            auto result = read();
            const bool failed = !result;
            if (!reads.put(std::move(result), stop) || failed) return;
        }
    }

    void encode_all(std::stop_token stop) {
        while (auto read_result = reads.take(stop)) {
            if (!*read_result) {
                batches.put(std::unexpected(read_result->error()), stop);
                return;
            }
            const Read& taken = **read_result;
            auto encoded = encoding.measure([&] { return encode(taken.samples); });
            const bool failed = !encoded;
            auto made = encoded ? base::Result<EncodedBatch>(
                                      EncodedBatch{std::move(*encoded), count_of(taken.samples), taken.after})
                                : std::unexpected(encoded.error());
            if (!batches.put(std::move(made), stop) || failed) return;
        }
    }
};

SampleStream::SampleStream(std::unique_ptr<SampleSource> source, StreamPlace from, std::size_t batch,
                           Encode encode)
    : state_(new State{std::move(source),
                       from,
                       batch,
                       std::move(encode),
                       Channel<base::Result<Read>>{2},
                       Channel<base::Result<EncodedBatch>>{2},
                       {},
                       {},
                       {},
                       {}}) {
    State* state = state_.get();
    state->reader = std::jthread([state](std::stop_token stop) { state->read_all(stop); });
    state->encoder = std::jthread([state](std::stop_token stop) { state->encode_all(stop); });
}

SampleStream::~SampleStream() = default;

base::Result<EncodedBatch> SampleStream::next() {
    return state_->waiting.measure([this] { return *state_->batches.take({}); });
}

StreamTimes SampleStream::times() const {
    return {state_->source->reading_seconds(), state_->encoding.seconds(), state_->waiting.seconds()};
}

}  // namespace scholar::learning
