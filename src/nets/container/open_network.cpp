#include "nets/container/open_network.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "nets/container/embedded.hpp"
#include "nets/conv/chess_nets.hpp"
#include "nets/conv/conv_network.hpp"
#include "nets/conv/conv_runner.hpp"
#include "nets/fakes/fakes.hpp"

namespace scholar::nets {

namespace {

template <class Number>
base::Result<Number> number_from(const std::string& text, std::string_view what) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return base::fail("'{}', expected {}", text, what);
    return value;
}

template <class Known>
base::Result<AnyNetwork> made(Known network) {
    return AnyNetwork(std::make_shared<const Known>(std::move(network)));
}

base::Result<AnyNetwork> make_random(const std::vector<std::string>& arguments) {
    const auto seed = number_from<std::uint64_t>(arguments[0], "a seed, a whole number");
    if (!seed) return std::unexpected(seed.error());
    return made(RandomPolicy{{}, *seed});
}

base::Result<AnyNetwork> make_bf16(const std::vector<std::string>& arguments) {
    auto of = open_network(arguments[0]);
    if (!of) return of;
    const auto in_bf16 = [](auto network) -> base::Result<AnyNetwork> {
        if (!processor_has_bf16())
            return base::fail("this processor does not multiply bfloat16: expected the network by itself");
        network.info.precision = Precision::Bf16;
        return made(std::move(network));
    };
    if (const auto residual = of->as<ConvNetwork>()) return in_bf16(*residual);
    if (const auto squares = of->as<ChessNets>()) return in_bf16(*squares);
    return base::fail("{} is {}, expected a convolutional network", arguments[0], of->description());
}

base::Result<AnyNetwork> make_unmasked(const std::vector<std::string>& arguments) {
    auto of = open_network(arguments[0]);
    if (!of) return of;
    const auto squares = of->as<ChessNets>();
    if (!squares)
        return base::fail("{} is {}, expected ChessNet's networks", arguments[0], of->description());
    ChessNets networks = *squares;
    networks.info.masked = false;
    return made(std::move(networks));
}

base::Result<AnyNetwork> make_order(const std::vector<std::string>& arguments) {
    auto by = open_network(arguments[0]);
    if (!by) return by;
    if (!by->abilities().has(Ability::Leaf))
        return base::fail("{} gives {}, expected {}", arguments[0], to_string(by->abilities()),
                          to_string(Ability::Leaf));
    return made(OrderByValue{{}, std::move(*by)});
}

base::Result<AnyNetwork> make_rollouts(const std::vector<std::string>& arguments) {
    auto of = open_network(arguments[0]);
    if (!of) return of;
    if (!of->abilities().has(Ability::Policy))
        return base::fail("{} gives {}, expected {}", arguments[0], to_string(of->abilities()),
                          to_string(Ability::Policy));
    return made(RolloutNetwork{{}, std::move(*of)});
}

base::Result<AnyNetwork> make_record(const std::vector<std::string>& arguments) {
    auto of = open_network(arguments[1]);
    if (!of) return of;
    return made(RecordedNetwork{{}, std::move(*of), arguments[0]});
}

base::Result<AnyNetwork> make_replay(const std::vector<std::string>& arguments) {
    auto replayed = read_opinions_head(arguments[0]);
    if (!replayed) return std::unexpected(replayed.error());
    return made(std::move(*replayed));
}

base::Result<AnyNetwork> make_check(const std::vector<std::string>& arguments) {
    auto first = open_network(arguments[0]);
    if (!first) return first;
    auto second = open_network(arguments[1]);
    if (!second) return second;
    const auto tolerance = number_from<double>(arguments[2], "a tolerance, a number from 0 to 1");
    if (!tolerance) return std::unexpected(tolerance.error());
    if (std::isnan(*tolerance) || *tolerance < 0 || *tolerance > 1)
        return base::fail("'{}', expected a tolerance, a number from 0 to 1", arguments[2]);
    return made(ComparedNetwork{{}, std::move(*first), std::move(*second), *tolerance});
}

constexpr std::array kNamedKinds{
    NamedKind{"bf16", "NETWORK", "a convolutional network, worked out in bfloat16: faster, less exact", 1,
              make_bf16},
    NamedKind{"unmasked", "NETWORK", "ChessNet's networks, not told in each step which squares are legal", 1,
              make_unmasked},
    NamedKind{"random", "SEED", "probabilities of moves by lot, the same each time", 1, make_random},
    NamedKind{"order", "NETWORK", "an order of positions by the network's values", 1, make_order},
    NamedKind{"rollouts", "NETWORK", "a policy that values positions by playing them out by lot", 1,
              make_rollouts},
    NamedKind{"record", "FILE,NETWORK", "the network, writing down what it says", 2, make_record},
    NamedKind{"replay", "FILE", "what was written down by record", 1, make_replay},
    NamedKind{"check", "NETWORK,NETWORK,TOLERANCE",
              "the first network, failing where the second says something else", 3, make_check},
};

std::vector<std::string> split_arguments(std::string_view text) {
    std::vector<std::string> arguments(1);
    int within = 0;
    for (const char c : text) {
        within += (c == '<') - (c == '>');
        if (c == ',' && within == 0)
            arguments.emplace_back();
        else
            arguments.back() += c;
    }
    return arguments;
}

std::string names_of_all() {
    std::string names = "a file, <embedded>";
    for (const EmbeddedNetwork& network : embedded_networks()) names += fmt::format(", <{}>", network.name);
    for (const NamedKind& kind : kNamedKinds) names += fmt::format(", <{}:{}>", kind.name, kind.arguments);
    return names;
}

}  // namespace

std::span<const NamedKind> named_kinds() {
    return kNamedKinds;
}

base::Result<AnyNetwork> open_network(const std::string& name) {
    if (name.empty() || name == "<embedded>") return parse_any_network(default_network_file());
    if (!name.starts_with('<') || !name.ends_with('>')) return load_any_network(name);
    const std::string_view inside = std::string_view(name).substr(1, name.size() - 2);
    if (const auto file = find_embedded_network(inside)) return parse_any_network(*file);
    const std::size_t colon = inside.find(':');
    for (const NamedKind& kind : kNamedKinds) {
        if (colon == std::string_view::npos || inside.substr(0, colon) != kind.name) continue;
        const auto arguments = split_arguments(inside.substr(colon + 1));
        if (arguments.size() != kind.argument_count)
            return base::fail("{}: {} arguments, expected <{}:{}>", name, arguments.size(), kind.name,
                              kind.arguments);
        auto network = kind.make(arguments);
        if (!network) return base::fail_in(name, network.error());
        return network;
    }
    return base::fail("{}: no network of this name, expected {}", name, names_of_all());
}

}  // namespace scholar::nets
