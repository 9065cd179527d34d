#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arena/analysis/game_analysis.hpp"

// Analyses as people, PGN's readers and programs get them.

namespace scholar::arena {

// Where a game is from: its number in a file, which is named where there are several.
struct GameSource {
    std::string file;  // "": not named
    std::uint64_t number = 0;
};
// "my.pgn: game 3".
std::string to_string(const GameSource& source);

// Of a game, a row for each move: its sign, by each system White's expected result before and after it (of a
// player by probability: how likely it held the move), a star if it objects and its own move if it is
// another, and who disagrees. `wide`: under it the lines of those who would have played another move.
std::string describe(const GameAnalysis& analysis, bool wide);
// Of a position: by each system its lines, and below what it holds to be likely, at most `likely` moves.
std::string describe(const PositionAnalysis& analysis, std::size_t likely);

// The game with the judge's signs and evaluations, why a move is bad, what was better and what refutes it.
// Comments and variations that the game had are not kept by games::Game. `annotator` is a tag's.
std::string to_annotated_pgn(const GameAnalysis& analysis, const std::string& annotator);

// One object on a line, with its end.
std::string to_json_line(const GameAnalysis& analysis, const GameSource& source, const std::string& limit);
std::string to_json_line(const PositionAnalysis& analysis, const std::string& limit);

// A mistake or worse, by the judge.
struct Finding {
    GameSource source;
    std::string fen;   // before the move
    std::string move;  // "17... Qxb2??"
    double loss = 0;
    double expected_better = 0;  // White's, of the line that was better
    double expected_played = 0;
    std::string words;  // Explanation::words()
    std::string played;
    std::string better;
    std::string disagreement;
};

// What a game comes to.
struct AnalysisSummary {
    struct Side {
        int moves = 0;
        double mean_loss = 0;
        int inaccuracies = 0;
        int mistakes = 0;
        int blunders = 0;
    };
    GameSource source;
    std::string white, black, result;
    std::string judge;              // "": nobody has values
    std::array<Side, 2> sides;      // by colour
    int disagreements = 0;          // moves that some object to and others do not
    std::vector<Finding> findings;  // all of them, in the game's order
};
AnalysisSummary summary_of(const GameAnalysis& analysis, const GameSource& source);
nlohmann::ordered_json to_json(const AnalysisSummary& summary);
// What to_json() made; nothing for anything else.
std::optional<AnalysisSummary> summary_from(const nlohmann::ordered_json& json);

// "game 3: Anand – Carlsen 1-0; …", two lines with their ends.
std::string describe(const AnalysisSummary& summary);
// The worst moves of all games, at most so many, with their explanations.
std::string describe_findings(const std::vector<AnalysisSummary>& games, std::size_t most);

}  // namespace scholar::arena
