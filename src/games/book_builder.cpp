#include "games/book_builder.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "chess/polyglot_key.hpp"

namespace scholar::games {

namespace {

// How many moves are gathered before they are sorted in.
constexpr std::size_t kGather = 1 << 20;
constexpr std::uint64_t kMaxWeight = std::numeric_limits<std::uint16_t>::max();

// 0 if the tag is missing or no number.
int rating(const Game& game, chess::Color color) {
    const std::string_view text = game.tag(color == chess::White ? "WhiteElo" : "BlackElo");
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

}  // namespace

std::vector<BookEntry> scale_weights(const std::vector<WeighedMove>& moves) {
    std::vector<BookEntry> entries;
    entries.reserve(moves.size());
    for (auto first = moves.begin(); first != moves.end();) {
        const auto last =
            std::find_if(first, moves.end(), [&](const auto& m) { return m.key != first->key; });
        const std::uint64_t heaviest = std::max_element(first, last, [](const auto& a, const auto& b) {
                                           return a.weight < b.weight;
                                       })->weight;
        const auto begin = static_cast<std::ptrdiff_t>(entries.size());
        for (; first != last; ++first) {
            std::uint64_t weight = first->weight;
            if (heaviest > kMaxWeight && weight > 0)
                weight = std::max<std::uint64_t>(
                    1, static_cast<std::uint64_t>(static_cast<__uint128_t>(weight) * kMaxWeight / heaviest));
            entries.push_back({first->key, first->move, static_cast<std::uint16_t>(weight), 0});
        }
        std::sort(entries.begin() + begin, entries.end(), [](const BookEntry& a, const BookEntry& b) {
            return a.weight != b.weight ? a.weight > b.weight : a.move < b.move;
        });
    }
    return entries;
}

void BookBuilder::add(const Game& game) {
    if (game.chess960) {
        ++counts_.chess960;
        return;
    }
    if (game.result == GameResult::Unknown) {
        ++counts_.without_result;
        return;
    }
    ++counts_.games;
    std::array<bool, 2> counts{};
    std::array<std::uint32_t, 2> score{};
    for (const chess::Color color : chess::kColors) {
        counts[color] = (!options_.side || *options_.side == color) &&
                        (options_.min_rating <= 0 || rating(game, color) >= options_.min_rating);
        score[color] = static_cast<std::uint32_t>(2 * points(game.result, color).value_or(0));
    }
    chess::Position position = game.start;
    int ply = 0;
    for (const chess::Move move : game.moves) {
        if (ply++ == options_.max_ply) break;
        const chess::Color mover = position.side_to_move();
        if (counts[mover]) {
            recent_.push_back({chess::polyglot_key(position), to_book_move(move), 1, score[mover]});
            ++counts_.moves;
        }
        position.make(move);
    }
    if (recent_.size() >= kGather) gather();
}

void BookBuilder::gather() {
    const auto order = [](const Played& a, const Played& b) {
        return a.key != b.key ? a.key < b.key : a.move < b.move;
    };
    std::ranges::sort(recent_, order);
    std::vector<Played> merged;
    merged.reserve(sorted_.size() + recent_.size());
    const auto take = [&](const Played& item) {
        if (!merged.empty() && merged.back().key == item.key && merged.back().move == item.move) {
            merged.back().games += item.games;
            merged.back().points += item.points;
        } else {
            merged.push_back(item);
        }
    };
    auto old = sorted_.begin();
    auto fresh = recent_.begin();
    while (old != sorted_.end() || fresh != recent_.end()) {
        const bool take_old = fresh == recent_.end() || (old != sorted_.end() && !order(*fresh, *old));
        take(take_old ? *old++ : *fresh++);
    }
    recent_.clear();
    for (std::uint32_t rare = 1; merged.size() > options_.max_moves; ++rare)
        counts_.forgotten += std::erase_if(merged, [&](const Played& item) { return item.games <= rare; });
    sorted_ = std::move(merged);
}

std::vector<BookEntry> BookBuilder::finish() {
    gather();
    std::vector<WeighedMove> moves;
    for (const Played& item : sorted_) {
        if (item.games < options_.min_games || item.points == 0) continue;
        if (item.points < 2 * options_.min_score * item.games) continue;
        moves.push_back({item.key, item.move, item.points});
    }
    return scale_weights(moves);
}

}  // namespace scholar::games
