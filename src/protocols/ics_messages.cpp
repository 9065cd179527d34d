#include "protocols/ics_messages.hpp"

#include <utility>

#include "protocols/ics_scan.hpp"

namespace scholar::protocols::ics {

namespace {

constexpr int kMaxTime = 1'000'000;

std::optional<bool> rated_word(Scan& scan) {
    if (scan.literal("rated ")) return true;
    if (scan.literal("unrated ")) return false;
    return std::nullopt;
}

// "NAME (RATING)"; the name may be followed by blanks.
bool player(Scan& scan, std::string& name, std::optional<int>& rating) {
    auto found = scan.name();
    if (!found) return false;
    scan.blanks();
    const auto number = scan.rating();
    if (!number) return false;
    name = std::move(*found);
    rating = *number;
    scan.blanks();
    return true;
}

// "rated blitz 5 0".
template <class Terms>
bool terms(Scan& scan, Terms& into) {
    const auto rated = rated_word(scan);
    if (!rated) return false;
    const auto kind = scan.word();
    if (!kind) return false;
    scan.blanks();
    const auto minutes = scan.number<int>();
    scan.blanks();
    const auto increment = scan.number<int>();
    if (!minutes || !increment || *minutes < 0 || *increment < 0 || *minutes > kMaxTime ||
        *increment > kMaxTime)
        return false;
    into.rated = *rated;
    into.kind = *kind;
    into.minutes = *minutes;
    into.increment = *increment;
    return true;
}

Message creating(Scan scan) {
    Creating message;
    for (const auto color : chess::kColors)
        if (!player(scan, message.names[color], message.ratings[color])) return {};
    if (!terms(scan, message)) return {};
    return message;
}

Message challenge(Scan scan) {
    Challenge message;
    std::optional<int> other;
    if (!player(scan, message.from, message.rating)) return {};
    if (scan.literal("[white] ")) message.side = chess::White;
    if (scan.literal("[black] ")) message.side = chess::Black;
    scan.blanks();
    if (!player(scan, message.to, other) || !terms(scan, message)) return {};
    message.adjourned = scan.rest().find("(adjourned)") != std::string_view::npos;
    return message;
}

// "{Game 7 (A vs. B) …".
Message game(Scan scan) {
    const auto number = scan.number<int>();
    if (!number || *number < 0 || !scan.literal(" (")) return {};
    std::array<std::string, 2> names;
    for (const auto color : chess::kColors) {
        auto name = scan.name();
        if (!name || !scan.literal(color == chess::White ? " vs. " : ") ")) return {};
        names[color] = std::move(*name);
    }
    const auto inner = scan.until('}');
    if (!inner) return {};
    scan.blanks();
    if (const auto result = games::parse_result(scan.rest()))
        return GameEnded{.game = *number, .names = names, .reason = std::string(*inner), .result = *result};
    if (!scan.at_end()) return {};

    Scan what(*inner);
    GameStarted started{.game = *number, .names = names, .continued = false, .rated = false, .kind = {}};
    started.continued = what.literal("Continuing ");
    if (!started.continued && !what.literal("Creating ")) return {};
    const auto rated = rated_word(what);
    const auto kind = what.word();
    if (!rated || !kind || what.rest() != " match.") return {};
    started.rated = *rated;
    started.kind = *kind;
    return started;
}

// "NAME offers you a draw.", "NAME would like to abort the game; type …".
Message offer(Scan scan) {
    auto name = scan.name();
    if (!name) return {};
    if (scan.literal(" offers you a draw")) return Offer{Offer::Kind::Draw, std::move(*name)};
    if (!scan.literal(" would like to ") && !scan.literal(" requests to ")) return {};
    constexpr std::array<std::pair<std::string_view, Offer::Kind>, 6> kWishes{{
        {"abort", Offer::Kind::Abort},
        {"adjourn", Offer::Kind::Adjourn},
        {"take back", Offer::Kind::TakeBack},
        {"takeback", Offer::Kind::TakeBack},
        {"switch", Offer::Kind::Switch},
        {"pause", Offer::Kind::Pause},
    }};
    for (const auto& [wish, kind] : kWishes)
        if (scan.literal(wish)) return Offer{kind, std::move(*name)};
    return {};
}

// " 1: W Opponent   Y [br  3   0] …": number, our colour, who, whether he is there, and what it was.
Message stored(Scan scan) {
    scan.blanks();
    if (!scan.number<int>() || !scan.literal(": ")) return {};
    StoredGame message;
    if (scan.literal("B "))
        message.side = chess::Black;
    else if (!scan.literal("W "))
        return {};
    scan.blanks();
    auto name = scan.name();
    scan.blanks();
    message.online = scan.literal("Y ");
    if (!name || (!message.online && !scan.literal("N "))) return {};
    scan.blanks();
    if (!scan.literal("[")) return {};
    message.opponent = std::move(*name);
    return message;
}

Message notification(Scan scan) {
    auto name = scan.name();
    if (!name || !scan.literal(", who has an adjourned game with you, has arrived.")) return {};
    return AdjournedOpponent{std::move(*name)};
}

// "**** Starting FICS session as Name ****".
Message announced(Scan scan) {
    if (scan.literal("Starting ")) {
        const auto at = scan.rest().find(" session as ");
        if (at == std::string_view::npos) return {};
        Scan rest(scan.rest().substr(at + 12));
        auto name = rest.name();
        if (!name || !rest.literal(" ****")) return {};
        return SessionStarted{std::move(*name)};
    }
    const auto name = scan.name();
    if (name && scan.literal(" has arrived - you can't both be logged in.")) return LoggedInElsewhere{};
    return {};
}

// "Blitz rating adjustment: 1500 --> 1508".
Message rating_change(std::string_view line) {
    Scan scan(line);
    const auto kind = scan.word();
    if (!kind || !scan.literal(" rating adjustment: ")) return {};
    const auto before = scan.number<int>();
    if (!before || !scan.literal(" --> ")) return {};
    const auto after = scan.number<int>();
    if (!after) return {};
    return RatingChanged{std::string(*kind), *before, *after};
}

}  // namespace

Message recognise(std::string_view line) {
    Scan scan(line);
    if (scan.literal("{Game ")) return game(scan);
    if (scan.literal("Creating: ")) return creating(scan);
    if (scan.literal("Challenge: ")) return challenge(scan);
    if (scan.literal("**** ")) return announced(scan);
    if (scan.literal("Notification: ")) return notification(scan);
    if (scan.literal("Illegal move") || scan.literal("Ambiguous move"))
        return MoveRefused{MoveRefused::Why::Illegal};
    if (scan.literal("It is not your move") || scan.literal("It isn't your turn"))
        return MoveRefused{MoveRefused::Why::NotYourTurn};
    if (scan.literal("You are not playing") || scan.literal("You are neither playing")) return NotPlaying{};
    if (line.ends_with(" has no adjourned games.")) {
        if (scan.name() && scan.rest() == " has no adjourned games.") return NoStoredGames{};
        return {};
    }
    if (auto message = stored(scan); !std::holds_alternative<std::monostate>(message)) return message;
    if (auto message = offer(scan); !std::holds_alternative<std::monostate>(message)) return message;
    return rating_change(line);
}

}  // namespace scholar::protocols::ics
