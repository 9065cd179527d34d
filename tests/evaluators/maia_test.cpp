// Maia's networks (R. McIlroy-Young et al., "Aligning Superhuman AI with Human Behavior", 2020) against what
// lc0 itself says of them: the probability of every legal move and the value, with the game's history and
// without.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "base/streams.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "evaluators/make.hpp"
#include "nets/container/open_network.hpp"
#include "nets/conv/conv_runner.hpp"
#include "support/test_data.hpp"

namespace scholar::evaluators {
namespace {

using namespace chess;

struct Reference {
    Line line;
    std::string text;      // for messages
    double advantage = 0;  // expected result for the side to move, −1 to 1
    std::map<std::string, double> probabilities;
};

std::vector<std::string> fields_of(const std::string& line, char between) {
    std::vector<std::string> fields(1);
    for (const char c : line)
        if (c == between)
            fields.emplace_back();
        else
            fields.back() += c;
    return fields;
}

// By network.
std::map<std::string, std::vector<Reference>> read_references(const std::string& file) {
    auto input = base::open_input(file);
    EXPECT_TRUE(input);
    const auto text = base::read_all(**input);
    EXPECT_TRUE(text);
    std::map<std::string, std::vector<Reference>> references;
    for (const std::string& line : fields_of(*text, '\n')) {
        if (line.empty() || line.starts_with('#')) continue;
        const auto fields = fields_of(line, '\t');
        EXPECT_EQ(fields.size(), 5U);
        Position start;
        if (fields[1] != "startpos") start = *parse_fen(fields[1]);
        Reference reference{Line(start), fields[1] + " " + fields[2], std::stod(fields[3]), {}};
        for (const auto move : base::split_words(fields[2])) {
            const auto parsed = parse_uci_move(reference.line.current(), move);
            EXPECT_TRUE(parsed) << move;
            reference.line.push(*parsed);
        }
        for (const auto entry : base::split_words(fields[4])) {
            const std::size_t equals = entry.find('=');
            reference.probabilities[std::string(entry.substr(0, equals))] =
                std::stod(std::string(entry.substr(equals + 1))) / 100;
        }
        references[fields[0]].push_back(std::move(reference));
    }
    return references;
}

// How far what is said of all positions of a network is from the reference.
struct Differences {
    double largest_probability = 0;
    double mean_probability = 0;
    double largest_advantage = 0;
    double mean_advantage = 0;
    double same_best = 0;  // share of positions
    std::string worst;
};

std::size_t best_of(const std::vector<double>& numbers) {
    return static_cast<std::size_t>(std::ranges::max_element(numbers) - numbers.begin());
}

Differences compare(const nets::AnyNetwork& network, const std::vector<Reference>& references) {
    Differences all;
    const auto batch = make_batch(network).value();
    std::vector<Opinion> opinions;
    std::size_t moves_compared = 0;
    for (std::size_t start = 0; start < references.size(); start += batch->capacity()) {
        const std::size_t end = std::min(references.size(), start + batch->capacity());
        for (std::size_t i = start; i < end; ++i)
            batch->submit(references[i].line, legal_moves(references[i].line.current()));
        const auto status = batch->collect(opinions);
        EXPECT_TRUE(status) << status.error().message;
        for (std::size_t i = start; i < end; ++i) {
            const Reference& reference = references[i];
            const Opinion& opinion = opinions[i - start];
            const MoveList moves = legal_moves(reference.line.current());
            EXPECT_EQ(static_cast<std::size_t>(moves.size()), reference.probabilities.size())
                << reference.text;
            std::vector<double> ours;
            std::vector<double> theirs;
            for (int move = 0; move < moves.size(); ++move) {
                auto known = reference.probabilities.find(to_uci(moves[move], CastlingNotation::Standard));
                if (known == reference.probabilities.end())
                    known = reference.probabilities.find(to_uci(moves[move], CastlingNotation::Chess960));
                if (known == reference.probabilities.end()) {
                    ADD_FAILURE() << reference.text << ": "
                                  << to_uci(moves[move], CastlingNotation::Standard);
                    continue;
                }
                ours.push_back(opinion.probabilities[static_cast<std::size_t>(move)]);
                theirs.push_back(known->second);
                const double difference = std::abs(ours.back() - theirs.back());
                all.mean_probability += difference;
                ++moves_compared;
                if (difference > all.largest_probability) {
                    all.largest_probability = difference;
                    all.worst = reference.text + ": " + known->first;
                }
            }
            // As good as equal, as far as it is printed, is as good.
            const double tolerance = 0.0002;
            all.same_best += theirs[best_of(ours)] + tolerance >= theirs[best_of(theirs)] ? 1 : 0;
            const double advantage =
                opinion.wdl ? opinion.wdl->win - opinion.wdl->loss : 2 * opinion.value->expected() - 1;
            const double difference = std::abs(advantage - reference.advantage);
            all.mean_advantage += difference;
            all.largest_advantage = std::max(all.largest_advantage, difference);
        }
    }
    all.mean_probability /= static_cast<double>(moves_compared);
    all.mean_advantage /= static_cast<double>(references.size());
    all.same_best /= static_cast<double>(references.size());
    return all;
}

class Maia : public testing::Test {
  protected:
    void SetUp() override {
        const auto file = tests::shared_data("nets/maia/lc0-reference.tsv.zst");
        if (!file) GTEST_SKIP() << "no nets/maia/lc0-reference.tsv.zst: set SCHOLAR_DATA to run this test";
        folder_ = file->parent_path();
        references_ = read_references(file->string());
        ASSERT_EQ(references_.size(), 3U);
    }
    std::string file_of(const std::string& name) const { return (folder_ / (name + ".pb.gz")).string(); }

    std::filesystem::path folder_;
    std::map<std::string, std::vector<Reference>> references_;
};

void report(const std::string& name, const Differences& found) {
    std::printf(
        "%s: probability off by %.5f at most, %.6f in the mean; value by %.5f, %.5f; same best move in %.1f "
        "%%; "
        "worst: %s\n",
        name.c_str(), found.largest_probability, found.mean_probability, found.largest_advantage,
        found.mean_advantage, 100 * found.same_best, found.worst.c_str());
}

TEST_F(Maia, SaysWhatLc0SaysInF32) {
    // Sanitizers take ten times as long.
    if (tests::kSanitized)
        for (auto& [name, references] : references_)
            references.erase(references.begin(), references.end() - 60);
    for (const auto& [name, references] : references_) {
        const auto network = nets::open_network(file_of(name));
        ASSERT_TRUE(network) << network.error().message;
        const Differences found = compare(*network, references);
        report(name, found);
        EXPECT_LT(found.largest_probability, 0.002) << found.worst;
        EXPECT_LT(found.largest_advantage, 0.002);
        EXPECT_EQ(found.same_best, 1);
    }
}

TEST_F(Maia, SaysNearlyTheSameInBf16) {
    if (!nets::processor_has_bf16()) GTEST_SKIP() << "this processor does not multiply bfloat16";
    for (const auto& [name, references] : references_) {
        const auto network = nets::open_network("<bf16:" + file_of(name) + ">");
        ASSERT_TRUE(network) << network.error().message;
        const Differences found = compare(*network, references);
        report(name, found);
        EXPECT_LT(found.mean_probability, 0.003);
        EXPECT_LT(found.largest_probability, 0.05) << found.worst;
        EXPECT_LT(found.largest_advantage, 0.05);
        EXPECT_GE(found.same_best, 0.98);
    }
}

}  // namespace
}  // namespace scholar::evaluators
