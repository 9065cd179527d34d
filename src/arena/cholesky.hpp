#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace scholar::arena {

// A symmetric matrix of which the lower half counts, row after row. Small ones only: it is dense.
class SymmetricMatrix {
  public:
    explicit SymmetricMatrix(std::size_t size) : size_(size), values_(size * size) {}

    std::size_t size() const { return size_; }
    // Asks for row >= column.
    double& at(std::size_t row, std::size_t column) { return values_[row * size_ + column]; }
    const double& at(std::size_t row, std::size_t column) const { return values_[row * size_ + column]; }
    // To both (a, b) and (b, a); to the diagonal once.
    void add(std::size_t a, std::size_t b, double value) { at(a < b ? b : a, a < b ? a : b) += value; }
    // Either order.
    double get(std::size_t a, std::size_t b) const { return at(a < b ? b : a, a < b ? a : b); }

  private:
    std::size_t size_;
    std::vector<double> values_;
};

// Replaces a matrix by its factor L, where L·Lᵀ is the matrix. False: it is not positive definite, and what
// is left of it is of no use.
bool factorize(SymmetricMatrix& matrix);

// The x of L·Lᵀ·x = b, in the place of b.
void solve(const SymmetricMatrix& factor, std::span<double> b);

// The inverse of L·Lᵀ.
SymmetricMatrix inverse(const SymmetricMatrix& factor);

}  // namespace scholar::arena
