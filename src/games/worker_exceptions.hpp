#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace scholar::games {

// What `work` returns, a base::Status; what it throws becomes one too. An exception that leaves a thread ends
// the program, so everything that a worker does goes through here. `where` begins the error: "FILE: block 3".
template <class Work>
base::Status without_exceptions(std::string_view where, Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (const std::bad_alloc&) {
        return base::fail("{}: not enough memory", where);
    } catch (const std::exception& error) {
        return base::fail("{}: {}", where, error.what());
    }
}

}  // namespace scholar::games
