#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/ratings.hpp"
#include "base/error.hpp"
#include "learning/selfplay_loop/learn_checkpoint.hpp"
#include "nets/perspective/network.hpp"
#include "selfplay/duel.hpp"

namespace scholar::learning {

// How a run's networks get stronger: now and then the newest is kept and plays the ones kept before it, and
// all games together give ratings. The first network, which has learnt nothing, is 0 on this scale.
class RatingCourse {
  public:
    struct Entry {
        std::string name;           // of the file, without folder and extension
        std::uint64_t lessons = 0;  // learnt before
        double core_seconds = 0;
        std::uint64_t games = 0;  // learnt from
    };

    // Networks are kept in `folder`.
    explicit RatingCourse(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // Whether enough has been learnt since the last entry for another.
    bool is_due(std::uint64_t lessons) const;
    // Keeps the network and lets it play. Nothing is added when it is told to stop.
    base::Status add(const std::shared_ptr<const nets::Network>& network, const LearnProgress& at,
                     selfplay::DuelPlan plan, const std::stop_token& stop);

    const std::vector<Entry>& entries() const { return entries_; }
    // By entry; nothing before there are two. A weak prior keeps those finite who won or lost everything.
    std::vector<std::optional<arena::PlayerRating>> ratings() const;

    // For checkpoints. Networks that were kept after `from` was made are forgotten.
    nlohmann::json to_json() const;
    base::Status from_json(const nlohmann::json& from);

  private:
    base::Result<arena::WinDrawLoss> play(const std::shared_ptr<const nets::Network>& network,
                                          std::size_t opponent, const selfplay::DuelPlan& plan,
                                          const std::stop_token& stop) const;

    std::filesystem::path folder_;
    std::vector<Entry> entries_;
    arena::ResultPool pool_;
};

}  // namespace scholar::learning
