#include "learning/run/course.hpp"

#include <fmt/format.h>

namespace scholar::learning {

std::string wrong_beginning(std::uint64_t from, std::optional<std::uint64_t> before) {
    if (before ? from > *before : from == 0) return {};
    return fmt::format("from is {}, expected {}", from,
                       before ? "more than in the one before" : "0 in the first");
}

}  // namespace scholar::learning
