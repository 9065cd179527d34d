#include "nets/explained/explained.hpp"

namespace scholar::nets {

namespace {

std::unexpected<base::Error> refuse_to_explain(const AnyNetwork& network, std::string_view what) {
    return base::fail("{}: its {} has no slopes by what it is given, expected a network made of layers",
                      network.description(), what);
}

}  // namespace

base::Result<Explained> explain_value(const AnyNetwork& network, const chess::Line& line) {
    const chess::Position& position = line.current();
    const Abilities can = network.abilities();
    if (!can.has_any({Ability::Leaf, Ability::Value, Ability::Wdl}))
        return base::fail("{}: gives {}, expected a value", network.description(), to_string(can));
    if (auto perspective = network.as<Network>()) return explain_value(std::move(perspective), position);
    if (auto dense = network.as<DenseNetwork>()) return explain_value(std::move(dense), position);
    if (auto comparison = network.as<ComparisonNetwork>())
        return explain_value(std::move(comparison), position);
    if (auto conv = network.as<ConvNetwork>()) return explain_value(std::move(conv), line);
    if (auto squares = network.as<ChessNets>()) return explain_value(std::move(squares), line);
    return refuse_to_explain(network, "value");
}

base::Result<Explained> explain_move(const AnyNetwork& network, const chess::Line& line,
                                     const chess::MoveList& moves, int index) {
    const chess::Position& position = line.current();
    const Abilities can = network.abilities();
    if (!can.has(Ability::Policy))
        return base::fail("{}: gives {}, expected {}", network.description(), to_string(can),
                          to_string(Ability::Policy));
    if (auto sparse = network.as<SparsePolicyNetwork>())
        return explain_move(std::move(sparse), position, moves, index);
    if (auto dense = network.as<DenseNetwork>())
        return explain_move(std::move(dense), position, moves, index);
    if (auto conv = network.as<ConvNetwork>()) return explain_move(std::move(conv), line, moves, index);
    if (auto squares = network.as<ChessNets>(); squares && squares->info.masked)
        return explain_move(std::move(squares), line, moves, index);
    return refuse_to_explain(network, "policy");
}

}  // namespace scholar::nets
