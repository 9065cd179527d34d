#include "games/pgn_parallel.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "base/text.hpp"
#include "games/worker_exceptions.hpp"

namespace scholar::games {

namespace {

constexpr std::string_view kBoundary = "\n[Event \"";
// A text of so many part sizes without a boundary is not cut any more.
constexpr std::size_t kPartsWithoutBoundary = 4;

// Whether behind this line [Event " begins a game for certain: no tag pair begins in it, behind which it
// could be one more tag of the same game, and it is no line that is passed over.
bool is_of_moves(std::string_view line) {
    if (line.front() == ';' || line.front() == '%') return false;
    for (std::size_t at = line.find('['); at != std::string_view::npos; at = line.find('[', at + 1)) {
        const std::size_t name = line.find_first_not_of(' ', at + 1);
        if (name == std::string_view::npos) return true;
        const char c = line[name];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return false;
    }
    return true;
}

// The same of the last line before `newline` that is not blank.
bool ends_moves(std::string_view text, std::size_t newline) {
    std::size_t end = newline;
    while (true) {
        const std::size_t before = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
        const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
        const std::string_view line = text.substr(begin, end - begin);
        const std::size_t first = line.find_first_not_of(" \t\r\v\f");
        if (first != std::string_view::npos) return is_of_moves(line.substr(first));
        if (before == std::string_view::npos) return false;
        end = before;
    }
}

// Where the last game of `text` begins that can be cut off; npos if nowhere.
std::size_t last_boundary(std::string_view text) {
    std::size_t end = text.size();
    while (true) {
        const std::size_t found = text.substr(0, end).rfind(kBoundary);
        if (found == std::string_view::npos) return found;
        if (ends_moves(text, found)) return found + 1;
        end = found + kBoundary.size() - 1;
    }
}

// Cuts a stream into parts.
class Splitter {
  public:
    Splitter(std::unique_ptr<base::InputStream> input, std::size_t part_size)
        : input_(std::move(input)), part_size_(std::max<std::size_t>(part_size, 1)) {}

    // Nothing at the end. `spare` is memory to use.
    base::Result<std::optional<PgnText>> next(std::vector<char> spare) {
        if (!input_) return std::nullopt;
        std::vector<char> buffer = std::move(spare);
        std::size_t size = carried_.size();
        std::size_t wanted = std::max(part_size_, size + part_size_ / 2);
        grow(buffer, wanted);
        std::ranges::copy(carried_, buffer.begin());
        while (true) {
            while (size < wanted) {
                const auto got = input_->read(std::span(buffer).subspan(size, wanted - size));
                if (!got) return std::unexpected(got.error());
                if (*got == 0) {
                    input_.reset();
                    return PgnText{std::move(buffer), size, nullptr, false};
                }
                size += *got;
            }
            const std::size_t cut = last_boundary({buffer.data(), size});
            if (cut != std::string_view::npos) {
                carried_.assign(buffer.begin() + static_cast<std::ptrdiff_t>(cut),
                                buffer.begin() + static_cast<std::ptrdiff_t>(size));
                return PgnText{std::move(buffer), cut, nullptr, true};
            }
            if (size >= kPartsWithoutBoundary * part_size_)
                return PgnText{std::move(buffer), size, std::move(input_), false, part_size_};
            wanted = size + part_size_;
            grow(buffer, wanted);
        }
    }

  private:
    static void grow(std::vector<char>& buffer, std::size_t size) {
        if (buffer.size() < size + PgnText::kPadding) buffer.resize(size + PgnText::kPadding);
    }

    std::unique_ptr<base::InputStream> input_;
    std::size_t part_size_;
    std::vector<char> carried_;  // the beginning of the next part
};

class ParallelReader {
  public:
    ParallelReader(std::string file, std::unique_ptr<base::InputStream> input, const PgnReadOptions& options,
                   const std::function<std::unique_ptr<PgnSink>()>& make_sink,
                   const std::function<base::Status(PgnStretch)>& consume, const std::stop_token& stop)
        : file_(std::move(file)),
          options_(options),
          make_sink_(make_sink),
          consume_(consume),
          stop_(stop),
          splitter_(std::move(input), options.part_size),
          most_waiting_(2 * std::size_t{options.threads} + 2) {}

    base::Status run() {
        return without_exceptions(file_, [this] { return read_all(); });
    }

  private:
    base::Status read_all() {
        if (auto status = pass_over(); !status) return status;
        if (options_.threads <= 1) return run_alone();
        std::vector<std::jthread> threads;
        threads.reserve(options_.threads);
        for (unsigned i = 0; i < options_.threads; ++i) threads.emplace_back([this] { work(); });
        // The threads are told whatever happens here: they would wait for ever.
        auto status = without_exceptions(file_, [this] { return consume_all(); });
        {
            const std::scoped_lock lock(mutex_);
            over_ = true;
        }
        changed_.notify_all();
        return status;
    }

    // What has been read of a part and not been consumed.
    struct Part {
        std::deque<PgnStretch> stretches;
        bool done = false;
        std::uint64_t lines = 0;  // once done
        std::uint64_t games = 0;
        std::optional<base::Error> error;
    };

    bool stopped() const { return stop_.stop_requested(); }

    // Passes over the games asked for; what is left of the part that they end in is read here.
    base::Status pass_over() {
        std::uint64_t left = options_.skip;
        while (left > 0 && !stopped()) {
            auto text = splitter_.next({});
            if (!text) return std::unexpected(text.error());
            if (!*text)
                return base::fail("{}: {}, expected at least the {} read before", file_,
                                  base::counted(options_.skip - left, "game"), options_.skip);
            PgnReader reader(file_, std::move(**text));
            while (left > 0 && !stopped()) {
                const auto more = reader.skip();
                if (!more) return std::unexpected(more.error());
                if (!*more) break;
                --left;
            }
            if (left == 0)
                if (auto status = read_part(reader, [this](PgnStretch s) { return hand_out(std::move(s)); });
                    !status)
                    return status;
            line_base_ += reader.lines();
            game_base_ += reader.games();
        }
        return {};
    }

    base::Status run_alone() {
        std::vector<char> spare;
        while (!stopped()) {
            auto text = splitter_.next(std::move(spare));
            if (!text) return std::unexpected(text.error());
            if (!*text) return {};
            PgnReader reader(file_, std::move(**text));
            if (auto status = read_part(reader, [this](PgnStretch s) { return hand_out(std::move(s)); });
                !status)
                return status;
            line_base_ += reader.lines();
            game_base_ += reader.games();
            spare = reader.take_buffer();
        }
        return {};
    }

    // Reads a part to its end, stretch by stretch.
    template <class Take>
    base::Status read_part(PgnReader& reader, Take take) {
        while (!stopped()) {
            PgnStretch stretch;
            {
                const std::scoped_lock lock(sink_mutex_);
                stretch.sink = make_sink_();
            }
            bool more = true;
            while (stretch.games < options_.games_per_stretch && !stretch.sink->full()) {
                const auto item = reader.next();
                if (!item) return std::unexpected(item.error());
                more = *item != PgnItem::End;
                if (!more) break;
                ++stretch.games;
                if (*item == PgnItem::Problem) {
                    stretch.problems.push_back(reader.problem());
                    continue;
                }
                if (auto status = stretch.sink->take(reader.game()); !status)
                    stretch.problems.push_back(reader.refused(status.error().message));
                else if (reader.remark() != nullptr)
                    stretch.remarks.push_back(*reader.remark());
            }
            if (stretch.games > 0) {
                stretch.sink->end();
                if (auto status = take(std::move(stretch)); !status) return status;
            }
            if (!more) return {};
        }
        return {};
    }

    // To the caller, numbered as in the file.
    base::Status hand_out(PgnStretch stretch) {
        for (auto* const problems : {&stretch.problems, &stretch.remarks}) {
            for (PgnProblem& problem : *problems) {
                problem.line += line_base_;
                problem.game += game_base_;
            }
        }
        return consume_(std::move(stretch));
    }

    void work() {
        const auto status = without_exceptions(file_, [this]() -> base::Status {
            read_parts();
            return {};
        });
        if (status) return;
        const std::scoped_lock lock(mutex_);
        failure_ = status.error();
        changed_.notify_all();
    }

    void read_parts() {
        std::vector<char> spare;
        while (true) {
            std::unique_lock lock(mutex_);
            if (over_ || read_all_) return;
            if (stopped()) {
                read_all_ = true;
                changed_.notify_all();
                return;
            }
            auto text = splitter_.next(std::move(spare));
            const std::uint64_t number = parts_read_++;
            Part& part = parts_[number];
            if (!text || !*text) {
                if (!text) part.error = text.error();
                part.done = true;
                read_all_ = true;
                changed_.notify_all();
                return;
            }
            lock.unlock();

            PgnReader reader(file_, std::move(**text));
            const auto status = read_part(reader, [&](PgnStretch stretch) -> base::Status {
                std::unique_lock wait(mutex_);
                // The part that is consumed next may always go on: the others wait for it.
                changed_.wait(wait, [&] {
                    return over_ || waiting_ < most_waiting_ ||
                           (number == parts_consumed_ && part.stretches.empty());
                });
                if (over_) return {};
                part.stretches.push_back(std::move(stretch));
                ++waiting_;
                changed_.notify_all();
                return {};
            });
            lock.lock();
            if (!status) part.error = status.error();
            part.lines = reader.lines();
            part.games = reader.games();
            part.done = true;
            changed_.notify_all();
            lock.unlock();
            spare = reader.take_buffer();
        }
    }

    base::Status consume_all() {
        std::unique_lock lock(mutex_);
        while (!stopped()) {
            changed_.wait(lock, [this] {
                const auto part = parts_.find(parts_consumed_);
                return failure_ || (read_all_ && parts_consumed_ == parts_read_) ||
                       (part != parts_.end() && (part->second.done || !part->second.stretches.empty()));
            });
            if (failure_) return std::unexpected(*failure_);
            if (parts_consumed_ == parts_read_) return {};
            Part& part = parts_[parts_consumed_];
            if (!part.stretches.empty()) {
                PgnStretch stretch = std::move(part.stretches.front());
                part.stretches.pop_front();
                --waiting_;
                changed_.notify_all();
                lock.unlock();
                if (auto status = hand_out(std::move(stretch)); !status) return status;
                lock.lock();
                continue;
            }
            if (part.error) return std::unexpected(*part.error);
            line_base_ += part.lines;
            game_base_ += part.games;
            parts_.erase(parts_consumed_++);
            changed_.notify_all();
        }
        return {};
    }

    const std::string file_;
    const PgnReadOptions options_;
    const std::function<std::unique_ptr<PgnSink>()>& make_sink_;
    const std::function<base::Status(PgnStretch)>& consume_;
    const std::stop_token& stop_;
    std::mutex sink_mutex_;

    // Lines and games of the parts that have been consumed; of the consuming thread.
    std::uint64_t line_base_ = 0;
    std::uint64_t game_base_ = 0;

    std::mutex mutex_;  // of what follows
    std::condition_variable changed_;
    Splitter splitter_;
    std::map<std::uint64_t, Part> parts_;  // by number: being read or waiting
    std::uint64_t parts_read_ = 0;         // or being read
    std::uint64_t parts_consumed_ = 0;
    std::size_t waiting_ = 0;  // stretches
    const std::size_t most_waiting_;
    bool read_all_ = false;
    std::optional<base::Error> failure_;  // of a thread that could not go on
    bool over_ = false;                   // nothing more is wanted
};

}  // namespace

base::Status read_pgn(const std::string& path, const PgnReadOptions& options,
                      const std::function<std::unique_ptr<PgnSink>()>& make_sink,
                      const std::function<base::Status(PgnStretch)>& consume, const std::stop_token& stop) {
    auto input = base::open_input(path, stop);
    if (!input) return std::unexpected(input.error());
    auto status = ParallelReader(path == "-" ? "standard input" : path, std::move(*input), options, make_sink,
                                 consume, stop)
                      .run();
    // A wait for input that was ended is no fault of the file.
    if (stop.stop_requested()) return {};
    return status;
}

}  // namespace scholar::games
