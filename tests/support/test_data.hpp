#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace scholar::tests {

// The source tree that the tests were built from.
std::filesystem::path source_dir();

// A file that ships in tests/data.
inline std::filesystem::path test_data(const std::string& name) {
    return source_dir() / "tests" / "data" / name;
}

// A file of the large data that does not ship: in the folder that the environment variable SCHOLAR_DATA
// names, else in ../shared/data beside the source tree. Nothing if it is not there; the test then says so and
// is skipped:
//     const auto file = shared_data("perft/random.perft");
//     if (!file) GTEST_SKIP() << "no perft/random.perft: set SCHOLAR_DATA to run this test";
inline std::optional<std::filesystem::path> shared_data(const std::string& name) {
    const char* folder = std::getenv("SCHOLAR_DATA");
    const std::filesystem::path root = folder != nullptr && *folder != '\0'
                                           ? std::filesystem::path(folder)
                                           : source_dir() / ".." / "shared" / "data";
    std::error_code ignored;
    if (!std::filesystem::exists(root / name, ignored)) return std::nullopt;
    return root / name;
}

// A folder of one test's own, removed with all it holds.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "scholar-test-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) std::abort();
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

// Sanitizers make everything some ten times slower: tests over many cases take a share of them there.
#ifdef SCHOLAR_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

}  // namespace scholar::tests
