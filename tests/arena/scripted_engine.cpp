#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

#include "chess/fen.hpp"
#include "chess/line.hpp"
#include "chess/uci_move.hpp"
#include "scripted.hpp"

// A UCI engine that behaves, or misbehaves at its n-th search (from 1), as its arguments say:
//   scripted_engine MODE [N [MOVE]]
// In modes "silent" and "flood" it does so from the start, in "flood-when-asked" from the first isready. In
// mode "breaks" it dies at its second game and leaves the file MOVE, and does not start while there is one,
// but takes it away. In mode "complains" it has an option EvalFile, which it takes no file for but "good",
// and has something to complain of at every new game too. Until then, and in mode "ok", it plays the legal
// move whose UCI text comes first in the alphabet.

namespace {

using namespace scholar;
using tests::first_move;
using tests::hang;
using tests::say;

// Lines without end, faster than they are read.
[[noreturn]] void flood() {
    std::string lines;
    for (int i = 0; i < 4096; ++i) lines += "info string noise\n";
    while (true) std::fwrite(lines.data(), 1, lines.size(), stdout);
}

chess::Line read_position(const std::string& command) {
    std::istringstream words(command);
    std::string word;
    words >> word >> word;
    chess::Position start;
    if (word == "fen") {
        std::string fen;
        while (words >> word && word != "moves") fen += word + " ";
        start = chess::parse_fen(fen).value();
    } else {
        words >> word;
    }
    chess::Line line(start);
    while (words >> word) line.push(chess::parse_uci_move(line.current(), word).value());
    return line;
}

// The n-th search: what goes wrong.
void misbehave(const std::string& mode, const std::string& argument) {
    if (mode == "crash") tests::crash();
    if (mode == "exit") std::exit(3);
    if (mode == "hang") hang();
    if (mode == "illegal") say("bestmove a1a1");
    if (mode == "garbage") say("bestmove \x01\x02 banana");
    if (mode == "no-move") say("bestmove");
    if (mode == "chatter") {
        // Nothing but noise, in one endless line.
        const std::string noise(4096, 'x');
        while (std::fwrite(noise.data(), 1, noise.size(), stdout) > 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (mode == "floods-in-go") flood();
    if (mode == "close") {
        std::fclose(stdout);
        hang();
    }
    if (mode == "slow") {
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        say("bestmove " + argument);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "ok";
    const int when = argc > 2 ? std::atoi(argv[2]) : 1;
    const std::string argument = argc > 3 ? argv[3] : "";
    if (mode == "silent") hang();
    if (mode == "flood") flood();
    if (mode == "breaks" && std::remove(argument.c_str()) == 0) return 9;
    int searches = 0;
    chess::Line line;
    std::string command;
    while (std::getline(std::cin, command)) {
        if (command == "uci") {
            say("This line is not UCI");
            say("id name Scripted " + mode);
            say("option name Hash type spin default 16 min 1 max 1024");
            say("option name Style type combo default Normal var Normal var Very Risky");
            say("option name OwnBook type check default true");
            say("option name UCI_Chess960 type check default false");
            if (mode == "complains") say("option name EvalFile type string default <empty>");
            say("uciok");
        } else if (command == "isready") {
            if (mode == "flood-when-asked") flood();
            say("readyok");
        } else if (command.starts_with("setoption name EvalFile") && !command.ends_with(" good")) {
            say("info string a remark");
            say("info string ERROR: " + command.substr(command.find("value ") + 6) + ": no such file");
        } else if (command == "ucinewgame" && mode == "complains") {
            say("info string error: something else");
        } else if (command == "ucinewgame" && mode == "dies-between-games") {
            if (++searches > 1) return 7;
        } else if (command == "ucinewgame" && mode == "breaks") {
            if (++searches > 1) {
                std::fclose(std::fopen(argument.c_str(), "w"));
                return 7;
            }
        } else if (command.starts_with("position")) {
            line = read_position(command);
        } else if (command.starts_with("go")) {
            const bool now = ++searches == when;
            const std::string move = first_move(line.current());
            if (mode == "fixed") {
                say("info depth 3 score cp 20 nodes 1000 time 5 pv " + argument);
                say("bestmove " + argument);
            } else if (mode == "score") {
                say("info depth 5 score cp " + argument + " nodes 50 time 1 pv " + move);
                say("bestmove " + move);
            } else if (mode == "mate") {
                say("info depth 5 score mate " + argument + " nodes 50 time 1 pv " + move);
                say("bestmove " + move);
            } else if (now && mode != "ok" && mode != "complains" && mode != "dies-between-games" &&
                       mode != "breaks") {
                misbehave(mode, move);
            } else {
                say("info depth 2 seldepth 4 multipv 1 score cp 13 nodes 200 time 1 pv " + move);
                say("info depth 3 score cp -99 upperbound nodes 250 time 1");
                say("info string a remark about score cp 5");
                say("bestmove " + move + " ponder a7a6");
            }
        } else if (command == "quit") {
            return 0;
        }
    }
}
