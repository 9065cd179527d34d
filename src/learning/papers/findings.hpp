#pragma once

#include <string>
#include <utility>
#include <vector>

// What an experiment of a paper came to when it was repeated, as a report shows it.

namespace scholar::learning {

// One figure of ours beside the paper's.
struct Finding {
    std::string of;     // what was measured
    std::string terms;  // how
    std::string paper;  // "–": it says nothing of it
    std::string ours;
};

struct Findings {
    struct Table {
        std::string heading;
        std::vector<std::vector<std::string>> rows;  // the first holds the columns' names; all are as long
    };
    struct Drawing {
        std::string title;
        std::string file;  // its name in the reproduction's folder: "rating.svg"
        std::string svg;
    };

    std::vector<std::string> remarks;  // sentences that come first
    std::vector<Finding> figures;
    std::vector<Table> tables;
    std::vector<Drawing> drawings;
    std::vector<std::pair<std::string, std::string>> runs;  // what they are called, and the path of a report
};

// As Markdown, without the drawings' files.
std::string to_markdown(const Findings& findings);

}  // namespace scholar::learning
