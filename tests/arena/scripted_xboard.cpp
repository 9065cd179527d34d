#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

#include "chess/fen.hpp"
#include "chess/line.hpp"
#include "chess/uci_move.hpp"
#include "scripted.hpp"

// An xboard engine that behaves, or misbehaves at its n-th search (from 1), as its arguments say:
//   scripted_xboard MODE [N [LOG]]
// It writes down in LOG what it is told. Modes "silent", "old" (no features, moves without "usermove"),
// "promises" (done=0, then nothing), "no-pong", "no-ping" (no such feature) and "edits" (neither ping nor
// setboard) are so from the start; "claims-after-move" has no ping, and claims a win shortly after its n-th
// move. In mode "complains" no option's value is good, in "complains-to-user" neither. Otherwise, and in mode
// "ok", it plays the legal move whose UCI text comes first in the alphabet, and believes no move that is not
// legal.

namespace {

using namespace scholar;
using tests::first_move;
using tests::hang;
using tests::say;

// True: that was the answer.
bool misbehave(const std::string& mode) {
    if (mode == "crash") tests::crash();
    if (mode == "exit") std::exit(3);
    if (mode == "hang") hang();
    if (mode == "illegal") say("move a1a1");
    if (mode == "garbage") say("move \x01\x02 banana");
    if (mode == "refuses") say("Illegal move: e2e4");
    if (mode == "claims") say("1/2-1/2 {I say so}");
    if (mode == "resign") say("resign");
    if (mode == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    if (mode == "flood") {
        // Long lines: a reader under sanitizers has its time with each.
        std::string lines;
        for (int i = 0; i < 4096; ++i) lines += "# " + std::string(100, '~') + "\n";
        while (true) std::fwrite(lines.data(), 1, lines.size(), stdout);
    }
    return mode == "illegal" || mode == "garbage" || mode == "refuses" || mode == "claims" ||
           mode == "resign";
}

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "ok";
    const int when = argc > 2 ? std::atoi(argv[2]) : 1;
    std::ofstream log;
    if (argc > 3) log.open(argv[3], std::ios::app);
    if (mode == "silent") hang();
    const bool old = mode == "old";
    int searches = 0;
    bool forced = true;
    chess::Line line;
    const auto think = [&] {
        if (++searches == when && misbehave(mode)) return;
        const std::string move = first_move(line.current());
        if (mode == "offers") say("offer draw");
        if (move.empty()) return;
        say("tellics whisper nothing of interest");
        say(fmt::format("  7.  {} 12 3400 1. {} banana", mode == "mates" ? 100'003 : 21, move));
        line.push(chess::parse_uci_move(line.current(), move).value());
        say("move " + move);
        if (mode == "claims-after-move" && searches == when) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            say("1-0 {White mates}");
            log << "said its claim" << std::endl;
        }
    };
    std::string command;
    while (std::getline(std::cin, command)) {
        log << command << std::endl;
        const std::string word = command.substr(0, command.find(' '));
        std::string rest = command.size() > word.size() ? command.substr(word.size() + 1) : "";
        if (word == "protover" && !old) {
            say(fmt::format(
                "feature myname=\"Scripted X\" setboard={} usermove=1 memory=1 smp=0 reuse=1 done=0",
                mode == "edits" ? 0 : 1));
            if (mode == "promises") continue;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            say("feature option=\"Style of play -combo Calm /// *Very Wild /// Odd\"");
            say("feature option=\"Risk (0-9) -spin 3 0 9\" option=\"Learn -check 1\"");
            say("feature name=1 banana=3 colors=0");
            const bool pings = mode != "claims-after-move" && mode != "no-ping" && mode != "edits";
            say(fmt::format("feature variants=\"normal,fischerandom\" ping={} done=1", pings ? 1 : 0));
        } else if (word == "ping") {
            if (mode != "no-pong") say("pong " + rest);
        } else if (word == "new") {
            line = chess::Line();
            forced = false;
        } else if (word == "force") {
            forced = true;
        } else if (word == "setboard") {
            const auto position = chess::parse_fen(rest);
            if (!position)
                say("tellusererror Illegal position");
            else
                line = chess::Line(*position);
        } else if (word == "go") {
            forced = false;
            think();
        } else if (word == "quit") {
            return 0;
        } else if (word == "usermove" || (old && word.size() >= 4 && word.size() <= 5 && word[1] <= '9')) {
            const auto move =
                chess::parse_uci_move(line.current(), word == "usermove" ? rest : std::string(word));
            if (!move) {
                say("Illegal move: " + command);
                continue;
            }
            line.push(*move);
            if (!forced) think();
        } else if (word == "option" && mode.starts_with("complains")) {
            say(mode == "complains" ? "Error (no such file): " + command : "tellusererror Cannot read it");
        } else if (word == "sd" && mode == "no-depth") {
            say("Error (unknown command): sd");
        }
    }
}
