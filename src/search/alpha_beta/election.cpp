#include "search/alpha_beta/election.hpp"

#include <algorithm>
#include <cstdint>

namespace scholar::search {

namespace {

using chess::Score;

bool has_score(const Ballot& ballot) {
    return ballot.score != -Score::infinite();
}

// No score, a score that the move may not reach, one that it has.
int standing(const Ballot& ballot) {
    if (!has_score(ballot)) return 0;
    return ballot.bound == Bound::Upper ? 1 : 2;
}

}  // namespace

std::size_t elect(std::span<const Ballot> ballots) {
    int least = INT32_MAX;
    for (const Ballot& ballot : ballots)
        if (has_score(ballot)) least = std::min(least, ballot.score.value());
    const auto weight = [&](const Ballot& ballot) {
        return has_score(ballot) ? std::int64_t{ballot.score.value() - least + 16} * ballot.depth : 0;
    };
    const auto votes = [&](chess::Move move) {
        std::int64_t sum = 0;
        for (const Ballot& ballot : ballots)
            if (ballot.move == move) sum += weight(ballot);
        return sum;
    };
    std::size_t elected = 0;
    for (std::size_t i = 1; i < ballots.size(); ++i) {
        const Ballot& candidate = ballots[i];
        const Ballot& current = ballots[elected];
        // The first thread may have waited for a core until the others had used up all the nodes.
        if (standing(candidate) != standing(current)) {
            if (standing(candidate) > standing(current)) elected = i;
            continue;
        }
        if (!has_score(candidate)) continue;
        if (current.score.is_win() || candidate.score.is_win()) {
            if (candidate.score > current.score) elected = i;
        } else if (current.score.is_loss()) {
            // What is proved is not given up for what looked no deeper.
            if (candidate.move != current.move && candidate.score > current.score &&
                candidate.depth >= current.depth)
                elected = i;
        } else if (votes(candidate.move) > votes(current.move) ||
                   (candidate.move == current.move && weight(candidate) > weight(current))) {
            elected = i;
        }
    }
    return elected;
}

}  // namespace scholar::search
