#include "nets/feature_set.hpp"

namespace scholar::nets {

namespace {

template <class Features>
constexpr FeatureSet describe() {
    static_assert(Features::kMaxActive <= ActiveFeatures::kCapacity);
    return {Features::kName, Features::kSize, Features::kMaxActive, &Features::encode, &Features::encode};
}

// All feature sets there are.
constexpr std::array kFeatureSets{describe<Features768>()};

}  // namespace

base::Result<FeatureSet> find_feature_set(std::string_view name) {
    std::string known;
    for (const FeatureSet& set : kFeatureSets) {
        if (set.name == name) return set;
        known += known.empty() ? "" : ", ";
        known += set.name;
    }
    return base::fail("feature set '{}' is not known, expected one of: {}", name, known);
}

}  // namespace scholar::nets
