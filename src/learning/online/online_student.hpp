#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/glicko.hpp"
#include "arena/locked_appender.hpp"
#include "base/error.hpp"
#include "learning/linear/online_predictions.hpp"
#include "learning/online/online_checkpoint.hpp"
#include "learning/online/online_recipe.hpp"
#include "learning/run/run_settings.hpp"
#include "learning/run/run_shell.hpp"
#include "nets/container/any_network.hpp"
#include "search/search.hpp"
#include "selfplay/recording_player.hpp"

// The linear evaluation that learns from one game after another, with its run's folder: whoever brings the
// opponents (a pool of engines, a chess server) lets it play and hands it the games.

namespace scholar::learning {

struct OnlineOptions {
    std::filesystem::path output;
    std::optional<std::uint64_t> seed;  // unless given: of the run that is resumed, or 1
    std::uint64_t games = 0;            // to have played, earlier runs included; 0: no end
    // Go on from the run's last checkpoint, or from the start of a run that has none yet. Where there is no
    // run: refused, or begun if that is said too.
    bool resume = false;
    bool or_begin = false;
    bool overwrite = false;  // begin again although the folder holds a run, whose files go
    bool json = false;       // JSON lines on standard output
};

// A game to learn from.
struct StudentGame {
    // Whose searches teach: the student's; both sides', its own first, where it plays itself.
    struct Side {
        chess::Color color = chess::White;
        std::span<const selfplay::Thought> thoughts;
    };
    chess::Position start;
    std::vector<chess::Move> moves;  // all, those of its opening included
    std::vector<Side> sides;
    games::GameResult result = games::GameResult::Draw;
    games::Ending ending = games::Ending::Unknown;
    std::string reason;  // how it ended, in words
    std::string opponent;
    // Nothing where it plays itself, or nobody knows: its own rating stays then.
    std::optional<arena::Glicko> opponent_rating;
    std::string pgn;  // what is kept of it
};

// Leaves in its output folder
//   network.safetensors     the newest weights, after every game
//   snapshots/              weights after 0, 25, 50, 100, 200 … games: game-000100.safetensors
//   checkpoint.safetensors  to go on from, and the one before it, after every game
//   games.pgn               all games
//   metrics.jsonl           a record for each game
class OnlineStudent {
  public:
    // Begins a run or goes on with one, as the options say. Refused: a folder with a run, or with files of
    // one, that the user has not said to be gone on with or overwritten; a run of another recipe; one that
    // another process works on. The recipe and the options must outlive it.
    static base::Result<std::unique_ptr<OnlineStudent>> open(const OnlineRecipe& recipe,
                                                             const OnlineOptions& options);

    std::uint64_t seed() const { return seed_; }
    std::uint64_t games() const { return now_.games; }
    const arena::Glicko& rating() const { return now_.rating; }
    bool finished() const { return shell_.is_over({.games = now_.games}); }

    // Its search, in learning mode, with the newest weights. `tap`: listens to its nodes; none if null.
    std::unique_ptr<search::Search> search(search::Table& table, search::NodeTap* tap) const;
    // Who listens to a search's nodes, where they teach; else null.
    std::unique_ptr<selfplay::TreeStrap> tap() const;

    // Learns from a game, writes it down, and makes all of it last.
    base::Status learn(const StudentGame& game);

    // What else belongs to the run: ratings of opponents by name, and the names of all that can be played.
    const std::map<std::string, arena::Glicko>& opponents() const { return now_.opponents; }
    void set_opponent(const std::string& name, const arena::Glicko& rating) { now_.opponents[name] = rating; }
    // Says so if they are others than before.
    void set_pool(std::vector<std::string> names);

    // A line for people.
    void say(const std::string& text) const;

  private:
    OnlineStudent(const OnlineRecipe& recipe, const OnlineOptions& options);

    base::Status begin();
    base::Status check_folder(bool has_checkpoint) const;
    base::Status remove_old_run();
    base::Status start_anew(const nets::FloatLinearNetwork& network);
    base::Status resume(OnlineCheckpoint from);
    base::Result<nets::FloatLinearNetwork> first_network() const;
    RunSettings settings() const;
    nets::FloatLinearNetwork network_of(const std::vector<double>& weights) const;
    // What goes into files: the mean of the weights, if there is one.
    const std::vector<double>& kept() const { return now_.mean.empty() ? now_.weights : now_.mean; }

    // What one side's searches came to.
    struct Counts {
        std::size_t searched = 0;  // positions
        std::size_t exact = 0;     // of them, those that teach
        std::size_t expected = 0;  // replies
        double squares = 0;        // of the errors
    };
    void learn(const StudentGame& game, const StudentGame::Side& side, bool opponent_is_weaker,
               Counts& counts);
    // Of the game that is being learnt from.
    double alpha() const;
    void change_weights();
    void note_starts(const StudentGame& game);
    // By stage, in pawns.
    std::vector<double> weights_of(int feature) const;
    base::Status keep(const StudentGame& game, nlohmann::json record);

    const OnlineRecipe& recipe_;
    const OnlineOptions& options_;
    std::uint64_t seed_;
    RunShell shell_;
    OnlineCheckpoint now_;
    std::array<double, nets::kStageCount> pawn_{};  // as it stays, if it does
    std::optional<arena::LockedAppender> games_;
    nets::AnyNetwork playing_;
};

}  // namespace scholar::learning
