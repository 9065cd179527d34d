#!/usr/bin/env bash
# tests/cli/net_explain.sh BIN SOURCE: explanations of all kinds of networks as a user asks for them: what a man's share is said to be
# is what the engine says by UCI with him and without; tables, drawings and judgements are there, and the same each time.
set -uo pipefail
. "${BASH_SOURCE[0]%/*}/checks.sh"

# evaluation NETWORK FEN: White's, by UCI.
evaluation() {
    printf 'setoption name EvalFile value %s\nposition fen %s\neval\nquit\n' "$1" "$2" | "$scholar" |
        sed -n 's/.*Static evaluation: \([+-]*[0-9]*\) .*/\1/p' | awk -v side="${2#* }" '{ print side ~ /^b/ ? -$1 : $1 + 0 }'
}
# share METHOD SQUARE: in said.json, to whole units.
share() {
    sed 's/{"method"/\n&/g' said.json | grep "\"method\":\"$1\"" |
        grep -o "\"square\":\"$2\",\"man\":\"[A-Za-z]\",\"share\":[-0-9.e]*" | sed 's/.*://' | awk '{ printf "%.0f", $1 }'
}

fen='r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3'
for network in '<embedded>' '<giraffe-aa4b4078>' '<knightcap-90a88bc3>'; do
    "$scholar" net explain "$network" --fen "$fen" --method occlusion --json >said.json || complain "$network"
    whole=$(evaluation "$network" "$fen")
    while read -r square without; do
        expected=$((whole - $(evaluation "$network" "$without")))
        [[ $(share occlusion "$square") == "$expected" ]] || complain "$network $square: $(share occlusion "$square"), by UCI $expected"
    done <<'END'
h5 r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3
c6 r1bqkbnr/pppp1ppp/8/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3
a8 2bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQk - 3 3
END
    grep -q '{"square":"e1","why":"a king cannot be taken off"}' said.json || complain "$network: the king"
done

# Gradients: what is printed adds up to the value, but for what is rounded.
for network in '<embedded>' '<giraffe-aa4b4078>' '<convchess-6a26a0a4>'; do
    for method in gradient integrated; do
        "$scholar" net explain "$network" --fen "$fen" --method $method >table.txt || complain "$network $method"
        awk '/^(White|Black) [a-z]+ [a-h][1-8]/ { sum += $NF; men++ }
            /^numbers of no man|^the rest/ { sum += $NF }
            /^value / { exit !(men == 32 && sum - $NF < 18 && $NF - sum < 18) }' table.txt || complain "$network $method does not add up"
    done
done
[[ $("$scholar" net explain '<embedded>' --fen "$fen" | grep -c '^White queen h5 .*+1[0-9]* .*+1[0-9]* .*+1[0-9]*$') -eq 1 ]] ||
    complain 'three methods in one table'

# Moves. The one that moves is left out, and what is likely has a probability.
for network in '<convchess-6a26a0a4>' '<sparse-policy-4d852c0c>'; do
    "$scholar" net explain "$network" --fen "$fen" --move g7g6 --svg move.svg --overwrite >table.txt || complain "$network: a move"
    grep -q 'left out: g7: it is the man that moves' table.txt || complain "$network: the man that moves"
    grep -Eq '^probability( +\+[0-9.]+){3}$' table.txt || complain "$network: the probability"
    [[ $(grep -c 'class="arrow"' move.svg) -eq 3 && $(grep -c 'class="more"' move.svg) -gt 9 ]] || complain "$network: the drawing"
done

# Judged: shares find more than chance does; the same each time.
judge() { "$scholar" net explain "$1" --judge "$source/suites/mates.epd" --positions 12 --taken 5 --json "${@:2}" 2>/dev/null; }
judge '<embedded>' --curves curves.svg >judged.json || complain 'judged'
cmp -s judged.json <(judge '<embedded>') || complain 'judged otherwise the second time'
grep -q 'dearest first' curves.svg || complain 'the drawing of the curves'
for network in '<embedded>' '<sparse-policy-4d852c0c>'; do
    judge "$network" | sed 's/{"order"/\n&/g' | awk -F'"less_random":{"mean":' '
        /"order":"(occlusion|gradient|integrated)"/ { split($2, mean, ","); if (!(mean[1] < 0)) wrong = 1; ++orders }
        END { exit !(orders == 3 && !wrong) }' || complain "$network: no better than chance"
done

# What is wrong is said in one line.
refused() {
    local wanted=$1
    shift
    "$scholar" net explain "$@" >out.txt 2>err.txt && complain "not refused: $*"
    sed -i '/^judging /d' err.txt # how far it got
    [[ $(wc -l <err.txt) -eq 1 ]] && grep -Eq -- "$wanted" err.txt || complain "expected '$wanted': $(cat err.txt)"
}
refused "fen: .*expected" '<embedded>' --fen nonsense
refused 'move: .*' '<convchess-6a26a0a4>' --fen "$fen" --move e2e4
refused 'expected probabilities of moves' '<embedded>' --fen "$fen" --move g7g6
refused 'gives probabilities of moves, expected a value' '<sparse-policy-4d852c0c>' --fen "$fen"
refused 'expected a network made of layers' '<knightcap-90a88bc3>' --fen "$fen" --method gradient
refused 'the game is over, expected' '<embedded>' --fen 'r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4'
refused 'move.svg: .*' '<embedded>' --fen "$fen" --svg move.svg
refused 'expected a linear network, or --fen' '<embedded>'
refused 'expected one of occlusion, gradient, integrated' '<random:3>' --fen "$fen" --method magic
printf '4k3/8/8/8/8/8/8/3QK3 w - -\nnonsense\n' >bad.epd
refused 'bad.epd: line 2: ' '<embedded>' --judge bad.epd
head -n 1 bad.epd >few.epd
refused '1 positions, expected some with 10 men who can be taken off' '<embedded>' --judge few.epd
verdict
