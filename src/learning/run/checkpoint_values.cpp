#include "learning/run/checkpoint_values.hpp"

#include <charconv>
#include <fmt/format.h>

namespace scholar::learning {

void put_floats(nets::TensorFile& file, const std::string& name, std::span<const float> values) {
    file.tensors[name] =
        nets::Tensor::from<float>(nets::Dtype::F32, {static_cast<std::int64_t>(values.size())}, values);
}

base::Status take_floats(const nets::TensorFile& file, const std::string& name, std::size_t count,
                         std::vector<float>& out) {
    const auto tensor = file.tensor(name, nets::Dtype::F32, {static_cast<std::int64_t>(count)});
    if (!tensor) return std::unexpected(tensor.error());
    const auto values = (*tensor)->as<float>();
    out.assign(values.begin(), values.end());
    return {};
}

base::Status expect_kind(const nets::TensorFile& file, std::string_view kind, std::string_view version) {
    for (const auto& [key, expected] : {std::pair{"kind", kind}, {"version", version}}) {
        const auto value = file.meta(key);
        if (!value) return std::unexpected(value.error());
        if (*value != expected) return base::fail("{} '{}', expected '{}'", key, *value, expected);
    }
    return {};
}

base::Result<std::uint64_t> take_number(const nets::TensorFile& file, const std::string& key) {
    const auto text = file.meta(key);
    if (!text) return std::unexpected(text.error());
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc() || end != text->data() + text->size())
        return base::fail("{} '{}', expected a whole number", key, *text);
    return value;
}

base::Status take_numbers(const nets::TensorFile& file,
                          std::initializer_list<std::pair<const char*, std::uint64_t*>> into) {
    for (const auto& [key, out] : into) {
        const auto value = take_number(file, key);
        if (!value) return std::unexpected(value.error());
        *out = *value;
    }
    return {};
}

}  // namespace scholar::learning
