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

# Runs the tests of a preset; failures are counted and shown, and the script goes on to the rest.
run_tests() {
    local preset=$1 log=$logs/$1.log skipped run
    ctest --preset "$preset" -j "$jobs" >"$log" 2>&1 || true
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

# Builds some suites of a preset and runs each as one program on every core, each with its share of the tests. A suite
# counts as one test.
run_suites() {
    local preset=$1 suite shard log pids ok
    shift
    cmake --build --preset "$preset" -j "$jobs" --target "$@"
    for suite in "$@"; do
        log=$logs/$preset-$suite
        pids=()
        for ((shard = 0; shard < jobs; ++shard)); do
            GTEST_TOTAL_SHARDS=$jobs GTEST_SHARD_INDEX=$shard \
                "build/$preset/tests/$suite" >"$log-$shard.log" 2>&1 &
            pids+=($!)
        done
        ok=1
        for ((shard = 0; shard < jobs; ++shard)); do
            wait "${pids[shard]}" && continue
            tail -n 40 "$log-$shard.log"
            ok=0
        done
        passed=$((passed + ok))
        failed=$((failed + 1 - ok))
    done
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
run_tests sanitizers

# What threads share in a search and in self-play.
step "Testing with the thread sanitizer"
cmake --preset threads
run_suites threads search_test engine_test protocols_test selfplay_test

steps_done
echo
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
