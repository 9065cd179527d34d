#include "learning/training/batch_stream.hpp"

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
    std::vector<games::Sample> samples;
    StreamPlace after;
};

}  // namespace

struct BatchStream::State {
    games::Sampler sampler;
    StreamPlace place;
    std::size_t batch;
    nets::FeatureSet features;
    TargetRule rule;
    Channel<base::Result<Read>> reads{2};
    Channel<base::Result<Batch>> batches{2};
    Stopwatch encoding;
    Stopwatch waiting;
    // Last, so that they end before what they use.
    std::jthread encoder;
    std::jthread reader;

    base::Result<Read> read() {
        Read result;
        result.samples.reserve(batch);
        bool fresh = place.consumed == 0;  // the current pass has only just begun
        while (result.samples.size() < batch) {
            const auto count = sampler.next(batch - result.samples.size(), result.samples);
            if (!count) return std::unexpected(count.error());
            place.consumed += *count;
            if (result.samples.size() == batch) break;
            if (fresh && place.consumed == 0)
                return base::fail(
                    "no position of the training data passes the filter: expected at least one");
            ++place.epoch;
            place.consumed = 0;
            fresh = true;
            sampler.start_epoch(place.epoch);
        }
        result.after = place;
        return result;
    }

    void read_all(std::stop_token stop) {
        sampler.start_epoch(place.epoch);
        if (place.consumed > 0)
            if (auto status = sampler.skip(place.consumed); !status) {
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
            Batch encoded = encoding.measure([&] { return encode((*read_result)->samples, features, rule); });
            encoded.after = (*read_result)->after;
            if (!batches.put(std::move(encoded), stop)) return;
        }
    }
};

BatchStream::BatchStream(games::Sampler sampler, StreamPlace from, std::size_t batch,
                         const nets::FeatureSet& features, TargetRule rule)
    : state_(new State{std::move(sampler),
                       from,
                       batch,
                       features,
                       std::move(rule),
                       Channel<base::Result<Read>>{2},
                       Channel<base::Result<Batch>>{2},
                       {},
                       {},
                       {},
                       {}}) {
    State* state = state_.get();
    state->reader = std::jthread([state](std::stop_token stop) { state->read_all(stop); });
    state->encoder = std::jthread([state](std::stop_token stop) { state->encode_all(stop); });
}

BatchStream::~BatchStream() = default;

base::Result<Batch> BatchStream::next() {
    return state_->waiting.measure([this] { return *state_->batches.take({}); });
}

StreamTimes BatchStream::times() const {
    return {state_->sampler.reading_seconds(), state_->encoding.seconds(), state_->waiting.seconds()};
}

}  // namespace scholar::learning
