#include "learning/perspective/export.hpp"

#include <algorithm>
#include <cmath>

#include "learning/perspective/piece_values.hpp"
#include "learning/run/run_files.hpp"
#include "nets/perspective/network_file.hpp"

namespace scholar::learning {

base::Result<Export> prepare_export(const Model& model, const ValidationSet& validation, std::uint64_t seed,
                                    const std::map<std::string, std::string>& history) {
    constexpr std::size_t compared = 100'000;
    constexpr std::size_t measured = 10'000;
    const std::span samples(validation.samples());

    nets::FloatNetwork trained = model.network();
    trained.info.history = history;
    trained.info.piece_values =
        measure_piece_values(model, samples.first(std::min(samples.size(), measured)), seed);
    auto quantised = nets::quantise(trained);
    if (!quantised) return std::unexpected(quantised.error());

    const std::size_t count = std::min(samples.size(), compared);
    const std::vector<float> logits = model.logits(validation.batch().slice(0, count));
    // Rounding hundreds of output weights leaves an error that is much the same in every position: it goes
    // into the bias. The network is then rounded again, so that its bounds are checked and reported as it is.
    const double unit = quantised->network.output_unit();
    const std::vector<double> biases = compare(quantised->network, samples.first(count), logits).bias;
    nets::FloatNetwork centred = trained;
    for (std::size_t bucket = 0; bucket < biases.size(); ++bucket) {
        const double error = std::round(biases[bucket] / chess::Score::kScale * unit);
        centred.output_bias[bucket] =
            static_cast<float>((quantised->network.output_bias[bucket] - error) / unit);
    }
    quantised = nets::quantise(centred);
    if (!quantised) return std::unexpected(quantised.error());
    const Agreement agreement = compare(quantised->network, samples.first(count), logits);
    for (nets::NetworkInfo* info : {&trained.info, &quantised->network.info}) {
        info->history["agreement_positions"] = fmt::format("{}", agreement.positions);
        info->history["agreement_mean_difference"] = fmt::format("{:.3f}", agreement.mean_difference);
        info->history["agreement_largest_difference"] = fmt::format("{:.1f}", agreement.largest_difference);
    }
    return Export{std::move(trained), std::move(*quantised), agreement};
}

base::Status write_export(const Export& result, const std::filesystem::path& folder,
                          const ExportLimits& limits) {
    if (auto s = nets::save_network(folder / kFloatNetworkFile, result.trained); !s) return s;
    const Agreement& agreement = result.agreement;
    if (agreement.mean_difference > limits.largest_mean_difference ||
        agreement.largest_difference > limits.largest_difference)
        return base::fail(
            "the quantised network differs from the float one by {:.2f} in the mean and {:.1f} at most, in "
            "Score units; expected at most {} and {} ([export] largest_mean_difference, largest_difference); "
            "only network-float.safetensors was written",
            agreement.mean_difference, agreement.largest_difference, limits.largest_mean_difference,
            limits.largest_difference);
    return nets::save_network(folder / kNetworkFile, result.quantised.network);
}

std::string to_table(const Export& result) {
    const nets::QuantisationReport& report = result.quantised.report;
    const nets::PieceValues& values = result.trained.info.piece_values;
    std::string text;
    text += fmt::format("piece values        pawn {}, knight {}, bishop {}, rook {}, queen {}\n", values[0],
                        values[1], values[2], values[3], values[4]);
    text +=
        fmt::format("quantisation        largest weight {:.2f} in the transformer, {:.2f} in the output\n",
                    report.largest_transformer, report.largest_output);
    text += fmt::format("                    largest sum {} of 32767, output {} of 2147483647\n",
                        report.transformer_bound, report.output_bound);
    if (!result.trained.hidden.empty())
        text += fmt::format(
            "                    hidden layers: largest weight {:.2f}, largest sum {} of 2147483647\n",
            report.largest_hidden, report.hidden_bound);
    text += fmt::format("                    {} rows of zeros, {} dead units\n", report.zero_rows,
                        report.dead_units);
    text += fmt::format(
        "float and quantised {} positions: mean difference {:.2f}, largest {:.1f} (Score units)",
        result.agreement.positions, result.agreement.mean_difference, result.agreement.largest_difference);
    return text;
}

}  // namespace scholar::learning
