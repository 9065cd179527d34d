#pragma once

#include <functional>

#include "arena/engine_process.hpp"
#include "arena/player.hpp"

namespace scholar::arena {

// What an engine declares with "feature" lines; the values are the protocol's defaults for engines that send
// none.
struct XboardFeatures {
    bool ping = false;
    bool setboard = false;
    bool san = false;
    bool usermove = false;
    bool time = true;
    bool draw = true;
    bool reuse = true;
    bool memory = false;
    bool smp = false;
    std::string name;                   // myname
    std::string variants = "normal";    // with ',' between them
    std::vector<EngineOption> options;  // those of feature option, then memory and cores
    std::optional<bool> done;           // what the last done said
    // The features of the last line, in order, and whether we keep to them.
    std::vector<std::pair<std::string, bool>> mentioned;
};

// Takes over a line "feature NAME=VALUE …"; false: it is not one.
bool read_feature_line(std::string_view line, XboardFeatures& features);
// "Contempt -spin 0 -100 100" as option; nothing if its kind is not known.
std::optional<EngineOption> parse_xboard_option(std::string_view text);
// Takes over a line of thinking output, "9 156 1084 48000 Nf3 Nc6": depth, centipawns (100000 + N: mate in
// N), hundredths of seconds, nodes, moves as the engine writes them. False: it is not one.
bool read_thinking_line(std::string_view line, SearchInfo& info);
// What "level" says of a clock, in minutes:seconds and whole seconds of increment; never more than there is.
std::string level_command(const ClockControl& clock);

// An engine that speaks the Chess Engine Communication Protocol of Tim Mann and H.G. Muller, version 2 or 1,
// in a process of its own. Times are told in whole seconds ("level", "st") and then, before each move, in
// hundredths ("time", "otim"), always rounded down. A limit by nodes is refused: the protocol has none.
class XboardEngine : public Player {
  public:
    // Starts the process, waits for its features, sets the options. The error names the engine.
    static base::Result<XboardEngine> start(const EngineConfig& config, const PlayerPatience& patience);

    const std::string& name() const override { return process_.name(); }
    const std::vector<EngineOption>& options() const override { return features_.options; }
    // Waits until the engine has taken it in; an "Error" or "tellusererror" that it answers with is an error.
    base::Status set_option(std::string_view name, std::string_view value) override;
    // Waits for its pong, or if it has no ping until it says nothing more. What it said before is forgotten;
    // with an option's name, what it complains of is an error that names it.
    base::Status wait_ready(std::string_view after_option = {});
    base::Status check_terms(const GameTerms& terms) const override;
    base::Status check_start(const chess::Position& start) const override;
    base::Status new_game(const GameTerms& terms) override;
    Reply go(const chess::Position& start, std::span<const chess::Move> moves, const chess::Position& current,
             const SearchLimit& limit, std::chrono::milliseconds patience,
             std::stop_token stop = {}) override;
    void offer_draw() override { draw_is_offered_ = features_.draw; }
    void game_over(games::GameResult result, std::string_view reason) override;
    bool plays_again() const override { return features_.reuse; }

  private:
    explicit XboardEngine(EngineProcess process) : process_(std::move(process)) {}
    base::Status shake_hands();
    base::Status wait_for_pong(const std::function<void(std::string_view)>& listen);
    base::Status wait_until_quiet(const std::function<void(std::string_view)>& listen);
    void begin_game();
    void tell_period();
    void tell_limit(const SearchLimit& limit, chess::Color side);
    base::Status set_up(const chess::Position& start);
    std::string move_command(const chess::Position& position, chess::Move move) const;
    // Takes what it said since its last move; true: it resigned.
    bool hear_leftovers();
    // True: the line ends the search, and the reply says how.
    bool read_answer(std::string_view line, const chess::Position& current, Reply& reply);

    EngineProcess process_;
    XboardFeatures features_;
    int pings_ = 0;

    GameTerms terms_;
    // What the engine knows of the game: the start, the moves since, and whether it answers the next move by
    // itself.
    chess::Position start_;
    std::vector<chess::Move> known_;
    bool is_new_ = false;
    bool plays_ = false;
    int own_moves_ = 0;
    std::string told_limit_;
    bool draw_is_offered_ = false;
    bool heard_offer_ = false;
};

}  // namespace scholar::arena
