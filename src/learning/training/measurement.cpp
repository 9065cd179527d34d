#include "learning/training/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scholar::learning {

const Measure* Measurement::find(const std::string& name) const {
    const auto found = std::ranges::find(measures, name, &Measure::name);
    return found == measures.end() ? nullptr : &*found;
}

Measurement said_plainly(std::vector<Measure> measures, std::size_t in_line) {
    Measurement said;
    said.record = nlohmann::json::object();
    said.table = fmt::format("{:<40} {:>9} {:>10} {:>10}", "validation", "samples", "network", "constant");
    for (const Measure& each : measures) {
        nlohmann::json record{
            {"samples", each.samples}, {"network", each.network}, {"constant", each.constant}};
        said.table += fmt::format("\n{:<40} {:>9} {:>10} {:>10}", each.name, each.samples,
                                  show_measure(each.network), show_measure(each.constant));
        for (const auto& [name, value] : each.others) {
            record[name] = value;
            said.table += fmt::format(", {} {}", name, show_measure(value));
        }
        said.record[each.name] = record;
    }
    for (std::size_t i = 0; i < std::min(in_line, measures.size()); ++i)
        said.line += fmt::format("{}{} {}, constant {}", i == 0 ? "" : "; ", measures[i].name,
                                 show_measure(measures[i].network), show_measure(measures[i].constant));
    said.measures = std::move(measures);
    return said;
}

void add_measures(const Measurement& measured, std::map<std::string, std::string>& history) {
    for (const Measure& each : measured.measures) {
        std::string key = "validation_" + each.name;
        std::ranges::replace(key, ' ', '_');
        history[key] = show_measure(each.network);
        history[key + "_constant"] = show_measure(each.constant);
    }
}

std::string show_measure(double value) {
    return std::isnan(value) ? "none" : fmt::format("{:.5f}", value);
}

}  // namespace scholar::learning
