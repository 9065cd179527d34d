#include "protocols/ics_timeseal.hpp"

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <utility>

namespace scholar::protocols::ics {

namespace {

constexpr std::string_view kKey = "Timestamp (FICS) v1.0 - programmed by Henrik Gram.";
static_assert(kKey.size() == 50);
constexpr std::size_t kBlock = 12;

}  // namespace

std::string timeseal(std::string_view line, std::chrono::milliseconds time) {
    std::string bytes = fmt::format("{}\x18{}\x19", line, time.count());
    bytes.resize((bytes.size() + kBlock - 1) / kBlock * kBlock, '1');
    for (std::size_t block = 0; block < bytes.size(); block += kBlock)
        for (const auto& [from, to] :
             std::array<std::pair<std::size_t, std::size_t>, 3>{{{0, 11}, {2, 9}, {4, 7}}})
            std::swap(bytes[block + from], bytes[block + to]);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const unsigned mixed =
            (static_cast<unsigned char>(bytes[i]) | 128U) ^ static_cast<unsigned char>(kKey[i % kKey.size()]);
        bytes[i] = static_cast<char>(mixed - 32U);
    }
    return bytes + "\x80\n";
}

std::string timeseal_greeting() {
    return "TIMESTAMP|scholar|Scholar|";
}

std::string_view timeseal_reply() {
    return "\x02"
           "9";
}

}  // namespace scholar::protocols::ics
