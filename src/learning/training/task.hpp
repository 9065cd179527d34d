#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "learning/run/metrics.hpp"
#include "learning/run/run_files.hpp"
#include "learning/training/measurement.hpp"
#include "learning/training/sample_source.hpp"
#include "learning/training/step_times.hpp"
#include "nets/container/tensor_file.hpp"

namespace scholar::learning {

// Samples as a task has made them ready for a step. Only the task that made them looks into them.
class Encoded {
  public:
    virtual ~Encoded() = default;
};

struct StepReport {
    double loss = 0;            // mean over the samples, before the update
    double constant_loss = 0;   // of the best single answer to all of them; 0: there was no look at the data
    std::uint64_t clipped = 0;  // weights that had to be
    StepTimes times;
};

// A finished run, for the files of its network.
struct TrainedRun {
    std::filesystem::path folder;
    const Metrics& metrics;
    std::uint64_t steps = 0;
    std::uint64_t clipped = 0;
    // What the run has to say of itself for NetworkInfo::history: recipe, data, seed, steps, core-seconds.
    std::map<std::string, std::string> history;
};

// What is to be learnt: a network, its loss, its measure and its file. The loop
// (learning/training/trainer.hpp) knows nothing else of it, and calls in this order:
//
//   open_source
//   begin, or take             a new run, or one that goes on
//   draw                       the last that may refuse the run
//   write_beginning            only a new run: what was of an older one is gone
//   prepare
//   encode, step, …            encode in a thread of its own, while steps go on
//   measure, put               now and then, between steps
//   measure, finish            at the end
//
// Who makes the samples itself (learning/segments), by the network as it is, needs no source and measures
// nothing: begin, or take; encode, step, …; playing, put now and then.
//
// Two runs from the same recipe are the same: random numbers are of the recipe's seed, or of seed and step.
class Task {
  public:
    virtual ~Task() = default;

    // Training samples, shuffled. Files are refused here.
    virtual base::Result<std::unique_ptr<SampleSource>> open_source() const = 0;
    // The network before the first step.
    virtual base::Status begin() = 0;
    // The network as put() left it. After an error another checkpoint may be tried.
    virtual base::Status take(const nets::TensorFile& checkpoint) = 0;
    // Draws the samples that it will be measured on.
    virtual base::Status draw() { return {}; }
    // Files that it writes into the run's folder, by name: they go when another run begins there.
    virtual std::vector<std::string> files() const = 0;
    // Input that is not to be removed, even where it is one of these; "": none.
    virtual std::string initial() const { return ""; }
    // What a run leaves before its first step.
    virtual base::Status write_beginning(const std::filesystem::path& /*folder*/) { return {}; }
    // Whatever takes long and comes before the first step: a look at all of the data, say. False: it was told
    // to stop.
    virtual base::Result<bool> prepare(const std::filesystem::path& /*folder*/, const Metrics& /*metrics*/,
                                       const std::stop_token& /*stop*/) {
        return true;
    }

    // For people: "network 768 → 128 × 2 → 1".
    virtual std::string describe() const = 0;

    // Reads nothing that a step changes.
    virtual base::Result<std::unique_ptr<Encoded>> encode(const Samples& samples) const = 0;
    // Step number `step`, from 1. Loss and gradient are means over the samples, whatever their number.
    virtual base::Result<StepReport> step(const Encoded& samples, std::uint64_t step,
                                          double learning_rate) = 0;
    // On the held-out samples, beside the best constant.
    virtual base::Result<Measurement> measure() = 0;
    // All that steps change, running statistics and what the optimiser remembers included. Refuses what is no
    // finite number. Metadata of the names that the loop uses (learning/training/checkpoint.hpp) is the
    // loop's.
    virtual base::Status put(nets::TensorFile& checkpoint) const = 0;
    // Writes the network's file, once the last step is done and measured.
    virtual base::Status finish(const TrainedRun& run) = 0;

    // The network as it is now, in the form of a file that the engine reads. What pieces are worth to it is
    // measured on `positions`; `history` is for NetworkInfo::history. Refused where the network judges no
    // positions.
    virtual base::Result<nets::TensorFile> playing(std::span<const chess::Position> /*positions*/,
                                                   const std::map<std::string, std::string>& /*history*/) {
        return base::fail("this kind of network judges no positions, expected one that does: dense");
    }
};

}  // namespace scholar::learning
