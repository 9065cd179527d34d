#pragma once

#include <concepts>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"
#include "nets/container/abilities.hpp"
#include "nets/container/history.hpp"
#include "nets/container/piece_values.hpp"

namespace scholar::nets {

// What a type must have to be a kind of network, beside its row in the table of kinds (kinds.cpp): functions
// of its namespace that take it.
//   describe       for people: "perspective 1: 768 → 256 × 2 → 1, clipped"
//   content_name   eight hexadecimal digits of the hash of the weights
//   abilities      what it can
//   reads          and what of
// and a member info.history. It may also have
//   evaluate_plainly    a position's value for its side to move: afresh, slowly, exactly
//   info.piece_values   where it has learnt what pieces are worth; or a function piece_values
template <class Known>
concept KnownNetwork = requires(const Known& network) {
    { describe(network) } -> std::same_as<std::string>;
    { content_name(network) } -> std::same_as<std::string>;
    { abilities(network) } -> std::same_as<Abilities>;
    { reads(network) } -> std::same_as<Reads>;
    { network.info.history } -> std::convertible_to<const History&>;
};

namespace detail {

// What one kind of network answers, of a network that is one.
struct NetworkAnswers {
    std::string (*description)(const void*);
    std::string (*content_name)(const void*);
    const History& (*history)(const void*);
    Abilities (*abilities)(const void*);
    Reads (*reads)(const void*);
    const PieceValues* (*piece_values)(const void*);
    std::optional<chess::Score> (*evaluate)(const void*, const chess::Position&);
};

template <class Known>
const PieceValues* piece_values_of(const Known& network) {
    if constexpr (requires { piece_values(network); })
        return piece_values(network);
    else if constexpr (requires { network.info.piece_values; })
        return &network.info.piece_values;
    else
        return nullptr;
}
template <class Known>
std::optional<chess::Score> plain_value_of(const Known& network, const chess::Position& position) {
    if constexpr (requires { evaluate_plainly(network, position); })
        return evaluate_plainly(network, position);
    else
        return std::nullopt;
}

template <class Known>
const Known& as_known(const void* network) {
    return *static_cast<const Known*>(network);
}

template <class Known>
inline constexpr NetworkAnswers kAnswers{
    [](const void* network) { return describe(as_known<Known>(network)); },
    [](const void* network) { return content_name(as_known<Known>(network)); },
    [](const void* network) -> const History& { return as_known<Known>(network).info.history; },
    [](const void* network) { return abilities(as_known<Known>(network)); },
    [](const void* network) { return reads(as_known<Known>(network)); },
    [](const void* network) { return piece_values_of(as_known<Known>(network)); },
    [](const void* network, const chess::Position& position) {
        return plain_value_of(as_known<Known>(network), position);
    }};

}  // namespace detail

// A network of any kind, with what every network answers. Weights are immutable and shared; a copy is a
// reference. Who needs more asks for what it is: as<Known>().
class AnyNetwork {
  public:
    AnyNetwork() = default;  // none yet: nothing may be asked
    template <class Known>
        requires KnownNetwork<std::remove_const_t<Known>>
    AnyNetwork(std::shared_ptr<Known> network)
        : answers_(&detail::kAnswers<std::remove_const_t<Known>>), network_(std::move(network)) {}

    // Whether both are the same weights in memory.
    bool operator==(const AnyNetwork& other) const { return network_ == other.network_; }
    explicit operator bool() const { return network_ != nullptr; }

    // "perspective 1: 768 → 256 × 2 → 1, clipped".
    std::string description() const { return answers_->description(network_.get()); }
    // Eight hexadecimal digits of the hash of the weights.
    std::string content_name() const { return answers_->content_name(network_.get()); }
    const History& history() const { return answers_->history(network_.get()); }
    Abilities abilities() const { return answers_->abilities(network_.get()); }
    Reads reads() const { return answers_->reads(network_.get()); }
    // Null where it has learnt none.
    const PieceValues* piece_values() const { return answers_->piece_values(network_.get()); }
    // A fresh evaluation, for the side to move: what every faster one agrees with. Nothing where a position
    // has no value by itself.
    std::optional<chess::Score> evaluate(const chess::Position& position) const {
        return answers_->evaluate(network_.get(), position);
    }

    // The network as what it is; null if it is of another kind.
    template <class Known>
    std::shared_ptr<const Known> as() const {
        if (answers_ != &detail::kAnswers<Known>) return nullptr;
        return std::static_pointer_cast<const Known>(network_);
    }

  private:
    const detail::NetworkAnswers* answers_ = nullptr;
    std::shared_ptr<const void> network_;
};

// From a file, or from its bytes, in any container and of any kind that the tables know (kinds.hpp). Refuses
// others, and all that the loader of that kind refuses.
base::Result<AnyNetwork> load_any_network(const std::filesystem::path& path);
base::Result<AnyNetwork> parse_any_network(std::span<const std::byte> bytes);

}  // namespace scholar::nets
