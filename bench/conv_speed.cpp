// bench/conv_speed [--rounds N] [--batches 1,16,64] NETWORK…: positions a second that a convolutional network
// works out on one core, with their planes and the probabilities of their legal moves, by the number of
// positions in a batch; in float32 and, where the processor has it, bfloat16. Medians of N rounds (5), in CPU
// time. Beside them the arithmetic that plain convolutions would take (two operations a product), and its
// share of what the same core does in a product of matrices of 1024 × 1024 through oneDNN in the same
// numbers: kernels that save products may come to more than all of it.
//
// ninja -C BUILD conv_speed makes it.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dnnl.hpp>
#include <fmt/core.h>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/text.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "nets/container/open_network.hpp"
#include "nets/conv/chess_nets.hpp"
#include "nets/conv/conv_network.hpp"
#include "nets/conv/conv_runner.hpp"

extern "C" void omp_set_num_threads(int count);

namespace scholar::evaluators {
namespace {

constexpr int kPositions = 256;

std::vector<chess::Line> random_lines() {
    base::Random random(1);
    std::vector<chess::Line> lines;
    while (lines.size() < kPositions) {
        chess::Line line;
        const std::uint64_t plies = random.below(100);
        for (std::uint64_t ply = 0; ply < plies; ++ply) {
            const chess::MoveList moves = chess::legal_moves(line.current());
            if (moves.empty()) break;
            line.push(moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
        }
        if (chess::has_legal_move(line.current())) lines.push_back(line);
    }
    return lines;
}

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Operations for one position, two a product of plain convolutions and dense layers; of ChessNet each network
// once. 0: it is no convolutional network.
double operations(const nets::AnyNetwork& network) {
    double products = 0;
    const auto count = [&](const std::string&, const std::vector<std::int64_t>& shape, const auto& array) {
        if (shape.size() > 1)
            products += static_cast<double>(array.size()) * (shape.size() == 4 ? nets::kPlaneSquares : 1);
    };
    if (const auto residual = network.as<nets::ConvNetwork>()) nets::for_each_weights(*residual, count);
    if (const auto squares = network.as<nets::ChessNets>()) nets::for_each_weights(*squares, count);
    return 2 * products;
}

// Operations a second of a product of large matrices.
double peak(nets::Precision precision) {
    using dnnl::memory;
    constexpr int side = 1024;
    const auto type = precision == nets::Precision::F32 ? memory::data_type::f32 : memory::data_type::bf16;
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    dnnl::stream stream(engine);
    const auto matrix = [](memory::data_type of) {
        return memory::desc({side, side}, of, memory::format_tag::any);
    };
    const dnnl::matmul::primitive_desc description(
        {matrix(type), matrix(type), matrix(memory::data_type::f32)}, engine);
    const memory a(description.src_desc(), engine);
    const memory b(description.weights_desc(), engine);
    const memory c(description.dst_desc(), engine);
    const dnnl::matmul product(description);
    double best = 0;
    for (int round = 0; round < 8; ++round) {
        const double start = cpu_seconds();
        product.execute(stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}});
        stream.wait();
        best = std::max(best, 2.0 * side * side * side / (cpu_seconds() - start));
    }
    return best;
}

double positions_a_second(BatchEvaluator& batch, const std::vector<chess::Line>& lines,
                          const std::vector<chess::MoveList>& moves, int size, int rounds) {
    std::vector<double> rates;
    std::vector<Opinion> opinions;
    for (int round = 0; round <= rounds; ++round) {
        const double start = cpu_seconds();
        int done = 0;
        // A second in all, or all positions once, whatever is more.
        while (done < kPositions || cpu_seconds() - start < 1.0 / rounds) {
            for (int i = 0; i < size; ++i) {
                const auto at = static_cast<std::size_t>((done + i) % kPositions);
                batch.submit(lines[at], moves[at]);
            }
            if (const auto status = batch.collect(opinions); !status) {
                fmt::print(stderr, "{}\n", status.error().message);
                std::exit(1);
            }
            done += size;
        }
        // The first warms up.
        if (round > 0) rates.push_back(done / (cpu_seconds() - start));
    }
    std::ranges::sort(rates);
    return rates[rates.size() / 2];
}

int run(const std::vector<std::string>& names, const std::vector<int>& sizes, int rounds) {
    omp_set_num_threads(1);
    const std::vector<chess::Line> lines = random_lines();
    std::vector<chess::MoveList> moves;
    moves.reserve(lines.size());
    for (const chess::Line& line : lines) moves.push_back(chess::legal_moves(line.current()));
    std::vector precisions{nets::Precision::F32};
    if (nets::processor_has_bf16()) precisions.push_back(nets::Precision::Bf16);
    for (const nets::Precision precision : precisions) {
        const double most = peak(precision);
        fmt::print("{}: a product of large matrices takes {:.0f} GFLOP/s\n", to_string(precision),
                   most / 1e9);
        for (const std::string& name : names) {
            const auto network =
                nets::open_network(precision == nets::Precision::F32 ? name : "<bf16:" + name + ">");
            const double each = network ? operations(*network) : 0;
            if (each == 0) {
                fmt::print(stderr, "{}\n",
                           network ? name + ": expected a convolutional network" : network.error().message);
                return 1;
            }
            fmt::print("{}: {}, {:.1f} MFLOP a position\n", name, network->description(), each / 1e6);
            const auto batch = make_batch(*network);
            if (!batch) {
                fmt::print(stderr, "{}\n", batch.error().message);
                return 1;
            }
            for (const int size : sizes) {
                const double rate = positions_a_second(**batch, lines, moves, size, rounds);
                const double done = rate * each;
                fmt::print("  batch {:>3}: {:>7.0f} positions/s, {:>4.0f} GFLOP/s, {:>4.0f} %\n", size, rate,
                           done / 1e9, 100 * done / most);
            }
        }
    }
    return 0;
}

}  // namespace
}  // namespace scholar::evaluators

static int usage() {
    fmt::print(stderr, "usage: conv_speed [--rounds N] [--batches 1,16,64] NETWORK...\n");
    return 1;
}

int main(int argc, char** argv) {
    int rounds = 5;
    std::vector<int> sizes{1, 16, 64};
    std::vector<std::string> names;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
            rounds = std::max(1, std::atoi(argv[++i]));
        } else if (std::strcmp(argv[i], "--batches") == 0 && i + 1 < argc) {
            sizes.clear();
            char* at = argv[++i];
            while (*at != '\0') {
                char* end = at;
                sizes.push_back(std::clamp(static_cast<int>(std::strtol(at, &end, 10)), 1, 256));
                if (end == at || (*end != ',' && *end != '\0')) return usage();
                at = end + (*end == ',' ? 1 : 0);
            }
        } else {
            names.emplace_back(argv[i]);
        }
    }
    if (names.empty()) return usage();
    return scholar::evaluators::run(names, sizes, rounds);
}
