#include "protocols/ics_login.hpp"

#include <utility>

#include "base/text.hpp"
#include "protocols/ics_lines.hpp"
#include "protocols/ics_messages.hpp"
#include "protocols/ics_scan.hpp"

namespace scholar::protocols::ics {

namespace {

// The name in: … as "GuestABCD" …
std::string quoted_name(std::string_view line) {
    const auto begin = line.find(" as \"");
    if (begin == std::string_view::npos) return {};
    Scan scan(line.substr(begin + 5));
    const auto name = scan.name();
    return name && scan.literal("\"") ? *name : std::string();
}

}  // namespace

std::string_view LoginDialogue::unanswered(std::string_view line) const {
    if (line.starts_with(answered_)) line.remove_prefix(answered_.size());
    return line;
}

LoginDialogue::Step LoginDialogue::answer(std::string text, bool secret) {
    return {.kind = Step::Kind::Answer, .text = std::move(text), .secret = secret};
}

LoginDialogue::Step LoginDialogue::refused(std::string_view line) const {
    return {.kind = Step::Kind::Refused, .text = std::string(base::without_blanks(line)), .secret = false};
}

std::string Credentials::without_password(std::string text) const {
    if (password.empty()) return text;
    constexpr std::string_view kMask = "********";
    for (std::size_t at = text.find(password); at != std::string::npos;
         at = text.find(password, at + kMask.size()))
        text.replace(at, password.size(), kMask);
    return text;
}

LoginDialogue::Step LoginDialogue::on_line(std::string_view whole) {
    const std::string_view fresh = unanswered(whole);
    answered_.clear();
    const std::string_view line = without_prompts(fresh);
    const auto message = recognise(line);
    if (const auto* started = std::get_if<SessionStarted>(&message))
        return {.kind = Step::Kind::Done, .text = started->name, .secret = false};
    if (const auto name = quoted_name(line); !name.empty()) given_name_ = name;
    const std::string text = base::lower_case(line);
    if (text.find("invalid password") != std::string::npos ||
        text.find("incorrect password") != std::string::npos)
        return refused(line);
    if (!base::without_blanks(line).empty()) last_words_ = base::without_blanks(line);
    // Questions may as well end their lines.
    const Step step = on_partial(fresh);
    answered_.clear();
    return step;
}

LoginDialogue::Step LoginDialogue::on_partial(std::string_view text) {
    // A line end is none of them: what follows one was not asked where this began.
    const std::string fresh = base::lower_case(base::without_blanks(unanswered(text), " "));
    if (fresh.empty()) return {};
    if (fresh.ends_with("login:")) {
        // Asked again: this name, or this password, will not do.
        if (sent_name_) return refused(last_words_.empty() ? "asked for a name again" : last_words_);
        sent_name_ = true;
        answered_ = text;
        return answer(credentials_.is_guest() ? "guest" : credentials_.name, false);
    }
    if (sent_name_ && fresh.ends_with("password:")) {
        if (credentials_.is_guest() || sent_password_)
            return refused(last_words_.empty() ? "asked for a password" : last_words_);
        sent_password_ = true;
        answered_ = text;
        return answer(credentials_.password, true);
    }
    if (sent_name_ && fresh.starts_with("press return to enter") && fresh.ends_with(":")) {
        // A name that nobody has registered would be a guest's.
        if (!credentials_.is_guest()) return refused("the name is not registered: " + std::string(text));
        if (const auto name = quoted_name(text); !name.empty()) given_name_ = name;
        answered_ = text;
        return answer("", false);
    }
    // Servers that do not announce the session: their prompt does.
    if (sent_name_ && (sent_password_ || credentials_.is_guest()) && is_prompt(base::without_blanks(text)))
        return {.kind = Step::Kind::Done,
                .text = given_name_.empty() ? credentials_.name : given_name_,
                .secret = false};
    return {};
}

}  // namespace scholar::protocols::ics
