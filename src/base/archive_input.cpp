#include "base/archive_input.hpp"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <cerrno>
#include <optional>
#include <vector>

#include "base/text.hpp"

namespace scholar::base {

namespace {

constexpr std::size_t kArchiveChunk = 1 << 17;

struct Free {
    void operator()(archive* reader) const { archive_read_free(reader); }
};
using Archive = std::unique_ptr<archive, Free>;

// The library's word for what is wrong, in ours.
Error error_of(archive* reader, const std::string& name, std::string_view what) {
    const char* text = archive_error_string(reader);
    const std::string_view reason = text != nullptr ? text : "unknown error";
    // "Truncated …", "truncated …", and the last of liblzma
    if (reason.contains("runcated") || reason.contains("No progress is possible"))
        return {fmt::format("{}: {} end too soon", name, what)};
    std::string in_one_line(reason);
    std::ranges::replace(in_one_line, '\n', ' ');
    return {fmt::format("{}: damaged {}: {}", name, what, in_one_line)};
}

// The data of the entry that `reader` stands at.
class EntryInput : public InputStream {
  public:
    EntryInput(Archive reader, std::string name, std::string_view what)
        : reader_(std::move(reader)), name_(std::move(name)), what_(what) {}

    Result<std::size_t> read(std::span<char> buffer) override {
        while (true) {
            const la_ssize_t got = archive_read_data(reader_.get(), buffer.data(), buffer.size());
            if (got >= 0) return static_cast<std::size_t>(got);
            if (got == ARCHIVE_RETRY) continue;
            return std::unexpected(error_of(reader_.get(), name_, what_));
        }
    }

  private:
    Archive reader_;
    std::string name_;
    std::string_view what_;
};

class EmptyInput final : public InputStream {
  public:
    Result<std::size_t> read(std::span<char>) override { return 0; }
};

// ---------------------------------------------------------------------------------------------------------------------
// xz

// Where the library gets its bytes from.
struct Source {
    std::unique_ptr<InputStream> packed;
    std::vector<char> chunk = std::vector<char>(kArchiveChunk);
    std::optional<Error> error;

    static la_ssize_t read(archive* reader, void* self, const void** bytes) {
        auto& source = *static_cast<Source*>(self);
        const auto got = source.packed->read(source.chunk);
        if (!got) {
            source.error = got.error();
            archive_set_error(reader, EIO, "%s", got.error().message.c_str());
            return -1;
        }
        *bytes = source.chunk.data();
        return static_cast<la_ssize_t>(*got);
    }
};

class XzInput final : public InputStream {
  public:
    XzInput(std::unique_ptr<Source> source, Archive reader, std::string name)
        : source_(std::move(source)), entry_(std::move(reader), std::move(name), "xz data") {}

    Result<std::size_t> read(std::span<char> buffer) override {
        auto got = entry_.read(buffer);
        if (!got && source_->error) return std::unexpected(*source_->error);
        return got;
    }

  private:
    std::unique_ptr<Source> source_;  // outlives the reader, which asks it to the end
    EntryInput entry_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Archives

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

bool ends_like_games(std::string_view name) {
    const std::string small = lower_case(name);
    return std::ranges::any_of(std::vector<std::string_view>{".pgn", ".epd", ".fen", ".bin"},
                               [&](std::string_view ending) { return small.ends_with(ending); });
}

Result<Archive> open_archive(const std::string& path, FileKind kind) {
    Archive reader(archive_read_new());
    if (!reader) return fail("{}: not enough memory to read it", path);
    if (kind == FileKind::Zip)
        archive_read_support_format_zip(reader.get());
    else
        archive_read_support_format_7zip(reader.get());
    if (archive_read_open_filename(reader.get(), path.c_str(), kArchiveChunk) != ARCHIVE_OK)
        return std::unexpected(error_of(reader.get(), path, name_of(kind).substr(2)));
    return reader;
}

// The next file, whatever folders come before it; nothing at the end.
Result<archive_entry*> next_file(archive* reader, const std::string& path, FileKind kind) {
    archive_entry* entry = nullptr;
    while (true) {
        const int status = archive_read_next_header(reader, &entry);
        if (status == ARCHIVE_EOF) return nullptr;
        if (status == ARCHIVE_RETRY) continue;
        // A warning is of a name or a date.
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
            return std::unexpected(error_of(reader, path, name_of(kind).substr(2)));
        if (archive_entry_filetype(entry) == AE_IFREG) return entry;
    }
}

std::string name_of_entry(archive_entry* entry) {
    const char* name = archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = archive_entry_pathname(entry);
    std::string text = name != nullptr ? name : "?";
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
    return text;
}

// What programs put beside the files that were meant.
bool is_by_the_way(std::string_view name) {
    return name.starts_with("__MACOSX/") || base_name(name).starts_with('.');
}

// Which of the files, by their order among all.
Result<std::size_t> choose_member(const std::string& path, FileKind kind) {
    auto reader = open_archive(path, kind);
    if (!reader) return std::unexpected(reader.error());
    struct Member {
        std::size_t number;
        std::string name;
    };
    std::vector<Member> members;
    for (std::size_t number = 0;; ++number) {
        const auto entry = next_file(reader->get(), path, kind);
        if (!entry) return std::unexpected(entry.error());
        if (*entry == nullptr) break;
        std::string name = name_of_entry(*entry);
        if (!is_by_the_way(name)) members.push_back({number, std::move(name)});
    }
    if (members.empty()) return fail("{}: {} without a file in it", path, name_of(kind));
    if (members.size() > 1 &&
        std::ranges::any_of(members, [](const Member& member) { return ends_like_games(member.name); }))
        std::erase_if(members, [](const Member& member) { return !ends_like_games(member.name); });
    if (members.size() == 1) return members.front().number;

    constexpr std::size_t kNamed = 5;
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, members.size()); ++i)
        names += (i == 0 ? "" : ", ") + members[i].name;
    if (members.size() > kNamed) names += fmt::format(" and {} more", members.size() - kNamed);
    return fail("{}: {} of {} files, expected one: unpack it and name the one you mean ({})", path,
                name_of(kind), members.size(), names);
}

}  // namespace

Result<std::unique_ptr<InputStream>> open_member(const std::string& path, FileKind kind) {
    const auto number = choose_member(path, kind);
    if (!number) return std::unexpected(number.error());
    auto reader = open_archive(path, kind);
    if (!reader) return std::unexpected(reader.error());
    for (std::size_t i = 0;; ++i) {
        const auto entry = next_file(reader->get(), path, kind);
        if (!entry) return std::unexpected(entry.error());
        if (*entry == nullptr) return fail("{}: changed while it was read", path);
        if (i < *number) continue;
        if (archive_entry_is_data_encrypted(*entry) == 1)
            return fail("{}: {} with a password: unpack it first", path, name_of(kind));
        return std::make_unique<EntryInput>(std::move(*reader), path, name_of(kind).substr(2));
    }
}

Result<std::unique_ptr<InputStream>> xz_input(std::unique_ptr<InputStream> packed, std::string name) {
    auto source = std::make_unique<Source>();
    source->packed = std::move(packed);
    Archive reader(archive_read_new());
    if (!reader) return fail("{}: not enough memory to read it", name);
    archive_read_support_filter_xz(reader.get());
    archive_read_support_format_raw(reader.get());
    archive_read_support_format_empty(reader.get());
    const auto failed = [&]() -> Result<std::unique_ptr<InputStream>> {
        if (source->error) return std::unexpected(*source->error);
        return std::unexpected(error_of(reader.get(), name, "xz data"));
    };
    if (archive_read_open(reader.get(), source.get(), nullptr, Source::read, nullptr) != ARCHIVE_OK)
        return failed();
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(reader.get(), &entry);
    if (status == ARCHIVE_EOF) return std::make_unique<EmptyInput>();
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return failed();
    return std::make_unique<XzInput>(std::move(source), std::move(reader), std::move(name));
}

}  // namespace scholar::base
