#include "arena/more_openings.hpp"

#include <cstdlib>
#include <set>

#include "base/random.hpp"
#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "nets/container/embedded.hpp"

namespace scholar::arena {

namespace {

// In Score units: an expected result between 0.41 and 0.59.
constexpr int kEven = 150;
constexpr int kHalfMoves = 2;
// Where so many in turn do not find another, there are hardly any more.
constexpr int kTriesInVain = 10'000;

// The line's end after two moves by lot; nothing if it is not level, or over.
std::optional<games::Opening> longer(const games::Opening& opening, evaluators::LeafEvaluator auto& evaluator,
                                     base::Random& random) {
    games::Opening result = opening;
    chess::Line line(opening.start);
    for (const auto move : opening.moves) line.push(move);
    for (int i = 0; i < kHalfMoves; ++i) {
        const chess::MoveList moves = chess::legal_moves(line.current());
        if (moves.empty()) return std::nullopt;
        const auto move = moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
        // After a capture a quiet look at the position says little.
        if (line.current().is_capture(move)) return std::nullopt;
        line.push(move);
        result.moves.push_back(move);
    }
    if (line.terminal() != chess::Terminal::None || line.current().in_check()) return std::nullopt;
    evaluator.reset(line.current());
    if (std::abs(evaluator.value(line.current()).value()) > kEven) return std::nullopt;
    return result;
}

}  // namespace

base::Result<std::vector<games::Opening>> more_openings(const std::vector<games::Opening>& openings,
                                                        std::size_t count, std::uint64_t seed) {
    if (openings.empty()) return base::fail("openings: none, expected at least one");
    const auto network = nets::parse_any_network(nets::default_network_file());
    if (!network) return base::fail_in("embedded network", network.error());
    std::vector<games::Opening> result;
    std::set<std::uint64_t> ends;
    const auto add = [&](games::Opening opening) {
        chess::Line line(opening.start);
        for (const auto move : opening.moves) line.push(move);
        if (ends.insert(line.current().key()).second) result.push_back(std::move(opening));
    };
    for (const auto& opening : openings)
        if (result.size() < count) add(opening);
    base::Random random(seed);
    const auto found = evaluators::with_leaf(*network, [&](auto evaluator) -> base::Status {
        for (int in_vain = 0; result.size() < count && in_vain < kTriesInVain; ++in_vain) {
            const auto& from = openings[random.below(openings.size())];
            const std::size_t before = result.size();
            if (auto made = longer(from, evaluator, random)) add(std::move(*made));
            if (result.size() > before) in_vain = 0;
        }
        return {};
    });
    if (!found) return std::unexpected(found.error());
    if (result.size() < count)
        return base::fail("openings: only {} different ones can be made of {}, expected {}", result.size(),
                          openings.size(), count);
    return result;
}

}  // namespace scholar::arena
