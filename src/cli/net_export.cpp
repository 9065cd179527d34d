#include <fmt/ranges.h>

#include "base/files.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "nets/container/open_network.hpp"
#include "nets/onnx/onnx_file.hpp"

namespace scholar::cli {

namespace {

struct NetExportArguments {
    std::string network;
    std::string output;
    bool overwrite = false;
};

void print_tensors(std::string_view what, const std::vector<nets::OnnxTensor>& tensors) {
    for (const nets::OnnxTensor& tensor : tensors)
        fmt::print("{:<8} {:<18} [N, {}]\n", what, tensor.name, fmt::join(tensor.extents, ", "));
}

base::Status run_net_export(const NetExportArguments& options) {
    if (auto status = check_output(options.output, {options.network}); !status) return status;
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    const auto network = nets::open_network(options.network);
    if (!network) return std::unexpected(network.error());
    const auto model = nets::to_onnx(*network);
    if (!model) return base::fail_in(options.network, model.error());
    const auto file = model->file();
    if (!file) return base::fail_in(options.output, file.error());
    if (auto status = base::write_atomically(options.output, *file); !status) return status;
    fmt::print("{}: {}, {}\n", options.output, network->description(), network->content_name());
    print_tensors("input", model->inputs());
    print_tensors("output", model->outputs());
    return {};
}

}  // namespace

void add_net_export_command(Command net, Invocation& invocation) {
    const Command command = net.add_subcommand("export",
                                               "Write a convolutional, dense or comparison network as an "
                                               "ONNX model, which OpenCV, onnxruntime and others "
                                               "work out");
    auto options = std::make_shared<NetExportArguments>();
    command
        .add_option("network", options->network,
                    "Network file of architecture residual, chessnet, dense or comparison, one of lc0, or a "
                    "name such as "
                    "<giraffe-aa4b4078>")
        .required();
    command.add_option("-o,--output", options->output, "File to write, .onnx").required();
    command.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    command.footer(
        "Inputs and outputs have as many positions as are given, N. The model's metadata say what they are,\n"
        "name every move of a policy, and have all that the network's own file says of it.");
    command.callback([&invocation, options] {
        invocation.run = [options](std::stop_token) { return run_net_export(*options); };
    });
}

}  // namespace scholar::cli
