#include "learning/training/torch_network.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <fmt/ranges.h>
#include <set>

#include "learning/run/tensors_in_file.hpp"

namespace scholar::learning {

namespace {

struct NamedTensor {
    std::string name;
    at::Tensor values;
};

// Parameters, then running statistics.
std::vector<NamedTensor> all_of(const TorchNetwork& network) {
    std::vector<NamedTensor> all;
    for (const auto& item : network.named_parameters()) all.push_back({item.key(), item.value()});
    for (const auto& item : network.named_buffers()) all.push_back({item.key(), item.value()});
    return all;
}

}  // namespace

bool holds(std::string_view part, std::string_view name) {
    if (part.empty() || part == name) return true;
    return name.starts_with(part) && name[part.size()] == '.';
}

base::Status check_part(const TorchNetwork& network, std::string_view part) {
    std::set<std::string> parts;
    for (const auto& item : network.named_parameters()) {
        if (holds(part, item.key())) return {};
        parts.insert(item.key().substr(0, item.key().find('.')));
    }
    return base::fail("'{}' is no part of the network, expected {}, or a part of one of them", part,
                      fmt::join(parts, ", "));
}

base::Status put_weights(nets::TensorFile& file, const TorchNetwork& network, std::string_view prefix) {
    for (const NamedTensor& each : all_of(network)) {
        if (each.values.is_floating_point() && !at::isfinite(each.values).all().item<bool>())
            return base::fail(
                "{} holds values that are not finite numbers, expected none: no file was written", each.name);
        put_tensor(file, fmt::format("{}{}", prefix, each.name), each.values);
    }
    return {};
}

base::Status take_weights(const nets::TensorFile& file, TorchNetwork& network, std::string_view prefix,
                          const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
        if (auto status = check_part(network, part); !status) return status;
    std::vector<std::pair<at::Tensor, at::Tensor>> taken;
    for (const NamedTensor& each : all_of(network)) {
        if (!parts.empty() &&
            std::ranges::none_of(parts, [&](const std::string& part) { return holds(part, each.name); }))
            continue;
        auto values = take_tensor(file, fmt::format("{}{}", prefix, each.name), each.values);
        if (!values) return std::unexpected(values.error());
        taken.emplace_back(each.values, std::move(*values));
    }
    const c10::NoGradGuard no_gradients;
    for (auto& [into, values] : taken) into.copy_(values);
    return {};
}

}  // namespace scholar::learning
