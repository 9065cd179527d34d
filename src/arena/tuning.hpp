#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "arena/match.hpp"
#include "arena/spsa.hpp"
#include "base/error.hpp"

// Tuning the options of an engine by games against itself (arena/spsa.hpp).

namespace scholar::arena {

// A parameter as the user asks for it; what is not said comes from the engine's own list of options: start
// and bounds of the option, c_end a twentieth of its range, r_end 0.002.
struct ParameterWish {
    std::string name;
    std::optional<double> c_end{};
    std::optional<double> r_end{};
    std::optional<double> start{};
    std::optional<double> minimum{};
    std::optional<double> maximum{};
};

// "NAME", "NAME,C_END" or "NAME,C_END,R_END".
base::Result<ParameterWish> parse_parameter_wish(std::string_view text);
// A TOML file, a section for each parameter with the keys c_end, r_end, start, minimum, maximum.
base::Result<std::vector<ParameterWish>> read_parameter_wishes(const std::string& path);

// Asks the engine for its options. With `all`, every constant of our own search that it declares is a
// parameter too. Refused: an option that the engine does not have, or that is no spin; a wish out of bounds;
// nothing to tune.
base::Result<std::vector<SpsaParameter>> find_parameters(const EngineConfig& engine,
                                                         const std::vector<ParameterWish>& wishes, bool all);

struct TuningOptions {
    EngineConfig engine;
    TimeControl time_control;
    SpsaPlan plan;
    std::vector<games::Opening> openings;
    int concurrency = 1;
    std::chrono::milliseconds time_margin{50};
    std::string state_file;  // grows with each iteration; from it an interrupted tuning goes on (a Journal)
    std::string log_file;    // lines of JSON, one for each iteration; "": none
};

struct TuningResult {
    std::vector<double> values;
    int iterations = 0;
    WinDrawLoss games;  // of the plus sides
    std::uint64_t failures = 0;
    bool resumed = false;
    bool interrupted = false;
};

// Plays the games of one iteration and gives wins, draws and losses of the plus side.
struct TrialResult {
    WinDrawLoss games;
    std::uint64_t failures = 0;
};
using PlayTrial =
    std::function<base::Result<std::optional<TrialResult>>(const SpsaTrial& trial, int pairs_before)>;

// The tuning without the games: steps, state and log. `play` gives nothing when it was stopped. A state file
// of another plan is refused, and so are files that another process writes; from one of the same plan it goes
// on, and what comes out is what an uninterrupted run would have given, if the games are the same.
base::Result<TuningResult> run_spsa(const SpsaPlan& plan, const std::string& fingerprint,
                                    const std::string& state_file, const std::string& log_file,
                                    const PlayTrial& play,
                                    const std::function<void(const TuningResult&)>& progress,
                                    const std::stop_token& stop);

base::Result<TuningResult> tune(const TuningOptions& options,
                                const std::function<void(const TuningResult&)>& progress,
                                const std::stop_token& stop);

}  // namespace scholar::arena
