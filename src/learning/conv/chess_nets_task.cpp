#include "learning/conv/chess_nets_task.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "evaluators/softmax.hpp"
#include "learning/conv/chess_nets_network.hpp"
#include "learning/conv/input_keys.hpp"
#include "learning/conv/plane_tensors.hpp"
#include "learning/conv/played_positions.hpp"
#include "learning/targets/difference.hpp"
#include "learning/targets/move_agreement.hpp"
#include "learning/targets/move_targets.hpp"
#include "learning/training/torch_guard.hpp"
#include "learning/training/torch_task.hpp"
#include "nets/conv/chess_net_runner.hpp"
#include "nets/conv/square_policy.hpp"

namespace scholar::learning {

namespace {

using nets::ChessNetRole;

constexpr std::int64_t kEachSquare = 64;

// Said: as ChessNetsNetwork has it; of single answers the square reached has 64 logits for each kind of man.
// Wanted: the square left and the one reached, the kind of man [position] each, and the result, −1 to 1.
enum SaidByNets : std::size_t { kLeaving, kReaching, kValue };
enum WantedOfNets : std::size_t { kLeft, kReached, kKinds, kResults };

std::int64_t kind_of_role(ChessNetRole role) {
    return static_cast<std::int64_t>(role) - static_cast<std::int64_t>(ChessNetRole::Pawn);
}

class ChessNetsTask final : public TorchTask {
  public:
    ChessNetsTask(const Recipe& recipe, const ChessNetsRecipe& plan, Device device)
        : TorchTask(recipe, plan.plan, device), plan_(plan) {}

    std::string describe() const override {
        nets::ChessNets networks;
        networks.info.shape = plan_.shape;
        for (const ChessNetRole role : plan_.roles) networks.of(role).emplace();
        return fmt::format("networks {}{}", nets::describe(networks), describe_precision(plan_.precision));
    }
    std::vector<std::string> files() const override { return {kWeightsFile, kNetworkFile}; }
    base::Status finish(const TrainedRun& run) override;

  protected:
    std::shared_ptr<TorchNetwork> make_network() const override {
        return std::make_shared<ChessNetsNetwork>(plan_.shape, plan_.roles, precision_here(plan_.precision));
    }
    base::Result<std::unique_ptr<SampleSource>> open(games::Split split, std::uint64_t seed) const override;
    TorchBatch tensors(const Samples& samples) const override;
    at::Tensor loss(const Tensors& said, const Tensors& wanted) const override;
    Tensors constant(const Tensors& wanted) const override;
    std::vector<std::pair<std::string, double>> figures(const Tensors& said,
                                                        const Tensors& wanted) const override;
    double samples_of(const std::string& figure, const Tensors& wanted, double all) const override;
    std::size_t figures_in_line() const override { return 3; }

  private:
    // Logits of one network's squares for the positions that are its own, and the squares that were right.
    struct OfRole {
        at::Tensor logits;
        at::Tensor right;
    };
    static OfRole of_role(ChessNetRole role, const Tensors& said, const Tensors& wanted);
    at::Tensor loss_of(ChessNetRole role, const Tensors& said, const Tensors& wanted) const;
    base::Status export_networks(const TrainedRun& run);
    base::Result<EngineAgreement> compare(std::shared_ptr<const nets::ChessNets> networks);
    base::Status compare_one(ChessNetRole role, nets::ChessNetRunner& runner,
                             std::span<const games::Sample> batch, const TorchBatch& encoded,
                             const Tensors& said, EngineAgreement& agreement) const;

    const ChessNetsRecipe& plan_;
};

base::Result<std::unique_ptr<SampleSource>> ChessNetsTask::open(games::Split split,
                                                                std::uint64_t seed) const {
    return open_played_positions(recipe(), plan_.shape.input, split, seed);
}

TorchBatch ChessNetsTask::tensors(const Samples& samples) const {
    const auto& positions = std::get<std::vector<games::Sample>>(samples);
    const auto count = static_cast<std::int64_t>(positions.size());
    at::Tensor left = at::empty({count}, at::kLong);
    at::Tensor reached = at::empty({count}, at::kLong);
    at::Tensor kinds = at::empty({count}, at::kLong);
    at::Tensor results = at::empty({count, 1}, at::kFloat);
    for (std::int64_t i = 0; i < count; ++i) {
        const games::Sample& sample = positions[static_cast<std::size_t>(i)];
        const nets::SquareMove move = nets::square_move(sample.move, sample.position.side_to_move());
        left.data_ptr<std::int64_t>()[i] = move.from;
        reached.data_ptr<std::int64_t>()[i] = move.to;
        kinds.data_ptr<std::int64_t>()[i] = kind_of(sample.position.piece_on(sample.move.from()));
        results.data_ptr<float>()[i] = 2 * sample.result - 1;
    }
    TorchBatch batch;
    nets::PlanesInput input = plan_.shape.input;
    input.layers.piece = plan_.shape.piece_layer;
    batch.inputs = {plane_tensor(input, positions), kinds};
    batch.targets = {std::move(left), std::move(reached), std::move(kinds), std::move(results)};
    return batch;
}

ChessNetsTask::OfRole ChessNetsTask::of_role(ChessNetRole role, const Tensors& said, const Tensors& wanted) {
    if (role == ChessNetRole::Piece) return {said[kLeaving], wanted[kLeft]};
    const std::int64_t kind = kind_of_role(role);
    const at::Tensor rows = (wanted[kKinds] == kind).nonzero().flatten();
    at::Tensor logits = said[kReaching];
    if (logits.size(1) != kEachSquare) logits = logits.narrow(1, kind * kEachSquare, kEachSquare);
    return {logits.index_select(0, rows), wanted[kReached].index_select(0, rows)};
}

at::Tensor ChessNetsTask::loss_of(ChessNetRole role, const Tensors& said, const Tensors& wanted) const {
    if (role == ChessNetRole::Value) return 0.5 * (at::tanh(said[kValue]) - wanted[kResults]).square().mean();
    const OfRole own = of_role(role, said, wanted);
    if (own.right.size(0) == 0) return at::zeros({}, own.logits.options());
    return at::cross_entropy_loss(own.logits, own.right);
}

// Each network's is the mean over its own positions, so that a step of it does not depend on how often its
// men move.
at::Tensor ChessNetsTask::loss(const Tensors& said, const Tensors& wanted) const {
    at::Tensor sum = at::zeros({}, said[kLeaving].options());
    for (const ChessNetRole role : plan_.roles) sum = sum + loss_of(role, said, wanted);
    return sum;
}

// How often each square was left; how often each kind of man reached each; the mean result.
Tensors ChessNetsTask::constant(const Tensors& wanted) const {
    const auto frequent = [](const at::Tensor& places, std::int64_t outputs) {
        return (places.bincount({}, outputs) + 1).to(at::kFloat).log().unsqueeze(0);
    };
    const at::Tensor mean = wanted[kResults].mean(0, true).clamp(-0.999, 0.999);
    return {frequent(wanted[kLeft], kEachSquare),
            frequent(wanted[kKinds] * kEachSquare + wanted[kReached],
                     kEachSquare * static_cast<std::int64_t>(chess::kPieceKinds.size())),
            at::atanh(mean)};
}

std::vector<std::pair<std::string, double>> ChessNetsTask::figures(const Tensors& said,
                                                                   const Tensors& wanted) const {
    std::vector<std::pair<std::string, double>> all;
    for (const ChessNetRole role : plan_.roles) {
        const std::string name(to_string(role));
        if (role == ChessNetRole::Value) {
            all.emplace_back("squared error of the value", 2 * loss_of(role, said, wanted).item<double>());
            continue;
        }
        const OfRole own = of_role(role, said, wanted);
        const at::Tensor right = at::one_hot(own.right, kEachSquare).to(at::kFloat);
        for (const int most : {1, 3, 5, 10})
            all.emplace_back(most == 1 ? name : fmt::format("{} in {}", name, most),
                             own.right.size(0) == 0 ? 0 : share_in_first(own.logits, right, most));
        all.emplace_back("loss of " + name, loss_of(role, said, wanted).item<double>());
    }
    return all;
}

double ChessNetsTask::samples_of(const std::string& figure, const Tensors& wanted, double all) const {
    for (const ChessNetRole role : plan_.roles) {
        const std::string name(to_string(role));
        const bool is_own =
            figure == name || figure.starts_with(name + " in ") || figure == "loss of " + name;
        if (!is_own || role == ChessNetRole::Piece) continue;
        return (wanted[kKinds] == kind_of_role(role)).sum().item<double>();
    }
    return all;
}

base::Status ChessNetsTask::finish(const TrainedRun& run) {
    if (auto status = TorchTask::finish(run); !status) return status;
    return guarded("the engine's file", [&] { return export_networks(run); });
}

base::Status ChessNetsTask::export_networks(const TrainedRun& run) {
    auto exported = std::make_shared<nets::ChessNets>(static_cast<ChessNetsNetwork&>(network()).exported());
    exported->info.history = history_of(run);
    const std::filesystem::path path = run.folder / kNetworkFile;
    if (auto status = nets::save_network(path, *exported); !status) return status;
    run.metrics.say(fmt::format("wrote {}: {}, content {}", path.string(), nets::describe(*exported),
                                nets::content_name(*exported)));
    const auto agreement = compare(std::move(exported));
    if (!agreement) return base::fail_in(path.string(), agreement.error());
    run.metrics.say(
        fmt::format("engine and libtorch on {} answers: a square's probability differs by {:.2g} "
                    "on average and by {:.2g} at most, a value by {:.2g} at most",
                    agreement->positions, agreement->mean_difference(), agreement->largest_difference,
                    agreement->largest_of_results));
    if (auto status = run.metrics.record({{"kind", "export"},
                                          {"step", run.steps},
                                          {"compared_answers", agreement->positions},
                                          {"mean_difference", agreement->mean_difference()},
                                          {"largest_difference", agreement->largest_difference},
                                          {"largest_difference_of_values", agreement->largest_of_results}});
        !status)
        return status;
    return check_agreement(*agreement, path, plan_.largest_difference);
}

// Of one network, on the positions of a batch that are its own.
base::Status ChessNetsTask::compare_one(ChessNetRole role, nets::ChessNetRunner& runner,
                                        std::span<const games::Sample> batch, const TorchBatch& encoded,
                                        const Tensors& said, EngineAgreement& agreement) const {
    const bool of_all = role == ChessNetRole::Piece || role == ChessNetRole::Value;
    const auto* kinds = encoded.targets[kKinds].data_ptr<std::int64_t>();
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (!of_all && role != nets::role_of(static_cast<chess::PieceKind>(kinds[i]))) continue;
        nets::encode_planes(nets::input_of(plan_.shape, role), chess::Line(batch[i].position),
                            plane_context(plan_.shape.input, batch[i]),
                            runner.planes(static_cast<int>(own.size())));
        own.push_back(i);
    }
    if (own.empty()) return {};
    if (auto status = runner.run(static_cast<int>(own.size())); !status) return status;
    const at::Tensor squares =
        at::softmax(said[role == ChessNetRole::Piece ? kLeaving : kReaching], 1).contiguous();
    for (std::size_t k = 0; k < own.size(); ++k) {
        const std::span<const float> outputs = runner.outputs(static_cast<int>(k));
        const auto row = static_cast<std::int64_t>(own[k]);
        if (role == ChessNetRole::Value) {
            agreement.largest_of_results = std::max(
                agreement.largest_of_results,
                difference_of(std::tanh(outputs.front()), std::tanh(said[kValue].data_ptr<float>()[row])));
            continue;
        }
        std::vector<float> ours(outputs.begin(), outputs.end());
        evaluators::softmax(ours);
        agreement.add(ours, squares.data_ptr<float>() + row * kEachSquare);
    }
    return {};
}

// What the engine's runner makes of the samples that it was measured on, network by network.
base::Result<EngineAgreement> ChessNetsTask::compare(std::shared_ptr<const nets::ChessNets> networks) {
    const auto drawn = measured_samples();
    if (!drawn) return std::unexpected(drawn.error());
    const c10::NoGradGuard no_gradients;
    network().to(at::kCPU);
    network().eval();
    EngineAgreement agreement;
    std::vector<std::pair<ChessNetRole, nets::ChessNetRunner>> runners;
    for (const ChessNetRole role : plan_.roles) {
        auto runner = nets::ChessNetRunner::make(networks, role);
        if (!runner) return std::unexpected(runner.error());
        runners.emplace_back(role, std::move(*runner));
    }
    const std::span<const games::Sample> all = std::get<std::vector<games::Sample>>(*drawn);
    const auto most = static_cast<std::size_t>(nets::ChessNetRunner::kMostPositions);
    for (std::size_t first = 0; first < all.size(); first += most) {
        const auto batch = all.subspan(first, std::min(most, all.size() - first));
        const TorchBatch encoded = tensors(std::vector<games::Sample>(batch.begin(), batch.end()));
        const Tensors said = network().forward(encoded.inputs);
        for (auto& [role, runner] : runners)
            if (auto status = compare_one(role, runner, batch, encoded, said, agreement); !status)
                return std::unexpected(status.error());
    }
    return agreement;
}

}  // namespace

std::unique_ptr<Task> make_chess_nets_task(const Recipe& recipe, const ChessNetsRecipe& plan, Device device) {
    return std::make_unique<ChessNetsTask>(recipe, plan, device);
}

}  // namespace scholar::learning
