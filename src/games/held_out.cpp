#include "games/held_out.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "chess/move_index.hpp"
#include "chess/movegen.hpp"
#include "games/bytes.hpp"
#include "games/rating.hpp"
#include "games/selection.hpp"

namespace scholar::games {

namespace {

std::uint64_t mixed_state(std::uint64_t state) {
    return base::split_mix(state);
}

// A position that may be taken.
struct Drawn {
    std::uint64_t draw;
    std::uint64_t key;  // of the position
    GamePlace place;
    int ply;
};

// The `most` positions of lowest draw, each once.
class LowestDraws {
  public:
    explicit LowestDraws(std::uint64_t most) : most_(most) {}

    void add(const Drawn& drawn) {
        if (by_draw_.size() >= most_ && drawn.draw >= by_draw_.rbegin()->second.draw) return;
        const auto [known, is_new] = draws_.emplace(drawn.key, drawn.draw);
        if (!is_new) {
            if (known->second <= drawn.draw) return;
            by_draw_.erase({known->second, drawn.key});
            known->second = drawn.draw;
        }
        by_draw_.emplace(std::pair(drawn.draw, drawn.key), drawn);
        if (by_draw_.size() <= most_) return;
        const auto last = std::prev(by_draw_.end());
        draws_.erase(last->second.key);
        by_draw_.erase(last);
    }
    const std::map<std::pair<std::uint64_t, std::uint64_t>, Drawn>& by_draw() const { return by_draw_; }

  private:
    std::uint64_t most_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Drawn> by_draw_;  // by draw and key
    std::unordered_map<std::uint64_t, std::uint64_t> draws_;            // by key
};

std::array<int, 2> ratings_of(const Block& block, std::size_t game) {
    return {rating_of(block.tag(game, "WhiteElo")), rating_of(block.tag(game, "BlackElo"))};
}

class HeldOutDrawing {
  public:
    HeldOutDrawing(std::span<const StoreReader> stores, const HeldOutRule& rule, const std::stop_token& stop,
                   const std::function<void(std::uint64_t)>& progress)
        : stores_(stores), stop_(stop), progress_(progress) {
        set_.rule = rule;
        selection_.split = Split::Test;
        selection_.shares = rule.shares;
        selection_.chess960 = false;
    }

    base::Result<HeldOutSet> run() {
        set_.data_hash = data_hash(stores_);
        for (const StoreReader& store : stores_) all_games_ += store.games();
        if (auto status = choose(); !status) return std::unexpected(status.error());
        if (bands_.empty()) return why_none();
        if (auto status = unpack(); !status) return std::unexpected(status.error());
        return std::move(set_);
    }

  private:
    const HeldOutRule& rule() const { return set_.rule; }

    base::Status choose() {
        return for_each_selected(
            stores_, selection_, {.tags = true, .moves = true, .evaluations = false}, stop_, progress_,
            [this](const Block& block, std::size_t game, GamePlace place) {
                if (auto status = choose_of(block, game, place); !status)
                    return base::Status(base::fail_in(to_string(stores_, place), status.error()));
                return base::Status();
            });
    }

    base::Status choose_of(const Block& block, std::size_t game, GamePlace place) {
        const std::uint64_t hash = block.info(game).hash;
        if (!seen_.insert(hash).second) return {};
        ++set_.test_games;
        auto position = block.start(game);
        if (!position) return std::unexpected(position.error());
        const std::array<int, 2> ratings = ratings_of(block, game);
        const std::uint64_t game_mix = mixed_state(mixed_state(rule().seed) ^ hash);
        std::vector<std::pair<Drawn, int>> drawn;  // each with its band
        const auto indices = block.move_indices(game);
        for (std::size_t ply = 0; ply < indices.size(); ++ply) {
            const auto move = chess::index_to_move(*position, indices[ply]);
            if (!move) return base::fail("half-move {}: no such move in its position", ply + 1);
            const int rating = ratings[position->side_to_move()];
            is_rated_ |= rating > 0;
            if (static_cast<int>(ply) >= rule().min_ply && (rule().band == 0 || rating > 0) &&
                chess::count_legal_moves(*position) > 1)
                drawn.emplace_back(
                    Drawn{.draw = mixed_state(game_mix + ply),
                          .key = rule().distinct ? position->key() : mixed_state(game_mix + ply),
                          .place = place,
                          .ply = static_cast<int>(ply)},
                    rule().band == 0 ? 0 : rating / rule().band);
            position->make(*move);
        }
        set_.candidates += drawn.size();
        const auto most = static_cast<std::size_t>(rule().per_game);
        if (most > 0 && drawn.size() > most) {
            std::ranges::nth_element(drawn, drawn.begin() + static_cast<std::ptrdiff_t>(most), {},
                                     [](const auto& one) { return one.first.draw; });
            drawn.resize(most);
        }
        for (const auto& [one, band] : drawn)
            bands_.try_emplace(band, rule().positions).first->second.add(one);
        return {};
    }

    // The games and positions that were chosen.
    base::Status unpack() {
        std::map<GamePlace, std::vector<int>> plies;
        for (const auto& [band, chosen] : bands_)
            for (const auto& [draw, drawn] : chosen.by_draw()) plies[drawn.place].push_back(drawn.ply);
        const auto use = [&](const Block& block, std::size_t number, GamePlace place) -> base::Status {
            const auto chosen = plies.find(place);
            if (chosen == plies.end()) return {};
            auto game = block.game(number);
            if (!game) return base::fail_in(to_string(stores_, place), game.error());
            const std::size_t index = set_.games.size();
            set_.games.push_back({.hash = block.info(number).hash,
                                  .start = game->start,
                                  .moves = std::move(game->moves),
                                  .ratings = ratings_of(block, number),
                                  .result = block.info(number).result});
            std::ranges::sort(chosen->second);
            put_positions(index, chosen->second);
            return {};
        };
        const auto progress = [this](std::uint64_t passed) {
            if (progress_) progress_(all_games_ + passed);
        };
        if (auto status =
                for_each_selected(stores_, selection_, {.tags = true, .moves = true, .evaluations = false},
                                  stop_, progress, use);
            !status)
            return status;
        std::ranges::sort(set_.positions, {}, [this](const HeldOutPosition& one) {
            return std::pair(set_.games[one.game].hash, one.ply);
        });
        return {};
    }

    void put_positions(std::size_t index, const std::vector<int>& plies) {
        const HeldOutGame& game = set_.games[index];
        chess::Position position = game.start;
        int ply = 0;
        for (const int wanted : plies) {
            for (; ply < wanted; ++ply) position.make(game.moves[static_cast<std::size_t>(ply)]);
            set_.positions.push_back({.game = index,
                                      .ply = ply,
                                      .position = position,
                                      .played = game.moves[static_cast<std::size_t>(ply)],
                                      .rating = game.ratings[position.side_to_move()]});
        }
    }

    std::unexpected<base::Error> why_none() const {
        const std::string where = stores_.size() == 1 ? stores_.front().path() : "the stores";
        if (all_games_ == 0) return base::fail("{}: no games, expected some to measure by", where);
        if (set_.test_games == 0)
            return base::fail(
                "{}: none of {} is a test game (share {} of the games, by their hash), expected more games "
                "or a "
                "greater --test-share",
                where, base::counted(all_games_, "game"), rule().shares.test);
        if (rule().band > 0 && !is_rated_)
            return base::fail(
                "{}: no player of {} has a rating, expected the tags WhiteElo and BlackElo for bands of "
                "ratings",
                where, base::counted(set_.test_games, "test game"));
        return base::fail("{}: {} without a position from half-move {} on that has two legal moves{}", where,
                          base::counted(set_.test_games, "test game"), rule().min_ply,
                          rule().band > 0 ? " and a player to move with a rating" : "");
    }

    std::span<const StoreReader> stores_;
    const std::stop_token& stop_;
    const std::function<void(std::uint64_t)>& progress_;
    Selection selection_;
    std::uint64_t all_games_ = 0;
    std::unordered_set<std::uint64_t> seen_;  // games
    bool is_rated_ = false;
    std::map<int, LowestDraws> bands_;
    HeldOutSet set_;
};

}  // namespace

std::string to_string(const HeldOutRule& rule) {
    std::string text = fmt::format("test games (share {}), from half-move {} on, two legal moves or more, ",
                                   rule.shares.test, rule.min_ply);
    if (rule.per_game > 0) text += fmt::format("at most {} of a game, ", rule.per_game);
    text += fmt::format("{}, at most {}", rule.distinct ? "each position once" : "as often as they stood",
                        base::grouped(static_cast<std::int64_t>(rule.positions)));
    if (rule.band > 0) text += fmt::format(" a band of {} points of rating", rule.band);
    return text + fmt::format(", seed {}", rule.seed);
}

std::uint64_t HeldOutSet::hash() const {
    std::string bytes;
    for (const HeldOutPosition& position : positions) {
        put_fixed(bytes, game_of(position).hash);
        put_fixed(bytes, static_cast<std::uint32_t>(position.ply));
    }
    return base::hash_text(bytes);
}

base::Result<HeldOutSet> draw_held_out(std::span<const StoreReader> stores, const HeldOutRule& rule,
                                       const std::stop_token& stop,
                                       const std::function<void(std::uint64_t)>& progress) {
    return HeldOutDrawing(stores, rule, stop, progress).run();
}

}  // namespace scholar::games
