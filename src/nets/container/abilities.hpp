#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace scholar::nets {

// What a network can say of a position.
enum class Ability : std::uint8_t {
    Leaf,       // its value, one position at a time and following the moves of a search
    Value,      // its value, in batches
    Wdl,        // the chances to win, draw and lose
    Policy,     // how likely each legal move is to be played, or to be the best
    Order,      // which of two positions is better
    MovesLeft,  // how long the game will go on
};
inline constexpr std::array kAbilities{Ability::Leaf,   Ability::Value, Ability::Wdl,
                                       Ability::Policy, Ability::Order, Ability::MovesLeft};

// "a value at leaves", …: how refusals name it.
constexpr std::string_view to_string(Ability ability) {
    switch (ability) {
        case Ability::Leaf:
            return "a value at leaves";
        case Ability::Value:
            return "values in batches";
        case Ability::Wdl:
            return "chances to win, draw and lose";
        case Ability::Policy:
            return "probabilities of moves";
        case Ability::Order:
            return "an order of positions";
        case Ability::MovesLeft:
            return "how many moves are left";
    }
    return "";
}

// A set of abilities.
class Abilities {
  public:
    constexpr Abilities() = default;
    constexpr Abilities(std::initializer_list<Ability> abilities) {
        for (const Ability ability : abilities) add(ability);
    }
    constexpr void add(Ability ability) { bits_ = static_cast<std::uint8_t>(bits_ | bit(ability)); }
    constexpr bool has(Ability ability) const { return (bits_ & bit(ability)) != 0; }
    constexpr bool has_any(Abilities others) const { return (bits_ & others.bits_) != 0; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr bool operator==(const Abilities&) const = default;

  private:
    static constexpr std::uint8_t bit(Ability ability) {
        return static_cast<std::uint8_t>(1U << static_cast<unsigned>(ability));
    }
    std::uint8_t bits_ = 0;
};

// "a value at leaves, probabilities of moves"; with `between` in place of the comma. "nothing" of none.
std::string to_string(Abilities abilities, std::string_view between = ", ");

// What a network reads of a position and its past.
struct Reads {
    int boards = 1;               // the position and so many less one before it
    bool halfmove_clock = false;  // how near the fifty-move rule is
    bool repetitions = false;     // whether a board was there before

    // Whether the position alone, without its past and its clock, decides what the network says: only then
    // may a search take one answer for all ways that lead there.
    constexpr bool position_alone() const { return boards == 1 && !halfmove_clock && !repetitions; }
    constexpr bool operator==(const Reads&) const = default;
};

// What two networks read together.
constexpr Reads united(const Reads& a, const Reads& b) {
    return {a.boards > b.boards ? a.boards : b.boards, a.halfmove_clock || b.halfmove_clock,
            a.repetitions || b.repetitions};
}

}  // namespace scholar::nets
