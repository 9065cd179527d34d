#include <array>
#include <fmt/format.h>
#include <span>

#include "chess/fen.hpp"
#include "nets/dense/giraffe_features.hpp"

namespace scholar::nets {

std::vector<std::string> giraffe_feature_names(GiraffeParts parts) {
    constexpr std::array<const char*, 2> sides{"white", "black"};
    constexpr std::array<const char*, 8> directions{"north",      "east",       "south",      "west",
                                                    "north-east", "south-east", "south-west", "north-west"};
    constexpr std::array<const char*, 8> jumps{"north-north-east", "east-north-east",  "east-south-east",
                                               "south-south-east", "south-south-west", "west-south-west",
                                               "west-north-west",  "north-north-west"};
    std::vector<std::string> names{"side to move"};
    const auto add_castling = [&names](const std::string& of) {
        for (const char* castle : {" long castle", " short castle"}) names.push_back(of + castle);
    };
    if (parts.all_but_lists) {
        for (const std::string side : sides) add_castling(side);
        for (const std::string side : sides)
            for (const char* kind : {" queens", " rooks", " bishops", " knights", " pawns"})
                names.push_back(side + kind);
    }
    for (const std::string side : sides) {
        for (const char* what : {" king file", " king rank"}) names.push_back(side + what);
        if (parts.steps)
            for (const std::string direction : directions)
                names.push_back(fmt::format("{} king {}", side, direction));
    }
    const auto add_slots = [&](const std::string& kind, int slots, std::span<const char* const> far,
                               std::span<const char* const> steps) {
        for (int slot = 1; slot <= slots; ++slot) {
            const auto add = [&](const std::string& what) {
                names.push_back(fmt::format("{} {} {}", kind, slot, what));
            };
            for (const char* what : {"exists", "file", "rank", "attacker", "defender"}) add(what);
            const bool is_pawn = slots == 8;
            if (parts.all_but_lists && !is_pawn) {
                for (const char* direction : far) add(direction);
                add("safe squares");
            }
            if (parts.steps)
                for (const char* step : steps) add(step);
        }
    };
    const std::span all(directions);
    for (const std::string side : sides) {
        add_slots(side + " queen", 1, all, {});
        add_slots(side + " rook", 2, all.first(4), {});
        if (parts.all_but_lists) add_castling(side + " rooks'");
        add_slots(side + " bishop", 2, all.last(4), {});
        add_slots(side + " knight", 2, {}, jumps);
        add_slots(side + " pawn", 8, {}, std::array{"takes west", "takes east", "advance"});
    }
    if (parts.maps)
        for (const std::string side : sides)
            for (int square = 0; square < 64; ++square)
                names.push_back(chess::to_string(static_cast<chess::Square>(square)) + " " + side +
                                " attacker");
    return names;
}

}  // namespace scholar::nets
