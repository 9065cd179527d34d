#include "games/sampler.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "chess/move_index.hpp"
#include "games/bytes.hpp"
#include "games/store.hpp"

namespace scholar::games {

namespace {

constexpr std::size_t kBatch = 4'096;  // samples handed from the reading thread at once
constexpr std::size_t kBatchesAhead = 8;

// Streams of random numbers of one (seed, epoch), so that none depends on how often another was asked.
enum : std::uint64_t { kBlockOrder, kShuffle, kKeep };
base::Random make_random(std::uint64_t seed, std::uint64_t epoch, std::uint64_t purpose,
                         std::uint64_t number = 0) {
    std::uint64_t state = seed;
    std::uint64_t mixed = base::split_mix(state) ^ epoch;
    mixed = base::split_mix(mixed) ^ number;
    return base::Random(base::split_mix(mixed), purpose);
}

// An engine's name without version and build: its first word, and the words behind it up to one that has a
// digit or says that it is some build. "Stockfish_15_30M" and "Stockfish dev-20230409-b36d39de" are
// "Stockfish", "Toga II 3.0" is "Toga II".
std::string producer_of(std::string_view player) {
    constexpr std::array<std::string_view, 6> kBuilds{"dev", "Dev", "copy", "Copy", "latest", "Latest"};
    std::string name;
    while (!player.empty()) {
        const std::size_t end = std::min(player.find_first_of(" _"), player.size());
        const std::string_view word = player.substr(0, end);
        player.remove_prefix(std::min(end + 1, player.size()));
        if (word.empty()) continue;
        if (!name.empty()) {
            if (word.find_first_of("0123456789") != std::string_view::npos) break;
            if (std::ranges::find(kBuilds, word) != kBuilds.end()) break;
            name += ' ';
        }
        name += word;
    }
    return name;
}

int rating_of(std::string_view text) {
    int rating = 0;
    std::from_chars(text.data(), text.data() + text.size(), rating);
    return rating;
}

struct BlockPlace {
    std::uint32_t store;
    std::uint32_t block;
};

// What the calling thread has worked so far, without its waits.
double thread_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// What the reading thread needs and nobody changes.
struct Source {
    std::vector<StoreReader> stores;
    std::vector<BlockPlace> blocks;
    SampleFilter filter;
    std::uint64_t seed = 0;
    std::size_t shuffle_buffer = 1;
    std::map<std::string, std::uint32_t, std::less<>> producer_numbers;
};

// Batches on their way from the reading thread to the caller, in order.
class Queue {
  public:
    using Batch = base::Result<std::vector<Sample>>;

    // False if nobody wants any more.
    bool push(Batch batch, const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        if (!room_.wait(lock, stop, [this] { return batches_.size() < kBatchesAhead; })) return false;
        batches_.push_back(std::move(batch));
        filled_.notify_one();
        return true;
    }
    void close() {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        filled_.notify_one();
    }
    // Nothing at the end.
    std::optional<Batch> pop() {
        std::unique_lock lock(mutex_);
        filled_.wait(lock, [this] { return !batches_.empty() || closed_; });
        if (batches_.empty()) return std::nullopt;
        Batch batch = std::move(batches_.front());
        batches_.pop_front();
        room_.notify_one();
        return batch;
    }

  private:
    std::mutex mutex_;
    std::condition_variable_any room_;
    std::condition_variable filled_;
    std::deque<Batch> batches_;
    bool closed_ = false;
};

// One pass over the data, as the reading thread makes it: blocks, games, positions, shuffle buffer, queue.
class Pass {
  public:
    Pass(const Source& source, std::uint64_t epoch, Queue& queue, std::atomic<double>& seconds,
         std::stop_token stop)
        : source_(source),
          epoch_(epoch),
          queue_(queue),
          seconds_(seconds),
          seconds_before_(seconds.load()),
          stop_(std::move(stop)),
          shuffle_random_(make_random(source.seed, epoch, kShuffle)) {}

    void run() {
        std::vector<BlockPlace> order = source_.blocks;
        if (shuffles()) make_random(source_.seed, epoch_, kBlockOrder).shuffle(order);
        for (const BlockPlace place : order) {
            if (stop_.stop_requested()) return;
            if (auto status = draw_block(place); !status) {
                flush();
                queue_.push(std::unexpected(status.error()), stop_);
                queue_.close();
                return;
            }
            if (unwanted_) return;
        }
        shuffle_random_.shuffle(buffer_);
        for (const Sample& sample : buffer_) emit(sample);
        flush();
        queue_.close();
    }

  private:
    bool shuffles() const { return source_.shuffle_buffer > 1; }

    base::Status draw_block(BlockPlace place) {
        const StoreReader& store = source_.stores[place.store];
        // Tags are needed for ratings and for whose evaluations they are; most stores of human games do
        // without.
        const bool tags = source_.filter.min_rating > 0 || !source_.producer_numbers.empty();
        auto block = store.read_block(place.block, {.tags = tags, .moves = true, .evaluations = true});
        if (!block) return std::unexpected(block.error());
        auto random = make_random(source_.seed, epoch_, kKeep,
                                  static_cast<std::uint64_t>(place.store) << 32 | place.block);
        for (std::size_t game = 0; game < block->games() && !unwanted_; ++game) {
            if (!takes_part(*block, game)) continue;
            if (auto status = draw_game(*block, game, random); !status)
                return base::fail_in(fmt::format("{}: block {}", store.path(), place.block + 1),
                                     status.error());
        }
        return {};
    }

    // A game without a known result teaches nothing about who stood better.
    bool takes_part(const Block& block, std::size_t game) const {
        const SampleFilter& filter = source_.filter;
        const Block::GameInfo& info = block.info(game);
        if (info.result == GameResult::Unknown || (info.chess960 && !filter.chess960)) return false;
        if (split_of(info.hash, filter.shares) != filter.split) return false;
        return filter.min_rating <= 0 || (rating_of(block.tag(game, "WhiteElo")) >= filter.min_rating &&
                                          rating_of(block.tag(game, "BlackElo")) >= filter.min_rating);
    }

    base::Status draw_game(const Block& block, std::size_t number, base::Random& random) {
        const SampleFilter& filter = source_.filter;
        auto start = block.start(number);
        if (!start) return base::fail_in(fmt::format("game {}: start position", number + 1), start.error());
        const GameResult result = block.info(number).result;
        const std::array<float, 2> points_of{static_cast<float>(points(result, chess::White).value_or(0.5)),
                                             static_cast<float>(points(result, chess::Black).value_or(0.5))};
        const auto evaluations = block.evaluations(number);
        std::array<std::uint32_t, 2> producers{};
        if (!evaluations.empty()) {
            producers[chess::White] = producer_number(block.tag(number, "White"));
            producers[chess::Black] = producer_number(block.tag(number, "Black"));
        }

        chess::Position position = *start;
        const auto indices = block.move_indices(number);
        const int last = std::min(static_cast<int>(indices.size()), filter.max_ply + 1);
        for (int ply = 0; ply < last; ++ply) {
            const auto move = chess::index_to_move(position, indices[ply]);
            if (!move)
                return base::fail("game {}: half-move {}: no such move in its position", number + 1, ply + 1);
            const bool drawn = ply >= filter.min_ply && !(filter.skip_noisy && position.is_noisy(*move)) &&
                               !(filter.skip_in_check && position.in_check()) &&
                               (filter.keep >= 1 || random.unit() < filter.keep);
            if (drawn) {
                const chess::Color side = position.side_to_move();
                Sample& sample = next_slot();
                sample.position = position;
                sample.result = points_of[side];
                sample.evaluation.reset();
                sample.producer = 0;
                if (!evaluations.empty() && evaluations[ply]) {
                    Evaluation evaluation = *evaluations[ply];
                    if (side == chess::Black) {
                        evaluation.centipawns = negated(evaluation.centipawns);
                        evaluation.mate = negated(evaluation.mate);
                    }
                    sample.evaluation = evaluation;
                    sample.producer = producers[side];
                }
                sample.ply = static_cast<std::uint16_t>(ply);
                sample.move = *move;
                if (unwanted_) return {};
            }
            position.make(*move);
        }
        return {};
    }

    static std::int16_t negated(std::int16_t value) {
        return static_cast<std::int16_t>(std::min(-static_cast<int>(value), 32'767));
    }

    std::uint32_t producer_number(std::string_view player) const {
        const auto found = source_.producer_numbers.find(producer_of(player));
        return found == source_.producer_numbers.end() ? 0 : found->second;
    }

    // Where the next sample of the data goes. Once the shuffle buffer is full, a random one leaves it to make
    // room.
    Sample& next_slot() {
        if (!shuffles()) return next_output();
        if (buffer_.size() < source_.shuffle_buffer) {
            if (buffer_.capacity() == 0) buffer_.reserve(source_.shuffle_buffer);
            return buffer_.emplace_back();
        }
        Sample& leaving = buffer_[shuffle_random_.below(buffer_.size())];
        emit(leaving);
        return leaving;
    }

    void emit(const Sample& sample) { next_output() = sample; }

    Sample& next_output() {
        if (output_.size() == kBatch) flush();
        if (output_.capacity() < kBatch) output_.reserve(kBatch);
        return output_.emplace_back();
    }

    void flush() {
        seconds_ = seconds_before_ + thread_seconds();
        if (!output_.empty() && !queue_.push(std::move(output_), stop_)) unwanted_ = true;
        output_ = {};
    }

    const Source& source_;
    std::uint64_t epoch_;
    Queue& queue_;
    std::atomic<double>& seconds_;  // worked by this thread and those of the passes before
    const double seconds_before_;
    std::stop_token stop_;
    base::Random shuffle_random_;
    std::vector<Sample> buffer_;
    std::vector<Sample> output_;
    bool unwanted_ = false;
};

}  // namespace

struct Sampler::State {
    Source source;
    std::vector<std::string> producers;
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t data_hash = 0;

    std::vector<Sample> batch;  // the one being given out, from `given` on
    std::size_t given = 0;
    std::optional<base::Error> error;  // once it has occurred it stays

    std::atomic<double> reading_seconds = 0;
    std::unique_ptr<Queue> queue;
    std::jthread reader;  // last: it stops before what it uses goes

    void start(std::uint64_t epoch) {
        reader = {};
        batch.clear();
        given = 0;
        error.reset();
        queue = std::make_unique<Queue>();
        reader = std::jthread([this, epoch](std::stop_token stop) {
            Pass(source, epoch, *queue, reading_seconds, std::move(stop)).run();
        });
    }

    // Makes sure that there is something to give out; false at the end.
    base::Result<bool> fill() {
        if (error) return std::unexpected(*error);
        if (given < batch.size()) return true;
        if (!queue) start(0);
        auto next = queue->pop();
        if (!next) return false;
        if (!*next) {
            error = next->error();
            return std::unexpected(*error);
        }
        batch = std::move(**next);
        given = 0;
        return true;
    }
};

Sampler::Sampler(std::unique_ptr<State> state) : state_(std::move(state)) {}
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;
Sampler::~Sampler() = default;

base::Result<Sampler> Sampler::open(const Options& options) {
    if (options.stores.empty()) return base::fail("no game store, expected at least one");
    auto state = std::make_unique<State>();
    Source& source = state->source;
    source.filter = options.filter;
    source.seed = options.seed;
    source.shuffle_buffer = std::max<std::size_t>(1, options.shuffle_buffer);

    std::set<std::string> producers;
    std::string hashes;
    for (const std::string& path : options.stores) {
        auto opened = StoreReader::open(path);
        if (!opened) return std::unexpected(opened.error());
        const auto store_number = static_cast<std::uint32_t>(source.stores.size());
        source.stores.push_back(std::move(*opened));
        const StoreReader& store = source.stores.back();
        state->games += store.games();
        state->plies += store.plies();
        put_fixed(hashes, store.data_hash());
        for (std::uint32_t number = 0; number < store.blocks().size(); ++number) {
            source.blocks.push_back({store_number, number});
            auto header = store.read_block_header(number);
            if (!header) return std::unexpected(header.error());
            const auto is_mask = [](const auto& section) {
                return section.id == kSectionNames[static_cast<std::size_t>(SectionId::EvalMask)];
            };
            if (std::ranges::none_of(header->sections, is_mask)) continue;
            auto block = store.read_block(number, {.tags = true, .moves = false, .evaluations = false});
            if (!block) return std::unexpected(block.error());
            for (std::size_t game = 0; game < block->games(); ++game) {
                if (!block->info(game).has_evaluations) continue;
                for (const std::string_view color : {"White", "Black"})
                    producers.insert(producer_of(block->tag(game, color)));
            }
        }
    }
    state->data_hash =
        hashes.size() == sizeof(std::uint64_t) ? source.stores.front().data_hash() : base::hash_text(hashes);
    for (const std::string& name : producers) {
        source.producer_numbers.emplace(name, static_cast<std::uint32_t>(state->producers.size()));
        state->producers.push_back(name);
    }
    return Sampler(std::move(state));
}

void Sampler::start_epoch(std::uint64_t epoch) {
    state_->start(epoch);
}

base::Result<std::size_t> Sampler::next(std::size_t count, std::vector<Sample>& out) {
    std::size_t done = 0;
    while (done < count) {
        const auto more = state_->fill();
        if (!more) return std::unexpected(more.error());
        if (!*more) break;
        const std::size_t now = std::min(count - done, state_->batch.size() - state_->given);
        const auto first = state_->batch.begin() + static_cast<std::ptrdiff_t>(state_->given);
        out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(now));
        state_->given += now;
        done += now;
    }
    return done;
}

base::Status Sampler::skip(std::size_t count) {
    while (count > 0) {
        const auto more = state_->fill();
        if (!more) return std::unexpected(more.error());
        if (!*more) break;
        const std::size_t now = std::min(count, state_->batch.size() - state_->given);
        state_->given += now;
        count -= now;
    }
    return {};
}

double Sampler::reading_seconds() const {
    return state_->reading_seconds;
}

const std::vector<std::string>& Sampler::producers() const {
    return state_->producers;
}

std::uint64_t Sampler::total_games() const {
    return state_->games;
}

std::uint64_t Sampler::total_plies() const {
    return state_->plies;
}

std::uint64_t Sampler::data_hash() const {
    return state_->data_hash;
}

}  // namespace scholar::games
