#pragma once

#include <array>

namespace scholar::search {

// The constants of the alpha-beta search, declared once with their bounds. In an ordinary build they are
// constants; in the tuning preset each is an option that a tuner can set. Margins are in Score units: 400
// times the logit of the expected result, whatever the network. Reductions are in 1/1024 half-moves.
struct Tunables {
    // Windows around the last score.
    int aspiration_window = 18;  // half of the first one
    int aspiration_growth = 50;  // percent by which a window grows when the score falls outside
    // Tests of MTD(f).
    int mtdf_stride = 8;  // how much further the next test is after a second one that came out the same way
    // Whole nodes cut off on a guess.
    int razoring_base = 450;
    int razoring_slope = 280;             // by the square of the depth
    int reverse_futility_margin = 110;    // for each half-move of depth
    int reverse_futility_improving = 70;  // less when improving
    int null_move_margin = 20;    // for each half-move of depth, that the evaluation may lie below beta…
    int null_move_base = 150;     // …this much above
    int null_move_surplus = 200;  // so much above beta for each half-move more of reduction
    int probcut_margin = 190;
    int probcut_improving = 60;
    // Moves passed over.
    int futility_base = 140;
    int futility_slope = 120;  // for each half-move of depth
    int capture_futility_base = 230;
    int capture_futility_slope = 230;
    int quiet_exchange = 27;     // by the square of the depth
    int noisy_exchange = 150;    // by the depth
    int history_pruning = 4000;  // by the depth
    int quiescence_margin = 230;
    // Extensions.
    int singular_margin = 60;  // sixtieths, for each half-move of depth
    int double_margin = 20;
    // Reductions.
    int reduction_base = 700;
    int reduction_slope = 470;  // × ln(depth) × ln(number)
    int reduction_cut_node = 1500;
    int reduction_not_improving = 700;
    int reduction_table_capture = 900;
    int reduction_principal = 1000;
    int reduction_many_cuts = 900;
    int reduction_killer = 1000;
    int reduction_history = 90;  // per 1024 points of history
    int deeper_margin = 45;
    // Lessons.
    int bonus_slope = 160;
    int bonus_base = 80;
    int bonus_max = 1600;
    int malus_slope = 160;
    int malus_base = 60;
    int malus_max = 1500;
    int correction_weight_pawn = 100;
    int correction_weight_minor = 100;
    int correction_weight_piece = 100;
    int correction_weight_continuation = 100;
    // Time. Shares in hundredths, the first in ten-thousandths.
    int time_share = 300;     // of what is on the clock
    int time_increment = 80;  // of the increment
    int time_most = 70;       // of what is on the clock, never more
    int time_maximum = 500;   // of the optimum
    int time_unstable = 140;
    int time_stable_step = 7;
    int time_trend = 350;
    int time_effort_base = 190;
    int time_effort_slope = 130;
};

struct Tunable {
    const char* name;
    int Tunables::* member;
    int min;
    int max;
};

inline constexpr std::array kTunables{
    Tunable{"AspirationWindow", &Tunables::aspiration_window, 5, 200},
    Tunable{"AspirationGrowth", &Tunables::aspiration_growth, 10, 400},
    Tunable{"MtdfStride", &Tunables::mtdf_stride, 0, 200},
    Tunable{"RazoringBase", &Tunables::razoring_base, 100, 2000},
    Tunable{"RazoringSlope", &Tunables::razoring_slope, 50, 1000},
    Tunable{"ReverseFutilityMargin", &Tunables::reverse_futility_margin, 20, 400},
    Tunable{"ReverseFutilityImproving", &Tunables::reverse_futility_improving, 0, 300},
    Tunable{"NullMoveMargin", &Tunables::null_move_margin, 0, 100},
    Tunable{"NullMoveBase", &Tunables::null_move_base, 0, 1000},
    Tunable{"NullMoveSurplus", &Tunables::null_move_surplus, 50, 800},
    Tunable{"ProbcutMargin", &Tunables::probcut_margin, 50, 600},
    Tunable{"ProbcutImproving", &Tunables::probcut_improving, 0, 200},
    Tunable{"FutilityBase", &Tunables::futility_base, 0, 600},
    Tunable{"FutilitySlope", &Tunables::futility_slope, 20, 400},
    Tunable{"CaptureFutilityBase", &Tunables::capture_futility_base, 0, 1000},
    Tunable{"CaptureFutilitySlope", &Tunables::capture_futility_slope, 50, 600},
    Tunable{"QuietExchange", &Tunables::quiet_exchange, 5, 100},
    Tunable{"NoisyExchange", &Tunables::noisy_exchange, 30, 400},
    Tunable{"HistoryPruning", &Tunables::history_pruning, 1000, 12'000},
    Tunable{"QuiescenceMargin", &Tunables::quiescence_margin, 50, 600},
    Tunable{"SingularMargin", &Tunables::singular_margin, 10, 300},
    Tunable{"DoubleMargin", &Tunables::double_margin, 0, 100},
    Tunable{"ReductionBase", &Tunables::reduction_base, -500, 2000},
    Tunable{"ReductionSlope", &Tunables::reduction_slope, 200, 900},
    Tunable{"ReductionCutNode", &Tunables::reduction_cut_node, 0, 3000},
    Tunable{"ReductionNotImproving", &Tunables::reduction_not_improving, 0, 2000},
    Tunable{"ReductionTableCapture", &Tunables::reduction_table_capture, 0, 2000},
    Tunable{"ReductionPrincipal", &Tunables::reduction_principal, 0, 3000},
    Tunable{"ReductionManyCuts", &Tunables::reduction_many_cuts, 0, 2500},
    Tunable{"ReductionKiller", &Tunables::reduction_killer, 0, 2500},
    Tunable{"ReductionHistory", &Tunables::reduction_history, 20, 300},
    Tunable{"DeeperMargin", &Tunables::deeper_margin, 10, 200},
    Tunable{"BonusSlope", &Tunables::bonus_slope, 40, 500},
    Tunable{"BonusBase", &Tunables::bonus_base, -200, 400},
    Tunable{"BonusMax", &Tunables::bonus_max, 500, 4000},
    Tunable{"MalusSlope", &Tunables::malus_slope, 40, 500},
    Tunable{"MalusBase", &Tunables::malus_base, -200, 400},
    Tunable{"MalusMax", &Tunables::malus_max, 500, 4000},
    Tunable{"CorrectionWeightPawn", &Tunables::correction_weight_pawn, 0, 400},
    Tunable{"CorrectionWeightMinor", &Tunables::correction_weight_minor, 0, 400},
    Tunable{"CorrectionWeightPiece", &Tunables::correction_weight_piece, 0, 400},
    Tunable{"CorrectionWeightContinuation", &Tunables::correction_weight_continuation, 0, 400},
    Tunable{"TimeShare", &Tunables::time_share, 100, 800},
    Tunable{"TimeIncrement", &Tunables::time_increment, 20, 100},
    Tunable{"TimeMost", &Tunables::time_most, 20, 90},
    Tunable{"TimeMaximum", &Tunables::time_maximum, 150, 1000},
    Tunable{"TimeUnstable", &Tunables::time_unstable, 80, 250},
    Tunable{"TimeStableStep", &Tunables::time_stable_step, 0, 20},
    Tunable{"TimeTrend", &Tunables::time_trend, 0, 1000},
    Tunable{"TimeEffortBase", &Tunables::time_effort_base, 100, 300},
    Tunable{"TimeEffortSlope", &Tunables::time_effort_slope, 0, 250},
};

#if defined(SCHOLAR_TUNING)
constexpr bool kTuning = true;
#else
constexpr bool kTuning = false;
#endif

}  // namespace scholar::search
