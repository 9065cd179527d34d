#include "games/store_block.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/hash.hpp"
#include "base/streams.hpp"
#include "chess/fen.hpp"
#include "chess/move_index.hpp"
#include "games/bytes.hpp"

namespace scholar::games {

namespace {

constexpr std::size_t kFixedHeader = 16;
constexpr std::size_t kSectionEntry = 24;
constexpr std::uint32_t kPlain = 0;
constexpr std::uint32_t kZstd = 1;

// Bits of a game's flags.
constexpr std::uint8_t kChess960 = 1;
constexpr std::uint8_t kOwnStart = 2;
constexpr std::uint8_t kHasEvaluations = 4;

// How a tag's value is named in its column: as the one of the game before, as a text not seen before, or by
// number.
constexpr std::uint32_t kSameValue = 0;
constexpr std::uint32_t kNewValue = 1;
constexpr std::uint32_t kFirstNumber = 2;

// The difference of a player's evaluations from one move to the next is small; both columns are coded by it.
struct LastEvaluation {
    std::int32_t centipawns = 0;
    std::int32_t depth = 0;
};

// The most that a section of a block can hold: a small compressed one must not make us ask for much memory.
std::size_t largest_section(SectionId id, const BlockHeader& header) {
    constexpr std::size_t kVarint = 5;
    constexpr std::size_t kVarint64 = 10;
    const std::size_t games = header.games;
    const std::size_t plies = header.plies;
    switch (id) {
        case SectionId::Game:
            return games * (3 + kVarint);
        case SectionId::Hash:
            return games * 8;
        case SectionId::Moves:
            return plies;
        case SectionId::EvalMask:
            return games + plies / 8;
        case SectionId::EvalScores:
            return (games + plies) * 2 * kVarint;
        case SectionId::EvalDepths:
            return (games + plies) * kVarint;
        case SectionId::ClockMask:
        case SectionId::TimeMask:
        case SectionId::NodeMask:
            return games / 8 + 1 + games + plies / 8;
        case SectionId::Clocks:
        case SectionId::Times:
        case SectionId::Nodes:
            return games + plies * kVarint64;
        case SectionId::Start:
        case SectionId::Tags:
            break;
    }
    return kMaxBlockBytes;
}

std::optional<SectionId> id_of(std::string_view name) {
    const auto known = std::ranges::find(kSectionNames, name);
    if (known == kSectionNames.end()) return std::nullopt;
    return static_cast<SectionId>(known - kSectionNames.begin());
}

bool wants(const Columns& columns, SectionId id) {
    switch (id) {
        case SectionId::Game:
        case SectionId::Hash:
            return true;
        case SectionId::Start:
        case SectionId::Moves:
            return columns.moves;
        case SectionId::Tags:
            return columns.tags;
        case SectionId::EvalMask:
        case SectionId::EvalScores:
        case SectionId::EvalDepths:
            return columns.evaluations;
        default:
            break;
    }
    return std::ranges::any_of(kPlyColumns, [&](const PlyColumn& column) {
        return (id == column.mask || id == column.values) && columns.*column.wanted;
    });
}

// A section's bytes, decoded and verified.
base::Result<std::string> unpack(const BlockHeader::Section& section, std::string_view stored,
                                 std::size_t largest) {
    if (section.raw_size > largest)
        return base::fail("section {} says it holds {} bytes, expected at most {}", section.id,
                          section.raw_size, largest);
    std::string raw;
    if (section.codec == kPlain) {
        raw = stored;
    } else if (section.codec == kZstd) {
        auto unpacked = base::decompress_block(stored, section.raw_size);
        if (!unpacked) return base::fail_in("section " + section.id, unpacked.error());
        raw = std::move(*unpacked);
    } else {
        return base::fail("section {}: codec {}, expected 0 (plain) or 1 (zstd)", section.id, section.codec);
    }
    if (raw.size() != section.raw_size || base::hash_text(raw) != section.checksum)
        return base::fail("section {} is damaged: its checksum differs", section.id);
    return raw;
}

template <class T>
bool fits(std::int64_t value) {
    return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
}

}  // namespace

std::uint64_t BlockHeader::content_hash() const {
    std::string text;
    put_fixed(text, games);
    put_fixed(text, plies);
    for (const Section& section : sections) {
        text += section.id;
        put_fixed(text, section.raw_size);
        put_fixed(text, section.checksum);
    }
    return base::hash_text(text);
}

base::Result<BlockHeader> parse_block_header(std::string_view bytes) {
    if (bytes.size() < kFixedHeader || !bytes.starts_with(kBlockMagic))
        return base::fail("no block begins here, expected '{}'", kBlockMagic);
    ByteSource source(bytes.substr(kBlockMagic.size()));
    BlockHeader header;
    const auto sections = source.fixed<std::uint32_t>();
    header.games = source.fixed<std::uint32_t>();
    header.plies = source.fixed<std::uint32_t>();
    const std::size_t checked = kFixedHeader + sections * kSectionEntry;
    if (sections > kMaxBlockSections || checked + 8 > bytes.size())
        return base::fail("the block's header is damaged");
    if (ByteSource(bytes.substr(checked)).fixed<std::uint64_t>() != base::hash_text(bytes.substr(0, checked)))
        return base::fail("the block's header is damaged: its checksum differs");
    header.header_size = checked + 8;
    header.block_size = header.header_size;
    for (std::uint32_t i = 0; i < sections; ++i) {
        BlockHeader::Section section;
        section.id = source.take(4);
        section.codec = source.fixed<std::uint32_t>();
        section.raw_size = source.fixed<std::uint32_t>();
        section.stored_size = source.fixed<std::uint32_t>();
        section.checksum = source.fixed<std::uint64_t>();
        header.block_size += section.stored_size;
        header.sections.push_back(std::move(section));
    }
    std::uint64_t bytes_decoded = 0;
    for (const BlockHeader::Section& section : header.sections) bytes_decoded += section.raw_size;
    for (const auto& [number, most, what] : {std::tuple{std::uint64_t{header.games}, kMaxBlockGames, "games"},
                                             {std::uint64_t{header.plies}, kMaxBlockPlies, "half-moves"},
                                             {bytes_decoded, kMaxBlockBytes, "bytes"}})
        if (number > most)
            return base::fail("the block says that it holds {} {}, expected at most {}", number, what, most);
    return header;
}

base::Result<BlockHeader> parse_block_header(std::string_view bytes, std::size_t block_size) {
    auto header = parse_block_header(bytes);
    if (header && header->block_size != block_size)
        return base::fail("the block is {} bytes, its header says {}", block_size, header->block_size);
    return header;
}

base::Status verify_block(std::string_view bytes) {
    const auto header = parse_block_header(bytes, bytes.size());
    if (!header) return std::unexpected(header.error());
    std::size_t offset = header->header_size;
    for (const BlockHeader::Section& section : header->sections) {
        const std::string_view stored = bytes.substr(offset, section.stored_size);
        offset += section.stored_size;
        if (section.codec > kZstd) continue;
        if (const auto raw = unpack(section, stored, kMaxBlockBytes); !raw)
            return std::unexpected(raw.error());
    }
    return {};
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing

base::Status BlockBuilder::add(const Game& game) {
    if (game.moves.size() > kMaxGamePlies)
        return base::fail("a game of {} half-moves, at most {} can be stored", game.moves.size(),
                          kMaxGamePlies);
    if (!game.evaluations.empty() && game.evaluations.size() != std::max<std::size_t>(game.moves.size(), 1))
        return base::fail("{} evaluations for {} half-moves", game.evaluations.size(), game.moves.size());
    for (const PlyColumn& column : kPlyColumns) {
        if (const auto& numbers = game.*column.numbers;
            !numbers.empty() && numbers.size() != game.moves.size())
            return base::fail("{} numbers of column {} for {} half-moves", numbers.size(),
                              name_of(column.values), game.moves.size());
    }
    std::size_t tag_bytes = 0;
    for (const auto& [name, value] : game.tags) tag_bytes += name.size() + value.size();
    if (tag_bytes > kMaxGameTagBytes)
        return base::fail("{} bytes of tags, at most {} can be stored", tag_bytes, kMaxGameTagBytes);
    if (game.tags.size() > kMaxGameTags)
        return base::fail("{} tags, at most {} can be stored", game.tags.size(), kMaxGameTags);
    if (!has_room()) return base::fail("the block has no room for another game");

    const std::size_t first = moves_.size();
    chess::Position position = game.start;
    for (const chess::Move move : game.moves) {
        const auto index = chess::move_to_index(position, move);
        if (!index) {
            const std::size_t ply = moves_.size() - first + 1;
            moves_.resize(first);
            return base::fail("half-move {} is not legal in {}", ply, chess::to_fen(position));
        }
        moves_ += static_cast<char>(*index);
        position.make(move);
    }

    const bool own_start = !(game.start == chess::Position());
    const bool has_evaluations =
        std::ranges::any_of(game.evaluations, [](const auto& e) { return e.has_value(); });
    std::uint8_t flags = 0;
    if (game.chess960) flags |= kChess960;
    if (own_start) flags |= kOwnStart;
    if (has_evaluations) flags |= kHasEvaluations;
    results_ += static_cast<char>(game.result);
    endings_ += static_cast<char>(game.ending);
    flags_ += static_cast<char>(flags);
    put_varint(ply_counts_, static_cast<std::uint32_t>(game.moves.size()));
    put_fixed(hashes_, game.hash());
    if (own_start) put_text(starts_, chess::to_fen(game.start));
    if (has_evaluations) add_evaluations(game);
    for (std::size_t i = 0; i < kPlyColumns.size(); ++i) numbers_[i].add(game.*kPlyColumns[i].numbers);
    tags_.push_back(game.tags);
    tag_bytes_ += tag_bytes;
    tag_count_ += game.tags.size();
    return {};
}

std::size_t BlockBuilder::raw_size() const {
    return moves_.size() + evaluation_scores_.size() * 2 + tag_bytes_ + numbers_size();
}

bool BlockBuilder::full(std::size_t games_per_block, std::size_t bytes_per_block) const {
    return !has_room() || games() >= games_per_block || raw_size() >= bytes_per_block;
}

// For the largest game there may be. Of each half-move and each tag a few bytes more are written than
// raw_size() counts.
bool BlockBuilder::has_room() const {
    constexpr std::size_t kBytesAPly = 64;
    constexpr std::size_t kBytesATag = 12;
    constexpr std::size_t kLargestGame =
        kMaxGameTagBytes + kMaxGamePlies * kBytesAPly + kMaxGameTags * kBytesATag;
    return games() < kMaxBlockGames && plies() + kMaxGamePlies <= kMaxBlockPlies &&
           tag_count_ + kMaxGameTags <= kMaxBlockTags &&
           tag_bytes_ + tag_count_ * kBytesATag + moves_.size() + starts_.size() + evaluation_scores_.size() +
                   evaluation_depths_.size() + numbers_size() + games() * kBytesAPly + kLargestGame <=
               kMaxBlockBytes;
}

std::size_t BlockBuilder::numbers_size() const {
    std::size_t size = 0;
    for (const PlyNumbersPacker& numbers : numbers_) size += numbers.size();
    return size;
}

void BlockBuilder::add_evaluations(const Game& game) {
    std::array<LastEvaluation, 2> last;
    const std::size_t first_byte = evaluation_mask_.size();
    evaluation_mask_.resize(first_byte + (game.evaluations.size() + 7) / 8, '\0');
    for (std::size_t ply = 0; ply < game.evaluations.size(); ++ply) {
        if (!game.evaluations[ply]) continue;
        const Evaluation& evaluation = *game.evaluations[ply];
        evaluation_mask_[first_byte + ply / 8] |= static_cast<char>(1 << ply % 8);
        LastEvaluation& before = last[ply % 2];
        if (evaluation.mate != 0) {
            put_varint(evaluation_scores_, 0);
            put_varint(evaluation_scores_, zigzag(evaluation.mate));
        } else {
            put_varint(evaluation_scores_, 1 + zigzag(evaluation.centipawns - before.centipawns));
            before.centipawns = evaluation.centipawns;
        }
        put_varint(evaluation_depths_, zigzag(evaluation.depth - before.depth));
        before.depth = evaluation.depth;
    }
}

// Names, then shapes (which names a game has, in order; most games share one), then each game's shape, then
// for each name a column of values: codes in order of appearance, then the distinct texts.
std::string BlockBuilder::encode_tags() const {
    struct Column {
        std::string codes;
        std::string texts;
        std::unordered_map<std::string_view, std::uint32_t> numbers;
        std::string_view last;
        bool has_last = false;
    };
    std::vector<std::string_view> names;
    std::unordered_map<std::string_view, std::uint32_t> name_numbers;
    std::vector<Column> columns;
    std::string shapes;
    std::uint32_t shape_count = 0;
    std::unordered_map<std::string, std::uint32_t> shape_numbers;
    std::string game_shapes;

    for (const auto& tags : tags_) {
        std::string shape;
        put_varint(shape, static_cast<std::uint32_t>(tags.size()));
        for (const auto& [name, value] : tags) {
            const auto [found, is_new] =
                name_numbers.try_emplace(name, static_cast<std::uint32_t>(names.size()));
            if (is_new) {
                names.push_back(name);
                columns.emplace_back();
            }
            put_varint(shape, found->second);
            Column& column = columns[found->second];
            if (column.has_last && column.last == value) {
                put_varint(column.codes, kSameValue);
                continue;
            }
            const auto [number, new_value] =
                column.numbers.try_emplace(value, static_cast<std::uint32_t>(column.numbers.size()));
            put_varint(column.codes, new_value ? kNewValue : kFirstNumber + number->second);
            if (new_value) put_text(column.texts, value);
            column.last = value;
            column.has_last = true;
        }
        const auto [found, is_new] = shape_numbers.try_emplace(shape, shape_count);
        if (is_new) {
            ++shape_count;
            shapes += shape;
        }
        put_varint(game_shapes, found->second);
    }

    std::string out;
    put_varint(out, static_cast<std::uint32_t>(names.size()));
    for (const std::string_view name : names) put_text(out, name);
    put_varint(out, shape_count);
    out += shapes;
    out += game_shapes;
    for (const Column& column : columns) {
        out += column.codes;
        put_varint(out, static_cast<std::uint32_t>(column.numbers.size()));
        out += column.texts;
    }
    return out;
}

std::string BlockBuilder::finish(int compression_level) {
    const auto game_count = static_cast<std::uint32_t>(games());
    const std::uint32_t ply_count = plies();
    std::vector<std::pair<SectionId, std::string>> sections;
    sections.emplace_back(SectionId::Game, results_ + endings_ + flags_ + ply_counts_);
    sections.emplace_back(SectionId::Hash, std::move(hashes_));
    if (!starts_.empty()) sections.emplace_back(SectionId::Start, std::move(starts_));
    sections.emplace_back(SectionId::Tags, encode_tags());
    sections.emplace_back(SectionId::Moves, std::move(moves_));
    if (!evaluation_mask_.empty()) {
        sections.emplace_back(SectionId::EvalMask, std::move(evaluation_mask_));
        sections.emplace_back(SectionId::EvalScores, std::move(evaluation_scores_));
        sections.emplace_back(SectionId::EvalDepths, std::move(evaluation_depths_));
    }
    for (std::size_t i = 0; i < kPlyColumns.size(); ++i) {
        if (!numbers_[i].has_any()) continue;
        sections.emplace_back(kPlyColumns[i].mask, numbers_[i].mask());
        sections.emplace_back(kPlyColumns[i].values, numbers_[i].values());
    }

    std::string header(kBlockMagic);
    put_fixed(header, static_cast<std::uint32_t>(sections.size()));
    put_fixed(header, game_count);
    put_fixed(header, ply_count);
    std::string payload;
    for (const auto& [id, raw] : sections) {
        std::string packed = base::compress_block(raw, compression_level);
        const bool smaller = packed.size() < raw.size();
        header += name_of(id);
        put_fixed(header, smaller ? kZstd : kPlain);
        put_fixed(header, static_cast<std::uint32_t>(raw.size()));
        put_fixed(header, static_cast<std::uint32_t>(smaller ? packed.size() : raw.size()));
        put_fixed(header, base::hash_text(raw));
        payload += smaller ? packed : raw;
    }
    put_fixed(header, base::hash_text(header));
    *this = BlockBuilder();
    return header + payload;
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading

base::Result<Block> Block::decode(std::string_view bytes, const Columns& columns) {
    auto header = parse_block_header(bytes, bytes.size());
    if (!header) return std::unexpected(header.error());

    Block block;
    block.raw_.resize(kSectionNames.size());
    std::array<bool, kSectionNames.size()> present{};
    std::size_t offset = header->header_size;
    for (const BlockHeader::Section& section : header->sections) {
        const std::string_view stored = bytes.substr(offset, section.stored_size);
        offset += section.stored_size;
        const auto id = id_of(section.id);
        // A byte a half-move, which everything by ply is sized by.
        if (id == SectionId::Moves && section.raw_size != header->plies)
            return base::fail("section MOVE has {} half-moves, expected {}", section.raw_size, header->plies);
        if (!id || !wants(columns, *id)) continue;
        if (present[static_cast<std::size_t>(*id)])
            return base::fail("section {} is there twice", section.id);
        auto raw = unpack(section, stored, largest_section(*id, *header));
        if (!raw) return std::unexpected(raw.error());
        const auto number = static_cast<std::size_t>(*id);
        block.raw_[number] = std::move(*raw);
        present[number] = true;
    }

    const auto raw = [&block](SectionId id) -> std::string_view {
        return block.raw_[static_cast<std::size_t>(id)];
    };
    const auto needed = [&](SectionId id) -> base::Status {
        if (!present[static_cast<std::size_t>(id)]) return base::fail("section {} is missing", name_of(id));
        return {};
    };
    if (auto status = needed(SectionId::Game); !status) return std::unexpected(status.error());
    if (auto status = needed(SectionId::Hash); !status) return std::unexpected(status.error());
    if (auto status = block.decode_games(raw(SectionId::Game), raw(SectionId::Hash), *header); !status)
        return std::unexpected(status.error());
    if (columns.tags) {
        if (auto status = needed(SectionId::Tags); !status) return std::unexpected(status.error());
        if (auto status = block.decode_tags(raw(SectionId::Tags)); !status)
            return std::unexpected(status.error());
    }
    if (columns.moves) {
        if (auto status = needed(SectionId::Moves); !status) return std::unexpected(status.error());
        block.moves_ = raw(SectionId::Moves);
        if (auto status = block.decode_starts(raw(SectionId::Start)); !status)
            return std::unexpected(status.error());
    }
    if (columns.evaluations) {
        auto status = block.decode_evaluations(raw(SectionId::EvalMask), raw(SectionId::EvalScores),
                                               raw(SectionId::EvalDepths));
        if (!status) return std::unexpected(status.error());
    }
    std::vector<std::uint32_t> plies;
    for (std::size_t i = 0; i < kPlyColumns.size(); ++i) {
        const PlyColumn& column = kPlyColumns[i];
        if (!(columns.*column.wanted)) continue;
        if (!present[static_cast<std::size_t>(column.mask)] &&
            !present[static_cast<std::size_t>(column.values)])
            continue;
        if (plies.empty())
            for (const GameInfo& info : block.infos_) plies.push_back(info.plies);
        if (auto status = block.numbers_[i].decode(column, raw(column.mask), raw(column.values), plies);
            !status)
            return std::unexpected(status.error());
    }
    return block;
}

base::Status Block::decode_games(std::string_view raw, std::string_view hashes, const BlockHeader& header) {
    const std::size_t count = header.games;
    if (raw.size() < 4 * count || hashes.size() != 8 * count)
        return base::fail("sections GAME and HASH do not hold {} games", count);
    ByteSource ply_counts(raw.substr(3 * count));
    ByteSource hash_source(hashes);
    infos_.reserve(count);
    std::uint64_t ply = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto result = static_cast<std::uint8_t>(raw[i]);
        const auto ending = static_cast<std::uint8_t>(raw[count + i]);
        const auto flags = static_cast<std::uint8_t>(raw[2 * count + i]);
        if (result > static_cast<std::uint8_t>(GameResult::Unknown))
            return base::fail("section GAME: game {}: result {} is not known", i + 1, result);
        if (ending > static_cast<std::uint8_t>(Ending::Abandoned))
            return base::fail("section GAME: game {}: ending {} is not known", i + 1, ending);
        GameInfo info;
        info.result = static_cast<GameResult>(result);
        info.ending = static_cast<Ending>(ending);
        info.chess960 = flags & kChess960;
        info.standard_start = !(flags & kOwnStart);
        info.has_evaluations = flags & kHasEvaluations;
        info.first_ply = static_cast<std::uint32_t>(ply);
        info.plies = ply_counts.varint();
        info.hash = hash_source.fixed<std::uint64_t>();
        ply += info.plies;
        if (ply > header.plies) break;
        infos_.push_back(info);
    }
    if (!ply_counts.finished() || ply != header.plies)
        return base::fail("section GAME does not add up to {} half-moves", header.plies);
    return {};
}

base::Status Block::decode_tags(std::string_view raw) {
    const auto damaged = [] { return base::fail("section TAGS is damaged"); };
    const auto too_many = [](std::string_view what, std::size_t count, std::size_t most) {
        return base::fail("section TAGS has {} {}, expected at most {}", count, what, most);
    };
    ByteSource source(raw);
    // Every name is of some tag, and takes at least its length, a code and a number of values.
    const std::uint32_t name_count = source.varint();
    if (const std::size_t most = std::min(kMaxBlockTags, source.left() / 3); name_count > most)
        return too_many("names", name_count, most);
    std::vector<std::string_view> names(name_count);
    for (auto& name : names) name = source.text();

    // Every shape is of some game.
    const std::uint32_t shape_count = source.varint();
    if (shape_count > games()) return too_many("shapes of games", shape_count, games());
    std::vector<std::uint32_t> shapes;  // one behind the other
    std::vector<std::uint32_t> first_of_shape{0};
    first_of_shape.reserve(shape_count + 1);
    for (std::uint32_t i = 0; i < shape_count; ++i) {
        const std::uint32_t length = source.varint();
        if (length > source.left()) return damaged();
        if (length > kMaxGameTags) return too_many("tags of one game", length, kMaxGameTags);
        if (shapes.size() + length > kMaxBlockTags)
            return too_many("tags", shapes.size() + length, kMaxBlockTags);
        for (std::uint32_t k = 0; k < length; ++k) {
            const std::uint32_t name = source.varint();
            if (name >= name_count) return damaged();
            shapes.push_back(name);
        }
        first_of_shape.push_back(static_cast<std::uint32_t>(shapes.size()));
    }

    // Of each game its shape, by which the tags are counted before there is room made for them.
    std::vector<std::uint32_t> tags_of_name(name_count);
    std::vector<std::uint32_t> shape_of_game(games());
    first_tag_.reserve(games() + 1);
    std::size_t total = 0;
    for (std::size_t game = 0; game < games(); ++game) {
        first_tag_.push_back(static_cast<std::uint32_t>(total));
        const std::uint32_t shape = source.varint();
        if (shape >= shape_count) return damaged();
        shape_of_game[game] = shape;
        total += first_of_shape[shape + 1] - first_of_shape[shape];
        if (total > kMaxBlockTags) return too_many("tags", total, kMaxBlockTags);
        for (std::uint32_t k = first_of_shape[shape]; k < first_of_shape[shape + 1]; ++k)
            ++tags_of_name[shapes[k]];
    }
    first_tag_.push_back(static_cast<std::uint32_t>(total));
    if (total > source.left()) return damaged();

    // Where in tags_ the values of each name go: those of the first name, then those of the second, …
    std::vector<std::uint32_t> next_place(name_count);
    for (std::uint32_t name = 1; name < name_count; ++name)
        next_place[name] = next_place[name - 1] + tags_of_name[name - 1];
    std::vector<std::uint32_t> places(total);
    std::uint32_t tag = 0;
    for (const std::uint32_t shape : shape_of_game)
        for (std::uint32_t k = first_of_shape[shape]; k < first_of_shape[shape + 1]; ++k)
            places[next_place[shapes[k]]++] = tag++;
    tags_.resize(total);

    std::vector<std::uint32_t> codes;
    std::vector<std::string_view> texts;
    for (std::uint32_t name = 0; name < name_count; ++name) {
        const std::uint32_t count = tags_of_name[name];
        const auto place = std::span(places).subspan(next_place[name] - count, count);
        codes.clear();
        for (std::uint32_t i = 0; i < count; ++i) codes.push_back(source.varint());
        // Every value is of some tag.
        const std::uint32_t text_count = source.varint();
        if (text_count > count) return too_many("values of one name", text_count, count);
        texts.resize(text_count);
        for (auto& text : texts) text = source.text();
        std::uint32_t seen = 0;
        std::string_view last;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (codes[i] != kSameValue) {
                const std::uint32_t number = codes[i] == kNewValue ? seen++ : codes[i] - kFirstNumber;
                if (number >= text_count) return damaged();
                last = texts[number];
            }
            tags_[place[i]] = {names[name], last};
        }
    }
    return source.finished() ? base::Status() : damaged();
}

base::Status Block::decode_starts(std::string_view raw) {
    ByteSource source(raw);
    starts_.resize(games());
    for (std::size_t i = 0; i < games(); ++i)
        if (!infos_[i].standard_start) starts_[i] = source.text();
    if (!source.finished()) return base::fail("section STRT is damaged");
    return {};
}

base::Status Block::decode_evaluations(std::string_view mask, std::string_view scores,
                                       std::string_view depths) {
    ByteSource mask_source(mask);
    ByteSource score_source(scores);
    ByteSource depth_source(depths);
    first_evaluation_.resize(games());
    std::size_t total = 0;
    for (std::size_t i = 0; i < games(); ++i) {
        first_evaluation_[i] = static_cast<std::uint32_t>(total);
        total += infos_[i].evaluations();
    }
    // A mask has a bit for each: what is not there need not be made room for.
    if (total > 8 * mask.size()) return base::fail("section EVLM is damaged");
    evaluations_.resize(total);
    for (std::size_t i = 0; i < games(); ++i) {
        if (!infos_[i].has_evaluations) continue;
        const std::uint32_t plies = infos_[i].evaluations();
        const std::string_view bits = mask_source.take((plies + 7) / 8);
        if (!mask_source.ok()) break;
        std::array<LastEvaluation, 2> last;
        for (std::uint32_t ply = 0; ply < plies; ++ply) {
            if (!(bits[ply / 8] >> ply % 8 & 1)) continue;
            LastEvaluation& before = last[ply % 2];
            Evaluation evaluation;
            const std::uint32_t code = score_source.varint();
            const std::int64_t score = code == 0 ? unzigzag(score_source.varint())
                                                 : std::int64_t{before.centipawns} + unzigzag(code - 1);
            const std::int64_t depth = std::int64_t{before.depth} + unzigzag(depth_source.varint());
            if (!fits<std::int16_t>(score) || !fits<std::uint8_t>(depth))
                return base::fail(
                    "section {} is damaged",
                    name_of(fits<std::uint8_t>(depth) ? SectionId::EvalScores : SectionId::EvalDepths));
            if (code == 0) {
                evaluation.mate = static_cast<std::int16_t>(score);
            } else {
                evaluation.centipawns = static_cast<std::int16_t>(score);
                before.centipawns = evaluation.centipawns;
            }
            evaluation.depth = static_cast<std::uint8_t>(depth);
            before.depth = evaluation.depth;
            evaluations_[first_evaluation_[i] + ply] = evaluation;
        }
    }
    if (!mask_source.finished() || !score_source.finished() || !depth_source.finished())
        return base::fail("sections EVLM, EVLS and EVLD do not agree");
    return {};
}

std::span<const Block::Tag> Block::tags(std::size_t game) const {
    if (first_tag_.empty()) return {};
    return std::span(tags_).subspan(first_tag_[game], first_tag_[game + 1] - first_tag_[game]);
}

std::string_view Block::tag(std::size_t game, std::string_view name) const {
    for (const auto& [tag_name, value] : tags(game))
        if (tag_name == name) return value;
    return {};
}

base::Result<chess::Position> Block::start(std::size_t game) const {
    if (infos_[game].standard_start) return chess::Position();
    return chess::parse_fen(starts_[game]);
}

std::span<const std::uint8_t> Block::move_indices(std::size_t game) const {
    if (moves_.empty()) return {};
    const auto* first = reinterpret_cast<const std::uint8_t*>(moves_.data());
    return {first + infos_[game].first_ply, infos_[game].plies};
}

std::span<const std::optional<Evaluation>> Block::evaluations(std::size_t game) const {
    if (first_evaluation_.empty()) return {};
    return std::span(evaluations_).subspan(first_evaluation_[game], infos_[game].evaluations());
}

base::Result<Game> Block::game(std::size_t number) const {
    Game game;
    game.chess960 = infos_[number].chess960;
    game.result = infos_[number].result;
    game.ending = infos_[number].ending;
    for (const auto& [name, value] : tags(number)) game.tags.emplace_back(name, value);
    const auto evaluations = this->evaluations(number);
    game.evaluations.assign(evaluations.begin(), evaluations.end());
    for (std::size_t i = 0; i < kPlyColumns.size(); ++i) {
        const Numbers numbers = numbers_[i].of(number);
        (game.*kPlyColumns[i].numbers).assign(numbers.begin(), numbers.end());
    }
    if (starts_.empty()) return game;

    auto start = this->start(number);
    if (!start) return base::fail_in(fmt::format("game {}: start position", number + 1), start.error());
    game.start = *start;
    chess::Position position = *start;
    game.moves.reserve(infos_[number].plies);
    for (const std::uint8_t index : move_indices(number)) {
        const auto move = chess::index_to_move(position, index);
        if (!move) {
            return base::fail("game {}: half-move {}: move number {} of a position that has fewer",
                              number + 1, game.moves.size() + 1, index);
        }
        game.moves.push_back(*move);
        position.make(*move);
    }
    return game;
}

}  // namespace scholar::games
