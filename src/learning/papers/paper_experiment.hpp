#pragma once

#include <string>

#include "learning/papers/experiment.hpp"
#include "learning/papers/findings.hpp"
#include "learning/papers/reproduction.hpp"

// What the experiments of all papers do: play matches, place players on the ladder, and say after each step
// what is known.

namespace scholar::learning {

class PaperExperiment {
  public:
    PaperExperiment(Reproduction& work, const TakeFindings& take) : work_(work), take_(take) {}

    Reproduction& work() const { return work_; }
    base::Status take() const { return take_(findings); }
    // A match, or a place on the ladder, as a figure of the findings. `paper` is its figure, "–" for none.
    base::Status play(const Contender& first, const Contender& second, const arena::TimeControl& control,
                      const char* paper);
    base::Status place(const Contender& contender, const arena::TimeControl& control, const char* paper);
    // Names the report of a run among the findings.
    void add_run(std::string name, const Trained& trained);
    // Whether anybody can be placed; if not, a remark of the findings says so.
    bool can_place();

    Findings findings{};

  private:
    Reproduction& work_;
    const TakeFindings& take_;
};

}  // namespace scholar::learning
