#include "learning/segments/segment_player.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "base/in_order.hpp"
#include "base/random.hpp"
#include "chess/line.hpp"
#include "selfplay/openings.hpp"

namespace scholar::learning {

namespace {

// One thread's.
class SegmentPlayer {
  public:
    SegmentPlayer(const SegmentPlan& plan) : plan_(plan), table_(plan.table_megabytes) {
        if (plan.treestrap) tap_ = std::make_unique<selfplay::TreeStrap>(*plan.treestrap);
        limits_.limits.emplace_back(search::NodeLimit{plan.nodes});
    }

    base::Status take(const nets::AnyNetwork& network) {
        search::AlphaBetaOptions options = plan_.search;
        options.tap = tap_.get();
        auto search = search::make_alpha_beta(network, table_, options);
        if (!search) return std::unexpected(search.error());
        search_ = std::move(*search);
        return {};
    }

    void forget() {
        table_.clear();
        search_->new_game();
    }

    std::optional<Segment> play(const chess::Position& root, base::Random random,
                                const std::stop_token& stop) {
        chess::Line line = selfplay::random_opening(root, plan_.random_moves, random).line;
        search::Silence silence;
        Segment segment;
        segment.searches.reserve(static_cast<std::size_t>(plan_.plies));
        for (int ply = 0; ply < plan_.plies; ++ply) {
            segment.outcome = result_of(line);
            if (!segment.outcome) segment.outcome = agreed(segment.searches);
            if (segment.outcome) break;
            search::SearchResult found = search_->run(line, limits_, stop, silence);
            if (stop.stop_requested()) return std::nullopt;
            segment.searches.push_back({line.current(), *found.score, found.best, found.leaf, found.leaf_kind,
                                        found.counters.nodes});
            line.push(found.best);
        }
        if (!segment.outcome) segment.outcome = result_of(line);
        if (tap_) segment.nodes = tap_->take(random);
        return segment;
    }

  private:
    // White's result, where all think that it is decided.
    std::optional<double> agreed(const std::vector<SegmentSearch>& searches) const {
        constexpr std::size_t kInARow = 4;
        if (plan_.decided == 0 || searches.size() < kInARow) return std::nullopt;
        const std::span last = std::span(searches).last(kInARow);
        for (const bool white : {true, false})
            if (std::ranges::all_of(last, [&](const SegmentSearch& search) {
                    const chess::PovScore score(search.score, search.position.side_to_move());
                    return score.from(white ? chess::White : chess::Black).value() >= plan_.decided;
                }))
                return white ? 1 : 0;
        return std::nullopt;
    }
    // White's, where the game is over.
    static std::optional<double> result_of(const chess::Line& line) {
        switch (line.terminal()) {
            case chess::Terminal::None:
                return std::nullopt;
            case chess::Terminal::Checkmate:
                return line.current().side_to_move() == chess::White ? 0.0 : 1.0;
            default:
                return 0.5;
        }
    }

    const SegmentPlan& plan_;
    search::Table table_;
    search::Limits limits_;
    std::unique_ptr<selfplay::TreeStrap> tap_;
    std::unique_ptr<search::Search> search_;
};

}  // namespace

base::Result<std::optional<std::vector<Segment>>> play_segments(const nets::AnyNetwork& network,
                                                                std::span<const chess::Position> roots,
                                                                const SegmentPlan& plan, std::uint64_t seed,
                                                                std::uint64_t first, int threads,
                                                                const std::stop_token& stop) {
    const std::size_t blocks = (roots.size() + kSharedMemory - 1) / kSharedMemory;
    const int workers = std::clamp(threads, 1, static_cast<int>(std::max<std::size_t>(blocks, 1)));
    std::vector<std::unique_ptr<SegmentPlayer>> players;
    for (int i = 0; i < workers; ++i) {
        players.push_back(std::make_unique<SegmentPlayer>(plan));
        if (auto status = players.back()->take(network); !status) return std::unexpected(status.error());
    }
    using Block = std::vector<Segment>;
    const auto play = [&](int worker, std::uint64_t block) -> std::optional<Block> {
        SegmentPlayer& player = *players[static_cast<std::size_t>(worker)];
        player.forget();
        Block segments;
        const std::size_t end = std::min(roots.size(), (block + 1) * kSharedMemory);
        for (std::size_t i = block * kSharedMemory; i < end; ++i) {
            auto segment = player.play(roots[i], base::Random(seed, first + i), stop);
            if (!segment) return std::nullopt;
            segments.push_back(std::move(*segment));
        }
        return segments;
    };
    std::vector<Segment> all;
    all.reserve(roots.size());
    const auto taken = base::in_order<Block>(workers, 0, blocks, play, [&](Block&& block) {
        std::ranges::move(block, std::back_inserter(all));
        return true;
    });
    if (taken < blocks) return std::optional<std::vector<Segment>>();
    return all;
}

}  // namespace scholar::learning
