#include "evaluators/fakes/opinion_record.hpp"

#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"

namespace scholar::evaluators {

namespace {

using nlohmann::json;

std::string name_of(chess::Move move) {
    return chess::to_uci(move, chess::CastlingNotation::Chess960);
}

class RecordingBatch final : public BatchEvaluator {
  public:
    RecordingBatch(std::unique_ptr<BatchEvaluator> of, std::ofstream out, std::string file)
        : of_(std::move(of)), out_(std::move(out)), file_(std::move(file)) {}

    nets::Abilities abilities() const override { return of_->abilities(); }
    nets::Reads reads() const override { return of_->reads(); }
    std::size_t capacity() const override { return of_->capacity(); }
    void submit(const chess::Line& line, const chess::MoveList& moves) override {
        asked_.push_back({chess::to_fen(line.current()), of_->key(line), moves});
        of_->submit(line, moves);
    }
    base::Status collect(std::vector<Opinion>& opinions) override {
        const std::vector<Asked> asked = std::exchange(asked_, {});
        if (auto status = of_->collect(opinions); !status) return status;
        for (std::size_t i = 0; i < asked.size(); ++i)
            out_ << to_line(asked[i], opinions[i]) + '\n' << std::flush;
        if (out_) return {};
        opinions.clear();
        return base::fail("{}: cannot write", file_);
    }

  private:
    struct Asked {
        std::string fen;
        std::uint64_t key;
        chess::MoveList moves;
    };
    static std::string to_line(const Asked& asked, const Opinion& opinion) {
        json line{{"fen", asked.fen}, {"key", base::to_hex(asked.key)}};
        if (opinion.value) line["value"] = opinion.value->value();
        if (opinion.wdl) line["wdl"] = {opinion.wdl->win, opinion.wdl->draw, opinion.wdl->loss};
        if (opinion.moves_left) line["moves_left"] = *opinion.moves_left;
        for (std::size_t i = 0; i < opinion.probabilities.size(); ++i)
            line["probabilities"][name_of(asked.moves[static_cast<int>(i)])] = opinion.probabilities[i];
        return base::json_line(line);
    }

    std::unique_ptr<BatchEvaluator> of_;
    std::ofstream out_;
    std::string file_;
    std::vector<Asked> asked_;
};

class ReplayedBatch final : public BatchEvaluator {
  public:
    explicit ReplayedBatch(std::shared_ptr<const RecordedOpinions> opinions)
        : recorded_(std::move(opinions)) {}

    nets::Abilities abilities() const override { return recorded_->abilities; }
    nets::Reads reads() const override { return recorded_->reads; }
    std::size_t capacity() const override { return 1'024; }
    void submit(const chess::Line& line, const chess::MoveList& moves) override {
        Opinion& opinion = opinions_.emplace_back();
        const auto entry = recorded_->entries.find(key(line));
        if (entry == recorded_->entries.end()) {
            if (missing_.empty()) missing_ = chess::to_fen(line.current());
            return;
        }
        opinion = entry->second.opinion;
        if (!recorded_->abilities.has(nets::Ability::Policy)) return;
        opinion.probabilities.reserve(static_cast<std::size_t>(moves.size()));
        for (const chess::Move move : moves) {
            const auto known = entry->second.probabilities.find(move.bits());
            if (known == entry->second.probabilities.end() && missing_.empty())
                missing_ = chess::to_fen(line.current()) + " " + name_of(move);
            opinion.probabilities.push_back(known == entry->second.probabilities.end() ? 0 : known->second);
        }
    }
    base::Status collect(std::vector<Opinion>& opinions) override {
        opinions.swap(opinions_);
        opinions_.clear();
        if (missing_.empty()) return {};
        opinions.clear();
        return base::fail("{}: not among the recorded opinions", std::exchange(missing_, {}));
    }

  private:
    std::shared_ptr<const RecordedOpinions> recorded_;
    std::vector<Opinion> opinions_;
    std::string missing_;
};

base::Result<std::pair<std::uint64_t, RecordedOpinions::Entry>> take_entry(const std::string& text) {
    const auto wrong = [&] {
        return base::fail("'{}', expected a recorded opinion with key, FEN and probabilities of its moves",
                          base::excerpt(text));
    };
    const json line = json::parse(text, nullptr, false);
    if (!line.is_object()) return wrong();
    RecordedOpinions::Entry entry;
    try {
        const auto hex = line.at("key").get<std::string>();
        std::uint64_t key = 0;
        const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), key, 16);
        const auto position = chess::parse_fen(line.at("fen").get<std::string>());
        if (error != std::errc() || end != hex.data() + hex.size() || !position) return wrong();
        if (line.contains("value")) entry.opinion.value = chess::Score(line.at("value").get<int>());
        if (line.contains("wdl"))
            entry.opinion.wdl = {line.at("wdl").at(0).get<double>(), line.at("wdl").at(1).get<double>(),
                                 line.at("wdl").at(2).get<double>()};
        if (line.contains("moves_left")) entry.opinion.moves_left = line.at("moves_left").get<float>();
        if (line.contains("probabilities")) {
            std::unordered_map<std::string, std::uint16_t> moves;
            for (const chess::Move move : chess::legal_moves(*position)) moves[name_of(move)] = move.bits();
            for (const auto& [name, probability] : line.at("probabilities").items()) {
                const auto move = moves.find(name);
                if (move == moves.end()) return wrong();
                entry.probabilities[move->second] = probability.get<float>();
            }
        }
        return std::pair(key, std::move(entry));
    } catch (const json::exception&) {
        return wrong();
    }
}

}  // namespace

base::Result<std::unique_ptr<BatchEvaluator>> record_opinions(std::unique_ptr<BatchEvaluator> of,
                                                              const std::filesystem::path& file,
                                                              const std::string& head) {
    std::error_code unknown;
    if (std::filesystem::exists(file, unknown) && !std::filesystem::is_regular_file(file, unknown))
        return base::fail("{}: exists and is no ordinary file, expected one to write opinions into",
                          file.string());
    std::string first;
    if (std::ifstream in(file); in && std::getline(in, first) && first != head)
        return base::fail("{}: has other opinions, or none: begins with '{}', expected '{}'", file.string(),
                          base::excerpt(first), base::excerpt(head));
    std::ofstream out(file, std::ios::app);
    if (first.empty()) out << head + '\n' << std::flush;
    if (!out) return base::fail("{}: cannot write", file.string());
    return std::make_unique<RecordingBatch>(std::move(of), std::move(out), file.string());
}

base::Result<RecordedOpinions> read_opinions(const std::filesystem::path& file, nets::Abilities abilities,
                                             const nets::Reads& reads) {
    RecordedOpinions opinions{abilities, reads, {}};
    std::ifstream in(file);
    std::string line;
    if (!in || !std::getline(in, line)) return base::fail("{}: cannot be read", file.string());
    for (int number = 2; std::getline(in, line); ++number) {
        // What a kill cut off.
        if (in.eof()) break;
        auto entry = take_entry(line);
        if (!entry) return base::fail("{}: line {}: {}", file.string(), number, entry.error().message);
        opinions.entries.insert_or_assign(entry->first, std::move(entry->second));
    }
    return opinions;
}

std::unique_ptr<BatchEvaluator> replay_opinions(std::shared_ptr<const RecordedOpinions> opinions) {
    return std::make_unique<ReplayedBatch>(std::move(opinions));
}

}  // namespace scholar::evaluators
