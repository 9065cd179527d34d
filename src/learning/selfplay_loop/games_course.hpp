#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

// How the training on other people's games went, as its file metrics.jsonl tells it
// (learning/training/trainer.hpp).

namespace scholar::learning {

struct GamesCourse {
    // The mean of the steps since the one before, in nats a position.
    struct Training {
        std::uint64_t positions = 0;  // trained on so far
        double loss = 0;
        double constant_loss = 0;
    };
    // On the positions of held-out games that no game in training has.
    struct Validation {
        std::uint64_t positions = 0;  // trained on so far
        std::uint64_t held_out = 0;   // positions that it is of; 0: none, and no losses
        double network = 0;           // cross-entropy in nats a position
        double constant = 0;          // of one value for all
        double material = 0;          // of the pieces' values, fitted
    };
    std::vector<Training> training;
    std::vector<Validation> validations;
    double core_seconds = 0;
};

// Reads the file. Records of other kinds are passed over; one of these that lacks something is an error with
// its line.
base::Result<GamesCourse> read_games_course(const std::filesystem::path& metrics);
// The same from text, which errors call `name`.
base::Result<GamesCourse> parse_games_course(std::string_view text, const std::string& name);

}  // namespace scholar::learning
