#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/ladder.hpp"
#include "arena/move_suite.hpp"
#include "arena/statistics.hpp"
#include "arena/suite.hpp"
#include "arena/time_control.hpp"
#include "base/error.hpp"
#include "games/store.hpp"
#include "learning/papers/paper_store.hpp"
#include "learning/run/run_files.hpp"
#include "learning/selfplay_loop/learn_status.hpp"

// What the reproduction of a paper is made of: learning, matches, places on the ladder. Each remembers in the
// reproduction's folder what was done, so that the same command goes on where it was stopped or killed, and
// says at once what is known already.

namespace scholar::learning {

// Who plays, within this process or, of a command, as a UCI engine of its own.
struct Contender {
    std::string name;                                          // tells it from all others of the reproduction
    std::filesystem::path network;                             // empty: the one that is built in
    std::vector<std::pair<std::string, std::string>> options;  // of the engine
    std::vector<std::string> command{};                        // program and arguments; empty: this program
};

// "56.0".
std::string in_per_cent(double share);

// A figure of a network, and that of the best constant answer.
struct TrainedFigure {
    double network = 0;
    double constant = 0;
};
using TrainedFigures = std::map<std::string, TrainedFigure>;

// A run of training that is over.
struct Trained {
    TrainedFigures figures;  // by name, as measured in the end
    std::filesystem::path folder;

    // Null: it was not measured.
    const TrainedFigure* find(const std::string& name) const {
        const auto found = figures.find(name);
        return found == figures.end() ? nullptr : &found->second;
    }
    // A figure for a table, as in_per_cent() or with three digits ("1.234"); "–": not measured.
    std::string per_cent(const std::string& name) const;
    std::string loss(const std::string& name) const;
    std::filesystem::path network() const { return folder / kNetworkFile; }
    // To go on learning from, of a network of moves and of a residual one.
    std::filesystem::path weights() const { return folder / kWeightsFile; }
    std::filesystem::path unfolded() const { return folder / kUnfoldedFile; }
};

// Games of a first contender against a second.
struct Duel {
    arena::WinDrawLoss games;  // from the first one's view
    std::optional<arena::Rating> rating;
    std::filesystem::path pgn{};  // the games, if they were to be kept, in which the first is called
    std::string first{};          // so
    // Games that were lost otherwise than on the board: "a 3 time loss, b 1 crash"; empty: none. Then the
    // score says less of who is stronger.
    std::string failures{};
};
enum class MatchRecord { Results, Pgn };

struct ReproductionOptions {
    std::filesystem::path output;
    int threads = 1;         // games at a time
    int match_games = 200;   // of each match
    int ladder_games = 200;  // of each network on the ladder; 0: none plays there
    int seeds = 3;           // runs of an experiment that learns several times
    double length =
        1;  // of each run that learns from stores (and of the games of `mates`), as a share of the whole
    // Stores of games that others played, for a paper that learns from such; none: the default player's own.
    std::vector<std::string> stores{};
    // Stores of other games, which are asked about too and not learnt from.
    std::vector<std::string> test_stores{};
    // Policies of others, by name, which are asked beside ours.
    std::vector<std::pair<std::string, std::string>> beside{};
    // A file of positions with the best moves, or what each is worth (arena/suite.hpp), that networks are
    // asked; empty: none.
    std::string suite{};
    // Everything in less than a minute, to see that it runs: what is learnt, played and looked at is cut
    // short.
    bool quick = false;
};

// +60 =20 −20 and what that is in Elo, with the games that were not lost on the board; "–" of no games.
std::string describe(const Duel& duel);
// "+69 ± 60"; where all were lost only a bound is known, "at most -484". "–" of no games.
std::string describe_elo(const Duel& duel);
// "; not lost on the board: a 3 time loss"; nothing where all were.
std::string describe_failures(const Duel& duel);

base::Result<std::vector<games::StoreReader>> open_stores(const std::vector<std::string>& paths);

// Every call may be told to stop, which is an error that says so (stopped_to_go_on()).
class Reproduction {
  public:
    Reproduction(const ReproductionOptions& options, std::stop_token stop)
        : options_(options), stop_(std::move(stop)) {}

    const ReproductionOptions& options() const { return options_; }
    const std::stop_token& stop() const { return stop_; }
    std::filesystem::path path(std::string_view name) const { return options_.output / name; }
    // A number of games to learn from, or whatever else an experiment has to be cut short by.
    std::uint64_t sized(std::uint64_t full, std::uint64_t quick) const {
        return options_.quick ? quick : full;
    }
    // What is left of that many positions or steps of training (ReproductionOptions::length); one at least.
    std::uint64_t length(std::uint64_t whole) const;
    // A move.
    std::uint64_t nodes(std::uint64_t full) const;

    // Learns on-line (learning/online/online_learner.hpp) in the folder of this name until so many games have
    // been played, with a recipe that is part of the program; it looks at nodes() of the recipe's for a move.
    base::Status learn_online(const std::string& name, std::string_view recipe, std::uint64_t seed,
                              std::uint64_t games) const;
    // A store of the default player's games against itself, as paper_store.hpp has them. Where it is.
    base::Result<std::filesystem::path> games(const PaperStore& wanted) const;
    // The stores of the options; where there are none, that one.
    base::Result<std::vector<std::string>> stores_or(const PaperStore& own) const;
    // Trains as a recipe says, [run] output left out, in a folder whose name begins so; or takes what that
    // gave before.
    base::Result<Trained> train(const std::string& name, const std::string& recipe) const;
    // The same recipe after so many core-minutes of training, or at its end if that comes first: a run that
    // is read at several times goes on from one to the next. Its figure "samples" says from how many it
    // learnt.
    base::Result<Trained> train_for(const std::string& name, const std::string& recipe,
                                    double core_minutes) const;
    // Learns by its own play (learning/segments/segment_learner.hpp) likewise, with a recipe that says how
    // many iterations. The network.
    base::Result<std::filesystem::path> learn_by_segments(const std::string& name,
                                                          const std::string& recipe) const;
    // Learns from its own games by a recipe of `scholar learn`, in one thread, until that has taken so many
    // core-minutes, and goes on from there likewise. Its figure "samples" says how many positions of them it
    // has learnt from, each once.
    base::Result<Trained> learn_for(const std::string& name, const std::string& recipe, std::uint64_t seed,
                                    double core_minutes) const;
    // What it scores in the suite of the options, with so much time a position.
    base::Result<arena::SuiteScore> solve(const Contender& contender, std::chrono::milliseconds time) const;
    // A match of match_games from the built-in openings, both with the same limit; or of so many, each with
    // its own.
    base::Result<Duel> match(const Contender& first, const Contender& second,
                             const arena::TimeControl& control) const {
        return match(first, second, std::array{control, control}, options_.match_games);
    }
    base::Result<Duel> match(const Contender& first, const Contender& second,
                             const std::array<arena::TimeControl, 2>& controls, int games,
                             MatchRecord kept = MatchRecord::Results) const;
    // Which moves of a held-out set these foretell (arena/move_suite.hpp), each without a search.
    base::Result<arena::MoveSuiteResult> foretell(const games::HeldOutSet& set,
                                                  const games::MoveHabits& habits,
                                                  const std::vector<Contender>& contenders) const;
    // Why nobody can be placed on the ladder, if so: it is not wanted, or there is no scale here.
    std::optional<std::string> why_no_places() const;
    // Its place on the ladder, with this limit of its own. Nothing if it cannot be placed. Networks that are
    // the same, as those of all seeds before the first game, play once.
    base::Result<std::optional<LadderPlace>> place(const Contender& contender,
                                                   const arena::TimeControl& control);

  private:
    // Fails where nobody can be placed.
    base::Result<arena::Ladder> ladder() const;

    const ReproductionOptions options_;
    const std::stop_token stop_;
    std::map<std::uint64_t, std::optional<LadderPlace>>
        places_;  // by the hash of network, options and control
};

}  // namespace scholar::learning
