#pragma once

#include <string>

#include "cli/command.hpp"

// Learnt books (games/learnt_book.hpp) on the command line.

namespace scholar::cli {

// What `show`, `info` and `export` do with a learnt book. A FEN of "" is the start position, an opponent of
// "" one who is not known.
struct LearntShowOptions {
    std::string book;
    std::string fen;
    std::string opponent;
    bool json = false;
};
base::Status show_learnt(const LearntShowOptions& options);
base::Status show_learnt_info(const std::string& path, bool json);
base::Status export_learnt(const std::string& path, const std::string& output);

// Of `scholar book`, for learnt books only.
void add_book_learn_command(Command book, Invocation& invocation);
void add_book_check_command(Command book, Invocation& invocation);
void add_book_rollback_command(Command book, Invocation& invocation);
void add_book_search_command(Command book, Invocation& invocation);

}  // namespace scholar::cli
