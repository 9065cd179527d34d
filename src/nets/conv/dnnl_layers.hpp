#pragma once

#include <cstddef>
#include <dnnl.hpp>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "nets/aligned.hpp"
#include "nets/conv/activation_layout.hpp"
#include "nets/conv/conv_network.hpp"
#include "nets/conv/winograd.hpp"

// Layers as oneDNN works them out, for a fixed number of positions. All of these throw dnnl::error.

namespace scholar::nets {

// What layers of one caller share: the processor as oneDNN sees it, and memory that a layer needs while it
// works.
struct DnnlContext {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    AlignedVector<std::byte> scratch;
    // Weights in the orders that kernels wanted, by where they came from: layers for another number of
    // positions often want the same.
    struct Ordered {
        const ConvLayer* from;
        dnnl::memory memory;
    };
    std::vector<Ordered> weights;
    // And those of our own kernels (BodyLayer).
    std::unordered_map<const ConvLayer*, std::shared_ptr<const AlignedVector<float>>> points;
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
        int size;  // 1 or 3: a convolution of so many squares a side. 0: dense, whatever the layout is
        dnnl::memory::data_type reads;
        dnnl::memory::data_type writes;
        ActivationLayout layout;
    };
    // A dense layer's inputs are in the order in which they lie. `layer` must live as long as the context.
    DnnlLayer(DnnlContext& context, const Shape& shape, const ConvLayer& layer, const DnnlEpilogue& epilogue);

    void run(DnnlContext& context, const void* input, void* output);
    // "jit_wino_4x3:avx512_core", …: how oneDNN calls what it chose.
    const std::string& kernel() const { return kernel_; }

  private:
    void prepare_activation(DnnlContext& context, const ConvLayer& layer, ConvActivation activation);

    dnnl::primitive primitive_;
    std::optional<dnnl::primitive> activation_;  // in place, where it is a step of its own
    std::unordered_map<int, dnnl::memory> activation_arguments_;
    std::string kernel_;
    dnnl::memory source_;
    dnnl::memory target_;
    dnnl::memory weights_;
    dnnl::memory bias_;
    dnnl::memory::desc scratch_;
    std::unordered_map<int, dnnl::memory> arguments_;
};

// A convolution of the body, or of a policy's planes: by our own minimal filtering where that can do it and
// activations are not in blocks, that is where has_winograd() says no; else by oneDNN. `layer` is read at
// every run.
class BodyLayer {
  public:
    // As a DnnlLayer.
    BodyLayer(DnnlContext& context, const DnnlLayer::Shape& shape, const ConvLayer& layer,
              const DnnlEpilogue& epilogue);
    void run(DnnlContext& context, const void* input, void* output);

  private:
    struct Filtering {
        WinogradShape shape;
        std::size_t positions;
        std::shared_ptr<const AlignedVector<float>> points;
        WinogradEpilogue epilogue;
    };
    std::optional<DnnlLayer> dnnl_;
    std::optional<Filtering> filtering_;
};

// Whether this processor has Winograd's convolutions (Lavin and Gray 2016), which save more than half of the
// products, for so many filters in float32.
bool has_winograd(DnnlContext& context, int filters);

// What came of work with layers, which may throw.
template <class Work>
base::Status dnnl_status(Work work) {
    try {
        work();
        return {};
    } catch (const dnnl::error& error) {
        return base::fail("oneDNN: {}", error.what());
    } catch (const std::bad_alloc&) {
        return base::fail("no memory left for the layers of a convolutional network");
    }
}

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
