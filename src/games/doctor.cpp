#include "games/doctor.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "base/hash.hpp"
#include "chess/move_index.hpp"
#include "chess/movegen.hpp"
#include "games/distinct.hpp"
#include "games/doctor_faults.hpp"
#include "games/producer.hpp"

namespace scholar::games {

namespace {

constexpr std::size_t kPositionsKept = 1 << 18;       // of DistinctSample, for all positions
constexpr std::size_t kPositionsKeptByPly = 1 << 14;  // for those at one half-move
constexpr std::size_t kMostOpenings = 1 << 20;        // games whose openings are counted
constexpr std::array<std::size_t, 10> kWatchedPlies{2, 4, 8, 12, 16, 24, 32, 48, 64, 96};
constexpr std::array<std::size_t, 3> kOpeningPlies{8, 16, 24};

// What one thread has seen.
struct Seen {
    GameStatistics statistics;
    DistinctSample positions{kPositionsKept};
    std::vector<DistinctSample> by_ply{kWatchedPlies.size(), DistinctSample(kPositionsKeptByPly)};
    std::array<std::vector<std::uint64_t>, kOpeningPlies.size()> openings;      // keys, one a game
    std::map<std::pair<std::size_t, std::string>, EvaluationRecord> producers;  // by store and name
    Faults faults{};
    std::vector<std::pair<GamePlace, Damage>> damages;
    std::vector<std::uint64_t> damaged_blocks;
    std::vector<std::uint64_t> damaged_games;
    Game scratch;

    Seen(std::size_t stores, const SplitShares& shares) : damaged_blocks(stores), damaged_games(stores) {
        statistics.shares = shares;
    }

    void note(Fault fault, GamePlace place) { faults[static_cast<std::size_t>(fault)].add(place); }

    EvaluationRecord& producer(std::size_t store, std::string_view player) {
        return producers[{store, producer_of(player)}];
    }
};

class Doctor {
  public:
    Doctor(const DoctorOptions& options, const std::vector<StoreReader>& stores,
           const std::vector<std::optional<Split>>& roles)
        : options_(options), stores_(stores), roles_(roles), threads_(threads_of(options.threads)) {
        std::uint64_t games = 0;
        for (const StoreReader& store : stores_) games += store.games();
        opening_bits_ = games <= kMostOpenings ? 0 : std::bit_width((games - 1) / kMostOpenings);
    }

    // Goes through all games. What is found is in seen().
    base::Status look() {
        std::vector<Seen> seen(threads_, Seen(stores_.size(), options_.shares));
        const auto status = scan_blocks(
            stores_,
            {.columns = Columns::all(),
             .threads = threads_,
             .stop = options_.stop,
             .progress = options_.progress},
            [&](const BlockVisit& visit, base::Result<Block> block) -> base::Status {
                if (block) {
                    for (std::size_t game = 0; game < block->games(); ++game)
                        look_at(*block, game, visit.place(game), seen[visit.worker]);
                } else {
                    Seen& mine = seen[visit.worker];
                    ++mine.damaged_blocks[visit.store];
                    mine.damaged_games[visit.store] += stores_[visit.store].blocks()[visit.block].games;
                    mine.damages.emplace_back(visit.place(0), Damage{"damaged-block", block.error().message});
                }
                return {};
            });
        if (!status) return status;
        for (std::size_t i = 1; i < seen.size(); ++i) merge(seen[0], seen[i]);
        std::ranges::sort(seen[0].damages, {}, [](const auto& damage) { return damage.first; });
        seen_.emplace(std::move(seen[0]));
        return {};
    }

    base::Result<Copies> compare() const {
        return find_copies(stores_, {.roles = roles_,
                                     .shares = options_.shares,
                                     .min_cut_plies = options_.limits.min_cut_plies,
                                     .threads = threads_,
                                     .stop = options_.stop});
    }

    const Seen& seen() const { return *seen_; }

    PositionCount positions() const { return count_of(seen_->positions); }
    static PositionCount count_of(const DistinctSample& sample) {
        return {sample.total(), sample.distinct(), sample.standard_error()};
    }
    double seen_once() const {
        return seen_->positions.distinct_if([](const auto& entry) { return entry.count == 1; });
    }
    std::optional<double> shared_with_training() const {
        const auto is_held_out = [](const auto& entry) { return (entry.marks & ~kTrainMark) != 0; };
        const double held_out = seen_->positions.distinct_if(is_held_out);
        const double training =
            seen_->positions.distinct_if([](const auto& entry) { return (entry.marks & kTrainMark) != 0; });
        if (held_out == 0 || training == 0) return std::nullopt;
        return seen_->positions.distinct_if([&](const auto& entry) {
            return is_held_out(entry) && (entry.marks & kTrainMark) != 0;
        }) / held_out;
    }
    std::vector<OpeningVariety> openings() {
        std::vector<OpeningVariety> out;
        for (std::size_t i = 0; i < kOpeningPlies.size(); ++i) {
            std::vector<std::uint64_t>& keys = seen_->openings[i];
            std::ranges::sort(keys);
            OpeningVariety variety{kOpeningPlies[i], keys.size(), 0};
            const auto games = static_cast<double>(keys.size());
            for (auto first = keys.begin(); first != keys.end();) {
                const auto behind = std::upper_bound(first, keys.end(), *first);
                const double share = static_cast<double>(behind - first) / games;
                variety.entropy -= share * std::log2(share);
                first = behind;
            }
            out.push_back(variety);
        }
        return out;
    }

  private:
    static constexpr std::uint8_t kTrainMark = 1;

    // By split: 1, 2, 4.
    std::uint8_t mark_of(GamePlace place, std::uint64_t hash) const {
        const auto& role = roles_[place.store()];
        return static_cast<std::uint8_t>(1
                                         << static_cast<int>(role ? *role : split_of(hash, options_.shares)));
    }

    void look_at(const Block& block, std::size_t game, GamePlace place, Seen& seen) const {
        if (const auto status = replay(block, game, place, seen); !status) {
            ++seen.damaged_games[place.store()];
            seen.damages.emplace_back(
                place, Damage{"damaged-game", to_string(stores_, place) + ": " + status.error().message});
            return;
        }
        seen.statistics.add(block, game, place);
        const std::size_t plies = block.info(game).plies;
        const bool is_position = plies == 0 && block.info(game).has_evaluations;
        if (plies == 0 && !is_position)
            seen.note(Fault::NoMoves, place);
        else if (!is_position && plies < options_.limits.few_plies)
            seen.note(Fault::FewMoves, place);
        if (block.info(game).has_evaluations) look_at_evaluations(block, game, place, seen);
        look_at_clocks(block, game, place, seen);
    }

    // Plays a game through and takes note of its positions; an error says what is wrong with its moves.
    base::Status replay(const Block& block, std::size_t game, GamePlace place, Seen& seen) const {
        const Block::GameInfo& info = block.info(game);
        const auto start = block.start(game);
        if (!start) return base::fail_in("start position", start.error());
        const std::uint8_t mark = mark_of(place, info.hash);
        const bool counts_opening =
            opening_bits_ == 0 || (info.hash * 0x9E37'79B9'7F4A'7C15ULL) >> (64 - opening_bits_) == 0;

        Game& scratch = seen.scratch;
        scratch.start = *start;
        scratch.moves.clear();
        chess::Position position = *start;
        const auto indices = block.move_indices(game);
        std::size_t watched = 0;
        std::size_t opening = 0;
        for (std::size_t ply = 0; ply <= indices.size(); ++ply) {
            if (opening < kOpeningPlies.size() && ply == kOpeningPlies[opening]) {
                if (counts_opening) seen.openings[opening].push_back(position.key());
                ++opening;
            }
            if (ply == indices.size()) break;
            seen.positions.add(position.key(), mark);
            if (watched < kWatchedPlies.size() && ply == kWatchedPlies[watched])
                seen.by_ply[watched++].add(position.key());
            const auto move = chess::index_to_move(position, indices[ply]);
            if (!move) return base::fail("half-move {}: no such move in its position", ply + 1);
            scratch.moves.push_back(*move);
            position.make(*move);
        }
        if (const std::uint64_t hash = scratch.hash(); hash != info.hash)
            return base::fail("hash {} of its moves, {} in the store", base::to_hex(hash),
                              base::to_hex(info.hash));
        // A position says nothing of how its game ended.
        if (info.plies > 0 || !info.has_evaluations) look_at_end(position, info, place, seen);
        return {};
    }

    static void look_at_end(const chess::Position& last, const Block::GameInfo& info, GamePlace place,
                            Seen& seen) {
        const bool decided = info.result == GameResult::WhiteWins || info.result == GameResult::BlackWins;
        const bool over = !chess::has_legal_move(last);
        const bool mate = over && last.in_check();
        const bool stalemate = over && !mate;
        if (mate && info.result != GameResult::Unknown && points(info.result, last.side_to_move()) != 0.0)
            seen.note(Fault::MateContradicted, place);
        if ((stalemate || last.has_insufficient_material()) && decided)
            seen.note(Fault::DrawContradicted, place);
        if ((info.ending == Ending::Checkmate) != mate || (info.ending == Ending::Stalemate) != stalemate)
            seen.note(Fault::EndingContradicted, place);
    }

    void look_at_evaluations(const Block& block, std::size_t game, GamePlace place, Seen& seen) const {
        const auto evaluations = block.evaluations(game);
        const auto start = block.start(game);
        const chess::Color first = start->side_to_move();
        const GameResult result = block.info(game).result;
        bool constant = false;
        bool extreme = false;
        std::array<EvaluationRecord*, 2> records{};
        for (const chess::Color color : chess::kColors) {
            EvaluationRecord*& record = records[color];
            std::optional<Evaluation> before;
            std::size_t same = 0;
            bool changes = false;
            for (std::size_t ply = color == first ? 0 : 1; ply < evaluations.size(); ply += 2) {
                if (!evaluations[ply]) continue;
                const Evaluation& evaluation = *evaluations[ply];
                if (!record)
                    record = &seen.producer(place.store(),
                                            block.tag(game, color == chess::White ? "White" : "Black"));
                record->add(evaluation, result, color);
                extreme |= evaluation.mate == 0 &&
                           std::abs(int{evaluation.centipawns}) >= options_.limits.extreme_centipawns;
                changes |= before &&
                           (before->centipawns != evaluation.centipawns || before->mate != evaluation.mate);
                before = evaluation;
                ++same;
            }
            // A draw that was seen coming from the first move on.
            const bool sound =
                result == GameResult::Draw && before && *before == Evaluation{0, 0, before->depth};
            constant |= !changes && !sound && same >= options_.limits.min_constant_evaluations;
        }
        const auto [white, black] = records;
        if (white && white == black) {
            white->add_game(result, {chess::White, chess::Black});
        } else {
            if (white) white->add_game(result, {chess::White});
            if (black) black->add_game(result, {chess::Black});
        }
        if (constant) seen.note(Fault::ConstantEvaluations, place);
        if (extreme) seen.note(Fault::ExtremeEvaluations, place);
    }

    void look_at_clocks(const Block& block, std::size_t game, GamePlace place, Seen& seen) const {
        const auto clocks = block.clocks(game);
        const auto times = block.times(game);
        bool constant = false;
        bool overspent = false;
        for (std::size_t first = 0; first < 2; ++first) {
            std::optional<std::uint64_t> before;
            std::size_t count = 0;
            bool changes = false;
            for (std::size_t ply = first; ply < clocks.size(); ply += 2) {
                if (before && ply < times.size() && times[ply])
                    overspent |= *times[ply] > *before + options_.limits.most_overspent_ms;
                if (!clocks[ply]) continue;
                changes |= before && *before != *clocks[ply];
                before = clocks[ply];
                ++count;
            }
            constant |= !changes && count >= options_.limits.min_constant_clocks;
        }
        if (constant) seen.note(Fault::ConstantClocks, place);
        if (overspent) seen.note(Fault::OverspentClocks, place);
    }

    static void merge(Seen& all, Seen& part) {
        all.statistics.merge(part.statistics);
        all.positions.merge(part.positions);
        for (std::size_t i = 0; i < all.by_ply.size(); ++i) all.by_ply[i].merge(part.by_ply[i]);
        for (std::size_t i = 0; i < all.openings.size(); ++i)
            all.openings[i].insert(all.openings[i].end(), part.openings[i].begin(), part.openings[i].end());
        for (const auto& [key, record] : part.producers) all.producers[key].merge(record);
        for (std::size_t i = 0; i < kFaults; ++i) all.faults[i].merge(part.faults[i]);
        all.damages.insert(all.damages.end(), part.damages.begin(), part.damages.end());
        for (std::size_t i = 0; i < all.damaged_blocks.size(); ++i) {
            all.damaged_blocks[i] += part.damaged_blocks[i];
            all.damaged_games[i] += part.damaged_games[i];
        }
    }

    const DoctorOptions& options_;
    const std::vector<StoreReader>& stores_;
    const std::vector<std::optional<Split>>& roles_;
    unsigned threads_;
    int opening_bits_ = 0;  // one game in 2^bits has its opening counted
    std::optional<Seen> seen_;
};

}  // namespace

std::string_view to_string(Severity severity) {
    switch (severity) {
        case Severity::Note:
            return "note";
        case Severity::Warning:
            return "warning";
        case Severity::Error:
            break;
    }
    return "error";
}

double OpeningVariety::effective() const {
    return games == 0 ? 0 : std::exp2(entropy);
}

std::uint64_t Examination::count(Severity severity) const {
    return static_cast<std::uint64_t>(std::ranges::count(findings, severity, &Finding::severity));
}

base::Result<Examination> examine(const DoctorOptions& options) {
    Examination out;
    std::vector<StoreReader> stores;
    std::vector<std::optional<Split>> roles;
    std::vector<Damage> damages;
    for (const DoctorOptions::Store& store : options.stores) {
        auto opened = StoreReader::open(store.path, CutOff::Recover);
        if (!opened) {
            damages.push_back({"unreadable-store", opened.error().message});
            continue;
        }
        if (!opened->recovered().empty())
            damages.push_back({"cut-off-store", store.path + ": " + opened->recovered()});
        out.stores.push_back({store.path, store.role, opened->games(), opened->plies(),
                              opened->blocks().size(), opened->bytes(), 0, 0});
        stores.push_back(std::move(*opened));
        roles.push_back(store.role);
    }

    Doctor doctor(options, stores, roles);
    if (auto status = doctor.look(); !status) return std::unexpected(status.error());
    const auto copies = doctor.compare();
    if (!copies) return std::unexpected(copies.error());

    const Seen& seen = doctor.seen();
    for (std::size_t i = 0; i < stores.size(); ++i) {
        out.stores[i].damaged_blocks = seen.damaged_blocks[i];
        out.stores[i].damaged_games = seen.damaged_games[i];
    }
    for (const auto& [place, damage] : seen.damages) damages.push_back(damage);
    out.copies = *copies;
    out.positions = doctor.positions();
    out.seen_once = doctor.seen_once();
    out.shared_with_training = doctor.shared_with_training();
    for (std::size_t i = 0; i < kWatchedPlies.size(); ++i)
        if (seen.by_ply[i].total() > 0)
            out.by_ply.emplace_back(kWatchedPlies[i], Doctor::count_of(seen.by_ply[i]));
    out.openings = doctor.openings();
    for (const auto& [key, record] : seen.producers) out.producers.push_back({key.first, key.second, record});
    std::ranges::stable_sort(out.producers, std::greater(), [](const ProducerRecord& producer) {
        return producer.evaluations.evaluations();
    });
    out.statistics = seen.statistics;
    out.findings = findings_of(out, seen.faults, damages, stores, options.limits);
    return out;
}

}  // namespace scholar::games
