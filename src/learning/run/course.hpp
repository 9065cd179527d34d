#pragma once

#include <cstdint>
#include <optional>
#include <string>

// Courses: what changes with what has been learnt from, "stage from=… KEY=…" after "stage from=… KEY=…".

namespace scholar::learning {

inline constexpr const char* kStageName = "stage";

// What is wrong with where a stage begins, behind one that begins at `before` (none: it is the first); empty:
// nothing.
std::string wrong_beginning(std::uint64_t from, std::optional<std::uint64_t> before);

}  // namespace scholar::learning
