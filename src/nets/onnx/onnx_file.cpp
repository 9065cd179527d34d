#include "nets/onnx/onnx_file.hpp"

namespace scholar::nets {

base::Result<OnnxModel> to_onnx(const AnyNetwork& network) {
    if (const auto convolutional = network.as<ConvNetwork>()) return to_onnx(*convolutional);
    if (const auto squares = network.as<ChessNets>()) return to_onnx(*squares);
    if (const auto dense = network.as<DenseNetwork>()) return to_onnx(*dense);
    if (const auto comparison = network.as<ComparisonNetwork>()) return to_onnx(*comparison);
    return base::fail(
        "{}, expected a network of architecture residual, chessnet, dense or comparison, or one of lc0",
        network.description());
}

}  // namespace scholar::nets
