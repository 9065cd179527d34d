#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "chess/fen.hpp"
#include "nets/explained/explained.hpp"

namespace scholar::nets {

namespace {

using chess::Bitboard;

constexpr std::array<std::string_view, 6> kKindNames{"pawn", "knight", "bishop", "rook", "queen", "king"};

// Reads off the names of a dense feature set, and off its numbers, whose they are.
class DenseOwners {
  public:
    DenseOwners(const DenseFeatureSet& features, const chess::Position& position)
        : names_(features.names()), position_(position), numbers_(static_cast<std::size_t>(features.size())) {
        features.encode(position, numbers_);
    }

    std::vector<Bitboard> find() {
        std::vector<Bitboard> owners;
        owners.reserve(names_.size());
        for (std::size_t i = 0; i < names_.size(); ++i) owners.push_back(of(i));
        return owners;
    }

  private:
    Bitboard of(std::size_t number) {
        const auto words = base::split_words(names_[number]);
        if (const chess::Square square = chess::parse_square(words.front()); square != chess::NoSquare)
            return lowest_attackers(square, color_of(words[1]));  // "a1 white attacker"
        if (words.size() < 2 || words[0] == "side") return 0;
        const chess::Color color = color_of(words[0]);
        const auto kind = std::ranges::find_if(
            kKindNames, [&](std::string_view name) { return words[1].starts_with(name); });
        if (kind == kKindNames.end()) return 0;  // "white long castle"
        const Bitboard men =
            position_.pieces(color, static_cast<chess::PieceKind>(kind - kKindNames.begin()));
        if (words.size() == 2) return men;       // "white rooks"
        if (words[1].ends_with('\'')) return 0;  // "white rooks' long castle"
        if (const chess::Square square = chess::parse_square(words[2]); square != chess::NoSquare)
            return men & chess::bit(square);  // "white pawn e2"
        if (words.size() == 3) return men;    // "white king file"
        return of_slot(number, color, words[3]);
    }

    // "white rook 1 exists", "… file", "… rank", "… attacker".
    Bitboard of_slot(std::size_t number, chess::Color color, std::string_view what) {
        if (what == "exists") {
            const auto place = [&](std::size_t behind) {
                return static_cast<int>(std::lround(7 * numbers_[number + behind]));
            };
            slot_ = numbers_[number] > 0 ? chess::make_square(place(1), place(2)) : chess::NoSquare;
        }
        if (slot_ == chess::NoSquare) return 0;
        Bitboard owners = chess::bit(slot_);
        if (what == "attacker") owners |= lowest_attackers(slot_, ~color);
        if (what == "defender") owners |= lowest_attackers(slot_, color);
        return owners;
    }

    Bitboard lowest_attackers(chess::Square square, chess::Color by) const {
        const Bitboard all = position_.attackers(square, position_.occupied()) & position_.pieces(by);
        for (const chess::PieceKind kind : chess::kPieceKinds)
            if (const Bitboard of_kind = all & position_.pieces(kind); of_kind != 0) return of_kind;
        return 0;
    }

    static chess::Color color_of(std::string_view word) {
        return word == "white" ? chess::White : chess::Black;
    }

    std::vector<std::string> names_;
    const chess::Position& position_;
    std::vector<float> numbers_;
    chess::Square slot_ = chess::NoSquare;  // whose numbers are being read
};

}  // namespace

std::vector<Bitboard> dense_owners(const DenseFeatureSet& features, const chess::Position& position) {
    return DenseOwners(features, position).find();
}

}  // namespace scholar::nets
