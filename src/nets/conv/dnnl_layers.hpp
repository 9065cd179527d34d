#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <dnnl.hpp>

#include "nets/aligned.hpp"
#include "nets/conv/conv_network.hpp"

// Layers as oneDNN works them out, for a fixed number of positions. Activations lie [position][square][filter]
// ("nhwc"). All of these throw dnnl::error.

namespace scholar::nets {

// What layers of one caller share: the processor as oneDNN sees it, and memory that a layer needs while it
// works.
struct DnnlContext {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    AlignedVector<std::byte> scratch;
};

// What is done to a layer's sums before they are written.
struct DnnlEpilogue {
    bool adds = false;  // to what is there already
    std::optional<ConvActivation> activation;
};

// A convolution, or a dense layer (`size` 8: all that it reads, at once).
class DnnlLayer {
  public:
    struct Shape {
        int positions;
        int inputs;
        int outputs;
        int size;  // 1 or 3: a convolution of so many squares a side. 0: dense
        dnnl::memory::data_type reads;
        dnnl::memory::data_type writes;
    };
    // `weight` as ConvLayer has it, but a dense layer's inputs in the order in which they lie.
    DnnlLayer(DnnlContext& context, const Shape& shape, std::span<const float> weight,
              std::span<const float> bias, const DnnlEpilogue& epilogue);

    void run(DnnlContext& context, const void* input, void* output);

  private:
    dnnl::primitive primitive_;
    dnnl::memory source_;
    dnnl::memory target_;
    dnnl::memory weights_;
    dnnl::memory bias_;
    dnnl::memory::desc scratch_;
    std::unordered_map<int, dnnl::memory> arguments_;
};

// While it lives, OpenMP, over which oneDNN spreads its work, has one thread for this caller; then as many as
// before.
class OneOpenMpThread {
  public:
    OneOpenMpThread();
    ~OneOpenMpThread();
    OneOpenMpThread(const OneOpenMpThread&) = delete;
    OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;

  private:
    int before_;
};

}  // namespace scholar::nets
