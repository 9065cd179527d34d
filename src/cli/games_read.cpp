#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

#include "base/cores.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/games_commands.hpp"
#include "cli/games_problems.hpp"
#include "cli/games_shared.hpp"
#include "cli/output.hpp"
#include "games/pgn_parallel.hpp"

namespace scholar::cli {

namespace {

struct ReadOptions {
    std::vector<std::string> files;
    std::string errors;
    games::PgnReadOptions reading;
    bool list = false;
    bool overwrite = false;
    bool json = false;
};

struct ReadCounts {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t evaluations = 0;
    std::uint64_t clocks = 0;

    ReadCounts& operator+=(const ReadCounts& other) {
        games += other.games;
        plies += other.plies;
        evaluations += other.evaluations;
        clocks += other.clocks;
        return *this;
    }
};

template <class Notes>
std::uint64_t count_known(const Notes& notes) {
    std::uint64_t count = 0;
    for (const auto& note : notes) count += note.has_value();
    return count;
}

class CountingSink final : public games::PgnSink {
  public:
    explicit CountingSink(bool list) : list_(list) {}

    base::Status take(games::Game& game) override {
        const ReadCounts of_game{1, game.moves.size(), count_known(game.evaluations),
                                 count_known(game.clocks)};
        counts_ += of_game;
        if (list_)
            lines_ +=
                fmt::format("{} – {}, {}: {}, {}, {}{}\n", game.tag("White"), game.tag("Black"),
                            games::to_string(game.result), base::counted(of_game.plies, "half-move"),
                            base::counted(of_game.evaluations, "evaluation"),
                            base::counted(of_game.clocks, "clock time"), game.chess960 ? ", Chess960" : "");
        return {};
    }

    const ReadCounts& counts() const { return counts_; }
    const std::string& lines() const { return lines_; }

  private:
    bool list_;
    ReadCounts counts_;
    std::string lines_;
};

base::Status read_games(const ReadOptions& options, const std::stop_token& stop) {
    const auto start = Clock::now();
    if (auto status = check_output(options.errors, options.files); !status) return status;
    if (auto status = check_new_output(options.errors, options.overwrite); !status) return status;
    ProblemLog problems;
    if (auto status = problems.open(options.errors); !status) return status;
    base::Progress progress("reading", 0, "games");
    ReadCounts counts;
    for (const std::string& file : options.files) {
        const auto status = games::read_pgn(
            file, options.reading, [&] { return std::make_unique<CountingSink>(options.list); },
            [&](games::PgnStretch stretch) -> base::Status {
                const auto& sink = static_cast<const CountingSink&>(*stretch.sink);
                counts += sink.counts();
                fmt::print("{}", sink.lines());
                if (auto noted = problems.add_all(stretch); !noted) return noted;
                progress.update(counts.games, file);
                return {};
            },
            stop);
        if (!status) return status;
        if (stop.stop_requested()) return base::fail("stopped in {}", file);
    }
    progress.finish();

    if (counts.games == 0 && problems.count() > 0) {
        for (const std::string& line : problems.first()) fmt::print(stderr, "{}\n", line);
        return base::fail("no game could be read ({} skipped)", problems.count());
    }

    const double seconds = seconds_since(start);
    const auto games = static_cast<double>(counts.games);
    const auto plies = static_cast<double>(counts.plies);
    if (options.json) {
        print({{"files", options.files.size()},
               {"games", counts.games},
               {"skipped", problems.count()},
               {"remarks", problems.remarks()},
               {"plies", counts.plies},
               {"evaluations", counts.evaluations},
               {"clock_times", counts.clocks},
               {"seconds", seconds},
               {"games_per_second", ratio(games, seconds)},
               {"moves_per_second", ratio(plies, seconds)},
               {"problems", problems.first()}});
        return {};
    }
    fmt::print("{}, {}, {} in {:.2f} s ({:.0f} games/s, {:.2f} million moves/s)\n",
               base::counted(counts.games, "game"), base::counted(counts.plies, "half-move"),
               base::counted(counts.evaluations, "evaluation"), seconds, ratio(games, seconds),
               ratio(plies, seconds) / 1e6);
    problems.print();
    return {};
}

}  // namespace

void add_games_read(Command games, Invocation& invocation) {
    const Command read = games.add_subcommand(
        "read", "Read PGN files, play every move, and say what is in them; keeps nothing");
    auto options = std::make_shared<ReadOptions>();
    read.add_option("FILE", options->files,
                    "PGN files, packed too (.zst, .gz, .bz2, .xz, .zip, .7z); - is standard input")
        .required();
    read.add_option("--errors", options->errors,
                    "Write every skipped game and why to this file, a line each");
    read.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    options->reading.threads = static_cast<unsigned>(base::cores());
    read.add_option("--threads", options->reading.threads, "Threads that read")
        .check(range(1, 256))
        .capture_default_str();
    read.add_flag("--list", options->list, "Print a line for each game");
    read.add_flag("--json", options->json, "Print one JSON object");
    read.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return read_games(*options, stop); };
    });
}

}  // namespace scholar::cli
