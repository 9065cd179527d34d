#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

// Layers worked out one after another for one input, plainly and in double precision, and the way back
// through them: by how much what comes out rises with each number that went in. For looking into networks;
// nothing that plays or learns uses it.

namespace scholar::nets {

using Numbers = std::vector<double>;

class LayerTape {
  public:
    // What a layer has given, by its place on the tape.
    using Place = std::size_t;

    LayerTape() = default;
    // Its steps refer to it.
    LayerTape(const LayerTape&) = delete;
    LayerTape& operator=(const LayerTape&) = delete;

    // What is not worked out here.
    Place put(Numbers numbers);
    const Numbers& at(Place place) const { return steps_[place].numbers; }
    Place last() const { return steps_.size() - 1; }

    // Weights [outputs][inputs], biases [outputs].
    Place dense(Place in, std::span<const float> weight, std::span<const float> bias);
    // Of [filter][rank][file]; weights [outputs][inputs][size][size], size odd, 0 beyond the edges.
    Place convolution(Place in, std::span<const float> weight, std::span<const float> bias, std::size_t size);
    // A function of one number and its slope there, for each number by itself.
    struct Point {
        double value;
        double slope;
    };
    Place each(Place in, const std::function<Point(double number, std::size_t index)>& apply);
    // Number by number, of as many on either side.
    Place sums(Place a, Place b);
    Place products(Place a, Place b);
    Place part(Place in, std::size_t first, std::size_t count);
    Place joined(const std::vector<Place>& parts);
    // The mean of each filter over the board.
    Place means(Place in);
    // Each filter of the board times the sigmoid of the first half of `factors`, and the second half added.
    Place excited(Place in, Place factors);
    // Of 2 · width filters, the products of squares' vectors [from][to], the first half of the filters with
    // the second, divided by √width.
    Place square_pairs(Place in, std::size_t width);

    // Numbers of a place and what each of them is weighed with.
    struct Weighed {
        Place place;
        Numbers weights;
    };
    // The slopes of Σ weights · numbers, over all that is weighed, by each number of a place.
    Numbers slopes(const std::vector<Weighed>& sum, Place by) const;

  private:
    // Adds to the slopes of what a step was made of, given its own.
    using Back = std::function<void(const Numbers& own, std::vector<Numbers>& slopes)>;
    struct Step {
        Numbers numbers;
        Back back;
    };

    Place add(Numbers numbers, Back back = {});

    std::vector<Step> steps_;
};

}  // namespace scholar::nets
