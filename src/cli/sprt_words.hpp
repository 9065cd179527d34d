#pragma once

#include <string_view>

#include "arena/sprt.hpp"
#include "base/error.hpp"

namespace scholar::cli {

// What --sprt says: "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic". elo0 and elo1 have to be there; the
// model is logistic or normalised, which may be spelt normalized. Refused: what check_sprt() refuses.
base::Result<arena::SprtSettings> parse_sprt(std::string_view text);

}  // namespace scholar::cli
