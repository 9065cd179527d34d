#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "nets/conv/policy_moves.hpp"
#include "nets/explained/explained.hpp"
#include "nets/explained/policy_slopes.hpp"

namespace scholar::nets {

namespace {

using Place = LayerTape::Place;

// The activation behind a layer, whose slopes by filter, or unit, it has where that is Prelu.
Place activated(LayerTape& tape, Place in, ConvActivation activation, std::span<const float> prelu) {
    const std::size_t numbers_each = prelu.empty() ? 1 : tape.at(in).size() / prelu.size();
    return tape.each(in, [=](double x, std::size_t index) {
        switch (activation) {
            case ConvActivation::Relu:
                break;
            case ConvActivation::Tanh:
                return LayerTape::Point{std::tanh(x), 1 - std::tanh(x) * std::tanh(x)};
            case ConvActivation::Prelu: {
                const double slope = x > 0 ? 1 : static_cast<double>(prelu[index / numbers_each]);
                return LayerTape::Point{slope * x, slope};
            }
            case ConvActivation::Mish: {
                const double t = std::tanh(std::log1p(std::exp(std::min(x, 40.0))));
                const double sigmoid = 1 / (1 + std::exp(-x));
                return LayerTape::Point{x * t, t + x * (1 - t * t) * sigmoid};
            }
        }
        return LayerTape::Point{std::max(x, 0.0), x > 0 ? 1.0 : 0.0};
    });
}
Place convolved(LayerTape& tape, Place in, const ConvLayer& layer) {
    const std::size_t weights_a_pair =
        layer.weight.size() / layer.bias.size() / (tape.at(in).size() / kPlaneSquares);
    return tape.convolution(in, layer.weight, layer.bias, weights_a_pair == 1 ? 1 : 3);
}
Place convolved(LayerTape& tape, Place in, const ConvLayer& layer, ConvActivation activation) {
    return activated(tape, convolved(tape, in, layer), activation, layer.slope);
}
Place through_dense(LayerTape& tape, Place in, const ConvLayer& layer, ConvActivation activation) {
    return activated(tape, tape.dense(in, layer.weight, layer.bias), activation, layer.slope);
}
Place through_head(LayerTape& tape, Place body, const ConvHead& head, ConvActivation activation) {
    Place units =
        through_dense(tape, convolved(tape, body, head.planes, activation), head.hidden, activation);
    if (!head.second.bias.empty()) units = through_dense(tape, units, head.second, activation);
    return tape.dense(units, head.output.weight, head.output.bias);
}

// The layers that all heads stand on. `source_body`: what is behind the blocks that the source sees.
struct Trunk {
    Place body;
    Place source_body;
};
Trunk through_trunk(LayerTape& tape, Place planes, const ConvNetwork& network) {
    const ConvShape& shape = network.info.shape;
    Trunk trunk{};
    trunk.body = trunk.source_body = convolved(tape, planes, network.input, shape.activation);
    int blocks = 0;
    for (const ResidualBlock& block : network.blocks) {
        const Place first = convolved(tape, trunk.body, block.first, shape.activation);
        Place sums = convolved(tape, first, block.second);
        if (shape.squeeze > 0) {
            const Place units = through_dense(tape, tape.means(sums), block.squeeze, shape.activation);
            sums = tape.excited(sums, tape.dense(units, block.excite.weight, block.excite.bias));
        }
        trunk.body = activated(tape, tape.sums(sums, trunk.body), shape.activation, block.second.slope);
        if (++blocks == shape.source_blocks) trunk.source_body = trunk.body;
    }
    return trunk;
}

// White's score by what a head of the value says to the side to move, and its slopes by that.
Tangent score_of(std::span<const double> said, chess::Color us) {
    const double white = (us == chess::White ? 1.0 : -1.0) * chess::Score::kScale;
    // (1 + tanh v) / 2 has the logit 2 v.
    if (said.size() == 1) return {2 * white * said[0], {2 * white}};
    const double most = std::ranges::max(said);
    Numbers chances;
    double sum = 0;
    for (const double each : said) sum += chances.emplace_back(std::exp(each - most));
    for (double& chance : chances) chance /= sum;
    constexpr std::array points{1.0, 0.5, 0.0};
    const double expected = chances[0] + chances[1] / 2;
    // Not 1 less the other: where almost nothing is left of it, its digits would be lost.
    const double rest = chances[2] + chances[1] / 2;
    Tangent tangent{white * std::log(expected / rest), {}};
    for (std::size_t i = 0; i < chances.size(); ++i)
        tangent.slopes.push_back(white * chances[i] * (points.at(i) - expected) / (expected * rest));
    return tangent;
}

// Whose the numbers of a plane of men are: ours, theirs or, with one sign each, both.
struct PlaneOfMen {
    chess::PieceKind kind;
    bool ours;
    bool theirs;
};
std::optional<PlaneOfMen> plane_of_men(PlanesLayout layout, int plane) {
    constexpr int boards = 8;
    constexpr int planes_a_board = 13;
    if (layout == PlanesLayout::Board6)
        return plane < 6 ? std::optional(PlaneOfMen{static_cast<chess::PieceKind>(plane), true, true})
                         : std::nullopt;
    if (layout == PlanesLayout::Lc0Classical112) {
        if (plane >= boards * planes_a_board) return std::nullopt;
        plane %= planes_a_board;
    }
    if (plane >= 12) return std::nullopt;
    return PlaneOfMen{static_cast<chess::PieceKind>(plane % 6), plane < 6, plane >= 6};
}

// The numbers of all planes, and whose they are.
Explained given_planes(const PlanesInput& input, const chess::Line& line, const PlaneContext& context) {
    const chess::Position& position = line.current();
    const chess::Color us = position.side_to_move();
    std::vector<float> planes(static_cast<std::size_t>(plane_count(input)) * kPlaneSquares);
    encode_planes(input, line, context, std::span(planes));
    Explained explained{
        Numbers(planes.begin(), planes.end()), std::vector<chess::Bitboard>(planes.size()), {}};
    for (int plane = 0; plane < plane_count(input); ++plane) {
        const auto men = plane_of_men(input.layout, plane);
        if (!men) continue;
        for (int seen = 0; seen < static_cast<int>(kPlaneSquares); ++seen) {
            const auto number =
                static_cast<std::size_t>(plane) * kPlaneSquares + static_cast<std::size_t>(seen);
            if (planes[number] == 0) continue;
            const chess::Square square = chess::relative_square(us, static_cast<chess::Square>(seen));
            chess::Bitboard whose = 0;
            if (men->ours) whose |= position.pieces(us, men->kind);
            if (men->theirs) whose |= position.pieces(~us, men->kind);
            explained.owners[number] = whose & chess::bit(square);
        }
    }
    return explained;
}

// Numbers of places on a tape that count for something, and by how much.
class Weights {
  public:
    explicit Weights(const LayerTape& tape) : tape_(tape) {}

    void add(Place place, std::size_t number, double weight) {
        auto found = std::ranges::find(weighed_, place, &LayerTape::Weighed::place);
        if (found == weighed_.end())
            found = weighed_.insert(weighed_.end(), {place, Numbers(tape_.at(place).size())});
        found->weights[number] += weight;
    }
    const std::vector<LayerTape::Weighed>& all() const { return weighed_; }

  private:
    const LayerTape& tape_;
    std::vector<LayerTape::Weighed> weighed_;
};

// A move's logit is the sum of these numbers and a constant.
struct LogitTerms {
    std::vector<std::pair<Place, std::size_t>> terms;
    double constant = 0;
};
Tangent softmax_tangent(const LayerTape& tape, const std::vector<LogitTerms>& moves, std::size_t index,
                        Place planes) {
    Numbers logits;
    for (const LogitTerms& move : moves) {
        logits.push_back(move.constant);
        for (const auto& [place, number] : move.terms) logits.back() += tape.at(place)[number];
    }
    const ProbabilitySlopes slopes = softmax_slopes(logits, index);
    Weights weights(tape);
    for (std::size_t i = 0; i < moves.size(); ++i)
        for (const auto& [place, number] : moves[i].terms) weights.add(place, number, slopes.slopes[i]);
    return {slopes.probability, tape.slopes(weights.all(), planes)};
}

// A policy of squares, as ConvRunner::square_logit() has it.
Tangent squares_tangent(LayerTape& tape, const ConvNetwork& network, Place body,
                        std::span<const SquareMove> moves, std::size_t index, Place planes) {
    const auto width = static_cast<std::size_t>(network.info.shape.policy_filters);
    const Place vectors = convolved(tape, body, network.policy_first);
    const Place pairs = tape.square_pairs(vectors, width);
    struct Logit {
        Place place;
        std::size_t number;
        double constant;
    };
    const auto logit_of = [&](int place) -> Logit {
        if (place < kSquaresFrom) {
            const auto from = static_cast<std::size_t>(place);
            return {vectors, 2 * width * kPlaneSquares + from, network.policy_second.bias[from]};
        }
        if (place < kSquaresFrom + kSquaresTo) {
            const auto pair = static_cast<std::size_t>(place - kSquaresFrom);
            return {pairs, pair, network.policy_second.weight[pair]};
        }
        const auto promotion = static_cast<std::size_t>(place - kSquaresFrom - kSquaresTo);
        return {vectors, (2 * width + 1 + promotion / 8) * kPlaneSquares + 56 + promotion % 8, 0};
    };
    const TwoStepSlopes slopes = two_step_slopes(
        [&](int place) {
            const Logit logit = logit_of(place);
            return tape.at(logit.place)[logit.number] + logit.constant;
        },
        moves, index);
    Weights weights(tape);
    for (const auto& [place, slope] : slopes.slopes)
        weights.add(logit_of(place).place, logit_of(place).number, slope);
    return {slopes.probability, tape.slopes(weights.all(), planes)};
}

Tangent policy_tangent(const ConvNetwork& network, std::span<const double> inputs,
                       const chess::MoveList& moves, chess::Color us, std::size_t index) {
    const ConvShape& shape = network.info.shape;
    LayerTape tape;
    const Place planes = tape.put({inputs.begin(), inputs.end()});
    const Trunk trunk = through_trunk(tape, planes, network);
    std::vector<SquareMove> steps;
    for (const chess::Move move : moves) steps.push_back(square_move(move, us));
    if (shape.policy == PolicyForm::Squares)
        return squares_tangent(tape, network, trunk.body, steps, index, planes);
    std::vector<LogitTerms> logits;
    if (shape.policy == PolicyForm::SourceTarget) {
        const Place source = through_head(tape, trunk.source_body, network.source, shape.activation);
        const Place target = through_head(tape, trunk.body, network.target, shape.activation);
        for (const SquareMove& move : steps) {
            const bool is_under = move.promotion > 0 && move.promotion <= kUnderpromotions;
            logits.push_back(
                {{{source, static_cast<std::size_t>(move.from)}, {target, static_cast<std::size_t>(move.to)}},
                 is_under ? static_cast<double>(kUnderpromotionLogit) : 0});
        }
        return softmax_tangent(tape, logits, index, planes);
    }
    const Place first = convolved(tape, trunk.body, network.policy_first, shape.activation);
    const bool is_dense = shape.policy == PolicyForm::Dense;
    const Place all = is_dense ? tape.dense(first, network.policy_second.weight, network.policy_second.bias)
                               : convolved(tape, first, network.policy_second);
    for (const chess::Move move : moves) {
        const auto number = static_cast<std::size_t>(policy_index(move, us));
        logits.push_back({{{all, is_dense ? number : std::size_t{policy_plane_indices()[number]}}}, 0});
    }
    return softmax_tangent(tape, logits, index, planes);
}

Place through_chess_net(LayerTape& tape, Place planes, const ChessNet& network, ConvActivation activation) {
    Place body = planes;
    for (const ConvLayer& layer : network.convolutions) body = convolved(tape, body, layer, activation);
    return tape.dense(through_dense(tape, body, network.hidden, activation), network.output.weight,
                      network.output.bias);
}

}  // namespace

Explained explain_value(std::shared_ptr<const ConvNetwork> network, const chess::Line& line) {
    const ConvInfo& info = network->info;
    Explained explained =
        given_planes(info.shape.input, line, play_context(info.shape.input, info.asked_rating, line));
    explained.at = [network = std::move(network),
                    us = line.current().side_to_move()](std::span<const double> inputs) {
        LayerTape tape;
        const Place planes = tape.put({inputs.begin(), inputs.end()});
        const Place said = through_head(tape, through_trunk(tape, planes, *network).body, network->value,
                                        network->info.shape.activation);
        const Tangent score = score_of(tape.at(said), us);
        return Tangent{score.said, tape.slopes({{said, score.slopes}}, planes)};
    };
    return explained;
}

Explained explain_move(std::shared_ptr<const ConvNetwork> network, const chess::Line& line,
                       const chess::MoveList& moves, int index) {
    const ConvInfo& info = network->info;
    Explained explained =
        given_planes(info.shape.input, line, play_context(info.shape.input, info.asked_rating, line));
    explained.at = [network = std::move(network), us = line.current().side_to_move(), moves,
                    index](std::span<const double> inputs) {
        return policy_tangent(*network, inputs, moves, us, static_cast<std::size_t>(index));
    };
    return explained;
}

Explained explain_value(std::shared_ptr<const ChessNets> networks, const chess::Line& line) {
    const ChessNetInfo& info = networks->info;
    Explained explained =
        given_planes(info.shape.input, line, play_context(info.shape.input, info.asked_rating, line));
    explained.at = [networks = std::move(networks),
                    us = line.current().side_to_move()](std::span<const double> inputs) {
        LayerTape tape;
        const Place planes = tape.put({inputs.begin(), inputs.end()});
        const Place said = through_chess_net(tape, planes, *networks->of(ChessNetRole::Value),
                                             networks->info.shape.activation);
        const Tangent score = score_of(tape.at(said), us);
        return Tangent{score.said, tape.slopes({{said, score.slopes}}, planes)};
    };
    return explained;
}

Explained explain_move(std::shared_ptr<const ChessNets> networks, const chess::Line& line,
                       const chess::MoveList& moves, int index) {
    const ChessNetInfo& info = networks->info;
    const chess::Position& position = line.current();
    const chess::Color us = position.side_to_move();
    PlaneContext context = play_context(info.shape.input, info.asked_rating, line);
    const chess::Square man = moves[index].from();
    context.piece = man;
    const ChessNetRole role = role_of(kind_of(position.piece_on(man)));
    // Those of the second network are the first's and maybe a plane of the man that moves.
    const auto first_numbers = static_cast<std::size_t>(plane_count(info.shape.input)) * kPlaneSquares;
    Explained explained = given_planes(input_of(info.shape, role), line, context);
    for (std::size_t i = first_numbers; i < explained.inputs.size(); ++i)
        if (explained.inputs[i] != 0) explained.owners[i] = chess::bit(man);
    std::vector<SquareMove> steps;
    for (const chess::Move move : moves) steps.push_back(square_move(move, us));
    explained.at = [networks = std::move(networks), steps = std::move(steps), role, first_numbers,
                    index](std::span<const double> inputs) {
        const ConvActivation activation = networks->info.shape.activation;
        LayerTape tape;
        const Place planes = tape.put({inputs.begin(), inputs.end()});
        const Place from = through_chess_net(tape, tape.part(planes, 0, first_numbers),
                                             *networks->of(ChessNetRole::Piece), activation);
        const Place to = through_chess_net(tape, planes, *networks->of(role), activation);
        const TwoStepSlopes slopes = two_step_slopes(
            [&](int place) {
                if (place < kSquaresFrom) return tape.at(from)[static_cast<std::size_t>(place)];
                if (place >= kSquaresFrom + kSquaresTo) return static_cast<double>(kUnderpromotionLogit);
                return tape.at(to)[static_cast<std::size_t>(place - kSquaresFrom) % kPlaneSquares];
            },
            steps, static_cast<std::size_t>(index));
        Weights weights(tape);
        for (const auto& [place, slope] : slopes.slopes)
            if (place < kSquaresFrom)
                weights.add(from, static_cast<std::size_t>(place), slope);
            else if (place < kSquaresFrom + kSquaresTo)
                weights.add(to, static_cast<std::size_t>(place - kSquaresFrom) % kPlaneSquares, slope);
        return Tangent{slopes.probability, tape.slopes(weights.all(), planes)};
    };
    return explained;
}

}  // namespace scholar::nets
