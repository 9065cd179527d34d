#pragma once

#include <string>
#include <string_view>

namespace scholar::protocols::ics {

struct Credentials {
    std::string name;      // as registered; empty for a guest
    std::string password;  // empty for a guest

    bool is_guest() const { return name.empty(); }
    // What a server said, for logs: it may have echoed the password.
    std::string without_password(std::string text) const;
};

// The dialogue before a session: name, password, or the consent to a guest's name. It knows no connection:
// it is told what came and says what to answer.
class LoginDialogue {
  public:
    explicit LoginDialogue(Credentials credentials) : credentials_(std::move(credentials)) {}

    struct Step {
        enum class Kind { Wait, Answer, Done, Refused };
        Kind kind = Kind::Wait;
        std::string text;     // the answer, or why it was refused, or the name that we have
        bool secret = false;  // the answer is for no log
    };
    // A whole line, with prompts if it has any.
    Step on_line(std::string_view whole);
    // What there is of a line that has not ended; each time that it has grown.
    Step on_partial(std::string_view text);

    // What the server said last, for an error message.
    const std::string& last_words() const { return last_words_; }

  private:
    std::string_view unanswered(std::string_view line) const;
    Step answer(std::string text, bool secret);
    Step refused(std::string_view line) const;

    Credentials credentials_;
    bool sent_name_ = false;
    bool sent_password_ = false;
    std::string answered_;    // what of the line has had its answer
    std::string given_name_;  // by the server, to a guest
    std::string last_words_;
};

}  // namespace scholar::protocols::ics
