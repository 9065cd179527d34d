#include <fmt/ranges.h>

#include "base/files.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "nets/container/open_network.hpp"
#include "nets/onnx/onnx_file.hpp"
#include "nets/perspective/raw_file.hpp"

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

base::Status write_raw(const std::string& output, const nets::Network& network) {
    if (output.ends_with(".onnx"))
        return base::fail(
            "{}: a perspective network is written as integers, which are no ONNX model; expected another "
            "name, .bin",
            output);
    const std::string bytes = nets::to_raw(network);
    if (auto status = base::write_atomically(output, bytes); !status) return status;
    fmt::print("{}: {}, {}; {} bytes of whole numbers\n", output, nets::describe(network),
               nets::content_name(network), bytes.size());
    return {};
}

base::Status run_net_export(const NetExportArguments& options) {
    if (auto status = check_output(options.output, {options.network}); !status) return status;
    if (auto status = check_new_output(options.output, options.overwrite); !status) return status;
    const auto network = nets::open_network(options.network);
    if (!network) return std::unexpected(network.error());
    if (const auto perspective = network->as<nets::Network>()) return write_raw(options.output, *perspective);
    const auto model = nets::to_onnx(*network);
    if (!model)
        return base::fail_in(options.network, base::Error{model.error().message + ", or perspective"});
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
                                               "Write a network for other programs: a perspective one as "
                                               "plain integers, a convolutional, dense or comparison one "
                                               "as an ONNX model");
    auto options = std::make_shared<NetExportArguments>();
    command
        .add_option("network", options->network,
                    "Network file of architecture perspective, residual, chessnet, dense or comparison, one "
                    "of lc0, or a name such as <embedded> or <giraffe-aa4b4078>")
        .required();
    command
        .add_option("-o,--output", options->output,
                    "File to write; .bin of a perspective network, .onnx of others")
        .required();
    command.add_flag(kOverwrite, options->overwrite, kOverwriteHelp);
    command.footer(
        "An ONNX model's inputs and outputs have as many positions as are given, N. Its metadata say what "
        "they\n"
        "are, name every move of a policy, and have all that the network's own file says of it.\n"
        "docs/exporting.md has the layout of the integers; examples/c/scholar_net.c reads them.");
    command.callback([&invocation, options] {
        invocation.run = [options](std::stop_token) { return run_net_export(*options); };
    });
}

}  // namespace scholar::cli
