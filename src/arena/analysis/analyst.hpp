#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/analysis/view.hpp"
#include "arena/player.hpp"
#include "base/error.hpp"
#include "chess/line.hpp"
#include "engine/engine.hpp"
#include "search/limits.hpp"

namespace scholar::arena {

// One system that looks at positions: Scholar's engine in this process with its options. For one thread at a
// time.
class Analyst {
  public:
    // `config.name` is what the system is called. An error names it and the option.
    static base::Result<Analyst> start(const EngineConfig& config);

    const std::string& name() const { return name_; }
    // What was odd about its options, once: lines for people.
    std::vector<std::string> take_notes() { return engine_->take_notes(); }

    // Forgets all games before. What is left to chance is that of the game of this number.
    void new_game(std::uint64_t number, bool chess960);
    // The line's current position with the game behind it. Where the game is over by the rules it has its
    // result; if it `goes_on` from there, a draw that has to be claimed (repetition, fifty moves) or that
    // nobody saw is none. Nothing: it was told to stop.
    base::Result<std::optional<View>> look(const chess::Line& line, const search::Limit& limit, bool goes_on,
                                           const std::stop_token& stop);

  private:
    Analyst(std::string name, std::unique_ptr<engine::Engine> engine)
        : name_(std::move(name)), engine_(std::move(engine)) {}

    std::string name_;
    std::unique_ptr<engine::Engine> engine_;
};

// Whether a system has networks of its own: not those of a system before it in the table, and not none.
bool is_of_its_own(const engine::Players& players, const engine::System& system);
// The names of those that have, in the table's order.
std::vector<std::string> systems_of_their_own();

}  // namespace scholar::arena
