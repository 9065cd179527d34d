#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/games_shared.hpp"
#include "games/statistics.hpp"

// How `scholar games stats` and `check` show what they have counted.

namespace scholar::cli {

// One line of a table: its share of the whole, as a number and as a bar, or `rest` in place of the bar.
struct Row {
    std::string label;
    std::uint64_t count;
    std::string rest;
};
void show_table(const std::string& title, const std::vector<Row>& rows, std::uint64_t whole,
                std::size_t least_label_width = 14);

// A line for each bin of a histogram.
std::vector<Row> rows_of(const games::Histogram& histogram);

Json json_of(const games::Histogram& histogram);
Json json_of(const games::ResultCounts& results);
// Nothing is null.
template <class Value>
Json json_of(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

// "55.2 %", or "-" if there is nothing to score.
std::string score_of(const games::ResultCounts& results);

}  // namespace scholar::cli
