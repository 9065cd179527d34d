#include "games/copies.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace scholar::games {

namespace {

// A game with a hash of it, or of what it ends with.
struct Entry {
    std::uint64_t hash;
    GamePlace place;
    Split split;
    GameResult result = GameResult::Unknown;
    auto operator<=>(const Entry&) const = default;
};

// Which part of all hashes is looked at in one pass.
struct Part {
    int bits;
    std::uint64_t number;
    bool has(std::uint64_t hash) const { return bits == 0 || hash >> (64 - bits) == number; }
};

// A hash of the start position, then of that and one move, and so on.
std::uint64_t start_hash(const Block& block, std::size_t game) {
    if (block.info(game).standard_start) return 0;
    const auto start = block.start(game);
    return start ? start->key() : 0;
}
std::uint64_t next_hash(std::uint64_t hash, std::uint8_t move_index) {
    std::uint64_t state = hash + move_index;
    return base::split_mix(state);
}

// Whether a hash may be among many: one look at memory says no to most.
class Doorkeeper {
  public:
    void let_in(std::uint64_t hash) { bits_[(hash & kMask) / 64] |= std::uint64_t{1} << (hash % 64); }
    bool may_have(std::uint64_t hash) const { return bits_[(hash & kMask) / 64] >> (hash % 64) & 1; }

  private:
    static constexpr std::uint64_t kMask = (std::uint64_t{1} << 26) - 1;
    std::vector<std::uint64_t> bits_ = std::vector<std::uint64_t>((kMask + 1) / 64);
};

class Search {
  public:
    Search(std::span<const StoreReader> stores, const CopyOptions& options)
        : stores_(stores), options_(options) {}

    base::Result<Copies> run() {
        std::uint64_t games = 0;
        for (const StoreReader& store : stores_) games += store.games();
        const std::uint64_t parts = games / std::max<std::uint64_t>(1, options_.games_per_pass) + 1;
        const int bits = std::bit_width(parts - 1);
        for (std::uint64_t number = 0; number < std::uint64_t{1} << bits; ++number) {
            part_ = {bits, number};
            if (auto status = collect(); !status) return std::unexpected(status.error());
            if (auto status = find_same(); !status) return std::unexpected(status.error());
            if (auto status = find_cut(); !status) return std::unexpected(status.error());
        }
        return copies_;
    }

  private:
    Split split_of_game(std::size_t store, std::uint64_t game_hash) const {
        const auto role = store < options_.roles.size() ? options_.roles[store] : std::nullopt;
        return role ? *role : split_of(game_hash, options_.shares);
    }

    template <class Use>
    base::Status scan(Use use) const {
        Columns columns = no_columns();
        columns.moves = true;
        return scan_blocks(
            stores_,
            {.columns = columns, .threads = options_.threads, .stop = options_.stop, .progress = nullptr},
            [&](const BlockVisit& visit, base::Result<Block> block) -> base::Status {
                if (block) use(visit, *block);
                return {};
            });
    }

    base::Status collect() {
        std::vector<std::vector<Entry>> games(options_.threads);
        std::vector<std::vector<Entry>> ends(options_.threads);
        const auto status = scan([&](const BlockVisit& visit, const Block& block) {
            for (std::size_t game = 0; game < block.games(); ++game) {
                const Block::GameInfo& info = block.info(game);
                const Split split = split_of_game(visit.store, info.hash);
                if (part_.has(info.hash))
                    games[visit.worker].push_back({info.hash, visit.place(game), split, info.result});
                if (info.plies < options_.min_cut_plies) continue;
                std::uint64_t hash = start_hash(block, game);
                for (const std::uint8_t index : block.move_indices(game)) hash = next_hash(hash, index);
                if (part_.has(hash))
                    ends[visit.worker].push_back({hash, visit.place(game), split, info.result});
            }
        });
        if (!status) return status;
        games_ = gathered(games);
        ends_ = gathered(ends);
        return {};
    }

    static std::vector<Entry> gathered(std::vector<std::vector<Entry>>& parts) {
        std::vector<Entry> all = std::move(parts.front());
        for (std::size_t i = 1; i < parts.size(); ++i)
            all.insert(all.end(), parts[i].begin(), parts[i].end());
        std::ranges::sort(all);
        return all;
    }

    // The first game of each kind among copies that come one after another.
    template <std::size_t kKinds>
    class Firsts {
      public:
        void add(std::size_t kind, GamePlace place) {
            if (first_[kind] == GamePlace()) first_[kind] = place;
        }
        // Of another kind than this one, leaving out those from `kinds` on; GamePlace() if there is none.
        GamePlace other_than(std::size_t kind, std::size_t kinds = kKinds) const {
            GamePlace found;
            for (std::size_t other = 0; other < kinds; ++other)
                if (other != kind) found = std::min(found, first_[other]);
            return found;
        }

      private:
        std::array<GamePlace, kKinds> first_{};
    };

    // One look at each game, however many copies it has.
    base::Status find_same() {
        constexpr std::size_t kSplits = 3;
        constexpr auto kUnknown = static_cast<std::size_t>(GameResult::Unknown);
        Firsts<kSplits> splits;
        Firsts<kUnknown + 1> results;
        GamePlace first;
        for (std::size_t i = 0; i < games_.size(); ++i) {
            if (options_.stop.stop_requested()) return base::fail("stopped while comparing games");
            ++copies_.comparisons;
            const Entry& game = games_[i];
            const auto split = static_cast<std::size_t>(game.split);
            const auto result = static_cast<std::size_t>(game.result);
            if (i == 0 || games_[i - 1].hash != game.hash) {
                first = game.place;
                splits = {};
                results = {};
            } else {
                const GamePlace before = games_[i - 1].place;
                const bool same_store = before.store() == game.place.store();
                (same_store ? copies_.within : copies_.across).add(game.place, same_store ? before : first);
                // Without roles the hash decides, and copies are of one split.
                if (const GamePlace elsewhere = splits.other_than(split); elsewhere != GamePlace())
                    copies_.two_splits.add(game.place, elsewhere);
                if (const GamePlace other = results.other_than(result, kUnknown);
                    result != kUnknown && other != GamePlace())
                    copies_.other_result.add(game.place, other);
            }
            splits.add(split, game.place);
            results.add(result, game.place);
        }
        return {};
    }

    // The moves of a cut game end where a longer one goes on.
    base::Status find_cut() {
        if (ends_.empty()) return {};
        Doorkeeper doorkeeper;
        for (const Entry& end : ends_) doorkeeper.let_in(end.hash);

        std::vector<LongerGames> found(options_.threads);
        const auto status = scan([&](const BlockVisit& visit, const Block& block) {
            for (std::size_t game = 0; game < block.games(); ++game) {
                const auto indices = block.move_indices(game);
                std::uint64_t hash = start_hash(block, game);
                for (std::size_t ply = 0; ply + 1 < indices.size(); ++ply) {
                    hash = next_hash(hash, indices[ply]);
                    if (!doorkeeper.may_have(hash) || ply + 1 < options_.min_cut_plies) continue;
                    const auto end = std::ranges::lower_bound(ends_, hash, {}, &Entry::hash);
                    if (end == ends_.end() || end->hash != hash) continue;
                    const Split split = split_of_game(visit.store, block.info(game).hash);
                    GamePlace& longer = found[visit.worker][static_cast<std::size_t>(end - ends_.begin())]
                                             [static_cast<std::size_t>(split)];
                    longer = std::min(longer, visit.place(game));
                }
            }
        });
        if (!status) return status;
        for (std::size_t i = 1; i < found.size(); ++i) {
            for (const auto& [end, longer] : found[i]) {
                auto& mine = found[0][end];
                for (std::size_t split = 0; split < mine.size(); ++split)
                    mine[split] = std::min(mine[split], longer[split]);
            }
        }
        for (const auto& [first, longer] : found[0]) {
            // Every game that ends there is cut, copies of one another included.
            for (std::size_t i = first; i < ends_.size() && ends_[i].hash == ends_[first].hash; ++i) {
                if (options_.stop.stop_requested()) return base::fail("stopped while comparing games");
                ++copies_.comparisons;
                copies_.cut.add(ends_[i].place, std::ranges::min(longer));
                GamePlace elsewhere;
                for (std::size_t split = 0; split < longer.size(); ++split)
                    if (split != static_cast<std::size_t>(ends_[i].split))
                        elsewhere = std::min(elsewhere, longer[split]);
                if (elsewhere != GamePlace()) copies_.cut_two_splits.add(ends_[i].place, elsewhere);
            }
        }
        return {};
    }

    // By index of an end: the first game of each split that goes on from it; GamePlace() if there is none.
    using LongerGames = std::unordered_map<std::size_t, std::array<GamePlace, 3>>;

    std::span<const StoreReader> stores_;
    const CopyOptions& options_;
    Part part_{};
    std::vector<Entry> games_;  // of this part, sorted
    std::vector<Entry> ends_;   // the same by what hashes come to at their last moves
    Copies copies_;
};

}  // namespace

base::Result<Copies> find_copies(std::span<const StoreReader> stores, const CopyOptions& options) {
    return Search(stores, options).run();
}

}  // namespace scholar::games
