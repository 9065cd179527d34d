#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/progress.hpp"
#include "cli/games_commands.hpp"
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
    std::optional<std::uint64_t> count;
    std::uint64_t seed = 1;
    std::uint64_t pass = 0;
    std::optional<std::size_t> shuffle_buffer;
    std::string format = "epd";
    std::string output;
    bool json = false;
};

// Where the lines go: a file that appears when it is whole, standard output, or nowhere.
class Output {
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
    text += fmt::format("{} positions", grouped(positions));
    if (whole)
        text += fmt::format(", {:.2f} % of {} half-moves in {} games",
                            100 * ratio(static_cast<double>(positions), plies),
                            grouped(sampler.total_plies()), grouped(sampler.total_games()));
    text += fmt::format(", in {:.1f} s ({} a second", seconds,
                        grouped(static_cast<std::uint64_t>(ratio(static_cast<double>(positions), seconds))));
    if (whole)
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
    const auto format = games::parse_sample_format(options.format);
    if (!format) return std::unexpected(format.error());
    const auto from = sampler_options(options);
    if (!from) return std::unexpected(from.error());
    auto sampler = games::Sampler::open(*from);
    if (!sampler) return std::unexpected(sampler.error());
    Output output;
    if (auto status = output.open(options.output); !status) return status;

    constexpr std::uint64_t kPart = 16'384;
    const std::uint64_t wanted = options.count.value_or(std::numeric_limits<std::uint64_t>::max());
    base::Progress progress("sampling", options.count.value_or(0), "positions");
    sampler->start_epoch(options.pass);
    std::uint64_t positions = 0;
    bool whole = false;
    std::vector<games::Sample> samples;
    std::string text = games::sample_header(*format);
    while (positions < wanted) {
        if (stop.stop_requested())
            return base::fail("stopped after {} positions{}", positions,
                              options.output.empty() || options.output == "-"
                                  ? ""
                                  : ": " + options.output + " was not written");
        samples.clear();
        const std::uint64_t part = std::min(kPart, wanted - positions);
        const auto got = sampler->next(part, samples);
        if (!got) return std::unexpected(got.error());
        positions += *got;
        if (!output.is_nowhere()) {
            for (const games::Sample& sample : samples)
                games::write_sample(text, *format, sample, sampler->producers());
            if (auto status = output.write(text); !status) return status;
            text.clear();
        }
        progress.update(positions);
        whole = *got < part;
        if (whole) break;
    }
    progress.finish();
    const std::string stages = games::to_string(from->sampling.stages);
    if (positions == 0 && wanted > 0)
        return base::fail("no position passes the stages '{}', expected at least one{}", stages,
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

void add_games_sample(CLI::App& games, Invocation& invocation) {
    CLI::App* sample = games.add_subcommand("sample", "Draw positions from game stores, in random order");
    auto options = std::make_shared<SampleOptions>();
    sample->add_option("STORE", options->stores, "Game stores; with --recipe its own unless given");
    sample->add_option("--recipe", options->recipe,
                       "Sample as a training recipe does (its [data] and [sampler])");
    sample->add_option("--rule", options->rule, "Sample as a paper did; see below");
    sample
        ->add_option("--stage", options->stages,
                     "A stage behind those of the recipe or rule, \"ply min=10\"; may be repeated; see below")
        ->expected(1)
        ->take_all();
    sample->add_option("--split", options->split, "Games of this part only; all unless there is a recipe")
        ->check(CLI::IsMember({"train", "validation", "test", "all"}));
    sample->add_flag("--chess960", options->chess960, "Chess960 games take part too");
    sample->add_option("--count", options->count, "Stop after so many positions (default: one whole pass)");
    sample->add_option("--seed", options->seed, "Of everything random")->capture_default_str();
    sample->add_option("--pass", options->pass, "Which pass over the games: each draws anew")
        ->capture_default_str();
    sample
        ->add_option("--shuffle-buffer", options->shuffle_buffer,
                     "Positions held to be shuffled, about 200 bytes each; 1: file order")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 26));
    sample->add_option("--format", options->format, "epd, jsonl or csv")
        ->check(CLI::IsMember({"epd", "jsonl", "csv"}))
        ->capture_default_str();
    sample->add_option("-o,--output", options->output,
                       "The file to write; - is standard output; without it the positions are only counted");
    sample->add_flag("--json", options->json, "Print what was done as one JSON object (not with -o -)");
    sample->footer(stages_and_rules);
    sample->callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return sample_games(*options, stop); };
    });
}

}  // namespace scholar::cli
