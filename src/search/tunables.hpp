#pragma once

#include <array>

namespace scholar::search {

// The constants of the alpha-beta search, declared once with their bounds. In an ordinary build they are
// constants; in the tuning preset each is an option that a tuner can set. Margins are in Score units: 400
// times the logit of the expected result, whatever the network.
struct Tunables {
    int aspiration_window = 24;        // half of the first window around the last score
    int reverse_futility_margin = 90;  // for each half-move of depth
    int null_move_surplus = 200;       // so much above beta for each half-move more of reduction
    int reduction_offset = 60;         // hundredths of a half-move
    int reduction_divisor = 220;       // hundredths: larger reduces less
    int history_divisor = 8192;        // history points for one half-move less or more
};

struct Tunable {
    const char* name;
    int Tunables::* member;
    int min;
    int max;
};

inline constexpr std::array kTunables{
    Tunable{"AspirationWindow", &Tunables::aspiration_window, 5, 200},
    Tunable{"ReverseFutilityMargin", &Tunables::reverse_futility_margin, 20, 400},
    Tunable{"NullMoveSurplus", &Tunables::null_move_surplus, 50, 800},
    Tunable{"ReductionOffset", &Tunables::reduction_offset, -100, 200},
    Tunable{"ReductionDivisor", &Tunables::reduction_divisor, 120, 400},
    Tunable{"HistoryDivisor", &Tunables::history_divisor, 1024, 32768},
};

#if defined(SCHOLAR_TUNING)
constexpr bool kTuning = true;
#else
constexpr bool kTuning = false;
#endif

}  // namespace scholar::search
