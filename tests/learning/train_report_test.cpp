#include "learning/reports/train_report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

#include "base/files.hpp"
#include "support/test_data.hpp"

namespace scholar::learning {
namespace {

std::string validation_record(int step, double loss, double first) {
    return fmt::format(R"({{"kind":"validation","step":{},)"
                       R"("loss":{{"samples":500,"network":{},"constant":3.5}},)"
                       R"("in 10":{{"samples":500,"network":0.9,"constant":0.8}},)"
                       R"("in 3":{{"samples":500,"network":0.6,"constant":0.5}},)"
                       R"("first move":{{"samples":500,"network":{},"constant":0.11,"chance":0.05}}}})"
                       "\n",
                       step, loss, first);
}

std::string training_record(int step, double loss) {
    return fmt::format(
        R"({{"kind":"train","step":{},"positions":{},"loss":{},"constant_loss":3.5,"core_seconds":{}}})"
        "\n",
        step, step * 64, loss, step);
}

class TrainReport : public testing::Test {
  protected:
    std::string error_of(const std::string& metrics) const {
        EXPECT_TRUE(base::write_atomically(folder_ / "metrics.jsonl", metrics));
        const auto written = write_train_report(folder_.path());
        if (written) return "no error";
        const std::string name = (folder_ / "metrics.jsonl").string();
        return written.error().message.substr(0, name.size()) == name
                   ? written.error().message.substr(name.size())
                   : written.error().message;
    }

    tests::TemporaryFolder folder_;
};

TEST_F(TrainReport, ShowsEachFigureByPositionsSeen) {
    std::string metrics = "{\"kind\":\"start\",\"step\":0}\n";
    for (int step = 100; step <= 2'000; step += 100)
        metrics +=
            training_record(step, 3.4 - step / 1e3) + validation_record(step, 3.5 - step / 1e3, step / 1e4);
    // Cut off by a kill.
    metrics += "{\"kind\":\"validation\",\"st";
    ASSERT_EQ(error_of(metrics), "no error");
    const std::string text = *base::read_text(folder_ / "report.md");
    EXPECT_TRUE(text.starts_with("# 128000 positions in 33.3 core-minutes\n")) << text;
    EXPECT_NE(text.find("| first move | 500 | 0.2000 | 0.1100 | chance 0.0500 |"), std::string::npos) << text;
    // The loss first, though the alphabet has it last, and 3 before 10; the last validation, and not every
    // one.
    EXPECT_NE(text.find("| positions | loss | first move | in 3 | in 10 |"), std::string::npos) << text;
    EXPECT_NE(text.find("| 128000 | 1.5000 | 0.2000 | 0.6000 | 0.9000 |"), std::string::npos) << text;
    EXPECT_NE(text.find("| 115200 | 1.7000 | 0.1800 | 0.6000 | 0.9000 |"), std::string::npos) << text;
    EXPECT_EQ(text.find("| 121600 |"), std::string::npos) << text;
    for (const char* name : {"loss", "first-move"}) {
        EXPECT_NE(text.find(fmt::format("(report/{}.svg)", name)), std::string::npos);
        const auto plot = base::read_text(folder_ / "report" / fmt::format("{}.svg", name));
        ASSERT_TRUE(plot);
        EXPECT_NE(plot->find("constant"), std::string::npos);
        EXPECT_EQ(plot->find("chance") != std::string::npos, std::string(name) == "first-move");
        EXPECT_EQ(plot->find("in training") != std::string::npos, std::string(name) == "loss");
    }
}

TEST_F(TrainReport, RefusesWhatItCannotShow) {
    EXPECT_EQ(error_of(training_record(100, 3)),
              ": no validation with figures, expected one at least: is it too early?");
    EXPECT_EQ(error_of("[1]\n" + validation_record(100, 3, 0.1)),
              ": line 1: no record, expected a JSON object with a kind");
    EXPECT_EQ(error_of("what\n" + validation_record(100, 3, 0.1)),
              ": line 1: no record, expected a JSON object with a kind");
}

}  // namespace
}  // namespace scholar::learning
