#pragma once

#include <string>
#include <vector>

namespace scholar::games {

// The files without those that have come before, be it under another name: by another path, through a link.
// What is not there is told by its name alone.
std::vector<std::string> distinct_files(const std::vector<std::string>& files);

}  // namespace scholar::games
