#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"

// What a dense network is given of a position: a list of numbers, as absolute as a diagram is: White is White
// whoever moves. It is defined once, here; trainers and engine call the same code.

namespace scholar::nets {

// Numbers of one modality, which the first layers of a network keep apart from others (Giraffe's section
// 4.2).
struct DenseModality {
    std::string_view name;
    int begin;
    int size;
};

struct DenseFeatureSet {
    // No number is larger, and none is negative: nine queens, of one that there is room for.
    static constexpr float kLargest = 9;
    // All are whole multiples of 1/336, but for what a float rounds: flags, halves, sixths, sevenths, eighths
    // and sixteenths.
    static constexpr int kDenominator = 336;

    std::string_view name;
    std::string_view help;  // for people
    // All features in their order, without gaps.
    std::span<const DenseModality> modalities;
    void (*encode_to)(const chess::Position& position, float* out);
    // "white rook 1 file": of all features in their order; for people and for tests.
    std::vector<std::string> (*names)();

    int size() const { return modalities.back().begin + modalities.back().size; }
    // Writes all size() numbers.
    void encode(const chess::Position& position, std::span<float> out) const;
};

// All that there are: a plain table.
std::span<const DenseFeatureSet> dense_feature_sets();
// Refuses an unknown name and lists the known ones.
base::Result<const DenseFeatureSet*> find_dense_feature_set(std::string_view name);

}  // namespace scholar::nets
