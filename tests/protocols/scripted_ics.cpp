// A chess server for tests of the command line: scripted_ics SEED. Prints its port, goes on until its
// standard input ends, then prints a line for each game that has a result: WHITE BLACK RESULT HALF-MOVES.

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <string>

#include "protocols/ics_server.hpp"

int main(int argc, char** argv) {
    using namespace scholar;
    tests::ServerSettings settings;
    if (argc > 1) settings.seed = std::strtoull(argv[1], nullptr, 10);
    settings.faults = {.garbage = 0.05,
                       .cut = 0,  // the client would wait for seconds before it comes back
                       .slow = 0.1,
                       .bogus_board = 0.05,
                       .false_board = 0.02,
                       .twice = 0.05,
                       .late = 0.05,
                       .lost_move = 0};
    settings.opponent_resigns = 0;
    settings.opponent_asks = 0.1;
    tests::IcsServer server(settings);
    fmt::print("{}\n", server.port());
    std::fflush(stdout);
    for (std::string line; std::getline(std::cin, line);) {
    }
    for (const auto& game : server.close().games)
        if (game.result != games::GameResult::Unknown)
            fmt::print("{} {} {} {}\n", game.white, game.black, games::to_string(game.result),
                       game.moves.size());
    return 0;
}
