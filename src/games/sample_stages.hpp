#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "base/random.hpp"
#include "chess/score.hpp"
#include "games/sample.hpp"

// The stages between a game and the samples drawn from it: docs/sampling.md says what each is for.
//
// A stage is one small type of one of these shapes:
//
//   a filter of games       bool accepts(const GameFacts&) const
//   a filter of positions   bool accepts(const Candidate&) const, and kCost, when it is asked
//   a thinning              double share(int ply) const, the probability that a position stays
//   a limit a game          only PerGame
//   a transformation        bool apply(Sample&, const GameFacts&, base::Random&) const; false drops the
//   sample
//   a revision of a game's evaluations, before anything is drawn
//                           void revise(std::span<std::optional<Evaluation>>, const GameFacts&) const
//
// and says its name, what it is for, and its parameters (games/parameters.hpp), from which reading, writing,
// ranges and help are made. kUsesMove: it speaks of the move played, so it cannot stand behind a random move.
// To add one: write the type, add it to SampleStage, and to the table in docs/sampling.md; its test compares
// what it lets through with what a loop over the games finds.

namespace scholar::games {

// What is known of a game before its moves are looked at.
struct GameFacts {
    GameResult result = GameResult::Unknown;
    std::uint64_t hash = 0;
    std::array<int, 2> ratings{};  // by colour; 0: not known
    chess::Color first_to_move = chess::White;
    int plies = 0;
    Ending ending = Ending::Unknown;

    chess::Color mover(int ply) const { return ply % 2 == 0 ? first_to_move : ~first_to_move; }
};

// A position of a game and the move played in it.
struct Candidate {
    const chess::Position& position;
    chess::Move move;
    int ply;
    const GameFacts& game;
};

// What a filter of positions looks at. Cheaper ones are asked first.
enum class Cost : std::uint8_t {
    Ply,    // the ply and the game: no position is needed
    Move,   // the move on the board
    Check,  // who attacks the king
    Moves,  // a list of moves
};

constexpr int kMaxPly = 65'535;
constexpr int kMaxRating = 10'000;

namespace stages {

// -- Filters of games --------------------------------------------------------------------------------------

// Both ratings are known and in the range.
struct Rating {
    int min = 0;
    int max = kMaxRating;
    bool accepts(const GameFacts& game) const;
};

// Both ratings are known, and their mean is in the range.
struct MeanRating {
    double min = 0;
    double max = kMaxRating;
    bool accepts(const GameFacts& game) const;
};

// How the game ended.
struct Result {
    enum class Kind : std::uint8_t { Decisive, Drawn, WhiteWins, BlackWins };
    Kind is = Kind::Decisive;
    bool accepts(const GameFacts& game) const;
};

// What ended the game.
struct EndedBy {
    Ending is = Ending::Checkmate;
    bool accepts(const GameFacts& game) const { return game.ending == is; }
};

// A share of the games, by their hash: the same games in every pass and for every seed.
struct SomeGames {
    double share = 1;
    bool accepts(const GameFacts& game) const;
};

// -- Filters of positions ----------------------------------------------------------------------------------

// Half-moves since the start of the game; the start position has none.
struct Ply {
    static constexpr Cost kCost = Cost::Ply;
    int min = 0;
    int max = kMaxPly;
    bool accepts(const Candidate& candidate) const { return candidate.ply >= min && candidate.ply <= max; }
};

// Half-moves that are still played; the last move's position has one.
struct ToEnd {
    static constexpr Cost kCost = Cost::Ply;
    int min = 1;
    int max = kMaxPly;
    bool accepts(const Candidate& candidate) const {
        const int left = candidate.game.plies - candidate.ply;
        return left >= min && left <= max;
    }
};

// The rating of the player to move is known and in the range.
struct MoverRating {
    static constexpr Cost kCost = Cost::Ply;
    int min = 0;
    int max = kMaxRating;
    bool accepts(const Candidate& candidate) const;
};

// The player to move is a certain one of the two. Of drawn games nobody is the winner or the loser, and of
// games of equal or unknown ratings nobody is rated higher or lower: none of their positions passes.
struct Mover {
    enum class Kind : std::uint8_t { White, Black, Winner, Loser, HigherRated, LowerRated, OneOfTwo };
    static constexpr Cost kCost = Cost::Ply;
    Kind is = Kind::White;  // OneOfTwo: by the game's hash, the same in every pass and for every seed
    bool accepts(const Candidate& candidate) const;
};

// The move played is neither a capture nor a promotion.
struct QuietMove {
    static constexpr Cost kCost = Cost::Move;
    static constexpr bool kUsesMove = true;
    bool accepts(const Candidate& candidate) const { return !candidate.position.is_noisy(candidate.move); }
};

// The move played is not a capture.
struct NoCaptureNext {
    static constexpr Cost kCost = Cost::Move;
    static constexpr bool kUsesMove = true;
    bool accepts(const Candidate& candidate) const { return !candidate.position.is_capture(candidate.move); }
};

// Such a man made the move played.
struct Moved {
    static constexpr Cost kCost = Cost::Move;
    static constexpr bool kUsesMove = true;
    chess::PieceKind is = chess::Pawn;
    bool accepts(const Candidate& candidate) const {
        return kind_of(candidate.position.piece_on(candidate.move.from())) == is;
    }
};

// The side to move is not in check.
struct NotInCheck {
    static constexpr Cost kCost = Cost::Check;
    bool accepts(const Candidate& candidate) const { return !candidate.position.in_check(); }
};

// No legal move is a capture.
struct NoCapturePossible {
    static constexpr Cost kCost = Cost::Moves;
    bool accepts(const Candidate& candidate) const;
};

// Whatever was played: the side to move is not in check, cannot promote, and has no capture that wins `gain`
// centipawns or more by exchanges on its square, where the pieces are worth as much as it says.
struct Quiet {
    static constexpr Cost kCost = Cost::Moves;
    int gain = 100;
    int pawn = 100;
    int knight = 300;
    int bishop = 300;
    int rook = 500;
    int queen = 900;
    bool accepts(const Candidate& candidate) const;
};

// -- Thinnings ---------------------------------------------------------------------------------------------

// One position in k, each at random.
struct OneIn {
    double k = 1;
    double share(int) const { return 1 / k; }
};

// The position at ply p stays with probability 1 − exp(−p/tau): openings, which many games share, come less
// often, and the start position never.
struct ThinOpenings {
    double tau = 1;
    double share(int ply) const;
};

// Of the first `plies` positions of a game, number p stays with probability first · growth^p; the rest stay.
struct ThinFirst {
    int plies = 0;
    double first = 1;
    double growth = 2;
    double share(int ply) const;
};

// -- A limit a game ----------------------------------------------------------------------------------------

// At most k positions of a game: all sets of k of those that came so far are equally likely.
struct PerGame {
    int k = 1;
};

// -- Transformations ---------------------------------------------------------------------------------------

// Where Black is to move the colours are exchanged and the board is turned over, so that White is.
struct Mirror {
    bool apply(Sample& sample, const GameFacts& game, base::Random& random) const;
};

// `count` random legal moves are played. The result of the game stays what it is expected to be; the
// evaluation and the move played, which are of another position, go. Dropped if the game is then over.
struct RandomMove {
    int count = 1;
    bool apply(Sample& sample, const GameFacts& game, base::Random& random) const;
};

// The result counts less the further away it is: with n half-moves to go it is ½ + (result − ½) · gamma^n.
struct Discount {
    static constexpr bool kUsesMove = true;
    double gamma = 1;
    bool apply(Sample& sample, const GameFacts& game, base::Random& random) const;
};

// -- Revisions of evaluations ------------------------------------------------------------------------------

// Each evaluation becomes what those from it on expect, the next one lambda times as weighty as the one
// before it, and how the game ended last: G_t = (1 − lambda) v_t + lambda G_{t+1}, White's expected results.
// That is lambda times the λ-return of TD(λ) (learning/targets/td.hpp), which leaves v_t itself out, and (1 −
// lambda) times v_t. Half-moves without an evaluation are passed over. Of a game that was cut off
// (Ending::Adjudication) nobody knows the end: the last evaluation stands for it.
struct Returns {
    static constexpr bool kUsesMove = true;
    double lambda = 0;                    // 0: each stays as it is; 1: the result
    double scale = chess::Score::kScale;  // centipawns to a logit of the expected result
    void revise(std::span<std::optional<Evaluation>> evaluations, const GameFacts& game) const;
};

}  // namespace stages

using SampleStage =
    std::variant<stages::Rating, stages::MeanRating, stages::Result, stages::EndedBy, stages::SomeGames,
                 stages::Ply, stages::ToEnd, stages::MoverRating, stages::Mover, stages::QuietMove,
                 stages::NoCaptureNext, stages::Moved, stages::NotInCheck, stages::NoCapturePossible,
                 stages::Quiet, stages::OneIn, stages::ThinOpenings, stages::ThinFirst, stages::PerGame,
                 stages::Mirror, stages::RandomMove, stages::Discount, stages::Returns>;

// Whether results may come out of these that no game has.
inline bool discounts(std::span<const SampleStage> stages) {
    return std::ranges::any_of(
        stages, [](const SampleStage& stage) { return std::holds_alternative<stages::Discount>(stage); });
}

template <class S>
concept GameStage = requires(const S& stage, const GameFacts& game) {
    { stage.accepts(game) } -> std::same_as<bool>;
};
template <class S>
concept PositionStage = requires(const S& stage, const Candidate& candidate) {
    { stage.accepts(candidate) } -> std::same_as<bool>;
    { S::kCost } -> std::convertible_to<Cost>;
};
template <class S>
concept ThinningStage = requires(const S& stage) {
    { stage.share(0) } -> std::same_as<double>;
};
template <class S>
concept TransformStage =
    requires(const S& stage, Sample& sample, const GameFacts& game, base::Random& random) {
        { stage.apply(sample, game, random) } -> std::same_as<bool>;
    };
template <class S>
concept RevisionStage = requires(const S& stage, std::span<std::optional<Evaluation>> evaluations,
                                 const GameFacts& game) { stage.revise(evaluations, game); };

template <class S>
constexpr bool kUsesMove = [] {
    if constexpr (requires { S::kUsesMove; }) return S::kUsesMove;
    return false;
}();

}  // namespace scholar::games
