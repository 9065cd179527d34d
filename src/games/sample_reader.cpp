#include "games/sample_reader.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/text.hpp"
#include "chess/fen.hpp"

namespace scholar::games {

namespace {

constexpr std::size_t kReadAtOnce = 1 << 18;
constexpr std::size_t kLongestLine = 1 << 16;

// Of sample_writer.hpp: a mate in n moves is kMateScore − n, and no score of a position comes near.
constexpr int kMateScore = 32'000;
constexpr int kMostCentipawns = 31'000;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Of White's score.
Evaluation evaluation_of(int score) {
    Evaluation evaluation;
    if (std::abs(score) <= kMostCentipawns) {
        evaluation.centipawns = static_cast<std::int16_t>(score);
    } else {
        const int mate = std::max(kMateScore - std::abs(score), 1);
        evaluation.mate = static_cast<std::int16_t>(score > 0 ? mate : -mate);
    }
    return evaluation;
}

std::optional<GameResult> white_result_of(std::string_view text) {
    if (text.size() > 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
    if (text == "1.0" || text == "1") return GameResult::WhiteWins;
    if (text == "0.5") return GameResult::Draw;
    if (text == "0.0" || text == "0") return GameResult::BlackWins;
    const auto result = parse_result(text);
    return result == GameResult::Unknown ? std::nullopt : result;
}

Game game_of(const chess::Position& position, int score, GameResult result) {
    Game game;
    game.start = position;
    game.result = result;
    game.evaluations = {evaluation_of(score)};
    return game;
}

// The first field of a FEN. Of each square its man's letter, or 0.
std::string board_field(const std::array<char, 64>& board) {
    std::string fen;
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const char man = board[chess::make_square(file, rank)];
            if (man == 0) {
                ++empty;
                continue;
            }
            if (empty > 0) fen += static_cast<char>('0' + empty);
            empty = 0;
            fen += man;
        }
        if (empty > 0) fen += static_cast<char>('0' + empty);
        if (rank > 0) fen += '/';
    }
    return fen;
}

std::uint64_t little_endian(std::span<const char> bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        value |= std::uint64_t{static_cast<std::uint8_t>(bytes[i])} << 8 * i;
    return value;
}

}  // namespace

base::Result<Game> parse_sample_line(std::string_view line) {
    std::array<std::string_view, 3> fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::size_t end = line.find('|');
        if ((end == std::string_view::npos) != (i + 1 == fields.size()))
            return base::fail("'{}', expected 'FEN | score | result'", base::excerpt(line));
        fields[i] = trimmed(line.substr(0, end));
        if (end != std::string_view::npos) line.remove_prefix(end + 1);
    }
    auto position = chess::parse_fen(fields[0]);
    if (!position) return std::unexpected(position.error());
    const auto score = base::parse_number<int>(fields[1]);
    if (!score || std::abs(*score) > std::numeric_limits<std::int16_t>::max())
        return base::fail("score '{}', expected a whole number of White's centipawns from -32767 to 32767",
                          base::excerpt(fields[1]));
    const auto result = white_result_of(fields[2]);
    if (!result) return base::fail("result '{}', expected White's 1.0, 0.5 or 0.0", base::excerpt(fields[2]));
    return game_of(*position, *score, *result);
}

base::Result<Game> parse_bullet_record(std::span<const char, kBulletRecord> record) {
    constexpr std::string_view kLetters = "PNBRQK";
    constexpr std::size_t kMen = 8;
    constexpr std::size_t kScore = 24;
    constexpr std::size_t kMost = 32;
    const chess::Bitboard occupied = little_endian(record.first(kMen));
    if (const int men = std::popcount(occupied); men > static_cast<int>(kMost))
        return base::fail("{} men on the board, expected at most {}", men, kMost);
    std::array<char, 64> board{};
    std::size_t number = 0;
    for (const chess::Square square : chess::squares(occupied)) {
        const unsigned code = static_cast<std::uint8_t>(record[kMen + number / 2]) >> number % 2 * 4 & 0xFU;
        const unsigned kind = code & 7U;
        if (kind >= kLetters.size())
            return base::fail("man {} of the board is {}, expected a kind from 0 to {}", number + 1, kind,
                              kLetters.size() - 1);
        board[square] = static_cast<char>((code & 8U) != 0 ? kLetters[kind] - 'A' + 'a' : kLetters[kind]);
        ++number;
    }
    auto position = chess::parse_fen(board_field(board) + " w - - 0 1");
    if (!position) return std::unexpected(position.error());
    // What other programs keep in files of the same name has something else there.
    const auto own = static_cast<std::uint8_t>(record[kScore + 3]);
    const auto other = static_cast<std::uint8_t>(record[kScore + 4]);
    if (own != position->king(chess::White) ||
        other != chess::relative_square(chess::Black, position->king(chess::Black)))
        return base::fail("the kings are said to stand on squares {} and {}, not where they do", own, other);
    const auto result = static_cast<std::uint8_t>(record[kScore + 2]);
    if (result > 2) return base::fail("result {}, expected 0 (lost), 1 (drawn) or 2 (won)", result);
    const auto score = static_cast<std::int16_t>(little_endian(record.subspan<kScore, 2>()));
    constexpr std::array kResults{GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins};
    return game_of(*position, score, kResults[result]);
}

base::Result<SampleReader> SampleReader::open(const std::string& path, SampleFormat format,
                                              std::stop_token stop) {
    auto input = base::open_input(path, std::move(stop));
    if (!input) return std::unexpected(input.error());
    return SampleReader(std::move(*input), format);
}

base::Result<bool> SampleReader::fill() {
    bytes_.erase(0, at_);
    at_ = 0;
    const std::size_t before = bytes_.size();
    bytes_.resize(before + kReadAtOnce);
    const auto read = input_->read(std::span(bytes_).subspan(before));
    if (!read) return std::unexpected(read.error());
    bytes_.resize(before + *read);
    return *read > 0;
}

base::Result<std::optional<SampleReader::Taken>> SampleReader::take() {
    const bool in_lines = format_ == SampleFormat::Text;
    std::size_t looked = 0;  // no line ends in so many bytes
    bool too_long = false;   // there was more of it, which is dropped
    while (true) {
        const std::size_t left = bytes_.size() - at_;
        std::size_t size = kBulletRecord;
        std::size_t passed = kBulletRecord;
        if (in_lines) {
            size = bytes_.find('\n', at_ + looked) - at_;
            passed = size + 1;
        }
        if (size <= left) {
            const Taken taken{std::string_view(bytes_).substr(at_, size), too_long};
            at_ += passed;
            return taken;
        }
        looked = left;
        if (in_lines && left > kLongestLine) {
            too_long = true;
            at_ = bytes_.size();
            looked = 0;
        }
        const auto more = fill();
        if (!more) return std::unexpected(more.error());
        if (*more) continue;
        if (bytes_.empty() && !too_long) return std::nullopt;
        // The last line need not have an end; the last record must.
        at_ = bytes_.size();
        return Taken{bytes_, too_long || !in_lines};
    }
}

base::Result<std::optional<SampleReader::Item>> SampleReader::next() {
    while (true) {
        const auto taken = take();
        if (!taken) return std::unexpected(taken.error());
        if (!*taken) return std::nullopt;
        ++number_;
        const auto [bytes, is_broken] = **taken;
        if (format_ == SampleFormat::Bullet) {
            if (is_broken)
                return Item{number_,
                            base::fail("has only {} bytes, expected {}", bytes.size(), kBulletRecord)};
            return Item{number_, parse_bullet_record(std::span(bytes).first<kBulletRecord>())};
        }
        if (is_broken)
            return Item{number_,
                        base::fail("is longer than {} bytes, expected 'FEN | score | result'", kLongestLine)};
        if (const std::string_view line = trimmed(bytes); !line.empty())
            return Item{number_, parse_sample_line(line)};
    }
}

}  // namespace scholar::games
