#include "cli/games_selection.hpp"

#include <cstdint>
#include <fmt/format.h>

#include "base/text.hpp"

namespace scholar::cli {

void add_selection_options(Command command, games::SelectionWords& words) {
    const auto option = [&command](const char* name, std::string& word, const char* help) {
        command.add_option(name, word, help).group("Which games (all that are asked for at once)");
    };
    option("--player", words.player, "Part of the name of either player");
    option("--white", words.white, "Part of White's name");
    option("--black", words.black, "Part of Black's name");
    option("--event", words.event, "Part of the event's name");
    option("--eco", words.eco, "ECO code, its beginning or a range: B90, B9, B20-B99");
    option("--result", words.result, "1-0, 0-1, 1/2-1/2 or *; or white, black, draw, unknown");
    option("--ending", words.ending, "How it ended: checkmate, resignation, time-forfeit, adjudication, ...");
    option("--min-rating", words.min_rating, "Least rating of both players");
    option("--max-rating", words.max_rating, "Greatest rating of both players");
    option("--since", words.since, "Played in this year, month or day (2019.05.23) or later");
    option("--until", words.until, "Played in this year, month or day or earlier");
    option("--min-plies", words.min_plies, "Least number of half-moves");
    option("--max-plies", words.max_plies, "Greatest number of half-moves");
    option("--variant", words.variant, "standard or chess960");
    option("--evaluations", words.evaluations, "With evaluations: yes or no");
    option("--split", words.split, "train, validation or test");
    option("--hash", words.hash, "The game with this hash, 16 hexadecimal digits");
    option("--position", words.position, "Games in which this position (a FEN) arises");
    option("--number", words.number, "Numbers in the store, from 1: 17, 100-199 or 100-");
    add_share_options(command, words);
}

void add_share_options(Command command, games::SelectionWords& words) {
    const auto option = [&command](const char* name, std::string& word, const char* help) {
        command.add_option(name, word, help).group("What split games belong to, as in recipes");
    };
    option("--validation-share", words.validation_share, "Share of the games for validation (0.02)");
    option("--test-share", words.test_share, "Share of the games for testing (0.02)");
}

Check whole_number() {
    return Check([](const std::string& text) {
        return base::parse_number<std::uint64_t>(text)
                   ? std::string()
                   : fmt::format("value '{}', expected a whole number from 0", text);
    });
}

}  // namespace scholar::cli
