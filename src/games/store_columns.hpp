#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "games/game.hpp"

// The sections of a game store's block by name, and the columns of numbers by ply: clocks, times, nodes.
//
// Each such column is two sections, a mask and its values:
//
//   mask    a bit a game (from a new byte after the last game): has it the column; then, of each game that
//           has, a bit a half-move, from a new byte: is there a number
//   values  of each game that has the column: a byte that says how its numbers are written (bit 0: as
//           differences from the same player's number before, zigzag-coded, modulo 2^64; bits 1 and 2: in
//           units of 1, 10, 100 or 1000), then those numbers, as varints of up to 64 bits

namespace scholar::games {

enum class SectionId : std::uint8_t {
    Game,
    Hash,
    Start,
    Tags,
    Moves,
    EvalMask,
    EvalScores,
    EvalDepths,
    ClockMask,
    Clocks,
    TimeMask,
    Times,
    NodeMask,
    Nodes,
};
constexpr std::array<std::string_view, 14> kSectionNames{"GAME", "HASH", "STRT", "TAGS", "MOVE",
                                                         "EVLM", "EVLS", "EVLD", "CLKM", "CLKV",
                                                         "TIMM", "TIMV", "NODM", "NODV"};

constexpr std::string_view name_of(SectionId id) {
    return kSectionNames[static_cast<std::size_t>(id)];
}

// Which columns a reader wants besides results, endings, lengths and hashes, which it always gets. Numbers by
// ply are read only when asked for by name.
struct Columns {
    bool tags = true;
    bool moves = true;  // with start positions
    bool evaluations = true;
    bool clocks = false;
    bool times = false;
    bool nodes = false;
    static constexpr Columns all() { return {.clocks = true, .times = true, .nodes = true}; }
};

// Which sections hold which numbers of a game: another such column is another row.
struct PlyColumn {
    SectionId mask;
    SectionId values;
    PlyNumbers Game::* numbers;
    bool Columns::* wanted;
};
constexpr std::array<PlyColumn, 3> kPlyColumns{{
    {SectionId::ClockMask, SectionId::Clocks, &Game::clocks, &Columns::clocks},
    {SectionId::TimeMask, SectionId::Times, &Game::times, &Columns::times},
    {SectionId::NodeMask, SectionId::Nodes, &Game::nodes, &Columns::nodes},
}};

// Writes one such column, game by game.
class PlyNumbersPacker {
  public:
    // Empty if the game has none.
    void add(const PlyNumbers& numbers);
    bool has_any() const { return !values_.empty(); }
    std::size_t size() const { return values_.size(); }
    std::string mask() const;
    const std::string& values() const { return values_; }

  private:
    std::vector<bool> games_;
    std::string bits_;
    std::string values_;
};

// One such column read.
class PlyNumbersView {
  public:
    // `plies`: of each game. Refuses sections that do not agree with it or with each other.
    base::Status decode(const PlyColumn& column, std::string_view mask, std::string_view values,
                        std::span<const std::uint32_t> plies);
    // Empty if the game has none.
    std::span<const std::optional<std::uint64_t>> of(std::size_t game) const;

  private:
    struct Range {
        std::uint32_t first = 0;
        std::uint32_t size = 0;
    };
    PlyNumbers numbers_;
    std::vector<Range> games_;  // empty if no game has any
};

}  // namespace scholar::games
