#!/usr/bin/env bash
# tests/cli/kill_learn.sh BIN [KILLS]: learns from nothing and is killed with SIGKILL at KILLS (6) random moments, going on each
# time. In the end there must be exactly the network of a run that nobody killed, with the same games, ratings and snapshots, and
# no kill may have cost more than the work since the last checkpoint was due. RANDOM's seed is SEED, if that is set.
set -uo pipefail
kills=${2:-6}
. "$(dirname "$0")/kill_support.sh"

cat >tiny.toml <<'TOML'
[network]
width = 32
[play]
random_move = 0.02
most_moves = 60
keep_games = true
[optimiser]
batch = 256
averaging = 0.9
[course]
stages = ["stage nodes=40 window=4000 games=16 learning_rate=0.01 reuse=2", "stage from=20000 nodes=60 window=6000 width=64 feature_set=768-king4"]
[rating]
pairs = 2
TOML
interval=0.2 # seconds between checkpoints
slack=1      # seconds of the processor: a round with its rating, and no clock is exact
command=("$scholar" learn tiny.toml --threads 1 --until-games 1600 --checkpoint-seconds "$interval")

begin=$(date +%s%N)
"${command[@]}" --seed 5 -o whole >learn.log 2>&1 || fail "learning failed: $(tail -1 learn.log)"
took=$((($(date +%s%N) - begin) / 1000)) # microseconds

# The rounds that a run's newest good checkpoint has seen; 0 without one.
saved_rounds() {
    local file
    for file in killed/checkpoint.safetensors killed/checkpoint.previous.safetensors; do
        [[ -e $file ]] && { head -c 65536 "$file" | grep -aoE '"rounds":"[0-9]+"' | head -1 | tr -dc 0-9; return; }
    done
    echo 0
}
# The records of whole rounds: their number and what they had cost, a line each.
rounds() {
    sed -nE '/^\{.*"kind":"round".*\}$/s/.*"core_seconds":([0-9.e+-]+).*"step":([0-9]+).*/\2 \1/p' "$1/metrics.jsonl" 2>/dev/null || true
}

kills_done=0
kept=()
# The seed is kept by the run, once it has a checkpoint.
run() {
    echo "${command[@]}" -o killed --resume $([[ $(saved_rounds) == 0 ]] && echo --seed 5)
}
for ((attempt = 0; attempt < 4 * kills && kills_done < kills; ++attempt)); do
    wait=$((150000 + (RANDOM * 32768 + RANDOM) % (took / 3)))
    before=$(saved_rounds)
    killed "$wait" learn.log $(run) || break
    kills_done=$((kills_done + 1))
    saved=$(saved_rounds)
    kept+=("$saved")
    ((saved >= before)) || fail "a kill took $before rounds back to $saved"
    rounds killed | awk -v saved="$saved" -v most="$interval" -v slack="$slack" '
        NR == 1 || $1 == saved {at = $2}
        {last = $2}
        END {if (last - at > most + slack) {print last - at; exit 1}}' ||
        fail "a kill cost more than $interval s and a round: $(rounds killed | tail -1), checkpoint after round $saved"
done
((kills_done > 0)) || fail "the run was over before the first kill: nothing was tested"
$(run) >learn.log 2>&1 || fail "killed $kills_done times, then: $(tail -1 learn.log)"

weights() { # of a network's file, without what it says of the time it took
    "$scholar" net info "$1" | sed -nE 's/^network .*\((.*)\)$/\1/p'
}
[[ -n $(weights whole/network.safetensors) ]] || fail 'no network'
for network in network snapshots; do
    (cd whole && find "$network"* -name '*.safetensors' | sort) >whole.txt
    (cd killed && find "$network"* -name '*.safetensors' | sort) >killed.txt
    cmp whole.txt killed.txt || fail "killed $kills_done times, it has other files"
    while read -r file; do
        [[ $(weights "whole/$file") == "$(weights "killed/$file")" ]] ||
            fail "killed $kills_done times, $file is another network"
    done <whole.txt
done
# Each round, rating and sample game once, and the same: but for times, and games that a run no longer knew to be repeated.
records() {
    grep -vE '"kind":"(start|resume|alarm)"' "$1/metrics.jsonl" |
        sed -E 's/"(core_seconds|nodes_per_second|playing|training|repeated)":[^,}]*//g'
}
# The games that it kept: each once, in order.
kept_games() {
    "$scholar" games export "$1/self-play.games" -o - 2>/dev/null
}
[[ $(kept_games whole | grep -c '^\[Event ') == 1600 ]] || fail "kept $(kept_games whole | grep -c '^\[Event ') of 1600 games"
cmp <(kept_games whole) <(kept_games killed) || fail "killed $kills_done times, it kept other games"
cmp <(records whole) <(records killed) || fail "killed $kills_done times, it has other records"
[[ -s whole/report.md && -s killed/report.md ]] || fail 'a report is missing'
left=$(find killed -name '*.tmp')
[[ -z $left ]] || fail "left behind: $left"
echo "killed $kills_done times, with ${kept[*]} of $(rounds whole | tail -1 | cut -d' ' -f1) rounds kept: the same network as without"
