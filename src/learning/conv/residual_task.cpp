#include "learning/conv/residual_task.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "learning/conv/engine_agreement.hpp"
#include "learning/conv/input_keys.hpp"
#include "learning/conv/plane_tensors.hpp"
#include "learning/conv/played_positions.hpp"
#include "learning/conv/policy_logits.hpp"
#include "learning/conv/residual_network.hpp"
#include "learning/targets/length_targets.hpp"
#include "learning/targets/move_targets.hpp"
#include "learning/training/torch_guard.hpp"
#include "learning/training/torch_task.hpp"
#include "nets/conv/conv_file.hpp"

namespace scholar::learning {

namespace {

// Said: logits of moves and, with a value head, of the result, and then how many half-moves are left. Wanted:
// places and probabilities of the legal moves (MoveTargets), then the result (result_targets(), or of one
// number value_targets()), then length_targets().
enum SaidTensor : std::size_t { kSaidMoves, kSaidResult, kSaidLength };
enum WantedTensor : std::size_t { kPlaces, kMoves, kResult, kLength };

class ResidualTask final : public TorchTask {
  public:
    ResidualTask(const Recipe& recipe, const ResidualRecipe& plan, Device device)
        : TorchTask(recipe, plan.plan, device), plan_(plan) {}

    std::string describe() const override {
        nets::ConvNetwork network;
        network.info.shape = plan_.shape;
        return fmt::format("network {}{}", nets::describe(network), describe_precision(plan_.precision));
    }
    // TorchTask writes the first of them.
    std::vector<std::string> files() const override { return {kUnfoldedFile, kNetworkFile}; }
    base::Status finish(const TrainedRun& run) override;

  protected:
    std::shared_ptr<TorchNetwork> make_network() const override {
        return std::make_shared<ResidualNetwork>(plan_.shape, precision_here(plan_.precision));
    }
    base::Result<std::unique_ptr<SampleSource>> open(games::Split split, std::uint64_t seed) const override;
    TorchBatch tensors(const Samples& samples) const override;
    Tensors with_teacher(const Tensors& targets, const Tensors& taught) const override;
    at::Tensor loss(const Tensors& said, const Tensors& wanted) const override;
    Tensors constant(const Tensors& wanted) const override;
    std::vector<std::pair<std::string, Tensors>> others(const Tensors& wanted) const override;
    std::vector<std::pair<std::string, double>> figures(const Tensors& said,
                                                        const Tensors& wanted) const override;
    // The loss, and whole moves or, where a policy names them, squares before these.
    std::size_t figures_in_line() const override {
        return plan_.shape.policy == nets::PolicyForm::SourceTarget ? 4 : 2;
    }

  private:
    base::Status export_network(const TrainedRun& run);
    base::Status compare_exported(const TrainedRun& run, const std::filesystem::path& file,
                                  ResidualNetwork& trained) const;
    bool has_value() const { return plan_.shape.value != nets::ValueForm::None; }
    bool has_length() const { return plan_.shape.moves_left_filters > 0; }
    bool has_wdl() const { return plan_.shape.value == nets::ValueForm::Wdl; }
    at::Tensor loss_of_value(const Tensors& said, const Tensors& wanted) const {
        return (has_wdl() ? result_loss : value_loss)(said[kSaidResult], wanted[kResult]);
    }
    at::Tensor average(const Tensors& wanted) const {
        return (has_wdl() ? average_result : average_value)(wanted[kResult]);
    }
    at::Tensor legal_of(const Tensors& said, const Tensors& wanted) const {
        return policy_logits(plan_.shape.policy, said[kSaidMoves], wanted[kPlaces]);
    }

    const ResidualRecipe& plan_;
};

base::Result<std::unique_ptr<SampleSource>> ResidualTask::open(games::Split split, std::uint64_t seed) const {
    return open_played_positions(recipe(), plan_.shape.input, split, seed);
}

TorchBatch ResidualTask::tensors(const Samples& samples) const {
    const auto& positions = std::get<std::vector<games::Sample>>(samples);
    MoveTargets moves = played_moves(positions, [this](const chess::Position& position, chess::Move move) {
        return policy_place(plan_.shape.policy, position, move);
    });
    TorchBatch batch;
    batch.inputs = {plane_tensor(plan_.shape.input, positions)};
    batch.targets = {std::move(moves.places), std::move(moves.wanted)};
    if (has_value())
        batch.targets.push_back(has_wdl() ? result_targets(positions)
                                          : value_targets(positions, plan_.result_weight));
    if (has_length()) batch.targets.push_back(length_targets(positions));
    return batch;
}

Tensors ResidualTask::with_teacher(const Tensors& targets, const Tensors& taught) const {
    Tensors wanted{targets[kPlaces], at::softmax(legal_of(taught, targets), 1)};
    if (has_value())
        wanted.push_back(has_wdl() ? at::softmax(taught[kSaidResult], 1) : at::tanh(taught[kSaidResult]));
    if (has_length()) wanted.push_back(taught[kSaidLength]);
    return wanted;
}

at::Tensor ResidualTask::loss(const Tensors& said, const Tensors& wanted) const {
    // Single answers know which moves are legal.
    const bool masked = plan_.masked || said[kSaidMoves].size(1) != policy_size(plan_.shape.policy);
    at::Tensor of_moves =
        masked ? move_loss(legal_of(said, wanted), wanted[kMoves])
               : unmasked_squares_loss(plan_.shape.policy, said[kSaidMoves], wanted[kPlaces], wanted[kMoves]);
    if (!has_value()) return of_moves;
    at::Tensor all = of_moves + plan_.value_weight * loss_of_value(said, wanted);
    return has_length() ? all + plan_.moves_left_weight * length_loss(said[kSaidLength], wanted[kLength])
                        : all;
}

Tensors ResidualTask::constant(const Tensors& wanted) const {
    Tensors said{preferred_moves({wanted[kPlaces], wanted[kMoves]}, policy_places(plan_.shape.policy))};
    if (has_value()) said.push_back(average(wanted));
    if (has_length()) said.push_back(average_length(wanted[kLength]));
    return said;
}

// Who knows how often each move is played, but not how often it can be; and chance, to whom all legal moves
// and all results are as likely as any other.
std::vector<std::pair<std::string, Tensors>> ResidualTask::others(const Tensors& wanted) const {
    Tensors frequent{frequent_moves({wanted[kPlaces], wanted[kMoves]}, policy_places(plan_.shape.policy))};
    Tensors chance{at::zeros_like(frequent[kSaidMoves])};
    if (has_value()) {
        frequent.push_back(average(wanted));
        chance.push_back(at::zeros_like(frequent[kSaidResult]));
    }
    // Who knows nothing of the game says what is right of half of all.
    if (has_length())
        for (Tensors* who : {&frequent, &chance}) who->push_back(average_length(wanted[kLength]));
    return {{"most frequent", std::move(frequent)}, {"chance", std::move(chance)}};
}

std::vector<std::pair<std::string, double>> ResidualTask::figures(const Tensors& said,
                                                                  const Tensors& wanted) const {
    std::vector<std::pair<std::string, double>> all =
        square_figures(plan_.shape.policy, said[kSaidMoves], wanted[kPlaces], wanted[kMoves]);
    const auto of_moves = move_figures(legal_of(said, wanted), wanted[kMoves]);
    // Whole moves stand behind what the heads say, before what follows of them.
    const std::ptrdiff_t heads = plan_.shape.policy == nets::PolicyForm::SourceTarget ? 2 : 0;
    all.insert(all.begin() + heads, of_moves.begin(), of_moves.end());
    if (has_value())
        all.emplace_back(has_wdl() ? "loss of results" : "squared error of the value",
                         loss_of_value(said, wanted).item<double>());
    if (has_length())
        all.emplace_back("error of the half-moves left", length_error(said[kSaidLength], wanted[kLength]));
    return all;
}

base::Status ResidualTask::finish(const TrainedRun& run) {
    if (auto status = TorchTask::finish(run); !status) return status;
    return guarded("the engine's file", [&] { return export_network(run); });
}

base::Status ResidualTask::export_network(const TrainedRun& run) {
    auto& trained = static_cast<ResidualNetwork&>(network());
    nets::ConvNetwork exported = trained.exported();
    exported.info.history = history_of(run);
    const std::filesystem::path path = run.folder / kNetworkFile;
    if (auto status = nets::save_network(path, exported); !status) return status;
    run.metrics.say(fmt::format("wrote {}: {}, content {}", path.string(), nets::describe(exported),
                                nets::content_name(exported)));
    return compare_exported(run, path, trained);
}

// Of the positions that it was measured on, what the engine says of them.
base::Status ResidualTask::compare_exported(const TrainedRun& run, const std::filesystem::path& file,
                                            ResidualNetwork& trained) const {
    const auto samples = measured_samples();
    if (!samples) return std::unexpected(samples.error());
    trained.to(at::kCPU);
    const auto agreement =
        compare_with_engine(file, trained, plan_.shape, std::get<std::vector<games::Sample>>(*samples));
    if (!agreement) return base::fail_in(file.string(), agreement.error());
    run.metrics.say(learning::describe(*agreement, "libtorch"));
    if (auto status = run.metrics.record({{"kind", "export"},
                                          {"step", run.steps},
                                          {"compared_positions", agreement->positions},
                                          {"mean_difference", agreement->mean_difference()},
                                          {"largest_difference", agreement->largest_difference},
                                          {"largest_difference_of_results", agreement->largest_of_results},
                                          {"largest_difference_of_lengths", agreement->largest_of_lengths},
                                          {"same_best_move", agreement->same_best_move}});
        !status)
        return status;
    return check_agreement(*agreement, file, plan_.largest_difference);
}

}  // namespace

std::unique_ptr<Task> make_residual_task(const Recipe& recipe, const ResidualRecipe& plan, Device device) {
    return std::make_unique<ResidualTask>(recipe, plan, device);
}

}  // namespace scholar::learning
