#include "games/selection.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/move_index.hpp"
#include "games/ending.hpp"
#include "games/rating.hpp"

namespace scholar::games {

namespace {

// Lower case, of ASCII and of the Latin-1 letters (which UTF-8 writes as C3 80 to C3 9E).
std::string folded(std::string_view text) {
    std::string out(text);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto code = static_cast<unsigned char>(out[i]);
        const bool ascii = code >= 'A' && code <= 'Z';
        const bool latin = i > 0 && static_cast<unsigned char>(out[i - 1]) == 0xC3 && code >= 0x80 &&
                           code <= 0x9E && code != 0x97;
        if (ascii || latin) out[i] = static_cast<char>(code + 0x20);
    }
    return out;
}

bool contains(std::string_view text, const std::string& folded_part) {
    return folded(text).contains(folded_part);
}

template <class Number>
std::optional<Number> number_of(std::string_view text, int base = 10) {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <class... Expected>
std::unexpected<base::Error> refuse(std::string_view option, std::string_view value,
                                    fmt::format_string<Expected...> expected, Expected&&... words) {
    return base::fail("option --{}: value '{}', expected {}", option, value,
                      fmt::format(expected, std::forward<Expected>(words)...));
}

template <class Number, class Field>
base::Status read_number(std::string_view option, const std::string& text, Field& field) {
    if (text.empty()) return {};
    const auto value = number_of<Number>(text);
    if (!value || std::cmp_less(*value, 0)) return refuse(option, text, "a whole number from 0");
    const Number known = *value;
    field = known;
    return {};
}

// One of a few words.
template <class Value, std::size_t count, class Field>
base::Status read_word(std::string_view option, const std::string& text,
                       const std::array<std::pair<std::string_view, Value>, count>& words, Field& field) {
    if (text.empty()) return {};
    std::string names;
    for (const auto& [name, value] : words) {
        if (name == text) {
            field = value;
            return {};
        }
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    return refuse(option, text, "one of: {}", names);
}

base::Status read_date(std::string_view option, const std::string& text, int DateRange::* end,
                       std::optional<int>& field) {
    if (text.empty()) return {};
    const auto range = parse_date(text);
    if (!range) return refuse(option, text, "a year, a month or a day such as 2019.05.23");
    field = (*range).*end;
    return {};
}

base::Status read_share(std::string_view option, const std::string& text, double high, double& share) {
    if (text.empty()) return {};
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || std::isnan(value) || value < 0 ||
        value > high)
        return refuse(option, text, "a number from 0 to {}", high);
    share = value;
    return {};
}

// Refuses a range whose ends leave nothing between them.
base::Status check_range(bool reversed, std::string_view option, const std::string& text,
                         std::string_view other_option, const std::string& other) {
    if (!reversed) return {};
    return refuse(option, text, "no less than --{}, {}", other_option, other);
}

base::Status read_result(const std::string& text, std::optional<GameResult>& result) {
    constexpr std::array<std::pair<std::string_view, GameResult>, 8> kWords{{
        {"1-0", GameResult::WhiteWins},
        {"0-1", GameResult::BlackWins},
        {"1/2-1/2", GameResult::Draw},
        {"*", GameResult::Unknown},
        {"white", GameResult::WhiteWins},
        {"black", GameResult::BlackWins},
        {"draw", GameResult::Draw},
        {"unknown", GameResult::Unknown},
    }};
    return read_word("result", text, kWords, result);
}

base::Status read_eco(const std::string& text, Selection& selection) {
    const std::size_t dash = text.find('-');
    selection.eco_first = text.substr(0, dash);
    selection.eco_last = dash == std::string::npos ? selection.eco_first : text.substr(dash + 1);
    for (std::string* code : {&selection.eco_first, &selection.eco_last}) {
        if (code->empty() && text.empty()) continue;
        if (!code->empty() && (*code)[0] >= 'a' && (*code)[0] <= 'e') (*code)[0] -= 'a' - 'A';
        const bool good = !code->empty() && code->size() <= 3 && (*code)[0] >= 'A' && (*code)[0] <= 'E' &&
                          code->find_first_not_of("0123456789", 1) == std::string::npos;
        if (!good) return refuse("eco", text, "a code, its beginning or a range: B90, B9, B20-B99");
    }
    // "B2-B" is B20 to the last of B: codes are compared as far as the shorter one goes.
    const std::size_t shorter = std::min(selection.eco_first.size(), selection.eco_last.size());
    if (selection.eco_last.compare(0, shorter, selection.eco_first, 0, shorter) < 0)
        return refuse("eco", text, "the lower code first: {}-{}", selection.eco_last, selection.eco_first);
    return {};
}

base::Status read_numbers(const std::string& text, Selection& selection) {
    if (text.empty()) return {};
    const std::size_t dash = text.find('-');
    const auto first = number_of<std::uint64_t>(std::string_view(text).substr(0, dash));
    std::optional<std::uint64_t> last = first;
    if (dash != std::string::npos)
        last = dash + 1 == text.size() ? selection.last_number
                                       : number_of<std::uint64_t>(std::string_view(text).substr(dash + 1));
    if (!first || !last || *first == 0 || *last < *first)
        return refuse("number", text, "a number from 1, or a range such as 100-199 or 100-");
    selection.first_number = *first;
    selection.last_number = *last;
    return {};
}

base::Status read_ending(const std::string& text, std::optional<Ending>& ending) {
    if (text.empty()) return {};
    ending = ending_of_name(text);
    if (ending) return {};
    std::string names;
    for (const Ending each : kEndings) names += (names.empty() ? "" : ", ") + std::string(name_of(each));
    return refuse("ending", text, "one of: {}", names);
}

bool eco_matches(std::string_view code, const Selection& selection) {
    if (code.empty()) return false;
    return code.substr(0, selection.eco_first.size()) >= selection.eco_first &&
           code.substr(0, selection.eco_last.size()) <= selection.eco_last;
}

bool tags_match(const Selection& selection, const Block& block, std::size_t game) {
    const auto has = [&](std::string_view name, const std::string& part) {
        return part.empty() || contains(block.tag(game, name), part);
    };
    if (!selection.player.empty() && !contains(block.tag(game, "White"), selection.player) &&
        !contains(block.tag(game, "Black"), selection.player))
        return false;
    if (!has("White", selection.white) || !has("Black", selection.black) || !has("Event", selection.event))
        return false;
    if (!selection.eco_first.empty() && !eco_matches(block.tag(game, "ECO"), selection)) return false;
    if (selection.min_rating || selection.max_rating) {
        for (const std::string_view name : {"WhiteElo", "BlackElo"}) {
            const int rating = rating_of(block.tag(game, name));
            if (rating == 0 || rating < selection.min_rating.value_or(rating) ||
                rating > selection.max_rating.value_or(rating))
                return false;
        }
    }
    if (selection.since || selection.until) {
        auto date = parse_date(block.tag(game, "Date"));
        if (!date) date = parse_date(block.tag(game, "UTCDate"));
        if (!date || date->first < selection.since.value_or(date->first) ||
            date->last > selection.until.value_or(date->last))
            return false;
    }
    return true;
}

base::Result<bool> passes_through(std::uint64_t key, const Block& block, std::size_t game) {
    const auto start = block.start(game);
    if (!start) return std::unexpected(start.error());
    chess::Position position = *start;
    if (position.key() == key) return true;
    int ply = 0;
    for (const std::uint8_t index : block.move_indices(game)) {
        ++ply;
        const auto move = chess::index_to_move(position, index);
        if (!move) return base::fail("half-move {}: no such move in its position", ply);
        position.make(*move);
        if (position.key() == key) return true;
    }
    return false;
}

}  // namespace

std::optional<DateRange> parse_date(std::string_view text) {
    constexpr std::array<int, 3> kLeast{0, 1, 1};
    constexpr std::array<int, 3> kMost{9'999, 12, 31};
    std::array<int, 3> first = kLeast;
    std::array<int, 3> last = kMost;
    for (std::size_t part = 0; part < 3 && !text.empty(); ++part) {
        const std::size_t end = std::min(text.find_first_of(".-/"), text.size());
        const auto value = number_of<int>(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        const bool good = value && *value >= std::max(1, kLeast[part]) && *value <= kMost[part];
        if (!good && part == 0) return std::nullopt;
        if (!good) break;
        first[part] = last[part] = *value;
    }
    if (first[0] == 0) return std::nullopt;
    const auto day = [](const std::array<int, 3>& date) {
        return date[0] * 10'000 + date[1] * 100 + date[2];
    };
    return DateRange{day(first), day(last)};
}

Columns Selection::columns() const {
    Columns columns = no_columns();
    columns.tags = !player.empty() || !white.empty() || !black.empty() || !event.empty() ||
                   !eco_first.empty() || min_rating || max_rating || since || until;
    columns.moves = through.has_value();
    return columns;
}

base::Result<Selection> parse_selection(const SelectionWords& words) {
    Selection selection;
    selection.player = folded(words.player);
    selection.white = folded(words.white);
    selection.black = folded(words.black);
    selection.event = folded(words.event);

    constexpr std::array<std::pair<std::string_view, bool>, 2> kVariants{
        {{"standard", false}, {"chess960", true}}};
    constexpr std::array<std::pair<std::string_view, bool>, 2> kAnswers{{{"yes", true}, {"no", false}}};
    constexpr std::array<std::pair<std::string_view, Split>, 3> kSplits{
        {{"train", Split::Train}, {"validation", Split::Validation}, {"test", Split::Test}}};
    for (const base::Status& status :
         {read_eco(words.eco, selection), read_result(words.result, selection.result),
          read_ending(words.ending, selection.ending),
          read_number<int>("min-rating", words.min_rating, selection.min_rating),
          read_number<int>("max-rating", words.max_rating, selection.max_rating),
          read_date("since", words.since, &DateRange::first, selection.since),
          read_date("until", words.until, &DateRange::last, selection.until),
          read_number<std::size_t>("min-plies", words.min_plies, selection.min_plies),
          read_number<std::size_t>("max-plies", words.max_plies, selection.max_plies),
          read_word("variant", words.variant, kVariants, selection.chess960),
          read_word("evaluations", words.evaluations, kAnswers, selection.evaluations),
          read_word("split", words.split, kSplits, selection.split), read_numbers(words.number, selection),
          read_share("validation-share", words.validation_share, 0.5, selection.shares.validation),
          read_share("test-share", words.test_share, 1, selection.shares.test)})
        if (!status) return std::unexpected(status.error());
    for (const base::Status& status :
         {check_range(selection.min_rating > selection.max_rating && selection.max_rating, "max-rating",
                      words.max_rating, "min-rating", words.min_rating),
          check_range(selection.since > selection.until && selection.until, "until", words.until, "since",
                      words.since),
          check_range(selection.min_plies > selection.max_plies, "max-plies", words.max_plies, "min-plies",
                      words.min_plies)})
        if (!status) return std::unexpected(status.error());

    if (!words.hash.empty()) {
        selection.hash = number_of<std::uint64_t>(words.hash, 16);
        if (!selection.hash || words.hash.size() != 16)
            return refuse("hash", words.hash, "16 hexadecimal digits");
    }
    if (!words.position.empty()) {
        const auto position = chess::parse_fen(words.position);
        if (!position) return base::fail("option --position: {}", position.error().message);
        selection.through = position->key();
    }
    return selection;
}

base::Result<bool> matches(const Selection& selection, const Block& block, std::size_t game,
                           std::uint64_t number) {
    const Block::GameInfo& info = block.info(game);
    if (number < selection.first_number || number > selection.last_number) return false;
    if (info.plies < selection.min_plies || info.plies > selection.max_plies) return false;
    if (selection.result && info.result != *selection.result) return false;
    if (selection.ending && info.ending != *selection.ending) return false;
    if (selection.chess960 && info.chess960 != *selection.chess960) return false;
    if (selection.evaluations && info.has_evaluations != *selection.evaluations) return false;
    if (selection.hash && info.hash != *selection.hash) return false;
    if (selection.split && split_of(info.hash, selection.shares) != *selection.split) return false;
    if (selection.columns().tags && !tags_match(selection, block, game)) return false;
    if (!selection.through) return true;
    return passes_through(*selection.through, block, game);
}

base::Status for_each_selected(std::span<const StoreReader> stores, const Selection& selection,
                               const Columns& columns, const std::stop_token& stop,
                               const std::function<void(std::uint64_t)>& progress, const UseGame& use) {
    const Columns wanted = both(columns, selection.columns());
    std::uint64_t passed = 0;
    for (std::size_t store = 0; store < stores.size(); ++store) {
        std::uint64_t first = 1;
        for (std::size_t number = 0; number < stores[store].blocks().size(); ++number) {
            const std::uint64_t count = stores[store].blocks()[number].games;
            const std::uint64_t behind = first + count;
            if (behind <= selection.first_number || first > selection.last_number) {
                passed += count;
                first = behind;
                continue;
            }
            const auto block = stores[store].read_block(number, wanted);
            if (!block) return std::unexpected(block.error());
            for (std::size_t game = 0; game < block->games(); ++game) {
                if (stop.stop_requested())
                    return base::fail("stopped after {}", base::counted(passed, "game"));
                const GamePlace place(store, first + game);
                const auto matching = matches(selection, *block, game, place.number());
                if (!matching) return base::fail_in(to_string(stores, place), matching.error());
                if (*matching)
                    if (auto status = use(*block, game, place); !status) return status;
                if (++passed % 256 == 0 && progress) progress(passed);
            }
            first = behind;
        }
    }
    if (progress) progress(passed);
    return {};
}

}  // namespace scholar::games
