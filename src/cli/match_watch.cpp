#include "cli/match_watch.hpp"

#include <fmt/format.h>

#include "arena/match_output.hpp"
#include "base/progress.hpp"

namespace scholar::cli {

namespace {

// Ends the match when the test has decided.
class SprtWatch : public arena::MatchObserver {
  public:
    explicit SprtWatch(const arena::SprtSettings& settings) : test_(settings) {}

    void replay(const arena::EarlierGames& earlier, int games) {
        test_.replay(earlier.games, games);
        end_if_decided();
    }
    base::Status game_finished(const arena::MatchGame&, const arena::MatchResult& so_far) override {
        test_.update(so_far.pairs());
        end_if_decided();
        return {};
    }
    const arena::Sprt& test() const { return test_; }
    const std::stop_source& decided() const { return decided_; }

  private:
    void end_if_decided() {
        if (test_.verdict() != arena::Sprt::Verdict::None) decided_.request_stop();
    }

    arena::Sprt test_;
    std::stop_source decided_;
};

class ProgressLine : public arena::MatchObserver {
  public:
    // `sprt`: nothing where there is no test.
    ProgressLine(int games, const SprtWatch* sprt) : games_(static_cast<std::uint64_t>(games)), sprt_(sprt) {}
    void match_started(const arena::MatchResult& so_far) override {
        const std::string title = so_far.engines.size() > 2 ? fmt::format("{} engines", so_far.engines.size())
                                                            : fmt::format("{} - {}", so_far.engines[0].name,
                                                                          so_far.engines[1].name);
        progress_.emplace(title, games_, "games", so_far.games());
    }
    base::Status game_finished(const arena::MatchGame& game, const arena::MatchResult& so_far) override {
        std::string note = so_far.engines.size() > 2
                               ? fmt::format("{} - {} {}", game.names[game.white], game.names[1 - game.white],
                                             games::to_string(game.result))
                               : arena::describe_briefly(so_far);
        if (sprt_ != nullptr) note += ", " + sprt_->test().describe_briefly();
        progress_->update(so_far.games(), note);
        return {};
    }

  private:
    std::uint64_t games_;
    const SprtWatch* sprt_;
    std::optional<base::Progress> progress_;
};

}  // namespace

base::Result<WatchedMatch> watch_match(const arena::MatchOptions& options,
                                       const std::optional<arena::SprtSettings>& sprt,
                                       std::vector<arena::MatchObserver*> observers,
                                       const arena::EarlierGames& earlier, const std::stop_token& stop) {
    std::optional<SprtWatch> test;
    if (sprt) {
        test.emplace(*sprt);
        test->replay(earlier, options.games);
        observers.push_back(&*test);
    }
    std::stop_source either;
    const auto end = [&either] { either.request_stop(); };
    const std::stop_callback on_stop(stop, end);
    const std::stop_callback on_decision(test ? test->decided().get_token() : std::stop_token{}, end);
    ProgressLine progress(options.games * static_cast<int>(options.pairings.size()), test ? &*test : nullptr);
    observers.push_back(&progress);
    auto result = arena::play_match(options, observers, either.get_token(), earlier);
    if (!result) return std::unexpected(result.error());
    if (!stop.stop_requested()) result->interrupted = false;
    return WatchedMatch{std::move(*result), test ? std::optional(test->test()) : std::nullopt};
}

}  // namespace scholar::cli
