#include "games/sample_stages.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "chess/exchange.hpp"
#include "chess/mirror.hpp"
#include "chess/movegen.hpp"

namespace scholar::games::stages {

namespace {

bool rated(const GameFacts& game) {
    return game.ratings[chess::White] > 0 && game.ratings[chess::Black] > 0;
}

// A number from the game's hash, number `series` of those that are independent of one another and of
// split_of(), which mixes the hash too.
std::uint64_t hash_number(const GameFacts& game, int series) {
    std::uint64_t mixed = game.hash;
    for (int i = 0; i < series; ++i) base::split_mix(mixed);
    return base::split_mix(mixed);
}

}  // namespace

bool Rating::accepts(const GameFacts& game) const {
    return rated(game) &&
           std::ranges::all_of(game.ratings, [this](int each) { return each >= min && each <= max; });
}

bool MeanRating::accepts(const GameFacts& game) const {
    const double mean = (game.ratings[chess::White] + game.ratings[chess::Black]) / 2.0;
    return rated(game) && mean >= min && mean <= max;
}

bool Result::accepts(const GameFacts& game) const {
    switch (is) {
        case Kind::Decisive:
            return game.result == GameResult::WhiteWins || game.result == GameResult::BlackWins;
        case Kind::Drawn:
            return game.result == GameResult::Draw;
        case Kind::WhiteWins:
            return game.result == GameResult::WhiteWins;
        case Kind::BlackWins:
            return game.result == GameResult::BlackWins;
    }
    return false;
}

bool SomeGames::accepts(const GameFacts& game) const {
    return static_cast<double>(hash_number(game, 1) >> 11) * 0x1.0p-53 < share;
}

bool MoverRating::accepts(const Candidate& candidate) const {
    const int rating = candidate.game.ratings[candidate.game.mover(candidate.ply)];
    return rating > 0 && rating >= min && rating <= max;
}

bool Mover::accepts(const Candidate& candidate) const {
    const GameFacts& game = candidate.game;
    const chess::Color mover = game.mover(candidate.ply);
    const auto scored = points(game.result, mover);
    const int higher = rated(game) ? game.ratings[mover] - game.ratings[~mover] : 0;
    switch (is) {
        case Kind::White:
            return mover == chess::White;
        case Kind::Black:
            return mover == chess::Black;
        case Kind::Winner:
            return scored == 1.0;
        case Kind::Loser:
            return scored == 0.0;
        case Kind::HigherRated:
            return higher > 0;
        case Kind::LowerRated:
            return higher < 0;
        case Kind::OneOfTwo:
            return mover == (hash_number(game, 2) >> 63 ? chess::White : chess::Black);
    }
    return false;
}

bool NoCapturePossible::accepts(const Candidate& candidate) const {
    return std::ranges::none_of(
        chess::legal_moves(candidate.position, chess::MoveSet::Noisy),
        [&candidate](chess::Move move) { return candidate.position.is_capture(move); });
}

bool Quiet::accepts(const Candidate& candidate) const {
    const chess::Position& position = candidate.position;
    if (position.in_check()) return false;
    const std::array<int, 6> values{pawn, knight, bishop, rook, queen, 0};  // the king is never taken
    return std::ranges::none_of(chess::legal_moves(position, chess::MoveSet::Noisy), [&](chess::Move move) {
        return move.is_promotion() || chess::exchange_wins(position, move, gain, values);
    });
}

double ThinOpenings::share(int ply) const {
    return 1 - std::exp(-ply / tau);
}

double ThinFirst::share(int ply) const {
    return ply < plies ? std::min(1.0, first * std::pow(growth, ply)) : 1;
}

bool Mirror::apply(Sample& sample, const GameFacts&, base::Random&) const {
    if (sample.position.side_to_move() == chess::Black) {
        sample.position = chess::mirrored(sample.position);
        sample.move = chess::mirrored(sample.move);
        sample.before = chess::mirrored(sample.before);
        std::swap(sample.ratings[chess::White], sample.ratings[chess::Black]);
    }
    return true;
}

bool RandomMove::apply(Sample& sample, const GameFacts&, base::Random& random) const {
    for (int done = 0; done < count; ++done) {
        const chess::MoveList moves = chess::legal_moves(sample.position);
        if (moves.empty()) return false;
        sample.before = moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
        sample.position.make(sample.before);
        ++sample.ply;
        sample.result = 1 - sample.result;
    }
    sample.evaluation.reset();
    sample.producer = 0;
    sample.move = chess::Move::none();
    sample.to_end = 0;
    return chess::has_legal_move(sample.position);
}

bool Discount::apply(Sample& sample, const GameFacts& game, base::Random&) const {
    const double factor = std::pow(gamma, game.plies - sample.ply);
    sample.result = static_cast<float>(0.5 + (static_cast<double>(sample.result) - 0.5) * factor);
    return true;
}

void Returns::revise(std::span<std::optional<Evaluation>> evaluations, const GameFacts& game) const {
    constexpr double kMost = 32'000;
    const auto result = points(game.result, chess::White);
    std::optional<double> later;
    if (game.ending != Ending::Adjudication) later = result;
    for (auto& evaluation : evaluations | std::views::reverse) {
        if (!evaluation) continue;
        const double value = evaluation->mate != 0 ? (evaluation->mate > 0 ? 1 : 0)
                                                   : 1 / (1 + std::exp(-evaluation->centipawns / scale));
        later = std::lerp(value, later.value_or(value), lambda);
        // Of a forced mate to the end there is no finite number: it stays what it was.
        if (evaluation->mate != 0 && *later == value) continue;
        const double centipawns = scale * std::log(*later / (1 - *later));
        evaluation->centipawns =
            static_cast<std::int16_t>(std::lround(std::clamp(centipawns, -kMost, kMost)));
        evaluation->mate = 0;
    }
}

}  // namespace scholar::games::stages
