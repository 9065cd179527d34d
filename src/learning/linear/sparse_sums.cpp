#include "learning/linear/sparse_sums.hpp"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

namespace scholar::learning {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// use(entry, position), of all entries in order.
template <class Use>
void for_each_entry(const at::Tensor& indices, const at::Tensor& begins, Use use) {
    const std::int64_t* const begin = begins.data_ptr<std::int64_t>();
    const std::int64_t positions = begins.size(0);
    for (std::int64_t position = 0; position < positions; ++position) {
        const std::int64_t end = position + 1 < positions ? begin[position + 1] : indices.size(0);
        for (std::int64_t entry = begin[position]; entry < end; ++entry) use(entry, position);
    }
}

class SparseSums : public torch::autograd::Function<SparseSums> {
  public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& weights, const at::Tensor& indices,
                              const at::Tensor& slopes, const at::Tensor& begins) {
        context->save_for_backward({weights, indices, slopes, begins});
        const at::Tensor in = weights.contiguous();
        at::Tensor sums = at::zeros({begins.size(0)}, weights.options());
        const float* const weight = in.data_ptr<float>();
        const std::int64_t* const index = indices.data_ptr<std::int64_t>();
        const float* const slope = slopes.data_ptr<float>();
        float* const sum = sums.data_ptr<float>();
        for_each_entry(indices, begins, [&](std::int64_t entry, std::int64_t position) {
            sum[position] += weight[index[entry]] * slope[entry];
        });
        return sums;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor& indices = saved[1];
        const at::Tensor of_sums = gradients[0].contiguous();
        at::Tensor of_weights = at::zeros_like(saved[0], at::MemoryFormat::Contiguous);
        const std::int64_t* const index = indices.data_ptr<std::int64_t>();
        const float* const slope = saved[2].data_ptr<float>();
        const float* const of_sum = of_sums.data_ptr<float>();
        float* const of_weight = of_weights.data_ptr<float>();
        for_each_entry(indices, saved[3], [&](std::int64_t entry, std::int64_t position) {
            of_weight[index[entry]] += of_sum[position] * slope[entry];
        });
        return {of_weights, at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor sparse_sums(const at::Tensor& weights, const at::Tensor& indices, const at::Tensor& slopes,
                       const at::Tensor& begins) {
    return SparseSums::apply(weights, indices, slopes, begins);
}

}  // namespace scholar::learning
