#include "nets/lc0/lc0_names.hpp"

#include <algorithm>

namespace scholar::nets::lc0 {

std::string show(std::span<const NamedNumber> known, std::uint32_t number) {
    for (const NamedNumber& entry : known)
        if (entry.number == number) return fmt::format("{} ({})", entry.name, number);
    return fmt::format("{}, which is not known", number);
}

base::Status expect_one_of(std::string_view what, std::span<const NamedNumber> known, std::uint32_t number,
                           std::initializer_list<std::uint32_t> supported) {
    if (std::ranges::find(supported, number) != supported.end()) return {};
    std::string names;
    for (const std::uint32_t one : supported) names += (names.empty() ? "" : " or ") + show(known, one);
    return base::fail("{} {}, expected {}", what, show(known, number), names);
}

}  // namespace scholar::nets::lc0
