#include "learning/papers/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scholar::learning {

namespace {

std::string row(const std::vector<std::string>& cells) {
    return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string in_markdown(const std::vector<std::vector<std::string>>& rows) {
    if (rows.empty()) return "";
    std::string text = row(rows.front()) + "|";
    for (std::size_t i = 0; i < rows.front().size(); ++i) text += "---|";
    text += "\n";
    for (std::size_t i = 1; i < rows.size(); ++i) text += row(rows[i]);
    return text;
}

}  // namespace

std::string to_markdown(const Findings& findings) {
    std::string text;
    const auto paragraph = [&text](const std::string& next) {
        if (!text.empty()) text += "\n";
        text += next;
    };
    for (const std::string& remark : findings.remarks) paragraph(remark + "\n");
    if (!findings.figures.empty()) {
        std::vector<std::vector<std::string>> rows{{"what", "terms", "paper", "ours"}};
        for (const Finding& figure : findings.figures)
            rows.push_back({figure.of, figure.terms, figure.paper, figure.ours});
        paragraph(in_markdown(rows));
    }
    for (const Findings::Table& table : findings.tables)
        paragraph(fmt::format("{}:\n\n{}", table.heading, in_markdown(table.rows)));
    for (const Findings::Drawing& drawing : findings.drawings)
        paragraph(fmt::format("![{}]({})\n", drawing.title, drawing.file));
    std::string runs;
    for (const auto& [name, report] : findings.runs) runs += fmt::format("- [{}]({})\n", name, report);
    if (!runs.empty()) paragraph(runs);
    return text;
}

}  // namespace scholar::learning
