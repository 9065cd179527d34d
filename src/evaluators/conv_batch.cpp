#include "evaluators/conv_batch.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "nets/conv/planes.hpp"

namespace scholar::evaluators {

namespace {

// In place.
void softmax(std::vector<float>& numbers) {
    const float most = std::ranges::max(numbers);
    float sum = 0;
    for (float& number : numbers) sum += number = std::exp(number - most);
    for (float& number : numbers) number /= sum;
}

}  // namespace

void ConvBatch::submit(const chess::Line& line, const chess::MoveList& moves) {
    assert(moves_.size() < capacity());
    const nets::ConvShape& shape = runner_.network().info.shape;
    nets::encode_planes(shape.input, line, runner_.planes(static_cast<int>(moves_.size())));
    std::vector<int>& indices = moves_.emplace_back();
    if (shape.policy == nets::PolicyForm::None) return;
    indices.reserve(static_cast<std::size_t>(moves.size()));
    for (const chess::Move move : moves)
        indices.push_back(nets::policy_index(move, line.current().side_to_move()));
}

base::Status ConvBatch::collect(std::vector<Opinion>& opinions) {
    opinions.clear();
    if (moves_.empty()) return {};
    const int count = static_cast<int>(moves_.size());
    base::Status status = runner_.run(count);
    for (int position = 0; status && position < count; ++position) {
        auto opinion = opinion_of(position);
        if (opinion)
            opinions.push_back(std::move(*opinion));
        else
            status = std::unexpected(opinion.error());
    }
    moves_.clear();
    if (!status) opinions.clear();
    return status;
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
    const std::vector<int>& indices = moves_[static_cast<std::size_t>(position)];
    opinion.probabilities.reserve(indices.size());
    for (const int index : indices) {
        opinion.probabilities.push_back(runner_.policy(position, index));
        checked += opinion.probabilities.back() * 0;
    }
    if (checked != 0)
        return base::fail("{}: its weights are too large: what it says is no number",
                          nets::describe(runner_.network()));

    if (!indices.empty()) softmax(opinion.probabilities);
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
