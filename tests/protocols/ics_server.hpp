#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "chess/types.hpp"
#include "games/game.hpp"

namespace scholar::tests {

// What goes wrong, as chances from 0 to 1.
struct ServerFaults {
    double garbage = 0;      // before a line: talk, binary bytes, telnet commands, endless lines, forgeries
    double cut = 0;          // the connection, after a line or before a move's echo
    double slow = 0;         // of a piece of output to dribble out in crumbs
    double bogus_board = 0;  // a style 12 line that is no board, or not this game's
    double false_board = 0;  // one of this game that is not true: old, or with a piece missing
    double twice = 0;        // a board
    double late = 0;         // an echo
    double lost_move = 0;    // a move that the server never sees
};

struct ServerSettings {
    std::uint64_t seed = 1;
    std::string name = "Scholar";
    std::string password = "secret word";
    bool guests = false;  // names "guest" may log in, as GuestXYZW
    ServerFaults faults;
    // Chances, for each move of the opponent.
    double opponent_resigns = 0.01;
    double opponent_asks = 0.02;              // for a draw, to take back, to abort, to adjourn, to pause
    double opponent_leaves = 0;               // the game is adjourned; he comes back
    double opponent_sleeps = 0;               // until his flag is called
    double adjourned_is_ended = 0.2;          // an adjourned game, while the client is away
    int most_plies = 160;                     // then the opponent resigns
    bool silent = false;                      // accepts connections and says nothing
    bool stays = true;                        // false: ends the connection right after login
    std::vector<std::string> scripted_moves;  // the opponent's, in SAN, before he plays at random
    chess::Color client_side = chess::White;  // with scripted moves; else by chance
};

// A game as the server has it.
struct ServerGame {
    int number = 0;
    std::string white;
    std::string black;
    std::string opponent;
    std::vector<chess::Move> moves;
    games::GameResult result = games::GameResult::Unknown;
    std::string reason;
};

// What the server saw.
struct ServerRecord {
    std::vector<ServerGame> games;  // over, in order; adjourned ones not before they are
    std::vector<ServerGame> open;   // adjourned or in progress when it was closed
    int logins = 0;
    int cuts = 0;
    int illegal_moves = 0;  // in a game, by the client's account, and his turn or not
    int moves_out_of_turn = 0;
    int moves_without_game = 0;
    int resumed = 0;
    int declined = 0;       // match requests, and what the opponent asked for
    int wrong_accepts = 0;  // of a match request that must be declined
    int unknown_commands = 0;
    std::vector<std::string> commands;
};

// A chess server in this process, on a port of 127.0.0.1: one account, and opponents who play legal moves at
// random. It speaks as FICS's help files and published sessions have it: login, seek, match, style 12, draw,
// resign, flag, adjourn and the rest; see ics_server.cpp for what it knows.
class IcsServer {
  public:
    explicit IcsServer(const ServerSettings& settings);
    ~IcsServer();
    IcsServer(const IcsServer&) = delete;
    IcsServer& operator=(const IcsServer&) = delete;

    std::string port() const;
    // Ends it. Only then is the record complete.
    const ServerRecord& close();

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace scholar::tests
