#include "learning/sparse_policy/policy_validation.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "chess/movegen.hpp"
#include "evaluators/sparse_move_policy.hpp"
#include "learning/perspective/tensors.hpp"
#include "learning/targets/move_targets.hpp"

namespace scholar::learning {

namespace {

// Of one number for each move [position][kMaxMoves], `rest` behind the last.
at::Tensor by_position(const PolicyBatch& batch, std::span<const float> of_moves, float rest) {
    at::Tensor all = at::full({static_cast<std::int64_t>(batch.size()), chess::kMaxMoves}, rest, at::kFloat);
    auto* row = all.data_ptr<float>();
    for (std::size_t position = 0; position < batch.size(); ++position, row += chess::kMaxMoves)
        std::copy(of_moves.begin() + batch.first[position], of_moves.begin() + batch.first[position + 1],
                  row);
    return all;
}

at::Tensor legal_of(const PolicyBatch& batch, std::span<const float> logits) {
    return by_position(batch, logits, -std::numeric_limits<float>::infinity());
}

// What an answer that knows nothing but the moves' numbers says of each.
std::vector<float> said_of_all(const PolicyBatch& batch, std::span<const float> answer) {
    std::vector<float> logits(batch.moves());
    for (std::size_t move = 0; move < logits.size(); ++move)
        logits[move] = answer[static_cast<std::size_t>(batch.move_number(move))];
    return logits;
}

}  // namespace

PolicyValidation::PolicyValidation(std::vector<games::Sample> held_out,
                                   std::span<const games::Sample> training,
                                   const nets::SparsePolicyInfo& info)
    : samples_(std::move(held_out)), batch_(encode_policy(samples_, info)) {
    const MoveTargets targets =
        played_moves(training, [&info](const chess::Position& position, chess::Move move) {
            const chess::Color us = position.side_to_move();
            return nets::move_number(position, info.architecture.features->view(us, position.king(us)), move);
        });
    constant_ = to_vector(preferred_moves(targets, nets::kMoveNumbers));
    frequent_ = to_vector(frequent_moves(targets, nets::kMoveNumbers));
}

Measurement PolicyValidation::measure(SparsePolicyModel& model) const {
    const at::Tensor wanted = by_position(batch_, batch_.wanted, 0);
    const auto figures = [&](std::span<const float> logits) {
        return move_figures(legal_of(batch_, logits), wanted);
    };
    const auto ours = figures(model.logits(batch_));
    const auto constant = figures(said_of_all(batch_, constant_));
    const auto frequent = figures(said_of_all(batch_, frequent_));
    const auto chance = figures(std::vector<float>(batch_.moves()));
    std::vector<Measure> measures;
    measures.reserve(ours.size());
    for (std::size_t i = 0; i < ours.size(); ++i)
        measures.push_back({ours[i].first,
                            batch_.size(),
                            ours[i].second,
                            constant[i].second,
                            {{"most frequent", frequent[i].second}, {"chance", chance[i].second}}});
    // The loss first.
    std::ranges::rotate(measures, measures.end() - 1);
    return said_plainly(std::move(measures), 2);
}

EngineAgreement PolicyValidation::compare(const nets::SparsePolicyNetwork& network,
                                          SparsePolicyModel& model) const {
    const std::vector<float> logits = model.logits(batch_);
    const at::Tensor said = at::softmax(legal_of(batch_, logits), 1).contiguous();
    evaluators::SparseMovePolicy engine(std::make_shared<const nets::SparsePolicyNetwork>(network));
    EngineAgreement agreement;
    std::vector<float> probabilities;
    const auto* trainer = said.data_ptr<float>();
    for (const games::Sample& sample : samples_) {
        const chess::MoveList moves = chess::legal_moves(sample.position);
        probabilities.resize(static_cast<std::size_t>(moves.size()));
        if (!moves.empty()) {
            engine.reset(sample.position);
            engine.judge(sample.position, moves, probabilities);
            agreement.add(probabilities, trainer);
        }
        trainer += chess::kMaxMoves;
    }
    return agreement;
}

double PolicyValidation::constant_loss(const PolicyBatch& batch) const {
    double loss = 0;
    for (std::size_t position = 0; position < batch.size(); ++position) {
        double sum = 0;
        double wanted = 0;
        double choices = 0;
        for (std::size_t move = batch.first[position]; move < batch.first[position + 1]; ++move) {
            const auto logit =
                static_cast<double>(constant_[static_cast<std::size_t>(batch.move_number(move))]);
            const auto share = static_cast<double>(batch.wanted[move]);
            sum += std::exp(logit);
            wanted += share * logit;
            choices += share;
        }
        if (choices > 0) loss += choices * std::log(sum) - wanted;
    }
    return loss / static_cast<double>(batch.size());
}

}  // namespace scholar::learning
