#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "nets/container/any_network.hpp"

// Networks by the names that options and commands give them:
//
//   "" or "<embedded>"         the default network, which is in the binary
//   "<scholar-c81e6a60>"       another one that is in the binary (embedded.hpp)
//   "<random:7>"               one that is made when it is asked for: of the kinds in kNamedKinds
//   everything else            a file
//
// Arguments are divided by commas, but not within angle brackets: "<check:<embedded>,net.safetensors,0.01>".

namespace scholar::nets {

// A kind that is made from its name.
struct NamedKind {
    std::string_view name;
    std::string_view arguments;  // for people: "SEED"
    std::string_view help;
    std::size_t argument_count;
    base::Result<AnyNetwork> (*make)(const std::vector<std::string>& arguments);
};
std::span<const NamedKind> named_kinds();

base::Result<AnyNetwork> open_network(const std::string& name);

}  // namespace scholar::nets
