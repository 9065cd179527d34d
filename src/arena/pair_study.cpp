#include "arena/pair_study.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <utility>

#include "arena/value_study.hpp"
#include "base/random.hpp"

namespace scholar::arena {

namespace {

// The last of each group but the last.
constexpr std::array kEndsOfDistance{10, 20, 40, 80};
constexpr std::array kEndsOfMen{8, 16, 24};
constexpr std::array kEndsOfMaterial{-3, -1, 0, 2};
constexpr std::array kMaterialNames{"3 or more behind", "1 or 2 behind", "level", "1 or 2 ahead",
                                    "3 or more ahead"};

int white_balance(const chess::Position& position) {
    const int balance = material_balance(position);
    return position.side_to_move() == chess::White ? balance : -balance;
}

int more_for_won(const games::HeldOutSet& set, const PositionPair& pair) {
    return white_balance(set.positions[pair.won].position) - white_balance(set.positions[pair.lost].position);
}

int to_end(const games::HeldOutSet& set, std::size_t place) {
    const games::HeldOutPosition& position = set.positions[place];
    return static_cast<int>(set.game_of(position).moves.size()) - position.ply;
}

int men(const games::HeldOutSet& set, std::size_t place) {
    return chess::popcount(set.positions[place].position.occupied());
}

// "up to 10", "11 to 20", …, "more".
template <std::size_t N>
std::vector<std::string> names_of_ranges(const std::array<int, N>& ends) {
    std::vector<std::string> names{fmt::format("up to {}", ends.front())};
    for (std::size_t i = 1; i < N; ++i)
        names.push_back(fmt::format("{} to {}", ends.at(i - 1) + 1, ends.at(i)));
    names.push_back(fmt::format("over {}", ends.back()));
    return names;
}

template <std::size_t N>
std::size_t range_of(int value, const std::array<int, N>& ends) {
    return static_cast<std::size_t>(std::ranges::lower_bound(ends, value) - ends.begin());
}

// Appends a group for each range that has pairs.
template <std::size_t N, class Measure>
void add_groups(std::vector<PairGroup>& groups, const char* kind, const std::vector<std::string>& names,
                const std::array<int, N>& ends, std::size_t pairs, Measure measure) {
    std::vector<PairGroup> all;
    all.reserve(names.size());
    for (const std::string& name : names) all.push_back({kind, name, {}});
    for (std::size_t i = 0; i < pairs; ++i) all[range_of(measure(i), ends)].pairs.push_back(i);
    for (PairGroup& group : all)
        if (!group.pairs.empty()) groups.push_back(std::move(group));
}

}  // namespace

std::vector<PositionPair> draw_pairs(const games::HeldOutSet& set, std::uint64_t wanted, std::uint64_t seed) {
    std::vector<std::size_t> won;
    std::vector<std::size_t> lost;
    for (std::size_t i = 0; i < set.positions.size(); ++i) {
        const games::HeldOutPosition& position = set.positions[i];
        if (position.position.is_capture(position.played)) continue;
        const games::GameResult result = set.game_of(position).result;
        if (result == games::GameResult::WhiteWins) won.push_back(i);
        if (result == games::GameResult::BlackWins) lost.push_back(i);
    }
    std::vector<PositionPair> pairs;
    if (won.empty() || lost.empty()) return pairs;
    base::Random random(seed);
    for (std::uint64_t i = 0; i < wanted; ++i)
        pairs.push_back(
            {won[random.below(won.size())], lost[random.below(lost.size())], random.below(2) == 0});
    return pairs;
}

PairAnswers ask_about_pairs(const games::HeldOutSet& set, const std::vector<PositionPair>& pairs,
                            std::string name, evaluators::Comparator& comparator,
                            const std::stop_token& stop) {
    PairAnswers answers{.name = std::move(name), .right = {}};
    std::vector<evaluators::Embedding> embeddings(set.positions.size());
    const auto embedded = [&](std::size_t place) -> const evaluators::Embedding& {
        if (embeddings[place].empty()) comparator.embed(set.positions[place].position, embeddings[place]);
        return embeddings[place];
    };
    std::size_t contradictions = 0;
    for (const PositionPair& pair : pairs) {
        if (stop.stop_requested()) {
            answers.interrupted = true;
            break;
        }
        const bool straight = comparator.prefers(embedded(pair.won), embedded(pair.lost));
        const bool turned = comparator.prefers(embedded(pair.lost), embedded(pair.won));
        contradictions += straight == turned;
        answers.right.push_back((pair.won_first ? straight : !turned) ? 1 : 0);
    }
    if (!answers.right.empty())
        answers.contradicted =
            static_cast<double>(contradictions) / static_cast<double>(answers.right.size());
    return answers;
}

PairAnswers judge_by_material(const games::HeldOutSet& set, const std::vector<PositionPair>& pairs) {
    PairAnswers answers{.name = "material", .right = {}};
    for (const PositionPair& pair : pairs) {
        const int more = more_for_won(set, pair);
        answers.right.push_back(more > 0 ? 1 : more < 0 ? 0 : 0.5);
    }
    return answers;
}

std::vector<PairGroup> pair_groups(const games::HeldOutSet& set, const std::vector<PositionPair>& pairs) {
    std::vector<PairGroup> groups;
    if (pairs.empty()) return groups;
    PairGroup& all = groups.emplace_back(PairGroup{"all", "all", {}});
    all.pairs.resize(pairs.size());
    std::iota(all.pairs.begin(), all.pairs.end(), std::size_t{0});
    const auto larger = [&](auto measure) {
        return [&, measure](std::size_t i) {
            return std::max(measure(set, pairs[i].won), measure(set, pairs[i].lost));
        };
    };
    add_groups(groups, "to end", names_of_ranges(kEndsOfDistance), kEndsOfDistance, pairs.size(),
               larger(to_end));
    add_groups(groups, "men", names_of_ranges(kEndsOfMen), kEndsOfMen, pairs.size(), larger(men));
    add_groups(groups, "material", {kMaterialNames.begin(), kMaterialNames.end()}, kEndsOfMaterial,
               pairs.size(), [&](std::size_t i) { return more_for_won(set, pairs[i]); });
    return groups;
}

Estimate score_pairs(const PairAnswers& answers, const PairGroup& group) {
    double right = 0;
    for (const std::size_t pair : group.pairs) right += answers.right.at(pair);
    const auto count = static_cast<std::uint64_t>(group.pairs.size());
    return wilson(right / static_cast<double>(count), count);
}

}  // namespace scholar::arena
