#include "base/interrupt.hpp"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <semaphore>
#include <thread>
#include <unistd.h>
#include <vector>

namespace scholar::base {
namespace {

using namespace std::chrono_literals;

// Threads that were there first, as those of a library that starts some as it is loaded.
class EarlierThreads {
  public:
    EarlierThreads() {
        for (int i = 0; i < 8; ++i) threads_.emplace_back([this] { end_.acquire(); });
    }
    ~EarlierThreads() { end_.release(8); }

  private:
    std::counting_semaphore<> end_{0};
    std::vector<std::jthread> threads_;
};

bool stops_soon(const std::stop_token& token) {
    for (int i = 0; i < 1'000 && !token.stop_requested(); ++i) std::this_thread::sleep_for(10ms);
    return token.stop_requested();
}

TEST(Interrupt, StopsWhicheverThreadTheSignalComesTo) {
    for (const int signal : kInterrupts) {
        const EarlierThreads earlier;
        const Interrupt interrupt;
        EXPECT_FALSE(interrupt.token().stop_requested());
        ::kill(::getpid(), signal);
        EXPECT_TRUE(stops_soon(interrupt.token())) << signal;
    }
}

TEST(Interrupt, EndsAtASecondSignalLater) {
    EXPECT_EXIT(
        {
            const EarlierThreads earlier;
            const Interrupt interrupt;
            ::kill(::getpid(), SIGTERM);
            if (!stops_soon(interrupt.token())) std::_Exit(1);
            std::this_thread::sleep_for(400ms);
            ::kill(::getpid(), SIGTERM);
            std::this_thread::sleep_for(10s);
            std::_Exit(2);
        },
        testing::ExitedWithCode(128 + SIGTERM), "");
}

TEST(Interrupt, LeavesWhatIsIgnored) {
    ASSERT_NE(::signal(SIGHUP, SIG_IGN), SIG_ERR);
    {
        const Interrupt interrupt;
        ::kill(::getpid(), SIGHUP);
        ::kill(::getpid(), SIGTERM);
        EXPECT_TRUE(stops_soon(interrupt.token()));
    }
    EXPECT_EQ(::signal(SIGHUP, SIG_DFL), SIG_IGN);
}

}  // namespace
}  // namespace scholar::base
