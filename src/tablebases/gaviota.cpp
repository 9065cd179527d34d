#include "tablebases/gaviota.hpp"

#include <array>
#include <gtb-probe.h>  // whose tb_init has another name here: see CMakeLists.txt
#include <utility>

#include "chess/bitboard.hpp"

extern "C" decltype(tb_init) gaviota_init;

namespace scholar::tablebases {

namespace {

// Of unpacked blocks. Small beside what a search uses, and many times what one ending is looked up in.
constexpr std::size_t kCacheBytes = std::size_t{16} << 20;
constexpr int kMostPieces = 5;

// As chess::PieceKind counts them.
constexpr std::array<unsigned char, 6> kKinds{tb_PAWN, tb_KNIGHT, tb_BISHOP, tb_ROOK, tb_QUEEN, tb_KING};

// One side's pieces in the library's terms: squares and kinds, each with an end.
struct Side {
    std::array<unsigned, kMostPieces + 1> squares{};
    std::array<unsigned char, kMostPieces + 1> kinds{};

    Side(const chess::Position& position, chess::Color color) {
        std::size_t count = 0;
        for (chess::Bitboard left = position.pieces(color); left != 0;) {
            const chess::Square square = chess::take_lowest(left);
            squares[count] = square;
            kinds[count] = kKinds[chess::kind_of(position.piece_on(square))];
            ++count;
        }
        squares[count] = tb_NOSQUARE;
        kinds[count] = tb_NOPIECE;
    }
};

}  // namespace

GaviotaLibrary::GaviotaLibrary(std::vector<std::string> folders) : folders_(std::move(folders)) {
    for (const std::string& folder : folders_) paths_.push_back(folder.c_str());
    paths_.push_back(nullptr);
    gaviota_init(0, tb_CP4, paths_.data());
    // Distances alone are asked for: no part for win, draw and loss.
    tbcache_init(kCacheBytes, 0);
}

GaviotaLibrary::~GaviotaLibrary() {
    tbcache_done();
    tb_done();
}

std::optional<DistanceToMate> GaviotaLibrary::probe(const chess::Position& position) const {
    if (chess::popcount(position.occupied()) > kMostPieces) return std::nullopt;
    const Side white(position, chess::White);
    const Side black(position, chess::Black);
    const bool white_moves = position.side_to_move() == chess::White;
    const chess::Square square = position.en_passant();
    unsigned en_passant = square;
    if (square == chess::NoSquare) en_passant = tb_NOSQUARE;
    unsigned info = tb_UNKNOWN;
    unsigned plies = 0;
    const bool found = tb_probe_hard(white_moves ? tb_WHITE_TO_MOVE : tb_BLACK_TO_MOVE, en_passant,
                                     tb_NOCASTLE, white.squares.data(), black.squares.data(),
                                     white.kinds.data(), black.kinds.data(), &info, &plies) != 0;
    if (!found) return std::nullopt;
    if (info == tb_DRAW) return DistanceToMate{};
    if (info != tb_WMATE && info != tb_BMATE) return std::nullopt;
    return DistanceToMate{(info == tb_WMATE) == white_moves ? 1 : -1, static_cast<int>(plies)};
}

}  // namespace scholar::tablebases
