#include "learning/selfplay_loop/round_games.hpp"

#include <algorithm>

namespace scholar::learning {

namespace {

// Positions that a network is measured on.
constexpr std::size_t kMeasured = 500;

// One of `count` > 0 things of a game, the same each time and not the same place in each game.
std::size_t one_of(const selfplay::Record& record, std::size_t count) {
    return record.number * 7919 % count;
}

std::uint64_t& tenth_of(Tenths& tenths, double value) {
    return tenths[static_cast<std::size_t>(std::clamp(static_cast<int>(value * 10), 0, 9))];
}

chess::Position start_from(const selfplay::Record& record) {
    const std::size_t ply = one_of(record, record.game.moves.size());
    chess::Position position = record.game.start;
    for (std::size_t i = 0; i < ply; ++i) position.make(record.game.moves[i]);
    return position;
}

}  // namespace

void RoundGames::add(const selfplay::Record& record, bool repeated) {
    const games::Game& game = record.game;
    ++summary_.games;
    summary_.repeated += repeated;
    summary_.half_moves += game.moves.size();
    summary_.draws += game.result == games::GameResult::Draw;
    if (record.decided_for && game.ending != games::Ending::Resignation &&
        game.ending != games::Ending::Adjudication) {
        ++summary_.played_on;
        summary_.misjudged += games::points(game.result, *record.decided_for) != 1;
    }
    for (const selfplay::Judgement& judgement : record.judgements) {
        summary_.nodes += judgement.nodes;
        summary_.judged += judgement.searched;
        if (!judgement.searched || judgement.quick) continue;
        ++summary_.full;
        summary_.bounded += judgement.bound != search::Bound::Exact;
        summary_.depths += static_cast<std::uint64_t>(std::max(0, judgement.depth));
    }
    const auto first = std::ranges::find(record.judgements, true, &selfplay::Judgement::searched);
    if (first != record.judgements.end()) {
        const auto ply = static_cast<std::size_t>(first - record.judgements.begin());
        chess::Position position = game.start;
        for (std::size_t i = 0; i < ply; ++i) position.make(game.moves[i]);
        const double expected = first->score.expected();
        ++tenth_of(summary_.openings, position.side_to_move() == chess::White ? expected : 1 - expected);
    }
    if (with_starts_ && !game.moves.empty()) starts_.push_back(start_from(record));
    const std::vector<Lesson> lessons = lessons_of(record, plan_);
    for (const Lesson& lesson : lessons)
        ++tenth_of(summary_.targets, static_cast<double>(lesson.target + lesson.slack / 2));
    lessons_.insert(lessons_.end(), lessons.begin(), lessons.end());
    summary_.lessons = lessons_.size();
    if (!lessons.empty() && measured_.size() < kMeasured) {
        games::Sample sample;
        sample.position = lessons[one_of(record, lessons.size())].position;
        measured_.push_back(sample);
    }
}

}  // namespace scholar::learning
