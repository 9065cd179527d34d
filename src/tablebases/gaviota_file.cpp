#include "tablebases/gaviota_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

#include "tablebases/table_bytes.hpp"

namespace scholar::tablebases {

namespace {

using chess::Black;
using chess::Color;
using chess::White;

constexpr std::size_t kHeaderSize = 40;
constexpr std::uint32_t kEntriesInBlock = 16'384;
// What the library reads a block into; its first byte says how it is compressed.
constexpr std::uint32_t kMaxBlockSize = 65'536;

// How often each of q, r, b, n, p occurs, in this order: the larger is the stronger side.
using Strength = std::array<int, 5>;
Strength strength_of(const Material& material, Color color) {
    const auto& count = material.count[color];
    return {count[chess::Queen], count[chess::Rook], count[chess::Bishop], count[chess::Knight],
            count[chess::Pawn]};
}

// How many ways the library counts for `count` like pieces that are not pawns.
std::uint64_t places(int count) {
    constexpr std::array<std::uint64_t, 4> kPlaces{1, 64, 2016, 64 * 21 * 31};
    return kPlaces[static_cast<std::size_t>(count)];
}

// Positions of each side to move. Kings alone take 462 places by symmetry; with pawns, these take the
// symmetry and each king any square.
std::uint64_t positions(const Material& material) {
    std::uint64_t total = 462;
    const int first = material.pawns(White);
    const int second = material.pawns(Black);
    if (first + second > 0) {
        total = 64 * 64;
        if (first + second == 1)
            total *= 24;
        else if (second == 0)
            total *= first == 2 ? 576 : 8648;
        else
            total *= first == 1 ? 24 * 48 : 24 * 1128;
    }
    for (const Color color : chess::kColors)
        for (const chess::PieceKind kind : {chess::Knight, chess::Bishop, chess::Rook, chess::Queen})
            total *= places(material.count[color][kind]);
    return total;
}

}  // namespace

std::optional<Material> parse_gaviota_name(std::string_view name) {
    constexpr std::string_view kLetters = "pnbrqk";
    Material material;
    int side = -1;
    std::size_t last = 0;
    for (const char letter : name) {
        const std::size_t kind = kLetters.find(letter);
        if (kind == std::string_view::npos) return std::nullopt;
        if (kind == chess::King)
            ++side;
        else if (side < 0 || kind > last)
            return std::nullopt;
        if (side > 1) return std::nullopt;
        last = kind;
        ++material.count[static_cast<std::size_t>(side)][kind];
    }
    const auto rank = [&](Color color) {
        const Strength strength = strength_of(material, color);
        return std::tuple(strength[0] + strength[1] + strength[2] + strength[3] + strength[4], strength);
    };
    if (side != 1 || name.size() < 3 || name.size() > 5 || rank(White) < rank(Black)) return std::nullopt;
    return material;
}

base::Status check_gaviota_file(const std::filesystem::path& path, const Material& material) {
    const auto file = MappedFile::open(path);
    if (!file) return std::unexpected(file.error());
    const std::size_t size = file->bytes().size();
    Cursor cursor(file->bytes());
    const std::uint64_t blocks = 2 * ((positions(material) - 1) / kEntriesInBlock + 1);
    // The list has the start of each block and the end of the last.
    const std::uint64_t data = kHeaderSize + 4 * (blocks + 1);
    if (cursor.at32(8) != kEntriesInBlock || cursor.at32(32) != data || !cursor.ok())
        return base::fail("{}: not a Gaviota table of these pieces, expected one with {} blocks",
                          path.string(), blocks);
    std::uint64_t start = data;
    for (std::uint64_t block = 0; block <= blocks; ++block) {
        const std::uint64_t place = cursor.at32(kHeaderSize + 4 * block);
        const bool fits = block == 0 ? place == data : place > start && place - start <= kMaxBlockSize;
        if (!cursor.ok() || !fits)
            return base::fail("{}: damaged, expected block {} to end within the {} bytes after {}",
                              path.string(), block, kMaxBlockSize, start);
        start = place;
    }
    if (start != size)
        return base::fail("{}: {} bytes, expected {}: cut off, or another file", path.string(), size, start);
    return {};
}

}  // namespace scholar::tablebases
