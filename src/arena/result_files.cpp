#include "arena/result_files.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/streams.hpp"
#include "games/pgn_lexer.hpp"
#include "games/store.hpp"
#include "games/store_format.hpp"

namespace scholar::arena {

namespace {

using games::GameResult;

class Collector {
  public:
    Collector(ResultPool& pool, ResultsRead& read, std::string file)
        : pool_(pool), read_(read), file_(std::move(file)) {}

    void take(std::string_view white, std::string_view black, GameResult result) {
        if (white.empty() || black.empty() || white == "?" || black == "?" || white == black) {
            ++read_.nameless;
        } else if (result == GameResult::Unknown) {
            ++read_.unfinished;
        } else {
            const auto first = pool_.player(white);
            pool_.add(first, pool_.player(black), result);
            ++read_.games;
        }
    }
    void problem(std::uint64_t line, std::string_view message) {
        ++read_.problems;
        if (read_.first_problem.empty())
            read_.first_problem = fmt::format("{}: line {}: {}", file_, line, message);
    }

  private:
    ResultPool& pool_;
    ResultsRead& read_;
    std::string file_;
};

// Takes the three tags and the result of each game.
class Headers final : public games::PgnListener {
  public:
    explicit Headers(Collector& collector) : collector_(collector) {}

    void game_begins(std::uint64_t) override {
        white_.clear();
        black_.clear();
        tagged_ = GameResult::Unknown;
        result_ = GameResult::Unknown;
        bad_ = false;
    }
    void tag(std::string_view name, std::string_view value) override {
        if (name == "White") white_ = value;
        if (name == "Black") black_ = value;
        if (name == "Result") tagged_ = games::parse_result(value).value_or(GameResult::Unknown);
    }
    void move(std::string_view, std::uint64_t) override {}
    void comment(std::string_view) override {}
    void result(GameResult result) override { result_ = result; }
    void problem(std::uint64_t line, std::string message, bool) override {
        collector_.problem(line, message);
        bad_ = true;
    }
    void end() {
        if (!bad_) collector_.take(white_, black_, result_ == GameResult::Unknown ? tagged_ : result_);
    }

  private:
    Collector& collector_;
    std::string white_;
    std::string black_;
    GameResult tagged_ = GameResult::Unknown;
    GameResult result_ = GameResult::Unknown;
    bool bad_ = false;
};

base::Status read_store(const std::string& path, Collector& collector, const std::stop_token& stop) {
    const auto store = games::StoreReader::open(path, games::CutOff::Recover);
    if (!store) return std::unexpected(store.error());
    for (std::size_t number = 0; number < store->blocks().size(); ++number) {
        if (stop.stop_requested()) return base::fail("stopped in {}", path);
        const auto block = store->read_block(number, {.tags = true, .moves = false, .evaluations = false});
        if (!block) return std::unexpected(block.error());
        for (std::size_t game = 0; game < block->games(); ++game)
            collector.take(block->tag(game, "White"), block->tag(game, "Black"), block->info(game).result);
    }
    return {};
}

// A stream of which some bytes were read before.
class Rejoined final : public base::InputStream {
  public:
    Rejoined(std::string head, std::unique_ptr<base::InputStream> rest)
        : head_(std::move(head)), rest_(std::move(rest)) {}
    base::Result<std::size_t> read(std::span<char> buffer) override {
        if (at_ == head_.size()) return rest_->read(buffer);
        const std::size_t size = std::min(buffer.size(), head_.size() - at_);
        std::copy_n(head_.data() + at_, size, buffer.data());
        at_ += size;
        return size;
    }

  private:
    std::string head_;
    std::size_t at_ = 0;
    std::unique_ptr<base::InputStream> rest_;
};

base::Status read_lines(base::InputStream& input, Collector& collector, const std::stop_token& stop) {
    std::vector<char> buffer(1 << 16);
    std::string line;
    std::uint64_t number = 0;
    const auto take = [&] {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string::npos) return;
        const auto game = parse_result_line(line);
        if (!game)
            collector.problem(number, game.error().message);
        else if (*game)
            collector.take((*game)->white, (*game)->black, (*game)->result);
    };
    while (true) {
        if (stop.stop_requested()) return base::fail("stopped");
        const auto size = input.read(buffer);
        if (!size) return std::unexpected(size.error());
        if (*size == 0) break;
        std::string_view text(buffer.data(), *size);
        for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
            line.append(text.substr(0, end));
            text.remove_prefix(end + 1);
            take();
            line.clear();
        }
        line.append(text);
    }
    if (!line.empty()) take();
    return {};
}

base::Status read_pgn(std::unique_ptr<base::InputStream> input, Collector& collector,
                      const std::stop_token& stop) {
    games::PgnText text;
    text.rest = std::move(input);
    games::PgnLexer lexer(std::move(text));
    Headers headers(collector);
    while (!stop.stop_requested()) {
        const auto more = lexer.next(headers);
        if (!more) return std::unexpected(more.error());
        if (!*more) return {};
        headers.end();
    }
    return base::fail("stopped");
}

bool begins_as_store(const std::string& path) {
    std::error_code not_there;
    if (!std::filesystem::is_regular_file(path, not_there)) return false;
    std::string head(games::kStoreMagic.size(), '\0');
    std::ifstream file(path, std::ios::binary);
    return file.read(head.data(), static_cast<std::streamsize>(head.size())) && head == games::kStoreMagic;
}

}  // namespace

base::Result<std::optional<ResultLine>> parse_result_line(std::string_view line) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_discarded() || !json.is_object()) return base::fail("expected one JSON object");
    if (!json.contains("white") && !json.contains("black")) return std::nullopt;
    const auto text = [&](const char* key) -> base::Result<std::string> {
        const auto found = json.find(key);
        if (found == json.end() || !found->is_string()) return base::fail("expected a text '{}'", key);
        return found->get<std::string>();
    };
    ResultLine game;
    for (const auto& [key, into] : {std::pair{"white", &game.white}, std::pair{"black", &game.black}}) {
        auto name = text(key);
        if (!name) return std::unexpected(name.error());
        *into = std::move(*name);
    }
    const auto result = text("result");
    if (!result) return std::unexpected(result.error());
    const auto known = games::parse_result(*result);
    if (!known) return base::fail("result '{}', expected 1-0, 0-1, 1/2-1/2 or *", *result);
    game.result = *known;
    return game;
}

base::Status read_results(const std::string& path, ResultPool& pool, ResultsRead& read,
                          const std::stop_token& stop) {
    const std::string name = path == "-" ? "standard input" : path;
    Collector collector(pool, read, name);
    if (begins_as_store(path)) return read_store(path, collector, stop);
    auto input = base::open_input(path, stop);
    if (!input) return std::unexpected(input.error());
    // JSON begins with a brace, PGN never does: there a comment would begin before any game.
    std::string head;
    while (head.find_first_not_of(" \t\r\n") == std::string::npos) {
        std::array<char, 4096> bytes;
        const auto size = (*input)->read(bytes);
        if (!size) return std::unexpected(size.error());
        if (*size == 0) break;
        head.append(bytes.data(), *size);
    }
    const auto first = head.find_first_not_of(" \t\r\n");
    const bool json = first != std::string::npos && head[first] == '{';
    auto whole = std::make_unique<Rejoined>(std::move(head), std::move(*input));
    const auto status =
        json ? read_lines(*whole, collector, stop) : read_pgn(std::move(whole), collector, stop);
    if (!status) return base::fail_in(name, status.error());
    return {};
}

}  // namespace scholar::arena
