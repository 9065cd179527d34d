#include "nets/conv/policy_moves.hpp"

#include <array>
#include <cassert>
#include <cstdlib>
#include <string_view>

#include "chess/fen.hpp"

namespace scholar::nets {

namespace {

struct PolicyMove {
    int from;
    int to;
    int promotion;  // 0: none, or to a knight; 1 queen, 2 rook, 3 bishop
};

constexpr int kPromotions = 3;

// In a table [promotion][from][to].
constexpr std::size_t place_of(const PolicyMove& move) {
    const int place = (move.promotion * 64 + move.from) * 64 + move.to;
    return static_cast<std::size_t>(place);
}

constexpr int signum(int number) {
    return (number > 0) - (number < 0);
}

// The plane of a move that goes so far in files and ranks.
constexpr int plane_of(int files, int ranks, int promotion) {
    constexpr int straight_planes = 56;
    if (promotion != 0)
        return straight_planes + 8 + kPromotions * (files + 1) + (promotion == 1 ? 2 : promotion - 2);
    // Clockwise from where White plays to, and from the knight's move right of it.
    constexpr int directions[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    constexpr int knights[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    for (int i = 0; i < 8; ++i)
        if (knights[i][0] == files && knights[i][1] == ranks) return straight_planes + i;
    const int distance = files != 0 ? files * signum(files) : ranks * signum(ranks);
    int direction = 0;
    while (directions[direction][0] != signum(files) || directions[direction][1] != signum(ranks))
        ++direction;
    return direction * 7 + distance - 1;
}

struct PolicyTable {
    std::array<std::uint16_t, std::size_t{64} * 64 * (kPromotions + 1)> index{};  // [promotion][from][to]
    std::array<std::uint16_t, kPolicyMoves> plane_index{};
    std::array<PolicyMove, kPolicyMoves> moves{};
};

constexpr PolicyTable make_policy_table() {
    PolicyTable table{};
    int count = 0;
    const auto add = [&](const PolicyMove& move) {
        table.index[place_of(move)] = static_cast<std::uint16_t>(count);
        table.plane_index[static_cast<std::size_t>(count)] = static_cast<std::uint16_t>(
            plane_of(move.to % 8 - move.from % 8, move.to / 8 - move.from / 8, move.promotion) * 64 +
            move.from);
        table.moves[static_cast<std::size_t>(count)] = move;
        ++count;
    };
    for (int from = 0; from < 64; ++from)
        for (int to = 0; to < 64; ++to) {
            const int files = to % 8 - from % 8;
            const int ranks = to / 8 - from / 8;
            const bool is_queens = from != to && (files * ranks == 0 || files * files == ranks * ranks);
            const bool is_knights = files * files + ranks * ranks == 5;
            if (is_queens || is_knights) add({from, to, 0});
        }
    for (int from = 48; from < 56; ++from)
        for (int to = from + 7; to <= from + 9; ++to)
            if (to / 8 == 7)
                for (int promotion = 1; promotion <= kPromotions; ++promotion) add({from, to, promotion});
    return table;
}

constexpr PolicyTable kPolicyTable = make_policy_table();

}  // namespace

int policy_index(chess::Move move, chess::Color side) {
    int promotion = 0;
    if (move.is_promotion() && move.promotion_kind() != chess::Knight)
        promotion = chess::Queen - move.promotion_kind() + 1;
    return kPolicyTable
        .index[place_of({relative_square(side, move.from()), relative_square(side, move.to()), promotion})];
}

std::vector<std::string> policy_move_names() {
    constexpr std::array<std::string_view, kPromotions + 1> letters{"", "q", "r", "b"};
    std::vector<std::string> names;
    names.reserve(kPolicyTable.moves.size());
    for (const PolicyMove& move : kPolicyTable.moves)
        names.push_back(to_string(static_cast<chess::Square>(move.from))
                            .append(to_string(static_cast<chess::Square>(move.to)))
                            .append(letters[static_cast<std::size_t>(move.promotion)]));
    return names;
}

std::span<const std::uint16_t, kPolicyMoves> policy_plane_indices() {
    return kPolicyTable.plane_index;
}

}  // namespace scholar::nets
