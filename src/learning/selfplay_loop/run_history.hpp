#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "learning/run/run_settings.hpp"
#include "learning/selfplay_loop/learn_status.hpp"
#include "nets/perspective/network.hpp"
#include "selfplay/record.hpp"

// What a run of `scholar learn` says of itself in its file metrics.jsonl, a JSON object a line, each with its
// "kind" and its "step", the number of rounds that were complete.

namespace scholar::learning {

struct RunStart {
    std::string program;
    std::string began_with;  // "random weights", or which games or network, for people
    std::uint64_t seed = 0;
    int threads = 0;
    RunSettings settings;  // of the recipe
    bool resumed = false;  // not read back: RunHistory counts them
};

struct RunRound {
    std::uint64_t step = 0;
    // Of the run so far.
    std::uint64_t games = 0;
    std::uint64_t lessons = 0;
    double core_seconds = 0;
    // Of this round.
    std::uint64_t round_games = 0;
    std::uint64_t new_lessons = 0;     // not read back: what `lessons` has grown by
    std::uint64_t positions = 0;       // that were searched
    std::uint64_t searched_nodes = 0;  // for all of them
    std::uint64_t trained = 0;         // positions, each as often as it was drawn
    std::uint64_t steps = 0;           // 0: there was no training yet, and no loss
    double playing = 0;                // seconds
    double training = 0;
    double loss = 0;  // mean cross-entropy, in nats
    double constant_loss = 0;
    // Noted since there are such: of the targets, lessons that were kept then, and what the stage said.
    std::optional<double> target_entropy;
    std::optional<double> stage;  // `from` of the course's stage
    std::optional<double> window;
    std::optional<double> learning_rate;
    std::optional<double> result_weight;
    std::optional<double> lambda;
    std::optional<double> reuse;
    std::optional<double> nodes;    // a move that is learnt from
    std::optional<double> bounded;  // share of searches whose score is no more than a bound
    std::optional<double> depth;    // of a search, on average
    Tenths targets{};
    Tenths openings{};
    std::uint64_t clipped = 0;  // weights that the steps would have driven out of their bounds
    // Of the network that played, on new positions before they were trained on, and on older ones.
    std::optional<double> fresh_loss;
    std::optional<double> seen_loss;
    double draws = 0;             // share of the games
    double half_moves = 0;        // of a game, on average
    std::uint64_t played_on = 0;  // games, though both sides took them for decided
    std::uint64_t misjudged = 0;  // of these, those that were not won
    nets::PieceValues piece_values{};
    std::string network;  // nets::to_string() of its architecture
    std::optional<double>
        match_score;        // points a game of the newest weights against those that play, if they met
    bool promoted = false;  // newer weights play from then on
};

// A game that is kept to be looked at.
struct RunGame {
    std::uint64_t step = 0;
    std::uint64_t games = 0;         // that the network had learnt from
    std::uint64_t random_moves = 0;  // half-moves at its start
    std::uint64_t half_moves = 0;
    std::string ending;  // games::name_of()
    std::string pgn;
};

struct RunAlarm {
    std::uint64_t step = 0;
    std::string text;
};

struct RunHistory {
    RunStart start;
    int resumed = 0;  // how often
    std::vector<RunRound> rounds;
    std::vector<LearnRating> ratings;  // as all games together give them in the end
    std::vector<LadderPlace> places;   // on the ladder
    std::vector<RunGame> games;
    std::vector<RunAlarm> alarms;
};

// Reads the file. Records of other kinds are passed over, and so is a last line that a kill cut off; anything
// else that is no record is an error with its line.
base::Result<RunHistory> read_run_history(const std::filesystem::path& file);
// The same from text, which errors call `name`.
base::Result<RunHistory> parse_run_history(std::string_view text, const std::string& name);

// Records that a run writes.
nlohmann::json start_record(const RunStart& start, std::uint64_t step);
// `done` with this round; `window` lessons are kept; `network` is the one that plays from now on.
nlohmann::json round_record(const LearnProgress& done, const RoundSummary& round, const LearnStage& stage,
                            std::size_t window, const nets::NetworkInfo& network);
nlohmann::json course_record(const std::vector<LearnRating>& ratings);  // a part of that of a rating
nlohmann::json game_record(const selfplay::Record& record, std::uint64_t step);
nlohmann::json ladder_record(const LadderPlace& place, std::uint64_t step);

// Whether a game of this round, from 0, is kept: fewer and fewer, so that their number grows with the
// logarithm of the rounds.
bool is_sample_round(std::uint64_t round);

}  // namespace scholar::learning
