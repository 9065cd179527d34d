#include "arena/explanation_study.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "arena/value_study.hpp"
#include "base/random.hpp"
#include "chess/movegen.hpp"
#include "chess/score.hpp"

namespace scholar::arena {

namespace {

using chess::Position;
using chess::Square;
using evaluators::Explanation;
using evaluators::ExplanationMethod;

constexpr std::size_t kTop = 3;
constexpr std::string_view kDearest = "dearest first";
constexpr std::string_view kRandom = "random";

// The mean rank of equal numbers, from 1.
std::vector<double> ranks_of(std::span<const double> numbers) {
    std::vector<std::size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return numbers[i]; });
    std::vector<double> ranks(numbers.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first + 1;
        while (end < order.size() && numbers[order[end]] == numbers[order[first]]) ++end;
        for (std::size_t i = first; i < end; ++i)
            ranks[order[i]] = (static_cast<double>(first + end) + 1) / 2;
        first = end;
    }
    return ranks;
}

std::vector<std::size_t> top_of(std::span<const double> shares) {
    std::vector<std::size_t> order(shares.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return std::abs(shares[i]); });
    order.resize(std::min(order.size(), kTop));
    return order;
}

// One position of a study.
class StudiedPosition {
  public:
    StudiedPosition(const Position& position, evaluators::Explainer& explainer,
                    std::optional<chess::Move> move, const ExplanationStudyOptions& options)
        : position_(position), explainer_(explainer), move_(move), options_(options) {}

    // False: fewer men can be taken off than are to be.
    base::Result<bool> explain(std::span<const ExplanationMethod> methods) {
        for (const ExplanationMethod method : methods) {
            auto explanation = explainer_.explain(position_, move_, method);
            if (!explanation) return std::unexpected(explanation.error());
            if (method == ExplanationMethod::Occlusion) {
                if (!move_ && explanation->said < 0) sign_ = -1;
                for (int square = 0; square < 64; ++square)
                    if (explanation->men.at(static_cast<std::size_t>(square)) &&
                        may_go(position_.piece_on(static_cast<Square>(square))))
                        men_.push_back(static_cast<Square>(square));
                if (men_.size() < static_cast<std::size_t>(options_.taken)) return false;
            }
            explanations_.push_back(std::move(*explanation));
        }
        return true;
    }

    // What is watched while men are taken off, 0 to options.taken of them.
    base::Result<std::vector<double>> watch(const std::vector<Square>& order) const {
        std::vector<Position> boards{position_};
        std::vector<Square> left = order;
        for (int i = 0; i < options_.taken; ++i) {
            auto next = std::ranges::find_if(left, [&](Square square) {
                const auto rest = evaluators::without_man(boards.back(), square);
                const bool can = rest && (!move_ || chess::legal_moves(*rest).contains(*move_));
                if (can) boards.push_back(*rest);
                return can;
            });
            if (next == left.end()) break;
            left.erase(next);
        }
        auto said = explainer_.say(boards, move_);
        if (!said) return said;
        if (!move_)
            for (double& one : *said) one = 1 / (1 + std::exp(-sign_ * one / chess::Score::kScale));
        // Where nobody is left who can go, it stays as it is.
        said->resize(static_cast<std::size_t>(options_.taken) + 1, said->back());
        return said;
    }

    std::vector<Square> order_of(std::size_t method) const {
        std::vector<Square> order = men_;
        std::ranges::stable_sort(order, std::greater(), [&](Square square) {
            return sign_ * explanations_[method].men[square].value_or(0);
        });
        return order;
    }
    std::vector<Square> dearest_first() const {
        std::vector<Square> order = men_;
        std::ranges::stable_sort(order, std::greater(), [&](Square square) {
            const chess::Piece piece = position_.piece_on(square);
            const int worth = kind_of(piece) + 1;
            return move_ || color_of(piece) == better() ? worth : -worth;
        });
        return order;
    }
    std::vector<Square> shuffled(base::Random& random) const {
        std::vector<Square> order = men_;
        random.shuffle(order);
        return order;
    }
    // Of the men who can be taken off.
    std::vector<double> shares(std::size_t method) const {
        std::vector<double> shares;
        shares.reserve(men_.size());
        for (const Square square : men_) shares.push_back(explanations_[method].men[square].value_or(0));
        return shares;
    }
    // What is left of them after the mean of their kind and colour.
    std::vector<double> shares_within_kinds(std::size_t method) const {
        std::vector<double> left = shares(method);
        std::map<chess::Piece, std::vector<std::size_t>> kinds;
        for (std::size_t i = 0; i < men_.size(); ++i) kinds[position_.piece_on(men_[i])].push_back(i);
        for (const auto& [piece, men] : kinds) {
            double sum = 0;
            for (const std::size_t man : men) sum += left[man];
            for (const std::size_t man : men) left[man] -= sum / static_cast<double>(men.size());
        }
        return left;
    }

  private:
    chess::Color better() const { return sign_ > 0 ? chess::White : chess::Black; }
    bool may_go(chess::Piece piece) const {
        return !options_.pawns || (kind_of(piece) == chess::Pawn && (move_ || color_of(piece) == better()));
    }

    const Position& position_;
    evaluators::Explainer& explainer_;
    std::optional<chess::Move> move_;
    const ExplanationStudyOptions& options_;
    double sign_ = 1;  // for White's view; −1 where Black is held to be better
    std::vector<Square> men_;
    std::vector<Explanation> explanations_;  // by method
};

// What one order came to, position by position.
struct WatchedOrder {
    std::vector<std::vector<double>> watched;  // by how many are off
    std::vector<double> areas;

    void add(const std::vector<double>& values) {
        watched.resize(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) watched[i].push_back(values[i]);
        areas.push_back(std::accumulate(values.begin() + 1, values.end(), 0.0) /
                        static_cast<double>(values.size() - 1));
    }
};

DeletionCurve curve_of(std::string_view name, const WatchedOrder& order, const WatchedOrder& random) {
    DeletionCurve curve{std::string(name), {}, mean_with_error(order.areas), {}};
    for (const std::vector<double>& values : order.watched) curve.watched.push_back(mean_with_error(values));
    std::vector<double> differences;
    differences.reserve(order.areas.size());
    for (std::size_t i = 0; i < order.areas.size(); ++i)
        differences.push_back(order.areas[i] - random.areas[i]);
    curve.against_random = mean_with_error(differences);
    return curve;
}

// What two methods have in common, position by position.
struct PairOfMethods {
    std::size_t first;
    std::size_t second;
    std::vector<double> correlations{};
    std::vector<double> within_kinds{};
    std::vector<double> shared{};
    std::vector<double> by_chance{};

    void add(const StudiedPosition& position) {
        const std::vector<double> a = position.shares(first);
        const std::vector<double> b = position.shares(second);
        correlations.push_back(rank_correlation(a, b));
        within_kinds.push_back(
            rank_correlation(position.shares_within_kinds(first), position.shares_within_kinds(second)));
        const std::vector<std::size_t> top = top_of(a);
        const auto common = std::ranges::count_if(
            top_of(b), [&](std::size_t man) { return std::ranges::find(top, man) != top.end(); });
        shared.push_back(static_cast<double>(common) / static_cast<double>(top.size()));
        by_chance.push_back(static_cast<double>(top.size()) / static_cast<double>(a.size()));
    }
};

// What a method's mean over several orders of one position is.
base::Status add_random_orders(const StudiedPosition& studied, const ExplanationStudyOptions& options,
                               base::Random& random, WatchedOrder& order) {
    std::vector<double> mean(static_cast<std::size_t>(options.taken) + 1);
    for (int i = 0; i < options.random_orders; ++i) {
        const auto watched = studied.watch(studied.shuffled(random));
        if (!watched) return std::unexpected(watched.error());
        for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += (*watched)[k] / options.random_orders;
    }
    order.add(mean);
    return {};
}

std::string watched_name(const ExplanationStudyOptions& options) {
    return options.of_moves ? "probability of the likeliest move" : "expected result of the better side";
}

}  // namespace

MeanWithError mean_with_error(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return {mean, count > 1 ? std::sqrt(squares / (count - 1) / count) : 0};
}

double rank_correlation(std::span<const double> first, std::span<const double> second) {
    return correlation(ranks_of(first), ranks_of(second));
}

base::Result<ExplanationStudy> study_explanations(std::span<const Position> positions,
                                                  evaluators::Explainer& explainer,
                                                  const ExplanationStudyOptions& options,
                                                  const std::function<void(std::size_t)>& progress,
                                                  const std::stop_token& stop) {
    std::vector<ExplanationMethod> methods{ExplanationMethod::Occlusion};
    if (explainer.has_slopes(options.of_moves))
        methods.insert(methods.end(), {ExplanationMethod::Gradient, ExplanationMethod::Integrated});
    // Then dearest first, unless all cost the same, and random.
    const bool has_dearest = !options.pawns;
    std::vector<WatchedOrder> orders(methods.size() + (has_dearest ? 2 : 1));
    WatchedOrder& random_order = orders.back();
    std::vector<PairOfMethods> pairs;
    for (std::size_t i = 0; i < methods.size(); ++i)
        for (std::size_t j = i + 1; j < methods.size(); ++j) pairs.push_back({i, j});

    ExplanationStudy study;
    for (std::size_t number = 0; number < positions.size(); ++number) {
        if (stop.stop_requested()) {
            study.interrupted = true;
            break;
        }
        const Position& position = positions[number];
        std::optional<chess::Move> move;
        if (options.of_moves) {
            const auto likeliest = explainer.likeliest_move(position);
            if (!likeliest) return std::unexpected(likeliest.error());
            move = *likeliest;
        }
        StudiedPosition studied(position, explainer, move, options);
        const auto can = studied.explain(methods);
        if (!can) return std::unexpected(can.error());
        if (!*can) {
            ++study.passed_over;
            progress(number + 1);
            continue;
        }
        ++study.positions;
        for (std::size_t i = 0; i < methods.size(); ++i) {
            const auto watched = studied.watch(studied.order_of(i));
            if (!watched) return std::unexpected(watched.error());
            orders[i].add(*watched);
        }
        if (has_dearest) {
            const auto watched = studied.watch(studied.dearest_first());
            if (!watched) return std::unexpected(watched.error());
            orders[methods.size()].add(*watched);
        }
        base::Random random(options.seed, number);
        if (auto status = add_random_orders(studied, options, random, random_order); !status)
            return std::unexpected(status.error());
        for (PairOfMethods& pair : pairs) pair.add(studied);
        progress(number + 1);
    }
    if (study.positions == 0)
        return study.interrupted
                   ? base::fail("stopped before the first position")
                   : base::fail("{} positions, expected some with {} {} who can be taken off",
                                positions.size(), options.taken, options.pawns ? "pawns" : "men");
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const std::string_view name = i < methods.size()       ? evaluators::to_string(methods[i])
                                      : i + 1 == orders.size() ? kRandom
                                                               : kDearest;
        study.curves.push_back(curve_of(name, orders[i], random_order));
    }
    for (const PairOfMethods& pair : pairs)
        study.agreements.push_back({methods[pair.first], methods[pair.second],
                                    mean_with_error(pair.correlations), mean_with_error(pair.within_kinds),
                                    mean_with_error(pair.shared), mean_with_error(pair.by_chance).mean});
    return study;
}

std::string describe(const ExplanationStudy& study, const ExplanationStudyOptions& options) {
    std::string text =
        fmt::format("{} positions, {} passed over{}; {} taken off: {}\n{}, in %\n\n{:<14}", study.positions,
                    study.passed_over, study.interrupted ? ", interrupted" : "",
                    options.pawns ? "pawns" : "men", options.taken, watched_name(options), "order");
    // 0, 1, 2, 3, 5, 10 or so many as there are.
    std::vector<int> shown;
    for (const int taken : {0, 1, 2, 3, 5, options.taken})
        if (taken <= options.taken && (shown.empty() || taken > shown.back())) shown.push_back(taken);
    for (const int taken : shown) text += fmt::format(" {:>6}", fmt::format("{} off", taken));
    text += fmt::format(" {:>13} {:>15}\n", "mean", "less random");
    const auto percent = [](const MeanWithError& value, bool sign) {
        return sign ? fmt::format("{:+.1f} ± {:.1f}", 100 * value.mean, 100 * value.error)
                    : fmt::format("{:.1f} ± {:.1f}", 100 * value.mean, 100 * value.error);
    };
    for (const DeletionCurve& curve : study.curves) {
        text += fmt::format("{:<14}", curve.name);
        for (const int taken : shown)
            text += fmt::format(" {:>6.1f}", 100 * curve.watched[static_cast<std::size_t>(taken)].mean);
        text += fmt::format(" {:>13} {:>15}\n", percent(curve.area, false),
                            curve.name == kRandom ? "" : percent(curve.against_random, true));
    }
    if (!study.agreements.empty())
        text += fmt::format("\n{:<24} {:>18} {:>16} {:>22} {:>10}\n", "methods", "rank correlation",
                            "within kinds", "of the three largest", "by chance");
    const auto correlation = [](const MeanWithError& value) {
        return fmt::format("{:.3f} ± {:.3f}", value.mean, value.error);
    };
    for (const MethodAgreement& agreement : study.agreements)
        text +=
            fmt::format("{:<24} {:>18} {:>16} {:>22} {:>10.2f}\n",
                        fmt::format("{}, {}", evaluators::to_string(agreement.first),
                                    evaluators::to_string(agreement.second)),
                        correlation(agreement.rank_correlation), correlation(agreement.within_kinds),
                        fmt::format("{:.2f} ± {:.2f}", agreement.shared_top.mean, agreement.shared_top.error),
                        agreement.shared_by_chance);
    return text + "\n± one standard error of the mean over positions\n";
}

base::Plot deletion_plot(const ExplanationStudy& study, const ExplanationStudyOptions& options,
                         const std::string& title) {
    base::Plot plot;
    plot.title = title;
    plot.x.label = options.pawns ? "pawns taken off" : "men taken off";
    plot.y.label = watched_name(options) + ", %";
    plot.y.least = 0;
    for (const DeletionCurve& curve : study.curves) {
        base::PlotSeries series{curve.name, {}};
        for (std::size_t i = 0; i < curve.watched.size(); ++i)
            series.points.push_back(
                {static_cast<double>(i), 100 * curve.watched[i].mean, 100 * curve.watched[i].error});
        plot.series.push_back(std::move(series));
    }
    return plot;
}

}  // namespace scholar::arena
