#!/usr/bin/env bash
# bench/pgn_memory.sh [GIGABYTES [THREADS]]: reads a PGN file of so many gigabytes (10; threads: 2), made by repeating
# games/human-masters.pgn.zst under SCHOLAR_DATA, and prints the most memory that Scholar held. Fails if that is 200 MB
# (200,000,000 bytes) or more.
#
# The file is made under TMPDIR (/tmp) where there is room for it, and removed; where there is not, it comes through a
# pipe as it is made. SCHOLAR names the program.
set -euo pipefail
cd "$(dirname "$0")/.."
gigabytes=${1:-10}
threads=${2:-2}
scholar=${SCHOLAR:-build/release/bin/scholar}
data=${SCHOLAR_DATA:-../shared/data}
packed=$data/games/human-masters.pgn.zst
limit=200000000

fail() {
    echo "pgn_memory: $*" >&2
    exit 1
}
command -v "$scholar" >/dev/null || fail "$scholar: not found"
[[ -r $packed ]] || fail "$packed: not found; SCHOLAR_DATA names the folder of the data"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

zstd -q -d -o "$work/once.pgn" "$packed"
once=$(wc -c <"$work/once.pgn")
wanted=$(awk -v g="$gigabytes" 'BEGIN { printf "%.0f", g * 1e9 }')
times=$(((wanted + once - 1) / once))
repeat() {
    local i
    for ((i = 0; i < times; ++i)); do cat "$work/once.pgn"; done
}
file=$work/large.pgn
room=$(df --output=avail -B1 "$work" | tail -1)
if [[ $room -gt $((times * once + 2000000000)) ]]; then
    repeat >"$file"
    echo "a file of $(wc -c <"$file") bytes, $times times $packed"
else
    mkfifo "$file"
    repeat >"$file" &
    echo "a pipe of $((times * once)) bytes, $times times $packed (room for a file: $room bytes)"
fi

"$scholar" games read "$file" --threads "$threads" >"$work/output" 2>"$work/errors" &
reader=$!
# The kernel keeps the highest figure; the last one read before the end of the process counts.
peak=0
while kill -0 "$reader" 2>/dev/null; do
    now=$(sed -nE 's/^VmHWM:[[:space:]]*([0-9]+) kB$/\1/p' "/proc/$reader/status" 2>/dev/null || true)
    [[ -z $now ]] || peak=$((now * 1024))
    sleep 0.1
done
wait "$reader" || fail "scholar games read failed: $(tail -1 "$work/errors")"
head -1 "$work/output"
[[ $peak -gt 0 ]] || fail "too short a run: no figure for its memory"
echo "peak memory: $peak bytes ($((peak / 1000000)) MB), allowed: less than $limit"
[[ $peak -lt $limit ]]
