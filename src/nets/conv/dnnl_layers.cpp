#include "nets/conv/dnnl_layers.hpp"

#include <algorithm>

// Of OpenMP's runtime library, which oneDNN is linked with. Its header comes with some compilers only.
extern "C" {
int omp_get_max_threads();
void omp_set_num_threads(int count);
}

namespace scholar::nets {

namespace {

using dnnl::memory;
using Tag = memory::format_tag;

dnnl::primitive_attr attributes_of(const DnnlEpilogue& epilogue) {
    dnnl::post_ops operations;
    if (epilogue.adds) operations.append_sum();
    if (epilogue.activation == ConvActivation::Relu)
        operations.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
    if (epilogue.activation == ConvActivation::Mish)
        operations.append_eltwise(1, dnnl::algorithm::eltwise_mish, 0, 0);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(operations);
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
}

// The numbers in the order and type that a kernel wants.
memory reordered(DnnlContext& context, std::span<const float> numbers, const memory::desc& from,
                 const memory::desc& to) {
    // oneDNN takes what it reads by a pointer to what may change, and does not change it.
    memory source(from, context.engine, const_cast<float*>(numbers.data()));  // NOLINT
    memory target(to, context.engine);
    dnnl::reorder(source, target).execute(context.stream, source, target);
    context.stream.wait();
    return target;
}

}  // namespace

DnnlLayer::DnnlLayer(DnnlContext& context, const Shape& shape, std::span<const float> weight,
                     std::span<const float> bias, const DnnlEpilogue& epilogue) {
    const auto f32 = memory::data_type::f32;
    const memory::dim positions = shape.positions;
    const memory::dim inputs = shape.inputs;
    const memory::dim outputs = shape.outputs;
    const memory::dim size = shape.size;
    const memory::desc bias_desc({outputs}, f32, Tag::x);
    const auto kind = dnnl::prop_kind::forward_inference;
    const auto attributes = attributes_of(epilogue);
    const auto prepare = [&](const auto& description, const memory::desc& given) {
        primitive_ = dnnl::primitive(description);
        weights_ = reordered(context, weight, given, description.weights_desc());
        bias_ = reordered(context, bias, bias_desc, bias_desc);
        source_ = memory(description.src_desc(), context.engine, nullptr);
        target_ = memory(description.dst_desc(), context.engine, nullptr);
        scratch_ = description.scratchpad_desc();
    };
    if (size == 0) {
        const memory::desc source({positions, inputs}, shape.reads, Tag::nc);
        const memory::desc target({positions, outputs}, shape.writes, Tag::nc);
        const memory::desc weights({outputs, inputs}, shape.reads, Tag::any);
        prepare(dnnl::inner_product_forward::primitive_desc({kind, source, weights, bias_desc, target},
                                                            attributes, context.engine),
                memory::desc({outputs, inputs}, f32, Tag::oi));
    } else {
        constexpr memory::dim side = 8;
        const memory::dims edge{size / 2, size / 2};
        const memory::desc source({positions, inputs, side, side}, shape.reads, Tag::nhwc);
        const memory::desc target({positions, outputs, side, side}, shape.writes, Tag::nhwc);
        const memory::desc weights({outputs, inputs, size, size}, shape.reads, Tag::any);
        prepare(dnnl::convolution_forward::primitive_desc({kind, dnnl::algorithm::convolution_direct, source,
                                                           weights, bias_desc, target, {1, 1}, edge, edge},
                                                          attributes, context.engine),
                memory::desc({outputs, inputs, size, size}, f32, Tag::oihw));
    }
    context.scratch.resize(std::max(context.scratch.size(), scratch_.get_size()));
    arguments_ = {{DNNL_ARG_SRC, source_},
                  {DNNL_ARG_DST, target_},
                  {DNNL_ARG_WEIGHTS, weights_},
                  {DNNL_ARG_BIAS, bias_},
                  {DNNL_ARG_SCRATCHPAD, memory(scratch_, context.engine, nullptr)}};
}

void DnnlLayer::run(DnnlContext& context, const void* input, void* output) {
    source_.set_data_handle(const_cast<void*>(input));  // NOLINT: as reordered()
    target_.set_data_handle(output);
    arguments_.at(DNNL_ARG_SCRATCHPAD).set_data_handle(context.scratch.data());
    primitive_.execute(context.stream, arguments_);
    context.stream.wait();
}

OneOpenMpThread::OneOpenMpThread() : before_(omp_get_max_threads()) {
    omp_set_num_threads(1);
}
OneOpenMpThread::~OneOpenMpThread() {
    omp_set_num_threads(before_);
}

}  // namespace scholar::nets
