#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "learning/training/samples.hpp"
#include "nets/container/piece_values.hpp"

namespace scholar::learning {

// What a network learns before it plays: to count pieces (M. Lai, "Giraffe", 2015, section 4.4). Nothing by
// default knows what pieces are worth; a recipe that wants the paper's beginning says it.
struct MaterialStart {
    std::size_t positions = 0;  // 0: it begins with its first weights
    int passes = 1;
    std::size_t batch = 256;
    double learning_rate = 0;
    nets::PieceValues values{};  // Score units
    // Not those in which both sides have as much.
    bool decided = false;
};

// Of the side to move, 0 to 1: what a count of the pieces expects.
double expected_by_material(const chess::Position& position, const nets::PieceValues& values);

// With what the network should say of them.
std::vector<LabelledNode> material_lessons(std::span<const chess::Position> positions,
                                           const MaterialStart& start);

}  // namespace scholar::learning
