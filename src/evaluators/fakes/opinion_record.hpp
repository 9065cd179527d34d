#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "evaluators/batch_evaluator.hpp"

// Opinions in a file, to look at them, or to have them again without the network. The first line says of what
// network they are (nets::opinions_head()), each other line is one opinion: the position as FEN, the key of
// all that was read, and what was said.

namespace scholar::evaluators {

// Goes on with a file that is of the same network, and begins one that is not there. Several may write into
// one file: each line is written at once.
base::Result<std::unique_ptr<BatchEvaluator>> record_opinions(std::unique_ptr<BatchEvaluator> of,
                                                              const std::filesystem::path& file,
                                                              const std::string& head);

// What such a file has, by key and move.
struct RecordedOpinions {
    struct Entry {
        Opinion opinion;
        std::unordered_map<std::uint16_t, float> probabilities;  // by the bits of the move
    };
    nets::Abilities abilities;
    nets::Reads reads;
    std::unordered_map<std::uint64_t, Entry> entries;
};
base::Result<RecordedOpinions> read_opinions(const std::filesystem::path& file, nets::Abilities abilities,
                                             const nets::Reads& reads);

// Of a position that the file has not: an error.
std::unique_ptr<BatchEvaluator> replay_opinions(std::shared_ptr<const RecordedOpinions> opinions);

}  // namespace scholar::evaluators
