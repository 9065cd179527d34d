#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "chess/types.hpp"
#include "nets/container/abilities.hpp"
#include "nets/container/history.hpp"
#include "nets/container/tensor_file.hpp"
#include "nets/conv/conv_network.hpp"

// Architecture "chessnet": the networks of A. Singh, "Convolutional neural networks learn to play chess"
// (2015). Seven of them, ChessNet-1 (section 2.3), say which man moves, and for each kind of man which square
// it goes to; an eighth, ChessNet-2 (section 2.4), says what the position is worth. Each has layers of its
// own:
//
//   convolutions   3×3, one behind the other, each with the activation
//   hidden         dense over all squares of all filters, activation
//   output         dense: 64 logits of squares, or one number, whose hyperbolic tangent is the value
//
// Squares are those that the mover sees (planes.hpp). A file may have any of the eight.

namespace scholar::nets {

enum class ChessNetRole : std::uint8_t { Piece, Pawn, Knight, Bishop, Rook, Queen, King, Value };
constexpr std::array kChessNetRoles{ChessNetRole::Piece,  ChessNetRole::Pawn, ChessNetRole::Knight,
                                    ChessNetRole::Bishop, ChessNetRole::Rook, ChessNetRole::Queen,
                                    ChessNetRole::King,   ChessNetRole::Value};
// "piece", "pawn", …
std::string_view to_string(ChessNetRole role);
// Of the network that says where such a man goes.
ChessNetRole role_of(chess::PieceKind kind);

struct ChessNetShape {
    // Without the layer `piece`, which only the six can have.
    PlanesInput input{PlanesLayout::Board6};
    bool piece_layer = false;
    std::vector<int> filters{64, 96, 256};  // of each convolution
    int units = 1'024;
    ConvActivation activation = ConvActivation::Relu;

    bool operator==(const ChessNetShape&) const = default;
};
// What the network of this role sees.
PlanesInput input_of(const ChessNetShape& shape, ChessNetRole role);
// 64, or 1.
constexpr int outputs_of(ChessNetRole role) {
    return role == ChessNetRole::Value ? 1 : static_cast<int>(kPlaneSquares);
}

struct ChessNet {
    std::vector<ConvLayer> convolutions;
    ConvLayer hidden;
    ConvLayer output;
};

struct ChessNetInfo {
    ChessNetShape shape;
    History history;
    int asked_rating = 0;  // as in ConvInfo
    // Whether each step of a move is divided among what is legal there (section 3.3); if not, all squares
    // have their share, and of the moves that are left the sum is made 1.
    bool masked = true;
    // In which the engine works out convolutions and hidden units; a file doesn't say.
    Precision precision = Precision::F32;
};

// Immutable and shared once they are loaded.
struct ChessNets {
    ChessNetInfo info;
    std::array<std::optional<ChessNet>, kChessNetRoles.size()> by_role;

    const std::optional<ChessNet>& of(ChessNetRole role) const {
        return by_role.at(static_cast<std::size_t>(role));
    }
    std::optional<ChessNet>& of(ChessNetRole role) { return by_role.at(static_cast<std::size_t>(role)); }
};

// Calls visit(name, extents, array) with each array of each network that is there: "piece.conv.0.weight"
// [filters][planes][3][3], "piece.hidden.weight" [units][filters · 64], "piece.output.weight"
// [outputs][units], each with its "….bias"; "pawn.conv.0.weight", … Each network must have as many
// convolutions as the shape says.
template <class Nets, class Visit>
    requires std::same_as<std::remove_const_t<Nets>, ChessNets>
void for_each_weights(Nets& networks, Visit visit) {
    using Extents = std::vector<std::int64_t>;
    const ChessNetShape& shape = networks.info.shape;
    const auto layer = [&visit](const std::string& name, auto& of, const Extents& extents) {
        visit(name + ".weight", extents, of.weight);
        visit(name + ".bias", Extents{extents.front()}, of.bias);
    };
    for (const ChessNetRole role : kChessNetRoles) {
        auto& network = networks.of(role);
        if (!network) continue;
        const std::string name(to_string(role));
        int inputs = plane_count(input_of(shape, role));
        for (std::size_t i = 0; i < network->convolutions.size(); ++i) {
            layer(name + ".conv." + std::to_string(i), network->convolutions[i],
                  {shape.filters[i], inputs, 3, 3});
            inputs = shape.filters[i];
        }
        layer(name + ".hidden", network->hidden, {shape.units, inputs * std::int64_t{kPlaneSquares}});
        layer(name + ".output", network->output, {outputs_of(role), shape.units});
    }
}

// The networks of these roles, all weights 0.
ChessNets empty_chess_nets(const ChessNetShape& shape, const std::vector<ChessNetRole>& roles);
// Likewise by lot (random_conv_network()).
ChessNets random_chess_nets(const ChessNetShape& shape, const std::vector<ChessNetRole>& roles,
                            std::uint64_t seed);

base::Status check_shape(const ChessNetShape& shape);
// Refuses networks whose arrays have not the sizes of their shape, or hold what is no number; or none at all.
base::Status check_network(const ChessNets& networks);

// What AnyNetwork asks (nets/container/any_network.hpp). Probabilities of moves only from all seven.
std::string describe(const ChessNets& networks);
std::string content_name(const ChessNets& networks);
Abilities abilities(const ChessNets& networks);
Reads reads(const ChessNets& networks);

// Files of the one container. Metadata: what every network has, "input", "piece_layer", "filters" ("64 96
// 256"), "units", "activation", "networks" ("piece pawn …"), ratings as residual networks have them.
constexpr const char* kChessNet = "chessnet";
base::Result<ChessNets> to_chess_nets(const TensorFile& file);
base::Result<TensorFile> to_tensor_file(const ChessNets& networks);
base::Status save_network(const std::filesystem::path& path, const ChessNets& networks);

}  // namespace scholar::nets
