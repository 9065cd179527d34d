#include "games/rating.hpp"

#include <algorithm>
#include <charconv>

namespace scholar::games {

int rating_of(std::string_view tag) {
    int rating = 0;
    std::from_chars(tag.data(), tag.data() + tag.size(), rating);
    return std::max(rating, 0);
}

}  // namespace scholar::games
