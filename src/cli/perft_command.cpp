#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <map>

#include "base/files.hpp"
#include "base/progress.hpp"
#include "base/random.hpp"
#include "chess/epd.hpp"
#include "chess/fen.hpp"
#include "chess/perft.hpp"
#include "chess/uci_move.hpp"
#include "cli/commands.hpp"

namespace scholar::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    int depth = 5;
    std::string fen;
    std::string suite;
    std::size_t count = 0;
    std::uint64_t seed = 1;
    bool divide = false;
};

// A position of a .perft file with its published counts by depth.
struct Case {
    std::string id;
    chess::Position position;
    std::map<int, std::uint64_t> counts;
};

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
        } else if (int depth = 0; line.starts_with("perft ") && !cases.empty()) {
            unsigned long long count = 0;
            if (std::sscanf(std::string(line).c_str(), "perft %d %llu", &depth, &count) != 2)
                return base::fail("{}: line {}: expected 'perft DEPTH COUNT'", path, number);
            cases.back().counts[depth] = count;
        } else {
            return base::fail("{}: line {}: expected 'id', 'epd' or 'perft'", path, number);
        }
    }
    return cases;
}

void print_divide(const chess::Position& position, int depth) {
    for (const auto& [move, nodes] : chess::perft_divide(position, depth))
        fmt::print("  {}: {}\n", chess::to_uci(move), nodes);
}

base::Status run_suite(const Options& options, std::stop_token stop) {
    auto cases = read_suite(options.suite);
    if (!cases) return std::unexpected(cases.error());
    const std::size_t available = cases->size();
    if (options.count > 0 && options.count < cases->size()) {
        base::Random random(options.seed);
        random.shuffle(*cases);
        cases->resize(options.count);
    }
    std::uint64_t nodes = 0;
    std::size_t checked = 0;
    std::size_t wrong = 0;
    std::size_t done = 0;
    const auto start = Clock::now();
    base::Progress progress("perft", cases->size(), "positions");
    for (const Case& item : *cases) {
        if (stop.stop_requested()) return base::fail("stopped after {} of {} positions", done, cases->size());
        for (const auto& [depth, expected] : item.counts) {
            if (depth > options.depth) continue;
            const std::uint64_t found = chess::perft(item.position, depth);
            nodes += found;
            ++checked;
            if (found == expected) continue;
            ++wrong;
            fmt::print("{}: {} depth {}: {} nodes, expected {}\n", item.id, chess::to_fen(item.position),
                       depth, found, expected);
            print_divide(item.position, depth);
        }
        progress.update(++done);
    }
    progress.finish();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    fmt::print("{}: {} of {} positions, {} counts to depth {}, {} wrong; {} nodes in {:.2f} s\n",
               options.suite, cases->size(), available, checked, options.depth, wrong, nodes, seconds);
    if (wrong > 0) return base::fail("{}: {} of {} counts are wrong", options.suite, wrong, checked);
    if (checked == 0) return base::fail("{}: no counts up to depth {}", options.suite, options.depth);
    return {};
}

base::Status run(const Options& options, std::stop_token stop) {
    if (!options.suite.empty()) return run_suite(options, stop);
    chess::Position position;
    if (!options.fen.empty()) {
        const auto parsed = chess::parse_fen(options.fen);
        if (!parsed) return std::unexpected(parsed.error());
        position = *parsed;
    }
    const auto start = Clock::now();
    if (options.divide) print_divide(position, options.depth);
    const std::uint64_t nodes = chess::perft(position, options.depth);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    fmt::print("{} nodes in {:.3f} s, {:.1f} million nodes/s\n", nodes, seconds,
               static_cast<double>(nodes) / seconds / 1e6);
    return {};
}

}  // namespace

void add_perft_command(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand(
        "perft", "Count legal move sequences: the proof of the move generator, and its speed");
    auto options = std::make_shared<Options>();
    command->add_option("depth", options->depth, "Depth in half-moves")
        ->check(CLI::Range(1, 30))
        ->capture_default_str();
    command->add_option("--fen", options->fen, "Position (default: the start position)");
    command->add_flag("--divide", options->divide, "Show the count for each first move");
    command->add_option("--suite", options->suite, "Check every count of a .perft file up to the depth");
    command->add_option("--count", options->count, "Only so many positions of the suite, drawn at random");
    command->add_option("--seed", options->seed, "Seed of that draw")->capture_default_str();
    command->callback([&invocation, options] {
        invocation.run = [options](std::stop_token stop) { return run(*options, stop); };
    });
}

}  // namespace scholar::cli
