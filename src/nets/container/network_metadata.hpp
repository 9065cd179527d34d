#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "nets/container/history.hpp"
#include "nets/container/piece_values.hpp"
#include "nets/container/tensor_file.hpp"

// Metadata that network files of every architecture have: "architecture", "version", "score_scale",
// "piece_values", and "history.KEY" of what is known of the network.

namespace scholar::nets {

// What "quantisation" says of a file of floats.
constexpr const char* kFloat = "none";

void put_common_metadata(TensorFile& file, std::string_view architecture, std::string_view version,
                         const PieceValues& piece_values, const History& history);
// Refuses another architecture, version or scale.
base::Status expect_architecture(const TensorFile& file, std::string_view architecture,
                                 std::string_view version);
base::Result<PieceValues> take_piece_values(const TensorFile& file);
History take_history(const TensorFile& file);
// Both, into what is known of a network.
template <class Info>
base::Status take_piece_values_and_history(const TensorFile& file, Info& info) {
    const auto values = take_piece_values(file);
    if (!values) return std::unexpected(values.error());
    info.piece_values = *values;
    info.history = take_history(file);
    return {};
}

// The entry must be exactly this.
base::Status expect_entry(const TensorFile& file, const std::string& key, std::string_view expected);
base::Result<int> take_integer(const TensorFile& file, const std::string& key);
// Any number of them, with spaces between.
base::Result<std::vector<int>> take_integers(const TensorFile& file, const std::string& key);

}  // namespace scholar::nets
