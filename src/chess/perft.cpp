#include "chess/perft.hpp"

#include <atomic>
#include <thread>

#include "chess/movegen.hpp"

namespace scholar::chess {

namespace {

// From this depth on every move asks whether to stop. What is below takes milliseconds, and does not ask.
constexpr int kAsksToStop = 5;

std::uint64_t count(const Position& position, int depth) {
    if (depth <= 0) return 1;
    if (depth == 1) return static_cast<std::uint64_t>(count_legal_moves(position));
    std::uint64_t nodes = 0;
    for (const Move move : legal_moves(position)) nodes += count(position.after(move), depth - 1);
    return nodes;
}

}  // namespace

std::uint64_t perft(const Position& position, int depth, const std::stop_token& stop) {
    if (depth < kAsksToStop) return count(position, depth);
    std::uint64_t nodes = 0;
    for (const Move move : legal_moves(position)) {
        if (stop.stop_requested()) break;
        nodes += perft(position.after(move), depth - 1, stop);
    }
    return nodes;
}

std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Position& position, int depth, int threads,
                                                         const std::stop_token& stop) {
    std::vector<std::pair<Move, std::uint64_t>> counts;
    for (const Move move : legal_moves(position)) counts.emplace_back(move, depth == 1 ? 1 : 0);
    if (depth <= 1) return counts;

    // A few hundred shares of work: no thread waits long for the last of them.
    struct Share {
        std::uint64_t* count;
        Position position;
    };
    std::vector<Share> shares;
    for (auto& [move, count] : counts) {
        const Position next = position.after(move);
        for (const Move reply : legal_moves(next)) shares.push_back({&count, next.after(reply)});
    }
    std::atomic<std::size_t> taken = 0;
    const auto work = [&] {
        for (std::size_t i = taken++; i < shares.size() && !stop.stop_requested(); i = taken++)
            std::atomic_ref(*shares[i].count) += perft(shares[i].position, depth - 2, stop);
    };
    {
        std::vector<std::jthread> others;
        for (int i = 1; i < threads; ++i) others.emplace_back(work);
        work();
    }
    return counts;
}

}  // namespace scholar::chess
