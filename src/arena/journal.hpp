#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/locked_appender.hpp"
#include "base/error.hpp"

namespace scholar::arena {

// Long work on disk, step by step, so that it can be killed at any byte and goes on where it was: which steps
// are done, and outputs that have the text of each of them once.
//
// The state is a file of lines of JSON. The first says what the work is. Then there are two lines for each
// step: {"writes":[…],"from":[…]}, how many bytes it is going to add to each output, and to which sizes; then
// the outputs are written; and last the step's record, with "outputs":[…], the sizes that they have now. What
// is opened again is cut back: the state to its last record, and, if a step was under way, the outputs to the
// sizes before it. So nobody has to look into an output to know what is in it, and what somebody else has
// written to it meanwhile is never cut off: it is kept if no step was under way, and an error if one was.
class Journal {
  public:
    struct Kind {
        std::string format;  // "scholar match state 2"; another one is refused
        std::string noun;    // "match": what messages call the work
    };

    // Makes the state's file, or takes up the work in it. `identity` is an object with all that the outcome
    // depends on. `outputs` are paths; an empty one is no output. A state without a record gives way to any
    // other work of its kind.
    // Refused: other work with records, with what differs; a file of another kind; outputs that are shorter
    // than the state says or were written to by somebody else during a step; files that another process has
    // open. Then nothing is changed, and no state is left that was not there before.
    static base::Result<Journal> open(const std::string& path, const Kind& kind,
                                      const nlohmann::ordered_json& identity,
                                      const std::vector<std::string>& outputs);
    Journal(Journal&&) noexcept;
    Journal& operator=(Journal&&) = delete;
    ~Journal();

    // The records found, in order; "outputs" is left in them.
    const std::vector<nlohmann::ordered_json>& records() const;
    // What an output holds now, in bytes; 0 for no output.
    std::uint64_t size(std::size_t output) const;

    // The state is gone, for one in which nothing was done.
    void remove() { state_.remove(); }

    // One step: the text for each output, in their order, then the record, which is an object. Text that is
    // not UTF-8 within the record is replaced.
    base::Status append(nlohmann::ordered_json record, const std::vector<std::string>& texts);

  private:
    Journal(LockedAppender state, std::vector<std::optional<LockedAppender>> outputs);
    base::Status mend(const std::string& content);

    LockedAppender state_;
    std::vector<std::optional<LockedAppender>> outputs_;
    std::vector<nlohmann::ordered_json> records_;
};

// The first few things in which two descriptions differ: "seed is 1 there and 2 here; …"; empty if nothing
// does.
std::string differences(const nlohmann::ordered_json& there, const nlohmann::ordered_json& here);

}  // namespace scholar::arena
