// What a chess server sends: the input is its bytes, cut into pieces. A session that plays at once whatever
// move comes first must send only moves that are legal in the position that it was asked about, lines without
// line ends in them, and never two for one turn; and each board that is read is a position whose FEN is read.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "check.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "fuzzer.hpp"
#include "protocols/ics_lines.hpp"
#include "protocols/ics_session.hpp"
#include "protocols/ics_style12.hpp"

namespace scholar::fuzz {
namespace {

namespace ics = protocols::ics;
using namespace std::chrono_literals;

class Host final : public ics::SessionHost {
  public:
    void send(std::string_view line, bool) override {
        check(line.find_first_of("\r\n") == std::string_view::npos, "a command with a line end: {}", line);
        ++sent;
    }
    void hang_up() override { hung_up = true; }
    void game_starts(const engine::GameHeader&) override {}
    void think(ics::TurnRequest request) override {
        check(!thinking, "asked for two moves at a time");
        check(chess::has_legal_move(request.line.current()), "asked for a move where there is none");
        check(request.line.current().side_to_move() == request.header.side, "asked for the opponent's move");
        thinking = std::move(request);
    }
    void stop_thinking() override { thinking.reset(); }
    void game_over(engine::PlayedGame game) override {
        chess::Position position = game.start;
        for (const auto& move : game.moves) {
            check(chess::legal_moves(position).contains(move.move), "an illegal move in a game");
            position.make(move.move);
        }
        over = true;
    }
    void note(std::string_view what) override {
        check(what.find_first_of("\r\n") == std::string_view::npos, "a note of several lines: {}", what);
    }

    std::optional<ics::TurnRequest> thinking;
    bool over = false;
    bool hung_up = false;
    long sent = 0;
};

void check_board(std::string_view line) {
    const auto board = ics::parse_style12(line);
    if (!board) {
        check_refusal(board.error(), "style 12");
        return;
    }
    const auto again = must(chess::parse_fen(chess::to_fen(board->position)), "a board's FEN");
    check(ics::same_board(again, board->position), "a board's FEN is another board");
}

void run(std::string_view input) {
    // The first byte chooses the pieces.
    const std::size_t piece = input.empty() ? 1 : 1 + static_cast<unsigned char>(input.front()) % 64;
    if (!input.empty()) input.remove_prefix(1);

    Host host;
    ics::SessionSettings settings;
    settings.credentials = {"Scholar", "secret"};
    settings.policy.seeks = {{3, 0}};
    ics::Clock::time_point now{};
    ics::Session session(settings, host, now);
    const auto begin = now;
    session.connected(now);
    ics::LineReader reader;
    for (std::size_t at = 0; at < input.size(); at += piece) {
        reader.feed(input.substr(at, piece));
        while (const auto line = reader.next()) {
            check(line->size() <= ics::LineReader::kMaxLine, "a line of {} bytes", line->size());
            check_board(*line);
            session.line(*line, now);
        }
        session.partial(reader.partial(), now);
        now += 200ms;
        session.tick(now);
        if (host.thinking) {
            engine::Decision decision;
            decision.move = chess::legal_moves(host.thinking->line.current())[0];
            decision.accepts_draw = true;
            session.decided(std::exchange(host.thinking, std::nullopt)->ticket, decision, now);
        }
        if (std::exchange(host.over, false)) session.reviewed(now);
        if (std::exchange(host.hung_up, false)) {
            session.disconnected(now);
            reader = {};
            if (!session.wants_connection()) break;
            session.connected(now);
        }
    }
    // The login's answers do not count as commands: at most one to each line, and some before.
    const auto& throttle = settings.throttle;
    const long allowed = throttle.burst + (now - begin) / throttle.interval + 1 +
                         3 * (1 + std::ranges::count(input, '\n')) + 3;
    check(host.sent <= allowed, "{} commands, allowed were {}", host.sent, allowed);
}

}  // namespace
}  // namespace scholar::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scholar::fuzz::run(scholar::fuzz::as_text(data, size));
    return 0;
}
