#include "learning/papers/giraffe_paper.hpp"

#include <array>
#include <chrono>

namespace scholar::learning {

namespace {

// Section 5.4: 3,000 games; both sides look at so many nodes in the comparison of naive searches here.
constexpr std::uint64_t kNaiveNodes = 20'000;
constexpr std::uint64_t kWholeNodes = 3'000;
// With which naive-probability comes to as many nodes an iteration as naive-depth, in the mean.
constexpr const char* kNaiveBase = "17";

class GiraffeExperiment {
  public:
    GiraffeExperiment(Reproduction& work, const TakeFindings& take) : work_(work), take_(take) {}

    base::Status play(const Contender& first, const Contender& second, const arena::TimeControl& control,
                      const char* paper) {
        const auto duel = work_.match(first, second, control);
        if (!duel) return std::unexpected(duel.error());
        findings_.figures.push_back(
            {first.name + " against " + second.name, arena::to_string(control), paper, describe(*duel)});
        return take_(findings_);
    }

    arena::TimeControl nodes(std::uint64_t full) const {
        return {arena::TimeControl::Nodes{work_.nodes(full)}};
    }

  private:
    Reproduction& work_;
    const TakeFindings& take_;
    Findings findings_;
};

// Both with the network that is built in.
base::Status compare_naive_searches(Reproduction& work, const TakeFindings& take) {
    GiraffeExperiment experiment(work, take);
    return experiment.play(
        {"naive-probability", {}, {{"Search", "naive-probability"}, {"ThresholdBase", kNaiveBase}}},
        {"naive-depth", {}, {{"Search", "naive-depth"}}}, experiment.nodes(kNaiveNodes), "+26 ± 12");
}

base::Status compare_searches(Reproduction& work, const TakeFindings& take) {
    GiraffeExperiment experiment(work, take);
    const Contender probability{"probability", {}, {{"Search", "probability"}}};
    const Contender depth{"mtdf", {}, {{"Search", "mtdf"}}};
    arena::TimeControl::Clock clock;
    clock.base = std::chrono::milliseconds(1'000);
    clock.increment = std::chrono::milliseconds(10);
    if (auto status = experiment.play(probability, depth, experiment.nodes(kWholeNodes), "–"); !status)
        return status;
    return experiment.play(probability, depth, {clock}, "–");
}

constexpr std::array kGiraffeExperiments{
    Experiment{.name = "naive-search",
               .about = "Bounds a plain alpha-beta by probability, against the same bounded by depth",
               .paper = "+26 ± 12 in 3,000 games (section 5.4)",
               .size = "200 games at 20,000 nodes a move; as many as the paper's with --games 3000",
               .time = "15 minutes",
               .run = compare_naive_searches},
    Experiment{.name = "search",
               .about = "Bounds the whole search by probability, one of n for each move, against depth",
               .paper = "none: its whole search was not compared so",
               .size = "200 games at 3,000 nodes a move, 200 at 1 s + 0.01 s",
               .time = "25 minutes",
               .run = compare_searches},
};

}  // namespace

Paper giraffe_paper() {
    return {"giraffe", "Lai (2015): a network learnt by self-play, a search bounded by probability",
            kGiraffeExperiments};
}

}  // namespace scholar::learning
