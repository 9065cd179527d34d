#pragma once

#include <memory>

#include "arena/engine_trace.hpp"
#include "arena/player.hpp"
#include "arena/watchdog.hpp"
#include "engine/engine.hpp"

namespace scholar::arena {

// Scholar in this process: no pipes, the same search.
class InProcessEngine : public Player {
  public:
    // Makes an engine and sets its options. A command or a folder to start it in are refused.
    static base::Result<InProcessEngine> start(const EngineConfig& config);

    const std::string& name() const override { return name_; }
    const std::vector<EngineOption>& options() const override { return options_; }
    base::Status set_option(std::string_view name, std::string_view value) override;
    base::Status new_game(const GameTerms& terms) override;
    Reply go(const chess::Position& start, std::span<const chess::Move> moves, const chess::Position& current,
             const SearchLimit& limit, std::chrono::milliseconds patience,
             std::stop_token stop = {}) override;
    base::Result<std::optional<int>> static_value(const chess::Position& position) override;
    void game_over(games::GameResult result, std::string_view reason) override;

  private:
    InProcessEngine(std::string name, EngineVoice voice, std::unique_ptr<engine::Engine> engine);

    // Puts together what the options say.
    base::Status prepare();

    std::string name_;
    EngineVoice voice_;
    std::unique_ptr<engine::Engine> engine_;
    std::unique_ptr<Watchdog> watchdog_ = std::make_unique<Watchdog>();
    std::vector<EngineOption> options_;
    chess::Move played_;   // the answer to the last go()
    base::Status learnt_;  // of the last game, if it could be
};

}  // namespace scholar::arena
