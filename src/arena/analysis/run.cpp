#include "arena/analysis/run.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "arena/analysis/analyst.hpp"
#include "arena/engine_identity.hpp"
#include "arena/journal.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/in_order.hpp"
#include "games/pgn_writer.hpp"

namespace scholar::arena {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const Journal::Kind kAnalysis{"scholar analysis state 1", "analysis"};

std::string partial(const std::string& output) {
    return output.empty() ? "" : output + ".partial";
}

std::string progress_name(const AnalysisRun& run) {
    return (run.pgn.empty() ? run.json : run.pgn) + ".progress";
}

// All that the outputs depend on.
base::Result<Json> identity_of(const AnalysisRun& run) {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < run.games.size(); ++i)
        hash = base::hash_text(fmt::format("{} {}", to_string(run.sources[i]), games::to_pgn(run.games[i])),
                               hash);
    Json identity{{"games", run.games.size()}, {"content", base::to_hex(hash)}, {"limit", run.limit_text}};
    for (const EngineConfig& system : run.systems) {
        auto described = describe_engine(system);
        if (!described) return std::unexpected(described.error());
        identity["systems"].push_back(std::move(*described));
    }
    const AnalysisThresholds& thresholds = run.thresholds;
    identity["thresholds"] = {{"inaccuracy", thresholds.inaccuracy},
                              {"mistake", thresholds.mistake},
                              {"blunder", thresholds.blunder},
                              {"disagreement", thresholds.disagreement},
                              {"unlikely", thresholds.unlikely}};
    identity["outputs"] = {{"pgn", !run.pgn.empty()}, {"json", !run.json.empty()}};
    return identity;
}

// Nothing: no output that could be gone on with.
base::Result<std::optional<Journal>> open_journal(const AnalysisRun& run) {
    if (run.pgn.empty() && run.json.empty()) return std::nullopt;
    const std::string state = progress_name(run);
    const std::vector<std::string> outputs{partial(run.pgn), partial(run.json)};
    std::error_code error;
    if (!run.resume) {
        if (fs::exists(state, error) && !run.replace)
            return base::fail(
                "{}: an analysis that did not come to its end, expected --resume to go on with it, or "
                "--overwrite to begin anew",
                state);
        fs::remove(state, error);
    }
    // Nobody knows what is in outputs without a state.
    if (!fs::exists(state, error))
        for (const std::string& output : outputs)
            if (!output.empty()) fs::remove(output, error);
    const auto identity = identity_of(run);
    if (!identity) return std::unexpected(identity.error());
    auto journal = Journal::open(state, kAnalysis, *identity, outputs);
    if (!journal) return std::unexpected(journal.error());
    if (journal->records().size() > run.games.size())
        return base::fail("{}: has more games than the {} that there are", state, run.games.size());
    if (journal->records().empty() && journal->size(0) + journal->size(1) > 0)
        return base::fail("{}: has no game, but its outputs have; expected --overwrite to begin anew", state);
    return std::optional(std::move(*journal));
}

std::string annotator_of(const AnalysisRun& run) {
    std::string names;
    for (const EngineConfig& system : run.systems) names += (names.empty() ? "" : ", ") + system.name;
    return fmt::format("Scholar: {}; {}", names, run.limit_text);
}

}  // namespace

std::uint64_t positions_in(const AnalysisRun& run) {
    std::uint64_t positions = 0;
    for (const games::Game& game : run.games) positions += game.moves.size() + 1;
    return positions * run.systems.size();
}

base::Result<AnalysisOutcome> analyse_games(const AnalysisRun& run, const AnalysisObserver& observer,
                                            const std::stop_token& stop) {
    auto journal = open_journal(run);
    if (!journal) return std::unexpected(journal.error());
    AnalysisOutcome outcome;
    std::uint64_t passed = 0;  // positions
    if (*journal)
        for (const Json& record : (*journal)->records()) {
            auto summary = record.contains("summary") ? summary_from(record["summary"]) : std::nullopt;
            if (!summary || !record.contains("text") || !record["text"].is_string())
                return base::fail("{}: record {} is none of an analysis", progress_name(run),
                                  outcome.before + 1);
            passed += (run.games[outcome.before].moves.size() + 1) * run.systems.size();
            ++outcome.before;
            outcome.games.push_back(std::move(*summary));
            observer.game(record["text"].get<std::string>());
        }

    // A thread for each game and system, no more than there are.
    const std::size_t systems = run.systems.size();
    const std::uint64_t left = (run.games.size() - outcome.before) * systems;
    const int workers =
        static_cast<int>(std::clamp<std::uint64_t>(left, 1, static_cast<std::uint64_t>(run.threads)));
    std::vector<std::vector<Analyst>> analysts(static_cast<std::size_t>(workers));
    for (auto& own : analysts)
        for (const EngineConfig& system : run.systems) {
            auto analyst = Analyst::start(system);
            if (!analyst) return std::unexpected(analyst.error());
            own.push_back(std::move(*analyst));
        }

    std::mutex mutex;
    std::uint64_t looked_at = passed;
    base::Status status;
    const auto told = [&] {
        const std::scoped_lock lock(mutex);
        if (observer.progress) observer.progress(++looked_at);
    };
    std::vector<SystemGame> gathered;  // of the next game, by system
    const std::string annotator = annotator_of(run);
    base::in_order<SystemGame>(
        workers, outcome.before * systems, left,
        [&](int worker, std::uint64_t number) -> std::optional<SystemGame> {
            Analyst& analyst = analysts[static_cast<std::size_t>(worker)][number % systems];
            const std::size_t at = number / systems;
            auto seen = analyse_game(analyst, run.games[at], at + 1, run.limit, run.thresholds, told, stop);
            if (!seen) {
                const std::scoped_lock lock(mutex);
                if (status) status = base::fail_in(to_string(run.sources[at]), seen.error());
                return std::nullopt;
            }
            return std::move(*seen);
        },
        [&](SystemGame&& seen) {
            gathered.push_back(std::move(seen));
            if (gathered.size() < systems) return true;
            const std::size_t at = outcome.games.size();
            GameAnalysis analysis{.game = run.games[at],
                                  .systems = {},
                                  .by_system = std::exchange(gathered, {}),
                                  .thresholds = run.thresholds};
            for (const EngineConfig& system : run.systems) analysis.systems.push_back(system.name);
            AnalysisSummary summary = summary_of(analysis, run.sources[at]);
            const std::string text = run.shown(analysis, run.sources[at]);
            if (*journal) {
                const auto kept = (*journal)->append(
                    {{"summary", to_json(summary)}, {"text", text}},
                    {run.pgn.empty() ? "" : to_annotated_pgn(analysis, annotator),
                     run.json.empty() ? "" : to_json_line(analysis, run.sources[at], run.limit_text)});
                if (!kept) {
                    const std::scoped_lock lock(mutex);
                    status = kept;
                    return false;
                }
            }
            outcome.games.push_back(std::move(summary));
            observer.game(text);
            return true;
        });
    if (!status) return std::unexpected(status.error());
    outcome.finished = outcome.games.size() == run.games.size();
    if (!outcome.finished || !*journal) return outcome;
    for (const std::string& output : {run.pgn, run.json})
        if (!output.empty())
            if (auto renamed = base::rename_for_good(partial(output), output); !renamed)
                return std::unexpected(renamed.error());
    (*journal)->remove();
    return outcome;
}

}  // namespace scholar::arena
