#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "nets/linear/linear_file.hpp"

namespace scholar::cli {

namespace {

struct NetNewArguments {
    std::string start = "material";
    std::string output;
    bool overwrite = false;
};

base::Status run_net_new(const NetNewArguments& options) {
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    nets::FloatLinearNetwork network = options.start == "pawns" ? nets::FloatLinearNetwork::all_pawns()
                                                                : nets::FloatLinearNetwork::material_start();
    network.info.history["start"] = options.start;
    const auto rounded = nets::quantise(network);
    if (!rounded) return std::unexpected(rounded.error());
    if (auto status = nets::save_network(options.output, network); !status) return status;
    fmt::print("{}: {}, {}\n", options.output, base::counted(nets::kLinearWeights, "weight"),
               nets::content_name(*rounded));
    return {};
}

}  // namespace

void add_net_new_command(Command net, Invocation& invocation) {
    const Command command = net.add_subcommand("new", "Make a network that has learnt nothing yet");
    command.require_subcommand(1, 1);
    const Command linear = command.add_subcommand(
        "linear", "A linear evaluation as KnightCap's paper begins: floats, which learning goes on from");
    auto options = std::make_shared<NetNewArguments>();
    linear
        .add_option("--start", options->start,
                    "material: pawn 1, knight 4, bishop 4, rook 6, queen 12 pawns, all else 0; pawns: every "
                    "weight that of a pawn")
        .check(one_of({"material", "pawns"}))
        .capture_default_str();
    linear.add_option("-o,--output", options->output, "File to write, .safetensors").required();
    linear.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    linear.callback([&invocation, options] {
        invocation.run = [options](std::stop_token) { return run_net_new(*options); };
    });
}

}  // namespace scholar::cli
