#include "learning/targets/move_agreement.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "learning/targets/difference.hpp"

namespace scholar::learning {

void EngineAgreement::add(std::span<const float> engine, const float* trainer) {
    ++positions;
    for (std::size_t i = 0; i < engine.size(); ++i) {
        const double by = difference_of(engine[i], trainer[i]);
        ++moves;
        sum_of_differences += by;
        largest_difference = std::max(largest_difference, by);
    }
    const auto best = std::ranges::max_element(engine) - engine.begin();
    const auto trainer_best = std::max_element(trainer, trainer + engine.size()) - trainer;
    if (best == trainer_best) ++same_best_move;
}

base::Status check_agreement(const EngineAgreement& agreement, const std::filesystem::path& file,
                             double most) {
    if (agreement.largest() <= most) return {};
    return base::fail(
        "{}: the engine differs from libtorch by {:.2g}, expected at most {:.2g} "
        "(largest_difference in [export]); the file stays",
        file.string(), agreement.largest(), most);
}

std::string describe(const EngineAgreement& agreement, std::string_view trainer) {
    const std::string lengths =
        agreement.largest_of_lengths > 0
            ? fmt::format(", the half-moves left by a share of {:.2g}", agreement.largest_of_lengths)
            : "";
    return fmt::format(
        "engine and {} on {}: a move's probability differs by {:.2g} on average and by {:.2g} at "
        "most, a result's by {:.2g} at most{}; the same best move in {:.2f} %",
        trainer, base::counted(agreement.positions, "position"), agreement.mean_difference(),
        agreement.largest_difference, agreement.largest_of_results, lengths,
        100 * static_cast<double>(agreement.same_best_move) /
            static_cast<double>(std::max<std::size_t>(agreement.positions, 1)));
}

}  // namespace scholar::learning
