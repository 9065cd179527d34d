#!/usr/bin/env bash
# tests/cli/kill_learn.sh BIN [KILLS]: learns from nothing and is killed with SIGKILL at KILLS (6) random moments, going on each
# time. In the end there must be exactly the network of a run that nobody killed, with the same games, ratings and snapshots, and
# where each round ends with a checkpoint no kill may have cost more than the round that was being played. SEED repeats the
# moments of another run.
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
command=("$scholar" learn tiny.toml --threads 1 --until-games 1600)
"${command[@]}" --seed 5 -o whole >learn.log 2>&1 || fail "learning failed: $(tail -1 learn.log)"

# The rounds that a run's newest good checkpoint has seen; 0 without one.
saved_rounds() {
    local file
    for file in killed/checkpoint.safetensors killed/checkpoint.previous.safetensors; do
        [[ -e $file ]] && { head -c 65536 "$file" | grep -aoE '"rounds":"[0-9]+"' | head -1 | tr -dc 0-9; return; }
    done
    echo 0
}
# The rounds of which a run has whole records.
recorded_rounds() {
    grep -cE '^\{.*"kind":"round".*\}$' "$1/metrics.jsonl" 2>/dev/null || true
}
recorded() {
    local rounds
    rounds=$(recorded_rounds killed)
    echo "${rounds:-0}"
}
all_rounds=$(recorded_rounds whole)
((all_rounds > 2 * kills)) || fail "the run that nobody killed had only $all_rounds rounds"

# What goes on with the run, or begins it where it was killed before it had. The seed is kept by the run, once it has a
# checkpoint.
run() {
    echo "${command[@]}" -o killed $(compgen -G 'killed/recipe/*.toml' >/dev/null && echo --resume) \
        $([[ $(saved_rounds) == 0 ]] && echo --seed 5)
}
kills_done=0
kept=()
while ((kills_done < kills)); do
    before=$(saved_rounds)
    # Some rounds further, and then somewhere in the midst of one. Every other time all of it is lost.
    draw more $((2 * all_rounds / (kills + 1)))
    draw wait 30000
    ((before + more < all_rounds - 1)) || break
    ((every = kills_done % 2 == 0 ? 0 : 1000))
    # The records of rounds that a kill lost stand until the run goes on; what is kept is counted where it can be, and then at
    # least one more: the run has gone on.
    ((every == 0)) && { count=saved_rounds; more=$((more + 1)); } || count=recorded
    killed_after $((before + more)) $count "$wait" learn.log $(run) --checkpoint-seconds "$every" || break
    kills_done=$((kills_done + 1))
    saved=$(saved_rounds)
    kept+=("$saved")
    ((saved >= before)) || fail "a kill took $before rounds back to $saved"
    ((every > 0 || saved + 1 >= $(recorded))) ||
        fail "with a checkpoint after each round a kill cost more than one: $(recorded) were over, $saved are kept"
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
echo "killed $kills_done times, with ${kept[*]} of $all_rounds rounds kept: the same network as without"
