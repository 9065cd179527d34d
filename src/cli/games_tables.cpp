#include "cli/games_tables.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace scholar::cli {

void show_table(const std::string& title, const std::vector<Row>& rows, std::uint64_t whole,
                std::size_t least_label_width) {
    if (rows.empty()) return;
    constexpr double kBar = 40;
    std::uint64_t most = 1;
    std::size_t width = least_label_width;
    for (const Row& row : rows) {
        most = std::max(most, row.count);
        width = std::max(width, row.label.size());
    }
    fmt::print("\n{}\n", title);
    for (const Row& row : rows) {
        const auto length = static_cast<std::size_t>(
            std::ceil(kBar * static_cast<double>(row.count) / static_cast<double>(most)));
        fmt::print("  {:<{}} {:>12} {:>5.1f} %  {}\n", row.label, width, grouped(row.count),
                   100 * ratio(static_cast<double>(row.count), static_cast<double>(whole)),
                   row.rest.empty() ? std::string(length, '#') : row.rest);
    }
}

std::vector<Row> rows_of(const games::Histogram& histogram) {
    std::vector<Row> rows;
    for (const auto& [bin, count] : histogram.bins()) {
        rows.push_back({histogram.width() == 1 ? std::to_string(bin)
                                               : fmt::format("{}-{}", bin, bin + histogram.width() - 1),
                        count, ""});
    }
    return rows;
}

Json json_of(const games::Histogram& histogram) {
    Json bins = Json::array();
    for (const auto& [bin, count] : histogram.bins()) bins.push_back({{"from", bin}, {"count", count}});
    return {{"count", histogram.count()}, {"mean", histogram.mean()},   {"least", histogram.least()},
            {"most", histogram.most()},   {"width", histogram.width()}, {"bins", bins}};
}

Json json_of(const games::ResultCounts& results) {
    return {{"white", results.of(games::GameResult::WhiteWins)},
            {"black", results.of(games::GameResult::BlackWins)},
            {"draw", results.of(games::GameResult::Draw)},
            {"unknown", results.of(games::GameResult::Unknown)},
            {"white_score", json_of(results.score())}};
}

std::string score_of(const games::ResultCounts& results) {
    const auto score = results.score();
    return score ? fmt::format("{:.1f} %", 100 * *score) : "-";
}

}  // namespace scholar::cli
