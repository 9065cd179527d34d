#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace scholar::learning {

// How far what the engine says, of a file that it opens as any other, is from what the trainer says of the
// network that the file was made of.
struct EngineAgreement {
    std::size_t positions = 0;
    std::size_t moves = 0;          // legal ones, of all positions
    double sum_of_differences = 0;  // of the moves' probabilities
    double largest_difference = 0;
    double largest_of_results = 0;   // of the chance to win, draw or lose; 0 without such a head
    double largest_of_lengths = 0;   // of the half-moves left, as a share of them; likewise
    std::size_t same_best_move = 0;  // positions

    // One more position: the probabilities of its moves, by the engine and by the trainer.
    void add(std::span<const float> engine, const float* trainer);
    double mean_difference() const {
        return sum_of_differences / static_cast<double>(std::max<std::size_t>(moves, 1));
    }
    double largest() const { return std::max({largest_difference, largest_of_results, largest_of_lengths}); }
};

// Refused: an engine that says of some move, result or length what is further than this from libtorch's
// answer. The file that it has written, of which this says so, stays.
base::Status check_agreement(const EngineAgreement& agreement, const std::filesystem::path& file,
                             double most);

// For people, one line; `trainer`: who that is.
std::string describe(const EngineAgreement& agreement, std::string_view trainer);

}  // namespace scholar::learning
