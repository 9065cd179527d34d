#include "learning/training/same_course.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <string_view>

namespace scholar::learning {

namespace {

constexpr std::array<std::string_view, 5> kMayChange{"run.positions", "run.steps", "run.validate_every",
                                                     "run.checkpoint_every", "run.output"};

bool may_change(std::string_view key) {
    return key.starts_with("schedule.") || std::ranges::find(kMayChange, key) != kMayChange.end();
}

RunSettings fixed(const RunSettings& settings) {
    RunSettings result;
    std::ranges::copy_if(settings, std::back_inserter(result),
                         [](const auto& setting) { return !may_change(setting.first); });
    return result;
}

// What stood there, or what there is if nothing did.
template <typename Number>
Number number_of(const RunSettings& settings, std::string_view key, Number otherwise) {
    const auto found = std::ranges::find(settings, key, &RunSettings::value_type::first);
    if (found != settings.end()) {
        const std::string& text = found->second;
        std::from_chars(text.data(), text.data() + text.size(), otherwise);
    }
    return otherwise;
}

// The rate at the beginning is the optimiser's, which is fixed.
Schedule schedule_of(const RunSettings& settings, const Recipe& now) {
    Schedule schedule;
    schedule.learning_rate = now.schedule.learning_rate;
    const auto kind = std::ranges::find(settings, "schedule.kind", &RunSettings::value_type::first);
    if (kind != settings.end()) schedule.kind = schedule_kind(kind->second);
    schedule.warmup = number_of(settings, "schedule.warmup", schedule.warmup);
    schedule.final_learning_rate =
        number_of(settings, "schedule.final_learning_rate", schedule.final_learning_rate);
    schedule.every = number_of(settings, "schedule.every", schedule.every);
    schedule.factor = number_of(settings, "schedule.factor", schedule.factor);
    schedule.cooldown = number_of(settings, "schedule.cooldown", schedule.cooldown);
    const auto positions = number_of<std::uint64_t>(settings, "run.positions", 0);
    schedule.steps = positions > 0 ? steps_of(positions, now.batch)
                                   : number_of<std::uint64_t>(settings, "run.steps", schedule.steps);
    return schedule;
}

}  // namespace

base::Status check_same_course(const Recipe& now, const RunSettings& before, std::uint64_t done) {
    if (auto same = check_unchanged(fixed(now.settings), fixed(before)); !same) return same;
    if (done > now.schedule.steps)
        return base::fail("the run is at step {}, expected a recipe of as many steps or more, but it has {}",
                          done, now.schedule.steps);
    if (now.settings == before) return {};
    const Schedule then = schedule_of(before, now);
    for (std::uint64_t step = 1; step <= done; ++step)
        if (const double was = then.rate(step), is = now.schedule.rate(step); was != is)
            return base::fail(
                "the recipe has changed since the run began: at step {}, which is done, the learning rate "
                "was {} and would be {}; expected a schedule that differs in steps to come only",
                step, was, is);
    return {};
}

}  // namespace scholar::learning
