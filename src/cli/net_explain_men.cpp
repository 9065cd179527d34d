#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "base/files.hpp"
#include "base/text.hpp"
#include "chess/board_picture.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "cli/net_explain.hpp"
#include "cli/output.hpp"
#include "evaluators/explanation.hpp"

namespace scholar::cli {

namespace {

using chess::Square;
using evaluators::Explanation;
using evaluators::ExplanationMethod;

// A position with all that is said of it.
struct ExplainedPosition {
    chess::Position position;
    std::optional<chess::Move> move;
    std::vector<Explanation> explanations;  // by method, at least one

    // In what shares are shown: Score units, or percentage points.
    double shown(double share) const { return move ? 100 * share : share; }
    // Of values whole ones, of probabilities tenths.
    std::string text(double share) const {
        const double tenth = move ? 0.1 : 1;
        const double rounded = std::round(shown(share) / tenth) * tenth;
        return move ? fmt::format("{:+.1f}", rounded + 0.0) : fmt::format("{:+.0f}", rounded + 0.0);
    }
};

std::string side_name(chess::Color color) {
    return color == chess::White ? "White" : "Black";
}
std::string man_name(chess::Piece piece) {
    constexpr std::array names{"pawn", "knight", "bishop", "rook", "queen", "king"};
    return fmt::format("{} {}", side_name(color_of(piece)), names.at(kind_of(piece)));
}

std::string what_is_said(const ExplainedPosition& explained) {
    const double said = explained.explanations.front().said;
    if (explained.move)
        return fmt::format("{}: probability {:.1f} %", chess::to_san(explained.position, *explained.move),
                           100 * said);
    return fmt::format("value {:+.0f} for White, expected result {:.1f} %", said,
                       100 / (1 + std::exp(-said / chess::Score::kScale)));
}
std::string unit_name(const ExplainedPosition& explained) {
    return explained.move ? "percentage points of the move's probability"
                          : "Score units (400 · logit of the expected result), + is good for White";
}

// A board with letters of the men and below them what each gives; "·" stands where nothing is known.
void print_board(const ExplainedPosition& explained, const Explanation& explanation) {
    fmt::print("by {}\n\n", to_string(explanation.method));
    for (int rank = 7; rank >= 0; --rank) {
        std::string men = fmt::format("{}  ", rank + 1);
        std::string shares = "   ";
        for (int file = 0; file < 8; ++file) {
            const Square square = chess::make_square(file, rank);
            const chess::Piece piece = explained.position.piece_on(square);
            const bool is_man = piece != chess::NoPiece;
            men += fmt::format("{:>7}", is_man ? std::string(1, chess::piece_letter(piece)) : "-");
            const auto& share = explanation.men[square];
            shares += base::right_aligned(share ? explained.text(*share) : is_man ? std::string("·") : "", 7);
        }
        shares.erase(shares.find_last_not_of(' ') + 1);
        fmt::print("{}\n{}\n", men, shares);
    }
    std::string files = "   ";
    for (int file = 0; file < 8; ++file) files += fmt::format("{:>7}", static_cast<char>('a' + file));
    fmt::print("{}\n\n", files);
}

// Men by what the first method says of them, the largest first, whatever the sign; those left out last.
std::vector<Square> men_by_size(const ExplainedPosition& explained) {
    std::vector<Square> men;
    for (const Square square : chess::squares(explained.position.occupied())) men.push_back(square);
    const Explanation& first = explained.explanations.front();
    std::ranges::stable_sort(men, std::greater(), [&](Square square) {
        return first.men[square] ? std::abs(*first.men[square]) : -1;
    });
    return men;
}

void print_row(const ExplainedPosition& explained, const std::string& name, const auto& share_of) {
    std::string row = base::padded(name, 24);
    for (const Explanation& explanation : explained.explanations) {
        const std::optional<double> share = share_of(explanation);
        row += base::right_aligned(share ? explained.text(*share) : "", 13);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    fmt::print("{}\n", row);
}

void print_text(const ExplainedPosition& explained, const std::string& network) {
    fmt::print("{}\n{}\n{} to move; {}\nShares in {}.\n\n", network, chess::to_fen(explained.position),
               side_name(explained.position.side_to_move()), what_is_said(explained), unit_name(explained));
    print_board(explained, explained.explanations.front());
    std::string heading = base::padded("man", 24);
    for (const Explanation& explanation : explained.explanations)
        heading += base::right_aligned(to_string(explanation.method).data(), 13);
    fmt::print("{}\n", heading);
    for (const Square square : men_by_size(explained))
        print_row(
            explained,
            fmt::format("{} {}", man_name(explained.position.piece_on(square)), chess::to_string(square)),
            [&](const Explanation& each) { return each.men[square]; });
    print_row(explained, "all men", [](const Explanation& each) { return std::optional(each.men_total()); });
    const auto of_slopes = [](double number, const Explanation& each) {
        return each.method == ExplanationMethod::Occlusion ? std::nullopt : std::optional(number);
    };
    print_row(explained, "numbers of no man",
              [&](const Explanation& each) { return of_slopes(each.others, each); });
    print_row(explained, "the rest", [&](const Explanation& each) { return of_slopes(each.rest, each); });
    print_row(explained, explained.move ? "probability" : "value",
              [](const Explanation& each) { return std::optional(each.said); });
    for (const Explanation& explanation : explained.explanations) {
        // The same reason is told once.
        std::map<std::string, std::string> squares;
        for (const auto& [square, why] : explanation.left_out)
            squares[why].append(squares[why].empty() ? "" : ", ").append(chess::to_string(square));
        if (!squares.empty()) fmt::print("\n");
        for (const auto& [why, where] : squares) fmt::print("left out: {}: {}\n", where, why);
    }
}

Json to_json(const ExplainedPosition& explained, const std::string& network) {
    Json json{{"network", network},
              {"fen", chess::to_fen(explained.position)},
              {"side_to_move", explained.position.side_to_move() == chess::White ? "white" : "black"},
              {"of", explained.move ? "move" : "value"}};
    if (explained.move) json["move"] = chess::to_uci(*explained.move);
    json["unit"] = explained.move ? "probability" : "score";
    if (!explained.move) json["viewpoint"] = "white";
    json["methods"] = Json::array();
    for (const Explanation& explanation : explained.explanations) {
        Json entry{{"method", to_string(explanation.method)},
                   {"said", explanation.said},
                   {"men", Json::array()},
                   {"left_out", Json::array()}};
        for (const Square square : chess::squares(explained.position.occupied()))
            if (const auto& share = explanation.men[square])
                entry["men"].push_back(
                    {{"square", chess::to_string(square)},
                     {"man", std::string(1, chess::piece_letter(explained.position.piece_on(square)))},
                     {"share", *share}});
        for (const auto& [square, why] : explanation.left_out)
            entry["left_out"].push_back({{"square", chess::to_string(square)}, {"why", why}});
        if (explanation.method != ExplanationMethod::Occlusion) {
            entry["others"] = explanation.others;
            entry["rest"] = explanation.rest;
        }
        json["methods"].push_back(std::move(entry));
    }
    return json;
}

std::string drawing_of(const ExplainedPosition& explained) {
    std::vector<chess::BoardPicture> pictures;
    // One scale for all, so that what is next to nothing by one method does not look as if it were much.
    double most = 0;
    for (const Explanation& explanation : explained.explanations)
        for (const auto& share : explanation.men)
            most = std::max(most, std::abs(explained.shown(share.value_or(0)) / 100));
    for (const Explanation& explanation : explained.explanations) {
        chess::BoardPicture picture;
        picture.position = explained.position;
        picture.title = to_string(explanation.method);
        picture.heat.emplace().fill(0);
        // A picture's numbers are hundredths.
        for (std::size_t square = 0; square < 64; ++square)
            (*picture.heat)[square] = explained.shown(explanation.men.at(square).value_or(0)) / 100;
        picture.heat_most = most;
        picture.heat_numbers = true;
        if (explained.move) picture.arrows.push_back({explained.move->from(), explained.move->to(), 0.3});
        pictures.push_back(std::move(picture));
    }
    pictures.front().notes = {what_is_said(explained),
                              explained.move ? "orange: more likely by it, blue: less; percentage points"
                                             : "orange: good for White, blue: for Black; Score units"};
    return chess::to_svg(pictures, 3, "");
}

base::Result<std::vector<ExplanationMethod>> methods_for(const evaluators::Explainer& explainer,
                                                         const MenOptions& options) {
    if (!options.method.empty()) return std::vector{*evaluators::find_explanation_method(options.method)};
    std::vector<ExplanationMethod> methods{ExplanationMethod::Occlusion};
    if (explainer.has_slopes(!options.move.empty()))
        methods.insert(methods.end(), {ExplanationMethod::Gradient, ExplanationMethod::Integrated});
    return methods;
}

}  // namespace

base::Status explain_men(const nets::AnyNetwork& network, const MenOptions& options) {
    if (auto status = check_new_output(options.svg, options.overwrite); !status) return status;
    const auto position = chess::parse_fen(options.fen);
    if (!position) return base::fail_in("--fen", position.error());
    ExplainedPosition explained{*position, {}, {}};
    if (!options.move.empty()) {
        const auto move = chess::parse_uci_move(*position, options.move);
        if (!move) return base::fail_in("--move", move.error());
        explained.move = *move;
    }
    auto explainer = evaluators::Explainer::make(network);
    if (!explainer) return std::unexpected(explainer.error());
    const auto methods = methods_for(*explainer, options);
    if (!methods) return std::unexpected(methods.error());
    for (const ExplanationMethod method : *methods) {
        auto explanation = explainer->explain(*position, explained.move, method);
        if (!explanation) return std::unexpected(explanation.error());
        explained.explanations.push_back(std::move(*explanation));
    }
    if (!options.svg.empty())
        if (auto status = base::write_atomically(options.svg, drawing_of(explained)); !status) return status;
    const std::string name = fmt::format("{} ({})", options.name, network.content_name());
    if (options.json)
        print(to_json(explained, options.name));
    else
        print_text(explained, name);
    return {};
}

}  // namespace scholar::cli
