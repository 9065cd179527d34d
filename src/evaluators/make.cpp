#include "evaluators/make.hpp"

#include <array>

#include "evaluators/adapters/batch_of_leaf.hpp"
#include "evaluators/adapters/batch_of_policy.hpp"
#include "evaluators/adapters/joined_batch.hpp"
#include "evaluators/adapters/leaf_of_batch.hpp"
#include "evaluators/adapters/policy_of_batch.hpp"
#include "evaluators/adapters/rollout_batch.hpp"
#include "evaluators/chess_nets_batch.hpp"
#include "evaluators/comparison_evaluator.hpp"
#include "evaluators/conv_batch.hpp"
#include "evaluators/dense_evaluator.hpp"
#include "evaluators/dense_move_policy.hpp"
#include "evaluators/fakes/compared_batch.hpp"
#include "evaluators/fakes/opinion_record.hpp"
#include "evaluators/fakes/random_move_policy.hpp"
#include "evaluators/fakes/value_comparator.hpp"
#include "evaluators/network_comparator.hpp"
#include "evaluators/sparse_move_policy.hpp"
#include "nets/fakes/fakes.hpp"

namespace scholar::evaluators {

namespace {

using nets::Ability;
using nets::AnyNetwork;

using Leaf = base::Result<AnyLeaf>;
using Batch = base::Result<std::unique_ptr<BatchEvaluator>>;
using Policy = base::Result<std::unique_ptr<MovePolicy>>;
using Order = base::Result<std::unique_ptr<Comparator>>;

std::unexpected<base::Error> refuse(const AnyNetwork& network, std::string_view wanted) {
    return base::fail("{}: gives {}, expected {}", network.description(), to_string(network.abilities()),
                      wanted);
}

// What a kind of network has evaluators of its own for; null: none.
struct Makers {
    bool (*is)(const AnyNetwork& network);
    Leaf (*leaf)(const AnyNetwork& network);
    Batch (*batch)(const AnyNetwork& network);
    Policy (*policy)(const AnyNetwork& network);
    Order (*order)(const AnyNetwork& network);
};

template <class Known>
bool is(const AnyNetwork& network) {
    return network.as<Known>() != nullptr;
}

template <class Known, class Evaluator>
Leaf own_leaf(const AnyNetwork& network) {
    return AnyLeaf(Evaluator(network.as<Known>()));
}

Batch convolutional(const AnyNetwork& network) {
    auto runner = nets::ConvRunner::make(network.as<nets::ConvNetwork>());
    if (!runner) return base::fail_in(network.description(), runner.error());
    return std::make_unique<ConvBatch>(std::move(*runner));
}

Batch chess_nets(const AnyNetwork& network) {
    if (network.abilities().empty())
        return refuse(network, "a value, or probabilities of moves from all seven");
    return ChessNetsBatch::make(network.as<nets::ChessNets>());
}

// One that judges moves has no evaluator for positions.
Leaf dense(const AnyNetwork& network) {
    if (!network.abilities().has(Ability::Leaf)) return refuse(network, to_string(Ability::Leaf));
    return own_leaf<nets::DenseNetwork, DenseEvaluator>(network);
}

// And one that values positions none for moves.
Policy dense_policy(const AnyNetwork& network) {
    if (!network.abilities().has(Ability::Policy)) return refuse(network, to_string(Ability::Policy));
    return std::make_unique<DenseMovePolicy>(network.as<nets::DenseNetwork>());
}

// Only one that judges each position by itself has a value.
Leaf comparison(const AnyNetwork& network) {
    if (!network.abilities().has(Ability::Leaf)) return refuse(network, to_string(Ability::Leaf));
    return own_leaf<nets::ComparisonNetwork, ComparisonEvaluator>(network);
}

Order order_by_comparison(const AnyNetwork& network) {
    return std::make_unique<NetworkComparator>(network.as<nets::ComparisonNetwork>());
}

Policy sparse_policy(const AnyNetwork& network) {
    return std::make_unique<SparseMovePolicy>(network.as<nets::SparsePolicyNetwork>());
}

Policy random_policy(const AnyNetwork& network) {
    return std::make_unique<RandomMovePolicy>(network.as<nets::RandomPolicy>()->seed);
}

Order order_by_value(const AnyNetwork& network) {
    auto leaf = make_leaf(network.as<nets::OrderByValue>()->by);
    if (!leaf) return std::unexpected(leaf.error());
    return std::make_unique<ValueComparator>(std::move(*leaf));
}

Batch playing_out(const AnyNetwork& network) {
    auto policy = make_batch(network.as<nets::RolloutNetwork>()->of);
    if (!policy) return policy;
    return std::make_unique<RolloutBatch>(std::move(*policy));
}

Batch recording(const AnyNetwork& network) {
    const auto recorded = network.as<nets::RecordedNetwork>();
    auto of = make_batch(recorded->of);
    if (!of) return of;
    return record_opinions(std::move(*of), recorded->file, nets::opinions_head(recorded->of));
}

Batch replaying(const AnyNetwork& network) {
    const auto replayed = network.as<nets::ReplayedNetwork>();
    auto opinions = read_opinions(replayed->file, replayed->abilities, replayed->reads);
    if (!opinions) return std::unexpected(opinions.error());
    return replay_opinions(std::make_shared<const RecordedOpinions>(std::move(*opinions)));
}

Batch comparing(const AnyNetwork& network) {
    const auto compared = network.as<nets::ComparedNetwork>();
    auto first = make_batch(compared->first);
    if (!first) return first;
    auto second = make_batch(compared->second);
    if (!second) return second;
    return std::make_unique<ComparedBatch>(std::move(*first), std::move(*second), compared->tolerance);
}

constexpr std::array kMakers{
    Makers{is<nets::Network>, own_leaf<nets::Network, NetworkEvaluator>, nullptr, nullptr, nullptr},
    Makers{is<nets::LinearNetwork>, own_leaf<nets::LinearNetwork, LinearEvaluator>, nullptr, nullptr,
           nullptr},
    Makers{is<nets::ConvNetwork>, nullptr, convolutional, nullptr, nullptr},
    Makers{is<nets::ChessNets>, nullptr, chess_nets, nullptr, nullptr},
    Makers{is<nets::DenseNetwork>, dense, nullptr, dense_policy, nullptr},
    Makers{is<nets::ComparisonNetwork>, comparison, nullptr, nullptr, order_by_comparison},
    Makers{is<nets::SparsePolicyNetwork>, nullptr, nullptr, sparse_policy, nullptr},
    Makers{is<nets::RandomPolicy>, nullptr, nullptr, random_policy, nullptr},
    Makers{is<nets::OrderByValue>, nullptr, nullptr, nullptr, order_by_value},
    Makers{is<nets::RolloutNetwork>, nullptr, playing_out, nullptr, nullptr},
    Makers{is<nets::RecordedNetwork>, nullptr, recording, nullptr, nullptr},
    Makers{is<nets::ReplayedNetwork>, nullptr, replaying, nullptr, nullptr},
    Makers{is<nets::ComparedNetwork>, nullptr, comparing, nullptr, nullptr},
};

const Makers& makers_of(const AnyNetwork& network) {
    for (const Makers& makers : kMakers)
        if (makers.is(network)) return makers;
    // A kind without a row: it is refused by whatever is asked of it.
    static constexpr Makers none{};
    return none;
}

// What cannot be made a second time (a file is gone, a disk is full): it says so whenever it is asked.
class FailedBatch final : public BatchEvaluator {
  public:
    FailedBatch(const AnyNetwork& network, base::Error error) : network_(network), error_(std::move(error)) {}

    nets::Abilities abilities() const override { return network_.abilities(); }
    nets::Reads reads() const override { return network_.reads(); }
    std::size_t capacity() const override { return 1; }
    void submit(const chess::Line& /*line*/, const chess::MoveList& /*moves*/) override {}
    base::Status collect(std::vector<Opinion>& opinions) override {
        opinions.clear();
        return std::unexpected(error_);
    }

  private:
    AnyNetwork network_;
    base::Error error_;
};

BatchMaker again(const AnyNetwork& network) {
    return [network]() -> std::unique_ptr<BatchEvaluator> {
        auto batch = make_batch(network);
        if (batch) return std::move(*batch);
        return std::make_unique<FailedBatch>(network, batch.error());
    };
}

// In nodes of the default network's search, of which a core of a laptop looks at a million a second: a batch
// of one takes a large network some milliseconds.
constexpr double kBatchNodes = 1'000;

}  // namespace

base::Result<AnyLeaf> make_leaf(const AnyNetwork& network) {
    const Makers& makers = makers_of(network);
    if (makers.leaf) return makers.leaf(network);
    if (!makers.batch || !network.abilities().has_any({Ability::Value, Ability::Wdl}))
        return refuse(network, to_string(Ability::Leaf));
    if (!network.reads().position_alone())
        return base::fail(
            "{}: reads more than the position, expected a network whose values a table may keep",
            network.description());
    if (auto batch = makers.batch(network); !batch) return std::unexpected(batch.error());
    const nets::PieceValues* values = network.piece_values();
    return AnyLeaf(LeafOfBatch(again(network), values ? *values : nets::kEqualPieceValues));
}

base::Result<std::unique_ptr<BatchEvaluator>> make_batch(const AnyNetwork& network) {
    const Makers& makers = makers_of(network);
    if (makers.batch) return makers.batch(network);
    std::unique_ptr<MovePolicy> policy;
    if (makers.policy && network.abilities().has(Ability::Policy)) {
        auto made = makers.policy(network);
        if (!made) return std::unexpected(made.error());
        policy = std::move(*made);
    }
    if (makers.leaf && network.abilities().has(Ability::Leaf))
        return with_leaf(network, [&policy](auto leaf) -> Batch {
            return std::make_unique<BatchOfLeaf<decltype(leaf)>>(std::move(leaf), std::move(policy));
        });
    if (policy) return std::make_unique<BatchOfPolicy>(std::move(policy));
    return refuse(network, "a value or probabilities of moves");
}

base::Result<std::unique_ptr<BatchEvaluator>> make_joined_batch(const AnyNetwork& value,
                                                                const AnyNetwork& policy) {
    auto evaluator = make_batch(value);
    if (!evaluator) return std::unexpected(evaluator.error());
    if (!(*evaluator)->abilities().has_any({Ability::Value, Ability::Wdl}))
        return base::fail("{}: gives {}, expected a value", value.description(),
                          nets::to_string(value.abilities()));
    // A file that was opened for each role is one network still.
    const bool is_one = value == policy || (value.content_name() == policy.content_name() &&
                                            value.description() == policy.description());
    if (is_one && (*evaluator)->abilities().has(Ability::Policy)) return evaluator;
    return make_joined_batch(std::move(*evaluator), policy);
}

base::Result<std::unique_ptr<BatchEvaluator>> make_joined_batch(std::unique_ptr<BatchEvaluator> value,
                                                                const AnyNetwork& policy) {
    auto judge = make_batch(policy);
    if (!judge) return std::unexpected(judge.error());
    if (!(*judge)->abilities().has(Ability::Policy))
        return base::fail("{}: gives {}, expected {}", policy.description(),
                          nets::to_string(policy.abilities()), nets::to_string(Ability::Policy));
    return std::make_unique<JoinedBatch>(std::move(value), std::move(*judge));
}

base::Result<std::unique_ptr<MovePolicy>> make_policy(const AnyNetwork& network) {
    const Makers& makers = makers_of(network);
    if (makers.policy) return makers.policy(network);
    if (!makers.batch || !network.abilities().has(Ability::Policy))
        return refuse(network, to_string(Ability::Policy));
    if (auto batch = makers.batch(network); !batch) return std::unexpected(batch.error());
    return std::make_unique<PolicyOfBatch>(again(network), kBatchNodes);
}

base::Result<std::unique_ptr<Comparator>> make_comparator(const AnyNetwork& network) {
    const Makers& makers = makers_of(network);
    if (!makers.order) return refuse(network, to_string(Ability::Order));
    return makers.order(network);
}

}  // namespace scholar::evaluators
