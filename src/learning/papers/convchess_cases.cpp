// Positions that one looks at: section 3.4.

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "chess/board_picture.hpp"
#include "chess/move_index.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "evaluators/make.hpp"
#include "games/selection.hpp"
#include "learning/papers/convchess_experiment.hpp"
#include "nets/container/open_network.hpp"
#include "nets/conv/square_policy.hpp"

namespace scholar::learning {

namespace {

// Held-out positions whose games are searched for cases.
constexpr std::uint64_t kCasePositions = 20'000;
constexpr std::size_t kShownMoves = 20;

// M. Carlsen against V. Anand, sixth game of the World Championship, 2014, up to White's mistake at move 26.
constexpr std::array kCarlsenAnand{
    "e4",   "c5",   "Nf3",   "e6",   "d4",   "cxd4", "Nxd4", "a6",   "c4",   "Nf6",  "Nc3",  "Bb4", "Qd3",
    "Nc6",  "Nxc6", "dxc6",  "Qxd8", "Kxd8", "e5",   "Nd7",  "Bf4",  "Bxc3", "bxc3", "Kc7",  "h4",  "b6",
    "h5",   "h6",   "O-O-O", "Bb7",  "Rd3",  "c5",   "Rg3",  "Rag8", "Bd3",  "Nf8",  "Be3",  "g6",  "hxg6",
    "Nxg6", "Rh5",  "Bc6",   "Bc2",  "Kb7",  "Rg4",  "a5",   "Bd1",  "Rd8",  "Bc2",  "Rdg8", "Kd2"};
// What the paper's networks gave the moves that it speaks of (table 3.5).
struct PaperMove {
    const char* uci;
    const char* probability;
};
constexpr std::array kPaperAfterMistake{
    PaperMove{"g8d8", "0.2529"}, PaperMove{"g8g7", "0.1482"}, PaperMove{"g6e5", "0.1311"},
    PaperMove{"b7c7", "0.0660"}, PaperMove{"h8h7", "0.0472"}, PaperMove{"c6g2", "0.0403"},
    PaperMove{"c6e8", "0.0358"}, PaperMove{"g8c8", "0.0324"}, PaperMove{"b7c8", "0.0302"},
    PaperMove{"c6d7", "0.0251"}, PaperMove{"a5a4", "0.0231"}, PaperMove{"g6e7", "0.0229"},
    PaperMove{"b7a6", "0.0209"}, PaperMove{"g8a8", "0.0199"}, PaperMove{"b7b8", "0.0191"},
    PaperMove{"c6a4", "0.0153"}, PaperMove{"g6f8", "0.0151"}, PaperMove{"g8f8", "0.0115"},
    PaperMove{"g8e8", "0.0073"}, PaperMove{"b7a7", "0.0067"}};
// Table 3.4: what they gave the first moves.
constexpr std::array kPaperFirstMoves{
    PaperMove{"e2e4", "0.6088"}, PaperMove{"d2d4", "0.2468"}, PaperMove{"c2c4", "0.0726"},
    PaperMove{"g1f3", "0.0335"}, PaperMove{"e2e3", "0.0172"}, PaperMove{"f2f4", "0.0059"},
    PaperMove{"g2g3", "0.0053"}, PaperMove{"b1c3", "0.0021"}, PaperMove{"b2b3", "0.0014"},
    PaperMove{"c2c3", "0.0014"}, PaperMove{"d2d3", "0.0012"}, PaperMove{"g2g4", "0.0009"},
    PaperMove{"h2h3", "0.0008"}, PaperMove{"b2b4", "0.0007"}, PaperMove{"a2a3", "0.0005"},
    PaperMove{"g1h3", "0.0003"}, PaperMove{"b1a3", "0.0003"}, PaperMove{"h2h4", "0.0002"},
    PaperMove{"a2a4", "0.0002"}, PaperMove{"f2f3", "0.0000"}};

template <std::size_t N>
std::string paper_has(const std::array<PaperMove, N>& moves, const std::string& uci) {
    const auto found = std::ranges::find(moves, uci, &PaperMove::uci);
    return found == moves.end() ? "–" : found->probability;
}

// Legal moves with their probabilities, the likeliest first.
using Likely = std::vector<std::pair<chess::Move, double>>;

// A policy, asked about one position after another.
class AskedPolicy {
  public:
    static base::Result<AskedPolicy> open(const std::filesystem::path& file) {
        // As the paper's figures, which show what the networks say themselves.
        const auto network = nets::open_network(fmt::format("<unmasked:{}>", file.string()));
        if (!network) return std::unexpected(network.error());
        auto batch = evaluators::make_batch(*network);
        if (!batch) return std::unexpected(batch.error());
        return AskedPolicy(std::move(*batch));
    }

    base::Result<Likely> ask(const chess::Line& line) {
        const chess::MoveList moves = chess::legal_moves(line.current());
        batch_->submit(line, moves);
        std::vector<evaluators::Opinion> opinions;
        if (auto status = batch_->collect(opinions); !status) return std::unexpected(status.error());
        Likely all;
        all.reserve(static_cast<std::size_t>(moves.size()));
        for (int i = 0; i < moves.size(); ++i)
            all.emplace_back(
                moves[i], static_cast<double>(opinions.front().probabilities[static_cast<std::size_t>(i)]));
        std::ranges::stable_sort(all, std::greater(), &Likely::value_type::second);
        return all;
    }

  private:
    explicit AskedPolicy(std::unique_ptr<evaluators::BatchEvaluator> batch) : batch_(std::move(batch)) {}
    std::unique_ptr<evaluators::BatchEvaluator> batch_;
};

// How often each first move was played from the usual start.
base::Result<std::map<std::string, std::uint64_t>> first_moves(const ConvChessExperiment& experiment) {
    const auto stores = experiment.stores();
    if (!stores) return std::unexpected(stores.error());
    std::map<std::string, std::uint64_t> played;
    const chess::Position start;
    const auto use = [&](const games::Block& block, std::size_t game, games::GamePlace) -> base::Status {
        const auto indices = block.move_indices(game);
        const auto position = block.start(game);
        if (!position) return std::unexpected(position.error());
        if (indices.empty() || position->key() != start.key()) return {};
        if (const auto move = chess::index_to_move(start, indices.front())) ++played[chess::to_uci(*move)];
        return {};
    };
    if (auto status =
            games::for_each_selected(*stores, {}, {.tags = false, .moves = true, .evaluations = false},
                                     experiment.work().stop(), {}, use);
        !status)
        return std::unexpected(status.error());
    return played;
}

base::Result<Findings::Table> first_move_table(const ConvChessExperiment& experiment, AskedPolicy& policy) {
    const auto played = first_moves(experiment);
    if (!played) return std::unexpected(played.error());
    std::uint64_t games = 0;
    for (const auto& [move, count] : *played) games += count;
    const auto likely = policy.ask(chess::Line());
    if (!likely) return std::unexpected(likely.error());
    Findings::Table table{
        fmt::format("First moves, and how often {} began so (table 3.4)", base::counted(games, "game")),
        {{"move", "probability", "games", "share", "paper's probability"}}};
    for (const auto& [move, probability] : *likely) {
        const std::string uci = chess::to_uci(move);
        const auto found = played->find(uci);
        const std::uint64_t count = found == played->end() ? 0 : found->second;
        const double share = games > 0 ? static_cast<double>(count) / static_cast<double>(games) : 0;
        table.rows.push_back({uci, fmt::format("{:.4f}", probability),
                              base::grouped(static_cast<std::int64_t>(count)), fmt::format("{:.4f}", share),
                              paper_has(kPaperFirstMoves, uci)});
    }
    return table;
}

// Castling is to where the king comes to stand.
chess::Square reached_by(chess::Move move, chess::Color side) {
    return chess::relative_square(side, static_cast<chess::Square>(nets::square_move(move, side).to));
}

// The board twice: where the man stands that moves, and where the one goes that is the likeliest to.
std::vector<chess::BoardPicture> pictures_of(const chess::Position& position, const Likely& likely,
                                             const std::optional<chess::Move>& played) {
    std::array<double, 64> leaving{};
    for (const auto& [move, probability] : likely) leaving.at(move.from()) += probability;
    const auto man = static_cast<chess::Square>(std::ranges::max_element(leaving) - leaving.begin());
    std::array<double, 64> reaching{};
    std::optional<chess::Move> likeliest;  // of his
    for (const auto& [move, probability] : likely) {
        if (move.from() != man) continue;
        reaching.at(reached_by(move, position.side_to_move())) += probability;
        if (!likeliest) likeliest = move;
    }
    const auto picture = [&](const std::string& name, const std::array<double, 64>& heat) {
        chess::BoardPicture one;
        one.position = position;
        one.title = name;
        one.heat = heat;
        one.heat_most = 1;
        one.heat_numbers = true;
        one.below = position.side_to_move();
        return one;
    };
    std::vector<chess::BoardPicture> both{picture("who moves", leaving), picture("where he goes", reaching)};
    for (std::size_t i = 0; i < std::min<std::size_t>(3, likely.size()); ++i)
        both.front().notes.push_back(
            fmt::format("{} {:.1f} %", chess::to_san(position, likely[i].first), 100 * likely[i].second));
    if (played) both.back().notes.push_back("played: " + chess::to_san(position, *played));
    if (likeliest) both.back().arrows = {{man, reached_by(*likeliest, position.side_to_move()), 1}};
    return both;
}

bool rook_mates(const chess::Position& position, chess::Move move) {
    return kind_of(position.piece_on(move.from())) == chess::Rook && is_mate(position, move);
}

// A pawn that is about to become a queen checks.
bool pawn_checks(const chess::Position& position, chess::Move) {
    const chess::Color us = position.side_to_move();
    return (position.checkers() & position.pieces(~us, chess::Pawn) & chess::relative_rank_bits(us, 1)) != 0;
}

struct Case {
    const char* name;
    const char* file;
    IsCase* is_one;
};
constexpr std::array kCases{
    Case{"Mate by a rook (figure 3.6)", "case-mate.svg", rook_mates},
    Case{"Check by a pawn about to promote (figure 3.7)", "case-check.svg", pawn_checks},
    Case{"En passant (figure 3.8)", "case-en-passant.svg",
         [](const chess::Position&, chess::Move move) { return move.is_en_passant(); }},
    Case{"Castling (figure 3.9)", "case-castling.svg",
         [](const chess::Position&, chess::Move move) { return move.is_castling(); }}};

base::Status add_middle_game(AskedPolicy& policy, Findings& findings) {
    chess::Line line;
    for (const char* san : kCarlsenAnand) {
        const auto move = chess::parse_san(line.current(), san);
        if (!move) return std::unexpected(move.error());
        line.push(*move);
    }
    const auto likely = policy.ask(line);
    if (!likely) return std::unexpected(likely.error());
    Findings::Table table{
        "Carlsen against Anand, 2014, after White's mistake; 26…Nxe5 wins, 26…a4 was "
        "played (table 3.5)",
        {{"move", "", "probability", "paper's probability"}}};
    for (std::size_t i = 0; i < std::min(kShownMoves, likely->size()); ++i) {
        const auto& [move, probability] = (*likely)[i];
        const std::string uci = chess::to_uci(move);
        table.rows.push_back({uci, chess::to_san(line.current(), move), fmt::format("{:.4f}", probability),
                              paper_has(kPaperAfterMistake, uci)});
    }
    findings.tables.push_back(std::move(table));
    findings.drawings.push_back({"Carlsen against Anand (figure 3.10)", "case-middle-game.svg",
                                 chess::to_svg(pictures_of(line.current(), *likely, std::nullopt), 2,
                                               "Carlsen against Anand, 2014, Black to move")});
    return {};
}

}  // namespace

base::Status look_at_cases(Reproduction& work, const TakeFindings& take) {
    auto experiment = ConvChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto trained = experiment->seven();
    if (!trained) return std::unexpected(trained.error());
    auto policy = AskedPolicy::open(trained->network());
    if (!policy) return std::unexpected(policy.error());
    Findings& findings = experiment->findings;

    findings.remarks.emplace_back("Without masks; of legal moves alone, whose sum is made 1.");
    const auto table = first_move_table(*experiment, *policy);
    if (!table) return std::unexpected(table.error());
    findings.tables.push_back(*table);
    const chess::Line start;
    const auto likely = policy->ask(start);
    if (!likely) return std::unexpected(likely.error());
    findings.drawings.push_back(
        {"The start (figure 3.5)", "case-start.svg",
         chess::to_svg(pictures_of(start.current(), *likely, std::nullopt), 2, "The start")});

    const auto set = experiment->held_out(kCasePositions, 0);
    if (!set) return std::unexpected(set.error());
    for (const Case& one : kCases) {
        const auto found = find_case(*set, one.is_one);
        if (!found) {
            findings.remarks.push_back(fmt::format("{}: none in the test games.", one.name));
            continue;
        }
        const auto moves = policy->ask(found->line);
        if (!moves) return std::unexpected(moves.error());
        findings.drawings.push_back(
            {one.name, one.file,
             chess::to_svg(pictures_of(found->line.current(), *moves, found->played), 2, one.name)});
    }
    if (auto status = add_middle_game(*policy, findings); !status) return status;
    return experiment->take();
}

}  // namespace scholar::learning
