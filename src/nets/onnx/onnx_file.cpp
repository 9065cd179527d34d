#include "nets/onnx/onnx_file.hpp"

namespace scholar::nets {

base::Result<OnnxModel> to_onnx(const AnyNetwork& network) {
    if (const auto convolutional = network.as<ConvNetwork>()) return to_onnx(*convolutional);
    if (const auto squares = network.as<ChessNets>()) return to_onnx(*squares);
    if (const auto dense = network.as<DenseNetwork>()) return to_onnx(*dense);
    return base::fail("{}, expected a network of architecture residual, chessnet or dense, or one of lc0",
                      network.description());
}

}  // namespace scholar::nets
