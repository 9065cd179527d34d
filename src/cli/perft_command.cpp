#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <thread>

#include "base/files.hpp"
#include "base/progress.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "chess/epd.hpp"
#include "chess/fen.hpp"
#include "chess/perft.hpp"
#include "chess/uci_move.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace scholar::cli {

namespace {

using Clock = std::chrono::steady_clock;
using Divide = std::vector<std::pair<chess::Move, std::uint64_t>>;

std::uint64_t total(const Divide& divide) {
    std::uint64_t nodes = 0;
    for (const auto& [move, count] : divide) nodes += count;
    return nodes;
}

struct PerftArguments {
    int depth = 5;
    std::string fen;
    std::string suite;
    std::size_t sample = 0;
    std::uint64_t seed = 1;
    int threads = 1;
    bool divide = false;
    bool json = false;
};

// A position of a .perft file with its published counts by depth.
struct Case {
    std::string id;
    chess::Position position;
    std::map<int, std::uint64_t> counts;
};

// The two numbers behind "perft", and nothing else.
bool parse_count(std::string_view text, int& depth, std::uint64_t& count) {
    const auto words = base::split_words(text);
    if (words.size() != 2) return false;
    const auto first = base::parse_number<int>(words[0]);
    const auto second = base::parse_number<std::uint64_t>(words[1]);
    depth = first.value_or(0);
    count = second.value_or(0);
    return first && second && depth >= 1;
}

// Lines "id …", "epd …" and "perft DEPTH COUNT"; '#' begins a comment.
base::Result<std::vector<Case>> read_suite(const std::string& path) {
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    std::vector<Case> cases;
    std::string id;
    std::size_t number = 0;
    std::size_t at = 0;
    while (at < text->size()) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        std::string_view line(text->data() + at, end - at);
        at = end + 1;
        ++number;
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        if (line.empty() || line.front() == '#') continue;
        if (line.starts_with("id ")) {
            id = line.substr(3);
        } else if (line.starts_with("epd ")) {
            const auto epd = chess::parse_epd(line.substr(4));
            if (!epd) return base::fail("{}: line {}: {}", path, number, epd.error().message);
            cases.push_back({id, epd->position, {}});
        } else if (line.starts_with("perft ")) {
            int depth = 0;
            std::uint64_t count = 0;
            if (!parse_count(line.substr(6), depth, count))
                return base::fail("{}: line {}: '{}', expected 'perft DEPTH COUNT' with a depth from 1", path,
                                  number, line);
            if (cases.empty())
                return base::fail("{}: line {}: a count without a position, expected 'epd' before it", path,
                                  number);
            cases.back().counts[depth] = count;
        } else {
            return base::fail("{}: line {}: expected 'id', 'epd' or 'perft'", path, number);
        }
    }
    return cases;
}

// A count of the suite that is not the published one.
struct Difference {
    const Case* item;
    int depth;
    std::uint64_t expected;
    Divide divide;  // compare it with another program's

    std::uint64_t found() const { return total(divide); }
};

void print_divide(const Divide& divide) {
    for (const auto& [move, nodes] : divide) fmt::print("  {}: {}\n", chess::to_uci(move), nodes);
}

Json divide_json(const Divide& divide) {
    Json json = Json::object();
    for (const auto& [move, nodes] : divide) json[chess::to_uci(move)] = nodes;
    return json;
}

void print_difference(const Difference& one) {
    fmt::print("{}: {} depth {}: {} {}, expected {}\n", one.item->id, chess::to_fen(one.item->position),
               one.depth, one.found(), base::noun(one.found(), "node"), one.expected);
    print_divide(one.divide);
}

Json difference_json(const Difference& one) {
    return {{"id", one.item->id},       {"fen", chess::to_fen(one.item->position)},
            {"depth", one.depth},       {"nodes", one.found()},
            {"expected", one.expected}, {"divide", divide_json(one.divide)}};
}

// What checking a suite found out. Threads take whole positions.
class SuiteCheck {
  public:
    SuiteCheck(const std::vector<Case>& cases, int max_depth) : cases_(cases), max_depth_(max_depth) {}

    void run(int threads, const std::stop_token& stop) {
        std::atomic<std::size_t> taken = 0;
        base::Progress progress("perft", cases_.size(), "positions");
        const auto work = [&] {
            for (std::size_t i = taken++; i < cases_.size() && check(cases_[i], stop); i = taken++) {
                const std::scoped_lock lock(mutex_);
                progress.update(++done_);
            }
        };
        {
            std::vector<std::jthread> others;
            for (int i = 1; i < threads; ++i) others.emplace_back(work);
            work();
        }
        progress.finish();
    }

    std::size_t done() const { return done_; }
    std::size_t counts() const { return counts_; }
    std::uint64_t nodes() const { return nodes_; }
    const std::vector<Difference>& differences() const { return differences_; }

  private:
    // Whether it came to its end: what was counted when it was stopped means nothing.
    bool check(const Case& item, const std::stop_token& stop) {
        for (const auto& [depth, expected] : item.counts) {
            if (depth > max_depth_) continue;
            const std::uint64_t found = chess::perft(item.position, depth, stop);
            Divide divide;
            if (found != expected) divide = chess::perft_divide(item.position, depth, 1, stop);
            if (stop.stop_requested()) return false;
            const std::scoped_lock lock(mutex_);
            nodes_ += found;
            ++counts_;
            if (found != expected) differences_.push_back({&item, depth, expected, std::move(divide)});
        }
        return !stop.stop_requested();
    }

    const std::vector<Case>& cases_;
    int max_depth_;
    std::mutex mutex_;  // guards all below
    std::size_t done_ = 0;
    std::size_t counts_ = 0;
    std::uint64_t nodes_ = 0;
    std::vector<Difference> differences_;
};

base::Status run_suite(const PerftArguments& options, const std::stop_token& stop) {
    auto cases = read_suite(options.suite);
    if (!cases) return std::unexpected(cases.error());
    const std::size_t available = cases->size();
    if (options.sample > 0 && options.sample < cases->size()) {
        base::Random random(options.seed);
        random.shuffle(*cases);
        cases->resize(options.sample);
    }
    const auto start = Clock::now();
    SuiteCheck check(*cases, options.depth);
    check.run(options.threads, stop);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const std::size_t wrong = check.differences().size();
    if (options.json) {
        Json differences = Json::array();
        for (const Difference& one : check.differences()) differences.push_back(difference_json(one));
        print({{"suite", options.suite},
               {"available", available},
               {"positions", check.done()},
               {"depth", options.depth},
               {"counts", check.counts()},
               {"wrong", wrong},
               {"nodes", check.nodes()},
               {"threads", options.threads},
               {"seconds", seconds},
               {"differences", std::move(differences)}});
    } else {
        for (const Difference& one : check.differences()) print_difference(one);
        fmt::print("{}: {} of {}, {} to depth {}, {} wrong; {} {} in {:.2f} s\n", options.suite, check.done(),
                   base::counted(available, "position"), base::counted(check.counts(), "count"),
                   options.depth, wrong, check.nodes(), base::noun(check.nodes(), "node"), seconds);
    }
    if (wrong > 0)
        return base::fail("{}: {} of {} {} wrong", options.suite, wrong,
                          base::counted(check.counts(), "count"), base::noun(wrong, "is", "are"));
    if (check.done() < cases->size())
        return base::fail("stopped after {} of {}", check.done(), base::counted(cases->size(), "position"));
    if (check.counts() == 0) return base::fail("{}: no counts up to depth {}", options.suite, options.depth);
    return {};
}

base::Status run_position(const PerftArguments& options, const std::stop_token& stop) {
    chess::Position position;
    if (!options.fen.empty()) {
        const auto parsed = chess::parse_fen(options.fen);
        if (!parsed) return std::unexpected(parsed.error());
        position = *parsed;
    }
    const auto start = Clock::now();
    const Divide divide = chess::perft_divide(position, options.depth, options.threads, stop);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (stop.stop_requested()) return base::fail("stopped before the count was complete");
    const std::uint64_t nodes = total(divide);
    const double speed = static_cast<double>(nodes) / seconds;
    if (options.json) {
        Json json{{"fen", chess::to_fen(position)}, {"depth", options.depth}, {"nodes", nodes},
                  {"threads", options.threads},     {"seconds", seconds},     {"nodes_per_second", speed}};
        if (options.divide) json["divide"] = divide_json(divide);
        print(json);
        return {};
    }
    if (options.divide) print_divide(divide);
    fmt::print("{} {} in {:.3f} s, {:.1f} million nodes/s\n", nodes, base::noun(nodes, "node"), seconds,
               speed / 1e6);
    return {};
}

base::Status run_perft(const PerftArguments& options, const std::stop_token& stop) {
    return options.suite.empty() ? run_position(options, stop) : run_suite(options, stop);
}

}  // namespace

void add_perft_command(Command app, Invocation& invocation) {
    const Command command = app.add_subcommand(
        "perft", "Count legal move sequences: the proof of the move generator, and its speed");
    auto options = std::make_shared<PerftArguments>();
    command.add_option("depth", options->depth, "Depth in half-moves")
        .check(range(1, 30))
        .capture_default_str();
    const Option fen = command.add_option("--fen", options->fen, "Position (default: the start position)");
    const Option divide = command.add_flag("--divide", options->divide, "Show the count for each first move");
    const Option suite =
        command.add_option("--suite", options->suite, "Check every count of a .perft file up to the depth")
            .excludes(fen)
            .excludes(divide);
    const Option sample = command
                              .add_option("--sample,--count", options->sample,
                                          "Only so many positions of the suite, drawn at random")
                              .needs(suite);
    command.add_option("--seed", options->seed, "Seed of that draw").needs(sample).capture_default_str();
    command.add_option("--threads", options->threads, "Threads to share the work")
        .check(range(1, 256))
        .capture_default_str();
    command.add_flag("--json", options->json, "Print one JSON object");
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return run_perft(*options, stop); };
    });
}

}  // namespace scholar::cli
