#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

// Numbers to and from bytes, as the game store writes them: fixed ones little-endian, others as LEB128
// varints, signed ones zigzag-coded before that.

namespace scholar::games {

static_assert(std::endian::native == std::endian::little, "the game store is written in this byte order");

constexpr std::uint32_t zigzag(std::int32_t value) {
    return static_cast<std::uint32_t>(value) << 1 ^ static_cast<std::uint32_t>(value >> 31);
}
constexpr std::int32_t unzigzag(std::uint32_t code) {
    return static_cast<std::int32_t>(code >> 1 ^ (0 - (code & 1)));
}

// The same for 64 bits. A difference is taken modulo 2^64, so any two numbers have one.
constexpr std::uint64_t zigzag_difference(std::uint64_t value, std::uint64_t before) {
    const std::uint64_t difference = value - before;
    return difference << 1 ^ (0 - (difference >> 63));
}
constexpr std::uint64_t undo_difference(std::uint64_t code, std::uint64_t before) {
    return before + (code >> 1 ^ (0 - (code & 1)));
}

template <class T>
void put_fixed(std::string& out, T value) {
    static_assert(std::is_unsigned_v<T>);
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
}

inline void put_varint(std::string& out, std::uint64_t value) {
    while (value >= 0x80) {
        out += static_cast<char>(value | 0x80);
        value >>= 7;
    }
    out += static_cast<char>(value);
}

inline void put_text(std::string& out, std::string_view text) {
    put_varint(out, static_cast<std::uint32_t>(text.size()));
    out += text;
}

// Reads what the functions above wrote. Reading past the end gives zeros and empty texts and makes ok()
// false, so that a damaged section is found by one question at the end, never by a crash.
class ByteSource {
  public:
    explicit ByteSource(std::string_view bytes) : rest_(bytes) {}

    template <class T>
    T fixed() {
        T value{};
        if (!has(sizeof(T))) return value;
        std::memcpy(&value, rest_.data(), sizeof(T));
        rest_.remove_prefix(sizeof(T));
        return value;
    }

    std::uint32_t varint() { return varint_of<std::uint32_t>(); }
    std::uint64_t varint64() { return varint_of<std::uint64_t>(); }

    std::string_view take(std::size_t count) {
        if (!has(count)) return {};
        const std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return taken;
    }

    std::string_view text() { return take(varint()); }

    std::size_t left() const { return rest_.size(); }
    bool ok() const { return ok_; }
    // Everything was there and nothing is left.
    bool finished() const { return ok_ && rest_.empty(); }

  private:
    // Bits beyond the type's are dropped; a number of more bytes than the type's largest is an error.
    template <class T>
    T varint_of() {
        T value = 0;
        for (unsigned shift = 0; shift < 8 * sizeof(T); shift += 7) {
            if (!has(1)) return 0;
            const auto byte = static_cast<std::uint8_t>(rest_.front());
            rest_.remove_prefix(1);
            value |= static_cast<T>(byte & 0x7F) << shift;
            if (byte < 0x80) return value;
        }
        ok_ = false;
        return 0;
    }

    bool has(std::size_t count) {
        if (rest_.size() >= count) return true;
        ok_ = false;
        rest_ = {};
        return false;
    }

    std::string_view rest_;
    bool ok_ = true;
};

}  // namespace scholar::games
