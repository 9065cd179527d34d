#include "learning/papers/rl_in_chess_unfinished.hpp"

#include <optional>
#include <system_error>
#include <utility>

#include "chess/movegen.hpp"
#include "games/ending.hpp"
#include "games/held_out.hpp"

namespace scholar::learning {

namespace {

// Games looked at for those that were given up: most of masters' are, or drawn.
constexpr std::uint64_t kLookedAt = 12'000;

// The position of a decided game at which somebody gave up; of one that ended in mate, that before its last
// moves.
struct LastStand {
    chess::Position position;
    bool is_given_up = false;
};
std::optional<LastStand> last_stand(const games::HeldOutGame& game) {
    constexpr std::size_t kTakenBack = 10;
    if (game.result != games::GameResult::WhiteWins && game.result != games::GameResult::BlackWins)
        return std::nullopt;
    std::vector<chess::Position> positions{game.start};
    for (const chess::Move move : game.moves) positions.push_back(positions.back().after(move));
    if (chess::has_legal_move(positions.back())) return LastStand{positions.back(), true};
    if (positions.size() <= kTakenBack) return std::nullopt;
    return LastStand{positions[positions.size() - 1 - kTakenBack], false};
}

}  // namespace

base::Result<UnfinishedGames> unfinished_games(const RlInChessExperiment& experiment, std::uint64_t most) {
    const Reproduction& work = experiment.work();
    const auto stores = experiment.stores();
    if (!stores) return std::unexpected(stores.error());
    games::HeldOutRule rule;
    // Of all games: it is not asked what somebody knows of them.
    rule.shares = {.validation = 0, .test = 1};
    rule.positions = work.sized(kLookedAt, 200);
    rule.per_game = 1;
    const auto set = games::draw_held_out(*stores, rule, work.stop());
    if (!set) return std::unexpected(set.error());
    UnfinishedGames given_up;
    UnfinishedGames taken_back{.openings = {}, .games = {}, .are_given_up = false};
    for (const games::HeldOutGame& game : set->games)
        if (auto stand = last_stand(game)) {
            auto& openings = (stand->is_given_up ? given_up : taken_back).openings;
            if (openings.size() < most) openings.push_back({stand->position, {}});
        }
    // Engines that play themselves do not give up.
    UnfinishedGames& those = given_up.openings.empty() ? taken_back : given_up;
    for (const games::HeldOutGame& game : set->games) {
        those.games.emplace_back();
        those.games.back().start = game.start;
        those.games.back().moves = game.moves;
        those.games.back().result = game.result;
    }
    if (those.openings.empty()) return base::fail("of {} games none was decided", set->games.size());
    return std::move(those);
}

PaperStore played_out_by_sparse(std::string name, std::vector<games::Opening> openings) {
    PaperStore store;
    store.name = std::move(name);
    store.games = openings.size();
    store.nodes = kMatingVisits;
    store.options = {{"Search", "mcts"}};
    store.openings = std::move(openings);
    return store;
}

base::Result<std::vector<games::Game>> mated_games(const std::filesystem::path& store) {
    auto games = games::read_all_games(store);
    if (games)
        std::erase_if(*games,
                      [](const games::Game& game) { return game.ending != games::Ending::Checkmate; });
    return games;
}

std::uint64_t states_of(const std::vector<games::Game>& games) {
    std::uint64_t states = 0;
    for (const games::Game& game : games) states += game.moves.size();
    return states;
}

base::Status write_store(const std::filesystem::path& path, const std::vector<games::Game>& games) {
    std::error_code error;
    std::filesystem::remove(path, error);
    std::filesystem::remove(path.string() + ".partial", error);
    auto writer = games::StoreWriter::create(path);
    if (!writer) return std::unexpected(writer.error());
    for (const games::Game& game : games)
        if (auto status = writer->add(game); !status) return status;
    if (const auto done = writer->finish(); !done) return std::unexpected(done.error());
    return {};
}

}  // namespace scholar::learning
