#!/usr/bin/env bash
# ./test.sh: sets up as run.sh does, checks the formatting, builds everything, runs every test, compares the portable
# build with it, runs the tests of the engine's layers once more under the address and undefined-behaviour sanitizers, and
# those of what threads share under the thread sanitizer.
# Ends with one line:
# "N passed, N failed".
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

# Without PEXT and with kernels chosen at run time: the same moves, the same numbers.
step "Comparing the portable build with the release"
cmake --preset portable -DSCHOLAR_LEARNING=OFF -DSCHOLAR_TESTS=OFF
cmake --build --preset portable -j "$jobs" --target scholar
fingerprint() { "build/$1/bin/scholar" bench 8 | sed -n 's/^Bench: //p'; }
if [[ $(fingerprint portable) == "$(fingerprint release)" ]]; then
    passed=$((passed + 1))
else
    echo "bench differs: portable $(fingerprint portable), release $(fingerprint release)" >&2
    failed=$((failed + 1))
fi
for suite in tests/data/perft/*.perft; do
    if build/portable/bin/scholar perft 4 --suite "$suite"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done

step "Building with sanitizers"
cmake --preset sanitizers
cmake --build --preset sanitizers -j "$jobs"

step "Running the tests with sanitizers"
run_tests sanitizers

# What threads share in a search and in self-play.
step "Testing with the thread sanitizer"
cmake --preset threads
threaded=(search_test engine_test protocols_test selfplay_test)
cmake --build --preset threads -j "$jobs" --target "${threaded[@]}"
for suite in "${threaded[@]}"; do
    if "build/threads/tests/$suite" >"$logs/threads-$suite.log" 2>&1; then
        passed=$((passed + 1))
    else
        tail -n 40 "$logs/threads-$suite.log"
        failed=$((failed + 1))
    fi
done

steps_done
echo
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
