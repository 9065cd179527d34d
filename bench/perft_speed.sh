#!/usr/bin/env bash
# bench/perft_speed.sh [ROUNDS [LESS]]: speed of move generation by counting legal move sequences (perft; the last ply
# is counted in bulk, nothing is hashed), Scholar and Stockfish on one thread each, taking turns; then Scholar on two
# threads against one.
#
# Both programs run as UCI engines and are asked "go perft N" in the same way. What is timed is from sending the question
# to the last count of the answer: neither start-up nor the loading of networks counts, and the few lines of the answer
# count for both. Every count must be the same from both, or the script fails; those of the tricky set's own depths must
# be the published ones.
#
#   start 6, start 7   the start position, depths 6 and 7
#   kiwipete 5         the well-known middlegame, depth 5
#   tricky             all positions of perft/tricky.perft under SCHOLAR_DATA, one ply deeper than the file has counts
#                      for (they are too small to be timed)
#
# ROUNDS (7) repetitions; LESS (0) plies less than said, to try the script out. SCHOLAR and STOCKFISH name the programs.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-7}
less=${2:-0}
scholar=${SCHOLAR:-build/release/bin/scholar}
stockfish=${STOCKFISH:-/usr/games/stockfish}
data=${SCHOLAR_DATA:-../shared/data}
kiwipete='r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'

fail() {
    echo "perft_speed: $*" >&2
    exit 1
}
for program in "$scholar" "$stockfish"; do
    command -v "$program" >/dev/null || fail "$program: not found"
done

work=$(mktemp -d)
engines=()
finish() {
    for engine in "${engines[@]}"; do kill "$engine" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT

# start NAME PROGRAM: an engine that reads ${to[NAME]} and whose counts come from ${from[NAME]}.
declare -A to from
start() {
    local in out
    mkfifo "$work/$1.in" "$work/$1.all" "$work/$1.out"
    "$2" <"$work/$1.in" >"$work/$1.all" 2>/dev/null &
    engines+=($!)
    grep --line-buffered -E '^(Nodes searched|info string error)' <"$work/$1.all" >"$work/$1.out" &
    engines+=($!)
    exec {in}>"$work/$1.in" {out}<"$work/$1.out"
    to[$1]=$in
    from[$1]=$out
    # Chess960 is among the tricky positions; the rest castle the same.
    ask "$1" "uci"$'\n'"setoption name UCI_Chess960 value true"$'\n'"go perft 1"
}

# ask NAME COMMANDS: the counts, one for each "go" among the commands, in counts; the seconds in seconds.
ask() {
    local begin end line wanted
    wanted=$(grep -c '^go ' <<<"$2" || true)
    counts=()
    begin=$EPOCHREALTIME
    printf '%s\n' "$2" >&"${to[$1]}"
    while [[ ${#counts[@]} -lt $wanted ]]; do
        read -r -u "${from[$1]}" line || fail "$1 ended"
        [[ $line == "Nodes searched: "* ]] || fail "$1: $line"
        counts+=("${line##* }")
    done
    end=$EPOCHREALTIME
    seconds=$(awk -v a="$begin" -v b="$end" 'BEGIN { printf "%.6f", b - a }')
}

# The question for each item.
question() {
    printf 'position %s\ngo perft %d' "$1" $(($2 - less))
}
items=("start 6" "start 7" "kiwipete 5")
declare -A questions
questions["start 6"]=$(question startpos 6)
questions["start 7"]=$(question startpos 7)
questions["kiwipete 5"]=$(question "fen $kiwipete" 5)

# The tricky positions, as lines "FEN|DEPTH|COUNT" of the deepest count that the file has. Stockfish 15.1 does not
# survive one of them: what it cannot answer is left out, and said.
suite=$data/perft/tricky.perft
positions=$work/tricky.positions
if [[ -r $suite ]]; then
    awk 'function put() { if (epd != "") printf "%s 0 1|%d|%s\n", epd, depth, count }
         /^epd / { put(); epd = substr($0, 5) }
         /^perft / { depth = $2; count = $3 }
         END { put() }' "$suite" | while IFS='|' read -r fen depth count; do
        (printf 'setoption name UCI_Chess960 value true\nposition fen %s\ngo perft %d\n' "$fen" $((depth + 1)) | "$stockfish") \
            >"$work/answer" 2>/dev/null || true
        if grep -q '^Nodes searched' "$work/answer"; then
            echo "$fen|$depth|$count" >>"$positions"
        else
            echo "perft_speed: tricky: left out, as $stockfish ends on it: $fen"
        fi
    done
    # tricky MORE: the questions, so much deeper than the counts.
    tricky() {
        awk -F'|' -v more="$1" '{ printf "position fen %s\ngo perft %d\n", $1, $2 + more }' "$positions"
    }
    items+=("tricky")
    questions["tricky"]=$(tricky $((1 - less)))
else
    echo "perft_speed: $suite: not found, the tricky set is left out (SCHOLAR_DATA names the folder of the data)"
fi

start scholar "$scholar"
start stockfish "$stockfish"

if [[ -r $suite ]]; then
    for name in scholar stockfish; do
        ask $name "$(tricky 0)"
        [[ $(printf '%s\n' "${counts[@]}") == "$(cut -d'|' -f3 "$positions")" ]] || fail "$name: other counts than $suite has"
    done
fi

# Median, smallest and largest of the numbers on standard input.
spread() {
    sort -g | awk -v form="$1" '{ v[NR] = $1 } END {
        m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
        printf form "\n", m, v[1], v[NR] }'
}

for ((round = 1; round <= rounds; ++round)); do
    for item in "${items[@]}"; do
        ask scholar "${questions[$item]}"
        ours=("${counts[@]}")
        our_seconds=$seconds
        ask stockfish "${questions[$item]}"
        [[ ${ours[*]} == "${counts[*]}" ]] || fail "$item: scholar counts ${ours[*]}, stockfish ${counts[*]}"
        nodes=$((${counts[*]/%/+} 0))
        awk -v n="$nodes" -v a="$our_seconds" -v b="$seconds" -v round="$round" -v item="$item" -v file="$work/$item" 'BEGIN {
            printf "round %d: %s: %.0f nodes; scholar %.1f, stockfish %.1f million nodes/s\n", round, item, n, n / a / 1e6, n / b / 1e6
            print n / a / 1e6, n / b / 1e6, b / a >>file }'
    done
done

echo
for item in "${items[@]}"; do
    printf '%s: scholar %s, stockfish %s million nodes/s (medians), ratio %s\n' "$item" \
        "$(cut -d' ' -f1 "$work/$item" | spread '%.1f')" "$(cut -d' ' -f2 "$work/$item" | spread '%.1f')" \
        "$(cut -d' ' -f3 "$work/$item" | spread '%.2f (%.2f to %.2f)')"
done
for item in "${items[@]}"; do cut -d' ' -f3 "$work/$item"; done | spread 'all items: ratio %.2f (%.2f to %.2f)'

echo
for ((round = 1; round <= rounds; ++round)); do
    for threads in 1 2; do
        answer=$("$scholar" perft $((7 - less)) --threads $threads)
        speed=$(sed -nE 's/^[0-9]+ nodes in .*, ([0-9.]+) million nodes\/s$/\1/p' <<<"$answer")
        [[ -n $speed ]] || fail "scholar perft printed no speed: $answer"
        echo "$speed" >>"$work/threads $threads"
    done
    paste -d' ' "$work/threads 1" "$work/threads 2" | tail -1 |
        awk -v round="$round" '{ printf "round %d: one thread %.1f, two %.1f million nodes/s\n", round, $1, $2 }'
done
paste -d' ' "$work/threads 1" "$work/threads 2" | awk '{ print $2 / $1 }' |
    spread "two threads against one, start $((7 - less)): ratio %.2f (%.2f to %.2f)"
