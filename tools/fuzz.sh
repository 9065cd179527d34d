#!/usr/bin/env bash
# tools/fuzz.sh [NAME] [SECONDS]: builds the fuzzers with Clang (tools/setup.sh --fuzz installs it), runs one of them, or
# each in turn, for so many seconds (default 60), from its seeds and its corpus; then makes the corpus a small selection
# of all that was found, and prints runs, what they covered, and crashes. Ends with failure if there were any: their
# inputs are in build/fuzzers/crashes/NAME. Those of earlier runs are tried first; what no longer crashes goes to the
# inputs found. NAME "all" is all of them; 0 seconds only tries the old crashes and makes the corpus small.
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

# The largest corpus that is kept for a fuzzer, in bytes and files, and the longest input that is tried.
corpus_bytes=95000
corpus_files=145
longest() {
    case $1 in
        fen | epd) echo 300 ;;
        lc0) echo 6144 ;;
        san | uci) echo 1024 ;;
        *) echo 4096 ;;
    esac
}

# Of a merge's control file, the names of the inputs that are kept, in the order of their choice: each time the one that
# reaches most that none before has reached, the smaller of two, until everything is reached or there is no room.
choose() {
    awk -v room="$1" -v places="$2" '
        NR == 1 { files = $1; next }
        NR == 2 { next }
        NR <= files + 2 { name[NR - 3] = $0; next }
        $1 == "STARTED" { size[$2] = $3 }
        $1 == "FT" { reached[$2] = $0 }
        END {
            while (places-- > 0) {
                best = -1; most = 0
                for (file in reached) {
                    if (size[file] > room) continue
                    count = split(reached[file], parts)
                    new = 0; kept = "FT " file
                    for (i = 3; i <= count; ++i)
                        if (!(parts[i] in done)) { ++new; kept = kept " " parts[i] }
                    if (new == 0) { delete reached[file]; continue }
                    reached[file] = kept
                    if (new > most || (new == most && size[file] < size[best])) { best = file; most = new }
                }
                if (best < 0) break
                count = split(reached[best], parts)
                for (i = 3; i <= count; ++i) done[parts[i]] = 1
                room -= size[best]
                print name[best]
                delete reached[best]
            }
        }' "$3"
}

# What a fuzzer may take, in megabytes, and for one allocation: of a store or a network of lc0 a few kilobytes must
# not ask for much.
memory() {
    case $1 in
        store | lc0) echo 512 ;;
        *) echo 3000 ;;
    esac
}

cmake --preset fuzzers >/dev/null
cmake --build --preset fuzzers --target "${names[@]/%/_fuzzer}"

# A table too large for this machine must be refused by the engine, not end the run. What was freed is kept back for
# a while, and counts as memory.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1:quarantine_size_mb=32}
total_crashes=0
for one in "${names[@]}"; do
    program=$root/build/fuzzers/fuzz/${one}_fuzzer
    found=$root/build/fuzzers/found/$one
    crashes=$root/build/fuzzers/crashes/$one
    corpus=$root/fuzz/corpus/$one
    log=$root/build/fuzzers/$one.log
    mkdir -p "$found" "$crashes" "$corpus"
    options=(-dict="$root/fuzz/$one.dict" -max_len="$(longest "$one")" -timeout=25
        -rss_limit_mb="$(memory "$one")" -malloc_limit_mb="$(memory "$one")")
    : >"$log"

    # What was only slow is no crash.
    find "$crashes" -type f -name 'slow-unit-*' -exec mv -t "$found" {} +
    while read -r input; do
        if "$program" "${options[@]}" "$input" >>"$log" 2>&1; then
            echo "$one: no longer crashes: $(basename "$input")"
            mv "$input" "$found/"
        fi
    done < <(find "$crashes" -type f)

    if [[ $seconds -gt 0 ]]; then
        echo "$one: $seconds seconds; log $log"
        ("$program" "$found" "$root/fuzz/seeds/$one" "$corpus" "${options[@]}" -artifact_prefix="$crashes/" \
            -max_total_time="$seconds" -print_final_stats=1) >>"$log" 2>&1 || true
        find "$crashes" -type f -name 'slow-unit-*' -exec mv -t "$found" {} +
        runs=$(sed -nE 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
        covered=$(grep -oE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -1 || true)
        echo "$one: ${runs:-?} runs, ${covered:-nothing covered}"
    fi
    crashed=$(find "$crashes" -type f | wc -l)
    if [[ $crashed -gt 0 ]]; then
        echo "$one: $crashed crashing inputs in $crashes"
        grep -E '^(property broken|SUMMARY|.*runtime error)' "$log" | sort -u | sed 's/^/    /' || true
        total_crashes=$((total_crashes + crashed))
    fi

    # Of the least that reaches every line, as much as there is room for, as files named by their content. Inputs with
    # telling names stay: they are what once went wrong.
    work=$(mktemp -d)
    mkdir "$work/least" "$work/none"
    merge=("$program" -set_cover_merge=1 -use_counters=0 "${options[@]}")
    if ! "${merge[@]}" "$work/least" "$corpus" "$found" "$root/fuzz/seeds/$one" >>"$log" 2>&1 ||
        ! "${merge[@]}" -merge_control_file="$work/control" "$work/none" "$work/least" >>"$log" 2>&1; then
        echo "fuzz: $one: selecting the corpus failed: see $log" >&2
        exit 1
    fi
    find "$corpus" -type f -regextype egrep -regex '.*/[0-9a-f]{40}' -delete
    room=$((corpus_bytes - $(find "$corpus" -type f -printf '%s\n' | awk '{ all += $1 } END { print all + 0 }')))
    places=$((corpus_files - $(find "$corpus" -type f | wc -l)))
    while read -r file; do
        # What is already kept, as a seed or under another name, is not kept twice.
        same=$(find "$corpus" "$root/fuzz/seeds/$one" -type f -size "$(stat -c %s "$file")c" -exec cmp -s "$file" {} \; \
            -print -quit)
        [[ -n $same ]] || cp "$file" "$corpus/"
    done < <(choose "$room" "$places" "$work/control")
    rm -rf "$work"
    echo "$one: corpus of $(find "$corpus" -type f | wc -l) inputs, $(cat "$corpus"/* 2>/dev/null | wc -c) bytes"
done
[[ $total_crashes -eq 0 ]]
