#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>

#include "base/error.hpp"
#include "games/store.hpp"

namespace scholar::games {

// Which game of which store, in eight bytes. Orders by store, then by number.
class GamePlace {
  public:
    GamePlace() = default;
    // `number`: of the game in its store, from 1.
    GamePlace(std::size_t store, std::uint64_t number) : packed_(std::uint64_t{store} << 40 | number) {}
    std::size_t store() const { return packed_ >> 40; }
    std::uint64_t number() const { return packed_ & ((std::uint64_t{1} << 40) - 1); }
    auto operator<=>(const GamePlace&) const = default;

  private:
    std::uint64_t packed_ = ~std::uint64_t{0};
};

// "FILE: game N".
std::string to_string(std::span<const StoreReader> stores, GamePlace place);

// A block that a scan has come to.
struct BlockVisit {
    std::size_t worker;        // which thread, from 0
    std::size_t store;         // index among the stores
    std::size_t block;         // index among the store's blocks
    std::uint64_t first_game;  // number of its first game in the store, from 1
    GamePlace place(std::size_t game) const { return {store, first_game + game}; }
};

// What every reader gets, and no more.
Columns no_columns();
Columns both(const Columns& one, const Columns& other);

struct ScanOptions {
    Columns columns = Columns::all();
    unsigned threads = 1;
    std::stop_token stop{};
    // Told now and then how many games have been passed, by one thread at a time.
    std::function<void(std::uint64_t)> progress{};
};

// `wanted`, or as many threads as the machine has if that is 0.
unsigned threads_of(unsigned wanted);

// Reads every block of the stores and hands it to `use`, or the error of reading it. `use` is called from
// several threads at once, in any order of blocks, but never twice at once for one worker. The first error
// that it returns ends the scan and is returned.
base::Status scan_blocks(std::span<const StoreReader> stores, const ScanOptions& options,
                         const std::function<base::Status(const BlockVisit&, base::Result<Block>)>& use);

// What the games of the stores are known by: of one store its own data hash, of several a hash of theirs in
// this order.
std::uint64_t data_hash(std::span<const StoreReader> stores);

// One game, unpacked.
base::Result<Game> read_game(std::span<const StoreReader> stores, GamePlace place);

}  // namespace scholar::games
