#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "chess/position.hpp"

namespace scholar::tests {

// A position with published numbers of move sequences.
struct PerftCase {
    std::string id;
    std::string fen;
    chess::Position position;
    struct Count {
        int depth;
        std::uint64_t nodes;
    };
    std::vector<Count> counts;
};

// Every case of a .perft file: "id NAME", "epd POSITION", then "perft DEPTH NODES" lines; '#' begins a
// comment. Throws std::runtime_error with the line at fault: a test must not pass because its data could not
// be read.
std::vector<PerftCase> read_perft_file(const std::filesystem::path& path);

// Those of all files that ship in tests/data/perft.
const std::vector<PerftCase>& shipped_perft_cases();

// A name that GoogleTest takes: letters, digits and underscores.
std::string test_name(const std::string& id);

}  // namespace scholar::tests
