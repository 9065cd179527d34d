#include "learning/conv/board_convolution.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <cstddef>
#include <torch/csrc/autograd/custom_function.h>
#include <vector>

#include "nets/conv/winograd.hpp"

namespace scholar::learning {

namespace {

using nets::WinogradShape;

constexpr std::size_t kBoardNumbers = 64;
constexpr std::int64_t kBoardSide = 8;

std::size_t size_of(const at::Tensor& tensor, std::int64_t dimension) {
    return static_cast<std::size_t>(tensor.size(dimension));
}

WinogradShape shape_of(const at::Tensor& weight) {
    return {size_of(weight, 1), size_of(weight, 0)};
}

at::Tensor board_by_board(const at::Tensor& tensor) {
    return tensor.contiguous(at::MemoryFormat::ChannelsLast);
}

// work(part, first, count): positions shared out among libtorch's threads, one part each.
template <class Work>
void in_parts(std::size_t positions, Work work) {
    const std::size_t parts = static_cast<std::size_t>(at::get_num_threads());
    at::parallel_for(0, static_cast<std::int64_t>(parts), 1, [&](std::int64_t from, std::int64_t to) {
        for (auto part = static_cast<std::size_t>(from); part < static_cast<std::size_t>(to); ++part) {
            const std::size_t first = positions * part / parts;
            work(part, first, positions * (part + 1) / parts - first);
        }
    });
}

at::Tensor convolve(const WinogradShape& shape, const std::vector<float>& points, const at::Tensor& inputs) {
    const at::Tensor in = board_by_board(inputs);
    at::Tensor out = at::empty({in.size(0), static_cast<std::int64_t>(shape.outputs), kBoardSide, kBoardSide},
                               in.options().memory_format(at::MemoryFormat::ChannelsLast));
    const float* from = in.data_ptr<float>();
    float* to = out.data_ptr<float>();
    in_parts(size_of(in, 0), [&](std::size_t, std::size_t first, std::size_t count) {
        std::vector<float> scratch(winograd_scratch(shape));
        winograd_convolve(shape, points.data(), from + first * kBoardNumbers * shape.inputs, count,
                          to + first * kBoardNumbers * shape.outputs, scratch.data());
    });
    return out;
}

at::Tensor gradient_of_inputs(const at::Tensor& gradient, const at::Tensor& weight) {
    const WinogradShape shape = shape_of(weight);
    std::vector<float> points(shape.weights());
    winograd_turned_weights(shape, weight.data_ptr<float>(), points.data());
    return convolve(shape.turned(), points, gradient);
}

at::Tensor gradient_of_weights(const at::Tensor& gradient, const at::Tensor& inputs,
                               const at::Tensor& weight) {
    const WinogradShape shape = shape_of(weight);
    const at::Tensor in = board_by_board(inputs);
    const at::Tensor of_out = board_by_board(gradient);
    const auto parts = static_cast<std::size_t>(at::get_num_threads());
    std::vector<std::vector<float>> sums(parts);
    const float* from = in.data_ptr<float>();
    const float* by = of_out.data_ptr<float>();
    in_parts(size_of(in, 0), [&](std::size_t part, std::size_t first, std::size_t count) {
        std::vector<float> scratch(winograd_scratch(shape));
        sums[part].resize(shape.weights());
        winograd_gradient(shape, from + first * kBoardNumbers * shape.inputs,
                          by + first * kBoardNumbers * shape.outputs, count, sums[part].data(),
                          scratch.data());
    });
    for (std::size_t part = 1; part < parts; ++part)
        for (std::size_t i = 0; i < sums[0].size(); ++i) sums[0][i] += sums[part][i];
    at::Tensor result = at::empty_like(weight, at::MemoryFormat::Contiguous);
    winograd_gradient_of_weights(shape, sums[0].data(), result.data_ptr<float>());
    return result;
}

// Inputs and outputs in multiples of nets::kWinogradMultiple.
class BoardConvolution : public torch::autograd::Function<BoardConvolution> {
  public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& inputs,
                              const at::Tensor& weight) {
        context->save_for_backward({inputs, weight});
        const WinogradShape shape = shape_of(weight);
        std::vector<float> points(shape.weights());
        winograd_weights(shape, weight.contiguous().data_ptr<float>(), points.data());
        return convolve(shape, points, inputs);
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor weight = saved[1].contiguous();
        torch::autograd::variable_list result(2);
        if (context->needs_input_grad(0)) result[0] = gradient_of_inputs(gradients[0], weight);
        if (context->needs_input_grad(1)) result[1] = gradient_of_weights(gradients[0], saved[0], weight);
        return result;
    }
};

}  // namespace

bool is_board_convolution(const at::Tensor& inputs, const at::Tensor& weight) {
    return inputs.scalar_type() == at::kFloat && inputs.is_cpu() && inputs.dim() == 4 &&
           inputs.size(2) == kBoardSide && inputs.size(3) == kBoardSide && weight.size(2) == 3 &&
           weight.size(3) == 3 && weight.size(0) % nets::kWinogradMultiple == 0;
}

at::Tensor board_convolution(const at::Tensor& inputs, const at::Tensor& weight) {
    const std::int64_t filters = weight.size(1);
    const std::int64_t missing =
        (nets::kWinogradMultiple - filters % nets::kWinogradMultiple) % nets::kWinogradMultiple;
    if (missing == 0) return BoardConvolution::apply(inputs, weight);
    // Filters of 0 beside those that there are: the first layer's are planes, of whatever number.
    const auto filled = [missing](const at::Tensor& tensor) {
        return at::constant_pad_nd(tensor, {0, 0, 0, 0, 0, missing});
    };
    return BoardConvolution::apply(filled(inputs), filled(weight));
}

}  // namespace scholar::learning
