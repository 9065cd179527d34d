#pragma once

#include <map>
#include <string>
#include <vector>

#include "chess/line.hpp"
#include "nets/container/any_network.hpp"

namespace scholar::tests {

// A network and what stands in a message about it.
struct NamedNetwork {
    std::string name;
    nets::AnyNetwork network;
};
// One at least of every form of the kinds that can be written as ONNX, by lot, and two that ship.
std::vector<NamedNetwork> onnx_networks();

// So many positions of games of masters, with what led to them.
std::vector<chess::Line> positions_of_games(std::size_t count);

// What the engine gives a network of such positions and is told by it, as the network's ONNX model has it:
// numbers of all positions, one after another, outputs by their names.
struct EngineOutputs {
    std::vector<float> inputs;
    std::map<std::string, std::vector<float>> outputs;
};
EngineOutputs ask_engine(const nets::AnyNetwork& network, const std::vector<chess::Line>& lines);

}  // namespace scholar::tests
