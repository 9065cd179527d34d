#include "games/move_habits.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "chess/move_index.hpp"
#include "chess/movegen.hpp"
#include "games/selection.hpp"

namespace scholar::games {

std::size_t MoveHabits::index(const chess::Position& position, chess::Move move) {
    const chess::Color side = position.side_to_move();
    std::size_t kind = kind_of(position.piece_on(move.from()));
    if (move.is_promotion()) kind = chess::kPieceKinds.size() + (move.promotion_kind() - chess::Knight);
    return (kind * 64 + relative_square(side, move.from())) * 64 + relative_square(side, move.to());
}

void MoveHabits::add(const chess::Position& position, chess::Move move) {
    for (const chess::Move legal : chess::legal_moves(position)) ++counts_[index(position, legal)].legal;
    ++counts_[index(position, move)].played;
    ++moves_;
}

void MoveHabits::judge(const chess::Position& position, const chess::MoveList& moves,
                       std::span<double> out) const {
    double sum = 0;
    for (int i = 0; i < moves.size(); ++i) {
        const Count& count = counts_[index(position, moves[i])];
        sum += out[static_cast<std::size_t>(i)] = (count.played + 1.0) / (count.legal + 30.0);
    }
    for (double& share : out.first(static_cast<std::size_t>(moves.size()))) share /= sum;
}

base::Result<MoveHabits> learn_move_habits(std::span<const StoreReader> stores, const SplitShares& shares,
                                           std::uint64_t most_games, const std::stop_token& stop,
                                           const std::function<void(std::uint64_t)>& progress) {
    std::uint64_t games = 0;
    for (const StoreReader& store : stores) games += store.games();
    const double share =
        static_cast<double>(most_games) / static_cast<double>(std::max<std::uint64_t>(1, games));
    Selection selection;
    selection.split = Split::Train;
    selection.shares = shares;
    selection.chess960 = false;
    MoveHabits habits;
    const auto use = [&](const Block& block, std::size_t game, GamePlace place) -> base::Status {
        // The split goes by the hash, too: by another number made of it.
        std::uint64_t state = ~block.info(game).hash;
        if (static_cast<double>(base::split_mix(state) >> 11) * 0x1.0p-53 >= share) return {};
        auto position = block.start(game);
        if (!position) return base::fail_in(to_string(stores, place), position.error());
        for (const std::uint8_t number : block.move_indices(game)) {
            const auto move = chess::index_to_move(*position, number);
            if (!move) return base::fail("{}: no such move in its position", to_string(stores, place));
            habits.add(*position, *move);
            position->make(*move);
        }
        return {};
    };
    if (auto status = for_each_selected(
            stores, selection, {.tags = false, .moves = true, .evaluations = false}, stop, progress, use);
        !status)
        return std::unexpected(status.error());
    return habits;
}

}  // namespace scholar::games
