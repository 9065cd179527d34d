#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/selection.hpp"
#include "nets/container/any_network.hpp"
#include "nets/linear/linear_network.hpp"

// The parts of `scholar net explain`.

namespace scholar::cli {

// The value of a position as a sum of named parts. `least`: parts below so many Score units are not shown
// one by one in the table (JSON has all).
base::Status explain_position(const nets::FloatLinearNetwork& network, const std::string& name,
                              const std::string& fen, double least, bool json);

struct WeightsOptions {
    std::string name;     // of the network, for people
    std::string against;  // file of an older one; none if empty
    std::string feature;  // show the weights of those whose name contains it
    std::string plots;    // folder for drawings; none if empty
    bool json = false;
};
// Weights by group and stage.
base::Status explain_weights(const nets::FloatLinearNetwork& network, const WeightsOptions& options);

struct MenOptions {
    std::string name;  // of the network, for people
    std::string fen;
    std::string method;  // "": all that the network has
    std::string move;    // "": the value is explained
    std::string svg;     // file for a drawing; none if empty
    bool overwrite = false;
    bool json = false;
};
// What each man gives to the value of a position, or to the probability of a move.
base::Status explain_men(const nets::AnyNetwork& network, const MenOptions& options);

struct JudgeOptions {
    std::string name;  // of the network, for people
    std::vector<std::string> files;
    std::string of;  // "value", "move"; "": the first of them that the network has
    std::uint64_t positions = 200;
    std::uint64_t seed = 1;
    int taken = 10;
    bool pawns = false;
    games::SelectionWords shares;
    std::string plot;  // file for a drawing; none if empty
    bool overwrite = false;
    bool json = false;
};
// What the explanations of a network are worth (arena/explanation_study.hpp), on positions of game stores or
// of an EPD file.
base::Status judge_explanations(const nets::AnyNetwork& network, const JudgeOptions& options,
                                const std::stop_token& stop);

}  // namespace scholar::cli
