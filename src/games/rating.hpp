#pragma once

#include <string_view>

namespace scholar::games {

// What a tag such as WhiteElo says: the whole number at its beginning ("3500?" is 3500); 0 if there is none,
// which means that the rating is not known.
int rating_of(std::string_view tag);

}  // namespace scholar::games
