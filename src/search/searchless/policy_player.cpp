#include "search/searchless/policy_player.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "search/root.hpp"

namespace scholar::search {

namespace {

class PolicyPlayer final : public Search {
  public:
    PolicyPlayer(std::unique_ptr<evaluators::BatchEvaluator> batch, const PolicyPlayerOptions& options)
        : batch_(std::move(batch)), options_(options), random_(options.seed) {}

    SearchResult run(const chess::Line& line, const Limits& limits, std::stop_token /*stop*/,
                     Observer& observer) override {
        const auto started = std::chrono::steady_clock::now();
        const std::vector<chess::Move> allowed = allowed_moves(line.current(), limits);
        if (allowed.empty()) return result_without_moves(line.current());
        const chess::MoveList moves = chess::legal_moves(line.current());

        batch_->submit(line, moves);
        const base::Status status = batch_->collect(opinions_);
        SearchResult result;
        if (!status) result.trouble = status.error().message;
        for (int i = 0; i < moves.size(); ++i)
            if (std::ranges::find(allowed, moves[i]) != allowed.end())
                result.root_distribution.emplace_back(
                    moves[i], status ? opinions_.front().probabilities[static_cast<std::size_t>(i)] : 0.0);
        // The likeliest first; equals in the order of their bits, as allowed_moves().
        std::ranges::sort(result.root_distribution, [](const auto& a, const auto& b) {
            return a.second != b.second ? a.second > b.second : a.first.bits() < b.first.bits();
        });
        std::size_t of_choice = result.root_distribution.size();
        if (options_.choice == PolicyChoice::ManFirst) of_choice = put_man_first(result.root_distribution);
        if (options_.temperature > 0) put_drawn_first(result.root_distribution, of_choice);
        double sum = 0;
        for (const auto& [move, share] : result.root_distribution) sum += share;
        for (auto& [move, share] : result.root_distribution)
            share = sum > 0 ? share / sum : 1.0 / static_cast<double>(result.root_distribution.size());

        // Without an opinion they are no more than a way to have a legal move.
        if (status) result.root_share = RootShare::Probability;
        result.best = result.root_distribution.front().first;
        if (status) {
            result.score = opinions_.front().value;
            result.wdl = opinions_.front().wdl;
            if (const auto expected = opinions_.front().expected(); !result.score && expected)
                result.score = chess::Score::from_expected(*expected);
        }
        result.principal_variation = {result.best};
        result.leaf = line.current().after(result.best);
        result.counters.nodes = 1;
        result.counters.depth = 1;
        result.counters.selective_depth = 1;
        result.counters.elapsed = std::chrono::steady_clock::now() - started;
        add_one_move_lines(result, limits, result.root_distribution.size(), [&result](std::size_t i) {
            return one_move_line(result.root_distribution[i].first, i == 0 ? result.score : std::nullopt,
                                 i == 0 ? result.wdl : std::nullopt);
        });
        report_lines(result, observer);
        return result;
    }

    void new_game() override { random_ = base::Random(options_.seed); }

  private:
    using Shares = std::vector<std::pair<chess::Move, double>>;

    // The moves of the man whose moves have most together, in the order that they have; how many they are.
    static std::size_t put_man_first(Shares& shares) {
        std::array<double, 64> by_man{};
        for (const auto& [move, share] : shares) by_man.at(move.from()) += share;
        const auto man = std::ranges::max_element(by_man) - by_man.begin();
        const auto others = std::ranges::stable_partition(
            shares, [man](const auto& each) { return each.first.from() == man; });
        return shares.size() - others.size();
    }

    // One of the first `count`, the first of which is the likeliest of them; the others stay in order.
    void put_drawn_first(Shares& shares, std::size_t count) {
        const double largest = shares.front().second;
        std::vector<double> weights(count, 1);
        // Where nothing is known, all are alike.
        for (std::size_t i = 0; largest > 0 && i < count; ++i)
            weights[i] = std::pow(shares[i].second / largest, 1 / options_.temperature);
        double left = random_.unit() * std::accumulate(weights.begin(), weights.end(), 0.0);
        std::size_t drawn = 0;
        while (drawn + 1 < count && left >= weights[drawn]) left -= weights[drawn++];
        std::rotate(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(drawn),
                    shares.begin() + static_cast<std::ptrdiff_t>(drawn) + 1);
    }

    std::unique_ptr<evaluators::BatchEvaluator> batch_;
    PolicyPlayerOptions options_;
    base::Random random_;
    std::vector<evaluators::Opinion> opinions_;
};

}  // namespace

base::Result<std::unique_ptr<Search>> make_policy_player(const nets::AnyNetwork& network,
                                                         const PolicyPlayerOptions& options) {
    auto batch = evaluators::make_batch(network);
    if (!batch) return std::unexpected(batch.error());
    if (!(*batch)->abilities().has(nets::Ability::Policy))
        return base::fail("{}: gives {}, expected {}", network.description(),
                          nets::to_string(network.abilities()), nets::to_string(nets::Ability::Policy));
    return std::make_unique<PolicyPlayer>(std::move(*batch), options);
}

}  // namespace scholar::search
