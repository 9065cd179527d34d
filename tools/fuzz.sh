#!/usr/bin/env bash
# tools/fuzz.sh [NAME] [SECONDS]: builds the fuzzers with Clang (tools/setup.sh --fuzz installs it), runs one of them, or
# each in turn, for so many seconds (default 60), from its seeds and its corpus; then makes the corpus the smallest
# selection of all that was found, and prints runs, what they covered, and crashes. Ends with failure if there were any:
# their inputs are in build/fuzzers/crashes/NAME. NAME "all" is all of them; 0 seconds only makes the corpus small.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
name=${1:-all}
seconds=${2:-60}

names=()
for source in fuzz/*_fuzzer.cpp; do
    known=$(basename "$source" _fuzzer.cpp)
    [[ $name == all || $name == "$known" ]] && names+=("$known")
done
if [[ ${#names[@]} -eq 0 ]]; then
    echo "fuzz: no fuzzer '$name', expected all or one of: $(cd fuzz && echo *_fuzzer.cpp | sed 's/_fuzzer\.cpp//g')" >&2
    exit 1
fi
[[ $seconds =~ ^[0-9]+$ ]] || { echo "fuzz: '$seconds', expected a number of seconds" >&2; exit 1; }

# The largest corpus that is kept for a fuzzer, in bytes, and the longest input that is tried.
corpus_bytes=190000
longest() {
    case $1 in
        fen | epd) echo 300 ;;
        san | uci) echo 1024 ;;
        *) echo 4096 ;;
    esac
}

cmake --preset fuzzers >/dev/null
cmake --build --preset fuzzers --target "${names[@]/%/_fuzzer}"

# A table too large for this machine must be refused by the engine, not end the run.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1}
total_crashes=0
for one in "${names[@]}"; do
    program=$root/build/fuzzers/fuzz/${one}_fuzzer
    found=$root/build/fuzzers/found/$one
    crashes=$root/build/fuzzers/crashes/$one
    corpus=$root/fuzz/corpus/$one
    log=$root/build/fuzzers/$one.log
    mkdir -p "$found" "$crashes" "$corpus"
    options=(-dict="$root/fuzz/$one.dict" -max_len="$(longest "$one")" -timeout=25 -rss_limit_mb=3000)

    if [[ $seconds -gt 0 ]]; then
        echo "$one: $seconds seconds; log $log"
        ("$program" "$found" "$root/fuzz/seeds/$one" "$corpus" "${options[@]}" -artifact_prefix="$crashes/" \
            -max_total_time="$seconds" -print_final_stats=1) >"$log" 2>&1 || true
        runs=$(sed -nE 's/^stat::number_of_executed_units: *//p' "$log")
        covered=$(grep -oE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -1)
        crashed=$(find "$crashes" -type f | wc -l)
        echo "$one: ${runs:-?} runs, ${covered:-nothing covered}, $crashed crashing inputs"
        grep -E '^(property broken|SUMMARY|.*runtime error)' "$log" | sed 's/^/    /' || true
        total_crashes=$((total_crashes + crashed))
    fi

    # The least that reaches every line, as files named by their content. Inputs with telling names stay: they are what
    # once went wrong.
    least=$(mktemp -d)
    "$program" -set_cover_merge=1 -use_counters=0 "${options[@]}" "$least" "$corpus" "$found" \
        "$root/fuzz/seeds/$one" >>"$log" 2>&1 || { echo "fuzz: $one: selecting the corpus failed: see $log" >&2; exit 1; }
    find "$corpus" -type f -regextype egrep -regex '.*/[0-9a-f]{40}' -delete
    size=0
    while read -r bytes file; do
        [[ $((size + bytes)) -le $corpus_bytes ]] || break
        size=$((size + bytes))
        # What is already kept, as a seed or under another name, is not kept twice.
        same=$(find "$corpus" "$root/fuzz/seeds/$one" -type f -size "${bytes}c" -exec cmp -s "$file" {} \; -print -quit)
        [[ -n $same ]] || cp "$file" "$corpus/"
    done < <(find "$least" -type f -printf '%s %p\n' | sort -n)
    rm -rf "$least"
    echo "$one: corpus of $(find "$corpus" -type f | wc -l) inputs, $(cat "$corpus"/* 2>/dev/null | wc -c) bytes"
done
[[ $total_crashes -eq 0 ]]
