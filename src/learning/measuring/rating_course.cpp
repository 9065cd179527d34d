#include "learning/measuring/rating_course.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "nets/perspective/network_file.hpp"

namespace scholar::learning {

namespace {

using nlohmann::json;

// By so much the lessons must have grown since the last entry: the course is read on a logarithmic scale.
constexpr double kGrowth = 1.35;
// With how many of those before each entry plays: the last is close to it, the one before ties the scale
// together.
constexpr std::size_t kOpponents = 2;
// Keeps the ratings finite of who won or lost everything.
constexpr double kPrior = 2'000;

}  // namespace

bool RatingCourse::is_due(std::uint64_t lessons) const {
    return entries_.empty() ||
           static_cast<double>(lessons) >= kGrowth * static_cast<double>(entries_.back().lessons) + 1;
}

base::Result<arena::WinDrawLoss> RatingCourse::play(const std::shared_ptr<const nets::Network>& network,
                                                    std::size_t opponent, const selfplay::DuelPlan& plan,
                                                    const std::stop_token& stop) const {
    auto before = nets::load_network(folder_ / (entries_[opponent].name + ".safetensors"));
    if (!before) return std::unexpected(before.error());
    return selfplay::duel(network, std::make_shared<const nets::Network>(std::move(*before)), plan, stop)
        .games;
}

base::Status RatingCourse::add(const std::shared_ptr<const nets::Network>& network, const LearnProgress& at,
                               selfplay::DuelPlan plan, const std::stop_token& stop) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) return base::fail("{}: cannot create the folder: {}", folder_.string(), error.message());
    const std::string name = fmt::format("{:012}-lessons", at.lessons);
    if (auto s = nets::save_network(folder_ / (name + ".safetensors"), *network); !s) return s;
    const std::size_t number = entries_.size();
    plan.seed = plan.seed * 1'000 + number;
    std::vector<arena::WinDrawLoss> results;
    for (std::size_t back = 1; back <= std::min(kOpponents, number); ++back) {
        const auto games = play(network, number - back, plan, stop);
        if (!games) return std::unexpected(games.error());
        // Half a set of games would give another course than an uninterrupted run.
        if (stop.stop_requested()) return {};
        results.push_back(*games);
    }
    entries_.push_back({name, at.lessons, at.core_seconds, at.games});
    for (std::size_t back = 1; back <= results.size(); ++back)
        pool_.add(pool_.player(name), pool_.player(entries_[number - back].name), results[back - 1]);
    return {};
}

std::vector<std::optional<arena::PlayerRating>> RatingCourse::ratings() const {
    std::vector<std::optional<arena::PlayerRating>> ratings(entries_.size());
    if (pool_.games() == 0) return ratings;
    arena::RatingOptions options;
    options.anchors[entries_.front().name] = 0;
    options.prior = kPrior;
    options.white_advantage = false;  // both sides have White as often
    const auto rated = arena::rate_pool(pool_, options);
    if (!rated) return ratings;
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (const auto player = pool_.find(entries_[i].name); player && rated->players[*player].has_rating())
            ratings[i] = rated->players[*player];
    return ratings;
}

json RatingCourse::to_json() const {
    json entries = json::array();
    for (const Entry& entry : entries_)
        entries.push_back({{"name", entry.name},
                           {"lessons", entry.lessons},
                           {"core_seconds", entry.core_seconds},
                           {"games", entry.games}});
    json games = json::array();
    for (const auto& [players, result] : pool_.pairings())
        games.push_back({{"first", pool_.names()[players.first]},
                         {"second", pool_.names()[players.second]},
                         {"wins", result.wins},
                         {"draws", result.draws},
                         {"losses", result.losses}});
    return {{"entries", entries}, {"games", games}};
}

base::Status RatingCourse::from_json(const json& from) {
    try {
        std::vector<Entry> entries;
        for (const json& entry : from.at("entries"))
            entries.push_back({entry.at("name").get<std::string>(), entry.at("lessons").get<std::uint64_t>(),
                               entry.at("core_seconds").get<double>(),
                               entry.value("games", std::uint64_t{0})});
        arena::ResultPool pool;
        for (const json& games : from.at("games"))
            pool.add(pool.player(games.at("first").get<std::string>()),
                     pool.player(games.at("second").get<std::string>()),
                     {games.at("wins").get<std::uint64_t>(), games.at("draws").get<std::uint64_t>(),
                      games.at("losses").get<std::uint64_t>()});
        entries_ = std::move(entries);
        pool_ = std::move(pool);
    } catch (const json::exception&) {
        return base::fail("the course of ratings is not readable");
    }
    return {};
}

}  // namespace scholar::learning
