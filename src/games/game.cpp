#include "games/game.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "chess/fen.hpp"

namespace scholar::games {

static_assert(std::endian::native == std::endian::little && sizeof(chess::Move) == 2,
              "game hashes are of moves as little-endian 16-bit words");

std::string_view Game::tag(std::string_view name) const {
    for (const auto& [tag_name, value] : tags)
        if (tag_name == name) return value;
    return {};
}

void Game::set_tag(std::string_view name, std::string_view value) {
    for (auto& [tag_name, tag_value] : tags)
        if (tag_name == name) {
            tag_value = value;
            return;
        }
    tags.emplace_back(name, value);
}

std::uint64_t Game::hash() const {
    // Most games begin at the standard position: no FEN is made for those.
    const std::uint64_t seed = start == chess::Position() ? 0 : base::hash_text(chess::to_fen(start));
    return base::hash_bytes(std::as_bytes(std::span(moves)), seed);
}

std::optional<double> points(GameResult result, chess::Color color) {
    switch (result) {
        case GameResult::WhiteWins:
            return color == chess::White ? 1.0 : 0.0;
        case GameResult::BlackWins:
            return color == chess::White ? 0.0 : 1.0;
        case GameResult::Draw:
            return 0.5;
        case GameResult::Unknown:
            break;
    }
    return std::nullopt;
}

std::string_view to_string(GameResult result) {
    switch (result) {
        case GameResult::WhiteWins:
            return "1-0";
        case GameResult::BlackWins:
            return "0-1";
        case GameResult::Draw:
            return "1/2-1/2";
        case GameResult::Unknown:
            break;
    }
    return "*";
}

std::optional<GameResult> parse_result(std::string_view text) {
    for (const auto result :
         {GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown})
        if (text == to_string(result)) return result;
    return std::nullopt;
}

Split split_of(std::uint64_t game_hash, const SplitShares& shares) {
    std::uint64_t state = game_hash;
    const double place = static_cast<double>(base::split_mix(state) >> 11) * 0x1.0p-53;
    if (place < shares.test) return Split::Test;
    if (shares.folds > 0) {
        const double behind_test = (place - shares.test) / (1 - shares.test);
        const int fold = std::min(static_cast<int>(behind_test * shares.folds), shares.folds - 1);
        return fold == shares.fold ? Split::Validation : Split::Train;
    }
    if (place < shares.test + shares.validation) return Split::Validation;
    return Split::Train;
}

}  // namespace scholar::games
