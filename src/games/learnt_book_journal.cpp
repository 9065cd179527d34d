#include "games/learnt_book_journal.hpp"

#include <algorithm>
#include <fstream>

#include "base/hash.hpp"

namespace scholar::games {

namespace {

constexpr std::size_t kDigits = 16;
constexpr std::string_view kFirstWord = " book ";

}  // namespace

std::string journal_line(std::string_view record, JournalPlace& place) {
    place.chain = base::hash_text(record, place.chain);
    std::string line = fmt::format("{} {}\n", base::to_hex(place.chain), record);
    place.end += line.size();
    ++place.lines;
    return line;
}

std::optional<std::string_view> JournalReader::next() {
    const std::string_view rest = bytes_.substr(place_.end);
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos || end <= kDigits || rest[kDigits] != ' ') return std::nullopt;
    const std::string_view record = rest.substr(kDigits + 1, end - kDigits - 1);
    const std::uint64_t chain = base::hash_text(record, place_.chain);
    if (rest.substr(0, kDigits) != base::to_hex(chain)) return std::nullopt;
    place_ = {place_.end + end + 1, chain, place_.lines + 1};
    return record;
}

bool JournalReader::is_torn() const {
    const std::size_t end = bytes_.find('\n', place_.end);
    return end == std::string_view::npos || end + 1 == bytes_.size();
}

bool is_learnt_book(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    std::ifstream file(path, std::ios::binary);
    std::string start(kDigits + kFirstWord.size(), '\0');
    if (!file.read(start.data(), static_cast<std::streamsize>(start.size()))) return false;
    return start.ends_with(kFirstWord) && start.find_first_not_of("0123456789abcdef") == kDigits;
}

base::Status JournalWriter::append(std::string_view record) {
    JournalPlace next = place_;
    auto status = file_.write(place_.end, journal_line(record, next));
    if (status && flush_ == Flush::EachRecord) status = file_.flush();
    if (!status) {
        // Half a line would be in the way of the next.
        if (auto cut = file_.resize(place_.end); !cut) return cut;
        return status;
    }
    place_ = next;
    return {};
}

base::Status JournalWriter::cut(const JournalPlace& place) {
    if (auto status = file_.resize(place.end); !status) return status;
    place_ = place;
    return file_.flush();
}

}  // namespace scholar::games
