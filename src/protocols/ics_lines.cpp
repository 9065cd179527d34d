#include "protocols/ics_lines.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace scholar::protocols::ics {

namespace {

// RFC 854, "TELNET command structure".
constexpr unsigned char kIac = 255, kDont = 254, kDo = 253, kWont = 252, kWill = 251, kSb = 250, kSe = 240;

constexpr std::size_t kMaxPrompt = 24;

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// The length of the prompt that the text begins with: letters, '%', after a time of day if the user's
// variable "ptime" asks for it. 0: none.
std::size_t prompt_size(std::string_view text) {
    std::size_t at = 0;
    if (text.size() > 6 && is_digit(text[0]) && is_digit(text[1]) && text[2] == ':' && is_digit(text[3]) &&
        is_digit(text[4]) && text[5] == '_')
        at = 6;
    const std::size_t begin = at;
    while (at < text.size() && at < kMaxPrompt && is_letter(text[at])) ++at;
    if (at == begin || at == text.size() || text[at] != '%') return 0;
    ++at;
    if (at == text.size()) return at;
    if (text[at] != ' ') return 0;
    return std::min(text.find_first_not_of(' ', at), text.size());
}

}  // namespace

void LineReader::feed(std::string_view bytes) {
    for (const char byte : bytes) {
        const auto c = static_cast<unsigned char>(byte);
        if (telnet_ != Telnet::None)
            telnet(c);
        else if (c == kIac)
            telnet_ = Telnet::Command;
        else
            text(byte);
    }
}

void LineReader::text(char c) {
    if (c == '\n') {
        lines_.push_back(std::exchange(partial_, {}));
        return;
    }
    if (c == '\0' && partial_.ends_with("[G]")) {
        partial_.resize(partial_.size() - 3);
        ++time_requests_;
        return;
    }
    if (c == '\t') c = ' ';
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 127 || partial_.size() == kMaxLine) return;
    // The protocol is ASCII, and what else comes may mean something to a terminal.
    partial_ += byte < 128 ? c : '?';
}

void LineReader::telnet(unsigned char c) {
    switch (telnet_) {
        case Telnet::None:
            return;
        case Telnet::Command:
            telnet_ = Telnet::None;
            if (c == kIac)
                text(static_cast<char>(c));  // a byte 255 of the text is sent twice
            else if (c == kSb)
                telnet_ = Telnet::Sub;
            else if (c >= kWill && c <= kDont) {
                command_ = c;
                telnet_ = Telnet::Option;
            }
            return;
        case Telnet::Option:
            // What the other side no longer does needs no answer.
            if (command_ == kDo || command_ == kWill)
                for (const unsigned char out : {kIac, command_ == kDo ? kWont : kDont, c})
                    replies_ += static_cast<char>(out);
            telnet_ = Telnet::None;
            return;
        case Telnet::Sub:
            if (c == kIac) telnet_ = Telnet::SubCommand;
            // A line's end says that this was garbage, or that its own end was lost.
            if (c == '\n') telnet_ = Telnet::None;
            return;
        case Telnet::SubCommand:
            telnet_ = c == kSe ? Telnet::None : Telnet::Sub;
            return;
    }
}

std::optional<std::string> LineReader::next() {
    if (lines_.empty()) return std::nullopt;
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

std::string LineReader::take_replies() {
    return std::exchange(replies_, {});
}

int LineReader::take_time_requests() {
    return std::exchange(time_requests_, 0);
}

std::string_view without_prompts(std::string_view line) {
    while (const std::size_t size = prompt_size(line)) line.remove_prefix(size);
    return line;
}

bool is_prompt(std::string_view text) {
    return prompt_size(text) > 0 && without_prompts(text).empty();
}

}  // namespace scholar::protocols::ics
