#include "games/openings.hpp"

#include <algorithm>
#include <span>

#include "base/streams.hpp"
#include "chess/epd.hpp"
#include "chess/movegen.hpp"
#include "games/pgn.hpp"

namespace scholar::games {

namespace {

constexpr std::size_t kMaxLine = 1 << 16;

// A text file line by line.
class LineReader {
  public:
    LineReader(std::string file, std::unique_ptr<base::InputStream> input)
        : file_(std::move(file)), input_(std::move(input)), buffer_(1 << 16) {}

    // False at the end of the file. The line end is taken off.
    base::Result<bool> next(std::string& line) {
        line.clear();
        bool any = false;
        while (true) {
            if (at_ == size_) {
                const auto got = input_->read(buffer_);
                if (!got) return std::unexpected(got.error());
                at_ = 0;
                size_ = *got;
                if (size_ == 0) break;
            }
            any = true;
            const char c = buffer_[at_++];
            if (c == '\n') break;
            if (line.size() >= kMaxLine)
                return base::fail("{}: line {}: longer than {} characters", file_, number_ + 1, kMaxLine);
            line += c;
        }
        if (!any) return false;
        ++number_;
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
            line.pop_back();
        if (number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
        return true;
    }

    std::size_t number() const { return number_; }

  private:
    std::string file_;
    std::unique_ptr<base::InputStream> input_;
    std::vector<char> buffer_;
    std::size_t at_ = 0;
    std::size_t size_ = 0;
    std::size_t number_ = 0;
};

// A position begins with its eight ranks; no line of PGN has so many slashes in its first word.
bool looks_like_position(std::string_view line) {
    return std::ranges::count(line.substr(0, line.find(' ')), '/') == 7;
}

// Why no game can be played on from here; "" if one can.
std::string_view end_of(const chess::Position& position, std::span<const std::uint64_t> keys_before) {
    if (!chess::has_legal_move(position)) return position.in_check() ? "checkmate" : "stalemate";
    if (position.has_insufficient_material()) return "insufficient material";
    if (position.halfmove_clock() >= 100) return "fifty moves without capture or pawn move";
    const std::size_t window = std::min<std::size_t>(keys_before.size(), position.halfmove_clock());
    if (std::ranges::count(keys_before.last(window), position.key()) >= 2) return "threefold repetition";
    return {};
}

base::Error already_over(std::string_view why) {
    return {fmt::format("the game is already over ({}), expected a position to play on from", why)};
}

// The same of an opening's last position.
std::string_view end_of(const Opening& opening) {
    chess::Position position = opening.start;
    std::vector<std::uint64_t> keys;
    for (const chess::Move move : opening.moves) {
        keys.push_back(position.key());
        position.make(move);
    }
    return end_of(position, keys);
}

base::Result<std::vector<Opening>> read_pgn(const std::string& path, std::size_t max_plies) {
    auto reader = PgnReader::open(path);
    if (!reader) return std::unexpected(reader.error());
    std::vector<Opening> openings;
    while (true) {
        const auto item = reader->next();
        if (!item) return std::unexpected(item.error());
        if (*item == PgnItem::End) break;
        if (*item == PgnItem::Problem) return base::fail("{}", reader->problem().to_string());
        Game& game = reader->game();
        if (game.moves.size() > max_plies) game.moves.resize(max_plies);
        openings.push_back({game.start, std::move(game.moves)});
        if (const std::string_view why = end_of(openings.back()); !why.empty())
            return base::fail("{}", reader->refused(already_over(why).message).to_string());
    }
    return openings;
}

base::Result<std::vector<Opening>> read_positions(LineReader& lines, const std::string& path,
                                                  std::string line) {
    std::vector<Opening> openings;
    while (true) {
        if (!line.empty() && !line.starts_with('#')) {
            auto epd = chess::parse_epd(line);
            if (!epd) return base::fail("{}: line {}: {}", path, lines.number(), epd.error().message);
            openings.push_back({epd->position, {}});
            if (const std::string_view why = end_of(openings.back()); !why.empty())
                return base::fail_in(fmt::format("{}: line {}", path, lines.number()), already_over(why));
        }
        const auto more = lines.next(line);
        if (!more) return std::unexpected(more.error());
        if (!*more) return openings;
    }
}

}  // namespace

base::Result<std::vector<Opening>> read_openings(const std::string& path, std::size_t max_plies) {
    if (path == "-") return base::fail("openings cannot be read from standard input, expected a file");
    auto input = base::open_input(path);
    if (!input) return std::unexpected(input.error());
    LineReader lines(path, std::move(*input));
    std::string line;
    while (true) {
        const auto more = lines.next(line);
        if (!more) return std::unexpected(more.error());
        if (!*more) return base::fail("{}: no openings, expected EPD positions or PGN games", path);
        if (!line.empty() && !line.starts_with('#')) break;
    }
    const bool by_name = path.ends_with(".epd") || path.ends_with(".fen");
    auto openings =
        by_name || looks_like_position(line) ? read_positions(lines, path, line) : read_pgn(path, max_plies);
    if (openings && openings->empty())
        return base::fail("{}: no openings, expected EPD positions or PGN games", path);
    return openings;
}

base::Result<std::vector<Opening>> parse_openings(std::string_view text, const std::string& name) {
    LineReader lines(name, base::memory_input(text));
    auto openings = read_positions(lines, name, "");
    if (openings && openings->empty()) return base::fail("{}: no openings, expected EPD positions", name);
    return openings;
}

}  // namespace scholar::games
