#include "arena/in_process_engine.hpp"

#include <utility>

#include "arena/engine_text.hpp"
#include "arena/uci_text.hpp"
#include "chess/uci_move.hpp"
#include "protocols/analysis_text.hpp"

namespace scholar::arena {

namespace {

using Clock = std::chrono::steady_clock;

EngineOption to_engine_option(const engine::Option& declared) {
    EngineOption option;
    option.name = declared.name;
    if (const auto* spin = std::get_if<engine::SpinOption>(&declared.kind)) {
        option.type = EngineOption::Type::Spin;
        option.default_value = fmt::format("{}", spin->fallback);
        option.minimum = spin->min;
        option.maximum = spin->max;
    } else if (const auto* check = std::get_if<engine::CheckOption>(&declared.kind)) {
        option.type = EngineOption::Type::Check;
        option.default_value = check->fallback ? "true" : "false";
    } else if (std::holds_alternative<engine::RealOption>(declared.kind)) {
        // As UCI announces it.
        option.default_value = engine::default_of(declared);
    } else if (const auto* text = std::get_if<engine::StringOption>(&declared.kind)) {
        option.default_value = text->fallback;
    } else if (const auto* combo = std::get_if<engine::ComboOption>(&declared.kind)) {
        option.type = EngineOption::Type::Combo;
        option.default_value = combo->fallback;
        option.choices = combo->choices;
    } else if (std::holds_alternative<engine::ButtonOption>(declared.kind)) {
        option.type = EngineOption::Type::Button;
    }
    return option;
}

search::Limits to_limits(const SearchLimit& limit, chess::Color side) {
    struct Translate {
        chess::Color side;
        search::Limit operator()(const ClockLimit& clock) const {
            const bool white = side == chess::White;
            search::ClockLimit result{.remaining = white ? clock.white : clock.black,
                                      .increment = white ? clock.white_increment : clock.black_increment,
                                      .moves_to_go = std::nullopt};
            if (clock.moves_to_go > 0) result.moves_to_go = clock.moves_to_go;
            return result;
        }
        search::Limit operator()(const MoveTimeLimit& l) const { return search::MoveTimeLimit{l.time}; }
        search::Limit operator()(const NodeLimit& l) const { return search::NodeLimit{l.nodes}; }
        search::Limit operator()(const DepthLimit& l) const { return search::DepthLimit{l.depth}; }
        search::Limit operator()(const MateLimit& l) const { return search::MateLimit{l.moves}; }
    };
    search::Limits limits;
    limits.limits.push_back(std::visit(Translate{side}, limit));
    return limits;
}

MoveOpinion opinion_of(const search::SearchResult& result) {
    MoveOpinion opinion{.ranked = {result.best}, .shares = {}, .trouble = result.trouble};
    // The line of a move that is played from a book, or as a weaker player would, may be another's.
    for (std::size_t i = 0; i < result.lines.size(); ++i) {
        const auto& variation = result.lines[i].variation;
        if (variation.empty() || (i == 0 && variation.front() != result.best)) break;
        if (i > 0) opinion.ranked.push_back(variation.front());
    }
    if (result.root_share == search::RootShare::Effort) return opinion;
    opinion.shares = result.root_distribution;
    opinion.are_probabilities = result.root_share == search::RootShare::Probability;
    return opinion;
}

// Takes down what a UCI engine would have said.
class Listener : public search::Observer {
  public:
    Listener(const engine::Engine& engine, const EngineVoice& voice, SearchInfo& info)
        : engine_(engine), voice_(voice), info_(info) {}

    void on_iteration(const search::Iteration& iteration) override {
        if (voice_) voice_.said(info_line(iteration));
        // With MultiPV it is the best move's line that counts.
        if (iteration.number > 1) return;
        if (iteration.bound != search::Bound::Exact && info_.has_score()) return;
        if (iteration.score) set_score(*iteration.score);
        info_.depth = iteration.depth;
        set(iteration.counters, iteration.principal_variation);
    }

    void at_end(const search::SearchResult& result) {
        // The iterations said more of the score: whether it is a bound. A move without a search has none.
        if (!info_.has_score() && result.score) set_score(*result.score);
        set(result.counters, {});
    }

  private:
    std::string info_line(const search::Iteration& iteration) const {
        const auto& counters = iteration.counters;
        const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(counters.elapsed).count();
        return fmt::format("info depth {} seldepth {} multipv {}{} nodes {} time {} pv {}", iteration.depth,
                           counters.selective_depth, iteration.number, score_of(iteration), counters.nodes,
                           ms,
                           protocols::to_text(iteration.principal_variation, engine_.castling_notation()));
    }
    std::string score_of(const search::Iteration& iteration) const {
        if (!iteration.score) return "";
        return fmt::format(" score {}{}",
                           iteration.score->is_mate()
                               ? fmt::format("mate {}", iteration.score->moves_to_mate())
                               : fmt::format("cp {}", engine_.to_centipawns(*iteration.score)),
                           iteration.bound == search::Bound::Lower   ? " lowerbound"
                           : iteration.bound == search::Bound::Upper ? " upperbound"
                                                                     : "");
    }
    void set_score(chess::Score score) {
        info_.centipawns.reset();
        info_.mate.reset();
        if (score.is_mate()) {
            info_.mate = score.moves_to_mate();
        } else {
            info_.centipawns = engine_.to_centipawns(score);
        }
    }
    void set(const search::Counters& counters, const std::vector<chess::Move>& variation) {
        info_.selective_depth = counters.selective_depth;
        info_.nodes = counters.nodes;
        info_.time = std::chrono::duration_cast<std::chrono::milliseconds>(counters.elapsed);
        if (variation.empty()) return;
        info_.principal_variation.clear();
        for (const auto move : variation)
            info_.principal_variation.push_back(chess::to_uci(move, engine_.castling_notation()));
    }

    const engine::Engine& engine_;
    const EngineVoice& voice_;
    SearchInfo& info_;
};

}  // namespace

InProcessEngine::InProcessEngine(std::string name, EngineVoice voice, std::unique_ptr<engine::Engine> engine)
    : name_(std::move(name)), voice_(std::move(voice)), engine_(std::move(engine)) {
    for (const auto& option : engine_->options()) options_.push_back(to_engine_option(option));
}

base::Result<InProcessEngine> InProcessEngine::start(const EngineConfig& config) {
    const std::string name = config.name.empty() ? "Scholar" : config.name;
    if (!config.command.empty() || !config.directory.empty())
        return base::fail("engine {}: has a {}, expected none of an engine in this process", name,
                          config.command.empty() ? "folder to start in" : "command");
    auto engine = engine::Engine::create();
    if (!engine) return base::fail_in("engine " + name, engine.error());
    InProcessEngine player(name, EngineVoice(config.trace, name), std::move(*engine));
    for (const auto& [option, value] : config.options)
        if (auto status = player.set_option(option, value); !status) return std::unexpected(status.error());
    if (auto status = player.prepare(); !status) return std::unexpected(status.error());
    return player;
}

base::Status InProcessEngine::set_option(std::string_view name, std::string_view value) {
    const EngineOption* option = find_option(options_, name);
    if (option == nullptr) return no_such_option(name_, options_, name);
    const auto checked = check_option_value(*option, value);
    if (!checked) return base::fail("engine {}: option {} {}", name_, option->name, checked.error().message);
    if (voice_) voice_.told(fmt::format("setoption name {} value {}", option->name, *checked));
    if (auto status = engine_->set_option(option->name, *checked); !status) {
        if (voice_) voice_.said("info string error: " + status.error().message);
        const std::string& text = status.error().message;
        const std::string named = "option " + option->name;
        return base::fail("engine {}: {}{}", name_, text.starts_with(named) ? "" : named + ": ", text);
    }
    return {};
}

base::Status InProcessEngine::prepare() {
    const base::Status status = engine_->prepare();
    if (voice_)
        for (const std::string& note : engine_->take_notes()) voice_.said("info string " + note);
    if (status) return {};
    if (voice_) voice_.said("info string error: " + status.error().message);
    return base::fail("engine {}: {}", name_, status.error().message);
}

base::Status InProcessEngine::new_game(const GameTerms& terms) {
    // Only how castling is written; it plays both anyway.
    if (auto status = engine_->set_option("UCI_Chess960", terms.chess960 ? "true" : "false"); !status)
        return base::fail_in("engine " + name_, status.error());
    if (!learnt_) return base::fail_in("engine " + name_, std::exchange(learnt_, {}).error());
    if (auto status = prepare(); !status) return status;
    voice_.told("ucinewgame");
    engine_->new_game(terms.number);
    played_ = {};
    return {};
}

Reply InProcessEngine::go(const chess::Position& start, std::span<const chess::Move> moves,
                          const chess::Position& current, const SearchLimit& limit,
                          std::chrono::milliseconds patience, std::stop_token stop) {
    Reply reply;
    if (voice_) {
        voice_.told(position_command(start, moves, engine_->castling_notation()));
        voice_.told(go_command(limit));
    }
    chess::Line line(start);
    line.reserve_ahead(static_cast<int>(moves.size()));
    for (const auto move : moves) line.push(move);
    engine_->set_line(std::move(line));

    const auto begin = Clock::now();
    Listener listener(*engine_, voice_, reply.info);
    // In this thread: for short searches another one would take longer to begin than they do to end.
    std::stop_source work;
    const std::stop_callback stopped(stop, [&work] { work.request_stop(); });
    watchdog_->arm(begin + patience, work);
    const search::SearchResult result =
        engine_->search(to_limits(limit, current.side_to_move()), listener, work.get_token());
    reply.elapsed = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
    const bool in_time = watchdog_->disarm();
    if (voice_) {
        if (!in_time || stop.stop_requested()) voice_.told("stop");
        voice_.said("bestmove " + (result.best ? chess::to_uci(result.best, engine_->castling_notation())
                                               : std::string("0000")));
    }
    if (stop.stop_requested()) {
        reply.answer = Answer::Stopped;
        return reply;
    }
    if (!in_time) {
        reply.answer = Answer::Stall;
        reply.detail =
            fmt::format("no move within {:.3g} s", std::chrono::duration<double>(patience).count());
        return reply;
    }
    listener.at_end(result);
    // Looked at as any other engine's move is.
    if (const auto move =
            chess::parse_uci_move(current, chess::to_uci(result.best, chess::CastlingNotation::Chess960))) {
        reply.move = *move;
        reply.opinion = opinion_of(result);
        played_ = *move;
    } else {
        reply.answer = Answer::Illegal;
        reply.detail = chess::to_uci(result.best);
    }
    return reply;
}

base::Result<std::optional<int>> InProcessEngine::static_value(const chess::Position& position) {
    if (auto status = prepare(); !status) return std::unexpected(status.error());
    engine_->set_line(chess::Line(position));
    const std::optional<chess::Score> score = engine_->evaluate();
    if (!score)
        return base::fail("engine {}: its network has no value of a position alone, expected one that has",
                          name_);
    const int centipawns = engine_->to_centipawns(*score);
    return position.side_to_move() == chess::White ? centipawns : -centipawns;
}

// Of the game it knows what it was told at its last move, and that move.
void InProcessEngine::game_over(games::GameResult result, std::string_view /*reason*/) {
    if (!played_) return;
    chess::Line line = engine_->line();
    line.push(std::exchange(played_, {}));
    learnt_ = engine_->end_game(line, result);
}

}  // namespace scholar::arena
