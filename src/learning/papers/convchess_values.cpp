// What a position is worth: sections 2.4 and 3.5.

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

#include "arena/move_suite.hpp"
#include "arena/tsne.hpp"
#include "arena/value_study.hpp"
#include "base/plot.hpp"
#include "base/text.hpp"
#include "chess/board_picture.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "learning/papers/convchess_experiment.hpp"
#include "nets/conv/chess_net_runner.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kValuedPositions = 100'000;
constexpr std::size_t kScattered = 5'000;
constexpr std::size_t kMapped = 10'000;
constexpr std::size_t kFewestMapped = 50;

std::string in_two_digits(double value) {
    return fmt::format("{:+.2f}", value);
}

// A row of the table of γ, and those of its table of distances.
void add_gamma(std::string_view gamma, const std::vector<arena::ValuedPosition>& values, Findings& findings) {
    std::uint64_t decided = 0;
    double right = 0;
    double squares = 0;
    for (const arena::ValuedPosition& one : values) {
        squares += (one.value - one.outcome) * (one.value - one.outcome);
        if (one.outcome == 0) continue;
        ++decided;
        right += arena::got_right(one);
    }
    const auto share = [](double of, std::size_t all) { return all > 0 ? of / static_cast<double>(all) : 0; };
    findings.tables[0].rows.push_back(
        {std::string(gamma), fmt::format("{:.4f}", arena::correlation_with_material(values)),
         gamma == kPaperGamma ? "0.8194" : "–", fmt::format("{:.3f}", share(squares, values.size())),
         in_per_cent(share(right, decided))});
    for (const arena::ValueAtDistance& row : arena::values_by_distance(values))
        findings.tables[1].rows.push_back(
            {std::string(gamma), row.name, base::grouped(static_cast<std::int64_t>(row.positions)),
             in_two_digits(row.winners), in_two_digits(row.losers), in_per_cent(row.right)});
}

base::Plot scatter_of(const std::vector<arena::ValuedPosition>& values, std::string_view gamma) {
    base::Plot plot{fmt::format("Value (γ = {}) and material", gamma),
                    {.label = "material, pawns"},
                    {.label = "value", .least = -1, .most = 1},
                    {}};
    base::PlotSeries dots{"", {}, true};
    for (const arena::ValuedPosition& one : values | std::views::take(kScattered))
        dots.points.push_back({static_cast<double>(one.material), one.value});
    plot.series.push_back(std::move(dots));
    return plot;
}

// The units of the last hidden layer, and the value that they make.
class HiddenValues {
  public:
    static base::Result<HiddenValues> of(std::shared_ptr<const nets::ChessNets> networks) {
        auto runner = nets::ChessNetRunner::make(networks, nets::ChessNetRole::Value);
        if (!runner) return std::unexpected(runner.error());
        return HiddenValues(std::move(networks), std::move(*runner));
    }

    base::Status add(const chess::Line& line) {
        const nets::PlanesInput& input = networks_->info.shape.input;
        nets::encode_planes(input, line, nets::play_context(input, 0, line), runner_.planes(0));
        if (auto status = runner_.run(1); !status) return status;
        const auto units = runner_.hidden(0);
        points_.insert(points_.end(), units.begin(), units.end());
        values_.push_back(std::tanh(static_cast<double>(runner_.outputs(0).front())));
        return {};
    }
    std::span<const float> points() const { return points_; }
    std::size_t dimensions() const { return static_cast<std::size_t>(networks_->info.shape.units); }
    const std::vector<double>& values() const { return values_; }

  private:
    HiddenValues(std::shared_ptr<const nets::ChessNets> networks, nets::ChessNetRunner runner)
        : networks_(std::move(networks)), runner_(std::move(runner)) {}
    std::shared_ptr<const nets::ChessNets> networks_;
    nets::ChessNetRunner runner_;
    std::vector<float> points_;
    std::vector<double> values_;
};

// Some decided game, whose positions are mapped with the others.
const games::HeldOutGame* shown_game(const games::HeldOutSet& set) {
    constexpr std::size_t kFewestPlies = 60;
    const auto found = std::ranges::find_if(set.games, [](const games::HeldOutGame& game) {
        return game.moves.size() >= kFewestPlies &&
               (game.result == games::GameResult::WhiteWins || game.result == games::GameResult::BlackWins);
    });
    return found == set.games.end() ? nullptr : &*found;
}

// Positions in five colours by value, and the way of a game's winner and loser among them.
base::Result<base::Plot> map_of(std::shared_ptr<const nets::ChessNets> networks, const games::HeldOutSet& set,
                                const std::stop_token& stop) {
    auto hidden = HiddenValues::of(std::move(networks));
    if (!hidden) return std::unexpected(hidden.error());
    for (const games::HeldOutPosition& position : set.positions | std::views::take(kMapped)) {
        if (stop.stop_requested()) return stopped_to_go_on();
        chess::Line line(set.game_of(position).start);
        for (const chess::Move move : set.past(position)) line.push(move);
        if (auto status = hidden->add(line); !status) return std::unexpected(status.error());
    }
    const std::size_t positions = hidden->values().size();
    const games::HeldOutGame* const game = shown_game(set);
    if (game) {
        chess::Line line(game->start);
        for (const chess::Move move : game->moves) {
            if (auto status = hidden->add(line); !status) return std::unexpected(status.error());
            line.push(move);
        }
    }
    arena::TsneOptions options;
    options.perplexity = std::min(30.0, static_cast<double>(hidden->values().size()) / 10);
    const auto places = arena::tsne(hidden->points(), hidden->dimensions(), options, stop);
    if (!places) return std::unexpected(places.error());
    const auto at = [&](std::size_t i) {
        return base::PlotPoint{static_cast<double>((*places)[i][0]), static_cast<double>((*places)[i][1])};
    };

    base::Plot plot{"Positions by the units of the last layer",
                    {.label = "", .ticks = false},
                    {.label = "", .ticks = false},
                    {}};
    // By rank, as most values are small.
    std::vector<std::size_t> order(positions);
    std::ranges::copy(std::views::iota(std::size_t{0}, positions), order.begin());
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return hidden->values()[i]; });
    constexpr std::size_t kShades = 5;
    constexpr std::array kNames{"worst fifth", "", "middle", "", "best fifth"};
    for (std::size_t shade = 0; shade < kShades; ++shade) {
        base::PlotSeries dots{
            kNames.at(shade), {}, true, -1 + 2.0 * static_cast<double>(shade) / (kShades - 1)};
        for (std::size_t i = shade * positions / kShades; i < (shade + 1) * positions / kShades; ++i)
            dots.points.push_back(at(order[i]));
        plot.series.push_back(std::move(dots));
    }
    if (!game) return plot;
    base::PlotSeries winner{"the winner's way", {}};
    base::PlotSeries loser{"the loser's way", {}};
    for (std::size_t ply = 0; ply < game->moves.size(); ++ply) {
        const bool is_white = (ply % 2 == 0) == (game->start.side_to_move() == chess::White);
        const bool won = is_white == (game->result == games::GameResult::WhiteWins);
        (won ? winner : loser).points.push_back(at(positions + ply));
    }
    plot.series.push_back(std::move(winner));
    plot.series.push_back(std::move(loser));
    return plot;
}

// -- Best boards -------------------------------------------------------------------------------------------

bool knight_takes_queen(const chess::Position& position, chess::Move move) {
    return kind_of(position.piece_on(move.from())) == chess::Knight && position.is_capture(move) &&
           !move.is_en_passant() && kind_of(position.piece_on(move.to())) == chess::Queen;
}
bool stops_a_pawn(const chess::Position& position, chess::Move move) {
    return position.in_check() && position.is_capture(move) && !move.is_en_passant() &&
           kind_of(position.piece_on(move.to())) == chess::Pawn &&
           chess::relative_rank(position.side_to_move(), move.to()) == 1;
}
struct BestBoards {
    const char* name;
    const char* file;
    IsCase* is_move;
};
constexpr std::array kBestBoards{
    BestBoards{"A knight may take a queen (figure 3.11)", "best-queen.svg", knight_takes_queen},
    BestBoards{"Mate in one (figure 3.12)", "best-mate.svg", is_mate},
    BestBoards{"Check, and a pawn about to promote (figure 3.13)", "best-check.svg", stops_a_pawn}};

// Boards that one legal move leads to, the mover's best first.
base::Result<std::vector<std::pair<chess::Move, double>>> boards_after(const chess::Position& position,
                                                                       HiddenValues& value) {
    std::vector<std::pair<chess::Move, double>> boards;
    chess::Line line(position);
    for (const chess::Move move : chess::legal_moves(position)) {
        line.push(move);
        if (auto status = value.add(line); !status) return std::unexpected(status.error());
        // It is the opponent's turn there.
        boards.emplace_back(move, -value.values().back());
        line.pop();
    }
    std::ranges::stable_sort(boards, std::greater(), &std::pair<chess::Move, double>::second);
    return boards;
}

base::Status add_best_boards(std::shared_ptr<const nets::ChessNets> networks, const games::HeldOutSet& set,
                             Findings& findings) {
    auto value = HiddenValues::of(std::move(networks));
    if (!value) return std::unexpected(value.error());
    for (const BestBoards& wanted : kBestBoards) {
        // As it was played: that the move is good is known.
        const auto found = find_case(set, wanted.is_move);
        if (!found) {
            findings.remarks.push_back(fmt::format("{}: none in the test games.", wanted.name));
            continue;
        }
        const chess::Position& position = found->line.current();
        const auto boards = boards_after(position, *value);
        if (!boards) return std::unexpected(boards.error());
        std::vector<chess::BoardPicture> pictures(std::min<std::size_t>(3, boards->size() + 1));
        pictures.front().position = position;
        pictures.front().title = "the position";
        pictures.front().notes = {"played: " + chess::to_san(position, found->played)};
        for (std::size_t i = 1; i < pictures.size(); ++i) {
            const auto& [move, worth] = (*boards)[i - 1];
            pictures[i].position = position;
            pictures[i].position.make(move);
            pictures[i].title = i == 1 ? "the best board" : "the second";
            pictures[i].notes = {fmt::format("{}: {:+.3f}", chess::to_san(position, move), worth)};
            pictures[i].arrows = {{move.from(), move.to(), 0.7}};
        }
        for (chess::BoardPicture& picture : pictures) picture.below = position.side_to_move();
        findings.drawings.push_back(
            {wanted.name, wanted.file,
             chess::to_svg(pictures, static_cast<int>(pictures.size()), wanted.name)});
    }
    return {};
}

// Test positions, one for each of these balances of material: a mover who has as good as won, one who has a
// rook more, as much as the other, a rook less.
constexpr std::array kBalances{20, 5, 0, -5};

std::string in_pawns(int material) {
    return fmt::format("{:+} of material", material);
}

// What both say of positions that differ in material.
void add_balances(const games::HeldOutSet& set, const std::vector<arena::ValuedPosition>& values,
                  Findings& findings) {
    // Those of games without a result have no value: then it isn't known which is which.
    if (values.size() != set.positions.size()) return;
    std::vector<chess::BoardPicture> pictures;
    for (const int balance : kBalances) {
        const auto found = std::ranges::find(values, balance, &arena::ValuedPosition::material);
        if (found == values.end()) {
            findings.remarks.push_back(
                fmt::format("{} (figure 3.15): none in the test games.", in_pawns(balance)));
            continue;
        }
        const chess::Position& position =
            set.positions[static_cast<std::size_t>(found - values.begin())].position;
        chess::BoardPicture picture;
        picture.position = position;
        picture.title = in_pawns(balance);
        picture.notes = {fmt::format("value: {:+.3f}", found->value)};
        picture.below = position.side_to_move();
        pictures.push_back(std::move(picture));
    }
    if (pictures.empty()) return;
    const std::string title = "Material and value, the mover below (figure 3.15)";
    findings.drawings.push_back(
        {title, "values-balance.svg", chess::to_svg(pictures, static_cast<int>(pictures.size()), title)});
}

// What is right without looking.
void add_constant(const std::vector<arena::ValuedPosition>& values, Findings& findings) {
    double decided = 0;
    for (const arena::ValuedPosition& one : values) decided += one.outcome * one.outcome;
    findings.tables[0].rows.push_back(
        {"always 0", "–", "–", fmt::format("{:.3f}", decided / static_cast<double>(values.size())), "50.0"});
}

// Figures 3.11 to 3.16.
base::Status draw_values(const std::shared_ptr<const nets::ChessNets>& networks, const games::HeldOutSet& set,
                         const std::vector<arena::ValuedPosition>& values, const std::stop_token& stop,
                         Findings& findings) {
    findings.drawings.push_back({"Values and material (figure 3.14)", "values-material.svg",
                                 base::to_svg(scatter_of(values, kPaperGamma))});
    add_balances(set, values, findings);
    if (auto status = add_best_boards(networks, set, findings); !status) return status;
    if (set.positions.size() < kFewestMapped) {
        findings.remarks.emplace_back("Too few positions for a map.");
        return {};
    }
    const auto map = map_of(networks, set, stop);
    if (stop.stop_requested()) return stopped_to_go_on();
    if (!map) return std::unexpected(map.error());
    findings.drawings.push_back(
        {"Positions and a game among them (figure 3.16)", "values-map.svg", base::to_svg(*map)});
    return {};
}

}  // namespace

base::Status learn_values(Reproduction& work, const TakeFindings& take) {
    auto experiment = ConvChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto set = experiment->held_out(kValuedPositions, 0);
    if (!set) return std::unexpected(set.error());
    Findings& findings = experiment->findings;
    findings.remarks.push_back(arena::describe(*set));
    findings.tables = {{"Values of positions of test games, by the γ of their lessons",
                        {{"γ", "correlation with material", "paper's",
                          "squared error of the result, undiscounted", "right about who won, %"}}},
                       {"Means of values by half-moves to the end of decided games",
                        {{"γ", "half-moves", "positions", "winners", "losers", "right, %"}}}};
    for (const std::string_view gamma : kValueGammas) {
        const auto trained = experiment->value(gamma);
        if (!trained) return std::unexpected(trained.error());
        const auto networks = chess_nets_of(*trained);
        if (!networks) return std::unexpected(networks.error());
        const auto values = arena::value_positions(*set, *networks, work.stop());
        if (!values) return std::unexpected(values.error());
        if (work.stop().stop_requested()) return stopped_to_go_on();
        if (gamma == kPaperGamma) {
            add_constant(*values, findings);
            if (auto status = draw_values(*networks, *set, *values, work.stop(), findings); !status)
                return status;
        }
        add_gamma(gamma, *values, findings);
        if (auto status = experiment->take(); !status) return status;
    }
    return {};
}

}  // namespace scholar::learning
