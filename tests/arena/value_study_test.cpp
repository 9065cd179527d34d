#include "arena/value_study.hpp"

#include <array>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "set_maker.hpp"

namespace scholar::arena {
namespace {

// F. J. Anscombe, "Graphs in statistical analysis" (1973): four sets that are as correlated as each other.
TEST(ValueStudy, CorrelationOfAnscombesQuartet) {
    const std::array<double, 11> x{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
    const std::array<double, 11> x4{8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8};
    const std::array<double, 11> y1{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
    const std::array<double, 11> y2{9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74};
    const std::array<double, 11> y3{7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73};
    const std::array<double, 11> y4{6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.50, 5.56, 7.91, 6.89};
    for (const auto& y : {y1, y2, y3}) EXPECT_NEAR(correlation(x, y), 0.816, 0.001);
    EXPECT_NEAR(correlation(x4, y4), 0.817, 0.001);
    EXPECT_EQ(correlation(x, std::array<double, 11>{}), 0);
}

TEST(ValueStudy, MaterialIsTheMovers) {
    const auto balance = [](const char* fen) { return material_balance(*chess::parse_fen(fen)); };
    EXPECT_EQ(balance("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"), 9);
    EXPECT_EQ(balance("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1"), -9);
    EXPECT_EQ(balance("r3k3/7p/8/8/8/8/P7/B1N1K3 w - - 0 1"), 3 + 3 + 1 - 5 - 1);
}

// White always stands better by the same, whatever the position.
class WhiteIsBetter final : public evaluators::BatchEvaluator {
  public:
    nets::Abilities abilities() const override { return {nets::Ability::Value}; }
    nets::Reads reads() const override { return {}; }
    std::size_t capacity() const override { return 3; }
    void submit(const chess::Line& line, const chess::MoveList&) override {
        const bool is_white = line.current().side_to_move() == chess::White;
        opinions_.emplace_back().value = chess::Score::from_expected(is_white ? 0.75 : 0.25);
    }
    base::Status collect(std::vector<evaluators::Opinion>& opinions) override {
        opinions = std::exchange(opinions_, {});
        return {};
    }

  private:
    std::vector<evaluators::Opinion> opinions_;
};

TEST(ValueStudy, ByDistanceFromTheEnd) {
    SetMaker maker;
    maker.add({"f3", "e5", "g4", "Qh4"}, {}, 0, games::GameResult::BlackWins);
    maker.add({"e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"}, {}, 0, games::GameResult::WhiteWins);
    maker.add({"e4", "e5"}, {}, 0, games::GameResult::Draw);
    maker.add({"d4", "d5"});
    WhiteIsBetter value;
    const auto positions = value_positions(maker.set(), value, {});
    ASSERT_TRUE(positions) << positions.error().message;
    ASSERT_EQ(positions->size(), 13);
    EXPECT_EQ(positions->front().to_end, 4);
    EXPECT_EQ(positions->front().outcome, -1);
    EXPECT_NEAR(positions->front().value, 0.5, 0.01);
    const auto rows = values_by_distance(*positions);
    ASSERT_EQ(rows.size(), 2);
    EXPECT_EQ(rows[0].name, "1 to 4");
    EXPECT_EQ(rows[1].name, "5 to 10");
    EXPECT_EQ(rows[0].positions, 8);
    EXPECT_EQ(rows[1].positions, 3);
    // Black won the first, before whose last move he stood at −½; White the second.
    EXPECT_NEAR(rows[0].winners, (2 * -0.5 + 2 * 0.5) / 4, 0.01);
    EXPECT_NEAR(rows[0].right, 0.5, 1e-9);
    EXPECT_NEAR(rows[1].winners, 0.5, 0.01);
    EXPECT_EQ(rows[1].right, 1);
    EXPECT_EQ(got_right({.value = 0, .outcome = 1}), 0.5);

    // ChessNet's says the same in every position: tanh(0.001), which no Score has.
    nets::ChessNetShape shape;
    shape.filters = {16};
    shape.units = 16;
    auto networks =
        std::make_shared<nets::ChessNets>(nets::empty_chess_nets(shape, {nets::ChessNetRole::Value}));
    networks->of(nets::ChessNetRole::Value)->output.bias = {0.001F};
    const auto exact = value_positions(maker.set(), networks, {});
    ASSERT_TRUE(exact) << exact.error().message;
    ASSERT_EQ(exact->size(), 13);
    for (std::size_t i = 0; i < exact->size(); ++i) {
        EXPECT_NEAR((*exact)[i].value, 0.001, 1e-6);
        EXPECT_EQ((*exact)[i].outcome, (*positions)[i].outcome);
    }
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_TRUE(value_positions(maker.set(), networks, stopped.get_token())->empty());
    EXPECT_FALSE(value_positions(maker.set(), std::make_shared<nets::ChessNets>(), {}));
}

}  // namespace
}  // namespace scholar::arena
