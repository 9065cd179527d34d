#include "cli/net_explain.hpp"

#include <memory>
#include <utility>

#include "cli/commands.hpp"
#include "cli/games_selection.hpp"
#include "cli/output.hpp"
#include "evaluators/explanation.hpp"
#include "nets/container/open_network.hpp"
#include "nets/linear/linear_file.hpp"

namespace scholar::cli {

namespace {

struct NetExplainArguments {
    double least = 1;
    WeightsOptions weights;
    MenOptions men;
    JudgeOptions judge;
    std::string network;
    bool json = false;
};

// As learning has it, where it is a file; so that weights are shown as they are there.
base::Result<nets::FloatLinearNetwork> open_linear(const std::string& name) {
    const auto network = nets::open_network(name);
    if (!network) return std::unexpected(network.error());
    const auto linear = network->as<nets::LinearNetwork>();
    if (!linear)
        return base::fail("{}: {}, expected a linear network, or --fen", name, network->description());
    if (!name.starts_with('<')) return nets::load_float_linear_network(name);
    return nets::dequantise(*linear);
}

base::Status run_net_explain(NetExplainArguments options, const std::stop_token& stop) {
    options.weights.name = options.men.name = options.judge.name = options.network;
    options.weights.json = options.men.json = options.judge.json = options.json;
    options.judge.overwrite = options.men.overwrite;
    if (options.men.fen.empty() && options.judge.files.empty()) {
        const auto network = open_linear(options.network);
        if (!network) return std::unexpected(network.error());
        return explain_weights(*network, options.weights);
    }
    const auto network = nets::open_network(options.network);
    if (!network) return std::unexpected(network.error());
    if (!options.judge.files.empty()) return judge_explanations(*network, options.judge, stop);
    const bool of_men = !options.men.method.empty() || !options.men.move.empty() || !options.men.svg.empty();
    if (const auto linear = network->as<nets::LinearNetwork>(); linear && !of_men)
        return explain_position(nets::dequantise(*linear), options.network, options.men.fen, options.least,
                                options.json);
    return explain_men(*network, options.men);
}

}  // namespace

void add_net_explain_command(Command net, Invocation& invocation) {
    const Command command = net.add_subcommand(
        "explain",
        "Which men make a network value a position as it does, or find a move likely; of a linear network, "
        "its value as a sum of named parts that is exactly the one the engine uses, and without a position "
        "its weights by group and stage");
    auto options = std::make_shared<NetExplainArguments>();
    command
        .add_option("network", options->network,
                    "Network file, or a name such as <embedded> or <giraffe-aa4b4078>")
        .required();
    const Option fen = command.add_option("--fen", options->men.fen, "Position to explain");
    std::vector<std::string> methods;
    methods.reserve(evaluators::kExplanationMethods.size());
    for (const auto method : evaluators::kExplanationMethods) methods.emplace_back(to_string(method));
    command
        .add_option("--method", options->men.method,
                    "One method: occlusion (the man is taken off), gradient (gradient × input), integrated "
                    "(gradients); default: all that the network has")
        .check(one_of(std::move(methods)))
        .needs(fen);
    command
        .add_option("--move", options->men.move,
                    "Explain the probability of this move (UCI) instead of the value")
        .needs(fen);
    command.add_option("--svg", options->men.svg, "File for a drawing of the board, a heat map by method")
        .needs(fen);
    command
        .add_option("--least", options->least,
                    "Of a linear network: show parts of at least so many Score units one by one, smaller "
                    "ones as a sum")
        .check(non_negative_number())
        .capture_default_str()
        .needs(fen);
    command
        .add_option("--against", options->weights.against, "Older linear network: weights before and after")
        .excludes(fen);
    command
        .add_option("--feature", options->weights.feature,
                    "Show the weights of the features whose name contains this, one by one")
        .excludes(fen);
    command.add_option("--plot", options->weights.plots, "Folder for drawings (SVG), one a group")
        .excludes(fen);

    const Command judging = command.add_option_group("What the explanations are worth");
    JudgeOptions& judge = options->judge;
    const Option files =
        judging
            .add_option("--judge", judge.files,
                        "Take men off in the order of their shares, and by lot, on positions "
                        "of these game stores (of test games, one each) or of an EPD file")
            .excludes(fen);
    judging
        .add_option("--of", judge.of,
                    "value or move, the likeliest one (default: the value, if there is one)")
        .check(one_of({"value", "move"}))
        .needs(files);
    judging.add_option("--positions", judge.positions, "At most so many, drawn by lot")
        .check(range(std::uint64_t{1}, std::uint64_t{1'000'000}))
        .capture_default_str()
        .needs(files);
    judging.add_option("--taken", judge.taken, "Men taken off")
        .check(range(1, 30))
        .capture_default_str()
        .needs(files);
    judging
        .add_flag("--pawns", judge.pawns,
                  "Take off pawns alone, which no price tells apart; of the value, those of the better side")
        .needs(files);
    judging.add_option("--seed", judge.seed, "Of the draw, and of the orders by lot")
        .check(whole_number())
        .capture_default_str()
        .needs(files);
    judging.add_option("--curves", judge.plot, "File for a drawing (SVG) of how what is said falls")
        .needs(files);
    add_share_options(command, judge.shares);
    command.add_flag(kOverwrite, options->men.overwrite, kOverwriteHelp);
    command.add_flag("--json", options->json, "One JSON object instead of tables");
    command.footer(
        "Shares of a value are in Score units (400 · logit of the expected result) from White's view, those "
        "of a move\nin percentage points. docs/explaining.md says what the methods mean.\n"
        "Example:\n"
        "  scholar net explain '<embedded>' --fen 'r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b "
        "KQkq "
        "- 3 3' --svg mate.svg");
    command.callback([&invocation, options] {
        invocation.run = [options](const std::stop_token& stop) { return run_net_explain(*options, stop); };
    });
}

}  // namespace scholar::cli
