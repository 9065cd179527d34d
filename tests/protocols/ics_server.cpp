#include "protocols/ics_server.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include "base/random.hpp"
#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "protocols/style12_text.hpp"

namespace scholar::tests {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Names of letters only: "Opaa", "Opab", …
std::string opponent_name(int number) {
    std::string name = "Op";
    for (int i = 0; i < 3; ++i, number /= 26) name += static_cast<char>('a' + number % 26);
    return name;
}

std::vector<std::string> words_of(const std::string& line) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

}  // namespace

class IcsServer::Impl {
  public:
    explicit Impl(const ServerSettings& settings)
        : settings_(settings),
          random_(settings.seed),
          acceptor_(context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
        accept();
        thread_ = std::thread([this] { context_.run(); });
    }
    ~Impl() { close(); }

    std::string port() const { return fmt::format("{}", acceptor_.local_endpoint().port()); }

    const ServerRecord& close() {
        if (!thread_.joinable()) return record_;
        asio::post(context_, [this] { context_.stop(); });
        thread_.join();
        if (game_) record_.open.push_back(to_record(*game_));
        for (const auto& [name, game] : stored_) record_.open.push_back(to_record(game));
        return record_;
    }

  private:
    struct Game {
        int number = 0;
        std::array<std::string, 2> names;  // by colour
        chess::Color client = chess::White;
        chess::Line line;
        std::vector<chess::Move> moves;
        std::array<std::int64_t, 2> clocks{};  // ms
        Clock::time_point turn_began;
        int minutes = 3;
        int increment = 0;
        bool rated = false;
        bool draw_by_opponent = false;
        bool draw_by_client = false;
        bool sleeps = false;
        bool owes_board = false;  // the last move's echo is late
        games::GameResult result = games::GameResult::Unknown;
        std::string reason;

        const std::string& opponent() const { return names[~client]; }
        bool is_clients_turn() const { return line.current().side_to_move() == client; }
    };
    struct Request {  // a match request that waits for an answer
        std::string from;
        int minutes = 3;
        int increment = 0;
        bool rated = false;
        bool ordinary = true;
        bool adjourned = false;
    };

    static ServerGame to_record(const Game& game) {
        return {.number = game.number,
                .white = game.names[chess::White],
                .black = game.names[chess::Black],
                .opponent = game.opponent(),
                .moves = game.moves,
                .result = game.result,
                .reason = game.reason};
    }

    bool chance(double share) { return share > 0 && random_.unit() < share; }

    // The connection.

    void accept() {
        acceptor_.async_accept([this](error_code error, tcp::socket socket) {
            if (error) return;
            if (socket_) cut();
            ++connection_;
            socket_ = std::make_unique<tcp::socket>(std::move(socket));
            // Like a slow line: pieces are not put together again.
            socket_->set_option(tcp::no_delay(true));
            login_ = Login::Name;
            input_.clear();
            output_.clear();
            writing_ = false;
            if (!settings_.silent)
                write("\xFF\xFB\x01 \n\r          welcome to the test server\n\r\n\rlogin: ");
            read();
            accept();
        });
    }

    void read() {
        socket_->async_read_some(asio::buffer(buffer_),
                                 [this, id = connection_](error_code error, std::size_t size) {
                                     if (id != connection_) return;
                                     if (error) {
                                         gone();
                                         return;
                                     }
                                     for (std::size_t i = 0; i < size; ++i) {
                                         const char c = buffer_[i];
                                         // Telnet answers have three bytes.
                                         if (skip_ > 0) {
                                             --skip_;
                                         } else if (c == '\xFF') {
                                             skip_ = 2;
                                         } else if (c == '\n') {
                                             const std::string line = std::exchange(input_, {});
                                             handle(line);
                                             if (id != connection_) return;
                                         } else if (c != '\r') {
                                             input_ += c;
                                         }
                                     }
                                     read();
                                 });
    }

    // Ends the connection as a broken line would.
    void cut() {
        if (!socket_) return;
        error_code ignored;
        socket_->close(ignored);
        gone();
    }

    void gone() {
        ++connection_;
        socket_.reset();
        requests_.clear();
        seeking_ = false;
        if (game_) {
            // The game is adjourned; now and then the opponent or an adjudicator ends it meanwhile.
            Game game = std::move(*game_);
            game_.reset();
            game.sleeps = false;
            game.owes_board = false;
            if (game.moves.size() < 2) {
                game.reason = "Game aborted on move 1";
                finished(std::move(game));
            } else if (chance(settings_.adjourned_is_ended)) {
                const bool resigns = chance(0.5);
                game.result = resigns ? won_by(game.client) : games::GameResult::Draw;
                game.reason = resigns ? game.opponent() + " resigns" : "Game drawn by adjudication";
                finished(std::move(game));
            } else {
                stored_.insert_or_assign(game.opponent(), std::move(game));
            }
        }
        login_ = Login::Name;
    }

    void write(const std::string& bytes) {
        if (!socket_) return;
        output_ += bytes;
        if (!writing_) pump();
    }

    void pump() {
        if (output_.empty() || !socket_) {
            writing_ = false;
            return;
        }
        writing_ = true;
        std::size_t size = output_.size();
        auto wait = std::chrono::microseconds(0);
        if (chance(settings_.faults.slow)) {
            size = std::min<std::size_t>(size, 1 + random_.below(40));
            wait = std::chrono::microseconds(random_.below(1'500));
        }
        auto piece = std::make_shared<std::string>(output_.substr(0, size));
        output_.erase(0, size);
        asio::async_write(*socket_, asio::buffer(*piece),
                          [this, piece, wait, id = connection_](error_code error, std::size_t) {
                              if (error || id != connection_) return;
                              if (wait.count() == 0) {
                                  pump();
                                  return;
                              }
                              later(wait, [this] { pump(); });
                          });
    }

    // Does something later, if the connection is still the same.
    void later(std::chrono::microseconds wait, std::function<void()> what) {
        auto timer = std::make_shared<asio::steady_timer>(context_, wait);
        timer->async_wait([this, timer, what = std::move(what), id = connection_](error_code error) {
            if (!error && id == connection_) what();
        });
    }

    // A line with what may go wrong around it. FICS ends lines with LF CR.
    void say(const std::string& line) {
        if (chance(settings_.faults.garbage)) write(garbage());
        write(line + "\n\r");
        if (login_ == Login::In && chance(settings_.faults.cut)) {
            ++record_.cuts;
            // What was said is on its way, or not.
            later(std::chrono::microseconds(random_.below(2'000)), [this] { cut(); });
        }
    }
    void prompt() { write("fics% "); }

    std::string garbage() {
        const std::string opponent = game_ ? game_->opponent() : "Somebody";
        switch (random_.below(14)) {
            case 0:
                return "\n\rTroll(U)(1200) shouts: hello {Game 1 (a vs. b) a resigns} 1-0\n\rfics% ";
            case 1:
                return fmt::format("\n\r{} tells you: {{Game {} (x vs. y) x resigns}} 0-1\n\rfics% ",
                                   opponent, game_ ? game_->number : 1);
            case 2:
                return std::string(9'000, 'x') + "\n\r";
            case 3: {
                std::string bytes;
                for (int i = 0; i < 60; ++i) bytes += static_cast<char>(random_.below(250));
                // Not a telnet command that would swallow what comes next, nor half a line before it.
                return bytes + "\n\r";
            }
            case 4:
                return "\xFF\xFD\x06\xFF\xFB\x03";
            case 5:
                return "\n\r    **ANNOUNCEMENT** from Admin: shutdown in 99 minutes\n\r";
            case 6:
                return "\n\r{Game 998 (Someone vs. Another) Another resigns} 1-0\n\rfics% ";
            case 7:
                return "fics% fics% \n\r\n\r";
            case 8:
                return "\a\a\n\r--> Troll waves\n\r\\   <12> not a board\n\r";
            case 9:
                return fmt::format("{}(1500)[{}] kibitzes: Illegal move (e2e4).\n\r", opponent,
                                   game_ ? game_->number : 1);
            case 10:
                return "<12> rnbqkb-r pppppppp\n\r";
            case 11:
                return "Challenge: \n\r{Game \n\rCreating: \n\r{Game 1 (\n\r";
            case 12:
                return fmt::format("\n\r{} seeking 3 0 unrated blitz m (\"play 12\" to respond)\n\r",
                                   opponent);
            default:
                return "Illegal\n\r\0\0\n\r";
        }
    }

    // What the client sends.

    void handle(const std::string& line) {
        if (settings_.silent) return;
        record_.commands.push_back(line);
        switch (login_) {
            case Login::Name:
                if (line == "guest" && settings_.guests) {
                    name_ = "GuestXYZW";
                    login_ = Login::Guest;
                    write(
                        "Logging you in as \"GuestXYZW\"; you may use this name to play unrated games.\n\r"
                        "Press return to enter the server as \"GuestXYZW\":");
                } else if (line == settings_.name) {
                    name_ = line;
                    login_ = Login::Password;
                    write("\xFF\xFB\x01password: ");
                } else {
                    write(fmt::format("\"{}\" is not a registered name.\n\rlogin: ", line));
                }
                return;
            case Login::Password:
                write("\xFF\xFC\x01\n\r");
                if (line != settings_.password) {
                    login_ = Login::Name;
                    write("**** Invalid password! ****\n\r\n\rlogin: ");
                    return;
                }
                [[fallthrough]];
            case Login::Guest:
                login_ = Login::In;
                ++record_.logins;
                write(fmt::format("**** Starting FICS session as {}{} ****\n\r\n\r", name_,
                                  name_.starts_with("Guest") ? "(U)" : "(C)"));
                if (!settings_.stays) {
                    later(milliseconds(1), [this] { cut(); });
                    return;
                }
                say("Finger notes have changed. 1000 users are on.");
                prompt();
                return;
            case Login::In:
                if (chance(settings_.faults.cut)) {
                    ++record_.cuts;
                    cut();
                    return;
                }
                command(line);
                if (login_ == Login::In) prompt();
                return;
        }
    }

    void command(const std::string& line) {
        const auto words = words_of(line);
        if (words.empty()) return;
        const std::string& verb = words[0];
        const std::string argument = words.size() > 1 ? words[1] : "";
        if (verb == "iset" || verb == "set" || verb == "date") {
            say(verb + " done.");
        } else if (verb == "quit") {
            write("Logging you out.\n\rThank you for using the test server.\n\r");
            later(milliseconds(1), [this] { cut(); });
        } else if (verb == "seek") {
            seek(words);
        } else if (verb == "unseek") {
            seeking_ = false;
            say("Your seeks have been removed.");
        } else if (verb == "accept" || verb == "decline") {
            answer_request(verb == "accept", argument);
        } else if (verb == "stored") {
            list_stored();
        } else if (verb == "match") {
            resume(argument);
        } else if (verb == "oldmoves") {
            if (last_)
                list_moves(*last_);
            else
                say("There are no old games.");
        } else if (!game_) {
            static constexpr std::array<std::string_view, 9> kGameCommands{
                "refresh", "moves", "draw", "resign", "abort", "adjourn", "flag", "takeback", "say"};
            const bool known = std::ranges::find(kGameCommands, verb) != kGameCommands.end();
            if (!known) ++(looks_like_move(verb) ? record_.moves_without_game : record_.unknown_commands);
            say("You are not playing or examining a game.");
        } else if (verb == "refresh") {
            show_board(true);
        } else if (verb == "moves") {
            list_moves(*game_);
        } else if (verb == "draw") {
            draw();
        } else if (verb == "resign") {
            end(won_by(~game_->client), name_ + " resigns");
        } else if (verb == "abort") {
            if (game_->moves.size() < 2)
                end(games::GameResult::Unknown, "Game aborted on move 1");
            else
                say("The opponent does not agree.");
        } else if (verb == "adjourn") {
            end(games::GameResult::Unknown, "Game adjourned by mutual agreement");
        } else if (verb == "flag") {
            flag();
        } else {
            move(verb);
        }
    }

    static bool looks_like_move(const std::string& word) {
        return word.size() >= 2 && word.find_first_not_of("abcdefgh12345678NBRQKO-x=+#") == std::string::npos;
    }

    static games::GameResult won_by(chess::Color color) {
        return color == chess::White ? games::GameResult::WhiteWins : games::GameResult::BlackWins;
    }

    // Pairing.

    void seek(const std::vector<std::string>& words) {
        say("Your seek has been posted with index 5.");
        if (seeking_ || words.size() < 4) return;
        seeking_ = true;
        const Request offer{.from = {},
                            .minutes = std::stoi(words[1]),
                            .increment = std::stoi(words[2]),
                            .rated = words[3] == "rated"};
        later(milliseconds(1 + random_.below(5)), [this, offer] { find_opponent(offer); });
    }

    void find_opponent(Request offer) {
        if (!seeking_ || game_ || login_ != Login::In) return;
        offer.from = opponent_name(next_opponent_++);
        if (chance(0.3)) {
            // A match request that is no such thing as we play.
            Request wrong = offer;
            wrong.from = opponent_name(next_opponent_++);
            wrong.ordinary = false;
            const bool bughouse = chance(0.5);
            ask(wrong, bughouse ? "unrated bughouse 3 0" : "unrated wild/fr 3 0");
        }
        if (chance(0.3)) {
            ask(offer, fmt::format("{} blitz {} {}", offer.rated ? "rated" : "unrated", offer.minutes,
                                   offer.increment));
            return;
        }
        begin(offer);
    }

    void ask(const Request& request, const std::string& terms) {
        requests_.insert_or_assign(request.from, request);
        say(fmt::format("Challenge: {} (1500) {} ({}) {}.", request.from, name_, rating(), terms));
        say("You can \"accept\" or \"decline\", or propose different parameters.");
        prompt();
    }

    std::string rating() const { return name_.starts_with("Guest") ? "++++" : "1612"; }

    void answer_request(bool accept, const std::string& from) {
        const auto found = requests_.find(from);
        if (found == requests_.end()) {
            // What the opponent of a game asked for.
            if (accept)
                say("There are no offers pending from other players.");
            else
                ++record_.declined;
            return;
        }
        const Request request = found->second;
        requests_.erase(found);
        if (!accept) {
            ++record_.declined;
            say(fmt::format("You decline the match offer from {}.", from));
            if (request.ordinary && seeking_) later(milliseconds(1), [this, request] { begin(request); });
            return;
        }
        if (!request.ordinary) ++record_.wrong_accepts;
        if (request.adjourned)
            resume(from);
        else
            begin(request);
    }

    void begin(const Request& request) {
        if (game_ || !socket_) return;
        seeking_ = false;
        requests_.clear();
        Game game;
        game.number = next_game_++;
        game.client = settings_.scripted_moves.empty() ? (chance(0.5) ? chess::White : chess::Black)
                                                       : settings_.client_side;
        game.names[game.client] = name_;
        game.names[~game.client] = request.from;
        game.minutes = request.minutes;
        game.increment = request.increment;
        game.rated = request.rated;
        game.clocks.fill(60'000L * request.minutes);
        game_ = std::move(game);
        announce("Creating");
    }

    void announce(const std::string& how) {
        const Game& game = *game_;
        const auto shown = [&](chess::Color color) {
            return color == game.client ? rating() : std::string("1500");
        };
        const std::string terms = game.rated ? "rated" : "unrated";
        say(fmt::format("Creating: {} ({}) {} ({}) {} blitz {} {}", game.names[0], shown(chess::White),
                        game.names[1], shown(chess::Black), terms, game.minutes, game.increment));
        say(fmt::format("{{Game {} ({} vs. {}) {} {} blitz match.}}", game.number, game.names[0],
                        game.names[1], how, terms));
        say("");
        game_->turn_began = Clock::now();
        show_board(true);
        opponents_turn();
    }

    // Adjourned games.

    void list_stored() {
        if (stored_.empty()) {
            say(fmt::format("{} has no adjourned games.", name_));
            return;
        }
        say(fmt::format("Stored games for {}:", name_));
        say("    C Opponent       On Type          Str  M    ECO Date");
        int number = 1;
        for (const auto& [opponent, game] : stored_)
            say(fmt::format("{:2}: {} {:<17} Y [ br {:3} {:3}] 39-39 {}{:<3} C20 Sun Nov 22, 10:00 UTC 2026",
                            number++, game.client == chess::White ? 'W' : 'B', opponent, game.minutes,
                            game.increment, game.line.current().side_to_move() == chess::White ? 'W' : 'B',
                            game.line.current().fullmove_number()));
    }

    void resume(const std::string& opponent) {
        const auto found = stored_.find(opponent);
        if (found == stored_.end() || game_) {
            say(fmt::format("{} is not logged in.", opponent));
            return;
        }
        // He takes a moment.
        later(milliseconds(random_.below(5)), [this, opponent] {
            auto game = stored_.extract(opponent);
            if (game.empty() || game_) {
                if (!game.empty()) stored_.insert(std::move(game));
                return;
            }
            ++record_.resumed;
            seeking_ = false;
            requests_.clear();
            game_ = std::move(game.mapped());
            game_->number = next_game_++;
            game_->draw_by_client = game_->draw_by_opponent = false;
            announce("Continuing");
        });
    }

    // The game.

    std::int64_t left(chess::Color color) const {
        std::int64_t left = game_->clocks[color];
        if (game_->line.current().side_to_move() == color && game_->moves.size() > 1)
            left -= std::chrono::duration_cast<milliseconds>(Clock::now() - game_->turn_began).count();
        return left;
    }

    std::string board_text() const {
        const Game& game = *game_;
        Style12Text text{.position = game.line.current(),
                         .game = game.number,
                         .white = game.names[chess::White],
                         .black = game.names[chess::Black],
                         .relation = game.is_clients_turn() ? 1 : -1,
                         .minutes = game.minutes,
                         .increment = game.increment,
                         .white_clock = left(chess::White),
                         .black_clock = left(chess::Black)};
        if (!game.moves.empty()) {
            text.double_push = double_push_file(game.line.ago(1), game.moves.back());
            text.pretty_move = chess::to_san(game.line.ago(1), game.moves.back());
            text.verbose_move = "P/e2-e4";
        }
        return text.text();
    }

    // A true board; `sure`: with nothing false before it.
    void show_board(bool sure = false) {
        const ServerFaults& faults = settings_.faults;
        if (!sure && chance(faults.bogus_board)) say(bogus_board());
        if (!sure && chance(faults.false_board)) say(false_board());
        say(board_text());
        if (chance(faults.twice)) say(board_text());
    }

    std::string bogus_board() {
        std::string text = board_text();
        Style12Text other{.position = game_->line.current(), .game = game_->number + 50};
        switch (random_.below(6)) {
            case 0:
                return text.substr(0, random_.below(text.size()));
            case 1:
                std::ranges::replace(text, 'K', '-');
                return text;
            case 2:
                return other.text();  // of others
            case 3:
                other.white = other.black = name_;
                other.relation = 0;
                return other.text();
            case 4:
                text[5 + random_.below(71)] = '9';
                return text;
            default:
                return text.substr(0, 80) + " x" + text.substr(80);
        }
    }

    // Could be one of this game, and is not true.
    std::string false_board() {
        const Game& game = *game_;
        Style12Text text{.position = game.line.current(),
                         .game = game.number,
                         .white = game.names[chess::White],
                         .black = game.names[chess::Black],
                         .relation = game.is_clients_turn() ? 1 : -1,
                         .minutes = game.minutes};
        if (chance(0.5) && game.line.ply() >= 4) {
            text.position = game.line.ago(2 + 2 * static_cast<int>(random_.below(2)));
            return text.text();
        }
        chess::Setup setup = text.position.setup();
        for (int tries = 0; tries < 20; ++tries) {
            chess::Setup changed = setup;
            auto& square = changed.board[random_.below(64)];
            if (square == chess::NoPiece || chess::kind_of(square) == chess::King) continue;
            square = chess::NoPiece;
            changed.castling_rights = 0;
            changed.en_passant = chess::NoSquare;
            if (const auto position = chess::Position::from_setup(changed)) {
                text.position = *position;
                break;
            }
        }
        return text.text();
    }

    void move(const std::string& text) {
        if (!game_->is_clients_turn()) {
            ++record_.moves_out_of_turn;
            say("It is not your move.");
            return;
        }
        if (chance(settings_.faults.lost_move)) return;
        // "e7e8=Q" is read as it is meant.
        std::string readable = text;
        if (text.size() == 6 && text[4] == '=') {
            readable.erase(4, 1);
            readable[4] = static_cast<char>(std::tolower(static_cast<unsigned char>(readable[4])));
        }
        const auto move = chess::parse_san(game_->line.current(), readable);
        if (!move) {
            ++record_.illegal_moves;
            say(fmt::format("Illegal move ({}).", text));
            return;
        }
        if (chance(settings_.faults.cut)) {
            // The move counts, and its echo never comes.
            ++record_.cuts;
            play(*move, false);
            if (socket_) cut();
            return;
        }
        play(*move, chance(settings_.faults.late) ? false : true);
    }

    void play(chess::Move move, bool echo) {
        Game& game = *game_;
        const chess::Color mover = game.line.current().side_to_move();
        game.clocks[mover] = left(mover) + 1'000L * game.increment;
        game.moves.push_back(move);
        game.line.push(move);
        game.turn_began = Clock::now();
        (mover == game.client ? game.draw_by_opponent : game.draw_by_client) = false;
        game.owes_board = !echo;
        if (echo)
            show_board();
        else
            later(milliseconds(random_.below(20)), [this, number = game.number] {
                if (!game_ || game_->number != number) return;
                game_->owes_board = false;
                show_board();
            });
        if (end_by_rule()) return;
        opponents_turn();
    }

    bool end_by_rule() {
        const chess::Position& position = game_->line.current();
        const std::string& mated = game_->names[position.side_to_move()];
        if (!chess::has_legal_move(position)) {
            if (position.in_check())
                end(won_by(~position.side_to_move()), mated + " checkmated");
            else
                end(games::GameResult::Draw, "Game drawn by stalemate");
            return true;
        }
        if (position.has_insufficient_material()) {
            end(games::GameResult::Draw, "Neither player has mating material");
            return true;
        }
        return false;
    }

    void opponents_turn() {
        if (!game_ || game_->is_clients_turn()) return;
        const auto wait = std::chrono::microseconds(random_.below(1'500));
        later(wait, [this, number = game_->number] {
            if (game_ && game_->number == number && !game_->is_clients_turn()) opponent_moves();
        });
    }

    void opponent_moves() {
        Game& game = *game_;
        if (game.sleeps) return;
        const std::string opponent = game.opponent();
        if (const auto ply = game.moves.size() / 2; ply < settings_.scripted_moves.size()) {
            const auto move = chess::parse_san(game.line.current(), settings_.scripted_moves[ply]);
            if (move) play(*move, true);
            return;
        }
        if (chance(settings_.opponent_sleeps)) {
            game.sleeps = true;
            game.clocks[~game.client] = 1;
            game.turn_began = Clock::now();
            show_board(true);
            return;
        }
        if (chance(settings_.opponent_leaves)) {
            const bool black = game.client == chess::White;
            end(games::GameResult::Unknown,
                fmt::format("{} lost connection; game adjourned", black ? "Black" : "White"));
            later(milliseconds(5), [this, opponent] {
                if (!stored_.contains(opponent) || game_) return;
                say(fmt::format("\n\rNotification: {}, who has an adjourned game with you, has arrived.",
                                opponent));
                prompt();
            });
            return;
        }
        if (chance(settings_.opponent_resigns) ||
            static_cast<int>(game.moves.size()) >= settings_.most_plies) {
            end(won_by(game.client), opponent + " resigns");
            return;
        }
        if (chance(settings_.opponent_asks)) {
            static constexpr std::array<std::string_view, 5> kRequests{
                " would like to take back 2 half move(s).",
                " would like to abort the game; type \"abort\" to accept.",
                " would like to adjourn the game; type \"adjourn\" to accept.",
                " would like to switch sides.", " would like to pause the clock."};
            const auto which = random_.below(kRequests.size() + 3);
            if (which < kRequests.size() && game.moves.size() >= 2) {
                say(opponent + std::string(kRequests[which]));
            } else {
                game.draw_by_opponent = true;
                say(opponent + " offers you a draw.");
            }
            prompt();
        }
        const auto moves = chess::legal_moves(game.line.current());
        play(moves[static_cast<int>(random_.below(static_cast<std::uint64_t>(moves.size())))], true);
    }

    void draw() {
        const chess::Terminal terminal = game_->line.terminal();
        if (terminal == chess::Terminal::ThreefoldRepetition)
            return end(games::GameResult::Draw, "Game drawn by repetition");
        if (terminal == chess::Terminal::FiftyMoves)
            return end(games::GameResult::Draw, "Game drawn by the 50 move rule");
        if (game_->draw_by_opponent) return end(games::GameResult::Draw, "Game drawn by mutual agreement");
        if (game_->draw_by_client) {
            say("You are already offering a draw.");
            return;
        }
        game_->draw_by_client = true;
        say("Draw request sent.");
        if (chance(0.2)) end(games::GameResult::Draw, "Game drawn by mutual agreement");
    }

    void flag() {
        const chess::Color opponent = ~game_->client;
        if (game_->sleeps && left(opponent) <= 0)
            end(won_by(game_->client), game_->opponent() + " forfeits on time");
        else
            say("Your opponent is not out of time!");
    }

    void end(games::GameResult result, const std::string& reason) {
        // The last board comes before the result, however late.
        if (game_->owes_board) show_board(true);
        Game game = std::move(*game_);
        game_.reset();
        game.result = result;
        game.reason = reason;
        const std::string text = fmt::format("{{Game {} ({} vs. {}) {}}} {}", game.number, game.names[0],
                                             game.names[1], reason, games::to_string(result));
        if (reason.find("adjourned") != std::string::npos) {
            game.sleeps = false;
            stored_.insert_or_assign(game.opponent(), std::move(game));
        } else {
            finished(std::move(game));
        }
        say("");
        say(text);
        say("");
        say("No ratings adjustment done.");
        prompt();
    }

    void finished(Game game) {
        record_.games.push_back(to_record(game));
        last_ = std::move(game);
    }

    void list_moves(const Game& game) {
        const bool over = !game.reason.empty();
        say("");
        if (!over) say(fmt::format("Movelist for game {}:", game.number));
        say("");
        say(fmt::format("{} (1500) vs. {} (UNR) --- Sun Nov 22, 10:00 UTC 2026", game.names[0],
                        game.names[1]));
        say(fmt::format("{} blitz match, initial time: {} minutes, increment: {} seconds.",
                        game.rated ? "Rated" : "Unrated", game.minutes, game.increment));
        say("");
        say(fmt::format("Move  {:<18} {}", game.names[0], game.names[1]));
        say("----  ----------------   ----------------");
        chess::Position position;
        std::string row;
        for (std::size_t i = 0; i < game.moves.size(); ++i) {
            const std::string san = chess::to_san(position, game.moves[i]);
            if (i % 2 == 0) {
                row = fmt::format("{:3}.  {:<7} (0:01.123)     ", i / 2 + 1, san);
            } else {
                say(row + fmt::format("{:<7} (0:02.000)", san));
                row.clear();
            }
            position.make(game.moves[i]);
        }
        if (!row.empty()) say(row);
        say(fmt::format("      {{{}}} {}", over ? game.reason : "Still in progress",
                        games::to_string(game.result)));
        say("");
    }

    enum class Login { Name, Password, Guest, In };

    const ServerSettings settings_;
    base::Random random_;
    ServerRecord record_;
    asio::io_context context_;
    tcp::acceptor acceptor_;
    std::unique_ptr<tcp::socket> socket_;
    std::uint64_t connection_ = 0;
    std::array<char, 1'024> buffer_{};
    std::string input_;
    int skip_ = 0;
    std::string output_;
    bool writing_ = false;
    Login login_ = Login::Name;
    std::string name_;

    std::optional<Game> game_;
    std::optional<Game> last_;
    std::map<std::string, Game> stored_;
    std::map<std::string, Request> requests_;
    bool seeking_ = false;
    int next_game_ = 7;
    int next_opponent_ = 0;

    std::thread thread_;
};

IcsServer::IcsServer(const ServerSettings& settings) : impl_(std::make_unique<Impl>(settings)) {}
IcsServer::~IcsServer() = default;
std::string IcsServer::port() const {
    return impl_->port();
}
const ServerRecord& IcsServer::close() {
    return impl_->close();
}

}  // namespace scholar::tests
