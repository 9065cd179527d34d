#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <istream>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <thread>

namespace scholar::tests {

inline bool says(const std::string& answer, const std::string& text) {
    return answer.find(text) != std::string::npos;
}

// A pipe within the program: reading waits for what is written.
class Pipe : public std::streambuf {
  public:
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }
    // All that was written since the last call that found something, up to and with `text`; "" and a failed
    // test if it does not come within a minute.
    std::string take_until(const std::string& text) {
        std::unique_lock lock(mutex_);
        const auto there = [&] { return written_.find(text) != std::string::npos || closed_; };
        changed_.wait_for(lock, std::chrono::minutes(1), there);
        const std::size_t at = written_.find(text);
        if (at == std::string::npos) {
            ADD_FAILURE() << "'" << text << "' did not come, but: " << written_;
            return "";
        }
        std::string taken = written_.substr(0, at + text.size());
        written_.erase(0, at + text.size());
        return taken;
    }

  protected:
    int overflow(int c) override {
        const char letter = static_cast<char>(c);
        return xsputn(&letter, 1) == 1 ? c : EOF;
    }
    std::streamsize xsputn(const char* text, std::streamsize size) override {
        const std::lock_guard lock(mutex_);
        written_.append(text, static_cast<std::size_t>(size));
        changed_.notify_all();
        return size;
    }
    int underflow() override {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !written_.empty() || closed_; });
        if (written_.empty()) return EOF;
        reading_ = std::exchange(written_, {});
        setg(reading_.data(), reading_.data(), reading_.data() + reading_.size());
        return static_cast<unsigned char>(reading_.front());
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string written_;
    std::string reading_;
    bool closed_ = false;
};

// A GUI's side of a session that runs in another thread.
class Conversation {
  public:
    using Session = std::function<void(std::istream&, std::ostream&)>;
    explicit Conversation(Session session)
        : thread_([this, session = std::move(session)] {
              std::istream in(&to_);
              std::ostream out(&from_);
              session(in, out);
              from_.close();
          }) {}
    ~Conversation() {
        to_.close();
        thread_.join();
    }

    void send(const std::string& line) {
        const std::string text = line + '\n';
        to_.sputn(text.data(), static_cast<std::streamsize>(text.size()));
    }
    // What came up to this text, which must come.
    std::string hear(const std::string& text) { return from_.take_until(text); }
    std::string ask(const std::string& line, const std::string& text) {
        send(line);
        return hear(text);
    }

    // As ask(), up to the end of the line that the text is in.
    std::string ask_line(const std::string& line, const std::string& text) {
        std::string heard = ask(line, text);
        heard += hear("\n");
        return heard;
    }

  private:
    Pipe to_;
    Pipe from_;
    std::thread thread_;
};

}  // namespace scholar::tests
