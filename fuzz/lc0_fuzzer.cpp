// Network files of lc0, packed or not. What loads says, of some positions, probabilities that are ones and a
// value, or says in one line that its weights are too large; and it is the same network after it was written
// as a file of our own and read again.

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "check.hpp"
#include "chess/fen.hpp"
#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "fuzzer.hpp"
#include "nets/container/tensor_file.hpp"
#include "nets/conv/conv_file.hpp"
#include "nets/lc0/lc0_file.hpp"

namespace scholar::fuzz {
namespace {

// What is larger takes long to work out, and is no different.
constexpr std::size_t kMostNumbers = 1 << 20;

std::size_t numbers_of(const nets::ConvNetwork& network) {
    std::size_t numbers = 0;
    nets::for_each_weights(
        network, [&](const std::string&, const auto&, const auto& array) { numbers += array.size(); });
    return numbers;
}

void check_written_and_read(const nets::ConvNetwork& network) {
    const auto bytes =
        nets::serialise_tensors(must(nets::to_tensor_file(network), "writing a network of lc0"));
    const auto file = must(nets::parse_tensors(bytes), "a file that we wrote");
    const auto again = must(nets::to_conv_network(file), "a network that we wrote");
    check(nets::content_name(again) == nets::content_name(network), "the weights have changed");
    check(again.info.shape == network.info.shape && again.info.history == network.info.history,
          "what a network says of itself has changed");
}

void check_opinion(const evaluators::Opinion& opinion, const nets::Abilities& can, int moves) {
    if (can.has(nets::Ability::Policy)) {
        check(opinion.probabilities.size() == static_cast<std::size_t>(moves), "{} probabilities of {} moves",
              opinion.probabilities.size(), moves);
        const double sum = std::accumulate(opinion.probabilities.begin(), opinion.probabilities.end(), 0.0);
        check(std::abs(sum - 1) < 1e-3, "probabilities that add up to {}", sum);
        for (const float probability : opinion.probabilities)
            check(probability >= 0 && probability <= 1.0001F, "a probability of {}", probability);
    }
    if (opinion.wdl)
        check(std::abs(opinion.wdl->win + opinion.wdl->draw + opinion.wdl->loss - 1) < 1e-3,
              "chances that do not add up");
    check(!opinion.value || !opinion.value->is_decisive(), "an evaluation that is a mate");
}

void check_opinions(const nets::ConvNetwork& network) {
    const auto batch =
        must(evaluators::make_batch(std::make_shared<const nets::ConvNetwork>(network)), "an evaluator");
    std::vector<chess::Line> lines;
    for (const char* fen : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
                            "4k3/P7/8/3pP3/8/8/p7/4K3 w - d6 0 1"})
        lines.emplace_back(must(chess::parse_fen(fen), fen));
    for (const chess::Line& line : lines) batch->submit(line, chess::legal_moves(line.current()));
    std::vector<evaluators::Opinion> opinions;
    const auto status = batch->collect(opinions);
    if (!status) return check_refusal(status.error(), "opinion");
    for (std::size_t i = 0; i < lines.size(); ++i)
        check_opinion(opinions[i], batch->abilities(), chess::legal_moves(lines[i].current()).size());
}

void run(std::string_view input) {
    const auto bytes = std::as_bytes(std::span(input));
    const auto network = nets::parse_lc0_network(bytes);
    if (!network) return check_refusal(network.error(), "network of lc0");
    check_written_and_read(*network);
    if (numbers_of(*network) <= kMostNumbers) check_opinions(*network);
}

}  // namespace
}  // namespace scholar::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scholar::fuzz::run(scholar::fuzz::as_text(data, size));
    return 0;
}
