#include "learning/sparse_policy/policy_batch.hpp"

#include <algorithm>
#include <array>

#include "chess/movegen.hpp"

namespace scholar::learning {

namespace {

// By counting how often each row occurs.
PolicyBlock order_by_row(const PolicyBatch& batch, std::size_t from, std::size_t to, int rows) {
    PolicyBlock block{from, to, {}, {}};
    const auto each = static_cast<std::size_t>(batch.rows_of_a_move);
    const std::size_t begin = batch.first[from] * each;
    const std::size_t end = batch.first[to] * each;
    std::vector<std::uint32_t> next(static_cast<std::size_t>(rows));
    for (std::size_t i = begin; i < end; ++i) ++next[batch.rows[i]];
    std::uint32_t place = 0;
    for (std::size_t row = 0; row < next.size(); ++row) {
        const std::uint32_t count = next[row];
        if (count > 0) block.runs.push_back({static_cast<std::uint16_t>(row), place, place + count});
        next[row] = place;
        place += count;
    }
    block.places.resize(end - begin);
    for (std::size_t position = from; position < to; ++position)
        for (std::size_t i = batch.first[position] * each; i < batch.first[position + 1] * each; ++i)
            block.places[next[batch.rows[i]]++] = {static_cast<std::uint32_t>(position - from),
                                                   static_cast<std::uint32_t>(i - begin)};
    return block;
}

}  // namespace

PolicyBatch encode_policy(std::span<const games::Sample> samples, const nets::SparsePolicyInfo& info) {
    PolicyBatch batch;
    batch.rows_of_a_move = nets::rows_of_a_move(info.rows);
    const auto stride = static_cast<std::size_t>(batch.stride);
    batch.features.resize(samples.size() * stride);
    batch.counts.reserve(samples.size());
    batch.first.reserve(samples.size() + 1);
    batch.first.push_back(0);
    std::array<std::uint16_t, nets::kMostRowsOfAMove * chess::kMaxMoves> rows{};
    for (const games::Sample& sample : samples) {
        const chess::Position& position = sample.position;
        const chess::Color us = position.side_to_move();
        nets::ActiveFeatures active;
        info.architecture.features->encode(position, us, active);
        std::copy(active.begin(), active.end(),
                  batch.features.begin() + static_cast<std::ptrdiff_t>(batch.counts.size() * stride));
        batch.counts.push_back(static_cast<std::uint8_t>(active.count));
        const chess::MoveList moves = chess::legal_moves(position);
        const auto of_moves = std::span(rows).first(static_cast<std::size_t>(moves.size()) *
                                                    static_cast<std::size_t>(batch.rows_of_a_move));
        nets::find_move_rows(info.rows, info.piece_values, position,
                             info.architecture.features->view(us, position.king(us)), moves, of_moves);
        batch.rows.insert(batch.rows.end(), of_moves.begin(), of_moves.end());
        for (const chess::Move move : moves) batch.wanted.push_back(move == sample.move ? 1 : 0);
        batch.first.push_back(static_cast<std::uint32_t>(batch.wanted.size()));
    }
    for (std::size_t from = 0; from < samples.size(); from += PolicyBlock::kPositions)
        batch.blocks.push_back(order_by_row(batch, from,
                                            std::min(from + PolicyBlock::kPositions, samples.size()),
                                            nets::row_count(info.rows)));
    return batch;
}

}  // namespace scholar::learning
