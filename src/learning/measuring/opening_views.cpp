#include "learning/measuring/opening_views.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.hpp"
#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "search/alpha_beta/alpha_beta.hpp"

namespace scholar::learning {

namespace {

constexpr std::size_t kTableMegabytes = 4;
// For all first moves: a depth, so that each is searched as deep as the others.
constexpr search::DepthLimit kFirstMoves{6};
constexpr search::NodeLimit kReply{5'000};
constexpr std::size_t kLineLength = 8;  // half-moves

// The position after moves as people write them, with numbers.
chess::Line line_of(const std::string& moves) {
    chess::Line line;
    for (const std::string_view word : base::split_words(moves))
        if (!word.ends_with('.'))
            if (const auto move = chess::parse_san(line.current(), word)) line.push(*move);
    return line;
}

// Moves as people write them, from the start of a game.
std::string text_of(const std::vector<chess::Move>& moves, std::size_t most) {
    std::string text;
    chess::Position position;
    for (std::size_t i = 0; i < std::min(most, moves.size()); ++i) {
        if (i % 2 == 0) text += fmt::format("{}{}.", i == 0 ? "" : " ", i / 2 + 1);
        text += " " + chess::to_san(position, moves[i]);
        position.make(moves[i]);
    }
    return text;
}

search::SearchResult search(const std::shared_ptr<const nets::Network>& network, const chess::Line& line,
                            const search::Limit& limit, int moves) {
    search::Table table(kTableMegabytes);
    search::Limits limits;
    limits.limits.push_back(limit);
    limits.multi_pv = moves;
    search::Silence silent;
    return search::make_alpha_beta(network, table).value()->run(line, limits, {}, silent);
}

}  // namespace

const std::vector<OpeningPosition>& opening_positions() {
    static const std::vector<OpeningPosition> kPositions{
        {"King's Pawn", "1. e4"}, {"Queen's Pawn", "1. d4"},       {"Open Game", "1. e4 e5 2. Nf3"},
        {"Sicilian", "1. e4 c5"}, {"French", "1. e4 e6 2. d4 d5"}, {"Queen's Gambit", "1. d4 d5 2. c4"},
    };
    return kPositions;
}

OpeningView opening_view(const std::shared_ptr<const nets::Network>& network) {
    OpeningView view;
    const chess::Line start;
    const int moves = chess::legal_moves(start.current()).size();
    const search::SearchResult first = search(network, start, kFirstMoves, moves);
    view.line = text_of(first.principal_variation, kLineLength);
    for (const search::RootLine& each : first.lines)
        if (!each.variation.empty())
            view.first_moves.push_back(
                {chess::to_san(start.current(), each.variation.front()), each.score->expected()});
    for (const OpeningPosition& opening : opening_positions()) {
        const chess::Line line = line_of(opening.moves);
        const search::SearchResult reply = search(network, line, kReply, 1);
        const chess::PovScore score(*reply.score, line.current().side_to_move());
        view.replies.push_back({chess::to_san(line.current(), reply.best), score.white().expected()});
    }
    return view;
}

}  // namespace scholar::learning
