#include "tablebases/syzygy_file.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tablebases/syzygy_checksum.hpp"
#include "tablebases/table_bytes.hpp"

namespace scholar::tablebases {

namespace {

using chess::Black;
using chess::Color;
using chess::Pawn;
using chess::PieceKind;
using chess::White;

constexpr int kMaxPieces = 7;
constexpr std::size_t kChecksumSize = 16;
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kMaxSymbols = 4096;  // an index of 12 bits; Fathom ends the program if there are more
// Of one part of a table, far beyond any that there is. Sums of such sizes do not wrap around.
constexpr std::uint64_t kMaxPartSize = std::uint64_t{1} << 48;

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
    if (k > n) return 0;
    std::uint64_t result = 1;
    for (std::uint64_t i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
    return result;
}

// How a table counts its positions: which of the like pieces stand where, groups multiplied.
class Counting {
  public:
    explicit Counting(const Material& material) : material_(material), pieces_(material.pieces()) {
        int unique = 0;
        for (const auto& side : material.count) unique += static_cast<int>(std::ranges::count(side, 1));
        only_kings_unique_ = unique == 2;
        lead_pawns_ = material.pawns(White);
        other_pawns_ = material.pawns(Black);
        if (other_pawns_ > 0 && (lead_pawns_ == 0 || lead_pawns_ > other_pawns_))
            std::swap(lead_pawns_, other_pawns_);
    }
    bool has_pawns() const { return lead_pawns_ > 0; }
    bool has_pawns_of_both() const { return other_pawns_ > 0; }

    // How many positions the table has, of the piece order that the header gives in the low or the high
    // halves of its bytes from `offset`; with pawns, of those whose leading pawn is on `file` (0: a and h).
    // 0: no such table.
    std::uint64_t positions(Cursor& header, std::size_t offset, int shift, int file) const {
        const auto half = [&](std::size_t at) { return header.at(at) >> shift & 0x0F; };
        const int order = half(offset);
        const int other_order = other_pawns_ > 0 ? half(offset + 1) : 0x0F;
        std::vector<int> codes;
        codes.reserve(static_cast<std::size_t>(pieces_));
        for (int i = 0; i < pieces_; ++i)
            codes.push_back(half(offset + 1 + (other_pawns_ > 0 ? 1 : 0) + static_cast<std::size_t>(i)));
        if (!is_the_material(codes)) return 0;

        std::vector<int> group(static_cast<std::size_t>(pieces_));
        int k = group[0] = has_pawns() ? lead_pawns_ : only_kings_unique_ ? 2 : 3;
        if (k > pieces_) return 0;
        if (other_pawns_ > 0) k += group[static_cast<std::size_t>(k)] = other_pawns_;
        for (int i = k; i < pieces_; i += group[static_cast<std::size_t>(i)])
            for (int j = i;
                 j < pieces_ && codes[static_cast<std::size_t>(j)] == codes[static_cast<std::size_t>(i)]; ++j)
                ++group[static_cast<std::size_t>(i)];

        auto squares = static_cast<std::uint64_t>(64 - k);
        std::uint64_t total = 1;
        bool lead_counted = false;
        bool other_counted = other_pawns_ == 0;
        for (int i = 0; k < pieces_ || i == order || (other_pawns_ > 0 && i == other_order); ++i) {
            if (i == order) {
                total *= leading_group(file);
                lead_counted = true;
            } else if (other_pawns_ > 0 && i == other_order) {
                total *= binomial(static_cast<std::uint64_t>(48 - lead_pawns_),
                                  static_cast<std::uint64_t>(other_pawns_));
                other_counted = true;
            } else {
                const int like = group[static_cast<std::size_t>(k)];
                total *= binomial(squares, static_cast<std::uint64_t>(like));
                squares -= static_cast<std::uint64_t>(like);
                k += like;
            }
        }
        return lead_counted && other_counted ? total : 0;
    }

  private:
    // Each piece of the material once, like pieces together, pawns first. A code is 1 pawn to 6 king, 8 more
    // for Black.
    bool is_the_material(const std::vector<int>& codes) const {
        std::array<std::array<int, 6>, 2> found{};
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const int kind = (codes[i] & 7) - 1;
            if (kind < chess::Pawn || kind > chess::King) return false;
            const int before =
                found[static_cast<std::size_t>(codes[i] >> 3)][static_cast<std::size_t>(kind)]++;
            if (before > 0 && codes[i] != codes[i - 1]) return false;
            const bool pawn_expected = static_cast<int>(i) < lead_pawns_ + other_pawns_;
            if (pawn_expected != (kind == Pawn)) return false;
        }
        if (found != material_.count) return false;
        // The leading pawns are of one colour.
        return !has_pawns() || std::count(codes.begin(), codes.end(), codes[0]) == lead_pawns_;
    }

    std::uint64_t leading_group(int file) const {
        if (!has_pawns()) return only_kings_unique_ ? 462 : 31'332;
        // The leading pawn stands on each rank in turn, the others on those of the 48 squares that come
        // after.
        std::uint64_t sum = 0;
        for (int rank = 0; rank < 6; ++rank)
            sum += binomial(static_cast<std::uint64_t>(47 - 12 * file - 2 * rank),
                            static_cast<std::uint64_t>(lead_pawns_ - 1));
        return sum;
    }

    Material material_;
    int pieces_;
    bool only_kings_unique_ = false;
    int lead_pawns_ = 0;
    int other_pawns_ = 0;
};

// One compressed array: how large its three parts are, as its header says.
struct Array {
    std::uint8_t flags = 0;
    std::uint64_t index_size = 0;
    std::uint64_t lengths_size = 0;
    std::uint64_t data_size = 0;
};

// Whether following pairs of symbols comes to an end, in symbols that there are and in at most 256 values.
bool symbols_are_sound(Cursor& file, std::size_t patterns, std::size_t symbols) {
    constexpr int kOpen = -1;
    constexpr int kUnknown = 0;
    constexpr std::size_t kNone = 0xFFF;
    std::vector<int> length(symbols, kUnknown);
    std::vector<std::size_t> stack;
    for (std::size_t root = 0; root < symbols; ++root) {
        stack.assign(1, root);
        while (!stack.empty()) {
            const std::size_t symbol = stack.back();
            const std::size_t at = patterns + 3 * symbol;
            const std::size_t left = static_cast<std::size_t>(file.at(at + 1) & 0x0F) << 8 | file.at(at);
            const std::size_t right = static_cast<std::size_t>(file.at(at + 2)) << 4 | file.at(at + 1) >> 4;
            if (length[symbol] > 0) {
                stack.pop_back();
            } else if (right == kNone) {
                length[symbol] = 1;
            } else if (left >= symbols || right >= symbols) {
                return false;
            } else if (length[symbol] == kUnknown) {
                length[symbol] = kOpen;
                if (length[left] == kOpen || length[right] == kOpen) return false;
                stack.push_back(left);
                stack.push_back(right);
            } else {
                if (length[left] <= 0 || length[right] <= 0) return false;
                length[symbol] = length[left] + length[right];
                if (length[symbol] > 256) return false;
            }
        }
    }
    return true;
}

// Whether every sequence of bits decodes to symbols that there are: of each length the codes are those from
// base up to where the shorter ones begin.
bool codes_are_sound(Cursor& file, std::size_t offsets, int shortest, int longest, std::size_t symbols) {
    const auto count = static_cast<std::size_t>(longest) - static_cast<std::size_t>(shortest) + 1;
    std::vector<std::uint64_t> base(count);
    for (std::size_t i = count - 1; i-- > 0;) {
        const std::uint64_t sum = base[i + 1] + file.at16(offsets + 2 * i);
        const std::uint64_t less = file.at16(offsets + 2 * (i + 1));
        if (sum < less) return false;
        base[i] = (sum - less) / 2;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const int bits = shortest + static_cast<int>(i);
        if (base[i] >> bits != 0) return false;
        // The first code, at this length, that a shorter one already has.
        const std::uint64_t end = i == 0 ? std::uint64_t{1} << bits : base[i - 1] * 2;
        if (end > base[i] && file.at16(offsets + 2 * i) + (end - 1 - base[i]) >= symbols) return false;
    }
    return true;
}

// Reads an array's header at `offset` and moves it on; nothing if it makes no sense.
std::optional<Array> read_array(Cursor& file, std::size_t& offset, std::uint64_t positions) {
    Array array;
    array.flags = file.at(offset);
    if (array.flags & 0x80) {  // one value for all positions
        offset += 2;
        return array;
    }
    const int block_bits = file.at(offset + 1);
    const int index_bits = file.at(offset + 2);
    const std::uint64_t blocks = file.at32(offset + 4);
    const std::uint64_t lengths = blocks + file.at(offset + 3);
    const int longest = file.at(offset + 8);
    const int shortest = file.at(offset + 9);
    if (block_bits < 2 || block_bits > 31 || index_bits < 1 || index_bits > 31 || shortest < 1 ||
        longest < shortest || longest > 32)
        return std::nullopt;
    const auto widths = static_cast<std::size_t>(longest) - static_cast<std::size_t>(shortest) + 1;
    const std::size_t symbols = file.at16(offset + 10 + 2 * widths);
    const std::size_t patterns = offset + 12 + 2 * widths;
    if (!file.ok() || symbols == 0 || symbols >= kMaxSymbols) return std::nullopt;
    if (!symbols_are_sound(file, patterns, symbols)) return std::nullopt;
    if (!codes_are_sound(file, offset + 10, shortest, longest, symbols)) return std::nullopt;
    offset = patterns + 3 * symbols + (symbols & 1);
    array.index_size = 6 * ((positions + (std::uint64_t{1} << index_bits) - 1) >> index_bits);
    array.lengths_size = 2 * lengths;
    array.data_size = blocks << block_bits;
    if (std::max({array.index_size, array.lengths_size, array.data_size}) > kMaxPartSize) return std::nullopt;
    return array;
}

constexpr std::size_t aligned(std::size_t offset) {
    return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

// How many bytes the file should have, by its header; nothing if that is damaged.
std::optional<std::uint64_t> expected_size(std::span<const std::byte> bytes, const Material& material,
                                           SyzygyKind kind) {
    constexpr std::size_t kFiles = 4;
    const Counting counting(material);
    Cursor file(bytes);
    const bool split = kind == SyzygyKind::Wdl && (file.at(4) & 1) != 0;
    const std::size_t tables = counting.has_pawns() ? kFiles : 1;
    const std::size_t sides = split ? 2 : 1;

    std::size_t offset = 5;
    std::vector<std::uint64_t> positions;
    for (std::size_t table = 0; table < tables; ++table) {
        for (std::size_t side = 0; side < sides; ++side) {
            positions.push_back(counting.positions(file, offset, side == 0 ? 0 : 4, static_cast<int>(table)));
            if (positions.back() == 0) return std::nullopt;
        }
        offset += static_cast<std::size_t>(material.pieces()) + 1 + (counting.has_pawns_of_both() ? 1 : 0);
    }
    offset += offset & 1;

    std::vector<Array> arrays;
    for (const std::uint64_t count : positions) {
        const auto array = read_array(file, offset, count);
        if (!array || !file.ok()) return std::nullopt;
        arrays.push_back(*array);
    }
    if (kind == SyzygyKind::Dtz) {
        constexpr int kMapped = 2;
        constexpr int kWide = 16;
        for (const Array& array : arrays) {
            if (!(array.flags & kMapped)) continue;
            const bool wide = array.flags & kWide;
            if (wide) offset += offset & 1;
            for (int map = 0; map < 4; ++map)
                offset += wide ? 2 + 2 * std::size_t{file.at16(offset)} : 1 + std::size_t{file.at(offset)};
        }
        offset += offset & 1;
    }
    if (!file.ok()) return std::nullopt;

    std::uint64_t end = offset;
    for (const Array& array : arrays) end += array.index_size;
    for (const Array& array : arrays) end += array.lengths_size;
    for (const Array& array : arrays) end = aligned(end) + array.data_size;
    return aligned(end) + kChecksumSize;
}

}  // namespace

int Material::pieces() const {
    int sum = 0;
    for (const auto& side : count) sum = std::accumulate(side.begin(), side.end(), sum);
    return sum;
}

std::optional<Material> parse_material(std::string_view name) {
    constexpr std::string_view kStrongestFirst = "QRBNP";
    constexpr std::array<PieceKind, 5> kKinds{chess::Queen, chess::Rook, chess::Bishop, chess::Knight, Pawn};
    const std::size_t middle = name.find('v');
    if (middle == std::string_view::npos) return std::nullopt;
    const std::array<std::string_view, 2> sides{name.substr(0, middle), name.substr(middle + 1)};
    Material material;
    std::array<std::string, 2> ranks;
    for (const Color color : chess::kColors) {
        if (!sides[color].starts_with('K')) return std::nullopt;
        material.count[color][chess::King] = 1;
        for (const char letter : sides[color].substr(1)) {
            const std::size_t rank = kStrongestFirst.find(letter);
            if (rank == std::string_view::npos) return std::nullopt;
            ++material.count[color][kKinds[rank]];
            ranks[color] += static_cast<char>('0' + rank);
        }
        if (!std::ranges::is_sorted(ranks[color])) return std::nullopt;
    }
    const bool stronger_first = ranks[White].size() > ranks[Black].size() ||
                                (ranks[White].size() == ranks[Black].size() && ranks[White] <= ranks[Black]);
    if (!stronger_first || material.pieces() < 3 || material.pieces() > kMaxPieces) return std::nullopt;
    return material;
}

base::Status check_syzygy_file(const std::filesystem::path& path, const Material& material, SyzygyKind kind) {
    constexpr std::array<std::array<std::uint8_t, 4>, 2> kMagic{
        {{0x71, 0xE8, 0x23, 0x5D}, {0xD7, 0x66, 0x0C, 0xA5}}};
    const auto file = MappedFile::open(path);
    if (!file) return std::unexpected(file.error());
    const auto bytes = file->bytes();
    const auto& magic = kMagic[static_cast<std::size_t>(kind)];
    if (bytes.size() < magic.size() || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
        return base::fail(
            "{}: no Syzygy {} table: expected it to begin with the bytes {:02x} {:02x} {:02x} {:02x}",
            path.string(), kind == SyzygyKind::Wdl ? "win/draw/loss" : "distance-to-zeroing", magic[0],
            magic[1], magic[2], magic[3]);
    if (bytes.size() % kAlignment != kChecksumSize)
        return base::fail("{}: {} bytes, expected a multiple of 64 and 16 more: cut off or damaged",
                          path.string(), bytes.size());
    const auto expected = expected_size(bytes, material, kind);
    if (!expected) return base::fail("{}: the header makes no sense for this table: damaged", path.string());
    if (*expected != bytes.size())
        return base::fail("{}: {} bytes, expected {} by its header: cut off or damaged", path.string(),
                          bytes.size(), *expected);
    return {};
}

base::Status check_syzygy_checksum(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    if (!file) return std::unexpected(file.error());
    const auto bytes = file->bytes();
    if (bytes.size() < kChecksumSize)
        return base::fail("{}: {} bytes, expected a Syzygy table with its checksum", path.string(),
                          bytes.size());
    const auto content = bytes.first(bytes.size() - kChecksumSize);
    std::array<std::uint64_t, 2> stored;
    std::memcpy(stored.data(), bytes.data() + content.size(), kChecksumSize);
    const auto found = syzygy_checksum(content);
    if (found != stored)
        return base::fail("{}: checksum {:016x}{:016x}, expected {:016x}{:016x}: damaged", path.string(),
                          found[1], found[0], stored[1], stored[0]);
    return {};
}

}  // namespace scholar::tablebases
