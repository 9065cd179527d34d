#!/usr/bin/env bash
# ./test.sh [--full]: installs what is missing, as run.sh does, checks the formatting, builds everything and runs every test
# that takes less than a minute, those of kernels on every instruction set that this processor has. With --full then also: the
# longer ones; the linter over all sources; the tests of the engine's layers, compiled for any processor, under the address and
# undefined-behaviour sanitizers; and those of what threads share under the thread sanitizer. Ends with one line: "N passed, N
# failed".
set -euo pipefail
cd "$(dirname "$0")"

full=false
case ${1:-} in
    '') ;;
    --full) full=true ;;
    *)
        echo "test.sh: unknown argument '$1', expected --full or nothing" >&2
        exit 2
        ;;
esac

steps_total=4
[[ $full == true ]] && steps_total=8
. tools/steps.sh
. tools/suites.sh

step "Installing packages"
tools/setup.sh --tests

step "Checking the formatting"
tools/format.sh --check

# What a release is, its sources compiled dozens at a time, and its kernels for every instruction set.
step "Building everything"
cmake --preset check
cmake --build --preset check -j "$jobs"

step "Running the tests"
all_suites check
run_suites check
run_ctest check --label-exclude long

if [[ $full == true ]]; then
    step "Running the long tests"
    run_ctest check --label-regex long

    step "Linting"
    tools/tidy.sh

    # Compiled for any processor, so without PEXT: the same published perft counts and the same fingerprint of the search.
    step "Testing with the address and undefined-behaviour sanitizers"
    cmake --preset sanitizers
    cmake --build --preset sanitizers -j "$jobs"
    all_suites sanitizers
    # Without those that take minutes here by doing at length what shorter ones do, too.
    filters=(
        [search_test]='-PolicySearch.OneThatKnowsTheBestMove*:Mtdf.HasExactLeaves*:Mtdf.HasTheMinimaxValueUnderProbability:*OfACollection*/pvs:*FindsTheShortMatesOfACollection/mtdf:NaiveSearches.HaveTheMinimax*:PolicySearch.OrderAndProbability*:*ExactLeavesOnly/pvs:*SeveralThreadsFindWhatOneFinds/pvs:*AStoppedIteration*/pvs'
        [nets_test]='-*EachFeatureSet.UpdateEqualsFreshEncodeAfterEveryMoveThatLeavesTheView/3:MoveNumbers.TellMovesApart*'
        [games_test]='-Lines/Repeater.*:LearntBookPlay.TheRepeater*:LearntBookBeliefs.AgreeWithAPlain*:Pgn.ManyTags:Doctor.CopiesAreFoundIn*:SampleStagesTest.RandomMove:SampleStagesTest.PerGame:SampleRulesTest.RlInChess:SampleStagesTest.ThinOpenings'
        [chess_test]='-*LegalityOfAll*/castling*:*LegalityOfAll*/chess960*'
        [linear_test]='-LinearCounts.AreWhatTheTableSays:LinearCounts.AreWhatTheTableSaysInGamesOfMasters'
        [arena_test]='-ProcessGroup.ManyThreads*:MoveSuite.IsTheSameWithAnyNumberOfThreads:MoveSuite.ARandomPolicyIsChance:Ratings.SimulatedPoolsAreCovered'
        [selfplay_test]='-SystemGamesTest.TheStoreDoesNotDependOnThreads'
    )
    run_suites sanitizers
    run_ctest sanitizers --label-exclude 'long|layering|native'

    # Of most suites those tests that have several threads: in the others there is nothing to be seen. A front end has a thread for
    # each search; it need not play whole games here.
    step "Testing with the thread sanitizer"
    cmake --preset threads
    suites=(ics_test)
    filters=(
        [engine_test]='-*Bench*:*Fingerprint*:*PlaysWholeGames*:PlayersTest.*:Strength.*'
        [protocols_test]='-Uci.EveryMoveHasAScore:Uci.ARefusedPositionLeavesNone:Uci.W*:UciAnalysis.TheSameNodes*'
        [selfplay_test]='*Thread*:Duel.*'
        [chess_test]='*Thread*'
        [search_test]='*Thread*'
        [games_test]='PgnParallel.*:SamplerTest.*:*Threads:ShippedGames.Statistics'
        [arena_test]='Match*:XboardMatch.*:Suite.*:Ladder*:Tuning.*:InProcessEngine.*:*Token*:ProcessGroup.*'
    )
    suites+=("${!filters[@]}")
    build_and_run threads
fi

steps_done
echo
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
