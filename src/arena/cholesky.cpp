#include "arena/cholesky.hpp"

#include <array>
#include <cmath>

namespace scholar::arena {

namespace {

// In several sums, which the compiler may then keep in one vector register: it may not reorder one.
double dot(const double* a, const double* b, std::size_t size) {
    constexpr std::size_t kSums = 8;
    std::array<double, kSums> sums{};
    std::size_t i = 0;
    for (; i + kSums <= size; i += kSums)
        for (std::size_t k = 0; k < kSums; ++k) sums[k] += a[i + k] * b[i + k];
    double total = 0;
    for (; i < size; ++i) total += a[i] * b[i];
    for (const double sum : sums) total += sum;
    return total;
}

}  // namespace

bool factorize(SymmetricMatrix& matrix) {
    const std::size_t size = matrix.size();
    for (std::size_t row = 0; row < size; ++row) {
        const double before = matrix.at(row, row);
        for (std::size_t column = 0; column < row; ++column) {
            const double rest =
                matrix.at(row, column) - dot(&matrix.at(row, 0), &matrix.at(column, 0), column);
            matrix.at(row, column) = rest / matrix.at(column, column);
        }
        const double rest = before - dot(&matrix.at(row, 0), &matrix.at(row, 0), row);
        // A zero comes out as some rounding errors of what was there. Written so that a NaN fails too.
        if (const bool positive = rest > 1e-12 * before && before > 0; !positive) return false;
        matrix.at(row, row) = std::sqrt(rest);
    }
    return true;
}

void solve(const SymmetricMatrix& factor, std::span<double> b) {
    const std::size_t size = factor.size();
    for (std::size_t row = 0; row < size; ++row)
        b[row] = (b[row] - dot(&factor.at(row, 0), b.data(), row)) / factor.at(row, row);
    for (std::size_t row = size; row-- > 0;) {
        b[row] /= factor.at(row, row);
        for (std::size_t column = 0; column < row; ++column) b[column] -= factor.at(row, column) * b[row];
    }
}

SymmetricMatrix inverse(const SymmetricMatrix& factor) {
    const std::size_t size = factor.size();
    // The rows of the inverse of Lᵀ: row i is the solution of L·x = eᵢ, zero before i.
    std::vector<double> rows(size * size);
    for (std::size_t i = 0; i < size; ++i) {
        double* row = &rows[i * size];
        row[i] = 1 / factor.at(i, i);
        for (std::size_t k = i + 1; k < size; ++k)
            row[k] = -dot(&row[i], &factor.at(k, i), k - i) / factor.at(k, k);
    }
    SymmetricMatrix result(size);
    for (std::size_t a = 0; a < size; ++a)
        for (std::size_t b = 0; b <= a; ++b)
            result.at(a, b) = dot(&rows[a * size + a], &rows[b * size + a], size - a);
    return result;
}

}  // namespace scholar::arena
