# Sourced by test.sh: runs what tests a preset has, and counts what passed and failed.
#   all_suites check
#   run_suites check
#   run_ctest check --label-exclude long
#   echo "$passed passed, $failed failed"

jobs=$(nproc)
logs=build/test-logs
mkdir -p "$logs"
passed=0
failed=0
# The programs of tests that run_suites runs, and for some of them which of their tests, as GoogleTest's filters say it.
suites=()
declare -A filters=()

# all_suites PRESET: every program of tests that was built.
all_suites() {
    # The largest first, so that no core waits for one of them at the end.
    mapfile -t suites < <(find "build/$1/tests" -maxdepth 1 -name '*_test' -type f -executable -printf '%s %f\n' |
        sort -rn | cut -d' ' -f2)
    filters=()
}

# build_and_run PRESET TARGET...: builds the suites, with other targets, and runs them.
build_and_run() {
    local preset=$1
    shift
    cmake --build --preset "$preset" -j "$jobs" --target "${suites[@]}" "$@"
    run_suites "$preset"
}

# run_suites PRESET: each suite as a whole program, in as many parts as there are cores: a process for each test, as ctest starts
# them, takes longer than most tests where there are sanitizers or libtorch. A program that does not end well though no test
# failed counts as one failure; so does one without tests. Each part has a core for itself: libtorch's threads, of which it would
# start as many as there are cores, would wait for each other's.
run_suites() {
    local preset=$1 suite shard log ended wrong right all
    for suite in "${suites[@]}"; do
        rm -f "$logs/$preset-$suite"-*.ended
        for ((shard = 0; shard < jobs; ++shard)); do
            printf '%s\0' "$suite" "$shard" "${filters[$suite]:-*}"
        done
    done | OMP_NUM_THREADS=1 GTEST_TOTAL_SHARDS=$jobs xargs -0 -n 3 -P "$jobs" bash -c '
        log=$1-$3-$4
        status=0
        GTEST_SHARD_INDEX=$4 GTEST_FILTER=$5 timeout --kill-after=10 900 "build/$2/tests/$3" >"$log.log" 2>&1 || status=$?
        echo $status >"$log.ended"' bash "$logs/$preset" "$preset" # then suite, shard and filter
    for suite in "${suites[@]}"; do
        all=0
        for ((shard = 0; shard < jobs; ++shard)); do
            log=$logs/$preset-$suite-$shard
            ended=$(cat "$log.ended" 2>/dev/null || echo 'nothing')
            right=$(count_in "$log.log" PASSED)
            wrong=$(count_in "$log.log" FAILED)
            passed=$((passed + right))
            failed=$((failed + wrong))
            all=$((all + right + wrong))
            say_skipped "$log.log"
            [[ $ended == 0 ]] && continue
            echo "$suite ($preset) ended with $ended:"
            grep -vE '^\[( RUN      |       OK |----------|  SKIPPED )' "$log.log" | tail -n 60 || true
            # A crash, a hang, or what a sanitizer found and only says at the end.
            [[ $wrong -gt 0 ]] || failed=$((failed + 1))
        done
        if [[ $all -eq 0 ]]; then
            echo "$suite ($preset) ran no test"
            failed=$((failed + 1))
        fi
    done
}

# How many tests of a suite PASSED or FAILED, as it says in the end of each round (of tests of kernels there are several).
count_in() {
    sed -nE "s/^\[  $2  \] ([0-9]+) tests?[.,].*/\1/p" "$1" | awk '{ all += $1 } END { print all + 0 }'
}

# The tests that a part of a suite skipped, with their reasons, which stand before.
say_skipped() {
    awk '/^\[  SKIPPED \] .* \(/ { sub(/ \(.*/, ""); print "skipped " substr($0, 14) (why == "" ? "" : ": " why); why = ""; next }
        /: Skipped$/ { getline why }' "$1"
}

# run_ctest PRESET OPTION...: the other tests, those of the programs as a user meets them, of layers, inputs of fuzzers and
# documents, of them those that ctest's options say.
run_ctest() {
    local preset=$1 log=$logs/$1.log skipped run
    shift
    # Tests that are found by running a program: only suites, which are run otherwise.
    ctest --preset "$preset" -j "$jobs" --exclude-regex '^[a-z_]*_test/' "$@" >"$log" 2>&1 || true
    if ! grep -qE '^[0-9]+% tests passed' "$log"; then
        cat "$log"
        echo "ctest --preset $preset did not get to its end" >&2
        return 1
    fi
    # What went wrong, without the tests that passed.
    grep -vE '( Passed | Start |^Test project|Skipped)' "$log" | sed '/^The following tests did not run/,/^$/d' || true
    skipped=$(grep -c '\*\*\*Skipped' "$log" || true)
    [[ $skipped -eq 0 ]] || grep '\*\*\*Skipped' "$log" | sed -E 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: /skipped /; s/ \.+.*//'
    run=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+).*/\1 \2/p' "$log")
    failed=$((failed + ${run% *}))
    passed=$((passed + ${run#* } - ${run% *} - skipped))
    [[ ${run#* } -gt 0 ]] || { echo "ctest --preset $preset found no tests" >&2; return 1; }
}
