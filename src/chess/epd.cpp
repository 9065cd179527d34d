#include "chess/epd.hpp"

#include "chess/fen.hpp"
#include "chess/san.hpp"

namespace scholar::chess {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string_view next_word(std::string_view& rest) {
    while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
    std::size_t end = 0;
    while (end < rest.size() && !is_space(rest[end])) ++end;
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

bool is_number(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
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
            auto move = parse_san(position, operand);
            if (!move) return base::fail_in(fmt::format("EPD: {}", opcode), move.error());
            moves.push_back(*move);
        }
    }
    return moves;
}

base::Result<Epd> parse_epd(std::string_view line) {
    std::string fen;
    std::string_view rest = line;
    for (int field = 0; field < 4; ++field) {
        const std::string_view word = next_word(rest);
        if (word.empty()) return base::fail("EPD: {} fields, expected a position of at least 4", field);
        fen += fen.empty() ? "" : " ";
        fen += word;
    }
    // Two bare numbers after the fourth field are FEN's clocks, no operation.
    std::string_view after = rest;
    const std::string_view clock = next_word(after);
    const std::string_view number = next_word(after);
    if (is_number(clock) &&
        (is_number(number) || (number.ends_with(';') && is_number(number.substr(0, number.size() - 1))))) {
        fen += fmt::format(" {} {}", clock, number.substr(0, number.find(';')));
        rest = after;
    }
    auto position = parse_fen(fen);
    if (!position) return std::unexpected(position.error());
    Epd epd{*position, {}};

    while (true) {
        while (!rest.empty() && (is_space(rest.front()) || rest.front() == ';')) rest.remove_prefix(1);
        if (rest.empty()) break;
        std::size_t end = 0;
        while (end < rest.size() && !is_space(rest[end]) && rest[end] != ';') ++end;
        auto& [opcode, operands] =
            epd.operations.emplace_back(std::string(rest.substr(0, end)), std::vector<std::string>{});
        rest.remove_prefix(end);
        bool closed = false;
        while (!rest.empty() && !closed) {
            if (is_space(rest.front())) {
                rest.remove_prefix(1);
            } else if (rest.front() == ';') {
                rest.remove_prefix(1);
                closed = true;
            } else if (rest.front() == '"') {
                const std::size_t quote = rest.find('"', 1);
                if (quote == std::string_view::npos)
                    return base::fail("EPD: {}: a string without its closing quote", opcode);
                operands.emplace_back(rest.substr(1, quote - 1));
                rest.remove_prefix(quote + 1);
            } else {
                std::size_t stop = 0;
                while (stop < rest.size() && !is_space(rest[stop]) && rest[stop] != ';') ++stop;
                operands.emplace_back(rest.substr(0, stop));
                rest.remove_prefix(stop);
            }
        }
    }
    return epd;
}

}  // namespace scholar::chess
