#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "arena/explanation_study.hpp"
#include "base/files.hpp"
#include "base/plot.hpp"
#include "base/progress.hpp"
#include "base/random.hpp"
#include "base/streams.hpp"
#include "base/text.hpp"
#include "chess/epd.hpp"
#include "chess/movegen.hpp"
#include "cli/games_shared.hpp"
#include "cli/net_explain.hpp"
#include "cli/output.hpp"
#include "games/distinct_files.hpp"
#include "games/held_out.hpp"

namespace scholar::cli {

namespace {

using chess::Position;

// Those of a file of EPD lines in which the game goes on, by lot.
base::Result<std::vector<Position>> positions_of_epd(const std::string& path, const JudgeOptions& options) {
    const auto input = base::open_input(path);
    if (!input) return std::unexpected(input.error());
    const auto text = base::read_all(**input);
    if (!text) return std::unexpected(text.error());
    std::vector<Position> positions;
    std::string_view rest = *text;
    for (int number = 1; !rest.empty(); ++number) {
        const std::string_view line = base::without_blanks(rest.substr(0, rest.find('\n')));
        rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
        if (line.empty() || line.front() == '#') continue;
        const auto epd = chess::parse_epd(line);
        if (!epd) return base::fail_in(fmt::format("{}: line {}", path, number), epd.error());
        if (chess::has_legal_move(epd->position)) positions.push_back(epd->position);
    }
    if (positions.empty()) return base::fail("{}: no positions, expected EPD lines or a game store", path);
    base::Random(options.seed).shuffle(positions);
    positions.resize(std::min<std::size_t>(positions.size(), options.positions));
    return positions;
}

base::Result<std::vector<Position>> positions_of_stores(const JudgeOptions& options,
                                                        const std::stop_token& stop) {
    games::HeldOutRule rule;
    const auto shares = games::parse_selection(options.shares);
    if (!shares) return std::unexpected(shares.error());
    rule.shares = shares->shares;
    rule.positions = options.positions;
    rule.per_game = 1;
    rule.seed = options.seed;
    const auto stores = open_stores(games::distinct_files(options.files));
    if (!stores) return std::unexpected(stores.error());
    const auto set = games::draw_held_out(*stores, rule, stop);
    if (!set) return std::unexpected(set.error());
    std::vector<Position> positions;
    for (const games::HeldOutPosition& each : set->positions) positions.push_back(each.position);
    return positions;
}

Json json_of(const arena::MeanWithError& value) {
    return {{"mean", value.mean}, {"error", value.error}};
}

Json to_json(const arena::ExplanationStudy& study, const JudgeOptions& options, bool of_moves) {
    Json json{{"network", options.name},
              {"of", of_moves ? "move" : "value"},
              {"seed", options.seed},
              {"positions", study.positions},
              {"passed_over", study.passed_over},
              {"interrupted", study.interrupted},
              {"curves", Json::array()},
              {"agreements", Json::array()}};
    for (const arena::DeletionCurve& curve : study.curves) {
        Json entry{{"order", curve.name}, {"watched", Json::array()}};
        for (const arena::MeanWithError& value : curve.watched) entry["watched"].push_back(json_of(value));
        entry["mean"] = json_of(curve.area);
        entry["less_random"] = json_of(curve.against_random);
        json["curves"].push_back(std::move(entry));
    }
    for (const arena::MethodAgreement& agreement : study.agreements)
        json["agreements"].push_back({{"first", to_string(agreement.first)},
                                      {"second", to_string(agreement.second)},
                                      {"rank_correlation", json_of(agreement.rank_correlation)},
                                      {"within_kinds", json_of(agreement.within_kinds)},
                                      {"shared_top", json_of(agreement.shared_top)},
                                      {"shared_by_chance", agreement.shared_by_chance}});
    return json;
}

}  // namespace

base::Status judge_explanations(const nets::AnyNetwork& network, const JudgeOptions& options,
                                const std::stop_token& stop) {
    if (auto status = check_new_output(options.plot, options.overwrite); !status) return status;
    if (auto status = check_output(options.plot, options.files); !status) return status;
    arena::ExplanationStudyOptions study_options;
    study_options.of_moves =
        options.of == "move" ||
        (options.of.empty() &&
         !network.abilities().has_any({nets::Ability::Leaf, nets::Ability::Value, nets::Ability::Wdl}));
    study_options.taken = options.taken;
    study_options.pawns = options.pawns;
    study_options.seed = options.seed;
    auto explainer = evaluators::Explainer::make(network);
    if (!explainer) return std::unexpected(explainer.error());
    const bool are_stores = std::ranges::all_of(options.files, is_game_store);
    if (!are_stores && options.files.size() > 1)
        return base::fail("--judge: {} files, expected game stores, or one EPD file", options.files.size());
    const auto positions =
        are_stores ? positions_of_stores(options, stop) : positions_of_epd(options.files.front(), options);
    if (!positions) return std::unexpected(positions.error());
    base::Progress progress("judging", positions->size(), "positions");
    const auto study = arena::study_explanations(
        *positions, *explainer, study_options, [&](std::size_t done) { progress.update(done); }, stop);
    progress.finish();
    if (!study) return std::unexpected(study.error());
    if (!options.plot.empty()) {
        const std::string svg = base::to_svg(arena::deletion_plot(*study, study_options, options.name));
        if (auto status = base::write_atomically(options.plot, svg); !status) return status;
    }
    if (options.json)
        print(to_json(*study, options, study_options.of_moves));
    else
        fmt::print("{} ({})\n{}", options.name, network.content_name(),
                   arena::describe(*study, study_options));
    return {};
}

}  // namespace scholar::cli
