#pragma once

#include <string>

#include "base/error.hpp"
#include "games/book.hpp"

// Opening books in the binary, each under a name in angle brackets: those that systems have of their own
// (engine/players.hpp).

namespace scholar::engine {

// A built-in book by its name, else a file in Polyglot's format. Refused: a name in angle brackets that no
// book has, and what games::Book::open() refuses.
base::Result<games::Book> open_book(const std::string& name);

}  // namespace scholar::engine
