#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "tablebases/tablebases.hpp"

namespace scholar::cli {

namespace {

using tablebases::RootMove;
using tablebases::Tablebases;

struct TablebaseArguments {
    std::string fen;
    std::string path;
    bool verify = false;
    bool json = false;
};

Json to_json(const std::optional<int>& distance) {
    return distance ? Json(*distance) : Json();
}

// For people: "dtz 13, dtm 27", as far as they are known.
std::string in_words(const std::optional<int>& dtz, const std::optional<int>& dtm) {
    if (!dtz && !dtm) return "no distance";
    const auto word = [](const char* name, const std::optional<int>& value) {
        return value ? fmt::format("{} {}", name, *value) : std::string();
    };
    return word("dtz", dtz) + (dtz && dtm ? ", " : "") + word("dtm", dtm);
}

base::Status show_position(const TablebaseArguments& options, const Tablebases& tables) {
    const auto position = chess::parse_fen(options.fen);
    if (!position) return std::unexpected(position.error());
    const auto outcome = tables.probe_wdl(*position);
    const auto probe = tables.probe_root(chess::Line(*position));
    if (!outcome || !probe) {
        if (position->castling_rights() != 0)
            return base::fail("{}: tablebases have no positions with castling rights", options.fen);
        return base::fail("{}: not all tables that this needs are in {} (at most {} pieces there)",
                          options.fen, tables.path(), tables.max_pieces());
    }
    const auto dtz = tables.probe_dtz(*position);
    const auto mate = tables.probe_dtm(*position);
    const auto dtm = mate ? std::optional(mate->sign * mate->plies) : std::nullopt;
    const bool with_clock = probe->dtz || (!probe->moves.empty() && probe->moves.front().dtm);
    if (options.json) {
        Json moves = Json::array();
        for (const RootMove& entry : probe->moves)
            moves.push_back({{"move", chess::to_uci(entry.move)},
                             {"san", chess::to_san(*position, entry.move)},
                             {"outcome", to_string(entry.outcome)},
                             {"dtz", to_json(entry.dtz)},
                             {"dtm", to_json(entry.dtm)},
                             {"mates", entry.mates}});
        print({{"fen", chess::to_fen(*position)},
               {"wdl", to_string(*outcome)},
               {"dtz", to_json(dtz)},
               {"dtm", to_json(dtm)},
               {"with_clock", with_clock ? Json(to_string(probe->outcome)) : Json()},
               {"moves", moves}});
        return {};
    }
    fmt::print("{}\n{} to move: {}, {}", chess::to_fen(*position),
               position->side_to_move() == chess::White ? "White" : "Black", to_string(*outcome),
               in_words(dtz, dtm));
    if (!with_clock)
        fmt::print("; clock not reckoned with: no distance tables");
    else if (probe->outcome != *outcome)
        fmt::print("; with the halfmove clock at {}: {}", position->halfmove_clock(),
                   to_string(probe->outcome));
    fmt::print("\n");
    for (const RootMove& entry : probe->moves)
        fmt::print("  {:<8} {:<12}  {}\n", chess::to_san(*position, entry.move), to_string(entry.outcome),
                   in_words(entry.dtz, entry.dtm));
    return {};
}

base::Status run_tablebase(TablebaseArguments& options) {
    if (options.path.empty()) {
        const char* path = std::getenv("SCHOLAR_SYZYGY");
        if (path == nullptr || *path == '\0')
            return base::fail("no tablebases: expected --path FOLDER or the variable SCHOLAR_SYZYGY");
        options.path = path;
    }
    if (options.fen.empty() && !options.verify)
        return base::fail("nothing to do: expected a FEN or --verify");
    const auto tables = Tablebases::open(options.path);
    if (!tables) return std::unexpected(tables.error());
    if (options.verify) {
        if (auto status = tables->verify(); !status) return status;
        if (options.json)
            print({{"path", tables->path()},
                   {"wdl_tables", tables->wdl_tables()},
                   {"dtz_tables", tables->dtz_tables()},
                   {"dtm_tables", tables->dtm_tables()},
                   {"max_pieces", tables->max_pieces()}});
        else
            fmt::print(
                "{}: {} win/draw/loss and {} distance tables of up to {} pieces, all checksums right{}\n",
                tables->path(), tables->wdl_tables(), tables->dtz_tables(), tables->max_pieces(),
                tables->dtm_tables() == 0
                    ? ""
                    : fmt::format("; {} of Gaviota's, which have none", tables->dtm_tables()));
    }
    return options.fen.empty() ? base::Status() : show_position(options, *tables);
}

}  // namespace

void add_tablebase_command(Command app, Invocation& invocation) {
    const Command command = app.add_subcommand("tablebase", "What endgame tables say of a position");
    command.footer(
        "dtz is the number of half-moves to the next capture or pawn move, or to mate, with best play: "
        "positive for\n"
        "a win of the side to move. A cursed win and a blessed loss are draws by the fifty-move rule. dtm is "
        "the number\nof half-moves to mate, where there are Gaviota's tables.");
    auto options = std::make_shared<TablebaseArguments>();
    command.add_option("FEN", options->fen, "Position");
    command.add_option(
        "--path", options->path,
        "Folder of Syzygy (.rtbw, .rtbz) or Gaviota files (.gtb.cp4), or several with ':' between (default: "
        "$SCHOLAR_SYZYGY)");
    command.add_flag("--verify", options->verify, "Read every file and compare its checksum");
    command.add_flag("--json", options->json, "Print one JSON object");
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token&) { return run_tablebase(*options); };
    });
}

}  // namespace scholar::cli
