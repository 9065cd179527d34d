#!/usr/bin/env bash
# tests/cli/kill_match.sh BIN SOURCE [KILLS]: plays a match with --state and kills it with SIGKILL at KILLS (8) random moments,
# going on each time. In the end each game must be once in the PGN and once in the JSON, and be the game that a match which
# nobody killed has there. SEED repeats the moments of
# another run.
set -uo pipefail
source=$(realpath "$2")
kills=${3:-8}
. "$(dirname "$0")/kill_support.sh"

games=100
command=("$scholar" match --engine name=A --engine 'name=B cmd=scholar option.Hash=2' --openings "$source/openings/first.epd"
    --games "$games" --tc nodes=500 --max-plies 80 --concurrency 2)

"${command[@]}" --log whole.jsonl >match.log 2>&1 || fail "the match failed: $(tail -1 match.log)"

# The games that a match which is killed has left so far.
finished() {
    local lines=1
    [[ -e match.state ]] && lines=$(wc -l <match.state)
    echo $((lines - 1))
}

kills_done=0
kept=()
resumable=("${command[@]}" --state match.state --pgn games.pgn --log games.jsonl)
while ((kills_done < kills)); do
    # Some games further, and then somewhere in the midst of two.
    draw more $((2 * games / (kills + 1)))
    draw wait 30000
    ((more + $(finished) < games - 2)) || break
    killed_after $((more + $(finished))) finished "$wait" match.log "${resumable[@]}" || break
    kills_done=$((kills_done + 1))
    kept+=("$(finished)")
done
((kills_done > 0)) || fail "the match was over before the first kill: nothing was tested"
"${resumable[@]}" >match.log 2>&1 || fail "killed $kills_done times, then: $(tail -1 match.log)"
grep -q "^A against B: $games games" match.log || fail "the report has not $games games: $(cat match.log)"

# The games without their times, which no two runs share, and without what stood when each ended.
moves() {
    grep -oE '^\{"game":[0-9]+|"move":"[^"]*"|"result":"[^"]*"|"depth":[0-9]+' "$1" |
        awk '/^\{"game"/ {if (game) print game; game = ""} {game = game " " $0} END {print game}' | sort
}
moves whole.jsonl >whole.txt
moves games.jsonl >games.txt
cmp whole.txt games.txt || fail "killed $kills_done times, it has other games: $(diff whole.txt games.txt | head -2)"
[[ $(grep -c '^\[Round ' games.pgn) -eq $games ]] || fail "not $games games in the PGN"
[[ $(grep '^\[Round ' games.pgn | sort -u | wc -l) -eq $games ]] || fail "a game is twice in the PGN"
"$scholar" games import -o check.games games.pgn >check.log 2>&1 || fail "the PGN is damaged: $(tail -1 check.log)"
[[ $("$scholar" games info --json check.games | grep -oE '"games":[0-9]+' | head -1) == "\"games\":$games" ]] ||
    fail 'not all games of the PGN can be read'

# Another match is refused, and nothing changed.
before=$(cat match.state games.pgn games.jsonl | sha256sum)
"${command[@]}" --seed 6 --state match.state --pgn games.pgn --log games.jsonl >refused.log 2>&1 && fail 'another match is not refused'
[[ $before == "$(cat match.state games.pgn games.jsonl | sha256sum)" ]] || fail 'a refusal changed the files'
echo "killed $kills_done times, with ${kept[*]} of $games games there: the same games as without"
