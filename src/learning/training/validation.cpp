#include "learning/training/validation.hpp"

#include <cmath>

namespace scholar::learning {

namespace {

games::Sampler::Options sampler_options(const Recipe& recipe, games::Split split, std::uint64_t seed) {
    games::Sampler::Options options;
    options.stores = recipe.data.stores;
    options.sampling = recipe.data.sampling;
    options.sampling.split = split;
    options.seed = seed;
    options.shuffle_buffer = recipe.data.shuffle_buffer;
    return options;
}

base::Result<std::vector<games::Sample>> draw(const games::Sampler::Options& options, std::size_t count) {
    auto sampler = games::Sampler::open(options);
    if (!sampler) return std::unexpected(sampler.error());
    sampler->start_epoch(0);
    std::vector<games::Sample> samples;
    samples.reserve(count);
    if (const auto drawn = sampler->next(count, samples); !drawn) return std::unexpected(drawn.error());
    return samples;
}

}  // namespace

base::Result<std::vector<games::Sample>> draw_validation(const Recipe& recipe) {
    auto samples =
        draw(sampler_options(recipe, games::Split::Validation, recipe.seed), recipe.validation_positions);
    if (samples && samples->empty())
        return base::fail(
            "no position of the validation games passes the filter: expected more games, or a larger "
            "validation_share");
    return samples;
}

base::Result<std::vector<games::Sample>> draw_training(const Recipe& recipe) {
    constexpr std::size_t sample_size = 500'000;
    auto samples = draw(sampler_options(recipe, games::Split::Train, recipe.seed + 1), sample_size);
    if (samples && samples->empty())
        return base::fail("no position of the training data passes the filter: expected at least one");
    return samples;
}

Baselines fit_baselines(const std::vector<games::Sample>& samples, const TargetRule& rule) {
    std::vector<Material> materials;
    std::vector<float> targets;
    std::vector<float> results;
    for (const games::Sample& sample : samples) {
        materials.push_back(material_of(sample.position));
        targets.push_back(rule.target(sample));
        results.push_back(sample.result);
    }
    return Baselines{fit_constant(targets), fit_constant(results), fit_material(materials, targets),
                     fit_material(materials, results), samples.size()};
}

ValidationSet::ValidationSet(std::vector<games::Sample> samples, std::vector<bool> unseen,
                             const nets::FeatureSet& features, const TargetRule& rule,
                             const Baselines& baselines)
    : samples_(std::move(samples)),
      unseen_(std::move(unseen)),
      batch_(encode(samples_, features, rule)),
      baselines_(baselines) {}

ValidationPart ValidationSet::part(std::span<const float> logits, bool only_unseen) const {
    struct Sums {
        LossSum network, constant, material;
        Comparison mean() const { return {network.mean(), constant.mean(), material.mean()}; }
    };
    Sums target;
    Sums result;
    ValidationPart part;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        if (only_unseen && !unseen_[i]) continue;
        ++part.positions;
        const Material material = material_of(samples_[i].position);
        const auto add = [&](Sums& sums, float wanted, double constant, const MaterialPredictor& predictor) {
            const auto truth = static_cast<double>(wanted);
            sums.network.add(static_cast<double>(logits[i]), truth);
            sums.constant.add(constant, truth);
            sums.material.add(predictor.logit(material), truth);
        };
        add(target, batch_.targets[i], baselines_.constant_target, baselines_.material_target);
        add(result, batch_.results[i], baselines_.constant_result, baselines_.material_result);
    }
    part.target = target.mean();
    part.result = result.mean();
    return part;
}

ValidationReport ValidationSet::report(std::span<const float> logits) const {
    return {part(logits, false), part(logits, true)};
}

std::string show_loss(double loss) {
    return std::isnan(loss) ? "none" : fmt::format("{:.5f}", loss);
}

std::string to_table(const ValidationReport& report) {
    std::string text = fmt::format("{:<26} {:>9}  {:>23}  {:>23}\n", "validation", "positions",
                                   "against the target", "against the result");
    text += fmt::format("{:<26} {:>9}  {:>13} {:>9}  {:>13} {:>9}\n", "", "", "cross-entropy", "sq. error",
                        "cross-entropy", "sq. error");
    const auto rows = [&text](const char* where, const ValidationPart& part) {
        const auto row = [&](const char* who, const Losses& target, const Losses& result) {
            text +=
                fmt::format("{:<26} {:>9}  {:>13} {:>9}  {:>13} {:>9}\n", fmt::format("{}: {}", where, who),
                            part.positions, show_loss(target.cross_entropy), show_loss(target.squared_error),
                            show_loss(result.cross_entropy), show_loss(result.squared_error));
        };
        row("network", part.target.network, part.result.network);
        row("material only", part.target.material, part.result.material);
        row("constant", part.target.constant, part.result.constant);
    };
    rows("all", report.all);
    rows("not in training", report.unseen);
    return text;
}

}  // namespace scholar::learning
