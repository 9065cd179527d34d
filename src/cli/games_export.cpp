#include <cstdio>
#include <fmt/core.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/games_commands.hpp"
#include "cli/games_selection.hpp"
#include "cli/games_shared.hpp"
#include "games/pgn_writer.hpp"
#include "games/selection.hpp"

namespace scholar::cli {

namespace {

struct ExportOptions {
    std::vector<std::string> stores;
    std::string output;
    bool overwrite = false;
    games::SelectionWords selection;
};

// A file that appears when it is whole, or standard output.
class ExportOutput {
  public:
    static base::Result<ExportOutput> open(const std::string& path) {
        ExportOutput output;
        if (path == "-") return output;
        auto file = base::AtomicFile::create(path);
        if (!file) return std::unexpected(file.error());
        output.file_.emplace(std::move(*file));
        return output;
    }
    base::Status write(std::string_view text) {
        if (file_) return file_->write(text);
        if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return {};
        return base::fail("standard output: cannot write");
    }
    base::Status commit() {
        if (file_) return file_->commit();
        if (std::fflush(stdout) == 0) return {};
        return base::fail("standard output: cannot write");
    }

  private:
    std::optional<base::AtomicFile> file_;
};

base::Status export_games(const ExportOptions& options, const std::stop_token& stop) {
    const auto selection = games::parse_selection(options.selection);
    if (!selection) return std::unexpected(selection.error());
    if (auto status = check_output(options.output, options.stores); !status) return status;
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    const auto stores = open_stores(options.stores);
    if (!stores) return std::unexpected(stores.error());
    auto output = ExportOutput::open(options.output);
    if (!output) return std::unexpected(output.error());

    constexpr std::size_t kWrittenAtOnce = 1 << 20;
    base::Progress progress("exporting", games_in(*stores), "games");
    std::string text;
    std::uint64_t exported = 0;
    const auto status = games::for_each_selected(
        *stores, *selection, games::Columns::all(), stop, [&](std::uint64_t done) { progress.update(done); },
        [&](const games::Block& block, std::size_t number, games::GamePlace place) -> base::Status {
            const auto game = block.game(number);
            if (!game) return base::fail_in(games::to_string(*stores, place), game.error());
            text += games::to_pgn(*game);
            ++exported;
            if (text.size() < kWrittenAtOnce) return {};
            auto written = output->write(text);
            text.clear();
            return written;
        });
    if (!status) return status;
    if (auto written = output->write(text); !written) return written;
    if (auto committed = output->commit(); !committed) return committed;
    progress.finish();
    if (options.output != "-")
        fmt::print("{}: {} of {}\n", options.output, grouped(exported),
                   base::counted(games_in(*stores), "game"));
    if (exported == 0) fmt::print(stderr, "note: no game is what was asked for (scholar games stats)\n");
    return {};
}

}  // namespace

void add_games_export(Command games, Invocation& invocation) {
    const Command command = games.add_subcommand("export", "Write games of game stores as PGN");
    auto options = std::make_shared<ExportOptions>();
    command.add_option("STORE", options->stores, "Game stores").required();
    command.add_option("-o,--output", options->output, "The PGN file to write; - is standard output")
        .required();
    command.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    add_selection_options(command, options->selection);
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return export_games(*options, stop); };
    });
}

}  // namespace scholar::cli
