#include "learning/segments/segment_lessons.hpp"

#include <algorithm>
#include <span>

#include "learning/targets/td.hpp"

namespace scholar::learning {

namespace {

// Of White.
selfplay::Interval interval_for(double white, chess::Color side) {
    return selfplay::Interval::value(side == chess::White ? white : 1 - white);
}

// What each search should have said, White's expected result, as far as it is taught.
std::vector<double> returns_of(const Segment& segment, const SegmentLessonPlan& plan) {
    std::vector<double> values;
    values.reserve(segment.searches.size() + 1);
    for (const SegmentSearch& search : segment.searches) values.push_back(search.white());
    if (plan.only_first) {
        if (segment.outcome) values.push_back(*segment.outcome);
        return {std::clamp(values.front() + error_of_first(values, plan.lambda), 0.0, 1.0)};
    }
    return lambda_returns(values, segment.outcome.value_or(values.back()), plan.lambda);
}

bool is_quiet(const SegmentSearch& search) {
    return !search.position.in_check() && !search.position.is_noisy(search.best) && !search.score.is_mate();
}

}  // namespace

std::vector<SegmentLesson> lessons_of(const Segment& segment, const SegmentLessonPlan& plan) {
    std::vector<SegmentLesson> lessons;
    if (plan.method == SegmentMethod::TreeStrap) {
        for (const selfplay::TreeStrapNode& node : segment.nodes)
            lessons.push_back({node.position, node.expected});
        return lessons;
    }
    if (segment.searches.empty()) return lessons;
    const std::vector<double> returns = returns_of(segment, plan);
    for (std::size_t t = 0; t < returns.size(); ++t) {
        const SegmentSearch& search = segment.searches[t];
        const bool at_leaf = plan.method == SegmentMethod::TdLeaf;
        if (at_leaf ? search.leaf_kind != search::LeafKind::Exact : plan.quiet && !is_quiet(search)) continue;
        const chess::Position& learns = at_leaf ? search.leaf : search.position;
        lessons.push_back({learns, interval_for(returns[t], learns.side_to_move())});
    }
    return lessons;
}

}  // namespace scholar::learning
