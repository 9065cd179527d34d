#include "protocols/ics_move_list.hpp"

#include <utility>

#include "base/text.hpp"
#include "chess/san.hpp"
#include "protocols/ics_scan.hpp"
#include "protocols/words.hpp"

namespace scholar::protocols::ics {

namespace {

// "A (1500) vs. B (UNR) --- Tue Nov 18, 15:30 PST 2014".
std::optional<std::array<std::string, 2>> heading(std::string_view line) {
    Scan scan(line);
    std::array<std::string, 2> names;
    for (const auto color : chess::kColors) {
        auto name = scan.name();
        scan.blanks();
        if (!name || !scan.rating() || !scan.literal(color == chess::White ? " vs. " : " --- "))
            return std::nullopt;
        names[color] = std::move(*name);
    }
    return names;
}

}  // namespace

std::optional<MoveList> MoveListReader::add(std::string_view line) {
    if (auto names = heading(line)) {
        list_.emplace().names = std::move(*names);
        position_ = chess::Position();
        in_table_ = false;
        return std::nullopt;
    }
    if (!list_) return std::nullopt;
    if (line.starts_with("----  ")) {
        in_table_ = true;
        return std::nullopt;
    }
    if (!in_table_) return std::nullopt;

    Scan scan(line);
    scan.blanks();
    if (scan.literal("{")) {
        // The line of another game's end tells its number; no list's does.
        if (scan.rest().starts_with("Game ") && scan.rest().find(" vs. ") != std::string_view::npos)
            return std::nullopt;
        const auto reason = scan.until('}');
        scan.blanks();
        const auto result = games::parse_result(scan.rest());
        if (!reason || !result) return std::nullopt;
        list_->reason = *reason;
        list_->result = *result;
        return std::exchange(list_, std::nullopt);
    }
    if (!moves(line)) list_.reset();
    return std::nullopt;
}

// "  7.  O-O     (0:02)     Nfd7    (0:01)". False: it is such a line, and what it says cannot be.
bool MoveListReader::moves(std::string_view line) {
    const Words words = base::split_words(line);
    if (words.size() < 2 || !words[0].ends_with('.')) return true;
    const auto number = base::parse_number<int>(words[0].substr(0, words[0].size() - 1));
    if (!number) return true;
    if (*number != position_.fullmove_number() || position_.side_to_move() != chess::White) return false;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i].starts_with('(')) continue;
        const auto move = chess::parse_san(position_, words[i]);
        if (!move || list_->moves.size() == static_cast<std::size_t>(kMostPlies)) return false;
        list_->moves.push_back(*move);
        position_.make(*move);
    }
    return true;
}

}  // namespace scholar::protocols::ics
