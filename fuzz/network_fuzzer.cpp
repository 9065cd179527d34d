// Network files. An input that begins with '{' is a header: its first line becomes the file's JSON, and the
// rest, repeated as often as the tensors need, their data, under a fresh checksum; so that small inputs reach
// what lies behind the format. Any other input is a whole file.
//
// What loads must evaluate to the same score, or the same logits of moves, by the kernels of this build,
// incrementally or not, as by plain arithmetic (a dense one or a comparison, whose numbers are floats,
// nearly), and be the same network after it was written and read again.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/hash.hpp"
#include "check.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "evaluators/sparse_move_policy.hpp"
#include "fuzzer.hpp"
#include "memory_file.hpp"
#include "nets/comparison/comparison_file.hpp"
#include "nets/comparison/comparison_runner.hpp"
#include "nets/container/any_network.hpp"
#include "nets/container/tensor_file.hpp"
#include "nets/conv/conv_file.hpp"
#include "nets/dense/dense_file.hpp"
#include "nets/dense/dense_runner.hpp"
#include "nets/linear/linear_file.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/sparse_policy/sparse_policy_file.hpp"

namespace scholar::fuzz {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxData = 1 << 20;

// The end of the last tensor, as the header says.
std::uint64_t data_size(const Json& header) {
    std::uint64_t size = 0;
    for (const auto& entry : header) {
        if (!entry.is_object() || !entry.contains("data_offsets")) continue;
        const Json& offsets = entry["data_offsets"];
        if (offsets.is_array() && offsets.size() == 2 && offsets[1].is_number_unsigned())
            size = std::max(size, offsets[1].get<std::uint64_t>());
    }
    return std::min(size, kMaxData);
}

std::vector<std::byte> build_file(std::string_view input) {
    std::string text(input.substr(0, input.find('\n')));
    const std::string_view pattern = input.substr(std::min(text.size() + 1, input.size()));
    Json header = Json::parse(text, nullptr, false);
    std::string data;
    if (header.is_object()) {
        data.resize(data_size(header));
        if (!pattern.empty())
            for (std::size_t i = 0; i < data.size(); ++i) data[i] = pattern[i % pattern.size()];
        if (const auto metadata = header.find("__metadata__");
            metadata != header.end() && metadata->is_object() && metadata->contains("checksum")) {
            (*metadata)["checksum"] = base::to_hex(base::hash_text(data));
            text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
        }
    }
    const std::uint64_t header_size = text.size();
    std::string file(sizeof header_size, '\0');
    std::memcpy(file.data(), &header_size, sizeof header_size);
    file += text;
    file += data;
    const auto bytes = std::as_bytes(std::span(file));
    return {bytes.begin(), bytes.end()};
}

void check_tensors(const nets::TensorFile& file) {
    const nets::TensorFile again =
        must(nets::parse_tensors(nets::serialise_tensors(file)), "a tensor file that we wrote");
    check(again.tensors.size() == file.tensors.size(), "{} tensors became {}", file.tensors.size(),
          again.tensors.size());
    for (const auto& [name, tensor] : file.tensors) {
        const auto found = again.tensors.find(name);
        check(found != again.tensors.end(), "tensor '{}' is lost", name);
        check(found->second.dtype == tensor.dtype && found->second.shape == tensor.shape &&
                  found->second.bytes == tensor.bytes,
              "tensor '{}' has changed", name);
        check(tensor.elements() * nets::size_of(tensor.dtype) == tensor.bytes.size(),
              "tensor '{}': shape and bytes do not agree", name);
    }
    check(again.metadata == file.metadata, "the metadata have changed");
}

template <class Network>
void check_written_and_read(const Network& network, const nets::AnyNetwork& loaded) {
    static const TemporaryFolder folder;
    const auto path = folder.path() / "network";
    must(nets::save_network(path, network), "writing a network");
    const nets::AnyNetwork again = must(nets::load_any_network(path), "a network that we wrote");
    check(again.content_name() == loaded.content_name(), "the weights have changed");
    check(again.description() == loaded.description() && again.history() == loaded.history(),
          "what a network says of itself has changed");
    const nets::PieceValues* const values = again.piece_values();
    check((values == nullptr) == (loaded.piece_values() == nullptr) &&
              (values == nullptr || *values == *loaded.piece_values()),
          "what it learnt of the pieces has changed");
}

template <evaluators::LeafEvaluator Evaluator>
void check_evaluation(Evaluator evaluator, const nets::AnyNetwork& network) {
    for (const char* fen : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1", "8/8/8/8/8/8/3K4/7k w - - 0 1"}) {
        const chess::Position position = must(chess::parse_fen(fen), fen);
        evaluator.reset(position);
        check(evaluator.value(position) == network.evaluate(position),
              "{}: kernel and plain arithmetic differ", fen);
        for (const chess::Move move : chess::legal_moves(position)) {
            const chess::Position next = position.after(move);
            evaluator.push(position, move);
            check(evaluator.value(next) == network.evaluate(next),
                  "{}: incremental and plain arithmetic differ", chess::to_fen(next));
            evaluator.pop();
        }
    }
}

// Kernels may differ from plain loops by what float32 rounds, which depends on how large sums can be.
void check_dense(const std::shared_ptr<const nets::DenseNetwork>& network) {
    const double tolerance = 1e-3 * (1 + nets::largest_output(*network));
    nets::DenseRunner runner(network);
    const auto inputs = runner.inputs();
    const auto& features = *network->info.shape.features;
    features.encode(chess::Position(), inputs.first(static_cast<std::size_t>(features.size())));
    check(std::abs(runner.run() - nets::dense_output(*network, inputs)) <= tolerance,
          "kernel and plain arithmetic differ");
}

// Likewise; and an antisymmetric or split one is exactly that.
void check_comparison(const std::shared_ptr<const nets::ComparisonNetwork>& network) {
    const double tolerance = 1e-3 * (1 + nets::largest_output(*network));
    const chess::Position a;
    const chess::Position b = a.after(chess::legal_moves(a)[0]);
    nets::ComparisonRunner runner(network);
    std::vector<float> first(runner.embedding_size());
    std::vector<float> second(runner.embedding_size());
    runner.embed(a, first);
    runner.embed(b, second);
    check(std::abs(runner.logit(first, second) - nets::logit_plainly(*network, a, b)) <= tolerance,
          "kernel and plain arithmetic differ");
    if (network->info.shape.form != nets::ComparisonForm::Pair)
        check(runner.logit(first, second) == -runner.logit(second, first), "the answer is not swapped");
}

// Of any policy: probabilities, whatever the weights are.
void check_shares(evaluators::MovePolicy& policy) {
    const chess::Position position;
    const chess::MoveList moves = chess::legal_moves(position);
    std::vector<float> shares(static_cast<std::size_t>(moves.size()));
    policy.reset(position);
    policy.judge(position, moves, shares);
    double sum = 0;
    for (const float share : shares) sum += share;
    check(std::ranges::all_of(shares, [](float share) { return share >= 0 && share <= 1; }) &&
              std::abs(sum - 1) < 1e-4,
          "probabilities that are none");
}

void check_probabilities(evaluators::SparseMovePolicy policy, const nets::SparsePolicyNetwork& network) {
    const chess::Position position =
        must(chess::parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
             "a position");
    policy.reset(position);
    for (const chess::Move move : chess::legal_moves(position)) {
        const chess::Position next = position.after(move);
        const chess::MoveList moves = chess::legal_moves(next);
        policy.push(position, move);
        const auto logits = policy.logits(next, moves);
        check(std::ranges::equal(logits, nets::logits_plainly(network, next, moves)),
              "{}: incremental and plain arithmetic differ", chess::to_fen(next));
        std::vector<float> shares(static_cast<std::size_t>(moves.size()));
        if (!moves.empty()) policy.judge(next, moves, shares);
        check(std::ranges::all_of(shares, [](float share) { return share >= 0 && share <= 1; }),
              "{}: a probability that is none", chess::to_fen(next));
        policy.pop();
    }
}

void run(std::string_view input) {
    const auto raw = std::as_bytes(std::span(input));
    const std::vector<std::byte> bytes =
        input.starts_with('{') ? build_file(input) : std::vector<std::byte>(raw.begin(), raw.end());
    if (const auto tensors = nets::parse_tensors(bytes)) check_tensors(*tensors);
    const auto network = nets::parse_any_network(bytes);
    if (!network) return check_refusal(network.error(), "network");
    if (const auto known = network->as<nets::Network>()) check_written_and_read(*known, *network);
    if (const auto known = network->as<nets::LinearNetwork>()) check_written_and_read(*known, *network);
    if (const auto known = network->as<nets::ConvNetwork>()) check_written_and_read(*known, *network);
    if (const auto known = network->as<nets::DenseNetwork>()) {
        check_written_and_read(*known, *network);
        check_dense(known);
        if (const auto policy = evaluators::make_policy(*network)) check_shares(**policy);
    }
    if (const auto known = network->as<nets::ComparisonNetwork>()) {
        check_written_and_read(*known, *network);
        check_comparison(known);
    }
    if (const auto known = network->as<nets::SparsePolicyNetwork>()) {
        check_written_and_read(*known, *network);
        check_probabilities(evaluators::SparseMovePolicy(known), *known);
    }
    const auto leaf = evaluators::make_leaf(*network);
    if (leaf && network->evaluate(chess::Position())) check_evaluation(*leaf, *network);
}

}  // namespace
}  // namespace scholar::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scholar::fuzz::run(scholar::fuzz::as_text(data, size));
    return 0;
}
