#pragma once

#include <nlohmann/json.hpp>
#include <string>

// How JSON is written, which throws on bytes that are no UTF-8: texts of engines, files and servers hold any.
// Nothing else calls dump(), as tests/layering makes sure. For the source files that write JSON.

namespace scholar::base {

// On one line, without its end. `Json` is nlohmann's json or ordered_json.
template <class Json>
std::string json_line(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// On many lines, for people too.
template <class Json>
std::string json_text(const Json& json) {
    return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace scholar::base
