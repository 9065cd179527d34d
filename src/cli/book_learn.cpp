#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "cli/book_learnt.hpp"
#include "cli/game_files.hpp"
#include "cli/games_problems.hpp"
#include "cli/games_shared.hpp"
#include "cli/output.hpp"
#include "engine/win_rate.hpp"
#include "games/learnt_book.hpp"

namespace scholar::cli {

namespace {

struct BookLearnArguments {
    std::string book;
    std::vector<std::string> games;
    std::string player;
    games::BookBounds bounds;
    bool no_scores = false;
    bool json = false;
};

struct LearntCounts {
    std::uint64_t learnt = 0;
    std::uint64_t of_others = 0;  // not of the player, or of the player against itself
    std::uint64_t without_result = 0;
    std::uint64_t chess960 = 0;
};

// What a player's evaluation says, for the side that was to move.
chess::Score score_in_book(const games::Evaluation& evaluation, const chess::Position& position) {
    const int sign = position.side_to_move() == chess::White ? 1 : -1;
    if (evaluation.mate != 0) {
        const int mate = sign * evaluation.mate;
        const int plies = std::min(2 * std::abs(mate), chess::kMaxPly);
        return mate > 0 ? chess::Score::mate_in(plies - 1) : chess::Score::mated_in(plies);
    }
    const double score = engine::default_win_rate().score_of_centipawns(sign * evaluation.centipawns,
                                                                        engine::material_of(position));
    constexpr double bound = chess::Score::kEvaluationBound;
    return chess::Score(static_cast<int>(std::lround(std::clamp(score, -bound, bound))));
}

class Learner {
  public:
    Learner(games::LearntBook& book, const BookLearnArguments& options) : book_(book), options_(options) {}

    base::Status add(const games::Game& game) {
        const bool white = game.tag("White") == options_.player;
        const bool black = game.tag("Black") == options_.player;
        if (game.chess960) return pass_over(counts_.chess960);
        if (white == black) return pass_over(counts_.of_others);
        if (game.result == games::GameResult::Unknown) return pass_over(counts_.without_result);
        games::BookGame told;
        told.opponent = game.tag(white ? "Black" : "White");
        told.color = white ? chess::White : chess::Black;
        told.result = game.result;
        told.start = game.start;
        chess::Position position = game.start;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            const bool ours = position.side_to_move() == told.color;
            told.moves.push_back({game.moves[ply], ours ? opinion_of(game, ply, position) : std::nullopt});
            position.make(game.moves[ply]);
        }
        if (auto status = book_.add(std::move(told)); !status) return status;
        ++counts_.learnt;
        return {};
    }

    const LearntCounts& counts() const { return counts_; }

  private:
    static base::Status pass_over(std::uint64_t& count) {
        ++count;
        return {};
    }

    std::optional<games::BookOpinion> opinion_of(const games::Game& game, std::size_t ply,
                                                 const chess::Position& position) const {
        if (options_.no_scores || ply >= game.evaluations.size() || !game.evaluations[ply])
            return std::nullopt;
        const games::Evaluation& evaluation = *game.evaluations[ply];
        games::BookOpinion opinion{score_in_book(evaluation, position), evaluation.depth, 0};
        if (ply < game.nodes.size() && game.nodes[ply]) opinion.nodes = *game.nodes[ply];
        return opinion;
    }

    games::LearntBook& book_;
    const BookLearnArguments& options_;
    LearntCounts counts_;
};

void print_summary(const BookLearnArguments& options, const games::LearntBook& book,
                   const LearntCounts& counts, std::uint64_t games_before, double seconds) {
    const games::BookState& state = book.state();
    if (options.json) {
        print({{"book", options.book},
               {"games_before", games_before},
               {"games", state.games},
               {"of_others", counts.of_others},
               {"without_result", counts.without_result},
               {"chess960", counts.chess960},
               {"positions", state.positions.size()},
               {"seconds", seconds}});
        return;
    }
    fmt::print("{}: {} learnt in {:.1f} s, now {} in {}\n", options.book,
               base::counted(counts.learnt, "game"), seconds, base::counted(state.games, "game"),
               base::counted(state.positions.size(), "position"));
    if (counts.of_others + counts.without_result + counts.chess960 > 0)
        fmt::print(
            "left out: {} that '{}' did not play against another, {} without a result, {} of Chess960\n",
            base::counted(counts.of_others, "game"), options.player, grouped(counts.without_result),
            grouped(counts.chess960));
    if (counts.learnt > 0)
        fmt::print("to undo it, and searches since game {1}: scholar book rollback {0} {1}\n", options.book,
                   games_before);
}

base::Status learn(const BookLearnArguments& options, const std::stop_token& stop) {
    const auto start = Clock::now();
    if (auto status = check_output(options.book, options.games); !status) return status;
    const auto book =
        games::LearntBook::open(options.book, games::BookAccess::Write, games::Flush::AtEnd, options.bounds);
    if (!book) return std::unexpected(book.error());
    const std::uint64_t games_before = (*book)->state().games;
    Learner learner(**book, options);
    ProblemLog problems;
    base::Status status;
    for (const std::string& file : options.games)
        if (status = for_each_game_of(file, "learning", problems, stop,
                                      [&](const games::Game& game) { return learner.add(game); });
            !status)
            break;
    // Whatever ended it, what was learnt stays.
    if (auto saved = (*book)->save_snapshot(); !saved) return saved;
    if (!status && learner.counts().learnt > 0)
        return base::fail("{} ({} learnt before: to undo it, scholar book rollback {} {})",
                          status.error().message, base::counted(learner.counts().learnt, "game"),
                          options.book, games_before);
    if (!status) return status;
    print_summary(options, **book, learner.counts(), games_before, seconds_since(start));
    if (!options.json) problems.print();
    return {};
}

}  // namespace

void add_book_learn_command(Command book, Invocation& invocation) {
    const Command command = book.add_subcommand(
        "learn", "Tell a learnt book of a player's games: what was played and how it ended");
    command.footer(
        "The book is made if it does not exist. Games are learnt in their order, each as often as it is "
        "told. "
        "What the\nplayer's searches said is taken from comments and evaluations, where there are any.");
    auto options = std::make_shared<BookLearnArguments>();
    command.add_option("BOOK", options->book, "Learnt book").required();
    command
        .add_option("--games", options->games,
                    "PGN files, packed too (.zst, .gz, .bz2, .xz, .zip, .7z), or game stores")
        .required();
    command.add_option("--player", options->player, "Whose games: exactly as White or Black has it")
        .required();
    command
        .add_option("--max-ply", options->bounds.max_plies,
                    "Half-moves of each game, if the book is made now")
        .check(range(1, games::kMostBookPlies))
        .capture_default_str();
    command
        .add_option("--max-positions", options->bounds.max_positions,
                    "Positions that it remembers, if the book is made now; beyond that the least used are "
                    "forgotten")
        .check(range(std::size_t{1}, games::kMostBookPositions))
        .capture_default_str();
    command.add_flag("--no-scores", options->no_scores, "Leave out what the player's searches said");
    command.add_flag("--json", options->json, "Print one JSON object");
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return learn(*options, stop); };
    });
}

}  // namespace scholar::cli
