#pragma once

#include <cstddef>

#include "nets/conv/planes.hpp"

namespace scholar::nets {

// Where the numbers between layers lie: [position][block of filters][square][filter within the block]. One
// block of all filters is oneDNN's "nhwc"; blocks of 16, the last of them filled up with zeros, are its
// "nChw16c", which its Winograd kernels want.
class ActivationLayout {
  public:
    static constexpr int kBlock = 16;

    explicit ActivationLayout(bool in_blocks) : in_blocks_(in_blocks) {}

    bool in_blocks() const { return in_blocks_; }
    // Filters and what fills them up.
    int padded(int filters) const { return in_blocks_ ? (filters + kBlock - 1) / kBlock * kBlock : filters; }
    int block(int filters) const { return in_blocks_ ? kBlock : filters; }
    // Numbers a position.
    std::size_t size(int filters) const { return kPlaneSquares * static_cast<std::size_t>(padded(filters)); }
    // Of one position.
    std::size_t index(int filters, int filter, int square) const {
        const int width = block(filters);
        return (static_cast<std::size_t>(filter / width) * kPlaneSquares + static_cast<std::size_t>(square)) *
                   static_cast<std::size_t>(width) +
               static_cast<std::size_t>(filter % width);
    }

  private:
    bool in_blocks_;
};

}  // namespace scholar::nets
