#include "nets/conv/asked_rating.hpp"

#include "nets/conv/chess_nets.hpp"
#include "nets/conv/conv_network.hpp"

namespace scholar::nets {

namespace {

template <class Known>
AnyNetwork asked(const AnyNetwork& network, const Known& known, int rating) {
    if (!known.info.shape.input.layers.rating || known.info.asked_rating == rating) return network;
    Known changed = known;
    changed.info.asked_rating = rating;
    return AnyNetwork(std::make_shared<const Known>(std::move(changed)));
}

}  // namespace

AnyNetwork with_asked_rating(const AnyNetwork& network, int rating) {
    if (!network) return network;
    if (const auto known = network.as<ConvNetwork>()) return asked(network, *known, rating);
    if (const auto known = network.as<ChessNets>()) return asked(network, *known, rating);
    return network;
}

}  // namespace scholar::nets
