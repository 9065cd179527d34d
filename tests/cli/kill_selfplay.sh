#!/usr/bin/env bash
# tests/cli/kill_selfplay.sh BIN [KILLS]: lets each system, and the tree search, play itself and kills it with SIGKILL at KILLS (4)
# random moments, resuming each time. No game that was finished may be lost, other settings must be refused, and in the end the
# store must be, byte for byte, that of a run which nobody killed. SEED repeats the moments of another run.
set -uo pipefail
kills=${2:-4}
. "$(dirname "$0")/kill_support.sh"

games=80
systems=$("$scholar" options --json | sed -nE '/^\{"name":"System"/ { s/.*"choices":\[([^]]*)\].*/\1/; s/[",]+/ /g; p }')
[[ -n $systems ]] || fail 'the engine names no system'
# What each is called, and the options that make it.
players=()
for system in $systems; do players+=("$system System=$system"); done
players+=('mcts Search=mcts PolicyFile=<random:1>')

# The games that one who is killed has left so far.
finished() {
    local lines
    # It may go at any moment.
    lines=$({ wc -l <own.games.progress; } 2>/dev/null)
    echo $((${lines:-0} > 0 ? lines - 1 : 0))
}

for player in "${players[@]}"; do
    read -ra options <<<"$player"
    system=${options[0]}
    rm -f ./*.games
    command=("$scholar" selfplay own.games --games "$games" --nodes 100 --max-plies 200 --option Hash=1)
    for option in "${options[@]:1}"; do command+=(--option "$option"); done
    "${command[@]/own.games/whole.games}" --threads 1 >selfplay.log 2>&1 || fail "$system: $(tail -1 selfplay.log)"
    kills_done=0
    kept=()
    while ((kills_done < kills)); do
        # Some games further, and then somewhere in the midst of the next, or of their packing.
        before=$(finished)
        draw more $((2 * games / (kills + 1)))
        draw wait 10000
        ((more + before <= games)) || more=$((games - before))
        killed_after $((more + before)) finished "$wait" selfplay.log "${command[@]}" --threads 2 --resume || break
        kills_done=$((kills_done + 1))
        kept+=("$(finished)")
        (($(finished) >= before)) || [[ -e own.games ]] || fail "$system: $before games became $(finished)"
        [[ ! -e own.games ]] || break
        (($(finished) > 0)) || continue
        files=$(cat own.games.* | sha256sum)
        "${command[@]}" --resume --seed 2 >refused.log 2>&1 && fail "$system: another seed is not refused"
        grep -qE '^scholar: own\.games: cannot be resumed with --seed 2: it was begun with --seed 1$' refused.log ||
            fail "$system: another seed is refused with '$(cat refused.log)'"
        "${command[@]}" --overwrite >refused.log 2>&1 && fail "$system: to begin again is not refused"
        [[ $files == "$(cat own.games.* | sha256sum)" ]] || fail "$system: a refusal changed the games"
    done
    if [[ ! -e own.games || -e own.games.partial ]]; then
        "${command[@]}" --threads 2 --resume >selfplay.log 2>&1 || fail "$system: killed $kills_done times, then: $(tail -1 selfplay.log)"
    fi
    cmp whole.games own.games || fail "$system: killed $kills_done times, it has other games"
    rm -f own.games.progress # of one who was killed at the very end
    left=$(echo own.games.*)
    [[ $left == 'own.games.*' ]] || fail "$system: $left was left"
    echo "$system: killed $kills_done times, with ${kept[*]} of $games games there: the same store"
done
