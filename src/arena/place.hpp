#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "arena/ladder.hpp"
#include "arena/ratings.hpp"

// Where a player stands among those of a ladder.

namespace scholar::arena {

// What its games are enough for: a rating; or that it is stronger or weaker than so much, because it won or
// lost everything, or because nobody of the ladder is stronger or weaker, so that a number would be the
// model's and not the games'.
enum class PlaceKind { Rated, MoreThan, LessThan };
// "rated", "more than", "less than".
std::string_view to_string(PlaceKind kind);
std::optional<PlaceKind> parse_place_kind(std::string_view text);

struct Place {
    PlaceKind kind = PlaceKind::Rated;
    double elo = 0;
    double error = 0;  // half of the 95 % interval; of a bound that of whom it is beyond, if of anybody
    std::uint64_t games = 0;
    std::string player{};  // whom of the ladder it is beyond; "": nobody, it won or lost all its games
};

// "2,310 ± 40", "more than 3,580".
std::string describe_place(PlaceKind kind, double elo, double error);

// By ratings of the ladder's games together with its own. Nothing where its games lead to nobody rated.
std::optional<Place> place_of(const Ladder& ladder, const PoolRatings& ratings, std::string_view name);

}  // namespace scholar::arena
