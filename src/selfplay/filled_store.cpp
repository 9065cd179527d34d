#include "selfplay/filled_store.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <span>

#include "base/in_order.hpp"

namespace scholar::selfplay {

namespace {

std::uint64_t batches_of(const StoreFilling& how) {
    return (how.games + how.batch - 1) / how.batch;
}

}  // namespace

int workers_of(const StoreFilling& how) {
    return static_cast<int>(
        std::clamp<std::uint64_t>(static_cast<std::uint64_t>(how.threads), 1, batches_of(how)));
}

base::Result<FilledStore> fill_store(const StoreFilling& how, const BatchMaker& make,
                                     const std::function<void(std::uint64_t)>& told,
                                     const std::stop_token& stop) {
    auto store = GrowingStore::open(how.store, how.settings, how.resume, how.replace);
    if (!store) return std::unexpected(store.error());
    FilledStore result;
    result.before = result.games = store->games();
    told(result.games);
    std::mutex mutex;
    base::Status status;  // the first error
    std::stop_source failed;
    const auto fail_with = [&](const base::Error& error) {
        const std::scoped_lock lock(mutex);
        if (status) status = std::unexpected(error);
        failed.request_stop();
    };
    const std::stop_callback stopped(stop, [&failed] { failed.request_stop(); });
    using Batch = std::vector<games::Game>;
    // Only the last batch may be there in part, and then nothing is left to do.
    const std::uint64_t first = (result.before + how.batch - 1) / how.batch;
    base::in_order<Batch>(
        workers_of(how), first, batches_of(how) - std::min(first, batches_of(how)),
        [&](int worker, std::uint64_t number) -> std::optional<Batch> {
            auto games = make(worker, number, failed.get_token());
            if (games) return std::move(*games);
            fail_with(games.error());
            return std::nullopt;
        },
        [&](Batch&& games) {
            const auto wanted = std::min<std::uint64_t>(games.size(), how.games - result.games);
            if (auto added = store->add(std::span(games).first(wanted)); !added) {
                fail_with(base::Error{fmt::format("{}: {}", how.store.string(), added.error().message)});
                return false;
            }
            result.games += wanted;
            told(result.games);
            return true;
        });
    if (!status) return std::unexpected(status.error());
    if (result.games < how.games) return result;
    auto finished = store->finish();
    if (!finished) return std::unexpected(finished.error());
    result.finished = *finished;
    return result;
}

}  // namespace scholar::selfplay
