#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/locked_appender.hpp"
#include "arena/ratings.hpp"
#include "base/error.hpp"
#include "games/game.hpp"

namespace scholar::arena {

// A game of the ladder as its file keeps it.
struct LadderGame {
    int pair = 0;     // number of the pair among those of these two players, from 0
    int opening = 0;  // index into the openings
    std::string white;
    std::string black;
    games::GameResult result = games::GameResult::Unknown;
    std::string reason{};   // how it ended
    std::string failure{};  // "" or what a player did to lose it off the board
    std::string failed{};   // who
    int plies = 0;          // of the players, without the opening's
    double seconds = 0;     // that the players thought together
};

// Games that were played on a ladder, and who played them.
struct LadderRecord {
    // What a name stood for.
    struct Identity {
        std::size_t line = 0;  // that says so; 0: of this run
        std::string engine;
        std::string time_control;
    };
    std::vector<LadderGame> games;
    std::map<std::string, Identity> players;  // by name

    // All results.
    ResultPool pool() const;
    // Seconds that a game of this player took on average; nothing without a game.
    std::optional<double> mean_seconds(const std::string& player) const;
};

// `name`: what errors call the text. Every line must be whole and sound.
base::Result<LadderRecord> parse_ladder_games(std::string_view text, const std::string& name);
// Of a file, which may be compressed, which nobody may write or which another process writes: a last line
// that was cut off is passed over.
base::Result<LadderRecord> read_ladder_games(const std::string& path);
// As lines of JSON, as short as they can be: players, then games without how they went.
std::string compact_text(const LadderRecord& record);

// The games of the ladder on disk: lines of JSON, appended and flushed one after another, so that a run that
// was killed goes on where it was. Before the first game of a player a line says who that is, so that two
// engines of one name are not taken for one.
class LadderGames {
  public:
    // Reads the file if there is one. A last line that was cut off is taken away; other lines must be sound.
    // Refused: a file that another process writes.
    static base::Result<LadderGames> open(const std::string& path);

    const LadderRecord& record() const { return content_; }
    const std::vector<LadderGame>& games() const { return content_.games; }
    // Notes that the player of this name is this one. Refused if the file has another of that name.
    base::Status declare(const std::string& name, const std::string& engine, const std::string& time_control);
    base::Status append(const LadderGame& game);

    // Whether it is a game of these two, whoever had White.
    static bool is_between(const LadderGame& game, const std::string& a, const std::string& b);
    // The number that the next pair of these two has.
    int next_pair(const std::string& a, const std::string& b) const;

  private:
    LadderGames(LockedAppender file, LadderRecord content)
        : file_(std::move(file)), content_(std::move(content)) {}

    LockedAppender file_;
    LadderRecord content_;
};

}  // namespace scholar::arena
