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

// What is a step of its own: convolutions that take the hyperbolic tangent with them are some hundred times
// slower, and Winograd's do not take slopes by filter.
bool is_own_step(const DnnlEpilogue& epilogue) {
    return epilogue.activation == ConvActivation::Tanh || epilogue.activation == ConvActivation::Prelu;
}

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
memory reordered(DnnlContext& context, const std::vector<float>& numbers, const memory::desc& from,
                 const memory::desc& to) {
    // oneDNN takes what it reads by a pointer to what may change, and does not change it.
    memory source(from, context.engine, const_cast<float*>(numbers.data()));  // NOLINT
    memory target(to, context.engine);
    dnnl::reorder(source, target).execute(context.stream, source, target);
    context.stream.wait();
    return target;
}

memory ordered_weights(DnnlContext& context, const ConvLayer& layer, const memory::desc& from,
                       const memory::desc& to) {
    for (const DnnlContext::Ordered& known : context.weights)
        if (known.from == &layer && known.memory.get_desc() == to) return known.memory;
    context.weights.push_back({&layer, reordered(context, layer.weight, from, to)});
    return context.weights.back().memory;
}

constexpr auto kInference = dnnl::prop_kind::forward_inference;

// Empty where oneDNN has none by this algorithm.
dnnl::convolution_forward::primitive_desc describe_convolution(const DnnlContext& context,
                                                               const DnnlLayer::Shape& shape,
                                                               const dnnl::primitive_attr& attributes,
                                                               dnnl::algorithm algorithm) {
    constexpr memory::dim side = 8;
    constexpr bool may_be_empty = true;
    const Tag tag = shape.layout.in_blocks() ? Tag::nChw16c : Tag::nhwc;
    const memory::dims edge{shape.size / 2, shape.size / 2};
    const memory::desc source({shape.positions, shape.inputs, side, side}, shape.reads, tag);
    const memory::desc target({shape.positions, shape.outputs, side, side}, shape.writes, tag);
    const memory::desc weights({shape.outputs, shape.inputs, shape.size, shape.size}, shape.reads, Tag::any);
    const memory::desc bias({shape.outputs}, memory::data_type::f32, Tag::x);
    return {{kInference, algorithm, source, weights, bias, target, {1, 1}, edge, edge},
            attributes,
            context.engine,
            may_be_empty};
}

bool is_empty(const dnnl::primitive_desc_base& description) {
    constexpr bool may_be_empty = true;
    return description.get(may_be_empty) == nullptr;
}

// By Winograd's algorithm if that can be had: not for all that is done with the sums, nor for all numbers of
// filters.
dnnl::convolution_forward::primitive_desc describe_convolution(const DnnlContext& context,
                                                               const DnnlLayer::Shape& shape,
                                                               const dnnl::primitive_attr& attributes) {
    using dnnl::algorithm;
    if (shape.size == 3 && shape.layout.in_blocks()) {
        auto winograd = describe_convolution(context, shape, attributes, algorithm::convolution_winograd);
        if (!is_empty(winograd)) return winograd;
    }
    auto direct = describe_convolution(context, shape, attributes, algorithm::convolution_direct);
    if (is_empty(direct)) throw dnnl::error(dnnl_unimplemented, "no convolution of this form");
    return direct;
}

dnnl::inner_product_forward::primitive_desc describe_dense(const DnnlContext& context,
                                                           const DnnlLayer::Shape& shape,
                                                           const dnnl::primitive_attr& attributes) {
    const memory::desc source({shape.positions, shape.inputs}, shape.reads, Tag::nc);
    const memory::desc target({shape.positions, shape.outputs}, shape.writes, Tag::nc);
    const memory::desc weights({shape.outputs, shape.inputs}, shape.reads, Tag::any);
    const memory::desc bias({shape.outputs}, memory::data_type::f32, Tag::x);
    return {{kInference, source, weights, bias, target}, attributes, context.engine};
}

}  // namespace

DnnlLayer::DnnlLayer(DnnlContext& context, const Shape& shape, const ConvLayer& layer,
                     const DnnlEpilogue& epilogue) {
    const auto f32 = memory::data_type::f32;
    const memory::dim outputs = shape.outputs;
    const memory::desc bias_desc({outputs}, f32, Tag::x);
    const auto attributes = attributes_of(epilogue);
    const auto prepare = [&](const auto& description, const memory::desc& given) {
        primitive_ = dnnl::primitive(description);
        kernel_ = description.impl_info_str();
        weights_ = ordered_weights(context, layer, given, description.weights_desc());
        bias_ = reordered(context, layer.bias, bias_desc, bias_desc);
        source_ = memory(description.src_desc(), context.engine, nullptr);
        target_ = memory(description.dst_desc(), context.engine, nullptr);
        scratch_ = description.scratchpad_desc();
    };
    if (shape.size == 0)
        prepare(describe_dense(context, shape, attributes),
                memory::desc({outputs, shape.inputs}, f32, Tag::oi));
    else
        prepare(describe_convolution(context, shape, attributes),
                memory::desc({outputs, shape.inputs, shape.size, shape.size}, f32, Tag::oihw));
    if (is_own_step(epilogue)) prepare_activation(context, layer, *epilogue.activation);
    context.scratch.resize(std::max(context.scratch.size(), scratch_.get_size()));
    arguments_ = {{DNNL_ARG_SRC, source_},
                  {DNNL_ARG_DST, target_},
                  {DNNL_ARG_WEIGHTS, weights_},
                  {DNNL_ARG_BIAS, bias_},
                  {DNNL_ARG_SCRATCHPAD, memory(scratch_, context.engine, nullptr)}};
}

void DnnlLayer::prepare_activation(DnnlContext& context, const ConvLayer& layer, ConvActivation activation) {
    const memory::desc numbers = target_.get_desc();
    activation_arguments_ = {{DNNL_ARG_SRC, target_}, {DNNL_ARG_DST, target_}};
    if (activation == ConvActivation::Tanh) {
        activation_ = dnnl::eltwise_forward(
            {{kInference, dnnl::algorithm::eltwise_tanh, numbers, 0, 0}, context.engine});
        return;
    }
    // One for each filter or unit, whatever the square.
    memory::dims extents(numbers.dims().size(), 1);
    extents[1] = static_cast<memory::dim>(layer.slope.size());
    const auto f32 = memory::data_type::f32;
    const dnnl::prelu_forward::primitive_desc description(
        {kInference, numbers, memory::desc(extents, f32, Tag::any)}, context.engine);
    activation_ = dnnl::primitive(description);
    const Tag given = extents.size() == 2 ? Tag::nc : Tag::nchw;
    activation_arguments_[DNNL_ARG_WEIGHTS] =
        reordered(context, layer.slope, memory::desc(extents, f32, given), description.weights_desc());
}

bool has_winograd(DnnlContext& context, int filters) {
    const auto f32 = memory::data_type::f32;
    return !is_empty(describe_convolution(context,
                                          {16, filters, filters, 3, f32, f32, ActivationLayout(true)}, {},
                                          dnnl::algorithm::convolution_winograd));
}

void DnnlLayer::run(DnnlContext& context, const void* input, void* output) {
    source_.set_data_handle(const_cast<void*>(input));  // NOLINT: as reordered()
    target_.set_data_handle(output);
    arguments_.at(DNNL_ARG_SCRATCHPAD).set_data_handle(context.scratch.data());
    primitive_.execute(context.stream, arguments_);
    if (activation_) activation_->execute(context.stream, activation_arguments_);
    context.stream.wait();
}

namespace {

bool is_for_filtering(const DnnlLayer::Shape& shape, const DnnlEpilogue& epilogue) {
    const auto f32 = memory::data_type::f32;
    const auto activation = epilogue.activation;
    const bool is_taken_along =
        !activation || *activation == ConvActivation::Relu || *activation == ConvActivation::Prelu;
    return shape.size == 3 && shape.reads == f32 && shape.writes == f32 && !shape.layout.in_blocks() &&
           is_taken_along && shape.inputs % kWinogradMultiple == 0 && shape.outputs % kWinogradMultiple == 0;
}

}  // namespace

BodyLayer::BodyLayer(DnnlContext& context, const DnnlLayer::Shape& shape, const ConvLayer& layer,
                     const DnnlEpilogue& epilogue) {
    if (!is_for_filtering(shape, epilogue)) {
        dnnl_.emplace(context, shape, layer, epilogue);
        return;
    }
    const WinogradShape filters{static_cast<std::size_t>(shape.inputs),
                                static_cast<std::size_t>(shape.outputs)};
    auto& points = context.points[&layer];
    if (!points) {
        AlignedVector<float> made(filters.weights());
        winograd_weights(filters, layer.weight.data(), made.data());
        points = std::make_shared<const AlignedVector<float>>(std::move(made));
    }
    context.scratch.resize(std::max(context.scratch.size(), sizeof(float) * winograd_scratch(filters)));
    filtering_ = {filters,
                  static_cast<std::size_t>(shape.positions),
                  points,
                  {.bias = layer.bias.data(),
                   .adds = epilogue.adds,
                   .rectifies = epilogue.activation == ConvActivation::Relu,
                   .slope = epilogue.activation == ConvActivation::Prelu ? layer.slope.data() : nullptr}};
}

void BodyLayer::run(DnnlContext& context, const void* input, void* output) {
    if (dnnl_) return dnnl_->run(context, input, output);
    winograd_convolve(filtering_->shape, filtering_->points->data(), static_cast<const float*>(input),
                      filtering_->positions, static_cast<float*>(output),
                      reinterpret_cast<float*>(context.scratch.data()), filtering_->epilogue);
}

OneOpenMpThread::OneOpenMpThread() : before_(omp_get_max_threads()) {
    omp_set_num_threads(1);
}
OneOpenMpThread::~OneOpenMpThread() {
    omp_set_num_threads(before_);
}

}  // namespace scholar::nets
