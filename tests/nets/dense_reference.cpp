#include "nets/dense_reference.hpp"

#include <array>
#include <cstdlib>
#include <optional>
#include <set>

namespace scholar::nets {

using namespace chess;

namespace {

constexpr std::array<std::pair<int, int>, 8> kWays{
    {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}}};
constexpr std::array<std::pair<int, int>, 8> kLeaps{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};
constexpr std::array kWayNames{"north",      "east",       "south",      "west",
                               "north-east", "south-east", "south-west", "north-west"};
constexpr std::array kLeapNames{"north-north-east", "east-north-east", "east-south-east", "south-south-east",
                                "south-south-west", "west-south-west", "west-north-west", "north-north-west"};

std::string side_name(Color color) {
    return color == White ? "white" : "black";
}

class PlainGiraffe {
  public:
    PlainGiraffe(const Position& position, bool all_but_lists, bool maps, bool steps)
        : position_(position), all_but_lists_(all_but_lists), maps_(maps), steps_(steps) {
        for (int square = 0; square < 64; ++square)
            if (position.piece_on(static_cast<Square>(square)) != NoPiece)
                attacked_[static_cast<std::size_t>(square)] = attacked_from(static_cast<Square>(square));
    }

    Listed list() {
        add("side to move", position_.side_to_move() == White);
        if (all_but_lists_) {
            for (const Color color : kColors) add_castling(color, side_name(color));
            for (const Color color : kColors) {
                const std::string side = side_name(color);
                add(side + " queens", count(color, Queen));
                add(side + " rooks", count(color, Rook) / 2.0);
                add(side + " bishops", count(color, Bishop) / 2.0);
                add(side + " knights", count(color, Knight) / 2.0);
                add(side + " pawns", count(color, Pawn) / 8.0);
            }
        }
        for (const Color color : kColors) {
            const Square king = all_of(color, King).front();
            const std::string name = side_name(color) + " king ";
            add(name + "file", file_of(king) / 7.0);
            add(name + "rank", rank_of(king) / 7.0);
            if (steps_)
                for (std::size_t way = 0; way < 8; ++way)
                    add(name + kWayNames[way], step(king, kWays[way]).has_value());
        }
        for (const Color color : kColors) {
            const std::string side = side_name(color);
            add_slots(color, Queen, side + " queen", officers(color, Queen, 1));
            add_slots(color, Rook, side + " rook", officers(color, Rook, 2));
            if (all_but_lists_) add_castling(color, side + " rooks'");
            add_slots(color, Bishop, side + " bishop", officers(color, Bishop, 2));
            add_slots(color, Knight, side + " knight", officers(color, Knight, 2));
            add_slots(color, Pawn, side + " pawn", pawns(color));
        }
        if (maps_)
            for (const Color color : kColors)
                for (int square = 0; square < 64; ++square)
                    add(name_of(static_cast<Square>(square)) + " " + side_name(color) + " attacker",
                        control(static_cast<Square>(square), color));
        return std::move(listed_);
    }

  private:
    using Slots = std::vector<std::optional<Square>>;

    static std::string name_of(Square square) {
        return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
    }
    void add(const std::string& name, double value) { listed_.emplace_back(name, value); }

    void add_castling(Color color, const std::string& name) {
        add(name + " long castle", position_.may_castle(color, QueenSide));
        add(name + " short castle", position_.may_castle(color, KingSide));
    }

    bool is(Square square, Color color, PieceKind kind) const {
        return position_.piece_on(square) == make_piece(color, kind);
    }
    // By files, on each file by ranks.
    std::vector<Square> all_of(Color color, PieceKind kind) const {
        std::vector<Square> found;
        for (int file = 0; file < 8; ++file)
            for (int rank = 0; rank < 8; ++rank)
                if (is(make_square(file, rank), color, kind)) found.push_back(make_square(file, rank));
        return found;
    }
    int count(Color color, PieceKind kind) const { return static_cast<int>(all_of(color, kind).size()); }

    static std::optional<Square> step(Square from, std::pair<int, int> by) {
        const int file = file_of(from) + by.first;
        const int rank = rank_of(from) + by.second;
        if (file < 0 || file > 7 || rank < 0 || rank > 7) return {};
        return make_square(file, rank);
    }
    // Squares passed in this direction up to and with the first that is not empty.
    std::vector<Square> slide(Square from, std::pair<int, int> by) const {
        std::vector<Square> passed;
        for (auto at = step(from, by); at; at = step(*at, by)) {
            passed.push_back(*at);
            if (position_.piece_on(*at) != NoPiece) break;
        }
        return passed;
    }
    std::set<Square> attacked_from(Square from) const {
        const Piece piece = position_.piece_on(from);
        std::set<Square> attacked;
        const auto add_step = [&](std::pair<int, int> by) {
            if (const auto to = step(from, by)) attacked.insert(*to);
        };
        for (std::size_t way = 0; way < 8; ++way) {
            const bool straight = way < 4;
            const PieceKind kind = kind_of(piece);
            if (kind == Queen || (kind == Rook && straight) || (kind == Bishop && !straight))
                for (const Square to : slide(from, kWays[way])) attacked.insert(to);
            if (kind == King) add_step(kWays[way]);
            if (kind == Knight) add_step(kLeaps[way]);
        }
        if (kind_of(piece) == Pawn)
            for (const int file : {-1, 1}) add_step({file, color_of(piece) == White ? 1 : -1});
        return attacked;
    }
    // Kinds of the pieces of a colour that attack a square, as often as there are such pieces.
    std::multiset<PieceKind> attackers(Square square, Color color) const {
        std::multiset<PieceKind> found;
        for (int from = 0; from < 64; ++from) {
            const Piece piece = position_.piece_on(static_cast<Square>(from));
            if (piece == NoPiece || color_of(piece) != color) continue;
            if (attacked_[static_cast<std::size_t>(from)].contains(square)) found.insert(kind_of(piece));
        }
        return found;
    }
    double control(Square square, Color color) const {
        const auto found = attackers(square, color);
        return found.empty() ? 0 : (6 - *found.begin()) / 6.0;
    }
    bool is_safe(Square square, Color color, PieceKind kind) const {
        constexpr std::array order{1, 2, 2, 3, 4, 5};
        const auto enemies = attackers(square, ~color);
        if (enemies.empty()) return true;
        for (const PieceKind enemy : enemies)
            if (order[enemy] < order[kind]) return false;
        return attackers(square, color).size() > 1;
    }

    Slots officers(Color color, PieceKind kind, std::size_t slots) const {
        const auto found = all_of(color, kind);
        Slots result(slots);
        if (found.empty()) return result;
        if (slots == 1) return {found.front()};
        if (found.size() == 1) {
            result[file_of(found.front()) <= 3 ? 0 : 1] = found.front();
            return result;
        }
        return {found.front(), found.back()};
    }
    Slots pawns(Color color) const {
        Slots slots(8);
        std::vector<Square> left;
        // By ranks, on each rank by files.
        for (int square = 0; square < 64; ++square) {
            if (!is(static_cast<Square>(square), color, Pawn)) continue;
            auto& slot = slots[static_cast<std::size_t>(square % 8)];
            if (slot)
                left.push_back(static_cast<Square>(square));
            else
                slot = static_cast<Square>(square);
        }
        for (const Square square : left) {
            std::size_t nearest = 8;
            for (std::size_t slot = 0; slot < 8; ++slot) {
                const auto distance = [square](std::size_t of) {
                    return std::abs(static_cast<int>(of) - file_of(square));
                };
                if (!slots[slot] && (nearest == 8 || distance(slot) < distance(nearest))) nearest = slot;
            }
            slots[nearest] = square;
        }
        return slots;
    }

    void add_slots(Color color, PieceKind kind, const std::string& name, const Slots& slots) {
        for (std::size_t slot = 0; slot < slots.size(); ++slot)
            add_slot(color, kind, name + " " + std::to_string(slot + 1) + " ", slots[slot]);
    }
    void add_slot(Color color, PieceKind kind, const std::string& name, std::optional<Square> square) {
        const auto put = [&](const std::string& what, auto value_at) {
            add(name + what, square ? static_cast<double>(value_at(*square)) : 0);
        };
        put("exists", [](Square) { return 1; });
        put("file", [](Square at) { return file_of(at) / 7.0; });
        put("rank", [](Square at) { return rank_of(at) / 7.0; });
        put("attacker", [&](Square at) { return control(at, ~color); });
        put("defender", [&](Square at) { return control(at, color); });
        if (all_but_lists_ && kind != Pawn) {
            for (std::size_t way = 0; way < 8; ++way)
                if (kind == Queen || (kind == Rook && way < 4) || (kind == Bishop && way >= 4))
                    put(kWayNames[way],
                        [&](Square at) { return static_cast<double>(slide(at, kWays[way]).size()) / 7.0; });
            put("safe squares", [&](Square at) {
                int safe = 0;
                for (const Square to : attacked_[at]) safe += is_safe(to, color, kind) ? 1 : 0;
                return safe / 16.0;
            });
        }
        if (!steps_) return;
        if (kind == Knight)
            for (std::size_t way = 0; way < 8; ++way)
                put(kLeapNames[way], [&](Square at) { return step(at, kLeaps[way]).has_value(); });
        if (kind != Pawn) return;
        put("takes west", [](Square at) { return file_of(at) != 0; });
        put("takes east", [](Square at) { return file_of(at) != 7; });
        put("advance", [&](Square at) {
            int free = 0;
            const int most = relative_rank(color, at) == 1 ? 2 : 1;
            while (free < most && position_.piece_on(at + forward(color) * (free + 1)) == NoPiece) ++free;
            return free / 2.0;
        });
    }

    const Position& position_;
    std::array<std::set<Square>, 64> attacked_;
    bool all_but_lists_;
    bool maps_;
    bool steps_;
    Listed listed_;
};

Listed plain_bits(const Position& position) {
    Listed listed;
    constexpr std::array kinds{"pawn", "knight", "bishop", "rook", "queen", "king"};
    for (const Color color : kColors)
        for (const PieceKind kind : kPieceKinds)
            for (int square = 0; square < 64; ++square)
                listed.emplace_back(
                    side_name(color) + " " + kinds[kind] + " " + static_cast<char>('a' + square % 8) +
                        static_cast<char>('1' + square / 8),
                    position.piece_on(static_cast<Square>(square)) == make_piece(color, kind));
    listed.emplace_back("side to move", position.side_to_move() == White);
    for (const Color color : kColors) {
        listed.emplace_back(side_name(color) + " long castle", position.may_castle(color, QueenSide));
        listed.emplace_back(side_name(color) + " short castle", position.may_castle(color, KingSide));
    }
    return listed;
}

}  // namespace

Listed plainly(const DenseFeatureSet& set, const Position& position) {
    if (set.name == "bits-773") return plain_bits(position);
    return PlainGiraffe(position, set.name != "giraffe-pieces",
                        set.name != "giraffe-pieces" && set.name != "giraffe-no-maps",
                        set.name == "giraffe-363-mobility")
        .list();
}

}  // namespace scholar::nets
