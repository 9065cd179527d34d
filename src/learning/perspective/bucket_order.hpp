#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learning/perspective/batch.hpp"
#include "nets/perspective/architecture.hpp"

namespace scholar::learning {

// Positions in the order of their output buckets, so that those of one head stand together.
struct BucketOrder {
    Batch batch;
    std::vector<std::int64_t> counts;  // positions of each bucket
    std::vector<std::size_t> places;   // of each position, where it stood before
};

// The positions [begin, end) of a batch.
BucketOrder in_bucket_order(const Batch& batch, std::size_t begin, std::size_t end,
                            const nets::Architecture& architecture);

}  // namespace scholar::learning
