#include "learning/run/tensors_in_file.hpp"

#include <ATen/ATen.h>
#include <cstring>

namespace scholar::learning {

namespace {

// As the file has it: [elements] of floats, [bytes] of anything else.
struct Stored {
    nets::Dtype dtype;
    std::vector<std::int64_t> shape;
};

Stored stored_as(const at::Tensor& tensor) {
    if (tensor.scalar_type() == at::kFloat) return {nets::Dtype::F32, tensor.sizes().vec()};
    return {nets::Dtype::I8, {static_cast<std::int64_t>(tensor.nbytes())}};
}

}  // namespace

std::vector<float> floats_of(const at::Tensor& tensor) {
    const at::Tensor here = tensor.detach().to(at::kCPU, at::kFloat).contiguous();
    const float* const begin = here.data_ptr<float>();
    return {begin, begin + here.numel()};
}

void put_tensor(nets::TensorFile& file, const std::string& name, const at::Tensor& tensor) {
    const at::Tensor here = tensor.detach().cpu().contiguous();
    const auto* bytes = static_cast<const std::byte*>(here.data_ptr());
    Stored form = stored_as(here);
    file.tensors[name] = {form.dtype, std::move(form.shape), {bytes, bytes + here.nbytes()}};
}

base::Result<at::Tensor> take_tensor(const nets::TensorFile& file, const std::string& name,
                                     const at::Tensor& like) {
    const Stored form = stored_as(like);
    const auto tensor = file.tensor(name, form.dtype, form.shape);
    if (!tensor) return std::unexpected(tensor.error());
    at::Tensor here = at::empty(like.sizes(), at::TensorOptions(like.scalar_type()));
    if (!(*tensor)->bytes.empty())
        std::memcpy(here.data_ptr(), (*tensor)->bytes.data(), (*tensor)->bytes.size());
    return here.to(like.device());
}

}  // namespace scholar::learning
