#pragma once

#include <string>
#include <string_view>

namespace scholar::games {

// An engine's name without version and build: its first word, and the words behind it up to one that has a
// digit or says that it is some build. "Stockfish_15_30M" and "Stockfish dev-20230409-b36d39de" are
// "Stockfish", "Toga II 3.0" is "Toga II".
std::string producer_of(std::string_view player);

}  // namespace scholar::games
