#include "properties/playout.hpp"

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"

namespace scholar::tests {

using namespace chess;

namespace {

// Castling with rooks inside and outside, en passant with pins of every kind, promotions at once, checks and
// double checks, kings that meet, pieces without number.
const std::vector<std::string> kOddPositions{
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "1r1rkr1r/8/8/8/8/8/8/1R1RKR1R w DFbf - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "rk5r/p6p/8/8/8/8/P6P/R5KR w AHah - 0 1",
    "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1",
    "r2q1r1k/8/8/8/8/8/8/1q1RK1R1 w D - 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",
    "8/8/1k6/2pP4/8/8/5B2/4K3 w - c6 0 1",
    "4k3/8/8/1bpPp3/8/8/4K3/8 w - e6 0 1",
    "3rk3/8/8/3pP3/3K4/8/8/8 w - d6 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "4k3/8/5N2/8/8/8/8/4RK2 b - - 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/8/3k4/8/3K4/8/8 w - - 99 150",
};

Move chosen(const MoveList& moves, std::uint16_t choice) {
    return moves[choice % moves.size()];
}

}  // namespace

Line Playout::line() const {
    Line line(parse_fen(start).value());
    for (const std::uint16_t choice : choices) {
        const MoveList moves = legal_moves(line.current());
        if (moves.empty()) break;
        line.push(chosen(moves, choice));
    }
    return line;
}

std::ostream& operator<<(std::ostream& out, const Playout& playout) {
    Position position = parse_fen(playout.start).value();
    out << "from " << playout.start << " moves";
    for (const std::uint16_t choice : playout.choices) {
        const MoveList moves = legal_moves(position);
        if (moves.empty()) break;
        const Move move = chosen(moves, choice);
        out << ' ' << to_uci(move, CastlingNotation::Chess960);
        position.make(move);
    }
    return out << " to " << to_fen(position);
}

std::string chess960_fen(int white, int black) {
    const auto rank = [](int number) {
        std::string files(8, ' ');
        files[static_cast<std::size_t>(number % 4 * 2 + 1)] = 'B';
        files[static_cast<std::size_t>(number / 4 % 4 * 2)] = 'B';
        const auto put = [&files](int place, char piece) {
            for (char& file : files)
                if (file == ' ' && place-- == 0) {
                    file = piece;
                    return;
                }
        };
        put(number / 16 % 6, 'Q');
        constexpr std::array<std::array<int, 2>, 10> knights{
            {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}};
        const auto [first, second] = knights[static_cast<std::size_t>(number / 96)];
        put(second, 'N');
        put(first, 'N');
        for (const char piece : {'R', 'K', 'R'}) put(0, piece);
        return files;
    };
    std::string lower = rank(black);
    for (char& c : lower) c = static_cast<char>(c - 'A' + 'a');
    return lower + "/pppppppp/8/8/8/8/PPPPPPPP/" + rank(white) + " w KQkq - 0 1";
}

}  // namespace scholar::tests

namespace rc {

using scholar::tests::Playout;

Gen<Playout> Arbitrary<Playout>::arbitrary() {
    const auto chess960 = gen::map(
        gen::pair(gen::inRange(0, 960), gen::inRange(0, 960)),
        [](std::pair<int, int> sides) { return scholar::tests::chess960_fen(sides.first, sides.second); });
    const auto start =
        gen::oneOf(gen::just(scholar::tests::chess960_fen(518, 518)), gen::resize(kNominalSize, chess960),
                   gen::elementOf(scholar::tests::kOddPositions));
    // Up to two hundred half-moves: endings too.
    const auto choice = gen::resize(kNominalSize, gen::inRange<std::uint16_t>(0, 1000));
    const auto choices = gen::scale(2, gen::container<std::vector<std::uint16_t>>(choice));
    return gen::build<Playout>(gen::set(&Playout::start, start), gen::set(&Playout::choices, choices));
}

}  // namespace rc
