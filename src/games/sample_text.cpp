#include "games/sample_text.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "games/ending.hpp"
#include "games/parameters.hpp"

namespace scholar::games {

base::Result<NamedParameters> split_parameters(std::string_view text) {
    NamedParameters result;
    for (const std::string_view word : base::split_words(text)) {
        if (result.name.empty()) {
            result.name = word;
            continue;
        }
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos || equals == 0)
            return base::fail("'{}', expected key=value without spaces", word);
        const std::string_view key = word.substr(0, equals);
        for (const auto& [other, value] : result.values)
            if (other == key) return base::fail("{} is given twice", key);
        result.values.emplace_back(key, word.substr(equals + 1));
    }
    if (result.name.empty()) return base::fail("it is empty, expected a name");
    return result;
}

namespace {

// The name of a type, what it is for, and its parameters. A stage without one does not compile.
template <class S>
struct Description;

template <>
struct Description<stages::Rating> {
    static constexpr std::string_view name = "rating";
    static constexpr std::string_view meaning = "games whose players are both rated from min to max";
    static constexpr std::tuple parameters{Number{"min", &stages::Rating::min, 0, kMaxRating},
                                           Number{"max", &stages::Rating::max, 0, kMaxRating}};
};
template <>
struct Description<stages::MeanRating> {
    static constexpr std::string_view name = "mean_rating";
    static constexpr std::string_view meaning = "games whose players' mean rating is from min to max";
    static constexpr std::tuple parameters{Number{"min", &stages::MeanRating::min, 0, kMaxRating},
                                           Number{"max", &stages::MeanRating::max, 0, kMaxRating}};
};
template <>
struct Description<stages::Result> {
    static constexpr std::string_view name = "result";
    static constexpr std::string_view meaning = "games that ended so";
    static constexpr std::tuple parameters{
        Word{"is", &stages::Result::is,
             std::array<std::string_view, 4>{"decisive", "drawn", "white_wins", "black_wins"}, true}};
};
template <>
struct Description<stages::EndedBy> {
    static constexpr std::string_view name = "ending";
    static constexpr std::string_view meaning = "games that this ended";
    static constexpr std::tuple parameters{
        Word{"is", &stages::EndedBy::is,
             std::array<std::string_view, kEndings.size()>{
                 "unknown", "checkmate", "stalemate", "insufficient-material", "threefold-repetition",
                 "fifty-moves", "resignation", "adjudication", "time-forfeit", "forfeit", "abandoned"},
             true}};
};
template <>
struct Description<stages::SomeGames> {
    static constexpr std::string_view name = "some_games";
    static constexpr std::string_view meaning = "a share of the games, the same ones in every pass";
    static constexpr std::tuple parameters{Number{"share", &stages::SomeGames::share, 0, 1, true}};
};
template <>
struct Description<stages::Ply> {
    static constexpr std::string_view name = "ply";
    static constexpr std::string_view meaning = "positions from half-move min to max; the start is 0";
    static constexpr std::tuple parameters{Number{"min", &stages::Ply::min, 0, kMaxPly},
                                           Number{"max", &stages::Ply::max, 0, kMaxPly}};
};
template <>
struct Description<stages::ToEnd> {
    static constexpr std::string_view name = "to_end";
    static constexpr std::string_view meaning =
        "positions after which min to max half-moves are still played";
    static constexpr std::tuple parameters{Number{"min", &stages::ToEnd::min, 1, kMaxPly},
                                           Number{"max", &stages::ToEnd::max, 1, kMaxPly}};
};
template <>
struct Description<stages::MoverRating> {
    static constexpr std::string_view name = "mover_rating";
    static constexpr std::string_view meaning = "positions whose player to move is rated from min to max";
    static constexpr std::tuple parameters{Number{"min", &stages::MoverRating::min, 0, kMaxRating},
                                           Number{"max", &stages::MoverRating::max, 0, kMaxRating}};
};
constexpr std::array<std::string_view, 7> kMovers{"white",        "black",       "winner",    "loser",
                                                  "higher_rated", "lower_rated", "one_of_two"};
template <>
struct Description<stages::Mover> {
    static constexpr std::string_view name = "mover";
    static constexpr std::string_view meaning =
        "positions whose player to move is this one of the two; one_of_two: one by the game's hash";
    static constexpr std::tuple parameters{Word{"is", &stages::Mover::is, kMovers, true}};
};
template <>
struct Description<stages::QuietMove> {
    static constexpr std::string_view name = "quiet_move";
    static constexpr std::string_view meaning = "the move played is neither a capture nor a promotion";
    static constexpr std::tuple parameters{};
};
template <>
struct Description<stages::NoCaptureNext> {
    static constexpr std::string_view name = "no_capture_next";
    static constexpr std::string_view meaning = "the move played is not a capture";
    static constexpr std::tuple parameters{};
};
template <>
struct Description<stages::Moved> {
    static constexpr std::string_view name = "moved";
    static constexpr std::string_view meaning = "such a man made the move played";
    static constexpr std::tuple parameters{
        Word{"is", &stages::Moved::is,
             std::array<std::string_view, 6>{"pawn", "knight", "bishop", "rook", "queen", "king"}, true}};
};
template <>
struct Description<stages::NotInCheck> {
    static constexpr std::string_view name = "not_in_check";
    static constexpr std::string_view meaning = "the side to move is not in check";
    static constexpr std::tuple parameters{};
};
template <>
struct Description<stages::NoCapturePossible> {
    static constexpr std::string_view name = "no_capture_possible";
    static constexpr std::string_view meaning = "no legal move is a capture";
    static constexpr std::tuple parameters{};
};
template <>
struct Description<stages::Quiet> {
    static constexpr std::string_view name = "quiet";
    static constexpr std::string_view meaning =
        "no check, no promotion, and no capture that wins gain centipawns or more by exchanges";
    static constexpr std::tuple parameters{Number{"gain", &stages::Quiet::gain, 1, 10'000},
                                           Number{"pawn", &stages::Quiet::pawn, 1, 10'000},
                                           Number{"knight", &stages::Quiet::knight, 1, 10'000},
                                           Number{"bishop", &stages::Quiet::bishop, 1, 10'000},
                                           Number{"rook", &stages::Quiet::rook, 1, 10'000},
                                           Number{"queen", &stages::Quiet::queen, 1, 10'000}};
};
template <>
struct Description<stages::OneIn> {
    static constexpr std::string_view name = "one_in";
    static constexpr std::string_view meaning = "one position in k, at random";
    static constexpr std::tuple parameters{Number{"k", &stages::OneIn::k, 1, 1e6, true}};
};
template <>
struct Description<stages::ThinOpenings> {
    static constexpr std::string_view name = "thin_openings";
    static constexpr std::string_view meaning = "position p of a game stays with probability 1 - exp(-p/tau)";
    static constexpr std::tuple parameters{Number{"tau", &stages::ThinOpenings::tau, 0.01, 1e6, true}};
};
template <>
struct Description<stages::ThinFirst> {
    static constexpr std::string_view name = "thin_first";
    static constexpr std::string_view meaning =
        "of the first positions of a game, number p stays with probability first * growth^p";
    static constexpr std::tuple parameters{Number{"plies", &stages::ThinFirst::plies, 1, kMaxPly, true},
                                           Number{"first", &stages::ThinFirst::first, 0, 1, true},
                                           Number{"growth", &stages::ThinFirst::growth, 0.01, 1e6}};
};
template <>
struct Description<stages::PerGame> {
    static constexpr std::string_view name = "per_game";
    static constexpr std::string_view meaning = "at most k positions of a game, at random";
    static constexpr std::tuple parameters{Number{"k", &stages::PerGame::k, 1, 1'000, true}};
};
template <>
struct Description<stages::Mirror> {
    static constexpr std::string_view name = "mirror";
    static constexpr std::string_view meaning =
        "where Black is to move, exchange the colours: White always is";
    static constexpr std::tuple parameters{};
};
template <>
struct Description<stages::RandomMove> {
    static constexpr std::string_view name = "random_move";
    static constexpr std::string_view meaning =
        "play count random legal moves; evaluation and move played are then unknown";
    static constexpr std::tuple parameters{Number{"count", &stages::RandomMove::count, 1, 100}};
};
template <>
struct Description<stages::Discount> {
    static constexpr std::string_view name = "discount";
    static constexpr std::string_view meaning =
        "the result, counted from 1/2, times gamma for each half-move to the end";
    static constexpr std::tuple parameters{Number{"gamma", &stages::Discount::gamma, 0, 1, true}};
};
template <>
struct Description<stages::Returns> {
    static constexpr std::string_view name = "returns";
    static constexpr std::string_view meaning =
        "each evaluation is blended with the next one, lambda of it, and so on to the result";
    static constexpr std::tuple parameters{Number{"lambda", &stages::Returns::lambda, 0, 1, true},
                                           Number{"scale", &stages::Returns::scale, 10, 10'000}};
};

// Line ends and the like as blanks would hide what is wrong.
std::string on_one_line(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '\n')
            out += "\\n";
        else if (code < 0x20 || code == 0x7F)
            out += fmt::format("\\x{:02x}", code);
        else
            out += c;
    }
    return out;
}

// Calls `use` with a default-made value of each alternative, in order, until it returns true.
template <class Variant, class Use>
void for_each_alternative(Use use) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (use(std::variant_alternative_t<I, Variant>{}) || ...);
    }(std::make_index_sequence<std::variant_size_v<Variant>>());
}

// One of a variant's types, read by its name.
template <class Variant>
base::Result<Variant> parse_one(std::string_view what, std::string_view text) {
    const auto wrong = [&](const std::string& why) {
        return base::fail("{}", on_one_line(fmt::format("{} '{}': {}", what, text, why)));
    };
    const auto given = split_parameters(text);
    if (!given) return wrong(given.error().message);
    std::optional<base::Result<Variant>> result;
    std::vector<std::string> names;
    for_each_alternative<Variant>([&]<class S>(S value) {
        names.emplace_back(Description<S>::name);
        if (given->name != Description<S>::name) return false;
        if (auto status = read_parameters(value, *given, Description<S>::parameters); !status)
            result = wrong(status.error().message);
        else
            result = value;
        return true;
    });
    if (!result)
        return wrong(fmt::format("unknown {} '{}', {}", what, given->name, base::hint(given->name, names)));
    return *result;
}

}  // namespace

base::Result<SampleStage> parse_stage(std::string_view text) {
    return parse_one<SampleStage>("stage", text);
}

std::string to_string(const SampleStage& stage) {
    return std::visit(
        []<class S>(const S& each) {
            return std::string(Description<S>::name) + write_parameters(each, Description<S>::parameters);
        },
        stage);
}

std::string to_string(std::span<const SampleStage> stages) {
    std::string text;
    for (const SampleStage& stage : stages) text += (text.empty() ? "" : ", ") + to_string(stage);
    return text;
}

std::vector<StageHelp> stage_help() {
    std::vector<StageHelp> help;
    for_each_alternative<SampleStage>([&]<class S>(const S&) {
        help.push_back(
            {show_parameters(Description<S>::name, Description<S>::parameters), Description<S>::meaning});
        return false;
    });
    return help;
}

// The papers' rules ----------------------------------------------------------------------------------------

namespace {

using Stages = std::vector<SampleStage>;

// KnightCap, section 2, figure 3 (TDLeaf) and section 4.1: the positions in which the learner is to move
// (x_{t+1} is what its move and the opponent's reply have made of x_t), in the game's order, no filter. The
// paper plays its own games, with either colour and without an opening book. Who the learner is a stored game
// does not say: one of its two players, by the game's hash, unless said. TDLeaf itself wants them unshuffled
// (shuffle_buffer 1).
struct KnightCap {
    stages::Mover::Kind learner = stages::Mover::Kind::OneOfTwo;
    Stages stages() const { return {stages::Mover{.is = learner}}; }
};

// Giraffe, section 4.3: positions at random from a database of computer games, whatever they are like, and
// one random legal move applied to each before use. There they are starting points for self-play and need no
// label; here the game's result stays as one, and games without a known result are left out. In section 4.5
// 256 of them make an iteration: that is the batch.
struct Giraffe {
    Stages stages() const { return {stages::RandomMove{}}; }
};

// ConvChess, section 2.1: games between players of an average rating greater than 2000 (the mean of two whole
// ratings that is greater is 2000.5 or more), without the moves of a player under 2000; boards of Black
// turned over, top to bottom, with the colours flipped.
struct ConvChess {
    Stages stages() const {
        return {stages::MeanRating{.min = 2000.5}, stages::MoverRating{.min = 2'000}, stages::Mirror{}};
    }
};

// ConvChess, section 2.4: the same boards, valued by the result times gamma for each half-move that is still
// to come; gamma 0.7 in section 3.5. The final position, which has no move, is not among them.
struct ConvChessEvaluation {
    double gamma = 0.7;
    Stages stages() const {
        Stages all = ConvChess{}.stages();
        all.insert(all.end() - 1, stages::Discount{.gamma = gamma});
        return all;
    }
};

// RL in Chess, "Data Parsing and Generation" with algorithm 1, and "Implementation": every state of every
// game with probability 0.25 (the text says 0.2 too: share=0.2), but the first six thinned exponentially,
// with 0.001325 · 2^i for state i (the published program's numbers; the paper gives only the shape); Black's
// boards flipped and their colours swapped. Draws stay: algorithm 1 has outcomes -1, 0 and 1.
struct RlInChess {
    double share = 0.25;
    Stages stages() const {
        return {stages::ThinFirst{.plies = 6, .first = 0.001325 / share, .growth = 2},
                stages::OneIn{.k = 1 / share}, stages::Mirror{}};
    }
};

// DeepChess (soft), section 2: no drawn games; each game with probability 0.5; from each ten positions at
// random, none from the first five moves of the game (half-moves 0 to 9) and none in which the move played is
// a capture.
struct DeepChess {
    Stages stages() const {
        return {stages::Result{.is = stages::Result::Kind::Decisive}, stages::SomeGames{.share = 0.5},
                stages::Ply{.min = 10}, stages::NoCaptureNext{}, stages::PerGame{.k = 10}};
    }
};

using Rule = std::variant<KnightCap, Giraffe, ConvChess, ConvChessEvaluation, RlInChess, DeepChess>;

template <>
struct Description<KnightCap> {
    static constexpr std::string_view name = "knightcap";
    static constexpr std::string_view meaning = "every position of every game with the learner to move";
    static constexpr std::string_view source = "KnightCap, section 2, figure 3 and section 4.1";
    static constexpr std::tuple parameters{Word{"learner", &KnightCap::learner, kMovers}};
};
template <>
struct Description<Giraffe> {
    static constexpr std::string_view name = "giraffe";
    static constexpr std::string_view meaning = "any position, after one random legal move";
    static constexpr std::string_view source = "Giraffe, section 4.3";
    static constexpr std::tuple parameters{};
};
template <>
struct Description<ConvChess> {
    static constexpr std::string_view name = "convchess";
    static constexpr std::string_view meaning =
        "moves of players rated 2000 or more in games of mean rating over 2000, mirrored";
    static constexpr std::string_view source = "ConvChess, section 2.1";
    static constexpr std::tuple parameters{};
};
template <>
struct Description<ConvChessEvaluation> {
    static constexpr std::string_view name = "convchess_evaluation";
    static constexpr std::string_view meaning = "the same, with the result discounted towards the start";
    static constexpr std::string_view source = "ConvChess, section 2.4";
    static constexpr std::tuple parameters{Number{"gamma", &ConvChessEvaluation::gamma, 0, 1}};
};
template <>
struct Description<RlInChess> {
    static constexpr std::string_view name = "rl_in_chess";
    static constexpr std::string_view meaning =
        "each position with probability share, the first six with 0.001325 * 2^i, mirrored";
    static constexpr std::string_view source =
        "RL in Chess, Data Parsing and Generation (algorithm 1), Implementation";
    static constexpr std::tuple parameters{Number{"share", &RlInChess::share, 0.05, 1}};
};
template <>
struct Description<DeepChess> {
    static constexpr std::string_view name = "deepchess";
    static constexpr std::string_view meaning =
        "ten positions of half of the won games, after move five, no capture next";
    static constexpr std::string_view source = "DeepChess (soft), section 2";
    static constexpr std::tuple parameters{};
};

}  // namespace

std::vector<SampleRule> sample_rules() {
    std::vector<SampleRule> rules;
    for_each_alternative<Rule>([&]<class R>(const R&) {
        rules.push_back({show_parameters(Description<R>::name, Description<R>::parameters),
                         Description<R>::meaning, Description<R>::source});
        return false;
    });
    return rules;
}

base::Result<std::vector<SampleStage>> parse_rule(std::string_view text) {
    const auto rule = parse_one<Rule>("rule", text);
    if (!rule) return std::unexpected(rule.error());
    return std::visit([](const auto& each) { return each.stages(); }, *rule);
}

}  // namespace scholar::games
