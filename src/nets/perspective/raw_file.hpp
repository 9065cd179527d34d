#pragma once

#include <string>

#include "nets/perspective/network.hpp"

// A quantised network as plain integers, for engines that have no reader of safetensors and no tables of
// feature sets: a header of 192 bytes, then the arrays of weights. docs/exporting.md has the layout, and
// examples/c/scholar_net.c works a position out by it.

namespace scholar::nets {

// The bytes of such a file. Numbers are little-endian whatever the machine.
std::string to_raw(const Network& network);

}  // namespace scholar::nets
