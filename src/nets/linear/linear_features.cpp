#include "nets/linear/linear_features.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/hash.hpp"
#include "chess/fen.hpp"

namespace scholar::nets {

namespace {

std::string value_name(const Axis& axis, int i) {
    constexpr std::array kinds{"pawn", "knight", "bishop", "rook", "queen", "king"};
    constexpr std::array sides{"left", "own", "right"};
    constexpr std::array wings{"queenside", "centre", "kingside"};
    constexpr std::array directions{"southwest", "south",     "southeast", "west",
                                    "east",      "northwest", "north",     "northeast"};
    const int value = axis.first + i;
    const auto index = static_cast<std::size_t>(value);
    switch (axis.kind) {
        case AxisKind::None:
            return {};
        case AxisKind::Square:
            return chess::to_string(static_cast<chess::Square>(value));
        case AxisKind::File:
            return fmt::format("{:c}", 'a' + value);
        case AxisKind::Rank:
        case AxisKind::Number:
            return fmt::format("{}", value);
        case AxisKind::NumberOrMore:
            return fmt::format("{}{}", value, i + 1 == axis.size ? "+" : "");
        case AxisKind::Kind:
            return kinds[index];
        case AxisKind::FileBeside:
            return sides[index];
        case AxisKind::Wing:
            return wings[index];
        case AxisKind::Direction:
            return directions[index];
    }
    return {};
}

}  // namespace

FeaturePlace place_of(int feature) {
    const auto& offsets = detail::kFeatureOffsets;
    const auto block =
        static_cast<std::size_t>(std::ranges::upper_bound(offsets, feature) - offsets.begin()) - 1;
    const int within = feature - offsets[block];
    const int columns = kFeatureBlocks[block].second.size;
    return {static_cast<Block>(block), within / columns, within % columns};
}

std::string feature_name(int feature) {
    const FeaturePlace place = place_of(feature);
    const FeatureBlock& block = row(place.block);
    std::string name(block.name);
    if (block.first.kind != AxisKind::None) name += '.' + value_name(block.first, place.i);
    if (block.second.kind != AxisKind::None) name += '.' + value_name(block.second, place.j);
    return name;
}

std::string_view to_string(Group group) {
    constexpr std::array<std::string_view, kGroups> names{
        "material",     "piece-square", "mobility",   "control",      "attacks",
        "loose pieces", "pins",         "pawns",      "passed pawns", "rooks",
        "minor pieces", "king shelter", "castling",   "king attack",  "tempo",
        "threats",      "development",  "trade-down", "drawish",      "mating"};
    return names[static_cast<std::size_t>(group)];
}

std::uint64_t feature_table_hash() {
    std::string names;
    for (int i = 0; i < kLinearFeatures; ++i) names += feature_name(i) + '\n';
    return base::hash_text(names);
}

}  // namespace scholar::nets
