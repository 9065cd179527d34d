#!/usr/bin/env bash
# tests/cli/ics.sh BIN SERVER: `scholar ics` plays on the scripted chess server, a program that it reaches at a port of
# 127.0.0.1. Fails unless what it prints and keeps are the games that the server had, and the password is nowhere.
set -euo pipefail
bin=$(realpath "$1")
server=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

complain() {
    echo "ics: $*" >&2
    exit 1
}

coproc SERVER { "$server" 11; }
server_pid=$SERVER_PID
read -r port <&"${SERVER[0]}"
exec {results}<&"${SERVER[0]}"

(umask 077; echo 'secret word' >password)
"$bin/scholar" ics --host 127.0.0.1 --port "$port" --name Scholar --password-file password --seek '3 0' --unrated \
    --games 3 --limit nodes=100 --accept-draw -100000 --pgn games.pgn --json --transcript transcript \
    --option Hash=1 >events.jsonl 2>errors || complain "ended with an error: $(cat errors)"
exec {SERVER[1]}>&-
cat <&"$results" >server.txt
wait "$server_pid"

[[ ! -s errors ]] || complain "wrote to standard error: $(cat errors)"
[[ $(wc -l <server.txt) -eq 3 ]] || complain "the server had: $(cat server.txt)"
grep '"event":"game_over"' events.jsonl | grep -v '"result":"\*"' |
    sed -E 's/.*"white":"([^"]*)","black":"([^"]*)".*"result":"([^"]*)".*"moves":\[([^]]*)\].*/\1 \2 \3 \4/' |
    while read -r white black result moves; do
        echo "$white $black $result $(tr ',' '\n' <<<"$moves" | grep -c .)"
    done >client.txt
diff server.txt client.txt || complain "other games than the server's"
"$bin/scholar" games import games.pgn --output games.games >import.txt 2>&1 ||
    complain "the games are no good: $(cat import.txt)"
"$bin/scholar" games check games.games >check.txt 2>&1 || complain "the games are no good: $(cat check.txt)"
[[ $(grep -c '^\[Result ' games.pgn) -ge 3 ]] || complain "games are missing"
grep -q '%clk' games.pgn || complain "no clocks"
grep -q '%eval' games.pgn || complain "no scores"
! grep -q 'secret word' transcript events.jsonl games.pgn || complain "the password got out"

# The learner plays there too, and what it learnt from is what the server had.
[[ -x $bin/scholar-train ]] || exit 0
coproc SECOND { "$server" 12; }
server_pid=$SECOND_PID
read -r port <&"${SECOND[0]}"
exec {results}<&"${SECOND[0]}"
printf '[play]\nnodes = 100\ntable_megabytes = 1\n' >recipe.toml
"$bin/scholar" learn knightcap recipe.toml --output run --server 127.0.0.1 --port "$port" --name Scholar \
    --password-file password --seek '3 0' --unrated --until-games 2 >learnt.txt 2>errors ||
    complain "learning ended with an error: $(cat errors)"
exec {SECOND[1]}>&-
cat <&"$results" >server.txt
wait "$server_pid"
[[ $(grep -c '"kind":"game"' run/metrics.jsonl) -eq 2 ]] || complain "learnt from: $(cat run/metrics.jsonl)"
grep '"kind":"game"' run/metrics.jsonl | sed -E 's/.*"half_moves":([0-9]+).*/\1/' >learnt-lengths.txt
awk '{ print $4 }' server.txt | diff - learnt-lengths.txt || complain "learnt from other games than the server's"
"$bin/scholar" games import run/games.pgn --output learnt.games >import.txt 2>&1 ||
    complain "the games learnt from are no good: $(cat import.txt)"
! grep -rq 'secret word' run learnt.txt || complain "the password got out"
if "$bin/scholar" learn knightcap --output other --seek '3 0' >refused.txt 2>&1; then
    complain "took --seek without --server"
fi
grep -q -e '--server' refused.txt || complain "refused --seek with: $(cat refused.txt)"
