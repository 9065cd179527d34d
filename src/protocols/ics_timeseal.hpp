#pragma once

#include <chrono>
#include <string>
#include <string_view>

// Timeseal: each line to the server carries the time at which it was sent, so that the way there does not
// count against the clock. FICS speaks it on its ordinary port to whoever begins with it. Source: published
// descriptions of its clients (openseal; zseal by F. Bergo, MIT licence; icsgo by the Free Chess Club, BSD
// licence), which agree on what is below.

namespace scholar::protocols::ics {

// The line, without its end, as it goes over the wire: the text, the byte 24, the time in milliseconds (of
// any clock that does not go back) in decimal, the byte 25, and the digit 1 up to a multiple of 12 bytes. In
// each 12 the bytes 0 and 11, 2 and 9, 4 and 7 change places. Byte n is then ((b | 128) xor key[n mod 50])
// less 32. The bytes 128 and LF follow.
std::string timeseal(std::string_view line, std::chrono::milliseconds time);

// What a client begins with.
std::string timeseal_greeting();
// The answer to the server's "[G]" and a zero byte, by which it measures the way.
std::string_view timeseal_reply();

}  // namespace scholar::protocols::ics
