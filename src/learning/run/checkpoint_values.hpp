#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "nets/container/tensor_file.hpp"

// What checkpoints of all kinds are made of.

namespace scholar::learning {

// An array by its name.
void put_floats(nets::TensorFile& file, const std::string& name, std::span<const float> values);
base::Status take_floats(const nets::TensorFile& file, const std::string& name, std::size_t count,
                         std::vector<float>& out);
// Refuses a file of another kind or version.
base::Status expect_kind(const nets::TensorFile& file, std::string_view kind, std::string_view version);
// A metadata entry that is a whole number.
base::Result<std::uint64_t> take_number(const nets::TensorFile& file, const std::string& key);
// Several of them, each into its place.
base::Status take_numbers(const nets::TensorFile& file,
                          std::initializer_list<std::pair<const char*, std::uint64_t*>> into);

}  // namespace scholar::learning
