#pragma once

#include <exception>
#include <string_view>

#include "base/error.hpp"

namespace scholar::learning {

// What libtorch throws ends here, as the first line of what it says.
template <class Work>
auto guarded(const char* what, Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::exception& error) {
        const std::string_view text = error.what();
        return base::fail("{}: libtorch: {}", what, text.substr(0, text.find('\n')));
    }
}

}  // namespace scholar::learning
