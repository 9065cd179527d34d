#include "cli/analysed_games.hpp"

#include <optional>
#include <utility>

#include "base/text.hpp"
#include "cli/games_shared.hpp"
#include "cli/output.hpp"
#include "games/pgn.hpp"

namespace scholar::cli {

namespace {

class Gathering {
  public:
    Gathering(const games::Selection& selection, ProblemLog& problems, const std::stop_token& stop)
        : selection_(selection), problems_(problems), stop_(stop) {}

    // `named`: its games are to say that they are from there.
    base::Status read(const std::string& file, bool named) {
        named_ = named ? file : "";
        return is_game_store(file) ? read_store(file) : read_pgn(file);
    }
    GamesToAnalyse take() { return std::move(found_); }
    std::uint64_t passed() const { return passed_; }

  private:
    base::Status read_store(const std::string& file) {
        const auto stores = open_stores({file});
        if (!stores) return std::unexpected(stores.error());
        base::Progress progress("reading", games_in(*stores), "games");
        passed_ += games_in(*stores);
        return games::for_each_selected(
            *stores, selection_, games::Columns::all(), stop_,
            [&](std::uint64_t done) { progress.update(done); },
            [&](const games::Block& block, std::size_t number, games::GamePlace place) -> base::Status {
                auto game = block.game(number);
                if (!game) return base::fail_in(games::to_string(*stores, place), game.error());
                add(std::move(*game), place.number());
                return {};
            });
    }

    base::Status read_pgn(const std::string& file) {
        auto reader = games::PgnReader::open(file);
        if (!reader) return std::unexpected(reader.error());
        std::optional<base::Progress> progress;  // where it takes a while
        while (!stop_.stop_requested()) {
            const auto item = reader->next();
            if (!item) return std::unexpected(item.error());
            if (*item == games::PgnItem::End) return select_packed();
            if (!progress && reader->games() > kPackedAtOnce) progress.emplace("reading", 0, "games");
            if (progress) progress->update(reader->games(), file);
            if (*item == games::PgnItem::Problem) {
                if (auto status = problems_.add(reader->problem()); !status) return status;
                continue;
            }
            ++passed_;
            // A selection is of packed games.
            if (const auto packed = builder_.add(reader->game()); !packed) {
                if (auto status = problems_.add(reader->refused(packed.error().message)); !status)
                    return status;
                continue;
            }
            packed_.push_back({std::move(reader->game()), reader->games()});
            if (builder_.full(kPackedAtOnce, kPackedBytes))
                if (auto status = select_packed(); !status) return status;
        }
        return base::fail("stopped in {}", file);
    }

    base::Status select_packed() {
        if (builder_.empty()) return {};
        const auto block = games::Block::decode(builder_.finish(1), games::Columns::all());
        if (!block) return std::unexpected(block.error());
        for (std::size_t i = 0; i < packed_.size(); ++i) {
            auto& [game, number] = packed_[i];
            const auto matches = games::matches(selection_, *block, i, number);
            if (!matches) return std::unexpected(matches.error());
            if (*matches) add(std::move(game), number);
        }
        packed_.clear();
        return {};
    }

    void add(games::Game game, std::uint64_t number) {
        found_.games.push_back(std::move(game));
        found_.sources.push_back({.file = named_, .number = number});
    }

    static constexpr std::size_t kPackedAtOnce = 2'000;
    static constexpr std::size_t kPackedBytes = std::size_t{1} << 22;

    const games::Selection& selection_;
    ProblemLog& problems_;
    const std::stop_token& stop_;
    std::string named_;
    GamesToAnalyse found_;
    std::uint64_t passed_ = 0;
    games::BlockBuilder builder_;
    std::vector<std::pair<games::Game, std::uint64_t>> packed_;
};

// So many, spread evenly over all.
GamesToAnalyse spread(GamesToAnalyse all, std::uint64_t count) {
    const std::uint64_t there = all.games.size();
    if (count == 0 || count >= there) return all;
    GamesToAnalyse taken;
    for (std::uint64_t i = 0; i < there; ++i) {
        // Where the share of those that are taken passes a whole number.
        if ((i + 1) * count / there == i * count / there) continue;
        taken.games.push_back(std::move(all.games[i]));
        taken.sources.push_back(std::move(all.sources[i]));
    }
    return taken;
}

}  // namespace

base::Result<GamesToAnalyse> read_games_to_analyse(const std::vector<std::string>& files,
                                                   const games::SelectionWords& words, std::uint64_t count,
                                                   ProblemLog& problems, const std::stop_token& stop) {
    const auto selection = games::parse_selection(words);
    if (!selection) return std::unexpected(selection.error());
    Gathering gathering(*selection, problems, stop);
    for (const std::string& file : files)
        if (auto status = gathering.read(file, files.size() > 1); !status)
            return std::unexpected(status.error());
    GamesToAnalyse found = gathering.take();
    if (found.games.empty() && gathering.passed() == 0 && problems.count() > 0)
        return base::fail("no game could be read: {}", problems.first().front());
    if (found.games.empty())
        return base::fail("{}: none of {} is selected, expected at least one", files.front(),
                          base::counted(gathering.passed(), "game"));
    return spread(std::move(found), count);
}

}  // namespace scholar::cli
