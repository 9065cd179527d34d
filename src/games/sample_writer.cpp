#include "games/sample_writer.hpp"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <iterator>

#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"

namespace scholar::games {

namespace {

// White's points as PGN writes them, or as they are if they are between.
std::string white_result(const Sample& sample) {
    const float points = sample.position.side_to_move() == chess::White ? sample.result : 1 - sample.result;
    if (points == 1) return "1-0";
    if (points == 0) return "0-1";
    if (points == 0.5F) return "1/2-1/2";
    return fmt::format("{}", points);
}

void write_epd(std::string& out, const Sample& sample) {
    const auto add = std::back_inserter(out);
    const chess::Position& position = sample.position;
    fmt::format_to(add, "{} hmvc {}; fmvn {};", chess::to_epd_fields(position), position.halfmove_clock(),
                   position.fullmove_number());
    if (const auto& evaluation = sample.evaluation) {
        // The standard has no word for being mated: a comment.
        if (evaluation->mate > 0)
            fmt::format_to(add, " dm {};", evaluation->mate);
        else if (evaluation->mate < 0)
            fmt::format_to(add, " c1 \"mated in {}\";", -evaluation->mate);
        else
            fmt::format_to(add, " ce {};", evaluation->centipawns);
        if (evaluation->depth > 0) fmt::format_to(add, " acd {};", evaluation->depth);
    }
    if (sample.move) fmt::format_to(add, " sm {};", chess::to_san(position, sample.move));
    fmt::format_to(add, " c0 \"ply {}\"; c9 \"{}\";\n", sample.ply, white_result(sample));
}

void write_json(std::string& out, const Sample& sample, std::span<const std::string> producers) {
    const auto add = std::back_inserter(out);
    fmt::format_to(add, R"({{"fen":"{}","result":{},"ply":{})", chess::to_fen(sample.position), sample.result,
                   sample.ply);
    if (sample.move) fmt::format_to(add, R"(,"move":"{}")", chess::to_uci(sample.move));
    if (const auto& evaluation = sample.evaluation) {
        if (evaluation->mate != 0)
            fmt::format_to(add, R"(,"mate":{})", evaluation->mate);
        else
            fmt::format_to(add, R"(,"centipawns":{})", evaluation->centipawns);
        if (evaluation->depth > 0) fmt::format_to(add, R"(,"depth":{})", evaluation->depth);
        fmt::format_to(add, R"(,"producer":{})",
                       base::quoted(producers[sample.producer], base::Quoting::Json));
    }
    out += "}\n";
}

void write_csv(std::string& out, const Sample& sample, std::span<const std::string> producers) {
    const auto add = std::back_inserter(out);
    fmt::format_to(add, "{},{},{},{},", chess::to_fen(sample.position), sample.result, sample.ply,
                   sample.move ? chess::to_uci(sample.move) : "");
    if (const auto& evaluation = sample.evaluation) {
        if (evaluation->mate != 0)
            fmt::format_to(add, ",{},", evaluation->mate);
        else
            fmt::format_to(add, "{},,", evaluation->centipawns);
        if (evaluation->depth > 0) fmt::format_to(add, "{}", evaluation->depth);
        fmt::format_to(add, ",{}\n", base::quoted(producers[sample.producer], base::Quoting::Csv));
    } else {
        out += ",,,\n";
    }
}

// In centipawns of the mover's advantage, as trainers that know of no mates have it.
int plain_score(const Sample& sample) {
    constexpr int kMateScore = 32'000;
    if (!sample.evaluation) return 0;
    const int mate = sample.evaluation->mate;
    if (mate == 0) return sample.evaluation->centipawns;
    return mate > 0 ? kMateScore - mate : -kMateScore - mate;
}

void write_text(std::string& out, const Sample& sample) {
    const bool white = sample.position.side_to_move() == chess::White;
    const float points = white ? sample.result : 1 - sample.result;
    fmt::format_to(std::back_inserter(out), "{} | {} | {:.1f}\n", chess::to_fen(sample.position),
                   white ? plain_score(sample) : -plain_score(sample), points);
}

// Men in the order of the squares, a1 first, four bits each: the kind, and 8 where it is the other side's.
// The board is turned to the mover, and the other side's king once more.
void write_bullet(std::string& out, const Sample& sample) {
    constexpr std::size_t kRecord = 32;
    constexpr std::size_t kMen = 8;
    constexpr std::size_t kScore = 24;
    const chess::Position& position = sample.position;
    const chess::Color us = position.side_to_move();
    std::array<std::uint8_t, kRecord> record{};
    const auto put = [&record](std::size_t at, std::uint64_t value, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i) record[at + i] = static_cast<std::uint8_t>(value >> 8 * i);
    };
    chess::Bitboard occupied = 0;
    for (const chess::Square square : chess::squares(position.occupied()))
        occupied |= chess::bit(chess::relative_square(us, square));
    put(0, occupied, sizeof occupied);
    std::size_t man = 0;
    for (const chess::Square seen : chess::squares(occupied)) {
        const chess::Piece piece = position.piece_on(chess::relative_square(us, seen));
        const unsigned code = chess::kind_of(piece) | (chess::color_of(piece) == us ? 0U : 8U);
        record[kMen + man / 2] |= static_cast<std::uint8_t>(code << man % 2 * 4);
        ++man;
    }
    put(kScore, static_cast<std::uint16_t>(plain_score(sample)), 2);
    put(kScore + 2, static_cast<std::uint64_t>(2 * sample.result), 1);
    put(kScore + 3, chess::relative_square(us, position.king(us)), 1);
    put(kScore + 4, chess::relative_square(~us, position.king(~us)), 1);
    out.append(record.begin(), record.end());
}

// By SampleFormat.
constexpr std::array<std::string_view, 5> kSampleFormats{"epd", "jsonl", "csv", "text", "bullet"};

}  // namespace

std::vector<std::string> sample_format_names() {
    return {kSampleFormats.begin(), kSampleFormats.end()};
}

base::Result<SampleFormat> parse_sample_format(std::string_view name) {
    const auto* const found = std::ranges::find(kSampleFormats, name);
    if (found != kSampleFormats.end()) return static_cast<SampleFormat>(found - kSampleFormats.begin());
    return base::fail("format is '{}', expected one of {}", name, fmt::join(kSampleFormats, ", "));
}

std::string sample_header(SampleFormat format) {
    return format == SampleFormat::Csv ? "fen,result,ply,move,centipawns,mate,depth,producer\n" : "";
}

void write_sample(std::string& out, SampleFormat format, const Sample& sample,
                  std::span<const std::string> producers) {
    switch (format) {
        case SampleFormat::Epd:
            return write_epd(out, sample);
        case SampleFormat::JsonLines:
            return write_json(out, sample, producers);
        case SampleFormat::Csv:
            return write_csv(out, sample, producers);
        case SampleFormat::Text:
            return write_text(out, sample);
        case SampleFormat::Bullet:
            return write_bullet(out, sample);
    }
}

}  // namespace scholar::games
