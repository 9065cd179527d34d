#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/core.h>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/progress.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "cli/games_commands.hpp"
#include "cli/games_selection.hpp"
#include "cli/games_shared.hpp"
#include "games/recipe_sampling.hpp"
#include "games/sample_text.hpp"
#include "games/sample_writer.hpp"
#include "games/sampler.hpp"

namespace scholar::cli {

namespace {

struct SampleOptions {
    std::vector<std::string> stores;
    std::string recipe;
    std::string rule;
    std::vector<std::string> stages;
    std::string split;
    bool chess960 = false;
    std::optional<std::uint64_t> count;  // evenly out of the whole pass
    std::optional<std::uint64_t> first;  // of the stream
    std::uint64_t seed = 1;
    std::uint64_t pass = 0;
    std::optional<std::size_t> shuffle_buffer;
    std::string format = "epd";
    std::string output;
    bool overwrite = false;
    bool json = false;
};

// Where the lines go: a file that appears when it is whole, standard output, or nowhere.
class SampleOutput {
  public:
    base::Status open(const std::string& path) {
        nowhere_ = path.empty();
        if (nowhere_ || path == "-") return {};
        auto file = base::AtomicFile::create(path);
        if (!file) return std::unexpected(file.error());
        file_.emplace(std::move(*file));
        return {};
    }
    bool is_nowhere() const { return nowhere_; }
    base::Status write(const std::string& text) {
        if (file_) return file_->write(text);
        if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return {};
        return base::fail("standard output: cannot write");
    }
    base::Status commit() {
        if (file_) return file_->commit();
        if (nowhere_ || std::fflush(stdout) == 0) return {};
        return base::fail("standard output: cannot write");
    }

  private:
    bool nowhere_ = true;
    std::optional<base::AtomicFile> file_;
};

// What the recipe says, and over it what the command line says.
base::Result<games::Sampler::Options> sampler_options(const SampleOptions& options) {
    games::Sampler::Options result;
    result.stores = options.stores;
    result.seed = options.seed;
    std::string split = "all";
    if (!options.recipe.empty()) {
        const auto recipe = games::load_recipe_sampling(options.recipe);
        if (!recipe) return std::unexpected(recipe.error());
        if (result.stores.empty()) result.stores = recipe->stores;
        result.sampling = recipe->sampling;
        result.shuffle_buffer = recipe->shuffle_buffer;
        split = "train";
    }
    result.sampling.bare_positions = true;
    if (!options.rule.empty()) {
        auto stages = games::parse_rule(options.rule);
        if (!stages) return std::unexpected(stages.error());
        result.sampling.stages = std::move(*stages);
    }
    for (const std::string& text : options.stages) {
        const auto stage = games::parse_stage(text);
        if (!stage) return std::unexpected(stage.error());
        result.sampling.stages.push_back(*stage);
    }
    if (!options.split.empty()) split = options.split;
    if (split == "all") result.sampling.shares = {.validation = 0, .test = 0};
    if (split == "validation") result.sampling.split = games::Split::Validation;
    if (split == "test") result.sampling.split = games::Split::Test;
    result.sampling.chess960 |= options.chess960;
    if (options.shuffle_buffer) result.shuffle_buffer = *options.shuffle_buffer;
    if (result.stores.empty()) return base::fail("no game store, expected at least one, or --recipe");
    return result;
}

constexpr std::uint64_t kPart = 16'384;  // positions

// How many positions one pass gives.
base::Result<std::uint64_t> count_positions(const SampleOptions& options, games::Sampler::Options from,
                                            const std::stop_token& stop) {
    from.shuffle_buffer = 1;  // in whatever order
    auto sampler = games::Sampler::open(from);
    if (!sampler) return std::unexpected(sampler.error());
    sampler->start_epoch(options.pass);
    base::Progress progress("counting", 0, "positions");
    std::uint64_t count = 0;
    std::vector<games::Sample> samples;
    do {
        if (stop.stop_requested())
            return base::fail("stopped while counting, after {}", base::counted(count, "position"));
        samples.clear();
        if (const auto got = sampler->next(kPart, samples); !got) return std::unexpected(got.error());
        count += samples.size();
        progress.update(count);
    } while (samples.size() == kPart);
    progress.finish();
    return count;
}

// Takes `wanted` of the `passing` elements of a stream (Knuth, algorithm S): every set of them is equally
// likely.
class Chooser {
  public:
    Chooser(std::uint64_t passing, std::uint64_t wanted, base::Random random)
        : left_(passing), wanted_(std::min(passing, wanted)), random_(random) {}
    bool takes_next() {
        const bool takes = random_.below(left_) < wanted_;
        --left_;
        wanted_ -= takes;
        return takes;
    }

  private:
    std::uint64_t left_;
    std::uint64_t wanted_;
    base::Random random_;
};

// Why there is no position, for whoever expected some.
std::string why_none(const games::Sampler& sampler, const games::Sampling& sampling) {
    const auto counts = sampler.participation();
    if (!counts) return counts.error().message;
    if (sampler.total_games() == 0) return "there are no games";
    if (counts->unknown_result == sampler.total_games()) return "no game has a known result";
    if (counts->games == 0 && counts->other_split == 0)
        return "all games with a known result are Chess960: --chess960 lets them take part";
    if (counts->games == 0) {
        constexpr std::array<std::string_view, 3> kNames{"training", "validation", "test"};
        return fmt::format("none of {} is a {} game", base::counted(counts->other_split, "game"),
                           kNames[static_cast<std::size_t>(sampling.split)]);
    }
    if (sampling.stages.empty()) return "the games have no moves";
    return fmt::format("no position passes the stages '{}'", games::to_string(sampling.stages));
}

void report(const SampleOptions& options, const games::Sampler& sampler, const std::string& stages,
            std::uint64_t positions, bool whole, double seconds) {
    const auto plies = static_cast<double>(sampler.total_plies());
    if (options.json) {
        print({{"output", options.output},
               {"stages", stages},
               {"positions", positions},
               {"whole_pass", whole},
               {"games", sampler.total_games()},
               {"plies", sampler.total_plies()},
               {"seconds", seconds},
               {"reading_seconds", sampler.reading_seconds()},
               {"positions_per_second", ratio(static_cast<double>(positions), seconds)},
               {"data_hash", base::to_hex(sampler.data_hash())}});
        return;
    }
    std::string text = options.output.empty() ? "" : options.output + ": ";
    text += fmt::format("{}", base::counted(positions, "position"));
    const bool of_games =
        whole && sampler.total_plies() > 0;  // of bare positions there is nothing more to say
    if (of_games)
        text += fmt::format(", {:.2f} % of {} in {}", 100 * ratio(static_cast<double>(positions), plies),
                            base::counted(sampler.total_plies(), "half-move"),
                            base::counted(sampler.total_games(), "game"));
    text += fmt::format(", in {:.1f} s ({} a second", seconds,
                        grouped(static_cast<std::uint64_t>(ratio(static_cast<double>(positions), seconds))));
    if (of_games)
        text += fmt::format("; {:.1f} million half-moves a second of the reading thread's time",
                            ratio(plies, sampler.reading_seconds()) / 1e6);
    text += fmt::format(")\nstages: {}\n", stages.empty() ? "none, all positions" : stages);
    fmt::print(options.output == "-" ? stderr : stdout, "{}", text);
}

base::Status sample_games(const SampleOptions& options, const std::stop_token& stop) {
    const auto start = Clock::now();
    if (options.json && options.output == "-")
        return base::fail(
            "--json stands beside -o -, expected another output: standard output has the positions");
    if (options.count && options.first)
        return base::fail("--first stands beside --count, expected one of them");
    const auto format = games::parse_sample_format(options.format);
    if (!format) return std::unexpected(format.error());
    const auto from = sampler_options(options);
    if (!from) return std::unexpected(from.error());
    if (!games::has_any_result(*format) && games::discounts(from->sampling.stages))
        return base::fail("format {} has results of 1, 1/2 and 0 only, expected no stage discount",
                          options.format);
    std::vector<std::string> inputs = from->stores;
    inputs.push_back(options.recipe);
    if (auto status = check_output(options.output, inputs); !status) return status;
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    auto sampler = games::Sampler::open(*from);
    if (!sampler) return std::unexpected(sampler.error());
    SampleOutput output;
    if (auto status = output.open(options.output); !status) return status;

    std::optional<Chooser> chooser;
    std::uint64_t passing = 0;  // 0: not known
    if (options.count) {
        const auto counted = count_positions(options, *from, stop);
        if (!counted) return std::unexpected(counted.error());
        passing = *counted;
        chooser.emplace(passing, *options.count, base::Random(options.seed, options.pass));
    }
    const std::uint64_t last = options.first.value_or(std::numeric_limits<std::uint64_t>::max());
    base::Progress progress("sampling", options.first.value_or(passing), "positions");
    sampler->start_epoch(options.pass);
    std::uint64_t seen = 0;
    std::uint64_t positions = 0;
    bool whole = false;
    std::vector<games::Sample> samples;
    std::string text = games::sample_header(*format);
    while (seen < last) {
        if (stop.stop_requested())
            return base::fail("stopped after {}{}", base::counted(positions, "position"),
                              options.output.empty() || options.output == "-"
                                  ? ""
                                  : ": " + options.output + " was not written");
        samples.clear();
        const std::uint64_t part = std::min(kPart, last - seen);
        const auto got = sampler->next(part, samples);
        if (!got) return std::unexpected(got.error());
        seen += *got;
        if (chooser) std::erase_if(samples, [&](const games::Sample&) { return !chooser->takes_next(); });
        positions += samples.size();
        if (!output.is_nowhere()) {
            for (const games::Sample& sample : samples)
                games::write_sample(text, *format, sample, sampler->producers());
            if (auto status = output.write(text); !status) return status;
            text.clear();
        }
        progress.update(seen);
        whole = *got < part;
        if (whole) break;
    }
    progress.finish();
    const std::string stages = games::to_string(from->sampling.stages);
    if (seen == 0 && last > 0)
        return base::fail("{}, expected at least one position{}", why_none(*sampler, from->sampling),
                          options.output.empty() ? "" : "; " + options.output + " was not written");
    if (auto status = output.commit(); !status) return status;
    report(options, *sampler, stages, positions, whole, seconds_since(start));
    return {};
}

std::string stages_and_rules() {
    std::string text = "\nStages; positions pass them in the order given:\n";
    for (const games::StageHelp& stage : games::stage_help())
        text += fmt::format("  {:<36} {}\n", stage.usage, stage.meaning);
    text += "\nRules, the stages of five papers:\n";
    for (const games::SampleRule& rule : games::sample_rules())
        text += fmt::format("  {:<36} {}\n  {:<36} ({})\n", rule.usage, rule.meaning, "", rule.source);
    return text;
}

}  // namespace

void add_games_sample(Command games, Invocation& invocation) {
    const Command sample = games.add_subcommand("sample", "Draw positions from game stores, in random order");
    auto options = std::make_shared<SampleOptions>();
    sample.add_option("STORE", options->stores, "Game stores; with --recipe its own unless given");
    sample.add_option(
        "--recipe", options->recipe,
        "Sample as a training recipe does (its [data] and [sampler]); positions without games are shown "
        "whatever is learnt");
    sample.add_option("--rule", options->rule, "Sample as a paper did; see below");
    sample
        .add_option("--stage", options->stages,
                    "A stage behind those of the recipe or rule, \"ply min=10\"; may be repeated; see below")
        .expected(1)
        .take_all();
    sample.add_option("--split", options->split, "Games of this part only; all unless there is a recipe")
        .check(one_of({"train", "validation", "test", "all"}));
    sample.add_flag("--chess960", options->chess960, "Chess960 games take part too");
    sample
        .add_option("--count", options->count,
                    "So many positions, drawn evenly from the whole pass (default: all that pass)")
        .check(whole_number());
    sample
        .add_option("--first", options->first,
                    "Stop after the first so many: faster, but of those games that were read first")
        .check(whole_number());
    sample.add_option("--seed", options->seed, "Of everything random")
        .check(whole_number())
        .capture_default_str();
    sample.add_option("--pass", options->pass, "Which pass over the games: each draws anew")
        .check(whole_number())
        .capture_default_str();
    sample
        .add_option("--shuffle-buffer", options->shuffle_buffer,
                    "Positions held to be shuffled, about 200 bytes each; 1: file order")
        .check(range(std::size_t{1}, std::size_t{1} << 26));
    sample
        .add_option("--format", options->format,
                    "epd, jsonl, csv, text (FEN | score | result) or bullet (32 bytes a position)")
        .check(one_of(games::sample_format_names()))
        .capture_default_str();
    sample.add_option("-o,--output", options->output,
                      "The file to write; - is standard output; without it the positions are only counted");
    sample.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    sample.add_flag("--json", options->json, "Print what was done as one JSON object (not with -o -)");
    sample.footer(stages_and_rules);
    sample.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return sample_games(*options, stop); };
    });
}

}  // namespace scholar::cli
