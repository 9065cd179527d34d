// The game store. What an input is, its first letter says:
//
//   g  decisions from which games are made: stored, they come back the same, and damage is noticed
//   b  a block without its sizes and checksums (build_block): whatever its sections say, refused or read
//   s  a file whose blocks get right checksums and a new index
//   i  a file whose blocks and index get right checksums; the rest of the index is left as it is
//   j  the lines of a journal, which get right checksums
//   f  a file as it is; so is what begins with anything else, its first letter included

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/streams.hpp"
#include "check.hpp"
#include "chess/fen.hpp"
#include "chess/move_index.hpp"
#include "chess/movegen.hpp"
#include "fuzzer.hpp"
#include "games/store.hpp"
#include "games/store_format.hpp"
#include "memory_file.hpp"

namespace scholar::fuzz {
namespace {

using namespace games;

// The input as a source of decisions; 0 behind its end.
class Source {
  public:
    explicit Source(std::string_view bytes) : rest_(bytes) {}
    bool empty() const { return rest_.empty(); }
    std::uint8_t byte() {
        if (rest_.empty()) return 0;
        const auto value = static_cast<std::uint8_t>(rest_.front());
        rest_.remove_prefix(1);
        return value;
    }
    std::uint16_t word() {
        const std::uint8_t high = byte();
        return static_cast<std::uint16_t>(high << 8 | byte());
    }
    // Up to 2^64 - 1, small ones more often.
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (int bytes = byte() % 9; bytes > 0; --bytes) value = value << 8 | byte();
        return value;
    }
    std::string_view bytes(std::size_t size) {
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(taken.size());
        return taken;
    }

  private:
    std::string_view rest_;
};

bool same(const Game& a, const Game& b) {
    return a.tags == b.tags && a.start == b.start && a.chess960 == b.chess960 && a.result == b.result &&
           a.ending == b.ending && a.moves == b.moves && a.evaluations == b.evaluations &&
           a.clocks == b.clocks && a.times == b.times && a.nodes == b.nodes;
}

// ---------------------------------------------------------------------------------------------------------------------
// Games

constexpr std::size_t kMaxGames = 20;

void add_notes(Game& game, std::uint8_t columns, Source& source) {
    const auto add = [&](int column, auto& numbers, auto&& make) {
        if (!(columns >> column & 1)) return;
        auto& number = numbers.emplace_back();
        if (const std::uint8_t how = source.byte(); how & 1) number = make(how);
    };
    add(0, game.evaluations, [&](std::uint8_t how) {
        Evaluation evaluation;
        evaluation.depth = source.byte();
        const auto value = static_cast<std::int16_t>(source.word());
        (how & 2 && value != 0 ? evaluation.mate : evaluation.centipawns) = value;
        return evaluation;
    });
    add(1, game.clocks, [&](std::uint8_t) { return source.number(); });
    add(2, game.times, [&](std::uint8_t) { return source.number(); });
    add(3, game.nodes, [&](std::uint8_t) { return source.number(); });
}

// A column without any number is no column.
template <class Numbers>
void drop_if_empty(Numbers& numbers) {
    if (std::ranges::none_of(numbers, [](const auto& number) { return number.has_value(); })) numbers.clear();
}

// Any game that a file could hold: legal moves, any tags and results, columns that are there or not.
Game game_of(Source& source) {
    Game game;
    const std::uint8_t kind = source.byte();
    if (kind & 1) {
        if (auto start = chess::parse_fen(source.bytes(source.byte() % 80))) game.start = *start;
    }
    game.chess960 = kind & 2;
    game.result = static_cast<GameResult>(source.byte() % 4);
    game.ending = static_cast<Ending>(source.byte() % 11);
    for (int tags = source.byte() % 4; tags > 0; --tags) {
        std::string name(source.bytes(source.byte() % 16));
        std::string value(source.bytes(source.byte() % 32));
        game.tags.emplace_back(std::move(name), std::move(value));
    }
    chess::Position position = game.start;
    for (int plies = source.byte(); plies > 0 && !source.empty(); --plies) {
        const auto count = chess::count_legal_moves(position);
        if (count == 0) break;
        const auto move = chess::index_to_move(position, static_cast<std::uint8_t>(source.byte() % count));
        check(move.has_value(), "a position without one of its {} moves", count);
        game.moves.push_back(*move);
        position.make(*move);
        add_notes(game, kind >> 4, source);
    }
    drop_if_empty(game.evaluations);
    drop_if_empty(game.clocks);
    drop_if_empty(game.times);
    drop_if_empty(game.nodes);
    return game;
}

std::string pack(const std::vector<Game>& games) {
    BlockBuilder builder;
    for (const Game& game : games) must(builder.add(game), "a legal game");
    return builder.finish(1);
}

void check_holds(const Block& block, const std::vector<Game>& games) {
    check(block.games() == games.size(), "{} games became {}", games.size(), block.games());
    for (std::size_t i = 0; i < games.size(); ++i)
        check(same(must(block.game(i), "a game that we wrote"), games[i]), "game {} has changed", i + 1);
}

void check_stored(Source source) {
    const std::size_t place = source.word();
    const auto change = static_cast<char>(source.byte());
    std::vector<Game> games;
    while (!source.empty() && games.size() < kMaxGames) games.push_back(game_of(source));
    if (games.empty()) return;

    std::string bytes = pack(games);
    must(verify_block(bytes), "a block that we wrote");
    check_holds(must(Block::decode(bytes, Columns::all()), "a block that we wrote"), games);

    const std::size_t at = place % bytes.size();
    check(!Block::decode(std::string_view(bytes).substr(0, at), Columns::all()),
          "cut off after {} of {} bytes, and nobody noticed", at, bytes.size());
    if (change == 0) return;
    bytes[at] = static_cast<char>(bytes[at] ^ change);
    // Checksums are of what the sections say: compressed bytes may differ and say the same.
    const auto changed = Block::decode(bytes, Columns::all());
    check(changed.has_value() == verify_block(bytes).has_value(),
          "byte {} of {} has changed: verified or not?", at, bytes.size());
    if (changed) check_holds(*changed, games);
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks

constexpr std::size_t kPackedAgain = 32;

// Asks for everything that a block has; what can be read of it can be stored again.
void read_block(const Block& block) {
    for (std::size_t i = 0; i < block.games(); ++i) {
        const Block::GameInfo& info = block.info(i);
        check(block.move_indices(i).empty() || block.move_indices(i).size() == info.plies,
              "game {}: {} move numbers for {} half-moves", i + 1, block.move_indices(i).size(), info.plies);
        const auto tags = block.tags(i);
        for (const auto& [name, value] : tags) {
            const auto first = std::ranges::find(tags, name, [](const auto& tag) { return tag.first; });
            check(block.tag(i, name) == first->second, "game {}: '{}' is not the first tag '{}'", i + 1,
                  block.tag(i, name), name);
        }
        const auto game = block.game(i);
        if (!game) {
            check_refusal(game.error(), "a game");
            continue;
        }
        check(std::ranges::equal(
                  tags, game->tags,
                  [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }),
              "game {}: its tags differ from those of its block", i + 1);
        // Packing is what takes time: thousands of games alike would show nothing more.
        if (i >= kPackedAgain) continue;
        const std::string again = pack({*game});
        const Block other = must(Block::decode(again, Columns::all()), "a block of a game that was read");
        check(same(must(other.game(0), "a game that was read"), *game), "game {} has changed", i + 1);
    }
}

void try_block(std::string_view bytes) {
    const auto block = Block::decode(bytes, Columns::all());
    if (block) {
        read_block(*block);
    } else {
        check_refusal(block.error(), "a block");
    }
    for (const Columns columns : {Columns{.tags = false, .moves = false, .evaluations = false},
                                  Columns{.tags = false, .evaluations = false, .clocks = true}}) {
        const auto part = Block::decode(bytes, columns);
        check(part || !block, "the whole block can be read, but not a part: {}",
              part ? std::string() : part.error().message);
        if (!part) continue;
        for (std::size_t i = 0; i < part->games(); ++i)
            if (!part->game(i)) break;
    }
    if (block) must(parse_block_header(bytes, bytes.size()), "the header of a block that was read");
}

// Games (2 bytes) and half-moves (3 bytes), then sections: which one and whether compressed (1 byte), its
// size (2 bytes), its bytes. A real block has as many sections of each name as wanted, in any order; so has
// this one.
std::string build_block(Source source) {
    struct Section {
        std::string id;
        bool compressed;
        std::string_view raw;
    };
    const std::uint32_t games = source.word();
    std::uint32_t plies = source.word();
    plies = plies << 8 | source.byte();
    std::vector<Section> sections;
    while (!source.empty() && sections.size() < 2 * kSectionNames.size()) {
        const std::uint8_t which = source.byte();
        const std::size_t number = which % (kSectionNames.size() + 1);
        const std::string_view raw = source.bytes(source.word());
        sections.push_back({number < kSectionNames.size() ? std::string(kSectionNames[number]) : "NEWS",
                            which >= 0x80, raw});
    }
    std::string header(kBlockMagic);
    put_fixed(header, static_cast<std::uint32_t>(sections.size()));
    put_fixed(header, games);
    put_fixed(header, plies);
    std::string stored;
    for (const Section& section : sections) {
        const std::string bytes =
            section.compressed ? base::compress_block(section.raw, 1) : std::string(section.raw);
        header += section.id;
        put_fixed(header, static_cast<std::uint32_t>(section.compressed));
        put_fixed(header, static_cast<std::uint32_t>(section.raw.size()));
        put_fixed(header, static_cast<std::uint32_t>(bytes.size()));
        put_fixed(header, base::hash_text(section.raw));
        stored += bytes;
    }
    put_fixed(header, base::hash_text(header));
    return header + stored;
}

// ---------------------------------------------------------------------------------------------------------------------
// Files

template <class T>
T get(std::string_view bytes, std::size_t at) {
    T value{};
    if (at + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
    if (at + sizeof(T) <= bytes.size()) std::memcpy(bytes.data() + at, &value, sizeof(T));
}

// Puts the checksum of what comes before it from `begin` on where it belongs.
void seal(std::string& bytes, std::size_t begin, std::size_t at) {
    put(bytes, at, base::hash_text(std::string_view(bytes).substr(begin, at - begin)));
}

// Makes the checksums of the block at `at` right; its entry in the index, or nothing if there is no block.
std::optional<BlockEntry> seal_block(std::string& bytes, std::size_t at) {
    constexpr std::size_t kMaxDecoded = 1 << 20;
    const std::string_view rest = std::string_view(bytes).substr(at);
    if (!rest.starts_with(kBlockMagic)) return std::nullopt;
    const auto sections = get<std::uint32_t>(bytes, at + 4);
    const std::size_t table_end = at + 16 + 24 * std::size_t{sections};
    if (sections > kMaxBlockSections || table_end + 8 > bytes.size()) return std::nullopt;
    std::size_t stored_at = table_end + 8;
    for (std::size_t entry = at + 16; entry < table_end; entry += 24) {
        const auto raw_size = get<std::uint32_t>(bytes, entry + 8);
        const auto stored_size = get<std::uint32_t>(bytes, entry + 12);
        if (stored_size > bytes.size() - stored_at) return std::nullopt;
        std::string raw = bytes.substr(stored_at, stored_size);
        if (get<std::uint32_t>(bytes, entry + 4) == 1 && raw_size <= kMaxDecoded)
            if (auto decoded = base::decompress_block(raw, raw_size)) raw = std::move(*decoded);
        put(bytes, entry + 16, base::hash_text(raw));
        stored_at += stored_size;
    }
    seal(bytes, at, table_end);
    const auto header = parse_block_header(std::string_view(bytes).substr(at));
    if (!header) return std::nullopt;
    return BlockEntry{at, stored_at - at, header->games, header->plies, header->content_hash()};
}

// Blocks that stand one behind another from the header on.
std::vector<BlockEntry> seal_blocks(std::string& bytes) {
    if (bytes.size() >= kStoreHeaderSize) seal(bytes, 0, 16);
    std::vector<BlockEntry> blocks;
    std::size_t at = kStoreHeaderSize;
    while (at < bytes.size()) {
        const auto block = seal_block(bytes, at);
        if (!block) break;
        blocks.push_back(*block);
        at += block->size;
    }
    return blocks;
}

std::size_t end_of(const std::vector<BlockEntry>& blocks) {
    return blocks.empty() ? kStoreHeaderSize : blocks.back().offset + blocks.back().size;
}

std::string with_new_index(std::string bytes) {
    const auto blocks = seal_blocks(bytes);
    const std::size_t end = std::min(end_of(blocks), bytes.size());
    bytes.resize(end);
    return bytes + store_index(blocks, end);
}

std::string with_sealed_index(std::string bytes) {
    seal_blocks(bytes);
    const std::size_t at = bytes.rfind(kIndexMagic);
    if (at == std::string::npos || bytes.size() < at + kIndexFixedSize + kFooterSize) return bytes;
    const std::size_t footer = bytes.size() - kFooterSize;
    std::string hashes;
    for (std::size_t entry = at + 16; entry + kIndexEntrySize <= footer - 32; entry += kIndexEntrySize)
        hashes += bytes.substr(entry + 24, 8);
    put(bytes, footer - 16, data_hash_of(hashes));
    seal(bytes, at, footer - 8);
    seal(bytes, footer, footer + 16);
    return bytes;
}

void try_file(std::string_view bytes) {
    const MemoryFile file(bytes);
    for (const CutOff cut_off : {CutOff::Refuse, CutOff::Recover}) {
        const auto reader = StoreReader::open(file.path(), cut_off);
        if (!reader) {
            check_refusal(reader.error(), "a store");
            continue;
        }
        check(reader->blocks_end() <= bytes.size(), "the blocks end behind the file");
        for (std::size_t i = 0; i < reader->blocks().size(); ++i) {
            if (const auto block = reader->read_block(i)) read_block(*block);
            if (const auto raw = reader->read_block_bytes(i)) try_block(*raw);
        }
        if (const auto beyond = reader->has_blocks_beyond(); !beyond)
            check_refusal(beyond.error(), "what is beyond the blocks");
    }
}

void try_journal(std::string_view lines) {
    std::string text;
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        text += base::to_hex(base::hash_text(line)) + ' ';
        text += line;
        text += '\n';
    }
    const MemoryFile file(text);
    const auto journal = Journal::read(file.path());
    if (!journal) return check_refusal(journal.error(), "a journal");
    check(journal->steps.size() == journal->step_ends.size(), "{} steps, {} ends", journal->steps.size(),
          journal->step_ends.size());
    // What it has understood, written again, is understood the same.
    std::string again = Journal::line_of(journal->begin);
    for (const Journal::Step& step : journal->steps) again += Journal::line_of(step);
    const MemoryFile other_file(again);
    const Journal other = must(Journal::read(other_file.path()), "a journal that we wrote");
    check(other.begin.session == journal->begin.session && other.begin.end == journal->begin.end &&
              other.steps.size() == journal->steps.size(),
          "a journal has changed:\n{}{}", text, again);
    for (std::size_t i = 0; i < other.steps.size(); ++i)
        check(other.steps[i].progress == journal->steps[i].progress &&
                  other.steps[i].end == journal->steps[i].end &&
                  other.steps[i].content_hash == journal->steps[i].content_hash,
              "step {} of a journal has changed:\n{}{}", i + 1, text, again);
}

void run(std::string_view input) {
    const char mode = input.empty() ? 'f' : input.front();
    const std::string_view rest = input.substr(std::min<std::size_t>(1, input.size()));
    switch (mode) {
        case 'g':
            return check_stored(Source(rest));
        case 'b':
            return try_block(build_block(Source(rest)));
        case 's':
            return try_file(with_new_index(std::string(rest)));
        case 'i':
            return try_file(with_sealed_index(std::string(rest)));
        case 'j':
            return try_journal(rest);
        default:
            try_block(input);
            return try_file(mode == 'f' ? rest : input);
    }
}

}  // namespace
}  // namespace scholar::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scholar::fuzz::run(scholar::fuzz::as_text(data, size));
    return 0;
}
