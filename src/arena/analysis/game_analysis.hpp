#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/analysis/analyst.hpp"
#include "arena/analysis/explanation.hpp"
#include "arena/analysis/view.hpp"
#include "base/error.hpp"
#include "games/game.hpp"
#include "search/limits.hpp"

// A game as several systems see it: what each of its moves cost by each of them, and where they disagree.

namespace scholar::arena {

// From which loss on a move is called what, and what is a difference between systems. Shares of a point.
struct AnalysisThresholds {
    double inaccuracy = 0.10;
    double mistake = 0.20;
    double blunder = 0.30;
    double disagreement = 0.20;  // between two systems' expected results of one position
    double unlikely = 0.02;      // a move that who moves by probability did not expect
};

// What a move is called.
enum class Verdict : std::uint8_t { Fine, Inaccuracy, Mistake, Blunder };
Verdict verdict_on(double loss, const AnalysisThresholds& thresholds);
// "", "?!", "?", "??", and PGN's glyph for it, 0 for none.
std::string_view sign_of(Verdict verdict);
int glyph_of(Verdict verdict);

// A move that was played, by one system.
struct MoveView {
    // What it cost the mover of his expected result, 0 to 1: the difference between the position that the
    // system's best move leads to and the one that this move led to, each searched for itself with the same
    // effort. Where the search before the move shows no such loss, that is believed. Nothing: the system has
    // no values, or moves by probability.
    std::optional<double> loss;
    std::optional<double> likelihood;  // as View::likelihood()
    // The position after the system's best move; nothing where it did not have to be looked at.
    std::optional<View> better;
};

// A game by one system.
struct SystemGame {
    std::vector<View> views;      // of the start and of the position after each move
    std::vector<MoveView> moves;  // by ply
};

// Looks at all positions of a game, the last first: what a later one showed, earlier searches find in the
// table. `told` after each position. Nothing: it was told to stop.
base::Result<std::optional<SystemGame>> analyse_game(Analyst& analyst, const games::Game& game,
                                                     std::uint64_t number, const search::Limit& limit,
                                                     const AnalysisThresholds& thresholds,
                                                     const std::function<void()>& told,
                                                     const std::stop_token& stop);

// A game by all systems.
struct GameAnalysis {
    games::Game game;
    std::vector<std::string> systems;
    std::vector<SystemGame> by_system;  // in their order
    AnalysisThresholds thresholds;

    // Whose losses give moves their signs: the first system that has any. Nothing: none has.
    std::optional<std::size_t> judge() const;
    Verdict verdict(std::size_t ply) const;
    // How much the move cost by the judge; 0 without one.
    double loss(std::size_t ply) const;

    // Whether the system would not have played it: the loss is a mistake's, or the move was not expected.
    bool objects(std::size_t system, std::size_t ply) const;
    // Those who object, where others do not; empty if all agree.
    std::vector<std::size_t> objectors(std::size_t ply) const;
    // The systems that expect least and most of the position before the move of that ply (or of the last
    // position, behind them all), if they are far from each other.
    struct Spread {
        std::size_t least, most;
    };
    std::optional<Spread> spread(std::size_t position) const;
    // Who disagrees about the move, in words: "only giraffe objects; knightcap 31 %, scholar 64 %"; "":
    // nobody.
    std::string disagreement(std::size_t ply) const;
    // Why the move is a mistake or worse by this system; nothing if it is not, by it.
    std::optional<Explanation> explanation(std::size_t system, std::size_t ply) const;
};

// The same of one position.
struct PositionAnalysis {
    chess::Position position;
    std::vector<std::string> systems;
    std::vector<View> by_system;
    AnalysisThresholds thresholds;

    // "scholar plays e4, knightcap d4; …": "" if nobody disagrees.
    std::string disagreement() const;
};

// "64 %".
std::string percent(double share);
// "+0.35", "#-3"; "–" for none.
std::string score_text(const std::optional<games::Evaluation>& shown);
// The moves with their numbers, at most so many: "12. Nf3 Nc6 13. Bb5".
std::string line_text(const chess::Position& start, std::span<const chess::Move> moves, std::size_t most);

}  // namespace scholar::arena
