#include "games/store_journal.hpp"

#include <charconv>
#include <optional>
#include <string_view>

#include "base/files.hpp"
#include "base/hash.hpp"

namespace scholar::games {

namespace {

constexpr std::size_t kHashDigits = 16;

std::string with_hash(const std::string& text) {
    return base::to_hex(base::hash_text(text)) + ' ' + text + '\n';
}

// Beside the store itself, where its name is a link to it: what is written there is renamed at the end, which
// goes within one file system only.
std::filesystem::path beside(const std::filesystem::path& store, const char* ending) {
    std::filesystem::path path = base::behind_links(store).value_or(store);
    path += ending;
    return path;
}

// The next word of a line as a number; false if it is none.
bool take_number(std::string_view& rest, std::uint64_t& number, int base = 10) {
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number, base);
    if (error != std::errc()) return false;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.empty() && rest.front() != ' ') return false;
    rest.remove_prefix(rest.empty() ? 0 : 1);
    return true;
}

bool take_word(std::string_view& rest, std::string_view word) {
    if (!rest.starts_with(word)) return false;
    rest.remove_prefix(word.size());
    return true;
}

// A line's text if its hash is right.
std::optional<std::string_view> checked(std::string_view line) {
    if (line.size() <= kHashDigits) return std::nullopt;
    const std::string_view text = line.substr(kHashDigits + 1);
    if (line.substr(0, kHashDigits) != base::to_hex(base::hash_text(text))) return std::nullopt;
    return text;
}

std::optional<Journal::Begin> parse_begin(std::string_view text) {
    Journal::Begin begin;
    if (!take_word(text, "begin ") || !take_number(text, begin.blocks) || !take_number(text, begin.end) ||
        !take_number(text, begin.data_hash, 16))
        return std::nullopt;
    begin.session = text;
    return begin;
}

std::optional<Journal::Step> parse_step(std::string_view text) {
    Journal::Step step;
    std::uint64_t source = 0;
    if (!take_word(text, "block ") || !take_number(text, step.blocks) || !take_number(text, step.end) ||
        !take_number(text, step.content_hash, 16) || !take_number(text, source) ||
        !take_number(text, step.progress.games) || !take_number(text, step.progress.skipped))
        return std::nullopt;
    step.progress.source = static_cast<std::uint32_t>(source);
    return step;
}

}  // namespace

std::string Journal::line_of(const Begin& begin) {
    return with_hash(fmt::format("begin {} {} {} {}", begin.blocks, begin.end, base::to_hex(begin.data_hash),
                                 begin.session));
}

std::string Journal::line_of(const Step& step) {
    return with_hash(fmt::format("block {} {} {} {} {} {}", step.blocks, step.end,
                                 base::to_hex(step.content_hash), step.progress.source, step.progress.games,
                                 step.progress.skipped));
}

base::Result<Journal> Journal::read(const std::filesystem::path& path) {
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    Journal journal;
    std::string_view rest = *text;
    bool begun = false;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        if (end == std::string_view::npos) break;
        const auto line = checked(rest.substr(0, end));
        if (!line) break;
        rest.remove_prefix(end + 1);
        const std::uint64_t position = text->size() - rest.size();
        if (!begun) {
            auto begin = parse_begin(*line);
            if (!begin) break;
            journal.begin = std::move(*begin);
            journal.begin_end = position;
            begun = true;
        } else {
            const auto step = parse_step(*line);
            if (!step) break;
            journal.steps.push_back(*step);
            journal.step_ends.push_back(position);
        }
    }
    if (!begun)
        return base::fail("{}: not the progress of a game store that is being written", path.string());
    return journal;
}

std::filesystem::path partial_path(const std::filesystem::path& store) {
    return beside(store, ".partial");
}

std::filesystem::path journal_path(const std::filesystem::path& store) {
    return beside(store, ".progress");
}

}  // namespace scholar::games
