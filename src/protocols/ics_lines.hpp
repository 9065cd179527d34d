#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace scholar::protocols::ics {

// Makes lines of the bytes that a chess server sends, however they come in pieces. Lines end with LF, with CR
// before it, after it or not at all (FICS sends LF CR); other control characters are left out. Telnet's
// commands (RFC 854) are taken out, and every option that the server offers or asks for is refused.
class LineReader {
  public:
    void feed(std::string_view bytes);
    // The next whole line, without its end.
    std::optional<std::string> next();
    // What has come of the line after them: a question that waits for its answer has no end.
    const std::string& partial() const { return partial_; }
    // What telnet wants to be answered, once.
    std::string take_replies();
    // How often the server asked for a time stamp ("[G]" and a zero byte, see ics_timeseal.hpp), once.
    int take_time_requests();

    // Of a longer line the rest is left out: nothing that the client understands comes near it.
    static constexpr std::size_t kMaxLine = 4'096;

  private:
    enum class Telnet { None, Command, Option, Sub, SubCommand };
    void text(char c);
    void telnet(unsigned char c);

    std::deque<std::string> lines_;
    std::string partial_;
    std::string replies_;
    int time_requests_ = 0;
    Telnet telnet_ = Telnet::None;
    unsigned char command_ = 0;
};

// Without the prompts that it begins with ("fics% ", "12:34_aics% "): a server writes them without a line end
// before whatever comes next.
std::string_view without_prompts(std::string_view line);
// Whether it is nothing but a prompt.
bool is_prompt(std::string_view text);

}  // namespace scholar::protocols::ics
