#include "learning/perspective/growth.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

namespace scholar::learning {

namespace {

// Whether units are paired or not, those that stand in one place of a group make such a row, and so do the
// weights of what they give to a unit of the head's first layer: new units go to the end of each, and old
// pairs stay together.
std::size_t row_of(const nets::Architecture& architecture) {
    return static_cast<std::size_t>(architecture.outputs());
}

// Rows of `from` values become rows of `to`; what is new in them comes from `fresh`, which has such rows, or
// is 0 without it.
void widen_rows(std::vector<float>& values, std::size_t from, std::size_t to,
                const std::vector<float>* fresh = nullptr) {
    const std::size_t rows = values.size() / from;
    std::vector<float> wide(rows * to);
    for (std::size_t row = 0; row < rows; ++row) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * from), from,
                    wide.begin() + static_cast<std::ptrdiff_t>(row * to));
        if (fresh)
            std::copy(fresh->begin() + static_cast<std::ptrdiff_t>(row * to + from),
                      fresh->begin() + static_cast<std::ptrdiff_t>((row + 1) * to),
                      wide.begin() + static_cast<std::ptrdiff_t>(row * to + from));
    }
    values = std::move(wide);
}

// New weights have no mean gradient, and for its square the mean of those in their row. With 0 there, and the
// old ones' number of steps, their first steps would be several times as long as any weight's: the correction
// for a mean that begins at 0 (Kingma, Ba 2014, section 3) is long over.
void widen_rows(AdamMoments& moments, std::size_t from, std::size_t to) {
    widen_rows(moments.first, from, to);
    widen_rows(moments.second, from, to);
    for (std::size_t row = 0; row < moments.second.size() / to; ++row) {
        const auto begin = moments.second.begin() + static_cast<std::ptrdiff_t>(row * to);
        const auto end = begin + static_cast<std::ptrdiff_t>(from);
        std::fill(end, begin + static_cast<std::ptrdiff_t>(to),
                  std::accumulate(begin, end, 0.0F) / static_cast<float>(from));
    }
}

bool mirrors(const nets::FeatureSet& set) {
    return std::ranges::any_of(set.views, [](const nets::View& view) { return view.flip != 0; });
}

std::vector<std::size_t> expect_coarser(const nets::FeatureSet& coarser, const nets::FeatureSet& finer) {
    auto features = coarser_features(coarser, finer);
    if (!features) throw std::invalid_argument("features that are not finer");
    return std::move(*features);
}

// Rows, of `width` each, become those at `from`.
void pick_rows(std::vector<float>& values, std::size_t width, const std::vector<std::size_t>& from) {
    std::vector<float> picked;
    picked.reserve(from.size() * width);
    for (const std::size_t row : from) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * width);
        picked.insert(picked.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
    }
    values = std::move(picked);
}

void pick_rows(AdamMoments& moments, std::size_t width, const std::vector<std::size_t>& from) {
    pick_rows(moments.first, width, from);
    pick_rows(moments.second, width, from);
}

// For each head of `to` the one of `from` whose range of pieces has its own in it.
std::vector<std::size_t> heads_before(int from, int to) {
    std::vector<std::size_t> heads(static_cast<std::size_t>(to));
    for (int bucket = 0; bucket < to; ++bucket)
        heads[static_cast<std::size_t>(bucket)] = static_cast<std::size_t>(bucket * from / to);
    return heads;
}

// What a pair of units hands on of the output, whose two signs have a unit each: `width` of it from `begin`
// on. Those about 0, where most positions are, are the narrowest, so that a step of a weight changes the
// output little more than before.
struct Slice {
    float begin;
    float width;
};
constexpr std::array kSlices{Slice{0, 2}, Slice{2, 3}, Slice{5, 4}, Slice{9, 4}};
static_assert(kSlices.back().begin + kSlices.back().width == kDeepenedRange);
// They are the first units of every hidden layer: for each slice that above 0 and that below.
constexpr std::size_t kHandingOn = 2 * kSlices.size();
static_assert(kHandingOn <= nets::Architecture::kHiddenMultiple);
constexpr Slice slice_of(std::size_t unit) {
    return kSlices[unit / 2];
}
constexpr float sign_of(std::size_t unit) {
    return unit % 2 == 0 ? 1.0F : -1.0F;
}

// Calls each(layer, head, unit, row, inputs) for all units of the hidden layers; `row` is the unit's among
// all heads' of its layer, of `inputs` weights.
template <class Each>
void for_hidden_units(const nets::Architecture& architecture, Each each) {
    for (std::size_t layer = 0; layer < architecture.hidden.size(); ++layer) {
        const auto units = static_cast<std::size_t>(architecture.hidden[layer]);
        const auto inputs = static_cast<std::size_t>(architecture.head_inputs(layer));
        for (std::size_t head = 0; head < static_cast<std::size_t>(architecture.output_buckets); ++head)
            for (std::size_t unit = 0; unit < units; ++unit)
                each(layer, head, unit, head * units + unit, inputs);
    }
}

}  // namespace

nets::FloatNetwork widened(const nets::FloatNetwork& network, int width, std::uint64_t seed) {
    nets::FloatNetwork wide = network;
    wide.info.architecture.width = width;
    const std::size_t from = row_of(network.info.architecture);
    const std::size_t to = row_of(wide.info.architecture);
    const nets::FloatNetwork fresh = nets::FloatNetwork::random(wide.info.architecture, seed);
    widen_rows(wide.transformer, from, to, &fresh.transformer);
    widen_rows(wide.transformer_bias, from, to, &fresh.transformer_bias);
    widen_rows(wide.hidden.empty() ? wide.output : wide.hidden.front().weight, from, to);
    return wide;
}

ModelState widened(const ModelState& model, int width, std::uint64_t seed) {
    ModelState wide = model;
    wide.network = widened(model.network, width, seed);
    const std::size_t from = row_of(model.network.info.architecture);
    const std::size_t to = row_of(wide.network.info.architecture);
    for (Factor& factor : wide.factors) {
        widen_rows(factor.rows, from, to);
        widen_rows(factor.moments, from, to);
    }
    AdamMoments& head = wide.hidden.empty() ? wide.output : wide.hidden.front().weight;
    for (AdamMoments* moments : {&wide.transformer, &wide.transformer_bias, &head})
        widen_rows(*moments, from, to);
    return wide;
}

std::optional<std::vector<std::size_t>> coarser_features(const nets::FeatureSet& coarser,
                                                         const nets::FeatureSet& finer) {
    if (mirrors(coarser) && !mirrors(finer)) return std::nullopt;
    if (coarser.states > 1 && coarser.states != finer.states) return std::nullopt;
    const bool both_wings = mirrors(coarser) == mirrors(finer);
    // By the bucket of `finer`.
    std::vector<std::optional<nets::View>> before(static_cast<std::size_t>(finer.buckets));
    std::vector<std::uint8_t> flips(before.size());
    for (std::size_t king = 0; king < finer.views.size(); ++king) {
        if (!both_wings && king % 8 < 4) continue;
        const nets::View view = finer.views[king];
        const nets::View was = coarser.views[king];
        auto& known = before[view.bucket];
        const auto flip = static_cast<std::uint8_t>(view.flip ^ was.flip);
        if (known && (known->bucket != was.bucket || flips[view.bucket] != flip)) return std::nullopt;
        known = was;
        flips[view.bucket] = flip;
    }
    std::vector<std::size_t> features;
    for (std::size_t bucket = 0; bucket < before.size(); ++bucket)
        for (int state = 0; state < finer.states; ++state) {
            const int from = before[bucket]->bucket * coarser.states + (coarser.states > 1 ? state : 0);
            for (std::size_t on_board = 0; on_board < nets::FeatureSet::kBoard; ++on_board)
                features.push_back(static_cast<std::size_t>(from * nets::FeatureSet::kBoard) +
                                   (on_board ^ flips[bucket]));
        }
    return features;
}

nets::FloatNetwork refined(const nets::FloatNetwork& network, const nets::FeatureSet& finer) {
    nets::FloatNetwork fine = network;
    fine.info.architecture.features = &finer;
    pick_rows(fine.transformer, static_cast<std::size_t>(network.info.architecture.width),
              expect_coarser(*network.info.architecture.features, finer));
    return fine;
}

ModelState refined(const ModelState& model, const nets::FeatureSet& finer) {
    const auto width = static_cast<std::size_t>(model.network.info.architecture.width);
    const std::vector<std::size_t> from = expect_coarser(*model.network.info.architecture.features, finer);
    ModelState fine = model;
    fine.network = refined(model.network, finer);
    pick_rows(fine.transformer, width, from);
    if (model.factors.empty()) return fine;
    fine.factors = factors_of(fine.network.info.architecture);
    for (Factor& factor : fine.factors) {
        const auto old = std::ranges::find(model.factors, factor.kind, &Factor::kind);
        if (old != model.factors.end()) {
            factor = *old;
            continue;
        }
        // What its gradient will be was so far that of the rows themselves: there was one bucket only.
        factor.moments = model.transformer;
        pick_rows(factor.moments, width, {from.begin(), from.begin() + nets::FeatureSet::kBoard});
    }
    return fine;
}

nets::FloatNetwork bucketed(const nets::FloatNetwork& network, int output_buckets) {
    return bucketed(ModelState::begin(network, false), output_buckets).network;
}

ModelState bucketed(const ModelState& model, int output_buckets) {
    ModelState apart = model;
    const int before = model.network.info.architecture.output_buckets;
    if (output_buckets < before || output_buckets % before != 0)
        throw std::invalid_argument("output buckets that are not parts of those before");
    const std::vector<std::size_t> heads = heads_before(before, output_buckets);
    apart.network.info.architecture.output_buckets = output_buckets;
    const float share = static_cast<float>(before) / static_cast<float>(output_buckets);
    const auto pick = [&](auto& weights, AdamMoments& moments) {
        const std::size_t of_a_head = weights.size() / static_cast<std::size_t>(before);
        pick_rows(weights, of_a_head, heads);
        pick_rows(moments, of_a_head, heads);
        for (float& mean : moments.first) mean *= share;
        for (float& square : moments.second) square *= share;
    };
    for (std::size_t layer = 0; layer < apart.hidden.size(); ++layer) {
        pick(apart.network.hidden[layer].weight, apart.hidden[layer].weight);
        pick(apart.network.hidden[layer].bias, apart.hidden[layer].bias);
    }
    pick(apart.network.output, apart.output);
    pick(apart.network.output_bias, apart.output_bias);
    return apart;
}

nets::FloatNetwork deepened(const nets::FloatNetwork& network, const std::vector<int>& hidden,
                            std::uint64_t seed) {
    if (!network.hidden.empty()) throw std::invalid_argument("hidden layers there already");
    if (hidden.empty()) throw std::invalid_argument("no hidden layers");
    nets::FloatNetwork deep = network;
    nets::Architecture& architecture = deep.info.architecture;
    architecture.hidden = hidden;
    nets::FloatNetwork fresh = nets::FloatNetwork::random(architecture, seed);
    deep.hidden = std::move(fresh.hidden);
    for_hidden_units(architecture, [&](std::size_t layer, std::size_t head, std::size_t unit, std::size_t row,
                                       std::size_t inputs) {
        if (unit >= kHandingOn) return;
        float* weights = deep.hidden[layer].weight.data() + row * inputs;
        float& bias = deep.hidden[layer].bias[row];
        if (layer > 0) {
            std::fill_n(weights, inputs, 0.0F);
            weights[unit] = 1;
            bias = 0;
            return;
        }
        const Slice slice = slice_of(unit);
        const float scale = sign_of(unit) / slice.width;
        for (std::size_t i = 0; i < inputs; ++i) weights[i] = network.output[head * inputs + i] * scale;
        bias = network.output_bias[head] * scale - slice.begin / slice.width;
    });
    const auto heads = static_cast<std::size_t>(architecture.output_buckets);
    const auto last = static_cast<std::size_t>(hidden.back());
    deep.output.assign(heads * last, 0);
    std::ranges::fill(deep.output_bias, 0.0F);
    for (std::size_t head = 0; head < heads; ++head)
        for (std::size_t unit = 0; unit < kHandingOn; ++unit)
            deep.output[head * last + unit] = sign_of(unit) * slice_of(unit).width;
    return deep;
}

ModelState deepened(const ModelState& model, const std::vector<int>& hidden, std::uint64_t seed) {
    ModelState deep = model;
    deep.network = deepened(model.network, hidden, seed);
    const nets::Architecture& architecture = deep.network.info.architecture;
    deep.hidden.resize(hidden.size());
    for (std::size_t layer = 0; layer < hidden.size(); ++layer) {
        deep.hidden[layer].weight = AdamMoments(deep.network.hidden[layer].weight.size());
        deep.hidden[layer].bias = AdamMoments(deep.network.hidden[layer].bias.size());
    }
    deep.output = AdamMoments(deep.network.output.size());
    // What comes back to a unit is the gradient of the logit, which is that of the output's bias, times the
    // unit's share of the logit.
    for_hidden_units(architecture, [&](std::size_t layer, std::size_t head, std::size_t unit, std::size_t row,
                                       std::size_t inputs) {
        const float share = unit < kHandingOn ? slice_of(unit).width : 1;
        const float of_logit = model.output_bias.second[head];
        float* squares = deep.hidden[layer].weight.second.data() + row * inputs;
        for (std::size_t i = 0; i < inputs; ++i)
            squares[i] = share * share * (layer == 0 ? model.output.second[head * inputs + i] : of_logit);
        deep.hidden[layer].bias.second[row] = share * share * of_logit;
    });
    const auto heads = static_cast<std::size_t>(architecture.output_buckets);
    const auto last = static_cast<std::size_t>(hidden.back());
    for (std::size_t head = 0; head < heads; ++head)
        std::fill_n(deep.output.second.begin() + static_cast<std::ptrdiff_t>(head * last), last,
                    model.output_bias.second[head]);
    return deep;
}

base::Status check_deepening(const nets::Architecture& deep, const WeightClip& clip) {
    nets::Architecture flat = deep;
    flat.hidden.clear();
    const float largest = within_bounds(clip, flat).output;
    float output = 0;
    float hidden = 1;
    for (const Slice& slice : kSlices) {
        output = std::max(output, slice.width);
        hidden = std::max(hidden, (largest + slice.begin) / slice.width);
    }
    const WeightClip within = within_bounds(clip, deep);
    if (within.output >= output && within.hidden >= hidden) return {};
    return base::fail(
        "is {:.3g}, and clip_hidden {:.3g} for {} units: expected at least {:.3g} and {:.3g}, as hidden "
        "layers come in that hand on what was learnt",
        within.output, within.hidden, deep.width, output, hidden);
}

}  // namespace scholar::learning
