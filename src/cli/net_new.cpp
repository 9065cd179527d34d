#include <fmt/format.h>

#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "nets/comparison/comparison_file.hpp"
#include "nets/dense/dense_file.hpp"
#include "nets/linear/hand_weights.hpp"
#include "nets/linear/linear_file.hpp"

namespace scholar::cli {

namespace {

struct NetNewArguments {
    std::string start = "material";
    std::string weights;  // a file of them; "": none
    std::string output;
    bool overwrite = false;
};

base::Result<nets::FloatLinearNetwork> new_linear_network(const NetNewArguments& options) {
    if (!options.weights.empty()) {
        const auto text = base::read_text(options.weights);
        if (!text) return std::unexpected(text.error());
        return nets::parse_hand_weights(*text, options.weights);
    }
    nets::FloatLinearNetwork network = options.start == "pawns" ? nets::FloatLinearNetwork::all_pawns()
                                                                : nets::FloatLinearNetwork::material_start();
    network.info.history["start"] = options.start;
    return network;
}

base::Status run_net_new(const NetNewArguments& options) {
    if (auto status = check_output(options.output, {options.weights}); !status) return status;
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    const auto network = new_linear_network(options);
    if (!network) return std::unexpected(network.error());
    const auto rounded = nets::quantise(*network);
    if (!rounded) return std::unexpected(rounded.error());
    if (auto status = nets::save_network(options.output, *network); !status) return status;
    fmt::print("{}: {}, {}\n", options.output, base::counted(nets::kLinearWeights, "weight"),
               nets::content_name(*rounded));
    return {};
}

struct NetNewDenseArguments {
    std::string features = "giraffe-363";
    std::string moves;  // "": it judges positions
    std::vector<std::string> apart;
    std::vector<std::string> joint;
    std::uint64_t seed = 1;
    std::string output;
    bool overwrite = false;
};

base::Result<std::vector<int>> take_widths(const std::string& option, const std::vector<std::string>& words) {
    std::vector<int> widths;
    for (const std::string& word : words) {
        const auto width = base::parse_number<int>(word);
        if (!width) return base::fail("{} '{}', expected numbers of units", option, word);
        widths.push_back(*width);
    }
    return widths;
}

base::Status run_net_new_dense(const NetNewDenseArguments& options) {
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    const auto features = nets::find_dense_feature_set(options.features);
    if (!features) return std::unexpected(features.error());
    const nets::DenseMoveSet* moves = nullptr;
    if (!options.moves.empty()) {
        const auto found = nets::find_dense_move_set(options.moves);
        if (!found) return std::unexpected(found.error());
        moves = *found;
    }
    const auto apart = take_widths("--apart", options.apart);
    if (!apart) return std::unexpected(apart.error());
    const auto joint = take_widths("--joint", options.joint);
    if (!joint) return std::unexpected(joint.error());
    const std::size_t modalities = (*features)->modalities.size() + (moves ? 1 : 0);
    if (!apart->empty() && apart->size() != modalities)
        return base::fail("--apart has {}, expected {}, one for each modality of {}{}",
                          base::counted(apart->size(), "number"), modalities, options.features,
                          moves ? " and one for the move" : "");
    std::vector<std::vector<int>> layers_apart;
    if (!apart->empty()) layers_apart.push_back(*apart);
    const nets::DenseShape shape =
        nets::dense_shape(**features, layers_apart, *joint, moves,
                          moves ? nets::DenseOutput::Logistic : nets::DenseOutput::Tanh);
    if (auto status = nets::check_shape(shape); !status) return status;
    nets::DenseNetwork network = nets::random_dense_network(shape, options.seed);
    network.info.history["start"] = fmt::format("random weights of seed {}", options.seed);
    if (auto status = nets::save_network(options.output, network); !status) return status;
    fmt::print("{}: {}, {}\n", options.output, nets::describe(network), nets::content_name(network));
    return {};
}

void add_net_new_dense_command(Command parent, Invocation& invocation) {
    const Command dense = parent.add_subcommand(
        "dense", "A dense network of random weights, as training begins with: to try sizes and speed");
    auto options = std::make_shared<NetNewDenseArguments>();
    dense.add_option("--features", options->features, "What it is given of a position").capture_default_str();
    dense.add_option("--moves", options->moves,
                     "What it is given of a move, giraffe-moves: it then judges moves (default: positions)");
    dense.add_option(
        "--apart", options->apart,
        "Units of the first layer for each modality of the features, such as 19 44 26, and then for "
        "moves; without it "
        "they are joined at once");
    dense.add_option("--joint", options->joint, "Units of each full layer after that, such as 64");
    dense.add_option("--seed", options->seed, "Of the weights").capture_default_str();
    dense.add_option("-o,--output", options->output, "File to write, .safetensors").required();
    dense.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    dense.callback([&invocation, options] {
        invocation.run = [options](std::stop_token) { return run_net_new_dense(*options); };
    });
}

struct NetNewComparisonArguments {
    std::vector<std::string> encoder{"600", "400", "200", "100"};
    std::vector<std::string> head{"400", "200", "100"};
    std::string form = "pair";
    std::uint64_t seed = 1;
    std::string output;
    bool overwrite = false;
};

base::Status run_net_new_comparison(const NetNewComparisonArguments& options) {
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    const auto encoder = take_widths("--encoder", options.encoder);
    if (!encoder) return std::unexpected(encoder.error());
    const auto head = take_widths("--head", options.head);
    if (!head) return std::unexpected(head.error());
    nets::ComparisonShape shape{*encoder, *head};
    for (const nets::ComparisonForm form : {nets::ComparisonForm::Antisymmetric, nets::ComparisonForm::Split})
        if (options.form == nets::to_string(form)) shape.form = form;
    if (auto status = nets::check_shape(shape); !status) return status;
    nets::ComparisonNetwork network = nets::random_comparison_network(shape, options.seed);
    network.info.history["start"] = fmt::format("random weights of seed {}", options.seed);
    if (auto status = nets::save_network(options.output, network); !status) return status;
    fmt::print("{}: {}, {}\n", options.output, nets::describe(network), nets::content_name(network));
    return {};
}

void add_net_new_comparison_command(Command parent, Invocation& invocation) {
    const Command comparison = parent.add_subcommand(
        "comparison",
        "A network that says which of two positions is better, of random weights: to try sizes and speed");
    auto options = std::make_shared<NetNewComparisonArguments>();
    comparison.add_option("--encoder", options->encoder, "Units of the encoder's layers")
        .capture_default_str();
    comparison.add_option("--head", options->head, "Units of the head's layers but the last")
        .capture_default_str();
    comparison
        .add_option("--form", options->form,
                    "pair: of two codes; antisymmetric: so that swapping them swaps the answer; split: each "
                    "position has a value, and the greater one is better")
        .check(one_of({"pair", "antisymmetric", "split"}))
        .capture_default_str();
    comparison.add_option("--seed", options->seed, "Of the weights").capture_default_str();
    comparison.add_option("-o,--output", options->output, "File to write, .safetensors").required();
    comparison.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    comparison.callback([&invocation, options] {
        invocation.run = [options](std::stop_token) { return run_net_new_comparison(*options); };
    });
}

}  // namespace

void add_net_new_command(Command net, Invocation& invocation) {
    const Command command = net.add_subcommand("new", "Make a network that has learnt nothing yet");
    command.require_subcommand(1, 1);
    const Command linear = command.add_subcommand("linear",
                                                  "A linear evaluation as KnightCap's paper begins, or of "
                                                  "weights set by hand: floats, which learning goes "
                                                  "on from");
    auto options = std::make_shared<NetNewArguments>();
    const Option start =
        linear
            .add_option(
                "--start", options->start,
                "material: pawn 1, knight 4, bishop 4, rook 6, queen 12 pawns, all else 0; pawns: every "
                "weight that of a pawn")
            .check(one_of({"material", "pawns"}))
            .capture_default_str();
    linear
        .add_option(
            "--weights", options->weights,
            "A TOML file of weights that are set by hand, such as recipes/shannon.toml (docs/linear.md)")
        .excludes(start);
    linear.add_option("-o,--output", options->output, "File to write, .safetensors").required();
    linear.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    linear.callback([&invocation, options] {
        invocation.run = [options](std::stop_token) { return run_net_new(*options); };
    });
    add_net_new_dense_command(command, invocation);
    add_net_new_comparison_command(command, invocation);
}

}  // namespace scholar::cli
