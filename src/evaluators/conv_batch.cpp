#include "evaluators/conv_batch.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "evaluators/softmax.hpp"
#include "nets/conv/planes.hpp"

namespace scholar::evaluators {

void ConvBatch::submit(const chess::Line& line, const chess::MoveList& moves) {
    assert(asked_.size() < capacity());
    const nets::ConvInfo& info = runner_.network().info;
    const nets::PlaneContext context = nets::play_context(info.shape.input, info.asked_rating, line);
    nets::encode_planes(info.shape.input, line, context, runner_.planes(static_cast<int>(asked_.size())));
    Asked& asked = asked_.emplace_back();
    if (info.shape.policy == nets::PolicyForm::None) return;
    const chess::Color side = line.current().side_to_move();
    const auto count = static_cast<std::size_t>(moves.size());
    if (info.shape.policy == nets::PolicyForm::Squares ||
        info.shape.policy == nets::PolicyForm::SourceTarget) {
        asked.squares.reserve(count);
        for (const chess::Move move : moves) asked.squares.push_back(nets::square_move(move, side));
    } else {
        asked.indices.reserve(count);
        for (const chess::Move move : moves) asked.indices.push_back(nets::policy_index(move, side));
    }
}

base::Status ConvBatch::collect(std::vector<Opinion>& opinions) {
    opinions.clear();
    if (asked_.empty()) return {};
    const int count = static_cast<int>(asked_.size());
    base::Status status = runner_.run(count);
    for (int position = 0; status && position < count; ++position) {
        auto opinion = opinion_of(position);
        if (opinion)
            opinions.push_back(std::move(*opinion));
        else
            status = std::unexpected(opinion.error());
    }
    asked_.clear();
    if (!status) opinions.clear();
    return status;
}

std::vector<float> ConvBatch::probabilities_of(int position) const {
    const Asked& asked = asked_[static_cast<std::size_t>(position)];
    const nets::PolicyForm form = runner_.network().info.shape.policy;
    if (form == nets::PolicyForm::Squares && !asked.squares.empty())
        return nets::two_step_probabilities([&](int place) { return runner_.square_logit(position, place); },
                                            asked.squares);
    std::vector<float> probabilities;
    probabilities.reserve(asked.indices.size() + asked.squares.size());
    if (form == nets::PolicyForm::SourceTarget)
        for (const nets::SquareMove& move : asked.squares)
            probabilities.push_back(
                nets::source_target_logit(runner_.source(position), runner_.target(position), move));
    for (const int index : asked.indices) probabilities.push_back(runner_.policy(position, index));
    if (!probabilities.empty()) softmax(probabilities);
    return probabilities;
}

base::Result<Opinion> ConvBatch::opinion_of(int position) const {
    const nets::ConvShape& shape = runner_.network().info.shape;
    Opinion opinion;
    float checked = 0;  // no number, once anything that goes into the opinion is none
    const std::span<const float> value = runner_.value(position);
    for (const float output : value) checked += output * 0;
    if (shape.moves_left_filters > 0) {
        opinion.moves_left = std::max(runner_.moves_left(position), 0.0F);
        checked += runner_.moves_left(position) * 0;
    }
    opinion.probabilities = probabilities_of(position);
    for (const float probability : opinion.probabilities) checked += probability * 0;
    if (checked != 0)
        return base::fail("{}: its weights are too large: what it says is no number",
                          nets::describe(runner_.network()));

    if (shape.value == nets::ValueForm::Wdl) {
        std::vector<float> chances(value.begin(), value.end());
        softmax(chances);
        opinion.wdl = {chances[0], chances[1], chances[2]};
        opinion.value = chess::Score::from_expected(opinion.wdl->expected());
    } else if (shape.value == nets::ValueForm::Expected) {
        const double advantage = std::tanh(static_cast<double>(value.front()));
        opinion.value = chess::Score::from_expected((1 + advantage) / 2);
    }
    return opinion;
}

}  // namespace scholar::evaluators
