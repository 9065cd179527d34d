#pragma once

#include <cstdint>

#include "base/error.hpp"
#include "learning/run/run_settings.hpp"
#include "learning/training/sample_stream.hpp"
#include "nets/container/tensor_file.hpp"

namespace scholar::learning {

// What a run knows of itself after an iteration, beside what its task and its window put into the same
// checkpoint.
struct SegmentProgress {
    std::uint64_t iterations = 0;
    std::uint64_t steps = 0;       // of the network, those of the start included
    std::uint64_t searches = 0;    // of self-play
    std::uint64_t nodes = 0;       // of these searches
    std::uint64_t lessons = 0;     // positions that were taken in
    std::uint64_t trained = 0;     // positions of all steps
    std::uint64_t milestones = 0;  // that are behind it
    StreamPlace roots;             // where the stream of roots stands
    double core_seconds = 0;
    double owed = 0;  // positions that were taken in and not yet learnt from
    std::uint64_t data_hash = 0;
    RunSettings settings;
};

void put_segment_progress(nets::TensorFile& file, const SegmentProgress& progress);
base::Result<SegmentProgress> take_segment_progress(const nets::TensorFile& file);

}  // namespace scholar::learning
