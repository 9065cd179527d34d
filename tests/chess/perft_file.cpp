#include "perft_file.hpp"

#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "chess/fen.hpp"
#include "support/test_data.hpp"

namespace scholar::tests {

std::vector<PerftCase> read_perft_file(const std::filesystem::path& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error(fmt::format("{}: cannot open", path.string()));
    std::vector<PerftCase> cases;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const auto refuse = [&](const std::string& reason) {
            throw std::runtime_error(fmt::format("{}: line {}: {}", path.string(), number, reason));
        };
        std::istringstream words(line);
        std::string what;
        if (!(words >> what) || what.starts_with('#')) continue;
        std::string rest;
        std::getline(words >> std::ws, rest);
        if (what == "id") {
            cases.push_back({rest, {}, {}, {}});
        } else if (cases.empty()) {
            refuse("expected an id first");
        } else if (what == "epd") {
            auto position = chess::parse_fen(rest);
            if (!position) refuse(position.error().message);
            cases.back().fen = rest;
            cases.back().position = *position;
        } else if (what == "perft") {
            PerftCase::Count count{};
            if (!(std::istringstream(rest) >> count.depth >> count.nodes))
                refuse("expected a depth and a count");
            cases.back().counts.push_back(count);
        } else {
            refuse(fmt::format("'{}', expected id, epd or perft", what));
        }
    }
    for (const PerftCase& one : cases)
        if (one.fen.empty() || one.counts.empty())
            throw std::runtime_error(
                fmt::format("{}: {} has no position or no figures", path.string(), one.id));
    return cases;
}

const std::vector<PerftCase>& shipped_perft_cases() {
    static const std::vector<PerftCase> cases = [] {
        std::vector<PerftCase> all;
        for (const char* name : {"perft/wiki.perft", "perft/sedlak.perft", "perft/chess960.perft"}) {
            auto some = read_perft_file(test_data(name));
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }();
    return cases;
}

std::string test_name(const std::string& id) {
    std::string name = id;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

}  // namespace scholar::tests
