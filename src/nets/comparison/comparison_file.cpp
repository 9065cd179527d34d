#include "nets/comparison/comparison_file.hpp"

#include <fmt/ranges.h>
#include <utility>

#include "nets/container/network_metadata.hpp"
#include "nets/container/weights_in_file.hpp"

namespace scholar::nets {

namespace {

constexpr std::string_view kComparisonVersion = "1";
constexpr std::string_view kComparisonActivation = "relu";

base::Result<ComparisonForm> take_form(const TensorFile& file) {
    const auto text = file.meta("form");
    if (!text) return std::unexpected(text.error());
    for (const ComparisonForm form :
         {ComparisonForm::Pair, ComparisonForm::Antisymmetric, ComparisonForm::Split})
        if (*text == to_string(form)) return form;
    return base::fail("form '{}', expected one of: pair, antisymmetric, split", *text);
}

base::Result<ComparisonShape> take_comparison_shape(const TensorFile& file) {
    if (auto status = expect_entry(file, "inputs", fmt::format("{}", kComparisonBits)); !status)
        return std::unexpected(status.error());
    if (auto status = expect_entry(file, "activation", kComparisonActivation); !status)
        return std::unexpected(status.error());
    const auto form = take_form(file);
    if (!form) return std::unexpected(form.error());
    auto encoder = take_integers(file, "encoder");
    if (!encoder) return std::unexpected(encoder.error());
    auto head = take_integers(file, "head");
    if (!head) return std::unexpected(head.error());
    ComparisonShape shape{std::move(*encoder), std::move(*head), *form};
    if (auto status = check_shape(shape); !status) return std::unexpected(status.error());
    return shape;
}

}  // namespace

base::Result<ComparisonNetwork> to_comparison_network(const TensorFile& file) {
    if (auto status = expect_architecture(file, kComparison, kComparisonVersion); !status)
        return std::unexpected(status.error());
    const auto shape = take_comparison_shape(file);
    if (!shape) return std::unexpected(shape.error());
    ComparisonNetwork network = empty_comparison_network(*shape);
    if (auto status = take_piece_values_and_history(file, network.info); !status)
        return std::unexpected(status.error());
    return with_weights(file, std::move(network));
}

base::Result<TensorFile> to_tensor_file(const ComparisonNetwork& network) {
    if (auto status = check_network(network); !status) return std::unexpected(status.error());
    const ComparisonShape& shape = network.info.shape;
    TensorFile file;
    put_common_metadata(file, kComparison, kComparisonVersion, network.info.piece_values,
                        network.info.history);
    file.metadata["inputs"] = fmt::format("{}", kComparisonBits);
    file.metadata["activation"] = kComparisonActivation;
    file.metadata["form"] = to_string(shape.form);
    file.metadata["encoder"] = fmt::format("{}", fmt::join(shape.encoder, " "));
    file.metadata["head"] = fmt::format("{}", fmt::join(shape.head, " "));
    put_weights(file, network);
    return file;
}

base::Status save_network(const std::filesystem::path& path, const ComparisonNetwork& network) {
    return write_tensors(path, to_tensor_file(network));
}

}  // namespace scholar::nets
