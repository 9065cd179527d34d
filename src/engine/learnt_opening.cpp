#include "engine/learnt_opening.hpp"

#include <algorithm>
#include <array>

#include "chess/movegen.hpp"

namespace scholar::engine {

namespace {

// The moves of a line, each found by where it led.
std::vector<chess::Move> moves_of(const chess::Line& line) {
    std::vector<chess::Move> moves;
    for (int back = line.ply(); back > 0; --back) {
        const auto legal = chess::legal_moves(line.ago(back));
        const auto played = std::ranges::find_if(
            legal, [&](chess::Move move) { return line.ago(back).after(move) == line.ago(back - 1); });
        if (played == legal.end()) break;
        moves.push_back(*played);
    }
    return moves;
}

}  // namespace

base::Status LearntOpening::use(const std::string& path, bool read_only) {
    const std::string path_before = book_ ? book_->path().string() : "";
    // The old one may be the same file, which has one writer.
    close();
    if (path.empty()) return {};
    const auto access = [](bool reads) { return reads ? games::BookAccess::Read : games::BookAccess::Write; };
    auto opened = games::LearntBook::open(path, access(read_only));
    if (opened) {
        book_ = std::move(*opened);
        read_only_ = read_only;
        return {};
    }
    if (!path_before.empty())
        if (auto again = games::LearntBook::open(path_before, access(read_only_))) book_ = std::move(*again);
    return std::unexpected(opened.error());
}

void LearntOpening::close() {
    if (book_ && std::exchange(has_news_, false)) {
        // It saves time, no more: without it the journal is replayed.
        const base::Status saved = book_->save_snapshot();
        static_cast<void>(saved);
    }
    beliefs_.reset();
    book_.reset();
}

void LearntOpening::set_exploration(double exploration) {
    options_.exploration = exploration;
    beliefs_.reset();
}

void LearntOpening::meet(std::string_view opponent) {
    opponent_ = games::book_name(opponent);
    beliefs_.reset();
}

const games::BookBeliefs* LearntOpening::beliefs(chess::Color us) {
    if (!book_) return nullptr;
    if (!beliefs_ || us != us_)
        beliefs_.emplace(book_->graph(), options_, games::book_opponent(book_->graph(), opponent_, us));
    us_ = us;
    return &*beliefs_;
}

games::BookAdvice LearntOpening::advise(const chess::Position& position, base::Random& random) {
    const games::BookBeliefs* known = beliefs(position.side_to_move());
    return known == nullptr ? games::BookAdvice() : known->advise(position, random);
}

std::optional<games::PositionBelief> LearntOpening::belief(const chess::Position& position) {
    const games::BookBeliefs* known = beliefs(position.side_to_move());
    return known == nullptr ? std::nullopt : known->find(position);
}

void LearntOpening::note(int ply, const chess::Position& position, const search::SearchResult& result) {
    if (!result.best) return;
    Note note{position.key(), result.best, std::nullopt};
    if (result.counters.nodes > 0 && result.score)
        note.opinion = games::BookOpinion{*result.score, result.counters.depth, result.counters.nodes};
    notes_.insert_or_assign(ply, note);
}

const LearntOpening::Note* LearntOpening::note_at(int ply, const chess::Position& position) const {
    const auto found = notes_.find(ply);
    return found == notes_.end() || found->second.key != position.key() ? nullptr : &found->second;
}

base::Status LearntOpening::learn(const chess::Line& line, games::GameResult result) {
    if (!book_ || read_only_ || result == games::GameResult::Unknown) return {};
    games::BookGame game;
    game.opponent = opponent_;
    game.result = result;
    game.start = line.start();
    std::array<bool, 2> ours{};  // by colour
    const std::vector<chess::Move> moves = moves_of(line);
    for (int ply = 0; ply < static_cast<int>(moves.size()); ++ply) {
        const chess::Position& position = line.ago(line.ply() - ply);
        games::JudgedMove judged{moves[static_cast<std::size_t>(ply)], std::nullopt};
        if (const Note* note = note_at(ply, position); note != nullptr && note->move == judged.move) {
            judged.opinion = note->opinion;
            ours[position.side_to_move()] = true;
        }
        game.moves.push_back(judged);
    }
    notes_.clear();
    if (ours[chess::White] == ours[chess::Black]) return {};
    game.color = ours[chess::White] ? chess::White : chess::Black;
    beliefs_.reset();
    if (auto status = book_->add(std::move(game)); !status) return status;
    has_news_ = true;
    return {};
}

std::string_view opponent_name(std::string_view value) {
    std::string_view rest = value;
    std::string_view word;
    for (int i = 0; i < 3; ++i) {
        const std::size_t end = rest.find(' ');
        if (end == std::string_view::npos) return value;
        word = rest.substr(0, end);
        rest.remove_prefix(end + 1);
    }
    return word == "computer" || word == "human" ? rest : value;
}

}  // namespace scholar::engine
