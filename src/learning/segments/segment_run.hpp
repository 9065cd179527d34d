#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "learning/run/checkpoint_files.hpp"
#include "learning/run/run_shell.hpp"
#include "learning/segments/lesson_window.hpp"
#include "learning/segments/segment_checkpoint.hpp"
#include "learning/segments/segment_learner.hpp"
#include "learning/training/sample_source.hpp"
#include "learning/training/task.hpp"
#include "nets/container/any_network.hpp"

namespace scholar::learning {

// One run of a recipe for learning by segments, from its folder to its network.
class SegmentRun {
  public:
    // Recipe and options must outlive it.
    SegmentRun(const SegmentRecipe& recipe, const SegmentOptions& options, std::stop_token stop);

    base::Result<SegmentOutcome> run();

  private:
    // What an iteration came to.
    struct Report {
        std::size_t searches = 0;
        std::uint64_t nodes = 0;
        std::size_t lessons = 0;
        std::size_t cut_short = 0;  // searches whose score is not a leaf's, nor fixed
        std::size_t fixed = 0;      // whose score is a mate's, a draw's or a table's
        double error = 0;           // mean |what the network that played says − what it should|, 0 to 1
        double loss = 0;            // mean of the steps
        std::size_t steps = 0;
        double playing = 0;   // seconds
        double training = 0;  // likewise
    };

    base::Status find_start();
    base::Status begin();
    base::Status open_roots();
    // The next `count`; a pass that ends is followed by another.
    base::Result<std::vector<chess::Position>> draw_roots(std::size_t count);
    base::Status learn_material();
    // False: told to stop before its end; nothing has changed then.
    base::Result<bool> iterate();
    base::Result<bool> play(const SegmentStage& stage, std::vector<SegmentLesson>& lessons, Report& report);
    base::Status measure(const std::vector<SegmentLesson>& lessons, Report& report) const;
    base::Status train(const SegmentStage& stage, Report& report);
    base::Status take_steps(const std::vector<LabelledNode>& nodes, std::size_t batch, double learning_rate,
                            Report& report);
    base::Status make_playing();
    base::Status record(const SegmentStage& stage, const Report& report);
    base::Status keep_milestones();
    base::Status save();
    SegmentOutcome outcome(bool finished) const;
    const Recipe& training() const { return recipe_.training; }

    const SegmentRecipe& recipe_;
    const SegmentOptions& options_;
    RunShell shell_;
    const std::unique_ptr<Task> task_;
    std::unique_ptr<SampleSource> roots_;
    SegmentProgress now_;
    LessonWindow window_;
    std::vector<chess::Position> measured_on_;  // what pieces are worth
    nets::TensorFile file_;                     // of the network that plays
    nets::AnyNetwork playing_;
    bool resumed_ = false;
    std::string warning_;
    std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point said_ = saved_;
};

}  // namespace scholar::learning
