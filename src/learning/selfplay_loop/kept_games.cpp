#include "learning/selfplay_loop/kept_games.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "selfplay/score_record.hpp"

namespace scholar::learning {

games::Game with_evaluations(const selfplay::Record& record) {
    games::Game game = record.game;
    game.tags = {{"Event", "Scholar learns"},
                 {"Round", fmt::format("{}", record.generation)},
                 {"White", "Scholar"},
                 {"Black", "Scholar"}};
    game.evaluations.assign(game.moves.size(), std::nullopt);
    chess::Color side = game.start.side_to_move();
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply, side = ~side)
        if (const selfplay::Judgement& judgement = record.judgements[ply]; judgement.searched)
            game.evaluations[ply] = selfplay::evaluation_of(judgement.score, side);
    return game;
}

base::Result<KeptGames> KeptGames::open(const std::filesystem::path& path, const std::string& settings,
                                        std::uint64_t played) {
    games::StoreWriter::Options options;
    options.resumable = true;
    options.session = fmt::format("scholar learn, settings {}", base::to_hex(base::hash_text(settings)));
    std::error_code unknown;
    const bool finished = std::filesystem::exists(path, unknown) &&
                          !std::filesystem::exists(games::journal_path(path), unknown);
    auto writer =
        finished ? games::StoreWriter::append_to(path, options) : games::StoreWriter::resume(path, options);
    if (!writer) return std::unexpected(writer.error());
    if (writer->games() < played)
        return base::fail("{}: holds {}, expected the {} that the run has played", path.string(),
                          base::counted(writer->games(), "game"), played);
    return KeptGames(std::move(*writer));
}

base::Status KeptGames::add(const selfplay::Record& record) {
    if (record.number < next_) return {};
    ++next_;
    return writer_.add(with_evaluations(record));
}

base::Status KeptGames::finish() {
    if (auto summary = writer_.finish(); !summary) return std::unexpected(summary.error());
    return {};
}

}  // namespace scholar::learning
