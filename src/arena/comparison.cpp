#include "arena/comparison.hpp"

#include <fmt/format.h>

namespace scholar::arena {

std::string_view to_string(Better better) {
    switch (better) {
        case Better::First:
            return "first";
        case Better::Second:
            return "second";
        case Better::NotFirst:
            return "not first";
        case Better::Undecided:
            break;
    }
    return "undecided";
}

Better better_of(const MatchResult& result, const Sprt* test) {
    if (test != nullptr) {
        switch (test->verdict()) {
            case Sprt::Verdict::Elo1:
                return Better::First;
            case Sprt::Verdict::Elo0:
                return Better::NotFirst;
            case Sprt::Verdict::None:
                return Better::Undecided;
        }
    }
    const auto rating = rate(result.score(), result.pairs());
    if (!rating) return Better::Undecided;
    if (rating->elo_low > 0) return Better::First;
    if (rating->elo_high < 0) return Better::Second;
    return Better::Undecided;
}

std::string ledger_line(const MatchResult& result, const std::string& control) {
    const auto& [wins, draws, losses] = result.score();
    const auto& pairs = result.pairs();
    std::string text = fmt::format("{} against {}: ", result.engines[0].name, result.engines[1].name);
    const auto rating = rate(result.score(), result.pairs());
    if (!rating)
        text += "no games";
    else if (rating->score > 0 && rating->score < 1)
        text += fmt::format("{} ± {:.1f} Elo, normalised {} ± {:.1f}", elo_text(rating->elo),
                            rating->elo_error, elo_text(rating->normalised), rating->normalised_error);
    else if (rating->score > 0.5)
        text += fmt::format("at least {:+.0f} Elo", elo_bound_of_sweep(result.score().games()));
    else
        text += fmt::format("at most {:+.0f} Elo", -elo_bound_of_sweep(result.score().games()));
    return text + fmt::format(" ({} games at {}, +{} ={} -{}, pairs {} {} {} {} {})", result.score().games(),
                              control, wins, draws, losses, pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]);
}

}  // namespace scholar::arena
