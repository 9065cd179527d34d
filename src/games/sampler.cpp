#include "games/sampler.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string_view>
#include <thread>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "chess/move_index.hpp"
#include "games/bytes.hpp"
#include "games/distinct_files.hpp"
#include "games/producer.hpp"
#include "games/rating.hpp"
#include "games/sample_plan.hpp"
#include "games/scan.hpp"
#include "games/store.hpp"
#include "games/worker_exceptions.hpp"

namespace scholar::games {

namespace {

constexpr std::size_t kBatch = 4'096;  // samples handed from the reading thread at once
constexpr std::size_t kBatchesAhead = 8;
constexpr std::size_t kCacheLine = 64;

// Streams of random numbers of one (seed, epoch), so that none depends on how often another was asked.
enum : std::uint64_t { kBlockOrder, kShuffle, kDraw };
base::Random make_random(std::uint64_t seed, std::uint64_t epoch, std::uint64_t purpose,
                         std::uint64_t number = 0) {
    std::uint64_t state = seed;
    std::uint64_t mixed = base::split_mix(state) ^ epoch;
    mixed = base::split_mix(mixed) ^ number;
    return base::Random(base::split_mix(mixed), purpose);
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
    Sampling sampling;
    SamplePlan plan;
    std::uint64_t seed = 0;
    std::size_t shuffle_buffer = 1;
    std::map<std::string, std::uint32_t, std::less<>> producer_numbers;

    bool needs_ratings() const { return sampling.ratings || plan.needs_ratings(); }
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
        const auto status = without_exceptions("drawing positions", [this] { return draw_all(); });
        if (!status) queue_.push(std::unexpected(status.error()), stop_);
        queue_.close();
    }

  private:
    bool shuffles() const { return source_.shuffle_buffer > 1; }

    base::Status draw_all() {
        std::vector<BlockPlace> order = source_.blocks;
        if (shuffles()) make_random(source_.seed, epoch_, kBlockOrder).shuffle(order);
        for (const BlockPlace place : order) {
            if (stop_.stop_requested()) return {};
            if (auto status = draw_block(place); !status) {
                flush();
                return status;
            }
            if (unwanted_) return {};
        }
        shuffle_random_.shuffle(buffer_);
        for (const Sample& sample : buffer_) emit(sample);
        flush();
        return {};
    }

    base::Status draw_block(BlockPlace place) {
        const StoreReader& store = source_.stores[place.store];
        // Tags are needed for ratings and for whose evaluations they are; most stores of human games do
        // without.
        const bool tags = source_.needs_ratings() || !source_.producer_numbers.empty();
        auto block = store.read_block(place.block, {.tags = tags, .moves = true, .evaluations = true});
        if (!block) return std::unexpected(block.error());
        auto random = make_random(source_.seed, epoch_, kDraw,
                                  static_cast<std::uint64_t>(place.store) << 32 | place.block);
        for (std::size_t game = 0; game < block->games() && !unwanted_; ++game) {
            if (!takes_part(block->info(game))) continue;
            if (auto status = draw_game(*block, game, random); !status)
                return base::fail_in(fmt::format("{}: block {}", store.path(), place.block + 1),
                                     status.error());
        }
        return {};
    }

    bool takes_part(const Block::GameInfo& info) const {
        const Sampling& sampling = source_.sampling;
        return info.result != GameResult::Unknown && (!info.chess960 || sampling.chess960) &&
               split_of(info.hash, sampling.shares) == sampling.split;
    }

    base::Status draw_game(const Block& block, std::size_t number, base::Random& random) {
        const SamplePlan& plan = source_.plan;
        auto start = block.start(number);
        if (!start) return base::fail_in(fmt::format("game {}: start position", number + 1), start.error());
        const auto indices = block.move_indices(number);
        GameFacts facts{.result = block.info(number).result,
                        .hash = block.info(number).hash,
                        .first_to_move = start->side_to_move(),
                        .plies = static_cast<int>(indices.size()),
                        .ending = block.info(number).ending};
        if (source_.needs_ratings())
            facts.ratings = {rating_of(block.tag(number, "WhiteElo")),
                             rating_of(block.tag(number, "BlackElo"))};
        const bool bare = facts.plies == 0;
        // A game that was not played is none.
        const bool is_position = source_.sampling.bare_positions && block.info(number).has_evaluations;
        if (bare && (!is_position || plan.uses_move())) return {};
        if (!plan.accepts(facts)) return {};
        plan.choose_plies(facts, random, plies_);
        if (plies_.empty()) return {};

        const Drawing drawing(*this, block, number, facts);
        if (bare) {
            if (plan.accepts(Candidate{*start, chess::Move::none(), 0, facts}))
                give(drawing.sample(*start, chess::Move::none(), chess::Move::none(), 0), facts, random);
            return {};
        }
        chess::Position position = *start;
        chess::Move before;
        auto chosen = plies_.begin();
        std::size_t passed = 0;
        for (int ply = 0;; ++ply) {
            const auto move = chess::index_to_move(position, indices[ply]);
            if (!move)
                return base::fail("game {}: half-move {}: no such move in its position", number + 1, ply + 1);
            if (ply == *chosen) {
                if (plan.accepts(Candidate{position, *move, ply, facts})) {
                    if (plan.per_game() > 0)
                        keep(drawing.sample(position, *move, before, ply), passed++, random);
                    else
                        give(drawing.sample(position, *move, before, ply), facts, random);
                    if (unwanted_) return {};
                }
                if (++chosen == plies_.end()) break;
            }
            position.make(*move);
            before = *move;
        }
        if (plan.per_game() > 0) give_kept(facts, random);
        return {};
    }

    // The evaluations of a game as its samples have them.
    std::span<const std::optional<Evaluation>> evaluations(const Block& block, std::size_t number,
                                                           const GameFacts& facts) {
        const auto stored = block.evaluations(number);
        if (!source_.plan.revises()) return stored;
        revised_.assign(stored.begin(), stored.end());
        source_.plan.revise(revised_, facts);
        return revised_;
    }

    // One game being drawn from: what is the same for all its samples.
    class Drawing {
      public:
        Drawing(Pass& pass, const Block& block, std::size_t number, const GameFacts& facts)
            : points_of_{static_cast<float>(points(facts.result, chess::White).value_or(0.5)),
                         static_cast<float>(points(facts.result, chess::Black).value_or(0.5))},
              ratings_{carried(facts.ratings[chess::White]), carried(facts.ratings[chess::Black])},
              plies_(facts.plies),
              evaluations_(pass.evaluations(block, number, facts)) {
            if (evaluations_.empty()) return;
            producers_[chess::White] = pass.producer_number(block.tag(number, "White"));
            producers_[chess::Black] = pass.producer_number(block.tag(number, "Black"));
        }

        Sample sample(const chess::Position& position, chess::Move move, chess::Move before, int ply) const {
            const chess::Color side = position.side_to_move();
            Sample sample{.position = position,
                          .result = points_of_[side],
                          .evaluation = std::nullopt,
                          .producer = 0,
                          .ply = static_cast<std::uint16_t>(ply),
                          .move = move,
                          .before = before,
                          .to_end = static_cast<std::uint16_t>(plies_ - ply),
                          .ratings = ratings_};
            if (!evaluations_.empty() && evaluations_[ply]) {
                Evaluation evaluation = *evaluations_[ply];
                if (side == chess::Black) {
                    evaluation.centipawns = negated(evaluation.centipawns);
                    evaluation.mate = negated(evaluation.mate);
                }
                sample.evaluation = evaluation;
                sample.producer = producers_[side];
            }
            return sample;
        }

      private:
        static std::uint16_t carried(int rating) {
            return static_cast<std::uint16_t>(std::clamp(rating, 0, kMaxRating));
        }

        std::array<float, 2> points_of_;
        std::array<std::uint16_t, 2> ratings_;
        int plies_;
        std::span<const std::optional<Evaluation>> evaluations_;
        std::array<std::uint32_t, 2> producers_{};
    };

    // Vitter's algorithm R: after n samples of a game each is among those kept with probability k/n.
    void keep(const Sample& sample, std::size_t passed, base::Random& random) {
        if (passed < static_cast<std::size_t>(source_.plan.per_game())) {
            kept_.push_back(sample);
        } else if (const auto place = random.below(passed + 1); place < kept_.size()) {
            kept_[place] = sample;
        }
    }
    void give_kept(const GameFacts& facts, base::Random& random) {
        std::ranges::sort(kept_, {}, &Sample::ply);
        for (const Sample& sample : kept_) give(sample, facts, random);
        kept_.clear();
    }

    void give(Sample sample, const GameFacts& facts, base::Random& random) {
        if (!source_.plan.has_late_stages() || source_.plan.finish(sample, facts, random)) place(sample);
    }

    static std::int16_t negated(std::int16_t value) {
        return static_cast<std::int16_t>(std::min(-static_cast<int>(value), 32'767));
    }

    std::uint32_t producer_number(std::string_view player) const {
        const auto found = source_.producer_numbers.find(producer_of(player));
        return found == source_.producer_numbers.end() ? 0 : found->second;
    }

    // Into the shuffle buffer. Once that is full, a random one leaves it to make room.
    void place(const Sample& sample) {
        if (!shuffles()) return emit(sample);
        if (buffer_.size() < source_.shuffle_buffer) {
            if (buffer_.capacity() == 0) buffer_.reserve(source_.shuffle_buffer);
            buffer_.push_back(sample);
            return;
        }
        Sample& leaving = buffer_[shuffle_random_.below(buffer_.size())];
        emit(leaving);
        leaving = sample;
        // The buffer is far larger than the caches: have the next to leave fetched while its game is
        // replayed.
        base::Random ahead = shuffle_random_;
        const char* next = reinterpret_cast<const char*>(&buffer_[ahead.below(buffer_.size())]);
        for (std::size_t at = 0; at < sizeof(Sample); at += kCacheLine) __builtin_prefetch(next + at, 1);
    }

    void emit(const Sample& sample) {
        if (output_.size() == kBatch) flush();
        if (output_.capacity() < kBatch) output_.reserve(kBatch);
        output_.push_back(sample);
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
    std::vector<int> plies_;    // of the game being drawn from: what to look at
    std::vector<Sample> kept_;  // and, with a limit a game, what is in the running
    std::vector<std::optional<Evaluation>> revised_;
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
    source.sampling = options.sampling;
    auto plan = SamplePlan::make(options.sampling.stages);
    if (!plan) return base::fail("{}", plan.error().message);
    source.plan = std::move(*plan);
    source.seed = options.seed;
    source.shuffle_buffer = std::max<std::size_t>(1, options.shuffle_buffer);

    std::set<std::string> producers;
    for (const std::string& path : distinct_files(options.stores)) {
        auto opened = StoreReader::open(path);
        if (!opened) return std::unexpected(opened.error());
        const auto store_number = static_cast<std::uint32_t>(source.stores.size());
        source.stores.push_back(std::move(*opened));
        const StoreReader& store = source.stores.back();
        state->games += store.games();
        state->plies += store.plies();
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
    state->data_hash = games::data_hash(source.stores);
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

base::Result<Sampler::Participation> Sampler::participation() const {
    const Source& source = state_->source;
    Participation counts;
    for (const BlockPlace place : source.blocks) {
        const auto block = source.stores[place.store].read_block(place.block, no_columns());
        if (!block) return std::unexpected(block.error());
        for (std::size_t game = 0; game < block->games(); ++game) {
            const Block::GameInfo& info = block->info(game);
            if (info.result == GameResult::Unknown)
                ++counts.unknown_result;
            else if (info.chess960 && !source.sampling.chess960)
                ++counts.chess960;
            else if (split_of(info.hash, source.sampling.shares) != source.sampling.split)
                ++counts.other_split;
            else
                ++counts.games;
        }
    }
    return counts;
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
