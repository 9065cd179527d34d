#include "learning/reports/learn_screen.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/progress.hpp"
#include "base/text.hpp"

namespace scholar::learning {

namespace {

using Clock = std::chrono::steady_clock;
using base::short_count;

std::string duration(double seconds) {
    return base::short_duration(std::chrono::seconds(std::llround(std::max(0.0, seconds))));
}

// "4.80 k games".
std::string about(std::uint64_t count, std::string_view one) {
    return short_count(static_cast<double>(count)) + " " + base::noun(count, one);
}

double per_second(double count, double seconds) {
    return seconds > 0 ? count / seconds : 0;
}

std::string bar(double share, int width) {
    const int full = static_cast<int>(std::clamp(share, 0.0, 1.0) * width);
    return fmt::format("[{:#<{}}{:.<{}}]", "", full, "", width - full);
}

std::string time_line(const LearnStatus& status) {
    const double core_minutes = status.progress.core_seconds / 60;
    if (status.share_done <= 0)
        return fmt::format("time        {}, {:.1f} core-minutes", duration(status.seconds), core_minutes);
    const double left = status.share_done >= 1 ? 0 : status.seconds * (1 / status.share_done - 1);
    return fmt::format("time        {} {:3.0f} %  {}, {:.1f} core-minutes, {} left",
                       bar(status.share_done, 12), 100 * status.share_done, duration(status.seconds),
                       core_minutes, duration(left));
}

// The course of the ratings as a row of columns, the last ones if there are too many.
std::string sparkline(const std::vector<LearnRating>& ratings, int width) {
    static constexpr std::array<const char*, 8> kColumns{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double most = 1;
    for (const LearnRating& rating : ratings) most = std::max(most, rating.elo);
    const std::size_t first = ratings.size() > static_cast<std::size_t>(width)
                                  ? ratings.size() - static_cast<std::size_t>(width)
                                  : 0;
    std::string line;
    for (std::size_t i = first; i < ratings.size(); ++i) {
        const double height = std::clamp(ratings[i].elo / most, 0.0, 1.0) * 7;
        line += kColumns[static_cast<std::size_t>(std::lround(height))];
    }
    return line;
}

std::string on_new_positions(const RoundSummary& round) {
    return round.fresh_loss ? fmt::format("; on new positions {:.4f}", *round.fresh_loss) : "";
}

std::string place_text(const LadderPlace& place) {
    return arena::describe_place(place.kind, place.elo, place.error);
}

class Screen final : public LearnObserver {
  public:
    explicit Screen(std::FILE* out) : out_(out), terminal_(isatty(fileno(out)) == 1) {}
    ~Screen() override {
        if (drawn_lines_ > 0) std::fputs("\n", out_);
    }

    void on_status(const LearnStatus& status, bool round_ended) override {
        const auto now = Clock::now();
        if (terminal_) {
            if (!round_ended && now - drawn_ < std::chrono::milliseconds(250)) return;
            drawn_ = now;
            draw(screen_lines(status, columns()));
            return;
        }
        const bool rated = status.ratings.size() > ratings_shown_;
        if (!round_ended || (!rated && drawn_lines_ > 0 && now - drawn_ < std::chrono::minutes(1))) return;
        drawn_ = now;
        drawn_lines_ = 1;
        ratings_shown_ = status.ratings.size();
        fmt::print(out_, "{}\n", status_line(status));
        std::fflush(out_);
    }

    void on_notice(const std::string& text) override {
        if (terminal_) rub_out();
        fmt::print(out_, "{}\n", text);
        std::fflush(out_);
    }

  private:
    int columns() const {
        winsize size{};
        return ioctl(fileno(out_), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
    }
    void rub_out() {
        if (drawn_lines_ > 1) fmt::print(out_, "\x1b[{}A", drawn_lines_ - 1);
        if (drawn_lines_ > 0) fmt::print(out_, "\r\x1b[J");
        drawn_lines_ = 0;
    }
    void draw(const std::vector<std::string>& lines) {
        rub_out();
        fmt::print(out_, "{}", fmt::join(lines, "\n"));
        std::fflush(out_);
        drawn_lines_ = lines.size();
    }

    std::FILE* out_;
    bool terminal_;
    Clock::time_point drawn_{};
    std::size_t drawn_lines_ = 0;
    std::size_t ratings_shown_ = 0;
};

// Cut to so many characters, of which a byte that goes on with another is none.
std::string cut_to(const std::string& text, int width) {
    int count = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
        if (count++ == width) return text.substr(0, i);
    }
    return text;
}

}  // namespace

std::vector<std::string> screen_lines(const LearnStatus& status, int width) {
    std::vector<std::string> lines;
    const LearnProgress& progress = status.progress;
    lines.push_back(fmt::format(
        "generation  {}{}", progress.rounds,
        status.games_of_round > 0
            ? fmt::format(", {} of {}", status.games_of_round, base::counted(status.stage.games, "game"))
            : ""));
    lines.push_back(fmt::format("learnt      {}, {}; {} a move", about(progress.games, "game"),
                                about(progress.lessons, "position"),
                                base::counted(status.stage.play.nodes, "node")));
    if (!status.network.empty()) lines.push_back("network     " + status.network);
    const auto from = [](std::uint64_t lessons) { return short_count(static_cast<double>(lessons)); };
    lines.push_back(
        fmt::format("stage       from {} positions on{}", from(status.stage.from),
                    status.next ? fmt::format(", the next from {}", from(*status.next)) : ", the last"));
    if (status.round) {
        const RoundSummary& round = *status.round;
        const auto games = static_cast<double>(std::max<std::uint64_t>(1, round.games));
        lines.push_back(
            fmt::format("playing     {} games/s, {} positions/s ({} lessons), {} nodes/s",
                        short_count(per_second(games, round.playing)),
                        short_count(per_second(static_cast<double>(round.judged), round.playing)),
                        short_count(per_second(static_cast<double>(round.lessons), round.playing)),
                        short_count(per_second(static_cast<double>(round.nodes), round.playing))));
        lines.push_back(
            fmt::format("training    {} positions/s, {:.0f} % of the time",
                        short_count(per_second(static_cast<double>(round.trained), round.training)),
                        100 * round.training / std::max(1e-9, round.playing + round.training)));
        lines.push_back(round.steps == 0
                            ? "loss        not trained yet: the window fills"
                            : fmt::format("loss        {:.4f}; of a constant {:.4f}{}", round.loss,
                                          round.constant_loss, on_new_positions(round)));
        lines.push_back(fmt::format("games       {:.0f} % drawn, {:.0f} half-moves",
                                    100 * static_cast<double>(round.draws) / games,
                                    static_cast<double>(round.half_moves) / games));
    }
    const nets::PieceValues& values = status.piece_values;
    const double pawn = std::max(1, values[0]);
    lines.push_back(fmt::format("pieces      P {}  N {:.1f}  B {:.1f}  R {:.1f}  Q {:.1f} pawns", values[0],
                                values[1] / pawn, values[2] / pawn, values[3] / pawn, values[4] / pawn));
    if (!status.ratings.empty()) {
        const LearnRating& last = status.ratings.back();
        lines.push_back(fmt::format("rating      {:.0f} ± {:.0f} above the start  {}", last.elo, last.error,
                                    sparkline(status.ratings, 32)));
    }
    if (status.placing)
        lines.push_back(fmt::format("ladder      {} of {} games of the network after {} core-minutes",
                                    status.placing->games, status.placing->of, status.placing->minutes));
    else if (status.place)
        lines.push_back(fmt::format("ladder      {} after {:.0f} core-minutes, {} games",
                                    place_text(*status.place), status.place->core_seconds / 60,
                                    status.place->games));
    if (!status.alarms.empty())
        lines.push_back(fmt::format("alarms      {}", fmt::join(status.alarms, ", ")));
    lines.push_back(time_line(status));
    for (std::string& line : lines) line = cut_to(line, width);
    return lines;
}

std::string status_line(const LearnStatus& status) {
    const LearnProgress& progress = status.progress;
    std::string line = fmt::format("generation {}, {}, {}, {:.1f} core-minutes", progress.rounds,
                                   about(progress.games, "game"), about(progress.lessons, "position"),
                                   progress.core_seconds / 60);
    if (status.round) {
        const RoundSummary& round = *status.round;
        const auto games = static_cast<double>(std::max<std::uint64_t>(1, round.games));
        line += round.steps > 0
                    ? fmt::format(", loss {:.4f} (constant {:.4f})", round.loss, round.constant_loss)
                    : ", not trained yet: the window fills";
        line += fmt::format(", {:.0f} % drawn, {} nodes/s", 100 * static_cast<double>(round.draws) / games,
                            short_count(per_second(static_cast<double>(round.nodes), round.playing)));
    }
    if (!status.ratings.empty())
        line += fmt::format(", rating {:.0f} ± {:.0f} above the start", status.ratings.back().elo,
                            status.ratings.back().error);
    if (status.place) line += fmt::format(", on the ladder {}", place_text(*status.place));
    return line;
}

std::unique_ptr<LearnObserver> make_learn_screen(bool to_stderr) {
    return std::make_unique<Screen>(to_stderr ? stderr : stdout);
}

}  // namespace scholar::learning
