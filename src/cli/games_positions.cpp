#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/progress.hpp"
#include "base/streams.hpp"
#include "base/text.hpp"
#include "cli/games_commands.hpp"
#include "cli/games_problems.hpp"
#include "cli/games_shared.hpp"
#include "games/sample_reader.hpp"
#include "games/store.hpp"

namespace scholar::cli {

namespace {

constexpr std::string_view kByName = "by name";

struct PositionsOptions {
    std::vector<std::string> files;
    std::string output;
    std::string format{kByName};
    std::string producer;
    std::string errors;
    int level = games::StoreWriter::Options().compression_level;
    bool overwrite = false;
    bool json = false;
};

// As positions are far smaller than games, a block takes more of them.
constexpr std::size_t kPositionsPerBlock = 32'768;

// By what files of such data are called; packed ones have another ending behind that.
base::Result<games::SampleFormat> format_of(const std::string& file, const std::string& asked) {
    if (asked != kByName) return games::parse_sample_format(asked);
    std::filesystem::path name(file);
    for (const char* packed : {".zst", ".gz", ".bz2", ".xz", ".zip", ".7z"})
        if (name.extension() == packed) name.replace_extension();
    const std::string ending = name.extension().string();
    const auto is_one_of = [&ending](std::initializer_list<std::string_view> endings) {
        return std::ranges::find(endings, ending) != endings.end();
    };
    if (is_one_of({".txt", ".text"})) return games::SampleFormat::Text;
    if (is_one_of({".bullet", ".data"})) return games::SampleFormat::Bullet;
    return base::fail(
        "{}: no known ending, expected .txt or .text (FEN | score | result), .bullet or .data (bullet's 32 "
        "bytes a position), or --format",
        file);
}

class PositionsImport {
  public:
    PositionsImport(const PositionsOptions& options, games::StoreWriter& writer)
        : options_(options), writer_(writer), shown_("importing", 0, "positions") {}

    base::Status run(const std::stop_token& stop) {
        if (auto status = problems_.open(options_.errors); !status) return status;
        for (const std::string& file : options_.files) {
            if (auto status = read(file, stop); !status) return status;
            if (stop.stop_requested()) return base::fail("stopped: {} was not written", options_.output);
        }
        shown_.finish();
        if (writer_.games() + writer_.waiting_games() > 0) return {};
        for (const std::string& line : problems_.first()) fmt::print(stderr, "{}\n", line);
        return base::fail("no position could be imported ({} skipped); {} was not written", problems_.count(),
                          options_.output);
    }
    const ProblemLog& problems() const { return problems_; }

  private:
    base::Status read(const std::string& file, const std::stop_token& stop) {
        const auto format = format_of(file, options_.format);
        if (!format) return std::unexpected(format.error());
        auto reader = games::SampleReader::open(file, *format, stop);
        if (!reader) return std::unexpected(reader.error());
        const std::string unit = *format == games::SampleFormat::Text ? "line" : "record";
        while (!stop.stop_requested()) {
            auto item = reader->next();
            if (!item) return base::fail_in(file, item.error());
            if (!*item) break;
            base::Result<games::Game>& game = (*item)->game;
            base::Status status;
            if (game) {
                if (!options_.producer.empty())
                    game->tags = {{"White", options_.producer}, {"Black", options_.producer}};
                status = writer_.add(*game);
                if (!status && writer_.file_failed()) return status;
            } else {
                status = std::unexpected(game.error());
            }
            if (!status)
                if (auto noted = problems_.add(
                        fmt::format("{}: {} {}: {}", file, unit, (*item)->number, status.error().message));
                    !noted)
                    return noted;
            shown_.update(writer_.games() + writer_.waiting_games(), file);
        }
        return {};
    }

    const PositionsOptions& options_;
    games::StoreWriter& writer_;
    base::Progress shown_;
    ProblemLog problems_{"position"};
};

base::Status import_positions(const PositionsOptions& options, const std::stop_token& stop) {
    const auto start = Clock::now();
    for (const std::string& output : {options.output, options.errors})
        if (auto status = check_output(output, options.files); !status) return status;
    for (const std::string& output : {options.output, options.errors})
        if (auto status = check_new_output(output, options.overwrite); !status) return status;
    // What is wrong with a file shows here, before others have been read for hours.
    for (const std::string& file : options.files) {
        if (const auto format = format_of(file, options.format); !format)
            return std::unexpected(format.error());
        if (file != "-")
            if (auto input = base::open_input(file); !input) return std::unexpected(input.error());
    }
    games::StoreWriter::Options store;
    store.compression_level = options.level;
    store.games_per_block = kPositionsPerBlock;
    auto writer = games::StoreWriter::create(options.output, store);
    if (!writer) return std::unexpected(writer.error());
    PositionsImport import(options, *writer);
    if (auto status = import.run(stop); !status) return status;
    const auto summary = writer->finish();
    if (!summary) return std::unexpected(summary.error());

    const double seconds = seconds_since(start);
    const auto positions = static_cast<double>(summary->games);
    const double bytes_each = ratio(static_cast<double>(summary->bytes), positions);
    if (options.json) {
        print({{"output", options.output},
               {"files", options.files.size()},
               {"positions", summary->games},
               {"skipped", import.problems().count()},
               {"bytes", summary->bytes},
               {"bytes_per_position", bytes_each},
               {"seconds", seconds},
               {"positions_per_second", ratio(positions, seconds)},
               {"data_hash", base::to_hex(summary->data_hash)},
               {"problems", import.problems().first()}});
        return {};
    }
    fmt::print("{}: {} in {:.1f} s ({} a second)\n{}, {:.2f} a position, data hash {}\n", options.output,
               base::counted(summary->games, "position"), seconds,
               grouped(static_cast<std::uint64_t>(ratio(positions, seconds))),
               base::counted(summary->bytes, "byte"), bytes_each, base::to_hex(summary->data_hash));
    import.problems().print();
    return {};
}

}  // namespace

void add_games_positions(Command games, Invocation& invocation) {
    const Command command = games.add_subcommand(
        "positions",
        "Read positions with a score and a result, training data of other programs, into a game store: each "
        "is a game without moves, of which networks learn that need no move");
    auto options = std::make_shared<PositionsOptions>();
    command
        .add_option("FILE", options->files,
                    "'FEN | score | result' a line, or bullet's 32 bytes a position; packed too")
        .required();
    command.add_option("-o,--output", options->output, "The game store to write").required();
    command
        .add_option("--format", options->format,
                    "text or bullet; by name: .txt and .text are text, .bullet and .data bullet")
        .check(one_of({std::string(kByName), "text", "bullet"}))
        .capture_default_str();
    command.add_option("--producer", options->producer,
                       "Who gave the scores: a scale of their own is fitted to each producer's");
    command.add_option("--errors", options->errors,
                       "Write every skipped position and why to this file, a line each");
    command.add_option("--level", options->level, "zstd compression level")
        .check(range(1, 22))
        .capture_default_str();
    command.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    command.add_flag("--json", options->json, "Print one JSON object");
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return import_positions(*options, stop); };
    });
}

}  // namespace scholar::cli
