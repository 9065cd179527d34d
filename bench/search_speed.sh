#!/usr/bin/env bash
# bench/search_speed.sh [ROUNDS]: search speed of Scholar and of Stockfish, each by its own bench on one thread, taking
# turns; nodes a second of each round, medians, and the ratio of the medians with the range of the rounds' ratios.
# SCHOLAR and STOCKFISH name the programs.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-5}
scholar=${SCHOLAR:-build/release/bin/scholar}
stockfish=${STOCKFISH:-/usr/games/stockfish}
for program in "$scholar" "$stockfish"; do
    command -v "$program" >/dev/null || { echo "search_speed: $program: not found" >&2; exit 1; }
done

ours=()
theirs=()
for ((round = 1; round <= rounds; ++round)); do
    a=$("$scholar" bench | sed -nE 's/.* ([0-9]+) nodes\/s.*/\1/p')
    b=$("$stockfish" bench 16 1 13 2>&1 | sed -nE 's/^Nodes\/second *: ([0-9]+).*/\1/p')
    [[ -n $a && -n $b ]] || { echo "search_speed: a bench printed no speed" >&2; exit 1; }
    echo "round $round: scholar $a, stockfish $b nodes/s"
    ours+=("$a")
    theirs+=("$b")
done

printf '%s\n' "${ours[@]}" "${theirs[@]}" | awk -v n="$rounds" '
    { v[NR] = $1 }
    function median(from,   i, j, t, s) {
        for (i = 1; i <= n; ++i) s[i] = v[from + i]
        for (i = 1; i <= n; ++i) for (j = i + 1; j <= n; ++j) if (s[j] < s[i]) { t = s[i]; s[i] = s[j]; s[j] = t }
        return n % 2 ? s[(n + 1) / 2] : (s[n / 2] + s[n / 2 + 1]) / 2
    }
    END {
        low = high = v[1] / v[n + 1]
        for (i = 1; i <= n; ++i) { r = v[i] / v[n + i]; if (r < low) low = r; if (r > high) high = r }
        printf "median: scholar %d, stockfish %d nodes/s: ratio %.2f (%.2f to %.2f)\n", median(0), median(n), median(0) / median(n), low, high
    }'
