#!/usr/bin/env bash
# tests/cli/bad_inputs.sh BIN SOURCE: gives the programs in folder BIN bad inputs, one kind after another, and prints what
# each got as a Markdown table. Fails unless each was refused with one line that says what was expected, a non-zero exit
# where there is a command line, and nothing lost.
set -uo pipefail
bin=$(realpath "$1")
source=$(realpath "$2")
scholar=$bin/scholar
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
wrong=0

complain() {
    echo "WRONG: $*" >&2
    wrong=$((wrong + 1))
}

# row WHAT EXIT OUTPUT PATTERN: one line of the table, checked.
row() {
    local what=$1 status=$2 output=$3 pattern=$4 lines
    lines=$(printf '%s\n' "$output" | grep -c .)
    printf '| %s | %s | `%s` |\n' "$what" "$status" "${output//$'\n'/ ⏎ }"
    [[ $lines -eq 1 ]] || complain "$what: $lines lines, expected 1"
    [[ $output =~ $pattern ]] || complain "$what: expected /$pattern/"
}

# refused WHAT PATTERN COMMAND...: a command that must exit non-zero with one line.
refused() {
    local what=$1 pattern=$2 output status
    shift 2
    output=$("$@" 2>&1 >/dev/null)
    status=$?
    output=$(grep -vE ' [0-9]+ % .*/s, ' <<<"$output")  # without lines of progress
    [[ $status -ne 0 ]] || complain "$what: exit 0"
    row "$what" "exit $status" "$output" "$pattern"
}

# uci WHAT PATTERN COMMANDS: an error line in the protocol, after which the engine still stands where it stood.
uci() {
    local what=$1 pattern=$2 answer
    answer=$(printf 'position startpos moves e2e4\n%s\nd\nisready\n' "$3" | "$scholar")
    [[ $answer == *readyok* ]] || complain "$what: the engine did not go on"
    [[ $answer == *'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'* ]] || complain "$what: the position was lost"
    row "$what" "goes on" "$(grep '^info string error' <<<"$answer")" "$pattern"
}

flip() { # FILE BYTE: turns over one byte
    printf "\\x$(printf '%02x' $(($(od -An -tu1 -j"$2" -N1 "$1") ^ 255)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

zstd -dcq "$source/games/master-games.pgn.zst" | head -c 300000 | awk '/^\[Event /{n++} n <= 100' >whole.pgn
"$scholar" games import -o whole.games whole.pgn >import.log 2>&1 || complain "the sample was not imported: $(tail -1 import.log)"
size=$(stat -c %s whole.games)
network=$(echo "$source"/nets/*.safetensors | awk '{print $1}')

echo '| input | outcome | what it says |'
echo '|---|---|---|'

head -c $((size / 2)) whole.games >cut.games
refused 'a store cut in half' 'cut.games: .*cut off' "$scholar" games check cut.games
cp whole.games flipped.games
flip flipped.games $((size / 3))
refused 'a store with a damaged byte' 'flipped.games: ' "$scholar" games check flipped.games
refused 'a store that is a PGN' 'whole.pgn: ' "$scholar" games check whole.pgn
refused 'a store that is not there' 'none.games: cannot open' "$scholar" games check none.games

sed 's/"architecture":"perspective"/"architecture":"transformer"/' "$network" >other.safetensors
refused 'a network of another architecture' "architecture 'transformer', expected 'perspective'" "$scholar" net info other.safetensors
uci 'the same in UCI' "architecture 'transformer', expected 'perspective'" 'setoption name EvalFile value other.safetensors'
cp "$network" damaged.safetensors
flip damaged.safetensors $(($(stat -c %s damaged.safetensors) - 100))
refused 'a network with a damaged byte' 'damaged.safetensors: damaged: ' "$scholar" net info damaged.safetensors
head -c 5000 "$network" >cut.safetensors
refused 'a network cut off' 'cut.safetensors: ' "$scholar" net info cut.safetensors
uci 'the same in UCI' 'cut.safetensors: ' 'setoption name EvalFile value cut.safetensors'

head -c 100 whole.games >cut.bin
refused 'a book cut off' 'cut.bin: 100 bytes, expected a Polyglot book of 16 bytes an entry' "$scholar" book show cut.bin
head -c 1600 "$network" >other.bin
refused 'a book that is a network' 'other.bin: entry [0-9]+: key .*expected keys in order' "$scholar" book info other.bin
mkdir tables
head -c 4112 "$source/tests/data/syzygy/KPvK.rtbz" >tables/KPvK.rtbz
refused 'a tablebase cut off' 'KPvK.rtbz: 4112 bytes, expected 4176 by its header' "$scholar" tablebase --path tables '8/8/8/8/8/8/8/K1k5 w - - 0 1'
refused 'tablebases that are not there' 'none: cannot open this folder of tablebases' "$scholar" tablebase --path none '8/8/8/8/8/8/8/K1k5 w - - 0 1'
refused 'a position beyond the tables' 'at most 3 pieces there' "$scholar" tablebase --path "$source/tests/data/syzygy" 'k7/8/8/8/8/8/8/KQR5 w - - 0 1'

refused 'a FEN with a missing king' 'Black has 0 kings, expected 1' "$scholar" perft 1 --fen '8/8/8/8/8/8/8/K7 w - - 0 1'
uci 'the same in UCI' 'Black has 0 kings, expected 1' 'position fen 8/8/8/8/8/8/8/K7 w - - 0 1'
uci 'an illegal move' "move 'e2e5' is not legal" 'position startpos moves e2e5'
uci 'an unknown UCI option' "unknown option 'Contempt', expected one of: Hash" 'setoption name Contempt value 10'
uci 'a UCI option out of range' "option Hash: value '0', expected a whole number from 1" 'setoption name Hash value 0'
uci 'an unknown UCI command' "unknown command 'xyzzy'" 'xyzzy'
output=$("$scholar" perft --dpeth 3 2>&1 >/dev/null)
row 'an unknown option on the command line' "exit $?" "$(head -1 <<<"$output")" '--dpeth'

# The game that is cut off is reported by name, the others go in.
head -c "$(grep -b '^\[Event ' whole.pgn | sed -n '11s/:.*//p')" whole.pgn | head -c -60 >cut.pgn
output=$("$scholar" games import -o cut-pgn.games cut.pgn --errors cut.errors 2>&1)
status=$?
[[ $status -eq 0 ]] || complain "a PGN cut off: exit $status: $output"
row 'a PGN cut off in the middle of its tenth game' "exit $status, $("$scholar" games info cut-pgn.games | sed -nE 's/^  games +([0-9]+).*/\1 games/p')" \
    "$(cat cut.errors)" 'cut.pgn: line [0-9]+: game 10 .*ends in the middle of a game'
head -c 400000 "$source/games/master-games.pgn.zst" >cut.pgn.zst
refused 'a compressed PGN cut off' 'cut.pgn.zst: zstd data end too soon' bash -c "'$scholar' games import -o cut-zst.games cut.pgn.zst 2>&1 >/dev/null | grep -v '^import' >&2; exit \${PIPESTATUS[0]}"
[[ ! -e cut-zst.games ]] || complain 'a compressed PGN cut off: left a store'

if [[ -x $bin/scholar-train ]]; then
    sed 's/learning_rate/learning_rte/' "$source/recipes/first.toml" >misspelt.toml
    refused 'a recipe with a misspelt key' "misspelt.toml: line [0-9]+: unknown key 'learning_rte'.*did you mean 'learning_rate'" "$scholar" train misspelt.toml
    sed 's/^width = .*/width = "wide"/' "$source/recipes/first.toml" >wrong.toml
    refused 'a recipe with a wrong type' 'wrong.toml: line [0-9]+: .*width' "$scholar" train wrong.toml
    refused 'a recipe that is not there' 'none.toml: cannot open' "$scholar" train none.toml
fi

[[ $wrong -eq 0 ]] || { echo "$wrong wrong" >&2; exit 1; }
