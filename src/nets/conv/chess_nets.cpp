#include "nets/conv/chess_nets.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <utility>

#include "nets/container/network_metadata.hpp"
#include "nets/container/weights.hpp"
#include "nets/container/weights_in_file.hpp"
#include "nets/conv/input_metadata.hpp"

namespace scholar::nets {

namespace {

constexpr std::string_view kChessNetVersion = "1";
constexpr std::size_t kMostConvolutions = 16;
constexpr std::array<std::string_view, kChessNetRoles.size()> kRoleNames{"piece", "pawn",  "knight", "bishop",
                                                                         "rook",  "queen", "king",   "value"};

std::string names_of(const ChessNets& networks) {
    std::string names;
    for (const ChessNetRole role : kChessNetRoles)
        if (networks.of(role)) names.append(names.empty() ? "" : " ").append(to_string(role));
    return names;
}

}  // namespace

std::string_view to_string(ChessNetRole role) {
    return kRoleNames.at(static_cast<std::size_t>(role));
}

ChessNetRole role_of(chess::PieceKind kind) {
    return kChessNetRoles.at(static_cast<std::size_t>(ChessNetRole::Pawn) +
                             static_cast<std::size_t>(kind - chess::Pawn));
}

PlanesInput input_of(const ChessNetShape& shape, ChessNetRole role) {
    PlanesInput input = shape.input;
    input.layers.piece = shape.piece_layer && role != ChessNetRole::Piece && role != ChessNetRole::Value;
    return input;
}

ChessNets empty_chess_nets(const ChessNetShape& shape, const std::vector<ChessNetRole>& roles) {
    ChessNets networks;
    networks.info.shape = shape;
    for (const ChessNetRole role : roles)
        networks.of(role).emplace().convolutions.resize(shape.filters.size());
    make_room(networks);
    return networks;
}

ChessNets random_chess_nets(const ChessNetShape& shape, const std::vector<ChessNetRole>& roles,
                            std::uint64_t seed) {
    ChessNets networks = empty_chess_nets(shape, roles);
    fill_by_lot(networks, seed);
    return networks;
}

base::Status check_shape(const ChessNetShape& shape) {
    if (shape.input.layers.piece || shape.input.layout == PlanesLayout::Lc0Classical112)
        return base::fail("input {}, expected one board without the layer of the piece that moves",
                          to_string(shape.input));
    if (shape.filters.empty() || shape.filters.size() > kMostConvolutions)
        return base::fail("{} convolutions, expected 1 to {}", shape.filters.size(), kMostConvolutions);
    for (const int filters : shape.filters)
        if (filters < 1 || filters > ConvBounds::kFilters)
            return base::fail("filters {}, expected a number from 1 to {}", filters, ConvBounds::kFilters);
    if (shape.activation == ConvActivation::Prelu)
        return base::fail("activation prelu, expected relu, mish or tanh");
    if (shape.units < 1 || shape.units > ConvBounds::kUnits)
        return base::fail("units {}, expected a number from 1 to {}", shape.units, ConvBounds::kUnits);
    return check_input(shape.input);
}

base::Status check_network(const ChessNets& networks) {
    if (auto status = check_shape(networks.info.shape); !status) return status;
    bool any = false;
    for (const auto& network : networks.by_role) {
        any = any || network.has_value();
        if (network && network->convolutions.size() != networks.info.shape.filters.size())
            return base::fail("{} convolutions of weights, expected {}", network->convolutions.size(),
                              networks.info.shape.filters.size());
    }
    if (!any) return base::fail("no network, expected one at least");
    return check_weights(networks);
}

std::string describe(const ChessNets& networks) {
    const ChessNetShape& shape = networks.info.shape;
    return fmt::format("chessnet 1: {} → {} filters → {} units, {}{}; {}{}", to_string(shape.input),
                       fmt::join(shape.filters, ", "), shape.units, to_string(shape.activation),
                       shape.piece_layer ? ", with the piece that moves" : "", names_of(networks),
                       networks.info.precision == Precision::Bf16 ? ", in bf16" : "");
}

std::string content_name(const ChessNets& networks) {
    return name_of_weights(networks);
}

Abilities abilities(const ChessNets& networks) {
    Abilities can;
    if (networks.of(ChessNetRole::Value)) can.add(Ability::Value);
    const auto policies = std::span(networks.by_role).first(kChessNetRoles.size() - 1);
    if (std::ranges::all_of(policies, [](const auto& network) { return network.has_value(); }))
        can.add(Ability::Policy);
    return can;
}

Reads reads(const ChessNets& networks) {
    return reads_of(networks.info.shape.input);
}

base::Result<ChessNets> to_chess_nets(const TensorFile& file) {
    if (auto status = expect_architecture(file, kChessNet, kChessNetVersion); !status)
        return std::unexpected(status.error());
    ChessNetShape shape;
    auto status = take_input(file, shape.input);
    if (status) status = take_activation(file, shape.activation);
    if (!status) return std::unexpected(status.error());
    const auto piece_layer = take_integer(file, "piece_layer");
    if (!piece_layer) return std::unexpected(piece_layer.error());
    if (*piece_layer != 0 && *piece_layer != 1)
        return base::fail("piece_layer {}, expected 0 or 1", *piece_layer);
    shape.piece_layer = *piece_layer == 1;
    auto filters = take_integers(file, "filters");
    if (!filters) return std::unexpected(filters.error());
    shape.filters = std::move(*filters);
    const auto units = take_integer(file, "units");
    if (!units) return std::unexpected(units.error());
    shape.units = *units;
    // Before anything is made of it.
    if (status = check_shape(shape); !status) return std::unexpected(status.error());
    const auto names = file.meta("networks");
    if (!names) return std::unexpected(names.error());
    std::vector<ChessNetRole> roles;
    for (const ChessNetRole role : kChessNetRoles)
        if ((" " + *names + " ").contains(fmt::format(" {} ", to_string(role)))) roles.push_back(role);

    ChessNets networks;
    networks.info.shape = shape;
    networks.info.history = take_history(file);
    for (const ChessNetRole role : roles)
        networks.of(role).emplace().convolutions.resize(shape.filters.size());
    if (names_of(networks) != *names)
        return base::fail("networks '{}', expected some of: {}, in this order", *names,
                          fmt::join(kRoleNames, " "));
    return with_weights(file, std::move(networks));
}

base::Result<TensorFile> to_tensor_file(const ChessNets& networks) {
    if (auto status = check_network(networks); !status) return std::unexpected(status.error());
    const ChessNetShape& shape = networks.info.shape;
    TensorFile file;
    put_common_metadata(file, kChessNet, kChessNetVersion, kEqualPieceValues, networks.info.history);
    put_input(file, shape.input);
    file.metadata["activation"] = to_string(shape.activation);
    file.metadata["piece_layer"] = shape.piece_layer ? "1" : "0";
    file.metadata["filters"] = fmt::format("{}", fmt::join(shape.filters, " "));
    file.metadata["units"] = fmt::format("{}", shape.units);
    file.metadata["networks"] = names_of(networks);
    put_weights(file, networks);
    return file;
}

base::Status save_network(const std::filesystem::path& path, const ChessNets& networks) {
    return write_tensors(path, to_tensor_file(networks));
}

}  // namespace scholar::nets
