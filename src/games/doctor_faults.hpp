#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "games/doctor.hpp"
#include "games/scan.hpp"

// What the doctor's two halves, looking (doctor.cpp) and judging (doctor_findings.cpp), have in common.

namespace scholar::games {

// What can be wrong with one game by itself.
enum class Fault : std::uint8_t {
    NoMoves,
    FewMoves,
    MateContradicted,    // mate on the board, and another result
    DrawContradicted,    // stalemate or not enough material on the board, and somebody won
    EndingContradicted,  // said to end in mate or stalemate, and the board has something else, or the reverse
    ConstantEvaluations,
    ExtremeEvaluations,
    ConstantClocks,
    OverspentClocks,
};
constexpr std::size_t kFaults = 9;

struct FaultTally {
    std::uint64_t count = 0;
    GamePlace example;  // the first
    void add(GamePlace place) {
        ++count;
        example = std::min(example, place);
    }
    void merge(const FaultTally& other) {
        count += other.count;
        example = std::min(example, other.example);
    }
};
using Faults = std::array<FaultTally, kFaults>;

// Something that could not be read or is not what its checksum or its hash says.
struct Damage {
    std::string code;
    std::string message;  // with file, and block or game
};

// Everything that may be said about what was found.
std::vector<Finding> findings_of(const Examination& examination, const Faults& faults,
                                 const std::vector<Damage>& damages, std::span<const StoreReader> stores,
                                 const DoctorLimits& limits);

}  // namespace scholar::games
