// The hash functions here follow CityHash 1.0 by Geoff Pike and Jyrki Alakuijala, bit for bit, in the parts
// that the Syzygy generator uses. Its notice:
//
//   Copyright (c) 2011 Google, Inc.
//
//   Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
//   associated documentation files (the "Software"), to deal in the Software without restriction, including
//   without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
//   copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
//   following conditions:
//
//   The above copyright notice and this permission notice shall be included in all copies or substantial
//   portions of the Software.
//
//   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
//   LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO
//   EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER
//   IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR
//   THE USE OR OTHER DEALINGS IN THE SOFTWARE.

#include "tablebases/syzygy_checksum.hpp"

#include <bit>
#include <cstring>
#include <nmmintrin.h>  // CRC-32C: SSE 4.2, which every x86-64-v2 machine has
#include <utility>
#include <vector>

namespace scholar::tablebases {

namespace {

using Word = std::uint64_t;

constexpr std::size_t kPiece = std::size_t{1} << 24;
constexpr Word k0 = 0xC3A5C85C97CB3127ULL;
constexpr Word k1 = 0xB492B66FBE98F273ULL;
constexpr Word k3 = 0xC949D7C7509E6557ULL;

struct Pair {
    Word first = 0;
    Word second = 0;
};

Word fetch(const char* at) {
    Word word;
    std::memcpy(&word, at, sizeof(word));
    return word;
}

Word shift_mix(Word value) {
    return value ^ value >> 47;
}

Word hash_16(Word low, Word high) {
    constexpr Word kMultiplier = 0x9DDFEA08EB382D69ULL;
    const Word a = shift_mix((low ^ high) * kMultiplier);
    return shift_mix((high ^ a) * kMultiplier) * kMultiplier;
}

Pair weak_hash_32(const char* s, Word a, Word b) {
    const Word w = fetch(s);
    const Word x = fetch(s + 8);
    const Word y = fetch(s + 16);
    const Word z = fetch(s + 24);
    a += w;
    b = std::rotr(b + a + z, 21);
    const Word c = a;
    a += x + y;
    b += std::rotr(a, 44);
    return {a + z, b + c};
}

// `length` is 16 here: what remains of the 32 bytes of one piece's hash.
Pair murmur_16(const char* s, Pair seed) {
    constexpr std::size_t kLength = 16;
    Word a = shift_mix(seed.first * k1) * k1;
    const Word first = fetch(s);
    const Word last = fetch(s + kLength - 8);
    Word c = seed.second * k1 + (hash_16(first, std::rotr(last + kLength, kLength)) ^ last);
    const Word d = shift_mix(a + first);
    a = hash_16(a, c);
    c = hash_16(d, seed.second);
    return {a ^ c, hash_16(c, a)};
}

// Of a multiple of 32 bytes.
Pair city_hash_128(const char* s, std::size_t length) {
    const Pair seed{fetch(s) ^ k3, fetch(s + 8)};
    s += 16;
    length -= 16;
    if (length == 16) return murmur_16(s, seed);

    const auto tail = [&](Word& x, Word& y, Word& z, Pair& v, Pair& w) {
        for (std::size_t done = 0; done < length;) {
            done += 32;
            y = std::rotr(x + y, 42) * k0 + v.second;
            w.first += fetch(s + length - done + 16);
            x = x * k0 + w.first;
            z += w.second + fetch(s + length - done);
            w.second += v.first;
            v = weak_hash_32(s + length - done, v.first + z, v.second);
        }
    };
    if (length < 128) {
        Word a = seed.first;
        Word b = seed.second;
        Word c = hash_16(fetch(s + length - 8) + k1, a);
        Word d = hash_16(b + length, c + fetch(s + length - 16));
        a += d;
        for (auto left = static_cast<std::ptrdiff_t>(length) - 16; left > 0; left -= 16, s += 16) {
            a = (a ^ shift_mix(fetch(s) * k1) * k1) * k1;
            b ^= a;
            c = (c ^ shift_mix(fetch(s + 8) * k1) * k1) * k1;
            d ^= c;
        }
        a = hash_16(a, c);
        b = hash_16(d, b);
        return {a ^ b, hash_16(b, a)};
    }

    Word x = seed.first;
    Word y = seed.second;
    Word z = length * k1;
    Pair v;
    Pair w;
    v.first = std::rotr(y ^ k1, 49) * k1 + fetch(s);
    v.second = std::rotr(v.first, 42) * k1 + fetch(s + 8);
    w.first = std::rotr(y + z, 35) * k1 + x;
    w.second = std::rotr(x + fetch(s + 88), 53) * k1;
    for (; length >= 128; length -= 128) {
        for (int half = 0; half < 2; ++half, s += 64) {
            x = std::rotr(x + y + v.first + fetch(s + 8), 37) * k1;
            y = std::rotr(y + v.second + fetch(s + 48), 42) * k1;
            x ^= w.second;
            y += v.first + fetch(s + 40);
            z = std::rotr(z + w.first, 33) * k1;
            v = weak_hash_32(s, v.second * k1, x + w.first);
            w = weak_hash_32(s + 32, z + w.second, y + fetch(s + 16));
            std::swap(z, x);
        }
    }
    x += std::rotr(v.first + z, 49) * k0;
    z += std::rotr(w.first, 37) * k0;
    tail(x, y, z, v, w);
    x = hash_16(x, v.first);
    y = hash_16(y + z, w.first);
    return {hash_16(x + v.second, w.second) + y, hash_16(x + w.second, y + v.second)};
}

// Five words and their running CRCs, taking in 40 bytes at a step.
class CrcState {
  public:
    CrcState(const char* s, std::size_t length, std::uint32_t seed)
        : a_(fetch(s + 56) + k0),
          b_(fetch(s + 96) + k0),
          c_(hash_16(b_, length)),
          d_(fetch(s + 120) * k0 + length),
          e_(fetch(s + 184) + seed),
          f_(seed),
          t_(c_ + d_) {
        start_ = {c_, d_};
    }

    void take(const char* s, Word multiplier, int z) {
        const Word old = a_;
        a_ = std::rotr(b_, 41 ^ z) * multiplier + fetch(s);
        b_ = std::rotr(c_, 27 ^ z) * multiplier + fetch(s + 8);
        c_ = std::rotr(d_, 41 ^ z) * multiplier + fetch(s + 16);
        d_ = std::rotr(e_, 33 ^ z) * multiplier + fetch(s + 24);
        e_ = std::rotr(t_, 25 ^ z) * multiplier + fetch(s + 32);
        t_ = old;
        f_ = _mm_crc32_u64(f_, a_);
        g_ = _mm_crc32_u64(g_, b_);
        h_ = _mm_crc32_u64(h_, c_);
        i_ = _mm_crc32_u64(i_, d_);
        j_ = _mm_crc32_u64(j_, e_);
    }

    std::array<Word, 4> finish() {
        j_ += i_ << 32;
        a_ = hash_16(a_, j_);
        h_ += g_ << 32;
        b_ += h_;
        c_ = hash_16(c_, f_) + i_;
        d_ = hash_16(d_, e_ + start_.first);
        j_ += e_;
        i_ += hash_16(h_, t_);
        e_ = hash_16(a_, d_) + j_;
        f_ = hash_16(b_, c_) + a_;
        g_ = hash_16(j_, i_) + c_;
        std::array<Word, 4> result;
        result[0] = e_ + f_ + g_ + h_;
        a_ = shift_mix((a_ + g_) * k0) * k0 + b_;
        result[1] = start_.second + a_ + result[0];
        a_ = shift_mix(a_ * k0) * k0 + c_;
        result[2] = a_ + result[1];
        a_ = shift_mix((a_ + e_) * k0) * k0;
        result[3] = a_ + result[2];
        return result;
    }

  private:
    Word a_, b_, c_, d_, e_, f_;
    Word g_ = 0, h_ = 0, i_ = 0, j_ = 0;
    Word t_;
    Pair start_;
};

std::array<Word, 4> city_hash_crc_256(const char* s, std::size_t length) {
    constexpr std::size_t kRound = 240;
    constexpr std::size_t kStep = 40;
    std::array<char, kRound> padded{};
    std::uint32_t seed = 0;
    if (length < kRound) {
        std::memcpy(padded.data(), s, length);
        s = padded.data();
        seed = ~static_cast<std::uint32_t>(length);
        length = kRound;
    }
    CrcState state(s, length, seed);
    for (; length >= kRound; length -= kRound)
        for (int step = 0; step < 6; ++step, s += kStep)
            step % 2 == 0 ? state.take(s, 1, 1) : state.take(s, k0, 0);
    for (; length >= kStep; length -= kStep, s += kStep) state.take(s, k0, 0);
    if (length > 0) state.take(s + length - kStep, k0, 0);
    return state.finish();
}

}  // namespace

std::array<std::uint64_t, 2> syzygy_checksum(std::span<const std::byte> bytes) {
    std::vector<Word> hashes;
    const char* at = reinterpret_cast<const char*>(bytes.data());
    for (std::size_t left = bytes.size(); left > 0;) {
        const std::size_t piece = std::min(left, kPiece);
        const auto hash = city_hash_crc_256(at, piece);
        hashes.insert(hashes.end(), hash.begin(), hash.end());
        at += piece;
        left -= piece;
    }
    if (hashes.empty()) return {};
    const char* first = reinterpret_cast<const char*>(hashes.data());
    const std::size_t size = hashes.size() * sizeof(Word);
    // CityHashCrc128: of few bytes another function than of many.
    if (size <= 900) {
        const Pair hash = city_hash_128(first, size);
        return {hash.first, hash.second};
    }
    const auto hash = city_hash_crc_256(first, size);
    return {hash[2], hash[3]};
}

}  // namespace scholar::tablebases
