#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "games/sample.hpp"

namespace scholar::games {

// Samples for other programs.
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
    // "FEN | score | result", both from White's view, the result 1.0, 0.5 or 0.0: what bullet, and most
    // trainers
    // with it, read.
    Text,
    // The same in 32 bytes a position: the ChessBoard of bulletformat
    // (https://github.com/jw1912/bulletformat),
    // from the mover's view.
    Bullet,
};
// "epd", "jsonl", "csv", "text", "bullet"
base::Result<SampleFormat> parse_sample_format(std::string_view name);
std::vector<std::string> sample_format_names();

// Whether it has room for results other than 1, ½ and 0.
constexpr bool has_any_result(SampleFormat format) {
    return format != SampleFormat::Text && format != SampleFormat::Bullet;
}

// What stands before the first sample; "" or a line.
std::string sample_header(SampleFormat format);
// Appends one sample's line or record. In the last two formats a score that is not known is 0, and one of
// mate in n moves is 32,000 − n. `producers`: Sampler::producers().
void write_sample(std::string& out, SampleFormat format, const Sample& sample,
                  std::span<const std::string> producers);

}  // namespace scholar::games
