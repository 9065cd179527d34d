#include "arena/pair_judge.hpp"

#include <array>
#include <chrono>
#include <utility>

namespace scholar::arena {

namespace {

constexpr auto kPatienceOfJudge = std::chrono::minutes(10);

// The least of each group but the first.
constexpr std::array kLeastHigher{0, 50, 100, 300, 1'000};
constexpr std::array kNamesHigher{"the lost one better", "up to ½", "½ to 1", "1 to 3", "3 to 10",
                                  "10 or more"};

}  // namespace

base::Result<std::optional<std::vector<int>>> judge_positions(const games::HeldOutSet& set,
                                                              std::span<const PositionPair> pairs,
                                                              Player& engine, std::uint64_t nodes,
                                                              const std::stop_token& stop) {
    std::vector<int> scores(set.positions.size());
    std::vector<bool> is_judged(set.positions.size());
    if (auto status = engine.new_game({}); !status) return std::unexpected(status.error());
    for (const PositionPair& pair : pairs) {
        for (const std::size_t place : {pair.won, pair.lost}) {
            if (is_judged[place]) continue;
            is_judged[place] = true;
            const chess::Position& position = set.positions[place].position;
            const Reply reply = engine.go(position, {}, position, NodeLimit{nodes}, kPatienceOfJudge, stop);
            if (reply.answer == Answer::Stopped || stop.stop_requested()) return std::nullopt;
            if (reply.answer != Answer::Move || !reply.info.has_score())
                return base::fail("engine {}: {}", engine.name(),
                                  reply.detail.empty() ? "no score" : reply.detail);
            const int score = reply.info.score();
            scores[place] = position.side_to_move() == chess::White ? score : -score;
        }
    }
    return scores;
}

PairAnswers answers_by_scores(std::span<const PositionPair> pairs, std::string name,
                              std::span<const int> scores) {
    PairAnswers answers{.name = std::move(name), .right = {}};
    for (const PositionPair& pair : pairs) {
        const int won = scores[pair.won];
        const int lost = scores[pair.lost];
        answers.right.push_back(won > lost ? 1 : won < lost ? 0 : 0.5);
    }
    return answers;
}

std::vector<PairGroup> groups_by_scores(std::span<const PositionPair> pairs, std::span<const int> scores) {
    std::vector<PairGroup> all;
    all.reserve(kNamesHigher.size());
    for (const char* name : kNamesHigher) all.push_back({"judged", name, {}});
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const int higher = scores[pairs[i].won] - scores[pairs[i].lost];
        std::size_t group = 0;
        while (group < kLeastHigher.size() && higher >= kLeastHigher.at(group)) ++group;
        all[group].pairs.push_back(i);
    }
    std::erase_if(all, [](const PairGroup& group) { return group.pairs.empty(); });
    return all;
}

}  // namespace scholar::arena
