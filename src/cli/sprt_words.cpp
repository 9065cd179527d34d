#include "cli/sprt_words.hpp"

#include "base/text.hpp"
#include "cli/engine_words.hpp"

namespace scholar::cli {

base::Result<arena::SprtSettings> parse_sprt(std::string_view text) {
    const auto settings = split_settings("--sprt", text);
    if (!settings) return std::unexpected(settings.error());
    arena::SprtSettings sprt;
    bool has_elo0 = false, has_elo1 = false;
    for (const auto& [key, value] : *settings) {
        if (key == "model") {
            if (value == "logistic")
                sprt.model = arena::EloModel::Logistic;
            else if (value == "normalized" || value == "normalised")
                sprt.model = arena::EloModel::Normalised;
            else
                return base::fail("--sprt: model is '{}', expected logistic or normalised", value);
            continue;
        }
        double* into = key == "elo0"    ? &sprt.elo0
                       : key == "elo1"  ? &sprt.elo1
                       : key == "alpha" ? &sprt.alpha
                       : key == "beta"  ? &sprt.beta
                                        : nullptr;
        if (into == nullptr)
            return base::fail("--sprt: key '{}', expected elo0, elo1, alpha, beta or model", key);
        const auto number = base::parse_number<double>(value);
        if (!number) return base::fail("--sprt: {} is '{}', expected a number", key, value);
        *into = *number;
        has_elo0 |= key == "elo0";
        has_elo1 |= key == "elo1";
    }
    if (!has_elo0 || !has_elo1) return base::fail("--sprt '{}': expected elo0 and elo1", text);
    if (auto status = arena::check_sprt(sprt); !status) return base::fail_in("--sprt", status.error());
    return sprt;
}

}  // namespace scholar::cli
