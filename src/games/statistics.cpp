#include "games/statistics.hpp"

#include <algorithm>

#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "games/rating.hpp"

namespace scholar::games {

namespace {

// Start position and first moves as bytes that are the same for the same opening and no other.
std::string packed_opening(const Block& block, std::size_t game, std::size_t plies) {
    std::string out;
    if (!block.info(game).standard_start) {
        const auto start = block.start(game);
        if (!start) return out;
        const std::uint64_t key = start->key();
        for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>(key >> shift);
    }
    const auto indices = block.move_indices(game);
    for (const std::uint8_t index : indices.first(std::min(indices.size(), plies)))
        out += static_cast<char>(index);
    return out;
}

template <class Numbers>
std::uint64_t present(const Numbers& numbers) {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(numbers, [](const auto& number) { return number.has_value(); }));
}

}  // namespace

std::optional<double> ResultCounts::score() const {
    if (known() == 0) return std::nullopt;
    return (static_cast<double>(of(GameResult::WhiteWins)) +
            0.5 * static_cast<double>(of(GameResult::Draw))) /
           static_cast<double>(known());
}

void GameStatistics::add(const Block& block, std::size_t game, GamePlace place) {
    const Block::GameInfo& info = block.info(game);
    ++games;
    plies += info.plies;
    results.add(info.result);
    ++endings[static_cast<std::size_t>(info.ending)];
    ++splits[static_cast<std::size_t>(split_of(info.hash, shares))];
    chess960 += info.chess960;
    set_up += !info.standard_start;
    lengths.add(static_cast<int>(info.plies));

    evaluated += info.has_evaluations;
    for (const auto& evaluation : block.evaluations(game)) {
        evaluations += evaluation.has_value();
        mates += evaluation && evaluation->mate != 0;
    }

    const std::uint64_t clocks_there = present(block.clocks(game));
    const std::uint64_t times_there = present(block.times(game));
    clocks += clocks_there;
    times += times_there;
    nodes += present(block.nodes(game));
    clocked += clocks_there > 0 || times_there > 0;

    bool unrated_player = false;
    for (const chess::Color color : chess::kColors) {
        const bool white = color == chess::White;
        const int rating = rating_of(block.tag(game, white ? "WhiteElo" : "BlackElo"));
        if (rating > 0) ratings.add(rating);
        unrated_player |= rating == 0;
        const std::string_view name = block.tag(game, white ? "White" : "Black");
        PlayerRecord* record = name.empty() || name == "?" ? nullptr : players.find_or_add(name);
        if (!record) continue;
        ++record->games;
        const auto scored = points(info.result, color);
        record->wins += scored == 1.0;
        record->draws += scored == 0.5;
        record->losses += scored == 0.0;
    }
    unrated += unrated_player;

    auto date = parse_date(block.tag(game, "Date"));
    if (!date) date = parse_date(block.tag(game, "UTCDate"));
    if (date)
        years.add(date->first / 10'000);
    else
        ++undated;

    if (const std::string_view event = block.tag(game, "Event"); !event.empty() && event != "?")
        if (NumberOfTimes* times_named = events.find_or_add(event)) ++times_named->count;
    if (const std::string_view code = block.tag(game, "ECO"); code.size() >= 3)
        if (ResultCounts* counts = eco.find_or_add(code.substr(0, 3))) counts->add(info.result);
    for (const auto& [name, value] : block.tags(game))
        if (NumberOfTimes* tag_there = tags.find_or_add(name)) ++tag_there->count;

    if (OpeningRecord* opening = openings.find_or_add(packed_opening(block, game, opening_plies))) {
        opening->results.add(info.result);
        opening->example = std::min(opening->example, place);
    }
}

void GameStatistics::merge(const GameStatistics& other) {
    games += other.games;
    plies += other.plies;
    results.merge(other.results);
    for (std::size_t i = 0; i < endings.size(); ++i) endings[i] += other.endings[i];
    for (std::size_t i = 0; i < splits.size(); ++i) splits[i] += other.splits[i];
    chess960 += other.chess960;
    set_up += other.set_up;
    lengths.merge(other.lengths);
    ratings.merge(other.ratings);
    years.merge(other.years);
    unrated += other.unrated;
    undated += other.undated;
    evaluated += other.evaluated;
    evaluations += other.evaluations;
    mates += other.mates;
    clocked += other.clocked;
    clocks += other.clocks;
    times += other.times;
    nodes += other.nodes;
    players.merge(other.players);
    events.merge(other.events);
    tags.merge(other.tags);
    eco.merge(other.eco);
    openings.merge(other.openings);
}

base::Result<GameStatistics> gather_statistics(std::span<const StoreReader> stores,
                                               const Selection& selection, std::size_t opening_plies,
                                               unsigned threads, const std::stop_token& stop,
                                               const std::function<void(std::uint64_t)>& progress) {
    threads = threads_of(threads);
    std::vector<GameStatistics> parts(threads);
    for (GameStatistics& part : parts) {
        part.opening_plies = opening_plies;
        part.shares = selection.shares;
    }
    const auto status = scan_blocks(
        stores, {.columns = Columns::all(), .threads = threads, .stop = stop, .progress = progress},
        [&](const BlockVisit& visit, base::Result<Block> block) -> base::Status {
            if (!block) return std::unexpected(block.error());
            for (std::size_t game = 0; game < block->games(); ++game) {
                const GamePlace place = visit.place(game);
                const auto matching = matches(selection, *block, game, place.number());
                if (!matching) return base::fail_in(to_string(stores, place), matching.error());
                if (*matching) parts[visit.worker].add(*block, game, place);
            }
            return {};
        });
    if (!status) return std::unexpected(status.error());
    for (std::size_t i = 1; i < parts.size(); ++i) parts[0].merge(parts[i]);
    return std::move(parts[0]);
}

base::Result<std::string> opening_moves(std::span<const StoreReader> stores, const OpeningRecord& opening,
                                        std::size_t plies) {
    const auto game = read_game(stores, opening.example);
    if (!game) return base::fail_in(to_string(stores, opening.example), game.error());
    std::string out;
    if (!(game->start == chess::Position())) out = chess::to_fen(game->start);
    chess::Position position = game->start;
    for (std::size_t ply = 0; ply < std::min(plies, game->moves.size()); ++ply) {
        if (!out.empty()) out += ' ';
        if (position.side_to_move() == chess::White)
            out += fmt::format("{}. ", position.fullmove_number());
        else if (ply == 0)
            out += fmt::format("{}... ", position.fullmove_number());
        out += chess::to_san(position, game->moves[ply]);
        position.make(game->moves[ply]);
    }
    return out;
}

}  // namespace scholar::games
