#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "games/sample.hpp"

namespace scholar::games {

// Samples as lines of text for other programs.
enum class SampleFormat {
    // Extended Position Description with the standard's operations: hmvc and fmvn (clocks), ce (centipawns)
    // or dm (moves to mate) and acd (depth) if there is an evaluation, all from the side to move's view, sm
    // (the move played), c0 "ply N", and c9: the game's result as PGN writes it, or White's expected share
    // of the point if it was discounted.
    Epd,
    // One JSON object a line, from the side to move's view; absent what is not known.
    JsonLines,
    // A header line, then one line a sample; empty what is not known. From the side to move's view.
    Csv,
};
base::Result<SampleFormat> parse_sample_format(std::string_view name);  // "epd", "jsonl", "csv"

// What stands before the first sample; "" or a line.
std::string sample_header(SampleFormat format);
// Appends one sample's line. `producers`: Sampler::producers().
void write_sample(std::string& out, SampleFormat format, const Sample& sample,
                  std::span<const std::string> producers);

}  // namespace scholar::games
