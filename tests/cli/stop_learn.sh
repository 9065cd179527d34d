#!/usr/bin/env bash
# tests/cli/stop_learn.sh BIN SOURCE: learns and is asked to stop: in the first round, after it, while it learns from games. Each
# time it must exit with 130 and print a command that goes on to exactly the network of a run that nobody stopped: with names
# that a shell must quote, and with all that the first command said.
set -uo pipefail
. "${BASH_SOURCE[0]%/*}/checks.sh"
PATH=$bin:$PATH

cat >"a recipe.toml" <<'TOML'
[network]
width = 32
[play]
most_moves = 60
[optimiser]
batch = 256
[course]
stages = ["stage nodes=100 window=40000 games=400 learning_rate=0.01 reuse=2"]
[rating]
pairs = 2
TOML
zstd -dcq "$source/games/master-games.pgn.zst" | awk '/^\[Event /{n++} n <= 2000' >"some games.pgn"

weights() { # of a run's network, without what its file says of the time it took
    scholar net info "$1/network.safetensors" | sed -nE 's/^network .*\((.*)\)$/\1/p'
}

# stopped OUTPUT WHEN COMMAND...: asked to stop as soon as WHEN holds. Leaves the command it prints in $printed.
stopped() {
    local output=$1 when=$2
    shift 2
    "$@" -o "$output" >"$output.log" 2>&1 &
    local process=$!
    until $when "$output"; do
        kill -0 "$process" 2>/dev/null || break
        sleep 0.02
    done
    kill -TERM "$process" 2>/dev/null
    wait "$process"
    local status=$?
    [[ $status -eq 130 ]] || { complain "$output: exit $status where 130 was expected: $(tail -n 1 "$output.log")"; return 1; }
    # There is "go on with: ..." or, once there is a network, "learn more     ...".
    printed=$(sed -nE 's/^.*go on with: (scholar learn .*)$/\1/p; s/^  learn more     (scholar learn .*)$/\1/p' "$output.log")
    [[ -n $printed ]] || { complain "$output: no command to go on with: $(tail -n 1 "$output.log")"; return 1; }
}
learnt() { grep -qs '"kind":"round"' "$1/metrics.jsonl"; }
nothing_learnt() { compgen -G "$1/*" >/dev/null && ! learnt "$1"; }

# goes_on OUTPUT WHOLE: what was printed, word for word, ends and comes to the network of WHOLE.
goes_on() {
    timeout 200 sh -c "$printed" >"$1.log" 2>&1 || { complain "$printed: $(tail -n 1 "$1.log")"; return; }
    [[ -n $(weights "$2") && $(weights "$1") == "$(weights "$2")" ]] || complain "$printed: another network than without the stop"
}

command=(scholar learn "a recipe.toml" --threads 1 --seed 7 --until-games 1200 --checkpoint-seconds 0.2)
"${command[@]}" -o whole >whole.log 2>&1 || complain "learning failed: $(tail -n 1 whole.log)"

if stopped 'before it has' nothing_learnt "${command[@]}"; then
    [[ $printed == *"a recipe.toml"* && $printed == *--seed\ 7* ]] || complain "$printed: forgets its recipe or its seed"
    goes_on 'before it has' whole
fi
if stopped "it's learning" learnt "${command[@]}"; then
    goes_on "it's learning" whole
fi

command=(scholar learn "a recipe.toml" --threads 1 --seed 7 --only-games --games "some games.pgn")
"${command[@]}" -o lessons >lessons.log 2>&1 || complain "learning from games failed: $(tail -n 1 lessons.log)"
if stopped 'its lessons' nothing_learnt "${command[@]}"; then
    [[ $printed == *"some games.pgn"* && $printed == *--only-games* ]] || complain "$printed: forgets its games"
    goes_on 'its lessons' lessons
fi
verdict
