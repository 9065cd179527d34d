#!/usr/bin/env bash
# tests/cli/bench.sh BIN: `scholar bench` is read by OpenBench (Client/bench.py): from the last line upwards, with all but letters and
# digits made blanks, the first number of nodes and the first of nodes a second count, whatever else was printed.
set -euo pipefail
scholar=$(realpath "$1")/scholar

fail() {
    echo "WRONG: $*" >&2
    exit 1
}

output=$("$scholar" bench 4)
lines=$(tac <<<"$output" | sed -E 's/[^a-zA-Z0-9 ]+/ /g')
nodes=$(grep -Eoi '[0-9]+ +nodes|nodes +[0-9]+|nodes searched +[0-9]+' <<<"$lines" | head -1 | grep -o '[0-9]*')
speed=$(grep -Eoi '[0-9]+ +nps|nps +[0-9]+|nodes second +[0-9]+' <<<"$lines" | head -1 | grep -o '[0-9]*')
sum=$(sed -n 's/^ *[0-9]* *\([0-9]*\) .* [wb] .*/\1/p' <<<"$output" | awk '{ sum += $1 } END { print sum }')
[ "$nodes" = "$sum" ] || fail "$nodes nodes are read, the positions have $sum"
[ "$nodes" = "$(sed -n 's/^Bench: //p' <<<"$output")" ] || fail "another number than the fingerprint is read: $nodes"
[ "$speed" -gt 0 ] || fail "no speed is read"
