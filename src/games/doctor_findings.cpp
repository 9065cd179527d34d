#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/text.hpp"
#include "games/doctor_faults.hpp"

namespace scholar::games {

namespace {

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

class Judge {
  public:
    Judge(const Examination& examination, const Faults& faults, const std::vector<Damage>& damages,
          std::span<const StoreReader> stores, const DoctorLimits& limits)
        : examination_(examination),
          statistics_(examination.statistics),
          faults_(faults),
          damages_(damages),
          stores_(stores),
          limits_(limits) {}

    std::vector<Finding> judge() {
        judge_damage();
        judge_copies();
        judge_results();
        judge_lengths();
        judge_openings();
        judge_tags();
        judge_producers();
        judge_evaluations();
        judge_clocks();
        std::ranges::stable_sort(findings_, std::greater(), &Finding::severity);
        return std::move(findings_);
    }

  private:
    void add(Severity severity, std::string code, std::uint64_t count, std::string example, std::string what,
             std::string advice) {
        findings_.push_back(
            {severity, std::move(code), std::move(what), count, std::move(example), std::move(advice)});
    }
    const FaultTally& fault(Fault fault) const { return faults_[static_cast<std::size_t>(fault)]; }
    std::string example_of(GamePlace place) const { return to_string(stores_, place); }
    std::string example_of(const PairTally& pair) const {
        return fmt::format("{} and {}", to_string(stores_, pair.game), to_string(stores_, pair.other));
    }
    // "1,234 of 5,678 games" would be for people; findings keep to plain digits.
    std::string of_games(std::uint64_t count) const {
        return fmt::format("{} of {} ({:.2f} %)", count, base::counted(statistics_.games, "game"),
                           100 * share(count, statistics_.games));
    }

    void judge_damage() {
        for (const Damage& damage : damages_) {
            std::string_view advice = "restore the file from a copy, or import its games again";
            if (damage.code == "unreadable-store")
                advice = "import its games again, or restore the file from a copy";
            if (damage.code == "cut-off-store")
                advice =
                    "finish its import with scholar games import --resume, or keep its whole blocks with "
                    "scholar games merge";
            add(Severity::Error, damage.code, 1, "", damage.message, std::string(advice));
        }
    }

    void judge_copies() {
        const Copies& copies = examination_.copies;
        if (const PairTally& pair = copies.two_splits; pair.count > 0)
            add(Severity::Error, "games-in-two-splits", pair.count, example_of(pair),
                fmt::format("{} have the same moves as a game of another split, expected none",
                            of_games(pair.count)),
                "take them out of one of the stores: what is measured on them is not what was learnt");
        if (const PairTally& pair = copies.cut_two_splits; pair.count > 0)
            add(share(pair.count, statistics_.games) > limits_.most_cut_in_two_splits ? Severity::Warning
                                                                                      : Severity::Note,
                "cut-games-in-two-splits", pair.count, example_of(pair),
                fmt::format("{} are the beginning of a longer game of another split", of_games(pair.count)),
                "remove the shorter copies, or expect validation to look slightly better than it is");
        if (const PairTally& pair = copies.other_result; pair.count > 0)
            add(Severity::Warning, "same-moves-other-result", pair.count, example_of(pair),
                fmt::format("{} have the same moves as an earlier game and another result",
                            of_games(pair.count)),
                "at most one of the results is right: look them up, or leave these games out");
        if (const PairTally& pair = copies.within; pair.count > 0)
            add(Severity::Warning, "duplicate-games", pair.count, example_of(pair),
                fmt::format("{} have the same moves as an earlier game of their store", of_games(pair.count)),
                "scholar games dedup removes them");
        if (const PairTally& pair = copies.across; pair.count > 0)
            add(Severity::Warning, "games-in-two-stores", pair.count, example_of(pair),
                fmt::format("{} have the same moves as a game of an earlier store", of_games(pair.count)),
                "scholar games merge and dedup make one store of them");
        if (const PairTally& pair = copies.cut; pair.count > 0)
            add(Severity::Note, "cut-games", pair.count, example_of(pair),
                fmt::format("{} of at least {} are the beginning of a longer game", of_games(pair.count),
                            base::counted(limits_.min_cut_plies, "half-move")),
                "known drawing lines are such; many of them are copies that lost their end");
    }

    void judge_results() {
        const ResultCounts& results = statistics_.results;
        if (const std::uint64_t unknown = results.of(GameResult::Unknown); unknown > 0) {
            const bool many = statistics_.games >= limits_.min_games &&
                              share(unknown, statistics_.games) > limits_.most_unknown;
            add(many ? Severity::Warning : Severity::Note, "unknown-results", unknown, "",
                fmt::format("{} have no known result", of_games(unknown)), "the sampler passes over them");
        }
        if (const FaultTally& tally = fault(Fault::MateContradicted); tally.count > 0)
            add(Severity::Warning, "result-contradicts-mate", tally.count, example_of(tally.example),
                fmt::format("{} end in checkmate and have another result", of_games(tally.count)),
                "mend the Result tags and import again, or leave these games out");
        if (const FaultTally& tally = fault(Fault::DrawContradicted); tally.count > 0)
            add(Severity::Warning, "result-contradicts-draw", tally.count, example_of(tally.example),
                fmt::format("{} end in stalemate or without mating material, and somebody won",
                            of_games(tally.count)),
                "mend the Result tags and import again, or leave these games out");
        if (const FaultTally& tally = fault(Fault::EndingContradicted); tally.count > 0)
            add(Severity::Warning, "ending-contradicts-board", tally.count, example_of(tally.example),
                fmt::format("{} are said to end in mate or stalemate and do not, or the reverse",
                            of_games(tally.count)),
                "import them again: the ending is worked out from the board");

        if (results.known() < limits_.min_games) return;
        if (const double draws = share(results.of(GameResult::Draw), results.known());
            draws > limits_.most_draws)
            add(Severity::Warning, "draws-dominate", results.of(GameResult::Draw), "",
                fmt::format("{:.1f} % of the games are drawn, expected at most {:.0f} %", 100 * draws,
                            100 * limits_.most_draws),
                "a learner would do well by always saying draw: add decided games or unbalanced openings");
        const double white = results.score().value_or(0.5);
        if (const double more = std::max(white, 1 - white); more > limits_.most_of_one_side)
            add(Severity::Warning, "one-side-dominates", results.known(), "",
                fmt::format("{} has {:.1f} % of the points, expected at most {:.0f} %",
                            white > 0.5 ? "White" : "Black", 100 * more, 100 * limits_.most_of_one_side),
                "balance the openings or the strength of the players, or mirror the positions");
        const auto ended = [&](Ending ending) {
            return statistics_.endings[static_cast<std::size_t>(ending)];
        };
        const std::uint64_t forfeits =
            ended(Ending::TimeForfeit) + ended(Ending::Forfeit) + ended(Ending::Abandoned);
        if (share(forfeits, statistics_.games) > limits_.most_forfeits)
            add(Severity::Warning, "results-not-by-play", forfeits, "",
                fmt::format("{} were ended by time, forfeit or abandonment, expected at most {:.0f} %",
                            of_games(forfeits), 100 * limits_.most_forfeits),
                "their results say little about the last positions: leave them out");
    }

    void judge_lengths() {
        if (const FaultTally& tally = fault(Fault::NoMoves); tally.count > 0)
            add(Severity::Warning, "empty-games", tally.count, example_of(tally.example),
                fmt::format("{} have no moves", of_games(tally.count)),
                "scholar games dedup --min-plies 1 leaves them out");
        if (const FaultTally& tally = fault(Fault::FewMoves); tally.count > 0)
            add(Severity::Note, "short-games", tally.count, example_of(tally.example),
                fmt::format("{} have fewer than {}", of_games(tally.count),
                            base::counted(limits_.few_plies, "half-move")),
                "they are mostly forfeits or agreed draws");
    }

    void judge_openings() {
        const PositionCount& positions = examination_.positions;
        if (statistics_.games < limits_.min_games) return;
        if (positions.share() < limits_.least_distinct)
            add(Severity::Warning, "few-distinct-positions", positions.positions, "",
                fmt::format("{:.1f} % of the positions are distinct, expected at least {:.0f} %",
                            100 * positions.share(), 100 * limits_.least_distinct),
                "remove duplicate games, skip early half-moves, or use more openings");
        for (const OpeningVariety& variety : examination_.openings) {
            if (variety.ply != 16 || variety.games < limits_.min_games) continue;
            if (variety.effective() < limits_.least_openings)
                add(Severity::Warning, "few-openings", variety.games, "",
                    fmt::format("{:.1f} bits of variety at half-move 16, as of {:.1f} openings, expected at "
                                "least {:.0f}",
                                variety.entropy, variety.effective(), limits_.least_openings),
                    "begin games from more openings");
        }
    }

    void judge_tags() {
        if (statistics_.unrated > 0)
            add(Severity::Note, "ratings-missing", statistics_.unrated, "",
                fmt::format("{} lack a player's rating", of_games(statistics_.unrated)),
                "a filter by rating leaves them out");
        if (statistics_.evaluated > 0 && statistics_.evaluated < statistics_.games)
            add(Severity::Note, "evaluations-in-part", statistics_.evaluated, "",
                fmt::format("{} have evaluations", of_games(statistics_.evaluated)),
                "a target that needs evaluations sees no others");
    }

    // Each (store, producer) with games enough to say something.
    void judge_producers() {
        std::vector<std::pair<const ProducerRecord*, double>> scales;
        for (const ProducerRecord& producer : examination_.producers) {
            const EvaluationRecord& record = producer.evaluations;
            if (record.games() < limits_.min_evaluated) continue;
            const std::string where =
                fmt::format("{}: {}", examination_.stores[producer.store].path, producer.name);
            if (record.most_frequent_share() > limits_.most_constant) {
                add(Severity::Warning, "constant-producer", record.evaluations(), where,
                    fmt::format("{:.1f} % of the evaluations of {} are the same, expected at most {:.0f} %",
                                100 * record.most_frequent_share(), where, 100 * limits_.most_constant),
                    "do not use its evaluations");
                continue;
            }
            bool contradicts = false;
            for (const chess::Color color : chess::kColors) {
                if (record.games(color) < limits_.min_evaluated) continue;
                const auto correlation = record.correlation(color);
                if (!correlation || *correlation >= limits_.least_correlation) continue;
                contradicts = true;
                const bool turned = *correlation < limits_.contradiction;
                add(turned ? Severity::Error : Severity::Warning,
                    turned ? "evaluations-contradict-results" : "evaluations-say-nothing",
                    record.evaluations(), where,
                    fmt::format(
                        "the evaluations of {} as {} {} (correlation {:.2f}, expected at least {:.2f})",
                        where, color == chess::White ? "White" : "Black",
                        turned ? "go against the results" : "say nothing about the results", *correlation,
                        limits_.least_correlation),
                    turned ? "they are from the wrong side's view: turn their sign and import the games again"
                           : "do not use its evaluations");
            }
            if (const auto scale = record.scale(); scale && !contradicts)
                scales.emplace_back(&producer, *scale);
        }
        judge_scales(scales);
    }

    void judge_scales(const std::vector<std::pair<const ProducerRecord*, double>>& scales) {
        std::vector<double> sorted;
        sorted.reserve(scales.size());
        for (const auto& [producer, scale] : scales) sorted.push_back(scale);
        std::ranges::sort(sorted);
        for (const auto& [producer, scale] : scales) {
            const double median = sorted[sorted.size() / 2];
            const double factor = std::max(scale / median, median / scale);
            const bool odd_one = sorted.size() >= 3 && factor > limits_.most_scale_factor;
            if (!odd_one && scale >= limits_.least_scale && scale <= limits_.most_scale) continue;
            const std::string where =
                fmt::format("{}: {}", examination_.stores[producer->store].path, producer->name);
            add(Severity::Warning, "evaluation-scale", producer->evaluations.evaluations(), where,
                fmt::format("{} scores 73 % where its evaluation is {:.0f} centipawns, {}", where, scale,
                            odd_one ? fmt::format("the median of all producers is {:.0f}", median)
                                    : fmt::format("expected {:.0f} to {:.0f}", limits_.least_scale,
                                                  limits_.most_scale)),
                "scale its evaluations, or fit a scale for each producer, before mixing them");
        }
    }

    void judge_evaluations() {
        if (const FaultTally& tally = fault(Fault::ConstantEvaluations); tally.count > 0)
            add(share(tally.count, statistics_.evaluated) > limits_.most_constant_games ? Severity::Warning
                                                                                        : Severity::Note,
                "constant-evaluations", tally.count, example_of(tally.example),
                fmt::format("in {} a player gives the same evaluation throughout", of_games(tally.count)),
                "leave the evaluations of these games out");
        if (const FaultTally& tally = fault(Fault::ExtremeEvaluations); tally.count > 0)
            add(Severity::Note, "extreme-evaluations", tally.count, example_of(tally.example),
                fmt::format("{} have evaluations of {} pawns or more that are not said to be mates",
                            of_games(tally.count), limits_.extreme_centipawns / 100),
                "limit them, or take them for mates");
    }

    void judge_clocks() {
        if (const FaultTally& tally = fault(Fault::ConstantClocks); tally.count > 0)
            add(Severity::Warning, "constant-clocks", tally.count, example_of(tally.example),
                fmt::format("in {} a player's clock stands still throughout", of_games(tally.count)),
                "do not use the clocks of these games");
        if (const FaultTally& tally = fault(Fault::OverspentClocks); tally.count > 0)
            add(Severity::Warning, "overspent-clocks", tally.count, example_of(tally.example),
                fmt::format("in {} a move takes longer than the clock had", of_games(tally.count)),
                "do not use the clocks of these games");
    }

    const Examination& examination_;
    const GameStatistics& statistics_;
    const Faults& faults_;
    const std::vector<Damage>& damages_;
    std::span<const StoreReader> stores_;
    const DoctorLimits& limits_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> findings_of(const Examination& examination, const Faults& faults,
                                 const std::vector<Damage>& damages, std::span<const StoreReader> stores,
                                 const DoctorLimits& limits) {
    return Judge(examination, faults, damages, stores, limits).judge();
}

}  // namespace scholar::games
