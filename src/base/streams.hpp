#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace scholar::base {

// Bytes in, from a plain file, .zst, .gz, .bz2, .xz (known by their first bytes, not by name), the one file
// of a .zip or .7z (base/archive_input.hpp), or standard input ("-").
class InputStream {
  public:
    virtual ~InputStream() = default;

    // Fills as much of `buffer` as there is; 0 is the end. A compressed file that is cut off or damaged is an
    // error, not an end.
    virtual Result<std::size_t> read(std::span<char> buffer) = 0;
};

// Where there is nothing to read yet (a pipe), it waits until there is or `stop` ends the wait with an error.
Result<std::unique_ptr<InputStream>> open_input(const std::string& path, std::stop_token stop = {});

// All that there is, to its end.
Result<std::string> read_all(InputStream& input);

// The bytes themselves, not decompressed and not copied: they must live as long as the stream.
std::unique_ptr<InputStream> memory_input(std::string_view bytes);

// gzip data in one piece. Refuses data that are damaged or cut off, that go on behind their end, or that hold
// more than `most` bytes.
Result<std::string> decompress_gzip(std::string_view compressed, std::size_t most);

// zstd in one piece, for blocks whose size is known.
std::string compress_block(std::string_view raw, int level);
// `raw_size` is what the block says of itself; anything else is an error.
Result<std::string> decompress_block(std::string_view compressed, std::size_t raw_size);
// Of a frame that says its own size, as the program zstd and compress_block() write it.
Result<std::string> decompress_frame(std::string_view compressed);

}  // namespace scholar::base
