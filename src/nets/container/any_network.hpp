#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"
#include "nets/linear/linear_network.hpp"
#include "nets/perspective/network.hpp"

namespace scholar::nets {

// A network that gives one position one value, of any architecture: the closed list of those that there are,
// with the questions that all of them answer. Weights are immutable and shared; a copy is a reference. Who
// needs more than these questions visits it; a new architecture does not compile before every visitor knows
// it.
class AnyNetwork {
  public:
    AnyNetwork() = default;  // none yet: nothing may be asked
    AnyNetwork(std::shared_ptr<const Network> network) : network_(std::move(network)) {}
    AnyNetwork(std::shared_ptr<const LinearNetwork> network) : network_(std::move(network)) {}
    AnyNetwork(std::shared_ptr<Network> network)
        : network_(std::shared_ptr<const Network>(std::move(network))) {}
    AnyNetwork(std::shared_ptr<LinearNetwork> network)
        : network_(std::shared_ptr<const LinearNetwork>(std::move(network))) {}

    // Whether both are the same weights in memory.
    bool operator==(const AnyNetwork&) const = default;
    explicit operator bool() const { return !std::holds_alternative<std::monostate>(network_); }

    // In Score units, as learnt.
    const PieceValues& piece_values() const;
    const std::map<std::string, std::string>& history() const;
    // "perspective 1: 768 → 256 × 2 → 1, clipped".
    std::string architecture() const;
    // Eight hexadecimal digits of the hash of the weights.
    std::string content_name() const;
    // A fresh evaluation, for the side to move: what every faster one agrees with.
    chess::Score evaluate(const chess::Position& position) const;

    // Calls use() with the shared pointer to the network as what it is.
    template <class Use>
    decltype(auto) visit(Use&& use) const {
        using Result = decltype(use(std::declval<const std::shared_ptr<const Network>&>()));
        return std::visit(
            [&use]<class Known>(const Known& known) -> Result {
                if constexpr (std::is_same_v<Known, std::monostate>)
                    std::abort();
                else
                    return use(known);
            },
            network_);
    }

  private:
    std::variant<std::monostate, std::shared_ptr<const Network>, std::shared_ptr<const LinearNetwork>>
        network_;
};

// Of the architecture that the file names; refuses others, and all that the loader of that architecture
// refuses.
base::Result<AnyNetwork> load_any_network(const std::filesystem::path& path);
base::Result<AnyNetwork> parse_any_network(std::span<const std::byte> bytes);

}  // namespace scholar::nets
