#include "arena/spsa.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "arena/ladder.hpp"
#include "arena/ratings.hpp"
#include "arena/tuning.hpp"
#include "base/random.hpp"
#include "chess/uci_move.hpp"
#include "scripted_programs.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using testing::HasSubstr;

// Figures worked out from fishtest's parameterisation (its server computes c = c_end·N^gamma,
// a = r_end·c_end²·(A + N)^alpha and at each step a/(A + k)^alpha and c/k^gamma with k from 1), by another
// program (Python), for N = 1000, A = 100, c_end = 4, r_end = 0.002.
TEST(Spsa, GainsAsFishtest) {
    SpsaPlan plan;
    plan.parameters = {{"x", 50, 0, 100, 4, 0.002}};
    plan.pairs = 1000;
    const Spsa spsa(plan);
    const auto& parameter = plan.parameters[0];
    EXPECT_NEAR(spsa.perturbation(parameter, 0), 8.03637125, 1e-6);
    EXPECT_NEAR(spsa.perturbation(parameter, 99), 5.04731014, 1e-6);
    EXPECT_NEAR(spsa.perturbation(parameter, 999), 4, 1e-12);
    EXPECT_NEAR(spsa.rate(parameter, 0), 0.0020861567, 1e-9);
    EXPECT_NEAR(spsa.rate(parameter, 499), 0.0025043399, 1e-9);
    EXPECT_NEAR(spsa.rate(parameter, 999), 0.002, 1e-12);
}

TEST(Spsa, TrialsAreSymmetricRoundedFairlyAndWithinBounds) {
    SpsaPlan plan;
    plan.parameters = {{"fine", 10.25, 0, 100, 0.6, 0.002}, {"edge", 99, 0, 100, 30, 0.002}};
    plan.pairs = 4000;
    Spsa spsa(plan);
    double plus = 0, minus = 0, signs = 0;
    while (!spsa.done()) {
        const auto trial = spsa.next();
        const auto again = spsa.next();
        ASSERT_EQ(trial.plus, again.plus);
        ASSERT_EQ(trial.signs, again.signs);
        const double c = trial.signs[0] * spsa.perturbation(plan.parameters[0], spsa.pairs_played());
        plus += static_cast<double>(trial.plus[0]) - (10.25 + c);
        minus += static_cast<double>(trial.minus[0]) - (10.25 - c);
        signs += trial.signs[0] * trial.signs[1];
        for (const auto value : {trial.plus[1], trial.minus[1]}) {
            EXPECT_GE(value, 0);
            EXPECT_LE(value, 100);
        }
        spsa.apply(trial, 0);
    }
    // Standard errors: of the rounding at most 0.5/√4000 = 0.008, of the signs 1/√4000 = 0.016.
    EXPECT_NEAR(plus / 4000, 0, 0.03);
    EXPECT_NEAR(minus / 4000, 0, 0.03);
    EXPECT_NEAR(signs / 4000, 0, 0.06);
    EXPECT_EQ(spsa.values()[0], 10.25);  // draws move nothing
}

// A player whose strength is known: `scale` away from the best value of a parameter costs 15 Elo, and games
// have draws and noise like real ones.
struct Hill {
    std::vector<double> best;
    std::vector<double> scale;
    template <class Values>
    double elo(const Values& values) const {
        double sum = 0;
        for (std::size_t i = 0; i < best.size(); ++i)
            sum -= 15 * std::pow((static_cast<double>(values[i]) - best[i]) / scale[i], 2);
        return sum;
    }
    WinDrawLoss play(const SpsaTrial& trial, base::Random& random) const {
        WinDrawLoss games;
        const auto chances = result_chances(elo(trial.plus) - elo(trial.minus), 0.4);
        for (int i = 0; i < 2 * trial.pairs; ++i) {
            const double at = random.unit();
            ++(at < chances.win ? games.wins : at < chances.win + chances.draw ? games.draws : games.losses);
        }
        return games;
    }
};

const Hill kHill{{60, 700, -40, 12, 300}, {20, 200, 30, 5, 100}};

SpsaPlan hill_plan(std::uint64_t seed) {
    SpsaPlan plan;
    plan.parameters = {{"a", 20, 0, 200, 10, 0.01},
                       {"b", 1000, 0, 2000, 100, 0.01},
                       {"c", 0, -100, 100, 15, 0.01},
                       {"d", 4, 1, 30, 2.5, 0.01},
                       {"e", 150, 0, 1000, 50, 0.01}};
    plan.pairs = 20'000;
    plan.seed = seed;
    return plan;
}

// It starts 193 Elo below the top; one pair of games tells next to nothing.
TEST(Spsa, ClimbsAHillThroughTheNoiseOfGames) {
    double deficit = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Spsa spsa(hill_plan(seed));
        ASSERT_NEAR(kHill.elo(spsa.values()), -192.6, 0.1);
        base::Random random(seed, 99);
        while (!spsa.done()) {
            const auto trial = spsa.next();
            const auto games = kHill.play(trial, random);
            spsa.apply(trial, static_cast<int>(games.wins) - static_cast<int>(games.losses));
        }
        deficit -= kHill.elo(spsa.values()) / 5;
        EXPECT_GT(kHill.elo(spsa.values()), -20) << seed;
    }
    EXPECT_LT(deficit, 10);
    // The same steps with the results the wrong way round lead down: it is the games that lead up.
    Spsa wrong(hill_plan(1));
    base::Random random(1, 99);
    for (int i = 0; i < 2'000; ++i) {
        const auto trial = wrong.next();
        const auto games = kHill.play(trial, random);
        wrong.apply(trial, static_cast<int>(games.losses) - static_cast<int>(games.wins));
    }
    EXPECT_LT(kHill.elo(wrong.values()), -200);
}

class Tuning : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return folder_ / name; }
    std::string text(const std::string& name) const {
        std::ifstream input(folder_ / name);
        return {std::istreambuf_iterator<char>(input), {}};
    }
    // On the hill, with games that depend on the trial alone; stopped before iteration `stop_at`.
    base::Result<TuningResult> climb(const SpsaPlan& plan, const std::string& name, int stop_at = -1) {
        const auto play = [&](const SpsaTrial& trial,
                              int pairs_before) -> base::Result<std::optional<TrialResult>> {
            if (stop_at >= 0 && pairs_before >= stop_at * plan.pairs_per_iteration) return std::nullopt;
            base::Random random(7, static_cast<std::uint64_t>(pairs_before));
            return TrialResult{kHill.play(trial, random), 1};
        };
        return run_spsa(plan, "hill", file(name + ".json"), file(name + ".jsonl"), play, [](const auto&) {},
                        {});
    }

    tests::TemporaryFolder folder_;
};

TEST_F(Tuning, ResumedIsAsUninterrupted) {
    auto plan = hill_plan(3);
    plan.pairs = 301;
    plan.pairs_per_iteration = 4;
    const auto whole = climb(plan, "whole");
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(whole->iterations, 76);
    EXPECT_EQ(whole->games.games(), 602U);

    for (const int stop_at : {0, 1, 37}) {
        const auto part = climb(plan, "parts", stop_at);
        ASSERT_TRUE(part) << part.error().message;
        EXPECT_TRUE(part->interrupted);
        EXPECT_EQ(part->iterations, stop_at);
    }
    const auto rest = climb(plan, "parts");
    ASSERT_TRUE(rest) << rest.error().message;
    EXPECT_TRUE(rest->resumed);
    EXPECT_EQ(rest->values, whole->values);
    EXPECT_EQ(rest->games.wins, whole->games.wins);
    EXPECT_EQ(rest->failures, 76U);
    EXPECT_EQ(text("parts.jsonl"), text("whole.jsonl"));
    // But for the name of the log, which is in its first line.
    const auto steps = [&](const std::string& name) { return text(name).substr(text(name).find('\n')); };
    EXPECT_EQ(steps("parts.json"), steps("whole.json"));
    const auto last = nlohmann::json::parse(text("whole.jsonl").substr(text("whole.jsonl").rfind("{\"iter")));
    EXPECT_EQ(last["iteration"], 76);
    EXPECT_EQ(last["values"]["b"], whole->values[1]);
}

TEST_F(Tuning, KilledAtAnyByteItGoesOn) {
    auto plan = hill_plan(3);
    plan.pairs = 10;
    plan.pairs_per_iteration = 4;
    ASSERT_TRUE(climb(plan, "whole"));
    const std::string state = text("whole.json"), log = text("whole.jsonl");
    // In the order in which it was written: of each iteration's two lines of the state the second is behind
    // the log's. The same command has the same names of files.
    const auto lines = [](const std::string& of) {
        std::vector<std::string> all;
        std::istringstream input(of);
        for (std::string line; std::getline(input, line);) all.push_back(line + "\n");
        return all;
    };
    const auto states = lines(state), logs = lines(log);
    ASSERT_EQ(states.size(), 1 + 2 * logs.size());
    std::vector<std::pair<bool, std::string>> order{{true, states[0]}};
    for (std::size_t i = 0; i < logs.size(); ++i) {
        order.emplace_back(true, states[1 + 2 * i]);
        order.emplace_back(false, logs[i]);
        order.emplace_back(true, states[2 + 2 * i]);
    }
    for (std::size_t killed_at = 0; killed_at < state.size() + log.size(); killed_at += 7) {
        std::size_t left = killed_at;
        std::string a, b;
        for (const auto& [is_state, written] : order) {
            const auto part = std::min(left, written.size());
            (is_state ? a : b) += written.substr(0, part);
            left -= part;
        }
        std::ofstream(file("whole.json")) << a;
        std::ofstream(file("whole.jsonl")) << b;
        const auto rest = climb(plan, "whole");
        ASSERT_TRUE(rest) << killed_at << ": " << rest.error().message;
        ASSERT_EQ(text("whole.json"), state) << killed_at;
        ASSERT_EQ(text("whole.jsonl"), log) << killed_at;
    }
}

TEST_F(Tuning, OptionsMayHaveNamesThatAreNotUtf8) {
    auto plan = hill_plan(3);
    plan.pairs = 8;
    plan.pairs_per_iteration = 4;
    plan.parameters[0].name = "caf\xe9";
    plan.parameters[1].name = "\xff\xfe";
    const auto part = climb(plan, "latin", 1);
    ASSERT_TRUE(part) << part.error().message;
    const auto rest = climb(plan, "latin");
    ASSERT_TRUE(rest) << rest.error().message;
    EXPECT_TRUE(rest->resumed);
    EXPECT_THAT(text("latin.jsonl"), HasSubstr("\"caf\xef\xbf\xbd\""));
}

TEST_F(Tuning, IsOnePrograms) {
    auto plan = hill_plan(3);
    plan.pairs = 4;
    std::string state, log;
    const auto second = [&](const SpsaTrial&, int) -> base::Result<std::optional<TrialResult>> {
        state = climb(plan, "one").error().message;
        log = run_spsa(plan, "hill", file("two.json"), file("one.jsonl"), {}, [](const auto&) {}, {})
                  .error()
                  .message;
        return std::nullopt;
    };
    ASSERT_TRUE(run_spsa(plan, "hill", file("one.json"), file("one.jsonl"), second, [](const auto&) {}, {}));
    EXPECT_THAT(state, HasSubstr("one.json: another program is writing it"));
    EXPECT_THAT(log, HasSubstr("one.jsonl: another program is writing it"));
}

TEST_F(Tuning, RefusesTheStateOfAnother) {
    auto plan = hill_plan(3);
    plan.pairs = 10;
    ASSERT_TRUE(climb(plan, "one", 3));
    plan.parameters[0].c_end = 11;
    EXPECT_THAT(
        climb(plan, "one").error().message,
        HasSubstr("is the state of another tuning: plan/parameters/0/c_end is 10.0 there and 11.0 here"));
    std::ofstream(file("one.json")) << "{}\n";
    EXPECT_THAT(climb(plan, "one").error().message, HasSubstr("not the state of a tuning"));
    std::filesystem::remove(file("one.json"));
    EXPECT_THAT(climb(plan, "one").error().message, HasSubstr("there is a log, but no state"));
    EXPECT_FALSE(std::filesystem::exists(file("one.json")));
}

EngineConfig scripted() {
    EngineConfig engine;
    engine.name = "Scripted";
    engine.command = {scripted_engine(), "ok"};
    return engine;
}

TEST_F(Tuning, ParametersComeFromTheEngine) {
    const auto parameters = find_parameters(scripted(), {{.name = "hash"}}, false);
    ASSERT_TRUE(parameters) << parameters.error().message;
    ASSERT_EQ(parameters->size(), 1U);
    const auto& hash = parameters->front();
    EXPECT_EQ(hash.name, "Hash");
    EXPECT_EQ(hash.start, 16);
    EXPECT_EQ(hash.minimum, 1);
    EXPECT_EQ(hash.maximum, 1024);
    EXPECT_NEAR(hash.c_end, 1023 / 20.0, 1e-9);
    EXPECT_EQ(hash.r_end, 0.002);

    const auto error = [](const ParameterWish& wish) {
        return find_parameters(scripted(), {wish}, false).error().message;
    };
    EXPECT_EQ(error({.name = "Hsh"}), "engine Scripted: no option 'Hsh' with a number, did you mean 'Hash'?");
    EXPECT_THAT(error({.name = "OwnBook"}), HasSubstr("no option 'OwnBook' with a number"));
    EXPECT_THAT(error({.name = "AspirationWindow"}), HasSubstr("expected a build of the preset 'tuning'"));
    EXPECT_THAT(error({.name = "Hash", .maximum = 5000}),
                HasSubstr("expected a range within the option's 1 to 1024"));
    EXPECT_THAT(error({.name = "Hash", .start = 2000}), HasSubstr("start 2000, expected from 1 to 1024"));
    EXPECT_THAT(error({.name = "Hash", .c_end = -1}), HasSubstr("expected both above 0"));
    EXPECT_THAT(find_parameters(scripted(), {}, true).error().message,
                HasSubstr("expected a build of the preset 'tuning'"));
    EXPECT_THAT(find_parameters(scripted(), {}, false).error().message, HasSubstr("expected --param"));
    EXPECT_THAT(find_parameters(scripted(), {{.name = "Hash"}, {.name = "hash"}}, false).error().message,
                HasSubstr("given twice"));
}

TEST_F(Tuning, ParametersFromWordsAndFiles) {
    const auto wish = parse_parameter_wish("Hash,12.5,0.003");
    ASSERT_TRUE(wish);
    EXPECT_EQ(wish->name, "Hash");
    EXPECT_EQ(wish->c_end, 12.5);
    EXPECT_EQ(wish->r_end, 0.003);
    EXPECT_FALSE(parse_parameter_wish("Hash")->c_end);
    for (const char* bad : {"", ",1", "Hash,", "Hash,x", "Hash,1,", "Hash,1,2,3", "Hash,nan"})
        EXPECT_THAT(parse_parameter_wish(bad).error().message, HasSubstr("expected NAME")) << bad;

    std::ofstream(file("p.toml")) << "[Hash]\nc_end = 8\nmaximum = 100\n[Contempt]\n";
    const auto wishes = read_parameter_wishes(file("p.toml"));
    ASSERT_TRUE(wishes) << wishes.error().message;
    ASSERT_EQ(wishes->size(), 2U);
    EXPECT_EQ(wishes->front().c_end, 8);
    EXPECT_EQ(wishes->front().maximum, 100);
    EXPECT_FALSE(wishes->front().r_end);
    std::ofstream(file("p.toml")) << "[Hash]\nc_ent = 8\n";
    EXPECT_THAT(read_parameter_wishes(file("p.toml")).error().message,
                HasSubstr("line 2: unknown key 'c_ent' in [Hash], did you mean 'c_end'?"));
}

// With games of an engine in a process, whatever they bring: stopped, gone on with, and the same in the end.
TEST_F(Tuning, PlaysAndGoesOn) {
    TuningOptions options;
    options.engine = scripted();
    options.time_control = parse_time_control("movetime=0.5").value();
    options.time_margin = std::chrono::minutes(10);
    options.openings = games::parse_openings(embedded_openings(), "built in").value();
    options.plan.parameters = find_parameters(options.engine, {{.name = "Hash"}}, false).value();
    options.plan.pairs = 5;
    options.plan.pairs_per_iteration = 2;
    options.concurrency = 2;
    options.state_file = file("whole.json");
    options.log_file = file("whole.jsonl");
    const auto whole = tune(options, [](const auto&) {}, {});
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(whole->iterations, 3);
    EXPECT_EQ(whole->games.games(), 10U);
    EXPECT_EQ(whole->failures, 0U);

    options.state_file = file("parts.json");
    options.log_file = file("parts.jsonl");
    std::stop_source stop;
    const auto part = tune(
        options,
        [&](const TuningResult& so_far) {
            if (so_far.iterations == 1) stop.request_stop();
        },
        stop.get_token());
    ASSERT_TRUE(part);
    EXPECT_TRUE(part->interrupted);
    const auto rest = tune(options, [](const auto&) {}, {});
    ASSERT_TRUE(rest) << rest.error().message;
    EXPECT_EQ(rest->values, whole->values);
    EXPECT_EQ(text("parts.jsonl"), text("whole.jsonl"));
    // The same number of moves from the same position: other openings nevertheless.
    auto other = options;
    for (auto& opening : other.openings) opening = {chess::Position(), {}};
    for (auto& opening : options.openings) opening = {chess::Position(), {}};
    const auto opening = [](const char* move) {
        return std::vector{chess::parse_uci_move(chess::Position(), move).value()};
    };
    options.openings[0].moves = opening("e2e4");
    other.openings[0].moves = opening("d2d4");
    std::filesystem::remove(options.state_file);
    std::filesystem::remove(options.log_file);
    ASSERT_TRUE(tune(options, [](const auto&) {}, {}));
    EXPECT_THAT(tune(other, [](const auto&) {}, {}).error().message,
                HasSubstr("is the state of another tuning: games is"));
    options.time_control = parse_time_control("movetime=0.6").value();
    EXPECT_THAT(tune(options, [](const auto&) {}, {}).error().message,
                HasSubstr("is the state of another tuning: games is"));
}

}  // namespace
}  // namespace scholar::arena
