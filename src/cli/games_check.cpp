#include <algorithm>
#include <fmt/core.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/games_commands.hpp"
#include "cli/games_selection.hpp"
#include "cli/games_shared.hpp"
#include "cli/games_tables.hpp"
#include "games/doctor.hpp"

namespace scholar::cli {

namespace {

struct CheckOptions {
    std::vector<std::string> stores;
    std::vector<std::string> training;
    std::vector<std::string> validation;
    std::vector<std::string> test;
    games::SelectionWords shares;  // only those
    unsigned threads = 0;
    bool strict = false;
    bool json = false;
};

std::string name_of(games::Split split) {
    switch (split) {
        case games::Split::Train:
            return "training";
        case games::Split::Validation:
            return "validation";
        case games::Split::Test:
            break;
    }
    return "test";
}

std::string error_of(const games::PositionCount& count) {
    return count.standard_error > 0 ? fmt::format(" ± {:.1f} %", 100 * count.standard_error) : "";
}

void show_text(const games::Examination& examination, double seconds) {
    for (const auto& store : examination.stores) {
        const std::string role = store.role ? " as " + name_of(*store.role) : "";
        const std::string state = store.damaged_games == 0
                                      ? "all sound"
                                      : fmt::format("{} damaged", base::counted(store.damaged_games, "game"));
        fmt::print("{}{}: {}, {}, {}, {}\n", store.path, role, base::counted(store.blocks, "block"),
                   base::counted(store.games, "game"), base::counted(store.plies, "half-move"), state);
    }
    if (examination.stores.empty()) return;
    const games::GameStatistics& statistics = examination.statistics;
    const auto games = static_cast<double>(statistics.games);
    const auto percent = [&](std::uint64_t count) { return 100 * ratio(static_cast<double>(count), games); };
    const auto of = [&](games::GameResult result) { return percent(statistics.results.of(result)); };
    fmt::print("  read in       {:.1f} s, {:.1f} million half-moves/s\n", seconds,
               ratio(static_cast<double>(statistics.plies), seconds) / 1e6);
    fmt::print(
        "  results       {:.1f} % 1-0, {:.1f} % drawn, {:.1f} % 0-1, {:.1f} % unknown; White scores "
        "{}\n",
        of(games::GameResult::WhiteWins), of(games::GameResult::Draw), of(games::GameResult::BlackWins),
        of(games::GameResult::Unknown), score_of(statistics.results));
    std::string endings;
    for (const games::Ending ending : games::kEndings) {
        const auto count = statistics.endings[static_cast<std::size_t>(ending)];
        if (count > 0)
            endings += fmt::format("{}{:.1f} % {}", endings.empty() ? "" : ", ", percent(count),
                                   games::name_of(ending));
    }
    fmt::print("  endings       {}\n", endings);
    fmt::print("  lengths       {} to {}, {:.1f} on average\n", statistics.lengths.least(),
               base::counted(statistics.lengths.most(), "half-move"), statistics.lengths.mean());
    if (statistics.ratings.count() > 0)
        fmt::print("  ratings       {} to {}, {:.0f} on average\n", statistics.ratings.least(),
                   statistics.ratings.most(), statistics.ratings.mean());
    fmt::print("  positions     {}, {:.1f} % of them distinct{}\n", grouped(examination.positions.positions),
               100 * examination.positions.share(), error_of(examination.positions));
    std::string by_ply;
    for (const auto& [ply, count] : examination.by_ply)
        by_ply += fmt::format("{}{:.1f} % at {}", by_ply.empty() ? "" : ", ", 100 * count.share(), ply);
    fmt::print("                {}\n", by_ply);
    if (examination.shared_with_training)
        fmt::print(
            "  held out      {:.1f} % of the distinct positions outside the training games are in them "
            "too\n",
            100 * *examination.shared_with_training);
    for (const games::OpeningVariety& variety : examination.openings)
        if (variety.games > 0)
            fmt::print("  openings      {:.1f} bits at half-move {} ({}): as {:.0f} equally frequent ones\n",
                       variety.entropy, variety.ply, base::counted(variety.games, "game"),
                       variety.effective());
    constexpr std::size_t kProducersShown = 12;
    for (std::size_t i = 0; i < std::min(kProducersShown, examination.producers.size()); ++i) {
        const games::ProducerRecord& producer = examination.producers[i];
        const auto correlation = [&](chess::Color color) {
            const auto value = producer.evaluations.correlation(color);
            return value ? fmt::format("{:.2f}", *value) : "-";
        };
        const auto scale = producer.evaluations.scale();
        fmt::print(
            "  evaluations   {:<20} {:>10} in {:>6} games, correlation with results {} as White, {} as "
            "Black, 73 % at {} centipawns\n",
            producer.name, grouped(producer.evaluations.evaluations()), grouped(producer.evaluations.games()),
            correlation(chess::White), correlation(chess::Black),
            scale ? fmt::format("{:.0f}", *scale) : "-");
    }
    if (examination.producers.size() > kProducersShown)
        fmt::print("                and {} more\n", examination.producers.size() - kProducersShown);
    show_table("Half-moves a game", rows_of(statistics.lengths), statistics.games);
    show_table("Ratings (of both players)", rows_of(statistics.ratings), statistics.ratings.count());
    fmt::print("\n");
}

void show_findings(const std::vector<games::Finding>& findings) {
    if (findings.empty()) fmt::print("nothing found\n");
    for (const games::Finding& finding : findings) {
        fmt::print("{:<8} {}: {}\n", games::to_string(finding.severity), finding.code, finding.what);
        if (!finding.example.empty()) fmt::print("         for example {}\n", finding.example);
        fmt::print("         {}\n", finding.advice);
    }
}

Json distinct_json(const games::PositionCount& count) {
    return {{"positions", count.positions},
            {"distinct", count.distinct},
            {"share", count.share()},
            {"standard_error", count.standard_error}};
}

void print_json(const games::Examination& examination, double seconds) {
    const games::GameStatistics& statistics = examination.statistics;
    Json stores = Json::array(), endings = Json::object(), by_ply = Json::object(), openings = Json::array(),
         producers = Json::array(), findings = Json::array();
    for (const auto& store : examination.stores)
        stores.push_back({{"store", store.path},
                          {"role", store.role ? Json(name_of(*store.role)) : Json(nullptr)},
                          {"blocks", store.blocks},
                          {"games", store.games},
                          {"plies", store.plies},
                          {"bytes", store.bytes},
                          {"damaged_blocks", store.damaged_blocks},
                          {"damaged_games", store.damaged_games}});
    for (const games::Ending ending : games::kEndings)
        endings[std::string(games::name_of(ending))] = statistics.endings[static_cast<std::size_t>(ending)];
    for (const auto& [ply, count] : examination.by_ply) by_ply[std::to_string(ply)] = distinct_json(count);
    for (const games::OpeningVariety& variety : examination.openings)
        openings.push_back({{"ply", variety.ply},
                            {"games", variety.games},
                            {"entropy_bits", variety.entropy},
                            {"effective", variety.effective()}});
    for (const games::ProducerRecord& producer : examination.producers)
        producers.push_back({{"store", examination.stores[producer.store].path},
                             {"producer", producer.name},
                             {"games", producer.evaluations.games()},
                             {"evaluations", producer.evaluations.evaluations()},
                             {"mates", producer.evaluations.mates()},
                             {"correlation_white", json_of(producer.evaluations.correlation(chess::White))},
                             {"correlation_black", json_of(producer.evaluations.correlation(chess::Black))},
                             {"scale", json_of(producer.evaluations.scale())},
                             {"most_frequent_share", producer.evaluations.most_frequent_share()}});
    for (const games::Finding& finding : examination.findings)
        findings.push_back({{"severity", games::to_string(finding.severity)},
                            {"code", finding.code},
                            {"what", finding.what},
                            {"count", finding.count},
                            {"example", finding.example},
                            {"advice", finding.advice}});
    const games::Copies& copies = examination.copies;
    print({{"stores", stores},
           {"seconds", seconds},
           {"games", statistics.games},
           {"plies", statistics.plies},
           {"results", json_of(statistics.results)},
           {"endings", endings},
           {"lengths", json_of(statistics.lengths)},
           {"ratings", json_of(statistics.ratings)},
           {"unrated", statistics.unrated},
           {"positions", distinct_json(examination.positions)},
           {"seen_once", examination.seen_once},
           {"shared_with_training", json_of(examination.shared_with_training)},
           {"positions_by_ply", by_ply},
           {"openings", openings},
           {"copies",
            {{"within_a_store", copies.within.count},
             {"across_stores", copies.across.count},
             {"in_two_splits", copies.two_splits.count},
             {"with_another_result", copies.other_result.count},
             {"cut", copies.cut.count},
             {"cut_in_two_splits", copies.cut_two_splits.count}}},
           {"producers", producers},
           {"errors", examination.count(games::Severity::Error)},
           {"warnings", examination.count(games::Severity::Warning)},
           {"findings", findings}});
}

// The first of what is wrong in one line, and how much more there is.
base::Status verdict_of(const games::Examination& examination, bool strict) {
    const std::uint64_t bad = examination.count(games::Severity::Error) +
                              (strict ? examination.count(games::Severity::Warning) : 0);
    if (bad == 0) return {};
    const std::string& first = examination.findings.front().what;
    if (bad == 1) return base::fail("{}", first);
    return base::fail("{} (and {} more)", first, bad - 1);
}

base::Status check_stores(const CheckOptions& options, const std::stop_token& stop) {
    const auto shares = games::parse_selection(options.shares);
    if (!shares) return std::unexpected(shares.error());
    games::DoctorOptions doctor;
    doctor.shares = shares->shares;
    const auto add = [&doctor](const std::vector<std::string>& paths, std::optional<games::Split> role) {
        for (const std::string& path : paths) doctor.stores.push_back({path, role});
    };
    add(options.stores, std::nullopt);
    add(options.training, games::Split::Train);
    add(options.validation, games::Split::Validation);
    add(options.test, games::Split::Test);
    if (doctor.stores.empty()) return base::fail("no game store, expected at least one");

    std::uint64_t games = 0;
    for (const auto& store : doctor.stores)
        if (const auto opened = games::StoreReader::open(store.path, games::CutOff::Recover))
            games += opened->games();
    const auto start = Clock::now();
    std::optional<base::Progress> progress;  // of nothing there is none
    if (games > 0) progress.emplace("checking", games, "games");
    doctor.threads = options.threads;
    doctor.stop = stop;
    doctor.progress = [&progress](std::uint64_t done) {
        if (progress) progress->update(done);
    };
    const auto examination = games::examine(doctor);
    progress.reset();
    if (!examination) return std::unexpected(examination.error());
    if (options.json) {
        print_json(*examination, seconds_since(start));
    } else {
        show_text(*examination, seconds_since(start));
        show_findings(examination->findings);
    }
    return verdict_of(*examination, options.strict);
}

}  // namespace

void add_games_check(Command games, Invocation& invocation) {
    const Command command = games.add_subcommand(
        "check",
        "Examine game stores: every checksum, move and hash, and faults that would mislead a learner");
    auto options = std::make_shared<CheckOptions>();
    command.add_option("STORE", options->stores, "Game stores whose games are split by their hashes");
    command.add_option("--train", options->training, "Game stores that are for training as a whole");
    command.add_option("--validation", options->validation, "Game stores for validation");
    command.add_option("--test", options->test, "Game stores for testing");
    command.add_option("--threads", options->threads, "Threads; 0: as many as the machine has")
        .check(range(0, 1'024))
        .capture_default_str();
    add_share_options(command, options->shares);
    command.add_flag("--strict", options->strict, "Let warnings fail, too");
    command.add_flag("--json", options->json, "Print one JSON object");
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return check_stores(*options, stop); };
    });
}

}  // namespace scholar::cli
