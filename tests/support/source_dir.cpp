#include "support/test_data.hpp"

// In a source of its own, so that no other one depends on where the tree is: ccache then knows it in each
// clone.
std::filesystem::path scholar::tests::source_dir() {
    return SCHOLAR_SOURCE_DIR;
}
