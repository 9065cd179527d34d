#include "nets/dense/dense_move_runner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "nets/dense/dense_kernels.hpp"

namespace scholar::nets {

namespace {

// Of a move's z, in proportion: where the largest z is very small all σ(z) might be 0, and their sum too, so
// that they are e^(z − largest), which is the same there.
double share_of(DenseOutput output, double z, double largest) {
    constexpr double kVerySmall = -20;
    if (output == DenseOutput::Softmax || largest < kVerySmall) return std::exp(z - largest);
    return 1 / (1 + std::exp(-z));
}

}  // namespace

DenseMoveRunner::DenseMoveRunner(std::shared_ptr<const DenseNetwork> network)
    : network_(std::move(network)),
      packed_(std::make_shared<const PackedDense>(*network_)),
      view_(*network_->info.shape.moves, chess::Position()) {
    const std::size_t room =
        static_cast<std::size_t>(packed_->width()) + static_cast<std::size_t>(kDenseMultiple);
    scratch_.resize(room);
    const DenseShape& shape = network_->info.shape;
    std::vector<bool> of_position(static_cast<std::size_t>(shape.inputs()), false);
    std::fill_n(of_position.begin(), shape.features->size(), true);
    std::size_t sums = 0;
    for (std::size_t layer = 0; layer < packed_->layers().size(); ++layer) {
        inputs_.emplace_back(room);
        // The last layer is one unit, which is not worth it.
        if (layer + 1 == packed_->layers().size()) break;
        std::vector<bool> next;
        once_.emplace_back();
        each_.emplace_back();
        for (std::size_t i = 0; i < packed_->layers()[layer].size(); ++i) {
            const PackedDense::Block& block = packed_->layers()[layer][i];
            const auto first = of_position.begin() + block.first_input;
            const auto fixed = static_cast<int>(std::find(first, first + block.inputs, false) - first);
            // Behind one that is worked out for each move, which writes beyond its end, so are all.
            const bool is_fixed = fixed == block.inputs && each_.back().empty();
            (is_fixed ? once_ : each_).back().push_back({block, fixed, sums});
            if (!is_fixed) sums += static_cast<std::size_t>(block.units);
            next.insert(next.end(), static_cast<std::size_t>(shape.layers[layer][i].outputs), is_fixed);
        }
        of_position = std::move(next);
    }
    sums_.resize(sums);
}

void DenseMoveRunner::begin(const chess::Position& position) {
    view_ = MoveView(*network_->info.shape.moves, position);
    network_->info.shape.features->encode_to(view_.position(), inputs_.front().data());
    for (std::size_t layer = 0; layer < once_.size(); ++layer) {
        const float* const in = inputs_[layer].data();
        for (const auto& [block, fixed, sums] : once_[layer])
            dense_units(in + block.first_input, block.inputs, packed_->weights(block), packed_->bias(block),
                        block.units, inputs_[layer + 1].data() + block.first_output, scratch_.data());
        for (const auto& [block, fixed, sums] : each_[layer])
            dense_sums(in + block.first_input, fixed, packed_->weights(block), packed_->bias(block),
                       block.units, sums_.data() + sums, scratch_.data());
    }
}

float DenseMoveRunner::judge(chess::Move move, int place) {
    const DenseShape& shape = network_->info.shape;
    float* const inputs = inputs_.front().data() + shape.features->size();
    shape.moves->encode_to(view_.position(), view_.of(move), inputs);
    std::fill_n(inputs + shape.moves->described, kPlaceInputs, 0.0F);
    if (place != kNoPlace) inputs[shape.moves->described + place_input(place)] = 1;
    for (std::size_t layer = 0; layer < each_.size(); ++layer)
        for (const auto& [block, fixed, sums] : each_[layer])
            dense_units(inputs_[layer].data() + block.first_input + fixed, block.inputs - fixed,
                        packed_->weights(block) + static_cast<std::ptrdiff_t>(fixed) * block.units,
                        sums_.data() + sums, block.units, inputs_[layer + 1].data() + block.first_output,
                        scratch_.data());
    const PackedDense::Block& last = packed_->layers().back().front();
    return *packed_->bias(last) +
           dense_dot(inputs_.back().data() + last.first_input, packed_->weights(last), last.inputs);
}

void DenseMoveRunner::judge(const chess::Position& position, const chess::MoveList& moves,
                            std::span<float> out) {
    begin(position);
    std::array<int, chess::kMaxMoves> places;
    const auto of_moves = std::span(places).first(out.size());
    std::ranges::fill(of_moves, kNoPlace);
    const auto judge_all = [&] {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = judge(moves[static_cast<int>(i)], of_moves[i]);
    };
    judge_all();
    rank_moves(out, of_moves);
    judge_all();
    to_probabilities(network_->info.shape.output, out);
}

void to_probabilities(DenseOutput output, std::span<float> z) {
    const double largest = std::ranges::max(z);
    double sum = 0;
    for (float& number : z) sum += number = static_cast<float>(share_of(output, number, largest));
    for (float& number : z) number = static_cast<float>(number / sum);
}

}  // namespace scholar::nets
