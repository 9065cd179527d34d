#include "protocols/xboard.hpp"

#include <algorithm>
#include <array>
#include <istream>
#include <mutex>
#include <ostream>
#include <string_view>
#include <thread>
#include <variant>

#include "base/text.hpp"
#include "chess/mended_fen.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "protocols/analysis_text.hpp"
#include "protocols/event_queue.hpp"
#include "protocols/words.hpp"
#include "protocols/xboard_clock.hpp"

namespace scholar::protocols {

namespace {

// As the protocol has it: a mate in N is shown as so much more than N.
constexpr int kMateCentipawns = 100'000;
// A draw is taken where nothing is hoped for any more, and not in the opening.
constexpr int kDrawPly = 60;

// "1-0 {White mates}": what is said when a game has ended by rule.
std::string describe_end(const chess::Line& line) {
    switch (line.terminal()) {
        case chess::Terminal::None:
            return "";
        case chess::Terminal::Checkmate:
            return line.current().side_to_move() == chess::White ? "0-1 {Black mates}" : "1-0 {White mates}";
        case chess::Terminal::Stalemate:
            return "1/2-1/2 {Stalemate}";
        case chess::Terminal::InsufficientMaterial:
            return "1/2-1/2 {Insufficient material}";
        case chess::Terminal::ThreefoldRepetition:
            return "1/2-1/2 {Draw by repetition}";
        case chess::Terminal::FiftyMoves:
            return "1/2-1/2 {Draw by fifty-move rule}";
    }
    return "";
}

// An option in the words of "feature option".
std::string describe(const engine::Option& option) {
    const std::string fallback = engine::default_of(option);
    if (const auto* spin = std::get_if<engine::SpinOption>(&option.kind))
        return fmt::format("{} -spin {} {} {}", option.name, spin->fallback, spin->min, spin->max);
    if (const auto* check = std::get_if<engine::CheckOption>(&option.kind))
        return fmt::format("{} -check {}", option.name, check->fallback ? 1 : 0);
    if (std::holds_alternative<engine::RealOption>(option.kind))
        return fmt::format("{} -string {}", option.name, fallback);
    if (std::holds_alternative<engine::StringOption>(option.kind))
        return fmt::format("{} -{} {}", option.name, option.name.ends_with("File") ? "file" : "string",
                           fallback);
    if (const auto* combo = std::get_if<engine::ComboOption>(&option.kind)) {
        std::string choices;
        for (const std::string& choice : combo->choices)
            choices +=
                (choices.empty() ? "" : " /// ") + std::string(choice == combo->fallback ? "*" : "") + choice;
        return fmt::format("{} -combo {}", option.name, choices);
    }
    return fmt::format("{} -button", option.name);
}

// One thread deals with commands and with ends of searches as they come; it alone calls the engine.
class Xboard final : public search::Observer {
  public:
    Xboard(engine::Engine& engine, std::istream& in, std::ostream& out)
        : engine_(engine), in_(in), out_(out) {}

    void run(const std::optional<std::string>& first) {
        if (first) events_.push(*first);
        const std::jthread reader([this] { read(); });
        bool more = true;
        // At the end of the input, as from a file, a move that is being looked for is still given.
        while (more || activity_ == Activity::Thinking) {
            Event event = events_.pop();
            if (const auto* line = std::get_if<std::string>(&event)) {
                const Words words = base::split_words(*line);
                if (words.empty()) continue;
                if (words.front() == "quit") break;
                if (const auto status = obey(*line, words); !status)
                    say("Error ({}): {}", base::excerpt(status.error().message, kMostOfMessage),
                        base::excerpt(join(words, 0, words.size())));
                resume();
            } else if (const auto* found = std::get_if<Found>(&event)) {
                if (found->search == search_number_) finish_thinking(found->result, more);
            } else {
                more = false;
            }
        }
        abandon_search();
    }

    // ---- from the search's thread ----

    void on_iteration(const search::Iteration& iteration) override {
        const std::lock_guard lock(mutex_);
        progress_.depth = iteration.depth;
        progress_.counters = iteration.counters;
        if (!posts_ || iteration.bound != search::Bound::Exact) return;
        out_ << fmt::format("{} {} {} {} {}", iteration.depth,
                            show(iteration.score.value_or(chess::Score::draw())),
                            centiseconds(iteration.counters), iteration.counters.nodes,
                            protocols::to_text(iteration.principal_variation, notation()))
             << std::endl;
    }

    void on_root_move(int depth, chess::Move move, int number, const search::Counters& counters) override {
        const std::lock_guard lock(mutex_);
        progress_ = {depth, move, number, counters};
    }

  private:
    struct Found {
        std::uint64_t search;
        search::SearchResult result;
    };
    struct EndOfInput {};
    using Event = std::variant<std::string, Found, EndOfInput>;

    enum class Activity { Idle, Thinking, Pondering, Analysing };

    struct Progress {
        int depth = 0;
        chess::Move move;
        int number = 0;
        search::Counters counters;
    };

    void read() {
        std::string line;
        while (std::getline(in_, line)) {
            const Words words = base::split_words(line);
            const bool last = !words.empty() && words.front() == "quit";
            events_.push(line);
            if (last) return;
        }
        events_.push(EndOfInput{});
    }

    template <class... Args>
    void say(fmt::format_string<Args...> format, Args&&... args) {
        const std::string text = fmt::format(format, std::forward<Args>(args)...);
        const std::lock_guard lock(mutex_);
        out_ << text << std::endl;
    }

    // ---- what is searched ----

    bool is_our_turn() const {
        return has_position_ && !forced_ && !over_ && line_.current().side_to_move() == our_color_;
    }

    // After each command: what should be going on now, is.
    void resume() {
        if (activity_ != Activity::Idle) return;
        if (analyses_) {
            if (has_position_ && chess::has_legal_move(line_.current()))
                start(Activity::Analysing, line_, {{search::InfiniteLimit{}}, {}, {}});
        } else if (is_our_turn() && !claim_end()) {
            start(Activity::Thinking, line_, clock_.limits(line_.ply() / 2, used_));
        }
        if (activity_ != Activity::Thinking) answer_pings();
    }

    void start(Activity activity, const chess::Line& line, search::Limits limits) {
        engine_.wait();
        engine_.set_line(line);
        {
            const std::lock_guard lock(mutex_);
            progress_ = {};
        }
        activity_ = activity;
        since_ = Watch::now();
        nodes_before_ = 0;
        const std::uint64_t number = ++search_number_;
        prepare();
        engine_.go(std::move(limits), *this, [this, number](const search::SearchResult& result) {
            events_.push(Found{number, result});
        });
    }

    void ponder() {
        if (!ponders_ || analyses_ || forced_ || over_ || !has_position_ || !hint_) return;
        chess::Line line = line_;
        line.push(hint_);
        if (line.terminal() != chess::Terminal::None) return;
        search::Limits limits = clock_.limits(line.ply() / 2);
        limits.limits.emplace_back(search::PonderLimit{});
        start(Activity::Pondering, line, std::move(limits));
    }

    // What the move that is being thought of has used of our clock: since "go", or since the move that was
    // pondered on came.
    search::Milliseconds used_so_far(std::uint64_t nodes) const {
        const auto elapsed = std::chrono::duration_cast<search::Milliseconds>(Watch::now() - since_);
        return used_ + clock_.used(elapsed, nodes - std::min(nodes, nodes_before_));
    }

    // What it finds is not wanted.
    void abandon_search() {
        used_ = search::Milliseconds(0);
        if (activity_ == Activity::Idle) return;
        ++search_number_;
        engine_.stop();
        engine_.wait();
        activity_ = Activity::Idle;
    }

    void finish_thinking(const search::SearchResult& result, bool may_ponder) {
        engine_.wait();
        if (std::exchange(activity_, Activity::Idle) != Activity::Thinking) return;
        if (result.best) {
            say("move {}", to_text(result.best));
            line_.push(result.best);
            last_score_ = result.score;
            clock_.spend(used_so_far(result.counters.nodes), (line_.ply() + 1) / 2);
            hint_ = result.ponder;
            claim_end();
        }
        used_ = search::Milliseconds(0);
        answer_pings();
        if (may_ponder) ponder();
    }

    // Says so once if the game is over by rule.
    bool claim_end() {
        const std::string end = describe_end(line_);
        if (end.empty() || over_) return over_;
        say("{}", end);
        over_ = true;
        return true;
    }

    // While the engine thinks they wait: a GUI takes the answer to mean that it is idle.
    void answer_pings() {
        for (const std::string& ping : pings_) say("pong {}", ping);
        pings_.clear();
    }

    // ---- words ----

    chess::CastlingNotation notation() const {
        return chess960_ ? chess::CastlingNotation::Chess960 : chess::CastlingNotation::Standard;
    }
    std::string to_text(chess::Move move) const {
        if (chess960_ && move.is_castling()) return move.to() > move.from() ? "O-O" : "O-O-O";
        return chess::to_uci(move, notation());
    }
    int show(chess::Score score) const {
        if (!score.is_mate()) return engine_.to_centipawns(score);
        const int moves = score.moves_to_mate();
        return score.value() > 0 ? kMateCentipawns + moves : -kMateCentipawns + moves;
    }
    static std::int64_t centiseconds(const search::Counters& counters) {
        return std::chrono::duration_cast<std::chrono::milliseconds>(counters.elapsed).count() / 10;
    }

    // ---- commands ----

    using Handler = base::Status (Xboard::*)(std::string_view line, const Words& words);
    struct Command {
        std::string_view name;
        Handler handler;
    };

    base::Status obey(std::string_view line, const Words& words) {
        static constexpr std::array kCommands{
            Command{"xboard", &Xboard::ignore},
            Command{"protover", &Xboard::introduce},
            Command{"accepted", &Xboard::ignore},
            Command{"rejected", &Xboard::ignore},
            Command{"new", &Xboard::new_game},
            Command{"variant", &Xboard::set_variant},
            Command{"setboard", &Xboard::set_board},
            Command{"force", &Xboard::force},
            Command{"go", &Xboard::go},
            Command{"playother", &Xboard::play_other},
            Command{"usermove", &Xboard::user_move},
            Command{"?", &Xboard::move_now},
            Command{"undo", &Xboard::undo},
            Command{"remove", &Xboard::remove},
            Command{"result", &Xboard::end_game},
            Command{"draw", &Xboard::consider_draw},
            Command{"ping", &Xboard::ping},
            Command{"level", &Xboard::set_clock<&XboardClock::set_level>},
            Command{"st", &Xboard::set_clock<&XboardClock::set_time_per_move>},
            Command{"sd", &Xboard::set_clock<&XboardClock::set_depth>},
            Command{"nps", &Xboard::set_clock<&XboardClock::set_nodes_per_second>},
            Command{"time", &Xboard::set_clock<&XboardClock::set_remaining>},
            Command{"otim", &Xboard::ignore},
            Command{"hard", &Xboard::hard},
            Command{"easy", &Xboard::easy},
            Command{"post", &Xboard::post},
            Command{"nopost", &Xboard::no_post},
            Command{"analyze", &Xboard::analyse},
            Command{"exit", &Xboard::stop_analysing},
            Command{".", &Xboard::show_progress},
            Command{"hint", &Xboard::show_hint},
            Command{"bk", &Xboard::show_book},
            Command{"memory", &Xboard::set_memory},
            Command{"cores", &Xboard::set_cores},
            Command{"egtpath", &Xboard::set_tables},
            Command{"option", &Xboard::set_option},
            Command{"random", &Xboard::ignore},
            Command{"computer", &Xboard::ignore},
            Command{"name", &Xboard::meet},
            Command{"rating", &Xboard::ignore},
            Command{"ics", &Xboard::ignore},
        };
        for (const Command& command : kCommands)
            if (command.name == words.front()) return (this->*command.handler)(line, words);
        // A GUI that takes no features sends moves bare.
        if (words.size() == 1 && chess::parse_uci_move(line_.current(), words.front()))
            return play(words.front());
        return base::fail("unknown command");
    }

    base::Status ignore(std::string_view, const Words&) { return {}; }

    base::Status introduce(std::string_view, const Words&) {
        say("feature done=0");
        say("feature myname=\"Scholar {}\" variants=\"normal,fischerandom\" egt=\"syzygy\"", SCHOLAR_VERSION);
        say("feature ping=1 setboard=1 playother=1 usermove=1 san=0 time=1 draw=1 sigint=0 sigterm=0 "
            "reuse=1");
        say("feature analyze=1 colors=0 ics=0 name=1 pause=0 nps=1 debug=0 memory=1 smp=1");
        for (const engine::Option& option : engine_.options())
            if (option.audience == engine::Audience::Everyone) say("feature option=\"{}\"", describe(option));
        say("feature done=1");
        return {};
    }

    base::Status new_game(std::string_view, const Words&) {
        abandon_search();
        prepare();
        engine_.new_game();
        clock_.new_game();
        chess960_ = false;
        forced_ = false;
        our_color_ = chess::Black;
        begin(chess::Line());
        return {};
    }

    void begin(chess::Line line) {
        line_ = std::move(line);
        has_position_ = true;
        over_ = false;
        hint_ = {};
        last_score_.reset();
    }

    base::Status set_variant(std::string_view, const Words& words) {
        const std::string_view variant = words.size() > 1 ? words[1] : std::string_view();
        if (variant != "normal" && variant != "fischerandom")
            return base::fail("unknown variant, expected normal or fischerandom");
        abandon_search();
        chess960_ = variant == "fischerandom";
        return {};
    }

    base::Status set_board(std::string_view, const Words& words) {
        abandon_search();
        const auto found = chess::mend_fen(join(words, 1, words.size()));
        if (!found) {
            // From now on all moves are illegal, until there is another (protocol, "edit").
            say("tellusererror Illegal position: {}", found.error().message);
            begin(chess::Line());
            has_position_ = false;
            return {};
        }
        for (const std::string& mended : found->mended) say("telluser Position: {}", mended);
        begin(chess::Line(found->position));
        return {};
    }

    base::Status force(std::string_view, const Words&) {
        abandon_search();
        forced_ = true;
        return {};
    }

    base::Status go(std::string_view, const Words&) {
        abandon_search();
        if (!has_position_) return base::fail("no position");
        forced_ = false;
        our_color_ = line_.current().side_to_move();
        return {};
    }

    base::Status play_other(std::string_view, const Words&) {
        abandon_search();
        forced_ = false;
        our_color_ = ~line_.current().side_to_move();
        ponder();
        return {};
    }

    base::Status user_move(std::string_view, const Words& words) {
        if (words.size() != 2) return base::fail("expected usermove MOVE");
        return play(words[1]);
    }

    base::Status play(std::string_view text) {
        if (!has_position_) {
            say("Illegal move (no position): {}", base::excerpt(text));
            return {};
        }
        if (activity_ == Activity::Thinking || (is_our_turn() && !analyses_)) {
            say("Illegal move (not your turn): {}", base::excerpt(text));
            return {};
        }
        auto move = chess::parse_uci_move(line_.current(), text);
        if (!move) move = chess::parse_san(line_.current(), text);  // O-O
        if (!move) {
            say("Illegal move: {}", base::excerpt(text));
            return {};
        }
        const bool expected = activity_ == Activity::Pondering && *move == hint_;
        line_.push(*move);
        hint_ = {};
        if (!forced_ && !analyses_) claim_end();
        if (expected && !over_) {
            activity_ = Activity::Thinking;
            since_ = Watch::now();
            {
                const std::lock_guard lock(mutex_);
                nodes_before_ = progress_.counters.nodes;
            }
            engine_.ponder_hit();
        } else {
            abandon_search();
        }
        return {};
    }

    base::Status move_now(std::string_view, const Words&) {
        if (activity_ == Activity::Thinking) engine_.stop();
        return {};
    }

    base::Status undo(std::string_view, const Words&) { return take_back(1); }
    base::Status remove(std::string_view, const Words&) { return take_back(2); }
    base::Status take_back(int plies) {
        if (line_.ply() < plies) return base::fail("no move to take back");
        abandon_search();
        for (int i = 0; i < plies; ++i) line_.pop();
        over_ = false;
        hint_ = {};
        return {};
    }

    // "result RESULT {COMMENT}".
    base::Status end_game(std::string_view, const Words& words) {
        abandon_search();
        over_ = true;
        const auto result = words.size() > 1 ? games::parse_result(words[1]) : std::nullopt;
        if (!result || *result == games::GameResult::Unknown) return {};
        return engine_.end_game(line_, *result);
    }

    base::Status meet(std::string_view line, const Words& words) {
        abandon_search();
        engine_.meet(rest_after(line, words, 0));
        return {};
    }

    base::Status consider_draw(std::string_view, const Words&) {
        if (!over_ && last_score_ && line_.ply() >= kDrawPly && *last_score_ <= chess::Score::draw())
            say("offer draw");
        return {};
    }

    base::Status ping(std::string_view line, const Words& words) {
        pings_.emplace_back(rest_after(line, words, 0));
        if (activity_ != Activity::Thinking && (analyses_ || !is_our_turn())) answer_pings();
        return {};
    }

    template <base::Status (XboardClock::*Set)(const Words&)>
    base::Status set_clock(std::string_view, const Words& words) {
        return (clock_.*Set)(words);
    }

    base::Status hard(std::string_view, const Words&) {
        ponders_ = true;
        return {};
    }

    base::Status easy(std::string_view, const Words&) {
        ponders_ = false;
        if (activity_ == Activity::Pondering) abandon_search();
        return {};
    }

    base::Status post(std::string_view, const Words&) {
        const std::lock_guard lock(mutex_);
        posts_ = true;
        return {};
    }
    base::Status no_post(std::string_view, const Words&) {
        const std::lock_guard lock(mutex_);
        posts_ = false;
        return {};
    }

    base::Status analyse(std::string_view, const Words&) {
        abandon_search();
        analyses_ = true;
        over_ = false;
        return {};
    }

    base::Status stop_analysing(std::string_view, const Words&) {
        if (!std::exchange(analyses_, false)) return base::fail("not analysing");
        abandon_search();
        forced_ = true;
        return {};
    }

    // "stat01: time nodes ply left all move", of the root's moves those left and all.
    base::Status show_progress(std::string_view, const Words&) {
        if (activity_ == Activity::Idle) return {};
        const chess::Position& position = engine_.line().current();
        const int all = chess::count_legal_moves(position);
        Progress progress;
        {
            const std::lock_guard lock(mutex_);
            progress = progress_;
        }
        say("stat01: {} {} {} {} {}{}", centiseconds(progress.counters), progress.counters.nodes,
            progress.depth, std::max(0, all - progress.number), all,
            progress.move ? ' ' + to_text(progress.move) : "");
        return {};
    }

    base::Status show_hint(std::string_view, const Words&) {
        if (hint_ && !is_our_turn()) say("Hint: {}", to_text(hint_));
        return {};
    }

    // Each line begins with a blank, and an empty one ends them.
    base::Status show_book(std::string_view, const Words&) {
        const auto found = engine_.book_moves(line_.current());
        if (!found || found->moves.empty()) {
            say(" No book moves\n");
            return {};
        }
        const auto total = std::max<std::uint64_t>(1, found->total_weight());
        std::string text;
        for (const games::BookMove& move : found->moves)
            text += fmt::format(" {} {} %\n", chess::to_san(line_.current(), move.move),
                                100 * move.weight / total);
        say("{}", text);
        return {};
    }

    base::Status set_memory(std::string_view, const Words& words) { return set("Hash", words); }
    base::Status set_cores(std::string_view, const Words& words) { return set("Threads", words); }
    base::Status set(std::string_view option, const Words& words) {
        return put(option, words.size() > 1 ? words[1] : std::string_view());
    }

    // Who plays is put together from the options: what cannot be is said, and who was there before plays on.
    void prepare() {
        if (const auto status = engine_.prepare(); !status)
            say("tellusererror {}", base::excerpt(status.error().message));
        for (const std::string& note : engine_.take_notes()) say("# {}", note);
    }

    base::Status set_tables(std::string_view line, const Words& words) {
        if (words.size() < 3 || words[1] != "syzygy") return base::fail("expected egtpath syzygy PATH");
        return put("SyzygyPath", rest_after(line, words, 1));
    }

    // "option NAME=VALUE", "option NAME" for a button. A check is 0 or 1.
    base::Status set_option(std::string_view line, const Words& words) {
        const std::string_view text = rest_after(line, words, 0);
        const std::size_t equals = text.find('=');
        const std::string_view name = text.substr(0, equals);
        std::string_view value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
        const engine::Option* option = engine::find_option(engine_.options(), name);
        if (option != nullptr && std::holds_alternative<engine::CheckOption>(option->kind)) {
            if (value == "1") value = "true";
            if (value == "0") value = "false";
        }
        return put(name, value);
    }

    // A move that is being thought of is begun again, with what is left of its time.
    base::Status put(std::string_view name, std::string_view value) {
        search::Milliseconds used{0};
        if (activity_ == Activity::Thinking) {
            const std::lock_guard lock(mutex_);
            used = used_so_far(progress_.counters.nodes);
        }
        abandon_search();
        used_ = used;
        return engine_.set_option(name, value);
    }

    engine::Engine& engine_;
    std::istream& in_;
    std::ostream& out_;
    EventQueue<Event> events_;

    std::mutex mutex_;  // of what the search's thread uses too: out_, and
    bool posts_ = false;
    Progress progress_;

    chess::Line line_;          // the game
    bool has_position_ = true;  // false: the one that was set up was refused
    XboardClock clock_;
    chess::Color our_color_ = chess::Black;
    bool chess960_ = false;
    bool forced_ = false;  // both sides' moves come from the GUI
    bool analyses_ = false;
    bool ponders_ = false;  // may think in the opponent's time
    bool over_ = false;
    Activity activity_ = Activity::Idle;
    std::uint64_t search_number_ = 0;  // of the search whose result is waited for
    chess::Move hint_;                 // the reply that is expected
    std::optional<chess::Score> last_score_;
    using Watch = std::chrono::steady_clock;
    Watch::time_point since_;         // when the search began, or the move that it pondered on came
    std::uint64_t nodes_before_ = 0;  // of that search, until then
    search::Milliseconds used_{0};    // on this move, before the search that goes on
    std::vector<std::string> pings_;
};

}  // namespace

void run_xboard(engine::Engine& engine, std::istream& in, std::ostream& out,
                const std::optional<std::string>& first) {
    Xboard(engine, in, out).run(first);
}

}  // namespace scholar::protocols
