#pragma once

#include "nets/container/any_network.hpp"

namespace scholar::nets {

// The network asked for the moves of players of this rating, if it knows of ratings; else as it is. 0: of the
// highest it knows.
AnyNetwork with_asked_rating(const AnyNetwork& network, int rating);

}  // namespace scholar::nets
