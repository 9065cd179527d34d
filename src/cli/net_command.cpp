#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "cli/commands.hpp"
#include "evaluators/make.hpp"
#include "nets/comparison/comparison_runner.hpp"
#include "nets/container/any_network.hpp"
#include "nets/container/open_network.hpp"

namespace scholar::cli {

namespace {

struct NetArguments {
    std::string path;
    std::optional<int> games;
};

// Where nothing else is said: what takes some seconds.
constexpr int kLeafGames = 1000;
constexpr int kBatchGames = 10;
constexpr int kOrderGames = 3;

std::string reads_text(const nets::Reads& reads) {
    std::string text = base::counted(reads.boards, "board");
    if (reads.halfmove_clock) text += ", the halfmove clock";
    if (reads.repetitions) text += ", repetitions";
    return text;
}

base::Status info(const NetArguments& options) {
    const auto network = nets::open_network(options.path);
    if (!network) return std::unexpected(network.error());
    fmt::print("network        {} ({})\n", options.path.empty() ? "embedded" : options.path,
               network->content_name());
    fmt::print("architecture   {}\n", network->description());
    fmt::print("says           {}\n", nets::to_string(network->abilities()));
    fmt::print("reads          {}\n", reads_text(network->reads()));
    if (const nets::PieceValues* values = network->piece_values()) {
        fmt::print("piece values   ");
        for (const chess::PieceKind kind :
             {chess::Pawn, chess::Knight, chess::Bishop, chess::Rook, chess::Queen})
            fmt::print("{} {}  ", chess::kind_letter(kind), (*values)[kind]);
        fmt::print("(400 · logit)\n");
    }
    for (const auto& [key, value] : network->history()) fmt::print("{:<14} {}\n", key, value);
    return {};
}

// Plays random games and asks for the value after every move: worked out step by step it must be what it is
// afresh.
template <evaluators::LeafEvaluator Evaluator>
base::Status check_games(Evaluator evaluator, const nets::AnyNetwork& network, int games,
                         const std::stop_token& stop) {
    base::Random random(20'240'607);
    std::uint64_t positions = 0;
    for (int game = 0; game < games && !stop.stop_requested(); ++game) {
        chess::Position position;
        evaluator.reset(position);
        for (int ply = 0; ply < 200; ++ply) {
            const chess::MoveList moves = chess::legal_moves(position);
            if (moves.empty()) break;
            const chess::Move move =
                moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
            evaluator.push(position, move);
            position.make(move);
            ++positions;
            const chess::Score stepwise = evaluator.value(position);
            const chess::Score fresh = *network.evaluate(position);
            if (stepwise != fresh)
                return base::fail("{}: step by step {}, afresh {}", chess::to_fen(position), stepwise.value(),
                                  fresh.value());
        }
    }
    fmt::print("{} of {}: stepwise and fresh evaluations are equal\n", base::counted(positions, "position"),
               base::counted(games, "random game"));
    return {};
}

// The expected result and each probability, 0 to 1, may be off by so much: in another batch sums are added up
// in another order.
constexpr double kBatchTolerance = 0.01;

base::Status compare(const evaluators::Opinion& alone, const evaluators::Opinion& together,
                     const chess::Position& position) {
    const double values = std::abs(alone.expected().value_or(0) - together.expected().value_or(0));
    if (values > kBatchTolerance)
        return base::fail("{}: expected result {:.4f} alone, {:.4f} in a batch", chess::to_fen(position),
                          *alone.expected(), *together.expected());
    for (std::size_t i = 0; i < alone.probabilities.size(); ++i)
        if (std::abs(alone.probabilities[i] - together.probabilities[i]) > kBatchTolerance)
            return base::fail("{}: move {} has a probability of {:.4f} alone, {:.4f} in a batch",
                              chess::to_fen(position), i + 1, alone.probabilities[i],
                              together.probabilities[i]);
    return {};
}

// Asks for opinions along random games, one position at a time and all of a game together.
base::Status check_batches(const nets::AnyNetwork& network, int games, const std::stop_token& stop) {
    const auto batch = evaluators::make_batch(network);
    if (!batch) return std::unexpected(batch.error());
    base::Random random(20'240'607);
    std::uint64_t positions = 0;
    std::vector<evaluators::Opinion> opinion;
    std::vector<evaluators::Opinion> together;
    for (int game = 0; game < games && !stop.stop_requested(); ++game) {
        chess::Line line;
        std::vector<evaluators::Opinion> alone;
        std::vector<chess::Line> asked;
        const auto most = std::min<std::size_t>((*batch)->capacity(), 200);
        for (chess::MoveList moves = chess::legal_moves(line.current());
             !moves.empty() && asked.size() < most; moves = chess::legal_moves(line.current())) {
            (*batch)->submit(line, moves);
            if (auto status = (*batch)->collect(opinion); !status) return status;
            alone.push_back(opinion.front());
            asked.push_back(line);
            line.push(moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
        }
        for (const chess::Line& at : asked) (*batch)->submit(at, chess::legal_moves(at.current()));
        if (auto status = (*batch)->collect(together); !status) return status;
        for (std::size_t i = 0; i < asked.size(); ++i)
            if (auto status = compare(alone[i], together[i], asked[i].current()); !status) return status;
        positions += asked.size();
    }
    fmt::print("{} of {}: opinions alone and in batches are within {}\n",
               base::counted(positions, "position"), base::counted(games, "random game"), kBatchTolerance);
    return {};
}

// By what floats may be off from plain arithmetic, of the logit.
constexpr double kLogitTolerance = 1e-3;

// Compares each position along random games with the one before it, by the kernels and plainly, and counts
// how often an order is none.
base::Status check_order(const nets::ComparisonNetwork& network, int games, const std::stop_token& stop) {
    nets::ComparisonRunner runner(std::make_shared<const nets::ComparisonNetwork>(network));
    base::Random random(20'240'607);
    std::uint64_t pairs = 0;
    std::uint64_t contradictions = 0;
    std::vector<float> before(runner.embedding_size());
    std::vector<float> after(runner.embedding_size());
    for (int game = 0; game < games && !stop.stop_requested(); ++game) {
        chess::Position position;
        runner.embed(position, before);
        for (int ply = 0; ply < 200; ++ply) {
            const chess::MoveList moves = chess::legal_moves(position);
            if (moves.empty()) break;
            const chess::Position next = position.after(
                moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
            runner.embed(next, after);
            const double quick = runner.logit(after, before);
            const double plain = nets::logit_plainly(network, next, position);
            if (!(std::abs(quick - plain) <= kLogitTolerance * (1 + std::abs(plain))))
                return base::fail(
                    "{} against the position before it: logit {:.5f} by kernels, {:.5f} plainly",
                    chess::to_fen(next), quick, plain);
            ++pairs;
            contradictions += (quick > 0) == (runner.logit(before, after) > 0) ? 1 : 0;
            position = next;
            before.swap(after);
        }
    }
    fmt::print(
        "{} of {}: comparisons by kernels and plainly are within {}; {} of them prefer both or neither\n",
        base::counted(pairs, "pair"), base::counted(games, "random game"), kLogitTolerance, contradictions);
    return {};
}

base::Status check(const NetArguments& options, const std::stop_token& stop) {
    const auto network = nets::open_network(options.path);
    if (!network) return std::unexpected(network.error());
    if (const auto comparison = network->as<nets::ComparisonNetwork>()) {
        auto status = check_order(*comparison, options.games.value_or(kOrderGames), stop);
        if (!status || !network->evaluate(chess::Position())) return status;
    }
    if (!network->evaluate(chess::Position()))
        return check_batches(*network, options.games.value_or(kBatchGames), stop);
    const int games = options.games.value_or(kLeafGames);
    return evaluators::with_leaf(*network, [&](auto evaluator) -> base::Status {
        return check_games(std::move(evaluator), *network, games, stop);
    });
}

}  // namespace

void add_net_command(Command app, Invocation& invocation) {
    const Command command =
        app.add_subcommand("net", "Look into network files, and at what their scores mean");
    command.require_subcommand(1, 1);
    auto options = std::make_shared<NetArguments>();

    const Command show = command.add_subcommand(
        "info", "What a network is, where it comes from, what it learnt of the pieces");
    show.add_option("network", options->path,
                    "Network file, or a name such as <embedded> or <giraffe-aa4b4078> (default: <embedded>)");
    show.callback(
        [&invocation, options] { invocation.run = [options](std::stop_token) { return info(*options); }; });

    const Command verify = command.add_subcommand(
        "check", "Verify a network file, and that it says the same of a position in every way of asking");
    verify.add_option(
        "network", options->path,
        "Network file, or a name such as <embedded> or <giraffe-aa4b4078> (default: <embedded>)");
    verify
        .add_option(
            "--games", options->games,
            fmt::format("Random games to play (default: {}, {} where positions are looked at in batches, "
                        "{} where they are compared)",
                        kLeafGames, kBatchGames, kOrderGames))
        .check(range(1, 1'000'000));
    verify.callback([&invocation, options] {
        invocation.run = [options](std::stop_token stop) { return check(*options, stop); };
    });
    add_net_explain_command(command, invocation);
    add_net_export_command(command, invocation);
    add_net_features_command(command, invocation);
    add_net_fit_wdl_command(command, invocation);
    add_net_new_command(command, invocation);
}

}  // namespace scholar::cli
