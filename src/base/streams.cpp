#include "base/streams.hpp"

#include <algorithm>
#include <bzlib.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "base/archive_input.hpp"
#include "base/file_kind.hpp"

namespace scholar::base {

namespace {

constexpr std::size_t kChunk = 1 << 17;

class RawInput final : public InputStream {
  public:
    RawInput(int descriptor, std::string name, std::stop_token stop)
        : descriptor_(descriptor), name_(std::move(name)), stop_(std::move(stop)) {}
    ~RawInput() override {
        if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
    }

    Result<std::size_t> read(std::span<char> buffer) override {
        while (true) {
            if (auto status = wait(); !status) return std::unexpected(status.error());
            const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno != EINTR && errno != EAGAIN)
                return fail("{}: cannot read: {}", name_, std::strerror(errno));
        }
    }

    const std::string& name() const { return name_; }

  private:
    // Until there is something to read, or the writers of a pipe are gone.
    Status wait() const {
        constexpr int kPatience = 100;  // milliseconds between looks at the token
        pollfd waiting{descriptor_, POLLIN, 0};
        while (::poll(&waiting, 1, kPatience) <= 0)
            if (stop_.stop_requested()) return fail("{}: stopped while waiting for input", name_);
        return {};
    }

    int descriptor_;
    std::string name_;
    std::stop_token stop_;
};

// Raw bytes with the first few looked at and put back.
class PeekedInput {
  public:
    explicit PeekedInput(std::unique_ptr<RawInput> raw) : raw_(std::move(raw)) {}

    Result<std::string_view> peek(std::size_t count) {
        while (head_.size() < count) {
            char bytes[16];
            auto got = raw_->read(std::span(bytes, count - head_.size()));
            if (!got) return std::unexpected(got.error());
            if (*got == 0) break;
            head_.append(bytes, *got);
        }
        return std::string_view(head_);
    }

    Result<std::size_t> read(std::span<char> buffer) {
        if (taken_ < head_.size()) {
            const std::size_t count = std::min(buffer.size(), head_.size() - taken_);
            std::memcpy(buffer.data(), head_.data() + taken_, count);
            taken_ += count;
            return count;
        }
        return raw_->read(buffer);
    }

    const std::string& name() const { return raw_->name(); }

  private:
    std::unique_ptr<RawInput> raw_;
    std::string head_;
    std::size_t taken_ = 0;
};

class PlainInput final : public InputStream {
  public:
    explicit PlainInput(PeekedInput input) : input_(std::move(input)) {}
    Result<std::size_t> read(std::span<char> buffer) override { return input_.read(buffer); }

  private:
    PeekedInput input_;
};

class ZstdInput final : public InputStream {
  public:
    explicit ZstdInput(PeekedInput input) : input_(std::move(input)), context_(ZSTD_createDCtx()) {
        // What every level makes is read, and --long up to 27, its default; a file cannot ask for more memory
        // than 128 MiB.
        ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, 27);
    }
    ~ZstdInput() override { ZSTD_freeDCtx(context_); }
    ZstdInput(const ZstdInput&) = delete;
    ZstdInput& operator=(const ZstdInput&) = delete;

    Result<std::size_t> read(std::span<char> buffer) override {
        ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
        while (out.pos == 0) {
            if (in_.pos == in_.size) {
                auto got = input_.read(chunk_);
                if (!got) return got;
                if (*got == 0) {
                    if (inside_frame_) return fail("{}: zstd data end too soon", input_.name());
                    return 0;
                }
                in_ = {chunk_.data(), *got, 0};
            }
            const std::size_t state = ZSTD_decompressStream(context_, &out, &in_);
            if (ZSTD_isError(state))
                return fail("{}: damaged zstd data: {}", input_.name(), ZSTD_getErrorName(state));
            inside_frame_ = state != 0;
        }
        return out.pos;
    }

  private:
    PeekedInput input_;
    ZSTD_DCtx* context_;
    std::vector<char> chunk_ = std::vector<char>(kChunk);
    ZSTD_inBuffer in_{chunk_.data(), 0, 0};
    bool inside_frame_ = false;
};

class GzipInput final : public InputStream {
  public:
    explicit GzipInput(PeekedInput input) : input_(std::move(input)) { inflateInit2(&state_, 15 + 16); }
    ~GzipInput() override { inflateEnd(&state_); }
    GzipInput(const GzipInput&) = delete;
    GzipInput& operator=(const GzipInput&) = delete;

    Result<std::size_t> read(std::span<char> buffer) override {
        state_.next_out = reinterpret_cast<Bytef*>(buffer.data());
        state_.avail_out = static_cast<uInt>(buffer.size());
        while (state_.avail_out == buffer.size()) {
            if (state_.avail_in == 0) {
                auto got = input_.read(chunk_);
                if (!got) return got;
                if (*got == 0) {
                    if (inside_member_) return fail("{}: gzip data end too soon", input_.name());
                    return 0;
                }
                state_.next_in = reinterpret_cast<Bytef*>(chunk_.data());
                state_.avail_in = static_cast<uInt>(*got);
            }
            if (!inside_member_) {
                // Some tools pad the end with zeros.
                if (ended_once_ && *state_.next_in == 0) {
                    ++state_.next_in;
                    --state_.avail_in;
                    continue;
                }
                inflateReset(&state_);
            }
            inside_member_ = true;
            const int status = inflate(&state_, Z_NO_FLUSH);
            if (status == Z_STREAM_END) {
                inside_member_ = false;  // a gzip file may hold several members
                ended_once_ = true;
            } else if (status != Z_OK && status != Z_BUF_ERROR) {
                return fail("{}: damaged gzip data", input_.name());
            }
        }
        return buffer.size() - state_.avail_out;
    }

  private:
    PeekedInput input_;
    z_stream state_{};
    std::vector<char> chunk_ = std::vector<char>(kChunk);
    bool inside_member_ = false;
    bool ended_once_ = false;
};

class Bzip2Input final : public InputStream {
  public:
    explicit Bzip2Input(PeekedInput input) : input_(std::move(input)) { BZ2_bzDecompressInit(&state_, 0, 0); }
    ~Bzip2Input() override { BZ2_bzDecompressEnd(&state_); }
    Bzip2Input(const Bzip2Input&) = delete;
    Bzip2Input& operator=(const Bzip2Input&) = delete;

    Result<std::size_t> read(std::span<char> buffer) override {
        state_.next_out = buffer.data();
        state_.avail_out = static_cast<unsigned>(buffer.size());
        while (state_.avail_out == buffer.size()) {
            if (state_.avail_in == 0) {
                auto got = input_.read(chunk_);
                if (!got) return got;
                if (*got == 0) {
                    if (inside_stream_) return fail("{}: bzip2 data end too soon", input_.name());
                    return 0;
                }
                state_.next_in = chunk_.data();
                state_.avail_in = static_cast<unsigned>(*got);
            }
            if (!inside_stream_ && ended_once_ && *state_.next_in == 0) {
                ++state_.next_in;
                --state_.avail_in;
                continue;
            }
            if (!inside_stream_ && ended_once_) {
                // Another stream follows: start afresh, keeping where input and output stand.
                const bz_stream kept = state_;
                BZ2_bzDecompressEnd(&state_);
                state_ = bz_stream{};
                BZ2_bzDecompressInit(&state_, 0, 0);
                state_.next_in = kept.next_in;
                state_.avail_in = kept.avail_in;
                state_.next_out = kept.next_out;
                state_.avail_out = kept.avail_out;
            }
            inside_stream_ = true;
            const int status = BZ2_bzDecompress(&state_);
            if (status == BZ_STREAM_END) {
                inside_stream_ = false;
                ended_once_ = true;
            } else if (status != BZ_OK) {
                return fail("{}: damaged bzip2 data", input_.name());
            }
        }
        return buffer.size() - state_.avail_out;
    }

  private:
    PeekedInput input_;
    bz_stream state_{};
    std::vector<char> chunk_ = std::vector<char>(kChunk);
    bool inside_stream_ = false;
    bool ended_once_ = false;
};

class MemoryInput final : public InputStream {
  public:
    explicit MemoryInput(std::string_view bytes) : rest_(bytes) {}

    Result<std::size_t> read(std::span<char> buffer) override {
        const std::size_t count = rest_.copy(buffer.data(), buffer.size());
        rest_.remove_prefix(count);
        return count;
    }

  private:
    std::string_view rest_;
};

}  // namespace

Result<std::unique_ptr<InputStream>> open_input(const std::string& path, std::stop_token stop) {
    int descriptor = STDIN_FILENO;
    bool is_regular = false;
    if (path != "-") {
        // Opening a pipe that nobody writes to yet would wait, deaf to `stop`.
        descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (descriptor < 0) return fail("{}: cannot open: {}", path, std::strerror(errno));
        struct stat about{};
        const bool known = ::fstat(descriptor, &about) == 0;
        is_regular = known && S_ISREG(about.st_mode);
        if (known && S_ISDIR(about.st_mode)) {
            ::close(descriptor);
            return fail("{}: is a folder, expected a file", path);
        }
    }
    PeekedInput input(
        std::make_unique<RawInput>(descriptor, path == "-" ? "standard input" : path, std::move(stop)));
    auto head = input.peek(kFileKindBytes);
    if (!head) return std::unexpected(head.error());
    const FileKind kind = kind_of_file(*head);
    std::unique_ptr<InputStream> stream;
    switch (kind) {
        case FileKind::Plain:
            stream = std::make_unique<PlainInput>(std::move(input));
            break;
        case FileKind::Zstd:
            stream = std::make_unique<ZstdInput>(std::move(input));
            break;
        case FileKind::Gzip:
            stream = std::make_unique<GzipInput>(std::move(input));
            break;
        case FileKind::Bzip2:
            stream = std::make_unique<Bzip2Input>(std::move(input));
            break;
        case FileKind::Xz: {
            std::string name = input.name();
            return xz_input(std::make_unique<PlainInput>(std::move(input)), std::move(name));
        }
        case FileKind::Zip:
        case FileKind::SevenZip:
            // What is in an archive is told by its end.
            if (!is_regular)
                return fail("{}: {}, which is not read from a pipe: expected a file, or the text itself",
                            input.name(), name_of(kind));
            return open_member(path, kind);
        case FileKind::Utf16:
            return fail("{}: {}, expected UTF-8 or Latin-1", input.name(), name_of(kind));
        case FileKind::Rar:
        case FileKind::Lz4:
        case FileKind::Lzip:
        case FileKind::Compress:
            return fail("{}: {}: unpack it first, or pack it as .zst, .gz, .bz2, .xz, .zip or .7z",
                        input.name(), name_of(kind));
    }
    return stream;
}

Result<std::string> read_all(InputStream& input) {
    std::string text;
    std::vector<char> chunk(1 << 16);
    while (true) {
        const auto size = input.read(chunk);
        if (!size) return std::unexpected(size.error());
        if (*size == 0) return text;
        text.append(chunk.data(), *size);
    }
}

std::unique_ptr<InputStream> memory_input(std::string_view bytes) {
    return std::make_unique<MemoryInput>(bytes);
}

Result<std::string> decompress_gzip(std::string_view compressed, std::size_t most) {
    // The length counts in 32 bits there.
    if (compressed.size() > std::numeric_limits<uInt>::max())
        return fail("gzip data of {} bytes, expected at most {}", compressed.size(),
                    std::numeric_limits<uInt>::max());
    z_stream state{};
    inflateInit2(&state, 15 + 16);
    // zlib takes what it reads by a pointer to what may change, and does not change it.
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
    state.avail_in = static_cast<uInt>(compressed.size());
    std::string out;
    std::vector<char> chunk(kChunk);
    int status = Z_OK;
    while (status == Z_OK && out.size() <= most) {
        state.next_out = reinterpret_cast<Bytef*>(chunk.data());
        state.avail_out = static_cast<uInt>(chunk.size());
        status = inflate(&state, Z_NO_FLUSH);
        out.append(chunk.data(), chunk.size() - state.avail_out);
    }
    const std::size_t rest = state.avail_in;
    inflateEnd(&state);
    if (out.size() > most) return fail("gzip data of more than {} bytes", most);
    if (status == Z_BUF_ERROR) return fail("gzip data end too soon");
    if (status != Z_STREAM_END) return fail("damaged gzip data");
    if (rest > 0) return fail("{} bytes behind the end of gzip data", rest);
    return out;
}

std::string compress_block(std::string_view raw, int level) {
    std::string out(ZSTD_compressBound(raw.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), raw.data(), raw.size(), level));
    return out;
}

Result<std::string> decompress_block(std::string_view compressed, std::size_t raw_size) {
    std::string out(raw_size, '\0');
    const std::size_t got = ZSTD_decompress(out.data(), out.size(), compressed.data(), compressed.size());
    if (ZSTD_isError(got)) return fail("damaged zstd block: {}", ZSTD_getErrorName(got));
    if (got != raw_size) return fail("zstd block holds {} bytes, expected {}", got, raw_size);
    return out;
}

Result<std::string> decompress_frame(std::string_view compressed) {
    const auto size = ZSTD_getFrameContentSize(compressed.data(), compressed.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
        return fail("no zstd frame that says its size");
    return decompress_block(compressed, size);
}

}  // namespace scholar::base
