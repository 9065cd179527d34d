#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "protocols/ics_messages.hpp"

namespace scholar::protocols::ics {

// A time control as servers have it: minutes for the game, seconds for each move.
struct ServerTime {
    int minutes = 3;
    int increment = 0;
    bool operator==(const ServerTime&) const = default;
};
// "3 0" or "3+0".
base::Result<ServerTime> parse_server_time(std::string_view text);

// Whom we play, and at what. Only ordinary chess: the kinds lightning, blitz and standard.
struct PolicySettings {
    std::vector<ServerTime> seeks;  // advertised; match requests at other times follow the next two
    ServerTime fastest{1, 0};       // of those that we are asked for, by base + 40 increments
    ServerTime slowest{15, 10};
    std::optional<bool> rated;        // nothing: both are accepted, and unrated games sought
    std::optional<int> least_rating;  // of opponents; who has none is refused if either is set
    std::optional<int> most_rating;
    std::vector<std::string> refused;  // names
    int most_in_a_row = 0;             // games with one opponent; 0: no limit
    bool accepts_challenges = true;    // else only who answers our advertisements plays
};

// Decides on match requests. Keeps count of who was played.
class OpponentPolicy {
  public:
    explicit OpponentPolicy(PolicySettings settings) : settings_(std::move(settings)) {}

    // "" to accept it, else why not. An adjourned game is gone on with whatever the settings say now.
    std::string reason_to_decline(const Challenge& challenge) const;
    // The commands that advertise for opponents.
    std::vector<std::string> seek_commands() const;
    void note_game(std::string_view opponent);

    const PolicySettings& settings() const { return settings_; }

  private:
    PolicySettings settings_;
    std::string last_opponent_;
    int in_a_row_ = 0;
};

// Whether a kind of game is ordinary chess: not wild, bughouse, crazyhouse or another variant.
bool is_ordinary_chess(std::string_view kind);

}  // namespace scholar::protocols::ics
