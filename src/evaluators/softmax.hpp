#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace scholar::evaluators {

// In place; at least one.
inline void softmax(std::span<float> numbers) {
    const float most = std::ranges::max(numbers);
    float sum = 0;
    for (float& number : numbers) sum += number = std::exp(number - most);
    for (float& number : numbers) number /= sum;
}

}  // namespace scholar::evaluators
