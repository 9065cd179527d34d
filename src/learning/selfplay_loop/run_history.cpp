#include "learning/selfplay_loop/run_history.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "games/ending.hpp"
#include "games/pgn_writer.hpp"
#include "learning/run/metrics.hpp"

namespace scholar::learning {

namespace {

using nlohmann::json;

// From one kept game to the next the rounds grow by so much.
constexpr double kSampleGrowth = 1.35;

// The fields of a record, each of which must be there and of its type. The first that is not is remembered.
class Fields {
  public:
    explicit Fields(const json& record) : record_(record) {}

    template <class T>
    Fields& take(const char* key, T& into) {
        const auto at = record_.find(key);
        if (at == record_.end()) return wrong(fmt::format("no '{}'", key));
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            if (!at->is_number_unsigned()) return wrong(fmt::format("'{}' is no whole number", key));
        } else if constexpr (std::is_floating_point_v<T>) {
            if (!at->is_number()) return wrong(fmt::format("'{}' is no number", key));
        }
        try {
            at->get_to(into);
        } catch (const json::exception&) {
            return wrong(fmt::format("'{}' is of the wrong kind", key));
        }
        return *this;
    }

    // What older runs do not say.
    template <class T>
    Fields& take_if_there(const char* key, T& into) {
        return record_.contains(key) ? take(key, into) : *this;
    }

    base::Status status() const {
        if (wrong_.empty()) return {};
        return base::fail("{}, expected one in a record of kind '{}'", wrong_,
                          record_.value("kind", "rating"));
    }

  private:
    Fields& wrong(std::string what) {
        if (wrong_.empty()) wrong_ = std::move(what);
        return *this;
    }

    const json& record_;
    std::string wrong_;
};

base::Status take_start(const json& record, RunHistory& into) {
    RunStart start;
    json settings;
    if (auto s = Fields(record)
                     .take("program", start.program)
                     .take_if_there("began_with", start.began_with)
                     .take("seed", start.seed)
                     .take("threads", start.threads)
                     .take("settings", settings)
                     .status();
        !s)
        return s;
    if (!settings.is_object()) return base::fail("'settings' is not a JSON object, expected one");
    for (const auto& [key, value] : settings.items()) {
        if (!value.is_string()) return base::fail("setting '{}' is not a text, expected one", key);
        start.settings.emplace_back(key, value.get<std::string>());
    }
    into.start = std::move(start);
    return {};
}

base::Status take_round(const json& record, RunHistory& into) {
    RunRound round;
    auto status = Fields(record)
                      .take("step", round.step)
                      .take("games", round.games)
                      .take("lessons", round.lessons)
                      .take("core_seconds", round.core_seconds)
                      .take("round_games", round.round_games)
                      .take("positions", round.positions)
                      .take("searched_nodes", round.searched_nodes)
                      .take("trained", round.trained)
                      .take("steps", round.steps)
                      .take("playing", round.playing)
                      .take("training", round.training)
                      .take("loss", round.loss)
                      .take("constant_loss", round.constant_loss)
                      .take("draws", round.draws)
                      .take("half_moves", round.half_moves)
                      .take("piece_values", round.piece_values)
                      .take_if_there("network", round.network)
                      .take_if_there("played_on", round.played_on)
                      .take_if_there("misjudged", round.misjudged)
                      .take_if_there("clipped", round.clipped)
                      .take_if_there("promoted", round.promoted)
                      .take_if_there("targets", round.targets)
                      .take_if_there("openings", round.openings)
                      .status();
    if (!status) return status;
    const std::uint64_t before = into.rounds.empty() ? 0 : into.rounds.back().lessons;
    round.new_lessons = round.lessons - std::min(before, round.lessons);
    for (const auto& [name, into_round] : {std::pair("match_score", &round.match_score),
                                           {"fresh_loss", &round.fresh_loss},
                                           {"seen_loss", &round.seen_loss},
                                           {"target_entropy", &round.target_entropy},
                                           {"stage", &round.stage},
                                           {"window", &round.window},
                                           {"learning_rate", &round.learning_rate},
                                           {"result_weight", &round.result_weight},
                                           {"lambda", &round.lambda},
                                           {"reuse", &round.reuse},
                                           {"nodes", &round.nodes},
                                           {"bounded", &round.bounded},
                                           {"depth", &round.depth}}) {
        const json value = record.value(name, json());
        if (value.is_number())
            *into_round = value.get<double>();
        else if (!value.is_null())
            return base::fail("'{}' is neither a number nor null, expected one of them", name);
    }
    into.rounds.push_back(std::move(round));
    return {};
}

base::Status take_rating(const json& record, RunHistory& into) {
    json course;
    if (auto s = Fields(record).take("course", course).status(); !s) return s;
    if (!course.is_array()) return base::fail("'course' is not a list, expected one of ratings");
    std::vector<LearnRating> ratings;
    for (const json& entry : course) {
        LearnRating rating;
        if (!entry.is_object())
            return base::fail("'course' has an entry that is not a JSON object, expected ratings");
        if (auto s = Fields(entry)
                         .take("name", rating.name)
                         .take("games", rating.games)
                         .take("lessons", rating.lessons)
                         .take("core_seconds", rating.core_seconds)
                         .take("elo", rating.elo)
                         .take("error", rating.error)
                         .status();
            !s)
            return s;
        ratings.push_back(std::move(rating));
    }
    into.ratings = std::move(ratings);
    return {};
}

base::Status take_game(const json& record, RunHistory& into) {
    RunGame game;
    auto status = Fields(record)
                      .take("step", game.step)
                      .take("games", game.games)
                      .take("random_moves", game.random_moves)
                      .take("half_moves", game.half_moves)
                      .take("ending", game.ending)
                      .take("pgn", game.pgn)
                      .status();
    if (status) into.games.push_back(std::move(game));
    return status;
}

base::Status take_alarm(const json& record, RunHistory& into) {
    RunAlarm alarm;
    auto status = Fields(record).take("step", alarm.step).take("text", alarm.text).status();
    if (status) into.alarms.push_back(std::move(alarm));
    return status;
}

base::Status take_place(const json& record, RunHistory& into) {
    LadderPlace place;
    std::string kind(arena::to_string(place.kind));
    auto status = Fields(record)
                      .take("core_seconds", place.core_seconds)
                      .take("elo", place.elo)
                      .take("error", place.error)
                      .take("games", place.games)
                      .take("place", kind)
                      .status();
    if (!status) return status;
    const auto parsed = arena::parse_place_kind(kind);
    if (!parsed) return base::fail("'place' is '{}', expected rated, more than or less than", kind);
    place.kind = *parsed;
    into.places.push_back(place);
    return {};
}

base::Status take_record(const json& record, RunHistory& into) {
    std::string kind;
    if (!record.is_object() || !record.contains("kind") || !record["kind"].is_string())
        return base::fail("is no record of scholar learn, expected a JSON object with a 'kind'");
    record["kind"].get_to(kind);
    if (kind == "start") return take_start(record, into);
    if (kind == "resume") {
        ++into.resumed;
        return take_start(record, into);
    }
    if (kind == "round") return take_round(record, into);
    if (kind == "rating") return take_rating(record, into);
    if (kind == "ladder") return take_place(record, into);
    if (kind == "game") return take_game(record, into);
    if (kind == "alarm") return take_alarm(record, into);
    return {};
}

}  // namespace

base::Result<RunHistory> parse_run_history(std::string_view text, const std::string& name) {
    RunHistory history;
    auto status =
        for_each_record(text, name, [&](const json& record) { return take_record(record, history); });
    if (!status) return std::unexpected(status.error());
    return history;
}

base::Result<RunHistory> read_run_history(const std::filesystem::path& file) {
    const auto text = base::read_text(file);
    if (!text) return std::unexpected(text.error());
    return parse_run_history(*text, file.string());
}

json start_record(const RunStart& start, std::uint64_t step) {
    json settings = json::object();
    for (const auto& [key, value] : start.settings) settings[key] = value;
    return {{"kind", start.resumed ? "resume" : "start"},
            {"step", step},
            {"program", start.program},
            {"began_with", start.began_with},
            {"seed", start.seed},
            {"threads", start.threads},
            {"settings", settings}};
}

json round_record(const LearnProgress& done, const RoundSummary& round, const LearnStage& stage,
                  std::size_t window, const nets::NetworkInfo& network) {
    const auto full = static_cast<double>(std::max<std::uint64_t>(1, round.full));
    const auto games = static_cast<double>(std::max<std::uint64_t>(1, round.games));
    return {{"kind", "round"},
            {"step", done.rounds},
            {"games", done.games},
            {"lessons", done.lessons},
            {"core_seconds", done.core_seconds},
            {"loss", round.loss},
            {"constant_loss", round.constant_loss},
            {"fresh_loss", round.fresh_loss ? json(*round.fresh_loss) : json()},
            {"seen_loss", round.seen_loss ? json(*round.seen_loss) : json()},
            {"target_entropy", round.steps > 0 ? json(round.target_entropy) : json()},
            {"steps", round.steps},
            {"stage", stage.from},
            {"targets", round.targets},
            {"openings", round.openings},
            {"learning_rate", stage.learning_rate},
            {"result_weight", stage.result_weight},
            {"lambda", stage.lambda},
            {"reuse", stage.reuse},
            {"window", window},
            {"clipped", round.clipped},
            {"round_games", round.games},
            {"positions", round.judged},
            {"searched_nodes", round.nodes},
            {"trained", round.trained},
            {"repeated", round.repeated},
            {"played_on", round.played_on},
            {"misjudged", round.misjudged},
            {"draws", static_cast<double>(round.draws) / games},
            {"half_moves", static_cast<double>(round.half_moves) / games},
            {"nodes", stage.play.nodes},
            {"bounded", static_cast<double>(round.bounded) / full},
            {"depth", static_cast<double>(round.depths) / full},
            {"nodes_per_second", static_cast<double>(round.nodes) / round.playing},
            {"playing", round.playing},
            {"training", round.training},
            {"match_score", round.match_score ? json(*round.match_score) : json()},
            {"promoted", round.promoted},
            {"network", nets::to_string(network.architecture)},
            {"piece_values", network.piece_values}};
}

json course_record(const std::vector<LearnRating>& ratings) {
    json course = json::array();
    for (const LearnRating& rating : ratings)
        course.push_back({{"name", rating.name},
                          {"games", rating.games},
                          {"lessons", rating.lessons},
                          {"core_seconds", rating.core_seconds},
                          {"elo", rating.elo},
                          {"error", rating.error}});
    return course;
}

json game_record(const selfplay::Record& record, std::uint64_t step) {
    const auto searched = std::ranges::find(record.judgements, true, &selfplay::Judgement::searched);
    const auto random_moves = static_cast<std::uint64_t>(searched - record.judgements.begin());
    games::Game game = record.game;
    const std::string player = fmt::format("Scholar, generation {}", record.generation);
    game.tags = {{"Event", "Scholar learns"},
                 {"Round", fmt::format("{}", step)},
                 {"White", player},
                 {"Black", player},
                 {"RandomMoves", fmt::format("{}", random_moves)}};
    return {{"kind", "game"},
            {"step", step},
            {"games", record.number},
            {"random_moves", random_moves},
            {"half_moves", game.moves.size()},
            {"ending", games::name_of(game.ending)},
            {"pgn", games::to_pgn(game)}};
}

json ladder_record(const LadderPlace& place, std::uint64_t step) {
    return {{"kind", "ladder"},
            {"step", step},
            {"core_seconds", place.core_seconds},
            {"elo", place.elo},
            {"error", place.error},
            {"games", place.games},
            {"place", arena::to_string(place.kind)}};
}

bool is_sample_round(std::uint64_t round) {
    const auto place = [](std::uint64_t number) {
        return std::floor(std::log(static_cast<double>(number)) / std::log(kSampleGrowth));
    };
    return round == 0 || place(round + 1) > place(round);
}

}  // namespace scholar::learning
