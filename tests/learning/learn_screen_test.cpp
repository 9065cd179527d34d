#include "learning/reports/learn_screen.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace scholar::learning {
namespace {

LearnStatus some_status() {
    LearnStatus status;
    status.progress = {.rounds = 12, .games = 4'800, .lessons = 650'000, .owed = 0, .core_seconds = 300};
    status.stage.play.nodes = 200;
    status.stage.games = 400;
    status.games_of_round = 37;
    RoundSummary round;
    round.games = 400;
    round.half_moves = 40'000;
    round.judged = 38'000;
    round.lessons = 20'000;
    round.nodes = 8'000'000;
    round.draws = 100;
    round.playing = 4;
    round.trained = 600'000;
    round.training = 1;
    round.steps = 150;
    round.loss = 0.5;
    round.constant_loss = 0.69;
    round.fresh_loss = 0.51;
    status.round = round;
    status.stage.from = 1'000'000;
    status.next = 2'000'000;
    status.network = "768-king4 → 512 × 2 → 1, squared";
    status.alarms = {"draws", "dead units"};
    status.piece_values = {100, 300, 310, 500, 900, 0};
    status.ratings = {{0, 0, 0, 0}, {100'000, 60, 400, 50}, {650'000, 300, 800, 40}};
    status.seconds = 150;
    status.share_done = 0.25;
    return status;
}

bool any_has(const std::vector<std::string>& lines, const std::string& part) {
    return std::ranges::any_of(lines, [&](const std::string& line) { return line.contains(part); });
}

TEST(LearnScreen, SaysHowTheRunStands) {
    const auto lines = screen_lines(some_status(), 200);
    EXPECT_TRUE(any_has(lines, "12, 37 of 400 games"));
    EXPECT_TRUE(any_has(lines, "4.80 k games, 650 k positions; 200 nodes a move"));
    EXPECT_TRUE(any_has(lines, "100 games/s, 9.50 k positions/s (5.00 k lessons), 2.00 M nodes/s"));
    EXPECT_TRUE(any_has(lines, "600 k positions/s, 20 % of the time"));
    EXPECT_TRUE(any_has(lines, "0.5000; of a constant 0.6900; on new positions 0.5100"));
    EXPECT_TRUE(any_has(lines, "network     768-king4 → 512 × 2 → 1, squared"));
    EXPECT_TRUE(any_has(lines, "stage       from 1.00 M positions on, the next from 2.00 M"));
    EXPECT_TRUE(any_has(lines, "alarms      draws, dead units"));
    LearnStatus untrained = some_status();
    untrained.round->steps = 0;
    EXPECT_TRUE(any_has(screen_lines(untrained, 200), "not trained yet"));
    EXPECT_TRUE(any_has(lines, "25 % drawn, 100 half-moves"));
    EXPECT_TRUE(any_has(lines, "N 3.0  B 3.1  R 5.0  Q 9.0"));
    EXPECT_TRUE(any_has(lines, "800 ± 40 above the start  ▁▅█"));
    EXPECT_TRUE(any_has(lines, "25 %  2:30, 5.0 core-minutes, 7:30 left"));
    EXPECT_EQ(
        status_line(some_status()),
        "generation 12, 4.80 k games, 650 k positions, 5.0 core-minutes, loss 0.5000 (constant 0.6900), "
        "25 % drawn, 2.00 M nodes/s, rating 800 ± 40 above the start");
}

TEST(LearnScreen, AgreesInNumber) {
    LearnStatus status;
    status.progress = {.rounds = 1, .games = 1, .lessons = 1, .owed = 0, .core_seconds = 0};
    status.stage.play.nodes = 1;
    status.stage.games = 1;
    status.games_of_round = 1;
    const auto lines = screen_lines(status, 200);
    EXPECT_TRUE(any_has(lines, ", 1 of 1 game"));
    EXPECT_TRUE(any_has(lines, "1 game, 1 position; 1 node a move"));
    EXPECT_TRUE(status_line(status).starts_with("generation 1, 1 game, 1 position, "));
    for (const char* wrong : {"1 games", "1 positions", "1 nodes"})
        EXPECT_FALSE(any_has(lines, wrong)) << wrong;
}

TEST(LearnScreen, ShowsThePlaceOnTheLadder) {
    LearnStatus status = some_status();
    EXPECT_FALSE(any_has(screen_lines(status, 200), "ladder"));
    status.placing = {5, 37, 100};
    EXPECT_TRUE(any_has(screen_lines(status, 200),
                        "ladder      37 of 100 games of the network after 5 core-minutes"));
    status.placing.reset();
    status.place = {300, 1'850, 60, 100};
    EXPECT_TRUE(any_has(screen_lines(status, 200), "ladder      1850 ± 60 after 5 core-minutes, 100 games"));
    EXPECT_TRUE(status_line(status).ends_with(", rating 800 ± 40 above the start, on the ladder 1850 ± 60"));
    status.place->kind = arena::PlaceKind::MoreThan;
    EXPECT_TRUE(any_has(screen_lines(status, 200), "more than 1850 after"));
}

TEST(LearnScreen, KeepsToItsWidthAndNeedsNothing) {
    const auto characters = [](const std::string& line) {
        return std::ranges::count_if(line,
                                     [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
    };
    for (const int width : {1, 10, 40, 80})
        for (const LearnStatus& status : {some_status(), LearnStatus()})
            for (const std::string& line : screen_lines(status, width))
                EXPECT_LE(characters(line), width) << line;
    EXPECT_FALSE(screen_lines({}, 80).empty());
    // A terminal of the usual width has all of it, also after hours.
    LearnStatus late = some_status();
    late.progress = {
        .rounds = 123'456, .games = 49'382'400, .lessons = 3'456'000'000, .owed = 0, .core_seconds = 360'000};
    late.seconds = 200'000;
    late.share_done = 0.4;
    late.place = {300'000, 2'850, 46, 200};
    late.ratings.assign(40, {1'000'000, 60, 2'400, 250});
    EXPECT_EQ(screen_lines(late, 80), screen_lines(late, 1'000));
    EXPECT_FALSE(status_line({}).empty());
}

}  // namespace
}  // namespace scholar::learning
