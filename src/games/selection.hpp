#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "base/error.hpp"
#include "games/game.hpp"
#include "games/scan.hpp"
#include "games/store.hpp"

namespace scholar::games {

// Which games of a store. Every field left as it is selects all games; a game must satisfy all of them.
struct Selection {
    // Part of a name, upper and lower case alike (of ASCII and Latin-1 letters).
    std::string player;  // of either side
    std::string white;
    std::string black;
    std::string event;
    // Of the tag ECO: a code from `eco_first` to `eco_last`, each compared as far as it goes: "B" to "B" is
    // all of B.
    std::string eco_first;
    std::string eco_last;
    std::optional<GameResult> result;
    std::optional<Ending> ending;
    // Of both players; a game that does not say a rating satisfies neither.
    std::optional<int> min_rating;
    std::optional<int> max_rating;
    // Days as year × 10,000 + month × 100 + day. A game that does not say its day must have been played
    // within the range whatever the day was.
    std::optional<int> since;
    std::optional<int> until;
    std::size_t min_plies = 0;
    std::size_t max_plies = std::numeric_limits<std::size_t>::max();
    std::optional<bool> chess960;
    std::optional<bool> evaluations;  // whether it has any
    std::optional<Split> split;
    SplitShares shares{};
    std::optional<std::uint64_t> hash;
    // A position that arises in the game, clocks and move numbers not counted: its key.
    std::optional<std::uint64_t> through;
    // Numbers of games in their store, from 1.
    std::uint64_t first_number = 1;
    std::uint64_t last_number = std::numeric_limits<std::uint64_t>::max();

    // What must be read of a block to decide.
    Columns columns() const;
};

// A selection as a user writes it; "" is any. The names are those of the options.
struct SelectionWords {
    std::string player{};
    std::string white{};
    std::string black{};
    std::string event{};
    std::string eco{};     // "B90", "B", "B20-B99"
    std::string result{};  // "1-0", "0-1", "1/2-1/2", "*", or "white", "black", "draw", "unknown"
    std::string ending{};  // a name of games/ending.hpp
    std::string min_rating{};
    std::string max_rating{};
    std::string since{};  // "2019", "2019.05", "2019.05.23"
    std::string until{};
    std::string min_plies{};
    std::string max_plies{};
    std::string variant{};      // "standard", "chess960"
    std::string evaluations{};  // "yes", "no"
    std::string split{};        // "train", "validation", "test"
    std::string hash{};         // 16 hexadecimal digits
    std::string position{};     // a FEN
    std::string number{};       // "17", "100-199", "100-"
    // What `split` goes by: those of recipes.
    std::string validation_share{};  // 0 to 0.5
    std::string test_share{};        // 0 to 1: a store may be a test as a whole
};

// An error names the option and what it expects. Ranges that nothing can be in are refused.
base::Result<Selection> parse_selection(const SelectionWords& words);

// Whether game `game` of a block, number `number` of its store, is selected. The block must have been read
// with the selection's columns.
base::Result<bool> matches(const Selection& selection, const Block& block, std::size_t game,
                           std::uint64_t number);

// What `use` is given and what else it may do: the block, which was read with the selection's columns and
// those asked for, the game's index in it, and where it is.
using UseGame = std::function<base::Status(const Block&, std::size_t game, GamePlace place)>;

// Calls `use` for every selected game, in the order of the stores. Blocks outside the range of numbers are
// not read. `progress` is told how many games have been passed.
base::Status for_each_selected(std::span<const StoreReader> stores, const Selection& selection,
                               const Columns& columns, const std::stop_token& stop,
                               const std::function<void(std::uint64_t)>& progress, const UseGame& use);

// The date of a PGN tag ("2019.05.23", "2019.??.??") as the first and the last day that it can mean; nothing
// if not even the year is known.
struct DateRange {
    int first;
    int last;
};
std::optional<DateRange> parse_date(std::string_view text);

}  // namespace scholar::games
