#include "games/sample_writer.hpp"

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

}  // namespace

base::Result<SampleFormat> parse_sample_format(std::string_view name) {
    if (name == "epd") return SampleFormat::Epd;
    if (name == "jsonl") return SampleFormat::JsonLines;
    if (name == "csv") return SampleFormat::Csv;
    return base::fail("format is '{}', expected epd, jsonl or csv", name);
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
    }
}

}  // namespace scholar::games
