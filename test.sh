#!/usr/bin/env bash
# ./test.sh: sets up as run.sh does, checks the formatting, builds everything, runs every test, those of rules, networks
# and search once more in the portable build, those of the engine's layers under the address and undefined-behaviour
# sanitizers, and those of what threads share under the thread sanitizer.
# Ends with one line: "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")"

steps_total=9
. tools/steps.sh

jobs=$(nproc)
logs=build/test-logs
mkdir -p "$logs"
passed=0
failed=0

# Runs the tests of a preset, all or those that ctest's options say; failures are counted and shown, and the script goes on to the rest.
run_tests() {
    local preset=$1 log=$logs/$1.log skipped run
    shift
    ctest --preset "$preset" -j "$jobs" "$@" >"$log" 2>&1 || true
    if ! grep -qE '^[0-9]+% tests passed' "$log"; then
        cat "$log"
        echo "ctest --preset $preset did not get to its end" >&2
        return 1
    fi
    # What went wrong, without the tests that passed.
    grep -vE '( Passed | Start |^Test project|Skipped)' "$log" | sed '/^The following tests did not run/,/^$/d' || true
    skipped=$(grep -c '\*\*\*Skipped' "$log" || true)
    if [[ $skipped -gt 0 ]]; then
        echo "skipped $skipped (large data is looked for in \$SCHOLAR_DATA):"
        grep '\*\*\*Skipped' "$log" | sed -E 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: /  /; s/ \.+.*//'
    fi
    run=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+).*/\1 \2/p' "$log")
    failed=$((failed + ${run% *}))
    passed=$((passed + ${run#* } - ${run% *} - skipped))
    [[ ${run#* } -gt 0 ]] || { echo "ctest --preset $preset found no tests" >&2; return 1; }
}

# Builds some suites of a preset and runs each as one program on every core, each with its share of the tests: a process
# for each test, as ctest starts them, takes longer than most tests where there are sanitizers. A program that does not end
# well though no test failed counts as one failure.
run_suites() {
    local preset=$1 suite shard log pids ended wrong before
    shift
    cmake --build --preset "$preset" -j "$jobs" --target "$@"
    for suite in "$@"; do
        log=$logs/$preset-$suite
        before=$((passed + failed))
        pids=()
        for ((shard = 0; shard < jobs; ++shard)); do
            GTEST_TOTAL_SHARDS=$jobs GTEST_SHARD_INDEX=$shard timeout --kill-after=10 900 \
                "build/$preset/tests/$suite" >"$log-$shard.log" 2>&1 &
            pids+=($!)
        done
        for ((shard = 0; shard < jobs; ++shard)); do
            ended=0
            wait "${pids[shard]}" || ended=$?
            passed=$((passed + $(count_in "$log-$shard.log" PASSED)))
            wrong=$(count_in "$log-$shard.log" FAILED)
            failed=$((failed + wrong))
            [[ $ended -eq 0 ]] && continue
            echo "$suite ($preset) ended with $ended:"
            grep -vE '^\[( RUN      |       OK |----------|  SKIPPED )' "$log-$shard.log" | tail -n 60 || true
            # A crash, a hang, or what a sanitizer found and only says at the end.
            [[ $wrong -gt 0 ]] || failed=$((failed + 1))
        done
        if [[ $((passed + failed)) -eq $before ]]; then
            echo "$suite ($preset) has no tests"
            failed=$((failed + 1))
        fi
    done
}

# How many tests of a suite PASSED or FAILED, as it says in the end.
count_in() {
    sed -nE "s/^\[  $2  \] ([0-9]+) tests?[.,].*/\1/p" "$1" | tail -n 1 | grep . || echo 0
}

step "Installing packages"
tools/setup.sh --tests

step "Checking the formatting"
tools/format.sh --check

step "Linting what changed"
cmake --preset release
tools/tidy.sh --changed

step "Building release, with tests"
cmake --build --preset release -j "$jobs"

step "Running the tests"
run_tests release

# Without PEXT and with kernels chosen at run time: the same published perft counts, the same numbers from networks, the
# same fingerprint of the search.
step "Testing the portable build"
cmake --preset portable -DSCHOLAR_LEARNING=OFF
run_suites portable chess_test nets_test engine_test

step "Building with sanitizers"
cmake --preset sanitizers
cmake --build --preset sanitizers -j "$jobs"

step "Running the tests with sanitizers"
mapfile -t suites < <(find build/sanitizers/tests -maxdepth 1 -name '*_test' -type f -executable -printf '%f\n' | sort)
run_suites sanitizers "${suites[@]}"
run_tests sanitizers --label-exclude '_test$'

# What threads share in a search and in self-play.
step "Testing with the thread sanitizer"
cmake --preset threads
run_suites threads engine_test protocols_test selfplay_test
# Of the search the tests with several threads, which say so in their names: in the others there is nothing to be seen.
GTEST_FILTER='*Thread*' run_suites threads search_test

steps_done
echo
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
