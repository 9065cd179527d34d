#include "chess/epd.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"

namespace scholar::chess {

namespace {

bool is_space(char c) {
    return base::kBlanks.contains(c);
}

bool is_number(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_opcode(std::string_view word) {
    return !word.empty() && ((word.front() >= 'a' && word.front() <= 'z') ||
                             (word.front() >= 'A' && word.front() <= 'Z') || word.front() == '_');
}

// The string that begins with the quote at the front of `rest`, which moves past its end.
base::Result<std::string> take_string(std::string_view& rest, std::string_view opcode) {
    std::string text;
    for (std::size_t at = 1; at < rest.size(); ++at) {
        const char c = rest[at];
        if (c == '"') {
            rest.remove_prefix(at + 1);
            return text;
        }
        constexpr std::string_view letters = "\"\\nrt";
        constexpr std::string_view meanings = "\"\\\n\r\t";
        const std::size_t escape =
            c == '\\' && at + 1 < rest.size() ? letters.find(rest[at + 1]) : std::string_view::npos;
        if (escape != std::string_view::npos) ++at;
        text += escape == std::string_view::npos ? c : meanings[escape];
    }
    return base::fail("EPD: {}: a string without its closing quote", opcode);
}

// Up to white space or ';'.
std::string_view take_bare(std::string_view& rest) {
    std::size_t end = 0;
    while (end < rest.size() && !is_space(rest[end]) && rest[end] != ';') ++end;
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

// For messages, which are one line: an operand may hold several.
std::string in_one_line(std::string text) {
    for (char& c : text)
        if (c == '\n' || c == '\r') c = ' ';
    return text;
}

base::Result<int> clock_operand(std::string_view opcode, const std::vector<std::string>& operands) {
    const auto value = operands.size() == 1 ? base::parse_number<int>(operands.front()) : std::nullopt;
    if (!value)
        return base::fail("EPD: {} '{}', expected one number", opcode,
                          in_one_line(fmt::format("{}", fmt::join(operands, " "))));
    return *value;
}

// Opcodes whose operand the standard calls a string: always quoted.
bool takes_strings(std::string_view opcode) {
    constexpr std::array<std::string_view, 5> names{"eco", "id", "nic", "tcri", "tcsi"};
    const bool numbered =
        opcode.size() == 2 && (opcode[0] == 'c' || opcode[0] == 'v') && opcode[1] >= '0' && opcode[1] <= '9';
    return numbered || std::ranges::find(names, opcode) != names.end();
}

}  // namespace

const std::vector<std::string>* Epd::find(std::string_view opcode) const {
    for (const auto& [name, operands] : operations)
        if (name == opcode) return &operands;
    return nullptr;
}

base::Result<std::vector<Move>> Epd::moves(std::string_view opcode) const {
    std::vector<Move> moves;
    if (const auto* operands = find(opcode)) {
        for (const auto& operand : *operands) {
            auto move = parse_san(position, in_one_line(operand));
            if (!move) return base::fail_in(fmt::format("EPD: {}", opcode), move.error());
            moves.push_back(*move);
        }
    }
    return moves;
}

base::Result<std::vector<Move>> Epd::variation(std::string_view opcode) const {
    std::vector<Move> moves;
    Position now = position;
    if (const auto* operands = find(opcode)) {
        for (const auto& operand : *operands) {
            auto move = parse_san(now, in_one_line(operand));
            if (!move) return base::fail_in(fmt::format("EPD: {}", opcode), move.error());
            moves.push_back(*move);
            now.make(*move);
        }
    }
    return moves;
}

base::Result<Epd> parse_epd(std::string_view line) {
    std::string fen;
    std::string_view rest = line;
    for (int field = 0; field < 4; ++field) {
        const std::string_view word = base::next_word(rest);
        if (word.empty()) return base::fail("EPD: {} fields, expected a position of at least 4", field);
        fen += fen.empty() ? "" : " ";
        fen += word;
    }
    // Two bare numbers after the fourth field are FEN's clocks, no operation.
    std::string_view after = rest;
    const std::string_view clock = base::next_word(after);
    const std::string_view number = base::next_word(after);
    if (is_number(clock) &&
        (is_number(number) || (number.ends_with(';') && is_number(number.substr(0, number.size() - 1))))) {
        fen += fmt::format(" {} {}", clock, number.substr(0, number.find(';')));
        rest = after;
    }
    auto position = parse_fen(fen);
    if (!position) return std::unexpected(position.error());
    Epd epd{*position, {}};

    Setup setup = position->setup();
    while (true) {
        while (!rest.empty() && (is_space(rest.front()) || rest.front() == ';')) rest.remove_prefix(1);
        if (rest.empty()) break;
        std::string opcode(take_bare(rest));
        if (!is_opcode(opcode))
            return base::fail("EPD: opcode '{}', expected a name such as bm or id", opcode);
        std::vector<std::string> operands;
        while (!rest.empty() && rest.front() != ';') {
            if (is_space(rest.front())) {
                rest.remove_prefix(1);
            } else if (rest.front() == '"') {
                auto text = take_string(rest, opcode);
                if (!text) return std::unexpected(text.error());
                operands.push_back(std::move(*text));
            } else {
                operands.emplace_back(take_bare(rest));
            }
        }
        if (opcode == "hmvc" || opcode == "fmvn") {
            const auto value = clock_operand(opcode, operands);
            if (!value) return std::unexpected(value.error());
            (opcode == "hmvc" ? setup.halfmove_clock : setup.fullmove_number) = *value;
        } else {
            epd.operations.emplace_back(std::move(opcode), std::move(operands));
        }
    }
    position = Position::from_setup(setup);
    if (!position) return base::fail_in("EPD", position.error());
    epd.position = *position;
    return epd;
}

std::string to_epd(const Epd& epd) {
    std::string out = to_epd_fields(epd.position);
    const auto add_number = [&out](std::string_view opcode, int value) {
        out += fmt::format(" {} {};", opcode, value);
    };
    if (epd.position.halfmove_clock() != 0) add_number("hmvc", epd.position.halfmove_clock());
    if (epd.position.fullmove_number() != 1) add_number("fmvn", epd.position.fullmove_number());
    for (const auto& [opcode, operands] : epd.operations) {
        out += ' ';
        out += opcode;
        for (const std::string& operand : operands) {
            const bool quote = takes_strings(opcode) || operand.empty() || operand.front() == '"' ||
                               operand.find_first_of(" \t\r\n;") != std::string::npos;
            out += ' ';
            out += quote ? base::quoted(operand, base::Quoting::Epd) : operand;
        }
        out += ';';
    }
    return out;
}

}  // namespace scholar::chess
