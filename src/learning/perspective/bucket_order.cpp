#include "learning/perspective/bucket_order.hpp"

#include <algorithm>
#include <numeric>

namespace scholar::learning {

BucketOrder in_bucket_order(const Batch& batch, std::size_t begin, std::size_t end,
                            const nets::Architecture& architecture) {
    BucketOrder order;
    const auto bucket_of = [&](std::size_t position) {
        return architecture.output_bucket(batch.counts[2 * position]);
    };
    order.counts.resize(static_cast<std::size_t>(architecture.output_buckets));
    for (std::size_t i = begin; i < end; ++i) ++order.counts[static_cast<std::size_t>(bucket_of(i))];
    order.places.resize(end - begin);
    std::iota(order.places.begin(), order.places.end(), begin);
    std::ranges::stable_sort(order.places, {}, bucket_of);

    const auto stride = static_cast<std::size_t>(batch.stride);
    order.batch.resize(end - begin, batch.stride);
    if (!batch.highs.empty()) order.batch.highs.resize(end - begin);
    for (std::size_t to = 0; to < order.places.size(); ++to) {
        const std::size_t from = order.places[to];
        std::copy_n(&batch.own[from * stride], stride, &order.batch.own[to * stride]);
        std::copy_n(&batch.enemy[from * stride], stride, &order.batch.enemy[to * stride]);
        std::copy_n(&batch.counts[2 * from], 2, &order.batch.counts[2 * to]);
        order.batch.targets[to] = batch.targets[from];
        if (!batch.highs.empty()) order.batch.highs[to] = batch.highs[from];
        order.batch.results[to] = batch.results[from];
    }
    return order;
}

}  // namespace scholar::learning
