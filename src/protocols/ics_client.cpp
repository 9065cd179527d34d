#include "protocols/ics_client.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/random.hpp"
#include "protocols/event_queue.hpp"
#include "protocols/ics_lines.hpp"
#include "protocols/ics_timeseal.hpp"

namespace scholar::protocols::ics {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr Milliseconds kTick{40};
// More than this unsent means that nobody reads at the other end.
constexpr std::size_t kMostUnsent = 1 << 16;
// More than this before the contestant means that the server begins and ends games faster than they can be
// looked at.
constexpr std::size_t kMostWorks = 64;

// The contestant's thread: does one thing after the other.
class Worker {
  public:
    Worker()
        : thread_([this] {
              while (const auto work = works_.pop()) work();
          }) {}
    ~Worker() {
        works_.push(nullptr);
        thread_.join();
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void add(std::function<void()> work) { works_.push(std::move(work)); }
    std::size_t waiting() { return works_.size(); }

  private:
    EventQueue<std::function<void()>> works_;
    std::thread thread_;
};

class Transcript {
  public:
    static base::Result<Transcript> open(const std::string& path) {
        Transcript transcript;
        if (path.empty()) return transcript;
        transcript.file_.reset(std::fopen(path.c_str(), "ae"));
        if (!transcript.file_) return base::fail("{}: cannot write: {}", path, std::strerror(errno));
        return transcript;
    }
    void add(char direction, std::string_view line) {
        if (!file_) return;
        const auto now = std::chrono::system_clock::now();
        const auto milliseconds =
            std::chrono::duration_cast<Milliseconds>(now.time_since_epoch()).count() % 1'000;
        const std::string text = fmt::format("{:%H:%M:%S}.{:03} {} {}\n",
                                             fmt::localtime(std::chrono::system_clock::to_time_t(now)),
                                             milliseconds, direction, line);
        if (std::fputs(text.c_str(), file_.get()) >= 0 && std::fflush(file_.get()) == 0) return;
        problem_ = std::strerror(errno);
        file_.reset();
    }
    // Why nothing more is written; told once.
    std::optional<std::string> take_problem() { return std::exchange(problem_, std::nullopt); }

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_;
    std::optional<std::string> problem_;
};

class Client final : public SessionHost {
  public:
    Client(const ClientSettings& settings, engine::Contestant& contestant, ClientObserver& observer,
           Transcript transcript)
        : settings_(settings),
          contestant_(contestant),
          observer_(observer),
          transcript_(std::move(transcript)),
          session_(settings.session, *this, Clock::now()),
          random_(static_cast<std::uint64_t>(Clock::now().time_since_epoch().count())) {}

    base::Status run(std::stop_token stop) {
        const std::stop_callback on_stop(
            stop, [this] { asio::post(context_, [this] { session_.stop(Clock::now()); }); });
        connect();
        tick();
        context_.run();
        thought_.request_stop();
        if (error_) return std::unexpected(*error_);
        if (session_.error())
            return base::fail_in(fmt::format("{}:{}", settings_.host, settings_.port), *session_.error());
        return {};
    }

    // What the session asks for.
    void send(std::string_view line, bool secret) override {
        transcript_.add('>', secret ? "********" : line);
        put(line);
    }
    void hang_up() override {
        asio::post(context_, [this, connection = connection_] {
            if (connection == connection_) closed("");
        });
    }
    void game_starts(const engine::GameHeader& header) override {
        observer_.game_starts(header);
        add_work([this, header] { contestant_.game_starts(header); });
    }
    void think(TurnRequest request) override {
        thought_ = std::stop_source();
        add_work([this, request = std::move(request), stop = thought_.get_token()] {
            // Nobody waits for the answer any more.
            if (stop.stop_requested()) return;
            const engine::Turn turn{.game = request.header, .line = request.line, .clocks = request.clocks};
            auto decision = std::make_shared<engine::Decision>(contestant_.decide(turn, stop));
            asio::post(context_, [this, ticket = request.ticket, decision] {
                session_.decided(ticket, std::move(*decision), Clock::now());
            });
        });
    }
    void stop_thinking() override { thought_.request_stop(); }
    void game_over(engine::PlayedGame game) override {
        if (auto status = observer_.game_over(game); !status && !error_) {
            error_ = status.error();
            session_.stop(Clock::now());
        }
        add_work([this, game = std::move(game)] {
            const base::Status status = contestant_.game_ends(game);
            asio::post(context_, [this, status] {
                if (!status) note(status.error().message);
                session_.reviewed(Clock::now());
            });
        });
    }
    void note(std::string_view what) override {
        transcript_.add('#', what);
        observer_.note(what);
    }

  private:
    // The work is done in any case: what is waited for comes. But nothing more is heard that could add to it.
    void add_work(std::function<void()> work) {
        worker_.add(std::move(work));
        if (worker_.waiting() > kMostWorks && !floods_) {
            note("the server is too fast for the player");
            floods_ = true;
            hang_up();
        }
    }

    void connect() {
        floods_ = false;
        ++connection_;
        reader_ = {};
        outbox_.clear();
        writing_ = false;
        has_connected_ = false;
        socket_ = tcp::socket(context_);
        deadline_.expires_after(settings_.backoff.connect);
        deadline_.async_wait([this, connection = connection_](error_code error) {
            if (!error && connection == connection_ && !has_connected_) closed("no connection in time");
        });
        resolver_.async_resolve(
            settings_.host, settings_.port,
            [this, connection = connection_](error_code error, const tcp::resolver::results_type& found) {
                if (connection != connection_) return;
                if (error) return closed(error.message());
                asio::async_connect(socket_, found,
                                    [this, connection](error_code failure, const tcp::endpoint&) {
                                        if (connection != connection_) return;
                                        if (failure) return closed(failure.message());
                                        opened();
                                    });
            });
    }

    void opened() {
        has_connected_ = true;
        opened_at_ = Clock::now();
        deadline_.cancel();
        error_code ignored;
        static_cast<void>(socket_.set_option(tcp::no_delay(true), ignored));
        note(fmt::format("connected to {}:{}", settings_.host, settings_.port));
        session_.connected(Clock::now());
        if (settings_.timeseal) put(timeseal_greeting());
        read();
    }

    void read() {
        socket_.async_read_some(asio::buffer(buffer_),
                                [this, connection = connection_](error_code error, std::size_t size) {
                                    if (connection != connection_) return;
                                    if (size > 0) heard({buffer_.data(), size});
                                    if (connection != connection_) return;
                                    if (error) return closed(error.message());
                                    read();
                                });
    }

    void heard(std::string_view bytes) {
        reader_.feed(bytes);
        // A sealed connection has no room for telnet's bytes.
        if (const std::string replies = reader_.take_replies(); !replies.empty() && !settings_.timeseal)
            write(replies);
        for (int i = reader_.take_time_requests(); i > 0 && settings_.timeseal; --i) put(timeseal_reply());
        while (const auto line = floods_ ? std::nullopt : reader_.next()) {
            transcript_.add(
                '<', session_.is_logged_in() ? *line : settings_.session.credentials.without_password(*line));
            session_.line(*line, Clock::now());
        }
        session_.partial(reader_.partial(), Clock::now());
        end_if_over();
    }

    void put(std::string_view line) {
        if (settings_.timeseal)
            write(timeseal(line, std::chrono::duration_cast<Milliseconds>(Clock::now().time_since_epoch())));
        else
            write(std::string(line) + "\n");
    }

    void write(const std::string& bytes) {
        if (!has_connected_) return;
        if (outbox_.size() > kMostUnsent) {
            hang_up();
            return;
        }
        outbox_ += bytes;
        if (!writing_) write_on();
    }

    void write_on() {
        writing_ = true;
        // The buffer lives as long as the write, whatever becomes of the connection.
        auto sending = std::make_shared<std::string>(std::exchange(outbox_, {}));
        asio::async_write(socket_, asio::buffer(*sending),
                          [this, sending, connection = connection_](error_code error, std::size_t) {
                              if (connection != connection_) return;
                              writing_ = false;
                              // What reading says of the connection's end is enough.
                              if (!error && !outbox_.empty()) write_on();
                          });
    }

    // The connection has ended, or was not made.
    void closed(const std::string& why) {
        ++connection_;
        error_code ignored;
        static_cast<void>(socket_.close(ignored));
        resolver_.cancel();
        deadline_.cancel();
        const bool was_connected = std::exchange(has_connected_, false);
        if (was_connected) {
            note(why.empty() ? "connection ended" : "connection ended: " + why);
            session_.disconnected(Clock::now());
        } else {
            note(fmt::format("no connection to {}:{}: {}", settings_.host, settings_.port, why));
        }
        if (end_if_over()) return;
        if (++failures_ > settings_.backoff.tries) {
            if (!error_)
                error_ = base::Error{fmt::format(
                    "{}:{}: {} tries to connect and log in came to nothing; the last: {}", settings_.host,
                    settings_.port, settings_.backoff.tries, why.empty() ? "the connection ended" : why)};
            session_.give_up(error_->message);
            context_.stop();
            return;
        }
        const int doublings = std::min(failures_ - 1, 20);
        const auto full = std::min(settings_.backoff.most, settings_.backoff.first * (1L << doublings));
        const auto wait = Milliseconds(
            static_cast<long>(static_cast<double>(full.count()) * (0.75 + 0.5 * random_.unit())));
        again_.expires_after(wait);
        again_.async_wait([this](error_code error) {
            if (!error && session_.wants_connection()) connect();
        });
    }

    void tick() {
        timer_.expires_after(kTick);
        timer_.async_wait([this](error_code error) {
            if (error) return;
            session_.tick(Clock::now());
            if (const auto problem = transcript_.take_problem())
                observer_.note(fmt::format("no more transcript: {}", *problem));
            if (has_connected_ && session_.is_logged_in() &&
                Clock::now() >= opened_at_ + settings_.backoff.steady)
                failures_ = 0;
            if (!end_if_over()) tick();
        });
    }

    bool end_if_over() {
        if (!session_.is_over()) return false;
        context_.stop();
        return true;
    }

    const ClientSettings& settings_;
    engine::Contestant& contestant_;
    ClientObserver& observer_;
    Transcript transcript_;

    asio::io_context context_;
    tcp::resolver resolver_{context_};
    tcp::socket socket_{context_};
    asio::steady_timer deadline_{context_};
    asio::steady_timer again_{context_};
    asio::steady_timer timer_{context_};
    std::uint64_t connection_ = 0;  // counts them: what an earlier one still reports is passed over
    bool has_connected_ = false;
    Clock::time_point opened_at_;
    std::array<char, 4'096> buffer_{};
    LineReader reader_;
    std::string outbox_;
    bool writing_ = false;
    bool floods_ = false;  // nothing more is read from this connection
    int failures_ = 0;     // in a row, without a login between
    std::optional<base::Error> error_;

    Session session_;
    base::Random random_;
    std::stop_source thought_;
    Worker worker_;  // last: its thread ends before anything that it uses
};

}  // namespace

base::Status run_client(const ClientSettings& settings, engine::Contestant& contestant,
                        ClientObserver& observer, std::stop_token stop) {
    auto transcript = Transcript::open(settings.transcript);
    if (!transcript) return std::unexpected(transcript.error());
    Client client(settings, contestant, observer, std::move(*transcript));
    return client.run(std::move(stop));
}

}  // namespace scholar::protocols::ics
