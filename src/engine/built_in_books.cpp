#include "engine/built_in_books.hpp"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <string_view>
#include <vector>

namespace scholar::engine {

std::string_view knightcap_book();

namespace {

struct BuiltInBook {
    std::string_view name;
    std::string_view (*file)();
};

constexpr std::array kBuiltIn{BuiltInBook{"<knightcap>", knightcap_book}};

}  // namespace

base::Result<games::Book> open_book(const std::string& name) {
    if (!name.starts_with('<') || !name.ends_with('>')) return games::Book::open(name);
    const auto found = std::ranges::find(kBuiltIn, name, &BuiltInBook::name);
    if (found == kBuiltIn.end()) {
        std::vector<std::string_view> names;
        names.reserve(kBuiltIn.size());
        for (const BuiltInBook& book : kBuiltIn) names.push_back(book.name);
        return base::fail("no built-in book '{}'; expected {}", name, fmt::join(names, " or "));
    }
    return games::Book::parse(found->file(), name);
}

}  // namespace scholar::engine
