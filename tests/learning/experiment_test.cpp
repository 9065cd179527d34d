#include "learning/papers/experiment.hpp"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "base/files.hpp"
#include "support/test_data.hpp"

namespace scholar::learning {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Two steps, of which the second waits for a file: a run that was stopped between them goes on.
base::Status two_steps(Reproduction& work, const TakeFindings& take) {
    Findings findings;
    findings.figures.push_back({"a against b", "depth 6", "11 %", "70.0 %"});
    findings.drawings.push_back({"Rating", "rating.svg", {}});
    if (auto status = take(findings); !status) return status;
    if (!std::filesystem::exists(work.path("go-on"))) return base::fail("stopped");
    findings.tables.push_back({"By games", {{"games", "0"}, {"ours", "1700"}}});
    findings.runs.emplace_back("main, 300 games", "main/report.md");
    return take(findings);
}

base::Status says_nobody(Reproduction& work, const TakeFindings& take) {
    Findings findings;
    findings.remarks.push_back(work.why_no_places().value_or("somebody"));
    return take(findings);
}

constexpr std::array kExperiments{
    Experiment{"first", "Does two steps", "2150", "300 games", "6 hours", two_steps},
    Experiment{"second", "Says why nobody is placed", "–", "nothing", "no time", says_nobody},
};
constexpr Paper kPaper{"some-paper", "Somebody (1999)", kExperiments};

TEST(Experiments, GoOnWhereTheyWereStoppedAndReportAllThatIsKnown) {
    const tests::TemporaryFolder folder;
    const ReproductionOptions options{.output = folder / "deeper" / "still", .ladder_games = 0};
    const auto report = [&] { return base::read_text(options.output / "report.md").value_or("none"); };

    const std::vector<std::string> first{"first"};
    const auto stopped = reproduce(kPaper, first, options, {});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().message, "first: stopped");
    EXPECT_THAT(report(), AllOf(HasSubstr("# some-paper\n\nSomebody (1999)"), HasSubstr("Not finished"),
                                HasSubstr("The paper: 2150.\nThe whole of `first`: 300 games."),
                                HasSubstr("| a against b | depth 6 | 11 % | 70.0 % |\n"),
                                HasSubstr("## Not begun\n\n- `second`: Says why nobody is placed")));
    EXPECT_TRUE(std::filesystem::exists(options.output / "rating.svg"));

    const std::vector<std::string> second{"second"};
    ASSERT_TRUE(reproduce(kPaper, second, options, {}));
    EXPECT_THAT(report(), AllOf(HasSubstr("70.0 %"), HasSubstr("no games on the ladder were asked for"),
                                Not(HasSubstr("Not begun"))));

    ASSERT_TRUE(base::write_atomically(options.output / "go-on", ""));
    const auto all = reproduce(kPaper, {}, options, {});
    ASSERT_TRUE(all) << all.error().message;
    EXPECT_EQ(*all, options.output / "report.md");
    EXPECT_FALSE(std::filesystem::exists(options.output / "first.unfinished.md"));
    EXPECT_THAT(report(), AllOf(HasSubstr("By games:\n\n| games | 0 |\n|---|---|\n| ours | 1700 |\n"),
                                HasSubstr("![Rating](rating.svg)\n"),
                                HasSubstr("- [main, 300 games](main/report.md)\n"),
                                HasSubstr("no games on the ladder were asked for"),
                                Not(HasSubstr("Not finished")), Not(HasSubstr("Not begun"))));

    // What was found stays until there is more.
    const std::string whole = report();
    std::filesystem::remove(options.output / "go-on");
    ASSERT_FALSE(reproduce(kPaper, first, options, {}));
    EXPECT_EQ(report(), whole);
}

// A name is what the command line takes, and one word.
TEST(Experiments, AreNamedOnceAndSayWhatTheyTake) {
    std::set<std::string_view> papers;
    for (const Paper& paper : all_papers()) {
        EXPECT_TRUE(papers.insert(paper.name).second) << paper.name;
        std::set<std::string_view> names;
        for (const Experiment& experiment : paper.experiments) {
            EXPECT_TRUE(names.insert(experiment.name).second) << experiment.name;
            EXPECT_EQ(experiment.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
                      std::string_view::npos);
            for (const std::string_view text :
                 {experiment.about, experiment.paper, experiment.size, experiment.time})
                EXPECT_FALSE(text.empty()) << experiment.name;
            EXPECT_NE(experiment.run, nullptr);
        }
    }
    EXPECT_TRUE(papers.contains("knightcap"));
}

}  // namespace
}  // namespace scholar::learning
