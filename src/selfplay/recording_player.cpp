#include "selfplay/recording_player.hpp"

#include <utility>

#include "chess/line.hpp"

namespace scholar::selfplay {

RecordingPlayer::RecordingPlayer(std::string name, std::unique_ptr<search::Search> search,
                                 search::Limits limits, std::optional<Inside> inside)
    : name_(std::move(name)),
      inside_(std::move(inside)),
      search_(std::move(search)),
      limits_(std::move(limits)) {}

base::Status RecordingPlayer::set_option(std::string_view name, std::string_view /*value*/) {
    return arena::no_such_option(name_, no_options_, name);
}

base::Status RecordingPlayer::new_game(const arena::GameTerms& /*terms*/) {
    search_->new_game();
    thoughts_.clear();
    return {};
}

arena::Reply RecordingPlayer::go(const chess::Position& start, std::span<const chess::Move> moves,
                                 const chess::Position& /*current*/, const arena::SearchLimit& /*limit*/,
                                 std::chrono::milliseconds /*patience*/, std::stop_token stop) {
    chess::Line line(start);
    line.reserve_ahead(static_cast<int>(moves.size()));
    for (const chess::Move move : moves) line.push(move);
    search::Silence silence;
    arena::Reply reply;
    thoughts_.push_back({line.ply(), search_->run(line, limits_, stop, silence)});
    if (inside_) thoughts_.back().nodes = inside_->tap->take(inside_->random);
    const search::SearchResult& result = thoughts_.back().result;
    reply.elapsed = std::chrono::duration_cast<std::chrono::microseconds>(result.counters.elapsed);
    if (stop.stop_requested()) {
        reply.answer = arena::Answer::Stopped;
        return reply;
    }
    reply.move = result.best;
    reply.info.depth = result.counters.depth;
    reply.info.nodes = result.counters.nodes;
    return reply;
}

}  // namespace scholar::selfplay
