#include "nets/conv/winograd.hpp"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nets/conv/winograd.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scholar::nets::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using WinogradLanes = hn::CappedTag<float, kWinogradMultiple>;
using WinogradVector = hn::Vec<WinogradLanes>;

constexpr std::size_t kPanelOutputs = kWinogradMultiple;
constexpr std::size_t kTile = 4;        // outputs a side
constexpr std::size_t kTilePoints = 6;  // points a side, and inputs a side
constexpr std::size_t kBoardSide = 8;
constexpr std::size_t kBoardTiles = 4;
constexpr std::size_t kBlockPositions = kWinogradTogether;
constexpr std::size_t kBlockTiles = kBlockPositions * kBoardTiles;
// From one point to the next, of so many filters: a cache line more than they take, so that not all points of
// a tile compete for the same lines of the cache.
constexpr std::size_t PointStride(std::size_t tiles, std::size_t filters) {
    return tiles * filters + 16;
}

constexpr std::size_t kLaneCount = hn::MaxLanes(WinogradLanes());
constexpr std::size_t kVectorsOfPanel = kPanelOutputs / kLaneCount;
// Rows of a product that are kept in registers at once, beside a panel's vectors.
constexpr std::size_t kProductRows = kLaneCount == 16 ? 12 : kLaneCount == 8 ? 6 : 2;

// One side of a tile's transforms: the matrices Bᵀ (inputs to points), Aᵀ (points to outputs) and A of the
// paper.
HWY_INLINE void ToPoints(const WinogradVector (&d)[kTilePoints], WinogradVector (&v)[kTilePoints]) {
    const WinogradLanes lanes;
    const auto two = hn::Set(lanes, 2.0F);
    const auto four = hn::Set(lanes, 4.0F);
    const auto five = hn::Set(lanes, 5.0F);
    v[0] = hn::MulAdd(four, d[0], hn::NegMulAdd(five, d[2], d[4]));
    v[5] = hn::MulAdd(four, d[1], hn::NegMulAdd(five, d[3], d[5]));
    const auto even = hn::NegMulAdd(four, d[2], d[4]);
    const auto odd = hn::NegMulAdd(four, d[1], d[3]);
    v[1] = hn::Add(even, odd);
    v[2] = hn::Sub(even, odd);
    const auto even_far = hn::Sub(d[4], d[2]);
    const auto odd_far = hn::Mul(two, hn::Sub(d[3], d[1]));
    v[3] = hn::Add(even_far, odd_far);
    v[4] = hn::Sub(even_far, odd_far);
}

HWY_INLINE void ToOutputs(const WinogradVector (&m)[kTilePoints], WinogradVector (&y)[kTile]) {
    const WinogradLanes lanes;
    const auto sum = hn::Add(m[1], m[2]);
    const auto difference = hn::Sub(m[1], m[2]);
    const auto far_sum = hn::Add(m[3], m[4]);
    const auto far_difference = hn::Sub(m[3], m[4]);
    y[0] = hn::Add(hn::Add(m[0], sum), far_sum);
    y[1] = hn::MulAdd(hn::Set(lanes, 2.0F), far_difference, difference);
    y[2] = hn::MulAdd(hn::Set(lanes, 4.0F), far_sum, sum);
    y[3] = hn::Add(hn::MulAdd(hn::Set(lanes, 8.0F), far_difference, difference), m[5]);
}

HWY_INLINE void FromOutputs(const WinogradVector (&y)[kTile], WinogradVector (&m)[kTilePoints]) {
    const WinogradLanes lanes;
    const auto two = hn::Set(lanes, 2.0F);
    const auto four = hn::Set(lanes, 4.0F);
    m[0] = y[0];
    const auto even = hn::Add(y[0], y[2]);
    const auto odd = hn::Add(y[1], y[3]);
    m[1] = hn::Add(even, odd);
    m[2] = hn::Sub(even, odd);
    const auto even_far = hn::MulAdd(four, y[2], y[0]);
    const auto odd_far = hn::Mul(two, hn::MulAdd(four, y[3], y[1]));
    m[3] = hn::Add(even_far, odd_far);
    m[4] = hn::Sub(even_far, odd_far);
    m[5] = y[3];
}

// The squares of a tile begin one rank and one file before its outputs.
struct TilePlace {
    std::size_t rank;
    std::size_t file;
};
HWY_INLINE TilePlace PlaceOf(std::size_t tile) {
    return {tile / 2 * kTile, tile % 2 * kTile};
}

// in[square][filter] of each position to points[point][tile][filter].
void BoardsToPoints(const float* HWY_RESTRICT in, std::size_t filters, std::size_t positions,
                    float* HWY_RESTRICT points) {
    const WinogradLanes lanes;
    const std::size_t tiles = positions * kBoardTiles;
    const std::size_t stride = PointStride(tiles, filters);
    for (std::size_t tile = 0; tile < tiles; ++tile) {
        const float* board = in + tile / kBoardTiles * kBoardSide * kBoardSide * filters;
        const TilePlace place = PlaceOf(tile % kBoardTiles);
        for (std::size_t filter = 0; filter < filters; filter += hn::Lanes(lanes)) {
            WinogradVector half[kTilePoints][kTilePoints];  // [file][point of ranks]
            for (std::size_t file = 0; file < kTilePoints; ++file) {
                const std::size_t board_file = place.file + file - 1;  // wraps around below 0
                WinogradVector column[kTilePoints];
                for (std::size_t rank = 0; rank < kTilePoints; ++rank) {
                    const std::size_t board_rank = place.rank + rank - 1;
                    const bool inside = board_rank < kBoardSide && board_file < kBoardSide;
                    column[rank] =
                        inside ? hn::LoadU(lanes,
                                           board + (board_rank * kBoardSide + board_file) * filters + filter)
                               : hn::Zero(lanes);
                }
                ToPoints(column, half[file]);
            }
            for (std::size_t i = 0; i < kTilePoints; ++i) {
                const WinogradVector row[kTilePoints] = {half[0][i], half[1][i], half[2][i],
                                                         half[3][i], half[4][i], half[5][i]};
                WinogradVector whole[kTilePoints];
                ToPoints(row, whole);
                for (std::size_t j = 0; j < kTilePoints; ++j)
                    hn::StoreU(whole[j], lanes,
                               points + (i * kTilePoints + j) * stride + tile * filters + filter);
            }
        }
    }
}

// Of the gradient of outputs: gradient[square][filter] to points[point][tile][filter].
void OutputsToPoints(const float* HWY_RESTRICT gradient, std::size_t filters, std::size_t positions,
                     float* HWY_RESTRICT points) {
    const WinogradLanes lanes;
    const std::size_t tiles = positions * kBoardTiles;
    const std::size_t stride = PointStride(tiles, filters);
    for (std::size_t tile = 0; tile < tiles; ++tile) {
        const TilePlace place = PlaceOf(tile % kBoardTiles);
        const float* from =
            gradient +
            (tile / kBoardTiles * kBoardSide * kBoardSide + place.rank * kBoardSide + place.file) * filters;
        for (std::size_t filter = 0; filter < filters; filter += hn::Lanes(lanes)) {
            WinogradVector half[kTile][kTilePoints];  // [file][point of ranks]
            for (std::size_t file = 0; file < kTile; ++file) {
                WinogradVector column[kTile];
                for (std::size_t rank = 0; rank < kTile; ++rank)
                    column[rank] = hn::LoadU(lanes, from + (rank * kBoardSide + file) * filters + filter);
                FromOutputs(column, half[file]);
            }
            for (std::size_t i = 0; i < kTilePoints; ++i) {
                const WinogradVector row[kTile] = {half[0][i], half[1][i], half[2][i], half[3][i]};
                WinogradVector whole[kTilePoints];
                FromOutputs(row, whole);
                for (std::size_t j = 0; j < kTilePoints; ++j)
                    hn::StoreU(whole[j], lanes,
                               points + (i * kTilePoints + j) * stride + tile * filters + filter);
            }
        }
    }
}

// points[point][tile][filter of the panel] to a panel of out[square][filter]. Bias and slopes are the
// panel's.
enum class WinogradActivation { None, Relu, Prelu };
template <bool Adds, WinogradActivation Activation>
void PointsToBoards(const float* HWY_RESTRICT points, std::size_t filters, std::size_t positions,
                    const float* HWY_RESTRICT bias, const float* HWY_RESTRICT slope,
                    float* HWY_RESTRICT out) {
    const WinogradLanes lanes;
    const std::size_t tiles = positions * kBoardTiles;
    const std::size_t stride = PointStride(tiles, kPanelOutputs);
    for (std::size_t tile = 0; tile < tiles; ++tile) {
        const TilePlace place = PlaceOf(tile % kBoardTiles);
        float* to =
            out +
            (tile / kBoardTiles * kBoardSide * kBoardSide + place.rank * kBoardSide + place.file) * filters;
        for (std::size_t filter = 0; filter < kPanelOutputs; filter += hn::Lanes(lanes)) {
            WinogradVector half[kTilePoints][kTile];  // [point of files][rank]
            for (std::size_t j = 0; j < kTilePoints; ++j) {
                WinogradVector column[kTilePoints];
                for (std::size_t i = 0; i < kTilePoints; ++i)
                    column[i] = hn::LoadU(
                        lanes, points + (i * kTilePoints + j) * stride + tile * kPanelOutputs + filter);
                ToOutputs(column, half[j]);
            }
            for (std::size_t rank = 0; rank < kTile; ++rank) {
                const WinogradVector row[kTilePoints] = {half[0][rank], half[1][rank], half[2][rank],
                                                         half[3][rank], half[4][rank], half[5][rank]};
                WinogradVector outputs[kTile];
                ToOutputs(row, outputs);
                for (std::size_t file = 0; file < kTile; ++file) {
                    float* const at = to + (rank * kBoardSide + file) * filters + filter;
                    auto sum = bias ? hn::Add(outputs[file], hn::LoadU(lanes, bias + filter)) : outputs[file];
                    if constexpr (Adds) sum = hn::Add(sum, hn::LoadU(lanes, at));
                    // What is no number stays so, for whoever looks.
                    if constexpr (Activation == WinogradActivation::Relu)
                        sum = hn::IfThenZeroElse(hn::Lt(sum, hn::Zero(lanes)), sum);
                    if constexpr (Activation == WinogradActivation::Prelu)
                        sum = hn::IfThenElse(hn::Lt(sum, hn::Zero(lanes)),
                                             hn::Mul(sum, hn::LoadU(lanes, slope + filter)), sum);
                    hn::StoreU(sum, lanes, at);
                }
            }
        }
    }
}

// A product of matrices: c[i][j] = Σ a[i · row + k · step] · b[k][j], for `Rows` rows and a panel of j, or
// added to what stands there.
struct ProductFactor {
    const float* numbers;
    std::size_t row;
    std::size_t step;
};

template <std::size_t Rows, bool Adds>
HWY_INLINE void ProductOfRows(const float* HWY_RESTRICT a, const ProductFactor& factor,
                              const float* HWY_RESTRICT b, std::size_t b_step, std::size_t depth,
                              float* HWY_RESTRICT c) {
    const WinogradLanes lanes;
    WinogradVector sums[Rows][kVectorsOfPanel];
    HWY_UNROLL(12)
    for (std::size_t i = 0; i < Rows; ++i)
        for (std::size_t v = 0; v < kVectorsOfPanel; ++v)
            sums[i][v] = Adds ? hn::LoadU(lanes, c + i * kPanelOutputs + v * kLaneCount) : hn::Zero(lanes);
    for (std::size_t k = 0; k < depth; ++k) {
        // Weights of the next point: processors that fetch ahead by themselves stop at the end of a page.
        if constexpr (!Adds) hwy::Prefetch(b + (depth + k) * b_step);
        WinogradVector of_b[kVectorsOfPanel];
        HWY_UNROLL(4)
        for (std::size_t v = 0; v < kVectorsOfPanel; ++v)
            of_b[v] = hn::LoadU(lanes, b + k * b_step + v * kLaneCount);
        HWY_UNROLL(12)
        for (std::size_t i = 0; i < Rows; ++i) {
            const auto of_a = hn::Set(lanes, a[i * factor.row + k * factor.step]);
            HWY_UNROLL(4)
            for (std::size_t v = 0; v < kVectorsOfPanel; ++v)
                sums[i][v] = hn::MulAdd(of_a, of_b[v], sums[i][v]);
        }
    }
    HWY_UNROLL(12)
    for (std::size_t i = 0; i < Rows; ++i)
        for (std::size_t v = 0; v < kVectorsOfPanel; ++v)
            hn::StoreU(sums[i][v], lanes, c + i * kPanelOutputs + v * kLaneCount);
}

// `rows`: an even number.
template <bool Adds>
void ProductOfPanel(const ProductFactor& a, const float* HWY_RESTRICT b, std::size_t b_step,
                    std::size_t depth, std::size_t rows, float* HWY_RESTRICT c) {
    std::size_t i = 0;
    for (; i + kProductRows <= rows; i += kProductRows)
        ProductOfRows<kProductRows, Adds>(a.numbers + i * a.row, a, b, b_step, depth, c + i * kPanelOutputs);
    for (; i < rows; i += 2)
        ProductOfRows<2, Adds>(a.numbers + i * a.row, a, b, b_step, depth, c + i * kPanelOutputs);
}

void Convolve(const WinogradShape& shape, const float* HWY_RESTRICT weights, const float* HWY_RESTRICT in,
              std::size_t positions, float* HWY_RESTRICT out, float* HWY_RESTRICT scratch,
              const WinogradEpilogue& epilogue) {
    using enum WinogradActivation;
    const auto to_boards =
        epilogue.slope       ? epilogue.adds ? PointsToBoards<true, Prelu> : PointsToBoards<false, Prelu>
              : epilogue.rectifies ? epilogue.adds ? PointsToBoards<true, Relu> : PointsToBoards<false, Relu>
              : epilogue.adds ? PointsToBoards<true, None>
                             : PointsToBoards<false, None>;
    const auto of = [](const float* numbers, std::size_t panel) {
        return numbers ? numbers + panel : nullptr;
    };
    const std::size_t board = kBoardSide * kBoardSide;
    float* const of_inputs = scratch;
    float* const of_panel = scratch + kWinogradPoints * PointStride(kBlockTiles, shape.inputs);
    for (std::size_t first = 0; first < positions; first += kBlockPositions) {
        const std::size_t count = std::min(kBlockPositions, positions - first);
        const std::size_t tiles = count * kBoardTiles;
        BoardsToPoints(in + first * board * shape.inputs, shape.inputs, count, of_inputs);
        for (std::size_t panel = 0; panel < shape.outputs; panel += kPanelOutputs) {
            for (std::size_t point = 0; point < kWinogradPoints; ++point)
                ProductOfPanel<false>(
                    {of_inputs + point * PointStride(tiles, shape.inputs), shape.inputs, 1},
                    weights + (panel * kWinogradPoints + point * kPanelOutputs) * shape.inputs, kPanelOutputs,
                    shape.inputs, tiles, of_panel + point * PointStride(tiles, kPanelOutputs));
            to_boards(of_panel, shape.outputs, count, of(epilogue.bias, panel), of(epilogue.slope, panel),
                      out + first * board * shape.outputs + panel);
        }
    }
}

void Gradient(const WinogradShape& shape, const float* HWY_RESTRICT in, const float* HWY_RESTRICT gradient,
              std::size_t positions, float* HWY_RESTRICT sums, float* HWY_RESTRICT scratch) {
    const std::size_t board = kBoardSide * kBoardSide;
    float* const of_inputs = scratch;
    float* const of_outputs = scratch + kWinogradPoints * PointStride(kBlockTiles, shape.inputs);
    for (std::size_t first = 0; first < positions; first += kBlockPositions) {
        const std::size_t count = std::min(kBlockPositions, positions - first);
        const std::size_t tiles = count * kBoardTiles;
        BoardsToPoints(in + first * board * shape.inputs, shape.inputs, count, of_inputs);
        OutputsToPoints(gradient + first * board * shape.outputs, shape.outputs, count, of_outputs);
        for (std::size_t point = 0; point < kWinogradPoints; ++point)
            for (std::size_t panel = 0; panel < shape.outputs; panel += kPanelOutputs)
                ProductOfPanel<true>({of_inputs + point * PointStride(tiles, shape.inputs), 1, shape.inputs},
                                     of_outputs + point * PointStride(tiles, shape.outputs) + panel,
                                     shape.outputs, tiles, shape.inputs,
                                     sums + (panel * kWinogradPoints + point * kPanelOutputs) * shape.inputs);
    }
}

}  // namespace scholar::nets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scholar::nets {

HWY_EXPORT(Convolve);
HWY_EXPORT(Gradient);

namespace {

constexpr std::size_t kSides = 6;
constexpr std::size_t kWeights = 3;
// The paper's matrix G.
constexpr std::array<std::array<float, kWeights>, kSides> kToPoints{{{1.0F / 4, 0, 0},
                                                                     {-1.0F / 6, -1.0F / 6, -1.0F / 6},
                                                                     {-1.0F / 6, 1.0F / 6, -1.0F / 6},
                                                                     {1.0F / 24, 1.0F / 12, 1.0F / 6},
                                                                     {1.0F / 24, -1.0F / 12, 1.0F / 6},
                                                                     {0, 0, 1}}};

// Where the number of a point stands.
std::size_t point_index(std::size_t inputs, std::size_t point, std::size_t input, std::size_t output) {
    constexpr std::size_t panel = kWinogradMultiple;
    return ((output / panel * kWinogradPoints + point) * inputs + input) * panel + output % panel;
}

// G · g · Gᵀ of each 3 × 3, which `weight` (input, output) gives as nine numbers, in this order or from the
// end.
template <class WeightsOf>
void to_points(const WinogradShape& shape, WeightsOf weights_of, bool turned, float* points) {
    for (std::size_t input = 0; input < shape.inputs; ++input)
        for (std::size_t output = 0; output < shape.outputs; ++output) {
            const float* nine = weights_of(input, output);
            float half[kSides][kWeights];
            for (std::size_t i = 0; i < kSides; ++i)
                for (std::size_t file = 0; file < kWeights; ++file) {
                    half[i][file] = 0;
                    for (std::size_t rank = 0; rank < kWeights; ++rank) {
                        const std::size_t at = rank * kWeights + file;
                        half[i][file] += kToPoints[i][rank] * nine[turned ? 8 - at : at];
                    }
                }
            for (std::size_t i = 0; i < kSides; ++i)
                for (std::size_t j = 0; j < kSides; ++j) {
                    float sum = 0;
                    for (std::size_t file = 0; file < kWeights; ++file)
                        sum += half[i][file] * kToPoints[j][file];
                    points[point_index(shape.inputs, i * kSides + j, input, output)] = sum;
                }
        }
}

}  // namespace

std::size_t winograd_scratch(const WinogradShape& shape) {
    return kWinogradPoints * (4 * kWinogradTogether * (shape.inputs + shape.outputs) + 32);
}

void winograd_weights(const WinogradShape& shape, const float* weights, float* points) {
    to_points(
        shape,
        [&](std::size_t input, std::size_t output) {
            return weights + (output * shape.inputs + input) * kWeights * kWeights;
        },
        false, points);
}

void winograd_turned_weights(const WinogradShape& shape, const float* weights, float* points) {
    to_points(
        shape.turned(),
        [&](std::size_t output, std::size_t input) {
            return weights + (output * shape.inputs + input) * kWeights * kWeights;
        },
        true, points);
}

void winograd_convolve(const WinogradShape& shape, const float* points, const float* in,
                       std::size_t positions, float* out, float* scratch, const WinogradEpilogue& epilogue) {
    HWY_DYNAMIC_DISPATCH(Convolve)(shape, points, in, positions, out, scratch, epilogue);
}

void winograd_gradient(const WinogradShape& shape, const float* in, const float* gradient,
                       std::size_t positions, float* sums, float* scratch) {
    HWY_DYNAMIC_DISPATCH(Gradient)(shape, in, gradient, positions, sums, scratch);
}

void winograd_gradient_of_weights(const WinogradShape& shape, const float* sums, float* gradient) {
    for (std::size_t output = 0; output < shape.outputs; ++output)
        for (std::size_t input = 0; input < shape.inputs; ++input) {
            float half[kWeights][kSides];
            for (std::size_t rank = 0; rank < kWeights; ++rank)
                for (std::size_t j = 0; j < kSides; ++j) {
                    half[rank][j] = 0;
                    for (std::size_t i = 0; i < kSides; ++i)
                        half[rank][j] += kToPoints[i][rank] *
                                         sums[point_index(shape.inputs, i * kSides + j, input, output)];
                }
            float* nine = gradient + (output * shape.inputs + input) * kWeights * kWeights;
            for (std::size_t rank = 0; rank < kWeights; ++rank)
                for (std::size_t file = 0; file < kWeights; ++file) {
                    float sum = 0;
                    for (std::size_t j = 0; j < kSides; ++j) sum += half[rank][j] * kToPoints[j][file];
                    nine[rank * kWeights + file] = sum;
                }
        }
}

}  // namespace scholar::nets
#endif
