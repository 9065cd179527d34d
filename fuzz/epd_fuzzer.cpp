// EPD: a record that was read is the same after it was written and read again, and its moves are legal ones.

#include <algorithm>

#include "check.hpp"
#include "chess/epd.hpp"
#include "chess/movegen.hpp"
#include "fuzzer.hpp"

namespace scholar::fuzz {
namespace {

using namespace chess;

void run(std::string_view line) {
    const auto epd = parse_epd(line);
    if (!epd) {
        return check_refusal(epd.error(), "EPD");
    }
    const std::string written = to_epd(*epd);
    const Epd again = must(parse_epd(written), "an EPD that we wrote");
    check(again == *epd, "'{}' is read as another record, '{}'", written, to_epd(again));
    check(to_epd(again) == written, "'{}' is written again as '{}'", written, to_epd(again));
    const MoveList legal = legal_moves(epd->position);
    for (const char* opcode : {"bm", "am", "sm"}) {
        const auto moves = epd->moves(opcode);
        if (!moves) {
            check_refusal(moves.error(), opcode);
            continue;
        }
        for (const Move move : *moves)
            check(std::ranges::find(legal, move) != legal.end(), "{}: an illegal move in '{}'", opcode,
                  written);
    }
    if (const auto moves = epd->variation("pv")) {
        Position position = epd->position;
        for (const Move move : *moves) {
            const MoveList now = legal_moves(position);
            check(std::ranges::find(now, move) != now.end(), "pv: an illegal move in '{}'", written);
            position.make(move);
        }
    }
}

}  // namespace
}  // namespace scholar::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scholar::fuzz::run(scholar::fuzz::as_text(data, size));
    return 0;
}
