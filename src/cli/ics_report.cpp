#include "cli/ics_report.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "chess/uci_move.hpp"
#include "cli/output.hpp"
#include "games/pgn_writer.hpp"

namespace scholar::cli {

namespace {

std::string player(const engine::GameHeader& header, chess::Color color) {
    const auto rating = header.ratings[color];
    return rating ? fmt::format("{} ({})", header.names[color], *rating) : header.names[color];
}

std::string terms(const engine::GameHeader& header) {
    return fmt::format("{} {} {} {}", header.rated ? "rated" : "unrated", header.kind,
                       std::chrono::duration_cast<std::chrono::minutes>(header.base).count(),
                       std::chrono::duration_cast<std::chrono::seconds>(header.increment).count());
}

Json stated_rating(std::optional<int> rating) {
    return rating ? Json(*rating) : Json(nullptr);
}

Json header_json(std::string_view event, const engine::GameHeader& header) {
    Json json;
    json["event"] = event;
    json["white"] = header.names[chess::White];
    json["black"] = header.names[chess::Black];
    json["white_rating"] = stated_rating(header.ratings[chess::White]);
    json["black_rating"] = stated_rating(header.ratings[chess::Black]);
    json["side"] = header.side == chess::White ? "white" : "black";
    json["kind"] = header.kind;
    json["rated"] = header.rated;
    json["base_seconds"] = header.base.count() / 1'000;
    json["increment_seconds"] = header.increment.count() / 1'000;
    json["resumed"] = header.resumed;
    return json;
}

}  // namespace

base::Result<IcsReport> IcsReport::create(const std::string& pgn, bool json) {
    IcsReport report;
    report.json_ = json;
    if (!pgn.empty()) {
        auto file = arena::LineAppender::open(pgn);
        if (!file) return std::unexpected(file.error());
        report.pgn_.emplace(std::move(*file));
    }
    return report;
}

void IcsReport::game_starts(const engine::GameHeader& header) {
    if (json_)
        print(header_json("game_started", header));
    else
        fmt::print(stderr, "{} - {}, {}{}\n", player(header, chess::White), player(header, chess::Black),
                   terms(header), header.resumed ? ", resumed" : "");
    std::fflush(stdout);
}

base::Status IcsReport::game_over(const engine::PlayedGame& game) {
    if (const auto points = game.points()) ++(*points == 1.0 ? wins_ : *points == 0.0 ? losses_ : draws_);
    if (json_) {
        Json json = header_json("game_over", game.header);
        json["result"] = games::to_string(game.result);
        json["end"] = engine::to_string(game.end);
        json["reason"] = game.reason;
        json["whole"] = game.is_whole;
        Json moves = Json::array();
        for (const auto& move : game.moves) moves.push_back(chess::to_uci(move.move));
        json["moves"] = std::move(moves);
        print(json);
    } else {
        fmt::print("{} - {} {}, {} ({})  {}\n", player(game.header, chess::White),
                   player(game.header, chess::Black), games::to_string(game.result), game.reason,
                   terms(game.header), score());
    }
    std::fflush(stdout);
    // An adjourned game may yet be gone on with: it is kept when it has ended.
    if (!pgn_ || game.end == engine::GameEnd::Adjourned) return {};
    return pgn_->append(games::to_pgn(engine::to_game(game)));
}

void IcsReport::note(std::string_view what) {
    if (!json_) {
        fmt::print(stderr, "{}\n", what);
        return;
    }
    Json json;
    json["event"] = "note";
    json["text"] = what;
    print(json);
    std::fflush(stdout);
}

std::string IcsReport::score() const {
    return fmt::format("+{} ={} -{}", wins_, draws_, losses_);
}

void IcsReport::print_summary() const {
    if (!json_) fmt::print("{}: {}\n", base::counted(wins_ + draws_ + losses_, "game"), score());
}

}  // namespace scholar::cli
