#include "arena/place.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace scholar::arena {

std::string_view to_string(PlaceKind kind) {
    switch (kind) {
        case PlaceKind::Rated:
            return "rated";
        case PlaceKind::MoreThan:
            return "more than";
        case PlaceKind::LessThan:
            return "less than";
    }
    return "";
}

std::optional<PlaceKind> parse_place_kind(std::string_view text) {
    for (const auto kind : {PlaceKind::Rated, PlaceKind::MoreThan, PlaceKind::LessThan})
        if (text == to_string(kind)) return kind;
    return std::nullopt;
}

std::string describe_place(PlaceKind kind, double elo, double error) {
    return kind == PlaceKind::Rated ? fmt::format("{:.0f} ± {:.0f}", elo, error)
                                    : fmt::format("{} {:.0f}", to_string(kind), elo);
}

std::optional<Place> place_of(const Ladder& ladder, const PoolRatings& ratings, std::string_view name) {
    const auto own = std::ranges::find(ratings.players, name, &PlayerRating::name);
    if (own == ratings.players.end()) return std::nullopt;
    Place place{.games = own->games.games()};
    const PlayerRating* strongest = nullptr;
    const PlayerRating* weakest = nullptr;
    for (const auto& player : ratings.players) {
        if (!player.has_rating() || player.name == name) continue;
        if (std::ranges::none_of(ladder.players, [&](const LadderPlayer& member) {
                return member.config.name == player.name;
            }))
            continue;
        if (strongest == nullptr || player.elo > strongest->elo) strongest = &player;
        if (weakest == nullptr || player.elo < weakest->elo) weakest = &player;
    }
    const auto beyond = [&](PlaceKind kind, const PlayerRating& other) {
        place.kind = kind;
        place.elo = other.elo;
        place.error = other.error;
        place.player = other.name;
        return place;
    };
    if (own->has_rating()) {
        // A ladder of one player has no ends.
        if (strongest != nullptr && strongest != weakest) {
            if (own->elo > strongest->elo) return beyond(PlaceKind::MoreThan, *strongest);
            if (own->elo < weakest->elo) return beyond(PlaceKind::LessThan, *weakest);
        }
        place.elo = own->elo;
        place.error = own->error;
        return place;
    }
    if (!own->bound) return std::nullopt;
    const bool above = own->standing == Standing::Above;
    place.kind = above ? PlaceKind::MoreThan : PlaceKind::LessThan;
    place.elo = *own->bound;
    if (above && strongest != nullptr && place.elo > strongest->elo) return beyond(place.kind, *strongest);
    if (!above && weakest != nullptr && place.elo < weakest->elo) return beyond(place.kind, *weakest);
    return place;
}

}  // namespace scholar::arena
