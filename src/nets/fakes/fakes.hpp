#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "nets/container/any_network.hpp"

// Networks that have learnt nothing, to prove and to debug what uses real ones. They are opened by name
// (container/open_network.hpp) and go wherever a real one with their abilities goes.

namespace scholar::nets {

struct FakeInfo {
    History history;
};

// Probabilities of moves by lot: each position's are always the same, and those of another seed others.
struct RandomPolicy {
    FakeInfo info;
    std::uint64_t seed = 0;
};

// An order of positions that is secretly a number: what another network, which must have the ability Leaf,
// takes to be the value for White.
struct OrderByValue {
    FakeInfo info;
    AnyNetwork by;
};

// Values that another network's policy comes to by playing positions out
// (evaluators/adapters/rollout_batch.hpp), and its probabilities of moves.
struct RolloutNetwork {
    FakeInfo info;
    AnyNetwork of;
};

// Says what another network says, and writes it down (evaluators/fakes/opinion_record.hpp).
struct RecordedNetwork {
    FakeInfo info;
    AnyNetwork of;
    std::filesystem::path file;
};

// Says what such a file has; of positions that it has not, nothing.
struct ReplayedNetwork {
    FakeInfo info;
    std::filesystem::path file;
    std::string description;  // of the network that was recorded
    Abilities abilities;
    Reads reads;
};

// Says what the first says, and fails where the second differs from it by more than `tolerance`: the expected
// result, and each probability, from 0 to 1.
struct ComparedNetwork {
    FakeInfo info;
    AnyNetwork first;
    AnyNetwork second;
    double tolerance = 0;
};

// What any_network.hpp asks of each.
std::string describe(const RandomPolicy& network);
std::string content_name(const RandomPolicy& network);
Abilities abilities(const RandomPolicy& network);
Reads reads(const RandomPolicy& network);

std::string describe(const OrderByValue& network);
std::string content_name(const OrderByValue& network);
Abilities abilities(const OrderByValue& network);
Reads reads(const OrderByValue& network);

std::string describe(const RolloutNetwork& network);
std::string content_name(const RolloutNetwork& network);
Abilities abilities(const RolloutNetwork& network);
Reads reads(const RolloutNetwork& network);

std::string describe(const RecordedNetwork& network);
std::string content_name(const RecordedNetwork& network);
Abilities abilities(const RecordedNetwork& network);
Reads reads(const RecordedNetwork& network);
const PieceValues* piece_values(const RecordedNetwork& network);

std::string describe(const ReplayedNetwork& network);
std::string content_name(const ReplayedNetwork& network);
Abilities abilities(const ReplayedNetwork& network);
Reads reads(const ReplayedNetwork& network);

std::string describe(const ComparedNetwork& network);
std::string content_name(const ComparedNetwork& network);
Abilities abilities(const ComparedNetwork& network);
Reads reads(const ComparedNetwork& network);
const PieceValues* piece_values(const ComparedNetwork& network);

// How a file of recorded opinions begins, and back: the line before its opinions.
std::string opinions_head(const AnyNetwork& of);
base::Result<ReplayedNetwork> read_opinions_head(const std::filesystem::path& file);

}  // namespace scholar::nets
