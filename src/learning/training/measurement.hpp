#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace scholar::learning {

// One figure of a network on held-out samples, beside those of who knows less.
struct Measure {
    std::string name;
    std::size_t samples = 0;  // that it is of; 0: the figures are not numbers
    double network = 0;
    double constant = 0;  // of the best single answer to all samples
    // Of others that a network must beat, by name.
    std::vector<std::pair<std::string, double>> others{};
};

// All figures of one validation, and how they are said.
struct Measurement {
    std::vector<Measure> measures;
    nlohmann::json record;  // an object, for metrics.jsonl
    std::string line;       // those that matter most, for people
    std::string table;      // all of them, for people; several lines

    // The one of this name; nullptr: there is none.
    const Measure* find(const std::string& name) const;
};

// Said plainly: the line is the first measure, or the first few. At least one.
Measurement said_plainly(std::vector<Measure> measures, std::size_t in_line = 1);

// Into the history of a network (NetworkInfo::history), each with that of the best constant:
// "validation_loss", "validation_loss_constant", …
void add_measures(const Measurement& measured, std::map<std::string, std::string>& history);

// For people: five places, or "none" if it is not a number.
std::string show_measure(double value);

}  // namespace scholar::learning
