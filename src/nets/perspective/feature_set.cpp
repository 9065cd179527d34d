#include "nets/perspective/feature_set.hpp"

#include <algorithm>
#include <limits>

namespace scholar::nets {

namespace {

// The board is mirrored while the own king stands on e to h. `buckets`: of the king on a to d, from the
// eighth rank down to the first, as one looks at a board.
constexpr FeatureSet mirrored(std::string_view name, std::string_view buckets) {
    FeatureSet set{name, 0, {}};
    for (std::size_t square = 0; square < 64; ++square) {
        const std::size_t file = square % 8;
        const std::size_t rank = square / 8;
        const int bucket = buckets[(7 - rank) * 4 + std::min(file, 7 - file)] - '0';
        set.views[square] = {static_cast<std::uint8_t>(bucket), static_cast<std::uint8_t>(file < 4 ? 0 : 7)};
        set.buckets = std::max(set.buckets, bucket + 1);
    }
    return set;
}

// All feature sets there are.
constexpr std::array kFeatureSets{
    FeatureSet{"768", 1, {}},
    mirrored("768-mirrored",
             "0000"
             "0000"
             "0000"
             "0000"
             "0000"
             "0000"
             "0000"
             "0000"),
    mirrored("768-king4",
             "3333"
             "3333"
             "3333"
             "3333"
             "3333"
             "3333"
             "2222"
             "0011"),
    mirrored("768-king6",
             "5555"
             "5555"
             "5555"
             "5555"
             "5555"
             "5555"
             "3344"
             "0012"),
    mirrored("768-king10",
             "8899"
             "8899"
             "8899"
             "8899"
             "6677"
             "6677"
             "4455"
             "0123"),
};
static_assert(std::ranges::all_of(kFeatureSets, [](const FeatureSet& set) {
    return set.size() - 1 <= std::numeric_limits<std::uint16_t>::max();
}));
static_assert(FeatureSet::kMaxActive <= ActiveFeatures::kCapacity);

template <class Board>
int encode_both(const FeatureSet& set, chess::Bitboard occupied, const Board& board, chess::Color us,
                std::uint16_t* own, std::uint16_t* enemy) {
    const View ours = set.view(us, board.king(us));
    const View theirs = set.view(~us, board.king(~us));
    int count = 0;
    for (const chess::Square square : chess::squares(occupied)) {
        const chess::Piece piece = board.piece_on(square);
        own[count] = static_cast<std::uint16_t>(FeatureSet::index(ours, us, piece, square));
        enemy[count] = static_cast<std::uint16_t>(FeatureSet::index(theirs, ~us, piece, square));
        ++count;
    }
    return count;
}

}  // namespace

int FeatureSet::encode(const chess::Position& position, chess::Color us, std::uint16_t* own,
                       std::uint16_t* enemy) const {
    return encode_both(*this, position.occupied(), position, us, own, enemy);
}

int FeatureSet::encode(const Placement& placement, chess::Color us, std::uint16_t* own,
                       std::uint16_t* enemy) const {
    return encode_both(*this, placement.occupied, placement, us, own, enemy);
}

void FeatureSet::encode(const chess::Position& position, chess::Color viewpoint, ActiveFeatures& out) const {
    const View view = this->view(viewpoint, position.king(viewpoint));
    out.count = 0;
    for (const chess::Square square : chess::squares(position.occupied()))
        out.push(index(view, viewpoint, position.piece_on(square), square));
}

const FeatureSet& plain_features() {
    return kFeatureSets.front();
}

std::string feature_set_names() {
    std::string names;
    for (const FeatureSet& set : kFeatureSets) {
        names += names.empty() ? "" : ", ";
        names += set.name;
    }
    return names;
}

base::Result<const FeatureSet*> find_feature_set(std::string_view name) {
    for (const FeatureSet& set : kFeatureSets)
        if (set.name == name) return &set;
    return base::fail("feature set '{}' is not known, expected one of: {}", name, feature_set_names());
}

}  // namespace scholar::nets
