#!/usr/bin/env bash
# tests/cli/net_linear.sh BIN SOURCE: a linear network from its making to its play: what `net explain` adds up is what the
# engine says by UCI, the drawings and tables are there, and the engine plays with it as with any network.
set -euo pipefail
bin=$(realpath "$1")
source=$(realpath "$2")
scholar=$bin/scholar
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "WRONG: $*" >&2
    exit 1
}

"$scholar" net new linear -o material.safetensors >/dev/null
"$scholar" net new linear --start pawns -o pawns.safetensors >/dev/null
"$scholar" net info pawns.safetensors | grep -q 'linear 1: .* features in 4 stages' || fail "info"
"$scholar" net check pawns.safetensors --games 20 | grep -q 'stepwise and fresh evaluations are equal' || fail "check"

# The sum of the parts is the value, and the value is the engine's.
for network in material pawns; do
    for fen in 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1' '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1'; do
        "$scholar" net explain $network.safetensors --fen "$fen" --json >explained.json
        engine=$(printf 'setoption name EvalFile value %s.safetensors\nposition fen %s\neval\nquit\n' $network "$fen" | "$scholar" |
            sed -n 's/.*Static evaluation: \([+-]*[0-9]*\) .*/\1/p')
        # Every part counts once by itself and once in its group.
        grep -o '"\(weighed\|unit\|sum\|value\)":-*[0-9.]*[,}]' explained.json | tr -d '",}' | awk -F: -v engine="$engine" '
            $1 == "weighed" { both += $2 }
            { last[$1] = $2 }
            END {
                size = last["sum"] < 0 ? -last["sum"] : last["sum"]
                value = int((size + last["unit"] / 2) / last["unit"]) * (last["sum"] < 0 ? -1 : 1)
                exit !(both == 2 * last["sum"] && value == last["value"] && value == engine + 0)
            }' || fail "the parts of $network do not add up in $fen: $engine"
        # So do the printed numbers: groups begin a line, their parts are indented.
        "$scholar" net explain $network.safetensors --fen "$fen" --least 0 | awk '
            /^feature/ { table = 1; next }
            !table || NF == 0 { next }
            /^value,/ { exit !(sum - $NF < 0.001 && $NF - sum < 0.001) }
            /^  / { part += $NF; next }
            { sum += $NF }' || fail "the table of $network does not add up in $fen"
    done
done

"$scholar" net explain pawns.safetensors --against material.safetensors --plot plots >weights.txt
grep -q '^doubled_pawn .* 0.0 > 204.3 .* 0.0 > 204.3 .* 0.0 > 204.3 .* 0.0 > 204.3' weights.txt || fail "weights before and after"
[[ $(ls plots/*.svg | wc -l) -eq 20 ]] || fail "drawings: $(ls plots)"
grep -q castled plots/castling.svg || fail "the drawing of castling"
"$scholar" net explain material.safetensors --feature castled | grep -q '^castled_long ' || fail "features by name"

zstd -dcq "$source/games/master-games.pgn.zst" | awk '/^\[Event /{n++} n <= 60' >some.pgn
"$scholar" games import -o some.games some.pgn >import.log 2>&1 || fail "import: $(tail -1 import.log)"
"$scholar" net features --games some.games --json >features.json 2>/dev/null
field() { grep -o "\"$1\":[0-9]*" features.json | tail -1 | cut -d: -f2; }
[[ $(field games) -eq 60 && $(field firing) -gt 1200 ]] || fail "features that fire: $(field firing) in $(field games) games"
# That of the side to move fires in every position.
grep -q "\"feature\":\"tempo\"[^}]*\"positions\":$(field positions)}" features.json || fail "the feature tempo"

"$scholar" bench 3 --net material.safetensors | grep -q '^Bench: ' || fail "bench"
"$scholar" match --engine 'name=one option.EvalFile=material.safetensors' --engine 'name=other' --games 2 --tc nodes=200 \
    --openings "$source/openings/first.epd" --pgn played.pgn >match.log 2>&1 || fail "match: $(tail -2 match.log)"
[[ $(grep -c '^\[Result ' played.pgn) -eq 2 ]] || fail "two games were to be played"
