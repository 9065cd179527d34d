#include "selfplay/growing_store.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "base/files.hpp"
#include "base/text.hpp"

namespace scholar::selfplay {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSessionHead = "scholar selfplay";

bool is_there(const fs::path& path) {
    std::error_code unknown;
    return fs::exists(path, unknown);
}

// One line: the head, and behind a tab each a setting. Nothing in a setting is a tab or a backslash then.
std::string session_of(const Settings& settings) {
    std::string session(kSessionHead);
    for (const auto& [name, value] : settings) {
        session += '\t' + name + ' ';
        for (const char c : value) {
            const auto byte = static_cast<unsigned char>(c);
            if (byte < ' ' || c == '\\' || c == '%')
                session += fmt::format("%{:02x}", byte);
            else
                session += c;
        }
    }
    return session;
}

// Name by name.
std::map<std::string, std::string, std::less<>> settings_in(std::string_view session) {
    std::map<std::string, std::string, std::less<>> settings;
    while (true) {
        const std::size_t tab = session.find('\t');
        if (tab == std::string_view::npos) return settings;
        session.remove_prefix(tab + 1);
        const std::string_view one = session.substr(0, session.find('\t'));
        const std::size_t blank = std::min(one.find(' '), one.size());
        settings.emplace(one.substr(0, blank), one.substr(std::min(blank + 1, one.size())));
    }
}

std::string said(std::string_view name, const std::string& value) {
    return value.empty() ? fmt::format("without {}", name)
                         : fmt::format("with {} {}", name, base::excerpt(value));
}

// What is under way of that name must be of these settings.
base::Status check_settings(const fs::path& path, const std::string& session) {
    const auto journal = games::Journal::read(games::journal_path(path));
    if (!journal || journal->begin.session == session) return {};
    if (!journal->begin.session.starts_with(kSessionHead))
        return base::fail("{}: cannot be resumed: what is under way is another command's", path.string());
    const auto begun = settings_in(journal->begin.session);
    for (const auto& [name, value] : settings_in(session)) {
        const auto found = begun.find(name);
        if (found == begun.end() || found->second != value)
            return base::fail("{}: cannot be resumed {}: it was begun {}", path.string(), said(name, value),
                              said(name, found == begun.end() ? "" : found->second));
    }
    return base::fail("{}: cannot be resumed with other settings", path.string());
}

games::StoreWriter::Options growing_options(const std::string& session) {
    games::StoreWriter::Options options;
    options.resumable = true;
    options.session = session;
    options.compression_level = 1;  // for a while only
    return options;
}

base::Result<std::optional<games::Game>> last_game(const games::StoreReader& store) {
    if (store.blocks().empty()) return std::nullopt;
    const auto block = store.read_block(store.blocks().size() - 1);
    if (!block) return std::unexpected(block.error());
    auto game = block->game(block->games() - 1);
    if (!game) return std::unexpected(game.error());
    return std::move(*game);
}

// Whether the store that has the name was packed from the games of the one that grew, and the player killed
// before that was tidied away.
bool is_packed_from_growing(const fs::path& path) {
    const auto packed = games::StoreReader::open(path);
    const auto growing = games::StoreReader::open(games::partial_path(path), games::CutOff::Recover);
    if (!packed || !growing || packed->games() != growing->games()) return false;
    const auto one = last_game(*packed);
    const auto other = last_game(*growing);
    return one && other && *one && *other && (*one)->hash() == (*other)->hash() &&
           (*one)->tags == (*other)->tags;
}

// Of one who was killed when all was done but to remove it.
void remove_stray_journal(const fs::path& path) {
    const fs::path journal = games::journal_path(path);
    std::error_code ignored;
    if (const auto read = games::Journal::read(journal);
        read && read->begin.session.starts_with(kSessionHead))
        fs::remove(journal, ignored);
}

}  // namespace

base::Result<GrowingStore> GrowingStore::open(const fs::path& path, const Settings& settings, bool resume,
                                              bool replace) {
    const std::string session = session_of(settings);
    const bool under_way = is_there(games::partial_path(path));
    if (resume && under_way)
        if (auto status = check_settings(path, session); !status) return std::unexpected(status.error());
    if (!replace && is_there(path)) {
        if (resume && !under_way) {
            remove_stray_journal(path);
            return base::fail("{}: exists, and there is nothing of it to resume", path.string());
        }
        if (!resume || !is_packed_from_growing(path))
            return base::fail("{}: exists, expected a new name, or --overwrite to replace it", path.string());
    }
    const games::StoreWriter::Options options = growing_options(session);
    auto writer = resume && under_way ? games::StoreWriter::resume(path, options)
                                      : games::StoreWriter::create(path, options);
    if (!writer) return std::unexpected(writer.error());
    return GrowingStore(path, std::move(*writer));
}

base::Status GrowingStore::add(std::span<const games::Game> games) {
    for (const games::Game& game : games)
        if (auto status = writer_.add(game); !status) return status;
    return writer_.end_block();
}

base::Result<GrowingStore::Finished> GrowingStore::finish() {
    const fs::path growing = games::partial_path(path_);
    const auto reader = games::StoreReader::open(growing, games::CutOff::Recover);
    if (!reader) return std::unexpected(reader.error());
    fs::path packed = path_;
    packed += ".packed";
    // Of one who was killed here before; the lock on the games says that nobody else is at it.
    std::error_code ignored;
    fs::remove(games::partial_path(packed), ignored);
    auto writer = games::StoreWriter::create(packed);
    if (!writer) return std::unexpected(writer.error());
    Finished finished;
    std::unordered_set<std::uint64_t> known;
    for (std::size_t number = 0; number < reader->blocks().size(); ++number) {
        const auto block = reader->read_block(number);
        if (!block) return std::unexpected(block.error());
        for (std::size_t i = 0; i < block->games(); ++i) {
            const auto game = block->game(i);
            if (!game) return base::fail_in(growing.string(), game.error());
            if (!known.insert(game->hash()).second) ++finished.copies;
            if (auto status = writer->add(*game); !status)
                return base::fail_in(packed.string(), status.error());
        }
    }
    const auto summary = writer->finish();
    if (!summary) return std::unexpected(summary.error());
    finished.summary = *summary;
    if (auto status = base::rename_for_good(packed, path_); !status) return std::unexpected(status.error());
    // The games before what says that they can be resumed: of what is left in between nothing is lost.
    fs::remove(growing, ignored);
    fs::remove(games::journal_path(path_), ignored);
    return finished;
}

}  // namespace scholar::selfplay
