// Positions of other programs' trainers: what was read as a line of text, or as a record of bullet's, is the
// same when it was written and read again.

#include "check.hpp"
#include "chess/fen.hpp"
#include "fuzzer.hpp"
#include "games/sample_reader.hpp"

namespace scholar::fuzz {
namespace {

using namespace games;

std::string written(SampleFormat format, const Game& game) {
    Sample sample;
    sample.position = game.start;
    const chess::Color side = game.start.side_to_move();
    sample.result = static_cast<float>(*points(game.result, side));
    sample.evaluation = game.evaluations.at(0);
    if (side == chess::Black) {
        sample.evaluation->centipawns = static_cast<std::int16_t>(-sample.evaluation->centipawns);
        sample.evaluation->mate = static_cast<std::int16_t>(-sample.evaluation->mate);
    }
    std::string out;
    write_sample(out, format, sample, {});
    return out;
}

void check_same(const Game& first, const Game& again) {
    check(chess::to_fen(first.start) == chess::to_fen(again.start), "'{}' is read again as '{}'",
          chess::to_fen(first.start), chess::to_fen(again.start));
    check(first.result == again.result && first.evaluations == again.evaluations,
          "'{}': another result or score", chess::to_fen(first.start));
}

void run(std::string_view bytes) {
    if (const auto game = parse_sample_line(bytes)) {
        const std::string line = written(SampleFormat::Text, *game);
        check_same(*game, must(parse_sample_line(line.substr(0, line.size() - 1)), "a line that we wrote"));
    } else {
        check_refusal(game.error(), "line");
    }
    if (bytes.size() != kBulletRecord) return;
    if (const auto game = parse_bullet_record(std::span(bytes).first<kBulletRecord>())) {
        const std::string record = written(SampleFormat::Bullet, *game);
        check_same(*game, must(parse_bullet_record(std::span(record).first<kBulletRecord>()),
                               "a record that we wrote"));
    } else {
        check_refusal(game.error(), "record");
    }
}

}  // namespace
}  // namespace scholar::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scholar::fuzz::run(scholar::fuzz::as_text(data, size));
    return 0;
}
