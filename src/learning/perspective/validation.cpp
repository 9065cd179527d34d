#include "learning/perspective/validation.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace scholar::learning {

namespace {

base::Result<std::vector<games::Sample>> draw(const games::Sampler::Options& options, std::size_t count) {
    auto sampler = games::Sampler::open(options);
    if (!sampler) return std::unexpected(sampler.error());
    sampler->start_epoch(0);
    std::vector<games::Sample> samples;
    samples.reserve(count);
    if (const auto drawn = sampler->next(count, samples); !drawn) return std::unexpected(drawn.error());
    return samples;
}

nlohmann::json to_json(const Losses& losses) {
    return {{"cross_entropy", losses.cross_entropy}, {"squared_error", losses.squared_error}};
}
nlohmann::json to_json(const Comparison& comparison) {
    return {{"network", to_json(comparison.network)},
            {"constant", to_json(comparison.constant)},
            {"material", to_json(comparison.material)}};
}
nlohmann::json to_json(const ValidationPart& part) {
    return {
        {"positions", part.positions}, {"target", to_json(part.target)}, {"result", to_json(part.result)}};
}

}  // namespace

base::Result<std::vector<games::Sample>> draw_validation(const Recipe& recipe) {
    auto samples = draw(recipe.sampling(games::Split::Validation, recipe.seed), recipe.validation_positions);
    if (samples && samples->empty())
        return base::fail(
            "no position of the validation games passes the filter: expected more games, or a larger "
            "validation_share");
    return samples;
}

base::Result<std::vector<games::Sample>> draw_training(const Recipe& recipe) {
    constexpr std::size_t sample_size = 500'000;
    auto samples = draw(recipe.sampling(games::Split::Train, recipe.seed + 1), sample_size);
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

std::string to_table(const ValidationReport& report) {
    std::string text = fmt::format("{:<26} {:>9}  {:>23}  {:>23}\n", "validation", "positions",
                                   "against the target", "against the result");
    text += fmt::format("{:<26} {:>9}  {:>13} {:>9}  {:>13} {:>9}\n", "", "", "cross-entropy", "sq. error",
                        "cross-entropy", "sq. error");
    const auto rows = [&text](const char* where, const ValidationPart& part) {
        const auto row = [&](const char* who, const Losses& target, const Losses& result) {
            text += fmt::format("{:<26} {:>9}  {:>13} {:>9}  {:>13} {:>9}\n",
                                fmt::format("{}: {}", where, who), part.positions,
                                show_measure(target.cross_entropy), show_measure(target.squared_error),
                                show_measure(result.cross_entropy), show_measure(result.squared_error));
        };
        row("network", part.target.network, part.result.network);
        row("material only", part.target.material, part.result.material);
        row("constant", part.target.constant, part.result.constant);
    };
    rows("all", report.all);
    rows("not in training", report.unseen);
    return text;
}

Measurement to_measurement(const ValidationReport& report) {
    Measurement said;
    const auto add = [&said](const std::string& name, std::size_t positions, const Comparison& of) {
        const auto figure = [&](const char* what, double Losses::* loss) {
            said.measures.push_back({name + what,
                                     positions,
                                     of.network.*loss,
                                     of.constant.*loss,
                                     {{"material only", of.material.*loss}}});
        };
        figure("cross-entropy", &Losses::cross_entropy);
        figure("squared error", &Losses::squared_error);
    };
    for (const auto& [where, part] : {std::pair{"unseen", &report.unseen}, {"all", &report.all}}) {
        add(fmt::format("{}, target: ", where), part->positions, part->target);
        add(fmt::format("{}, result: ", where), part->positions, part->result);
    }
    said.record = {{"all", to_json(report.all)}, {"unseen", to_json(report.unseen)}};
    const ValidationPart& unseen = report.unseen;
    said.line = fmt::format("validation on {} not in training: {}, material only {}, constant {}",
                            base::counted(unseen.positions, "position"),
                            show_measure(unseen.target.network.cross_entropy),
                            show_measure(unseen.target.material.cross_entropy),
                            show_measure(unseen.target.constant.cross_entropy));
    said.table = to_table(report);
    return said;
}

}  // namespace scholar::learning
