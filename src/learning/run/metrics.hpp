#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace scholar::learning {

// Where a run says what it does: text for people on standard output; records for programs as JSON lines in
// the run's folder and, if asked for, on standard output in place of the text, which then goes to standard
// error.
class Metrics {
  public:
    // Begins the file at `path` anew or, with `after`, goes on with it, without the records of later steps
    // (which a resumed run does again).
    static base::Result<Metrics> open(std::filesystem::path path, std::optional<std::uint64_t> after,
                                      bool json_to_stdout);

    // Lines for people, without the last line end.
    void say(const std::string& text) const;
    base::Status record(const nlohmann::json& record) const;

  private:
    Metrics(std::filesystem::path path, bool json_to_stdout)
        : path_(std::move(path)), json_to_stdout_(json_to_stdout) {}

    std::filesystem::path path_;
    bool json_to_stdout_;
};

// Reads such a file back from its text, which errors call `name`: `take` is told each record, and its error
// gets the line's number. A last line that a kill cut off is passed over; one that is no JSON comes as a
// discarded value.
base::Status for_each_record(std::string_view text, const std::string& name,
                             const std::function<base::Status(const nlohmann::json& record)>& take);

}  // namespace scholar::learning
