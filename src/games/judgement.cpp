#include "games/judgement.hpp"

#include <algorithm>

namespace scholar::games {

namespace {

constexpr int kLargest = 32'000;
constexpr int kDeepest = 255;

std::int16_t from_white(int number, chess::Color side) {
    return static_cast<std::int16_t>((side == chess::White ? 1 : -1) *
                                     std::clamp(number, -kLargest, kLargest));
}

std::uint8_t cut_off(int depth) {
    return static_cast<std::uint8_t>(std::clamp(depth, 0, kDeepest));
}

}  // namespace

Evaluation evaluation_of_centipawns(int centipawns, chess::Color side, int depth) {
    return {.centipawns = from_white(centipawns, side), .mate = 0, .depth = cut_off(depth)};
}

Evaluation evaluation_of_mate(int moves, chess::Color side, int depth) {
    // Who is mated on the board already is so in no more moves, which would say that there is no mate.
    return {.centipawns = 0, .mate = from_white(moves == 0 ? -1 : moves, side), .depth = cut_off(depth)};
}

}  // namespace scholar::games
