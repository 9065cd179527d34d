#include "learning/online/online_learner.hpp"

#include <fmt/format.h>

#include "arena/match_game.hpp"
#include "arena/match_output.hpp"
#include "base/random.hpp"
#include "games/pgn_writer.hpp"
#include "learning/online/online_opponents.hpp"
#include "selfplay/openings.hpp"
#include "selfplay/recording_player.hpp"

namespace scholar::learning {

namespace {

constexpr const char* kName = "Scholar";

class OnlineLearner {
  public:
    OnlineLearner(const OnlineRecipe& recipe, const OnlineOptions& options, std::stop_token stop)
        : recipe_(recipe), options_(options), stop_(std::move(stop)) {}

    base::Result<OnlineOutcome> run() {
        // First, so that a run without opponents replaces no older one.
        if (auto status = find_opponents(); !status) return std::unexpected(status.error());
        auto student = OnlineStudent::open(recipe_, options_);
        if (!student) return std::unexpected(student.error());
        student_ = std::move(*student);
        introduce();
        while (!stop_.stop_requested() && !student_->finished()) {
            auto played = play();
            if (!played) return std::unexpected(played.error());
            if (!*played) break;
        }
        return OnlineOutcome{!stop_.stop_requested(), student_->games(), student_->rating()};
    }

  private:
    base::Status find_opponents();
    void introduce();
    // Plays the next game and learns from it. False: stopped before its end.
    base::Result<bool> play();
    arena::MatchOptions terms(std::optional<std::size_t> opponent, base::Random& random) const;
    // `lots`: for what is left to chance.
    std::unique_ptr<selfplay::RecordingPlayer> player(search::Table& table, std::uint64_t lots) const;

    const OnlineRecipe& recipe_;
    const OnlineOptions& options_;
    const std::stop_token stop_;
    std::unique_ptr<OnlineStudent> student_;
    std::optional<OnlineOpponents> opponents_;  // none: it plays itself
    std::vector<std::string> unsaid_;           // before there was a run to say it in
};

base::Status OnlineLearner::find_opponents() {
    if (recipe_.plays_itself()) return {};
    auto opponents = OnlineOpponents::find(recipe_, [this](const std::string& text) {
        if (student_)
            student_->say(text);
        else
            unsaid_.push_back(text);
    });
    if (!opponents) return std::unexpected(opponents.error());
    opponents_.emplace(std::move(*opponents));
    return {};
}

// Tells the run who can be played, and the opponents what is known of them.
void OnlineLearner::introduce() {
    for (const std::string& text : unsaid_) student_->say(text);
    if (!opponents_) return;
    for (const arena::SkippedPlayer& skipped : opponents_->skipped())
        student_->say(fmt::format("without {}: {}", skipped.name, skipped.reason));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < opponents_->all().size(); ++i) {
        names.push_back(opponents_->all()[i].player.config.name);
        const auto known = student_->opponents().find(names.back());
        if (known != student_->opponents().end()) opponents_->set_rating(i, known->second);
    }
    student_->set_pool(std::move(names));
}

std::unique_ptr<selfplay::RecordingPlayer> OnlineLearner::player(search::Table& table,
                                                                 std::uint64_t lots) const {
    search::Limits limits;
    limits.limits.emplace_back(search::NodeLimit{recipe_.nodes});
    std::optional<selfplay::RecordingPlayer::Inside> inside;
    if (auto tap = student_->tap()) inside.emplace(std::move(tap), base::Random(lots));
    search::NodeTap* const tap = inside ? inside->tap.get() : nullptr;
    return std::make_unique<selfplay::RecordingPlayer>(kName, student_->search(table, tap), std::move(limits),
                                                       std::move(inside));
}

// Of the one game to be played.
arena::MatchOptions OnlineLearner::terms(std::optional<std::size_t> opponent, base::Random& random) const {
    arena::MatchOptions terms;
    terms.time_controls[0] = {arena::TimeControl::Nodes{recipe_.nodes}};
    terms.time_controls[1] = terms.time_controls[0];
    if (opponent) {
        terms.time_controls[1] = opponents_->all()[*opponent].time_control;
        terms.time_margin = opponents_->time_margin();
    }
    const auto opening = selfplay::random_opening(chess::Position(), recipe_.random_moves, random);
    terms.openings = {{chess::Position(), opening.moves}};
    return terms;
}

base::Result<bool> OnlineLearner::play() {
    base::Random random(student_->seed(), student_->games());
    std::optional<std::size_t> number;
    if (opponents_) {
        const auto chosen = opponents_->choose(student_->rating(), recipe_.spread, random);
        if (!chosen) return std::unexpected(chosen.error());
        number = *chosen;
    }
    const arena::MatchOptions terms = this->terms(number, random);
    search::Table table(recipe_.table_megabytes);
    search::Table other_table(number ? search::Table::kMinMegabytes : recipe_.table_megabytes);
    const auto self = player(table, random.next());
    const auto other = number ? nullptr : player(other_table, random.next());
    arena::Player& against = number ? opponents_->engine(*number) : *other;

    arena::MatchGame game;
    game.number = static_cast<int>(student_->games());
    game.names = {kName, number ? opponents_->all()[*number].player.config.name : std::string("itself")};
    game.white = static_cast<int>(student_->games() % 2);
    if (!arena::play_game(terms, {self.get(), &against}, game, stop_)) return false;
    if (number) {
        opponents_->note_game(*number, game.failure != arena::Failure::None, game.reason);
        // Nothing that the weights could answer for. The clock is a part of the game.
        if (game.failure != arena::Failure::None && game.failure != arena::Failure::TimeLoss) return true;
    }

    const chess::Color side = game.white == 0 ? chess::White : chess::Black;
    StudentGame lesson;
    lesson.start = game.start;
    lesson.moves = game.opening_moves;
    for (const arena::PlayedMove& played : game.moves) lesson.moves.push_back(played.move);
    lesson.sides.push_back({side, self->thoughts()});
    if (other) lesson.sides.push_back({~side, other->thoughts()});
    lesson.result = game.result;
    lesson.ending = game.ending;
    lesson.reason = game.reason;
    lesson.opponent = game.names[1];
    lesson.pgn = arena::to_pgn(game, terms, "Scholar learns", games::date_of_today());
    if (number) {
        const arena::RatedOpponent& opponent = opponents_->all()[*number];
        lesson.opponent_rating = opponent.rating;
        if (!opponent.player.anchor) {
            const std::array reverse{arena::GlickoGame{student_->rating(), 1 - game.points(0)}};
            opponents_->set_rating(*number, arena::rate_period(opponent.rating, reverse));
            student_->set_opponent(lesson.opponent, opponents_->all()[*number].rating);
        }
    }
    if (auto status = student_->learn(lesson); !status) return std::unexpected(status.error());
    return true;
}

}  // namespace

base::Result<OnlineOutcome> learn_online(const OnlineRecipe& recipe, const OnlineOptions& options,
                                         std::stop_token stop) {
    return OnlineLearner(recipe, options, std::move(stop)).run();
}

}  // namespace scholar::learning
