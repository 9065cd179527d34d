#include "cli/net_explain.hpp"

#include "cli/commands.hpp"
#include "nets/linear/linear_file.hpp"

namespace scholar::cli {

namespace {

struct NetExplainArguments {
    std::string fen;
    double least = 1;
    WeightsOptions weights;
};

base::Status run_net_explain(const NetExplainArguments& options) {
    const auto network = nets::load_float_linear_network(options.weights.name);
    if (!network) return std::unexpected(network.error());
    if (options.fen.empty()) return explain_weights(*network, options.weights);
    return explain_position(*network, options.weights.name, options.fen, options.least, options.weights.json);
}

}  // namespace

void add_net_explain_command(Command net, Invocation& invocation) {
    const Command command = net.add_subcommand(
        "explain",
        "What a linear network makes of a position, as a sum of named parts that is exactly the value the "
        "engine uses; without a position, its weights by group and stage");
    auto options = std::make_shared<NetExplainArguments>();
    command.add_option("network", options->weights.name, "Network file of architecture linear").required();
    const Option fen = command.add_option("--fen", options->fen, "Position to explain");
    command
        .add_option("--least", options->least,
                    "Show parts of at least so many Score units one by one, smaller ones as a sum")
        .check(non_negative_number())
        .capture_default_str()
        .needs(fen);
    command.add_option("--against", options->weights.against, "Older network: weights before and after")
        .excludes(fen);
    command
        .add_option("--feature", options->weights.feature,
                    "Show the weights of the features whose name contains this, one by one")
        .excludes(fen);
    command.add_option("--plot", options->weights.plots, "Folder for drawings (SVG), one a group")
        .excludes(fen);
    command.add_flag("--json", options->weights.json, "One JSON object instead of tables");
    command.callback([&invocation, options] {
        invocation.run = [options](std::stop_token) { return run_net_explain(*options); };
    });
}

}  // namespace scholar::cli
