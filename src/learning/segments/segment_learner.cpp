#include "learning/segments/segment_learner.hpp"

#include <utility>

#include "learning/segments/segment_run.hpp"

namespace scholar::learning {

base::Result<SegmentOutcome> learn_by_segments(const SegmentRecipe& recipe, const SegmentOptions& options,
                                               std::stop_token stop) {
    return SegmentRun(recipe, options, std::move(stop)).run();
}

}  // namespace scholar::learning
