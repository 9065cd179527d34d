#pragma once

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>

#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"

// What the scripted engines have in common, whatever protocol they speak.

namespace scholar::tests {

// A line, at once.
inline void say(const std::string& line) {
    std::fputs((line + "\n").c_str(), stdout);
    std::fflush(stdout);
}

// For ever, even when it is asked to end.
[[noreturn]] inline void hang() {
    std::signal(SIGTERM, SIG_IGN);
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

// Dies as by a bug; a sanitizer would make an exit status of it.
inline void crash() {
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
}

// The legal move whose UCI text comes first in the alphabet.
inline std::string first_move(const chess::Position& position) {
    std::string first;
    for (const auto move : chess::legal_moves(position)) {
        const std::string text = chess::to_uci(move);
        if (first.empty() || text < first) first = text;
    }
    return first;
}

}  // namespace scholar::tests
