// bench/search_cost EPD [--positions N] [--entries A,B,…] [--nodes N] [--depth D] [--convergence C,D,…]
//     [--net FILE]
//
// What principal-variation search and MTD(f) cost with transposition tables of 2^A, 2^B, … entries (default
// 22). Each of the first N positions of a file (default 100) is searched from an empty table with one thread,
// until an iteration that would go beyond D half-moves (default: no such limit) or N nodes (default 10
// million). Of each search: the depth it came to, on average; and nodes and processor time to the deepest
// iteration that all of them completed on that position, or D if that is nearer, as geometric means, also in
// relation to the first line. Positions in which any of them finds a mate are left out. MTD(f) is run for
// each convergence (default 19, in Score units). The network is the embedded one or that of a file.
//
//   search_cost suite.epd --depth 14                               nodes and time to depth
//   search_cost suite.epd --positions 20 --entries 12,14,16,18,20,22     with less and less memory
//
// ninja -C BUILD search_cost makes it.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fmt/core.h>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "chess/epd.hpp"
#include "nets/container/any_network.hpp"
#include "nets/container/embedded.hpp"
#include "search/alpha_beta/alpha_beta.hpp"

namespace scholar {
namespace {

struct Arguments {
    std::string file;
    std::string network;  // empty: the embedded one
    std::size_t positions = 100;
    std::vector<std::uint64_t> entries{22};  // powers of two
    std::uint64_t nodes = 10'000'000;
    std::uint64_t depth = 0;  // 0: no limit
    std::vector<std::uint64_t> convergences{search::AlphaBetaOptions::kDefaultConvergence};
};

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Cost {
    double nodes = 0;
    double seconds = 0;
};

// Notes what each iteration cost from the search's start, by depth from 1.
class Costs final : public search::Observer {
  public:
    void on_iteration(const search::Iteration& iteration) override {
        decided |= iteration.score && iteration.score->is_decisive();
        const auto depth = static_cast<std::size_t>(iteration.counters.depth);
        if (depth != by_depth.size() + 1)
            return;  // a bound, or what a search that was cut off says at its end
        by_depth.push_back({static_cast<double>(iteration.counters.nodes), processor_seconds() - started_});
    }
    std::vector<Cost> by_depth;
    bool decided = false;  // a mate was found

  private:
    double started_ = processor_seconds();
};

struct Setting {
    std::string name;
    std::uint64_t entries;  // a power of two
    search::AlphaBetaOptions options;
    std::vector<Costs> positions{};
};

std::vector<Setting> settings_of(const Arguments& arguments) {
    std::vector<Setting> settings;
    for (const std::uint64_t entries : arguments.entries) {
        settings.emplace_back("pvs", entries).options.root_search = search::RootSearch::PrincipalVariation;
        for (const std::uint64_t convergence : arguments.convergences) {
            Setting& setting = settings.emplace_back(fmt::format("mtdf {}", convergence), entries);
            setting.options.root_search = search::RootSearch::Mtdf;
            setting.options.convergence = static_cast<int>(convergence);
        }
    }
    return settings;
}

base::Result<std::vector<chess::Position>> read_positions(const Arguments& arguments) {
    std::ifstream file(arguments.file);
    if (!file) return base::fail("{}: cannot be read", arguments.file);
    std::vector<chess::Position> positions;
    std::size_t number = 0;
    for (std::string line; positions.size() < arguments.positions && std::getline(file, line);) {
        ++number;
        if (line.empty() || line.front() == '#') continue;
        const auto epd = chess::parse_epd(line);
        if (!epd) return base::fail("{}: line {}: {}", arguments.file, number, epd.error().message);
        positions.push_back(epd->position);
    }
    if (positions.empty()) return base::fail("{}: no positions, expected EPD lines", arguments.file);
    return positions;
}

// The deepest iteration of a position that every setting completed, 0 if there is none.
std::size_t common_depth(const std::vector<Setting>& settings, std::size_t position, std::uint64_t most) {
    std::size_t depth = most == 0 ? SIZE_MAX : most;
    for (const Setting& setting : settings)
        depth = std::min(depth, setting.positions[position].by_depth.size());
    return depth;
}

// Those where no search found a mate, after which iterations cost nothing.
std::vector<std::size_t> undecided(const std::vector<Setting>& settings) {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < settings.front().positions.size(); ++i)
        if (std::ranges::none_of(settings, [i](const Setting& s) { return s.positions[i].decided; }))
            positions.push_back(i);
    return positions;
}

void print(const std::vector<Setting>& settings, std::uint64_t depth) {
    const std::vector<std::size_t> positions = undecided(settings);
    fmt::print("{} left out, where one found a mate\n", settings.front().positions.size() - positions.size());
    if (positions.empty()) return;
    fmt::print("{:>8} {:<10} {:>6} {:>12} {:>6} {:>10} {:>6}\n", "entries", "search", "depth", "nodes", "",
               "seconds", "");
    Cost first;
    for (const Setting& setting : settings) {
        double deepest = 0;
        Cost logarithms;
        std::size_t compared = 0;
        for (const std::size_t i : positions) {
            deepest += static_cast<double>(setting.positions[i].by_depth.size());
            const std::size_t common = common_depth(settings, i, depth);
            if (common == 0) continue;
            const Cost& cost = setting.positions[i].by_depth[common - 1];
            logarithms.nodes += std::log(cost.nodes);
            logarithms.seconds += std::log(std::max(cost.seconds, 1e-9));
            ++compared;
        }
        const auto count = static_cast<double>(std::max<std::size_t>(compared, 1));
        const Cost mean{std::exp(logarithms.nodes / count), std::exp(logarithms.seconds / count)};
        if (&setting == &settings.front()) first = mean;
        fmt::print("{:>8} {:<10} {:>6.2f} {:>12.0f} {:>6.3f} {:>10.4f} {:>6.3f}\n",
                   fmt::format("2^{}", setting.entries), setting.name,
                   deepest / static_cast<double>(positions.size()), mean.nodes, mean.nodes / first.nodes,
                   mean.seconds, mean.seconds / first.seconds);
    }
}

base::Result<nets::AnyNetwork> read_network(const std::string& path) {
    if (!path.empty()) return nets::load_any_network(path);
    auto embedded = nets::parse_any_network(nets::default_network_file());
    if (!embedded) return base::fail_in("embedded network", embedded.error());
    return embedded;
}

base::Status measure(const Arguments& arguments) {
    const auto positions = read_positions(arguments);
    if (!positions) return std::unexpected(positions.error());
    const auto network = read_network(arguments.network);
    if (!network) return std::unexpected(network.error());

    std::vector<Setting> settings = settings_of(arguments);
    search::Limits limits;
    limits.limits.emplace_back(search::NodeLimit{arguments.nodes});
    if (arguments.depth != 0)
        limits.limits.emplace_back(search::DepthLimit{static_cast<int>(arguments.depth)});
    base::Progress progress("search_cost", positions->size(), "positions");
    // Position by position, so that what else the machine does falls on all alike.
    for (std::size_t i = 0; i < positions->size(); ++i) {
        for (Setting& setting : settings) {
            search::Table table = search::Table::of_entries(std::size_t{1} << setting.entries);
            const auto searcher = search::make_alpha_beta(*network, table, setting.options).value();
            Costs& costs = setting.positions.emplace_back();
            searcher->run(chess::Line((*positions)[i]), limits, {}, costs);
        }
        progress.update(i + 1);
    }
    fmt::print("{} positions, at most {} nodes each; nodes and seconds to the depth that all came to, ",
               positions->size(), arguments.nodes);
    print(settings, arguments.depth);
    return {};
}

// Whole numbers with commas between them.
base::Result<std::vector<std::uint64_t>> parse_list(std::string_view name, std::string_view text,
                                                    std::uint64_t least, std::uint64_t most) {
    std::vector<std::uint64_t> numbers;
    while (true) {
        const std::string_view word = text.substr(0, text.find(','));
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error != std::errc() || end != word.data() + word.size() || number < least || number > most)
            return base::fail("{} '{}', expected a whole number from {} to {}", name, word, least, most);
        numbers.push_back(number);
        if (word.size() == text.size()) return numbers;
        text.remove_prefix(word.size() + 1);
    }
}

base::Result<Arguments> parse(const std::vector<std::string_view>& words) {
    Arguments arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (!word.starts_with("--")) {
            if (!arguments.file.empty()) return base::fail("unexpected argument '{}'", word);
            arguments.file = word;
            continue;
        }
        const std::string_view value = i + 1 < words.size() ? words[++i] : std::string_view();
        // One number, or several.
        const auto set = [&](auto& place, std::uint64_t least, std::uint64_t most) -> base::Status {
            const auto numbers = parse_list(word, value, least, most);
            if (!numbers) return std::unexpected(numbers.error());
            if constexpr (std::is_integral_v<std::remove_reference_t<decltype(place)>>) {
                if (numbers->size() != 1) return base::fail("{} '{}', expected one number", word, value);
                place = numbers->front();
            } else {
                place = *numbers;
            }
            return {};
        };
        base::Status status;
        if (word == "--net")
            arguments.network = value;
        else if (word == "--positions")
            status = set(arguments.positions, 1, 1'000'000);
        else if (word == "--entries")
            status = set(arguments.entries, 2, 32);
        else if (word == "--nodes")
            status = set(arguments.nodes, 1, std::uint64_t{1} << 50);
        else if (word == "--depth")
            status = set(arguments.depth, 1, chess::kMaxPly - 1);
        else if (word == "--convergence")
            status = set(arguments.convergences, 0, 10'000);
        else
            status = base::fail(
                "unknown option '{}', expected --positions, --entries, --nodes, --depth, "
                "--convergence or --net",
                word);
        if (!status) return std::unexpected(status.error());
    }
    if (arguments.file.empty()) return base::fail("expected a file of EPD lines");
    return arguments;
}

}  // namespace
}  // namespace scholar

int main(int argc, char** argv) {
    using namespace scholar;
    const auto arguments = parse({argv + 1, argv + argc});
    const auto status = arguments ? measure(*arguments) : base::Status(std::unexpected(arguments.error()));
    if (!status) fmt::print(stderr, "search_cost: {}\n", status.error().message);
    return status ? 0 : 1;
}
