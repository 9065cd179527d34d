#include "search/searchless/random_mover.hpp"

#include "base/random.hpp"
#include "chess/movegen.hpp"
#include "search/root.hpp"

namespace scholar::search {

namespace {

class RandomMover final : public Search {
  public:
    explicit RandomMover(std::uint64_t seed) : seed_(seed), random_(seed) {}

    SearchResult run(const chess::Line& line, const Limits& limits, std::stop_token /*stop*/,
                     Observer& observer) override {
        const auto started = std::chrono::steady_clock::now();
        std::vector<chess::Move> moves = allowed_moves(line.current(), limits);
        if (moves.empty()) return result_without_moves(line.current());
        random_.shuffle(moves);

        SearchResult result;
        const auto share = 1.0 / static_cast<double>(moves.size());
        for (const chess::Move move : moves) result.root_distribution.emplace_back(move, share);
        result.root_share = RootShare::Probability;
        result.counters.depth = 1;
        result.counters.selective_depth = 1;
        result.counters.nodes = 1;
        result.best = moves.front();
        result.principal_variation = {result.best};
        result.leaf = line.current().after(result.best);
        result.counters.elapsed = std::chrono::steady_clock::now() - started;
        add_one_move_lines(result, limits, moves.size(),
                           [&](std::size_t i) { return one_move_line(moves[i], result.score); });
        report_lines(result, observer);
        return result;
    }

    void new_game() override { random_ = base::Random(seed_); }

  private:
    std::uint64_t seed_;
    base::Random random_;
};

}  // namespace

std::unique_ptr<Search> make_random_mover(std::uint64_t seed) {
    return std::make_unique<RandomMover>(seed);
}

}  // namespace scholar::search
