#pragma once

#include "arena/engine_process.hpp"
#include "arena/player.hpp"

namespace scholar::arena {

// Reads a line "option name … type …"; nothing if it is not one.
std::optional<EngineOption> parse_uci_option(std::string_view line);

// Takes over what an info line says; other lines and other variations than the first change nothing.
void read_info_line(std::string_view line, SearchInfo& info);

// What a line of the answer to "eval" says. The command is Stockfish's, not the protocol's, and so is the
// line: "Final evaluation       +0.53 (white side)", with "none (in check)" for a number. Scholar has its
// own: "Static evaluation: -42 (-0.24 pawns) for Black; …". Nothing: it is another line.
struct StaticValueLine {
    std::optional<int> centipawns;  // of White's advantage; nothing: there is none
};
std::optional<StaticValueLine> read_static_value(std::string_view line);

// A UCI engine in a process of its own.
class UciEngine : public Player {
  public:
    using Patience = PlayerPatience;

    // Starts the process, shakes hands, sets the options. The error names the engine.
    static base::Result<UciEngine> start(const EngineConfig& config, const Patience& patience);
    static base::Result<UciEngine> start(const EngineConfig& config) { return start(config, Patience{}); }

    const std::string& name() const override { return process_.name(); }
    const std::vector<EngineOption>& options() const override { return options_; }
    const EngineOption* find_option(std::string_view name) const {
        return arena::find_option(options_, name);
    }
    // Waits until the engine has taken it in; an "info string error …" that it answers with is an error.
    base::Status set_option(std::string_view name, std::string_view value) override;
    // With an option's name, what the engine complains of meanwhile is an error that names it.
    base::Status wait_ready(std::string_view after_option = {});
    base::Status check_terms(const GameTerms& terms) const override;
    // ucinewgame (and UCI_Chess960 where it has to change), then waits until the engine is ready.
    base::Status new_game(const GameTerms& terms) override;
    Reply go(const chess::Position& start, std::span<const chess::Move> moves, const chess::Position& current,
             const SearchLimit& limit, std::chrono::milliseconds patience,
             std::stop_token stop = {}) override;
    // Of an engine that knows the command "eval" (read_static_value); refused of another.
    base::Result<std::optional<int>> static_value(const chess::Position& position) override;

  private:
    explicit UciEngine(EngineProcess process);
    base::Status shake_hands();

    EngineProcess process_;
    std::string own_name_;
    std::vector<EngineOption> options_;
    bool chess960_ = false;
};

}  // namespace scholar::arena
