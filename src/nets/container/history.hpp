#pragma once

#include <map>
#include <string>

namespace scholar::nets {

// What is known of how a network came to be: free text by key, "recipe", "data", "parent", "positions",
// "validation_loss"…
using History = std::map<std::string, std::string>;

}  // namespace scholar::nets
