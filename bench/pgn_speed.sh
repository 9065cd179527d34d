#!/usr/bin/env bash
# bench/pgn_speed.sh [ROUNDS [FILE.pgn]]: speed of reading PGN, Scholar on one thread, Scholar on two, and pgn-extract, taking
# turns. Scholar (scholar games read) decodes, checks and plays every move; pgn-extract (-s -r) only reads and checks.
# All are timed as whole processes on the same plain file, which is read once before so that all find it in memory.
#
# FILE: by default games/human-masters.pgn.zst under SCHOLAR_DATA, unpacked into a temporary folder. SCHOLAR and
# PGN_EXTRACT name the programs.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-7}
file=${2:-}
scholar=${SCHOLAR:-build/release/bin/scholar}
pgn_extract=${PGN_EXTRACT:-/usr/games/pgn-extract}
data=${SCHOLAR_DATA:-../shared/data}

fail() {
    echo "pgn_speed: $*" >&2
    exit 1
}
for program in "$scholar" "$pgn_extract"; do
    command -v "$program" >/dev/null || fail "$program: not found"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [[ -z $file ]]; then
    packed=$data/games/human-masters.pgn.zst
    [[ -r $packed ]] || fail "$packed: not found; SCHOLAR_DATA names the folder of the data, or give a file"
    file=$work/human-masters.pgn
    zstd -q -d -o "$file" "$packed"
fi
[[ -r $file ]] || fail "$file: cannot be read"
cat "$file" >/dev/null
echo "$file: $(wc -c <"$file") bytes"

# timed NAME PROGRAM ARGUMENT...: appends the seconds to the file NAME; the output is in $work/output.
timed() {
    local name=$1 begin end
    shift
    begin=$EPOCHREALTIME
    "$@" >"$work/output" 2>"$work/errors" || fail "$* failed: $(tail -1 "$work/errors")"
    end=$EPOCHREALTIME
    awk -v a="$begin" -v b="$end" 'BEGIN { printf "%.3f\n", b - a }' >>"$work/$name"
}

# What the last run of Scholar says under a name.
said() {
    sed -nE "s/.*\"$1\": *([0-9.]+).*/\1/p" "$work/output"
}

for ((round = 1; round <= rounds; ++round)); do
    timed one "$scholar" games read "$file" --threads 1 --json
    games=$(said games)
    moves=$(said plies)
    [[ -n $games && $games -gt 0 ]] || fail "scholar read no games: $(cat "$work/output")"
    timed two "$scholar" games read "$file" --threads 2 --json
    [[ $(said games) == "$games" && $(said plies) == "$moves" ]] || fail "two threads read other games than one"
    timed theirs "$pgn_extract" -s -r "$file"
    paste -d' ' "$work"/{one,two,theirs} | tail -1 | awk -v round="$round" -v n="$games" '{
        printf "round %d: scholar %.2f s, on two threads %.2f s, pgn-extract %.2f s (%.0f, %.0f, %.0f games/s)\n",
            round, $1, $2, $3, n / $1, n / $2, n / $3 }'
done
echo "$games games, $moves half-moves"

# Median, smallest and largest of the numbers on standard input.
spread() {
    sort -g | awk '{ v[NR] = $1 } END {
        m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
        printf "%.2f (%.2f to %.2f)\n", m, v[1], v[NR] }'
}
ratio() {
    paste -d' ' "$work/$1" "$work/$2" | awk '{ print $1 / $2 }' | spread
}
echo "scholar against pgn-extract, one thread: ratio $(ratio theirs one)"
echo "scholar against pgn-extract, two threads: ratio $(ratio theirs two)"
echo "two threads against one: ratio $(ratio one two)"
