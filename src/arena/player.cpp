#include "arena/player.hpp"

#include "arena/engine_text.hpp"
#include "arena/in_process_engine.hpp"
#include "arena/uci_engine.hpp"
#include "arena/xboard_engine.hpp"
#include "base/text.hpp"

namespace scholar::arena {

namespace {

template <class Engine>
base::Result<std::unique_ptr<Player>> as_player(base::Result<Engine> engine) {
    if (!engine) return std::unexpected(engine.error());
    return std::make_unique<Engine>(std::move(*engine));
}

}  // namespace

std::string_view to_string(Protocol protocol) {
    switch (protocol) {
        case Protocol::Uci:
            return "uci";
        case Protocol::Xboard:
            return "xboard";
        case Protocol::Internal:
            break;
    }
    return "internal";
}

std::optional<Protocol> parse_protocol(std::string_view text) {
    for (const auto protocol : {Protocol::Uci, Protocol::Xboard, Protocol::Internal})
        if (text == to_string(protocol)) return protocol;
    return std::nullopt;
}

const EngineOption* find_option(const std::vector<EngineOption>& options, std::string_view name) {
    for (const auto& option : options)
        if (base::same_ignoring_case(option.name, name)) return &option;
    return nullptr;
}

base::Result<std::string> check_option_value(const EngineOption& option, std::string_view value) {
    switch (option.type) {
        case EngineOption::Type::Check:
            for (const std::string_view choice : {"true", "false"})
                if (base::same_ignoring_case(value, choice)) return std::string(choice);
            return base::fail("is '{}', expected true or false", value);
        case EngineOption::Type::Spin: {
            const auto number = parse_signed<std::int64_t>(value);
            if (!number || *number < option.minimum || *number > option.maximum)
                return base::fail("is '{}', expected a whole number from {} to {}", value, option.minimum,
                                  option.maximum);
            return fmt::format("{}", *number);
        }
        case EngineOption::Type::Combo: {
            std::string choices;
            for (const auto& choice : option.choices) {
                if (base::same_ignoring_case(value, choice)) return choice;
                choices += (choices.empty() ? "" : ", ") + choice;
            }
            return base::fail("is '{}', expected one of: {}", value, choices);
        }
        case EngineOption::Type::Button:
        case EngineOption::Type::String:
            break;
    }
    if (value.find_first_of("\r\n") != std::string_view::npos)
        return base::fail("has a line break in its value");
    return std::string(value);
}

std::unexpected<base::Error> no_such_option(const std::string& engine,
                                            const std::vector<EngineOption>& options, std::string_view name) {
    std::string known;
    for (const auto& other : options) known += (known.empty() ? "" : ", ") + other.name;
    return base::fail("engine {}: no option '{}', it has: {}", engine, name, known.empty() ? "none" : known);
}

base::Result<std::unique_ptr<Player>> start_player(const EngineConfig& config,
                                                   const PlayerPatience& patience) {
    switch (config.protocol) {
        case Protocol::Uci:
            return as_player(UciEngine::start(config, patience));
        case Protocol::Xboard:
            return as_player(XboardEngine::start(config, patience));
        case Protocol::Internal:
            break;
    }
    return as_player(InProcessEngine::start(config));
}

bool needs_chess960(const chess::Position& position) {
    for (const auto color : chess::kColors) {
        for (const auto side : {chess::KingSide, chess::QueenSide}) {
            if (!position.may_castle(color, side)) continue;
            if (position.king(color) != chess::relative_square(color, chess::E1)) return true;
            const auto home = chess::relative_square(color, side == chess::KingSide ? chess::H1 : chess::A1);
            if (position.castling_rook(color, side) != home) return true;
        }
    }
    return false;
}

}  // namespace scholar::arena
