#!/usr/bin/env bash
# tests/cli/bad_inputs.sh BIN SOURCE [PART PARTS]: gives the programs in folder BIN bad inputs, one kind after another, and
# prints what each got as a Markdown table. Fails unless each was refused with one line that says what was expected, a non-zero
# exit where there is a command line, and nothing lost. With PART (from 0) of PARTS that part of the rows alone, but for a few that
# each part has, so that several cores can share them.
set -uo pipefail
. "${0%/*}/checks.sh"
part=${3:-0}
parts=${4:-1}
rows=0

# Whether the next row belongs to this part.
mine() {
    ((rows++ % parts == part))
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
    mine || return 0
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
    mine || return 0
    answer=$(printf 'position startpos moves e2e4\n%s\nd\nisready\n' "$3" | "$scholar")
    [[ $answer == *readyok* ]] || complain "$what: the engine did not go on"
    [[ $answer == *'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'* ]] || complain "$what: the position was lost"
    row "$what" "goes on" "$(grep '^info string error' <<<"$answer")" "$pattern"
}

# position WHAT PATTERN COMMAND: the same for a position that is refused: there is none then, and no move is played from the old one.
position() {
    local what=$1 pattern=$2 answer
    mine || return 0
    answer=$(printf 'position startpos moves e2e4\n%s\ngo depth 1\nposition startpos moves e2e4\nd\nisready\n' "$3" | "$scholar")
    [[ $answer == *'bestmove 0000'*'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'*readyok* ]] ||
        complain "$what: the engine did not go on: $answer"
    row "$what" "goes on without a position" "$(grep '^info string error: position' <<<"$answer")" "$pattern"
}

flip() { # FILE BYTE: turns over one byte
    printf "\\x$(printf '%02x' $(($(od -An -tu1 -j"$2" -N1 "$1") ^ 255)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

zstd -dcq "$source/games/master-games.pgn.zst" | head -c 300000 | awk '/^\[Event /{n++} n <= 100' >whole.pgn
"$scholar" games import -o whole.games whole.pgn >import.log 2>&1 || complain "the sample was not imported: $(tail -1 import.log)"
size=$(stat -c %s whole.games)
network=$(echo "$source"/nets/scholar-*.safetensors | awk '{print $1}')

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
refused 'a network of another architecture' "architecture 'transformer', expected one of: perspective, linear" "$scholar" net info other.safetensors
uci 'the same in UCI' "architecture 'transformer', expected one of: perspective, linear" 'setoption name EvalFile value other.safetensors'
cp "$network" damaged.safetensors
flip damaged.safetensors $(($(stat -c %s damaged.safetensors) - 100))
refused 'a network with a damaged byte' 'damaged.safetensors: damaged: ' "$scholar" net info damaged.safetensors
head -c 5000 "$network" >cut.safetensors
refused 'a network cut off' 'cut.safetensors: ' "$scholar" net info cut.safetensors
uci 'the same in UCI' 'cut.safetensors: ' 'setoption name EvalFile value cut.safetensors'

"$scholar" net new linear -o linear.safetensors >/dev/null || complain "no linear network was made"
table=$(grep -ao '"feature_table":"[0-9a-f]*"' linear.safetensors)
sed "s/$table/\"feature_table\":\"0123456789abcdef\"/" linear.safetensors >table.safetensors
refused 'a linear network of another table' "table.safetensors: feature_table '0123456789abcdef', expected '[0-9a-f]+'" "$scholar" net info table.safetensors
uci 'the same in UCI' "feature_table '0123456789abcdef', expected" 'setoption name EvalFile value table.safetensors'
refused 'a network without named parts' "perspective 1: .*, expected a linear network, or --fen" "$scholar" net explain "$network"
refused 'integers by the name of an ONNX model' "network.onnx: .* expected another name" "$scholar" net export "$network" -o network.onnx
refused 'a network that no ONNX model can be made of' "expected a network of architecture residual, chessnet, dense or comparison, or one of lc0, or perspective" \
    "$scholar" net export linear.safetensors -o network.onnx
[[ ! -e network.onnx ]] || complain 'a refused export left a file'
refused 'a network to export that is not there' 'none.safetensors: cannot open' "$scholar" net export none.safetensors -o network.onnx
refused 'a position that is none' "--fen: .*expected" "$scholar" net explain linear.safetensors --fen 'nonsense'
refused 'a feature that there is not' "--feature 'elephant': no feature has that in its name" "$scholar" net explain linear.safetensors --feature elephant

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
position 'the same in UCI' 'Black has 0 kings, expected 1' 'position fen 8/8/8/8/8/8/8/K7 w - - 0 1'
position 'an illegal move' "move 'e2e5' is not legal" 'position startpos moves e2e5'
uci 'an unknown UCI option' "unknown option 'Contempt', expected one of Hash" 'setoption name Contempt value 10'
uci 'a misspelt UCI option' "unknown option 'Hsah', did you mean 'Hash'" 'setoption name Hsah value 10'
uci 'a UCI option out of range' "option Hash: value '0', expected a whole number from 1" 'setoption name Hash value 0'
uci 'an unknown UCI command' "unknown command 'xyzzy'" 'xyzzy'
refused 'an unknown option on the command line' "unknown option '--dpeth'.*see --help" "$scholar" perft --dpeth 3

refused 'an engine option before a subcommand without an engine' '--option before a subcommand' "$scholar" --option Hash=2 perft 1
printf 'quit\n' | "$scholar" --option 'clear hash' uci >button.log 2>&1 || complain "a button in other letters: $(cat button.log)"

# Lines of a .perft file.
start='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -'
suite() { printf '%b\n' "$2" >"$1"; }
for wrong_count in '2 400junk' '-3 7' '0 5' '2' '2 400 1' '2 -400' 'x 400' '2 99999999999999999999'; do
    suite counts.perft "id one\nepd $start\nperft 1 20\nperft $wrong_count"
    refused "a suite's line perft $wrong_count" "counts.perft: line 4: 'perft $wrong_count', expected 'perft DEPTH COUNT'" \
        "$scholar" perft 2 --suite counts.perft
done
suite first.perft 'perft 3 20'
refused "a suite's count without a position" "first.perft: line 1: a count without a position" "$scholar" perft 2 --suite first.perft
suite good.perft "id one\nepd $start\nperft 1 20\nperft 2 \t 400"
"$scholar" perft 2 --suite good.perft >good.log 2>&1 || complain "a good suite: $(cat good.log)"
refused 'a position beside a suite' 'excludes' "$scholar" perft 2 --suite good.perft --fen "$start"
refused 'the moves of a suite' 'excludes' "$scholar" perft 2 --suite good.perft --divide
refused 'a sample of no suite' 'requires' "$scholar" perft 2 --sample 3
refused 'the seed of no sample' 'requires' "$scholar" perft 2 --suite good.perft --seed 3

# JSON is UTF-8 whatever the names are.
suite latin.perft "id caf\\xe9\nepd $start\nperft 2 401"
refused 'a suite with a name that is not UTF-8, in JSON' '1 of 1 count is wrong' "$scholar" perft 2 --suite latin.perft --json
cp -r "$source/tests/data/syzygy" $'tb\xe9'
output=$("$scholar" tablebase --verify --json --path $'tb\xe9' 2>&1) || complain "tablebases in a folder whose name is not UTF-8: exit $?: $output"
[[ $output == *'"wdl_tables":5'* ]] || complain "tablebases in a folder whose name is not UTF-8: $output"

# Pipes: waited for where they are read in turn, refused elsewhere.
mkfifo pipe
refused 'a pipe for a book' 'pipe: is no ordinary file, expected one' timeout -s KILL 60 "$scholar" book show pipe
mkdir piped-tables
mkfifo piped-tables/KQvK.rtbw
refused 'a pipe for a tablebase' 'KQvK.rtbw: not a regular file' timeout -s KILL 60 "$scholar" tablebase --verify --path piped-tables
"$scholar" book make whole.pgn -o plain.bin --min-games 1 >/dev/null 2>&1 || complain 'a book was not made'
timeout -s KILL 60 bash -c 'cat whole.pgn >pipe' &
timeout -s KILL 60 "$scholar" book make pipe -o piped.bin --min-games 1 >/dev/null 2>&1 || complain 'a book of a pipe was not made'
wait
cmp -s plain.bin piped.bin || complain 'a book of a pipe: differs from that of the file'

# An output is no input, whatever it is called.
cp whole.pgn kept.pgn
cp whole.games kept.games
ln -s whole.pgn link.pgn
ln whole.games hard.games
"$scholar" book make kept.pgn -o kept.bin --min-games 1 >/dev/null 2>&1
cp kept.bin before.bin
expected='expected another file for the output'
refused 'a book over its games' "$expected" "$scholar" book make whole.pgn -o whole.pgn --min-games 1
refused 'the same by another name' "link.pgn: is the input whole.pgn too, $expected" "$scholar" book make whole.pgn -o link.pgn --min-games 1
refused 'books merged into one of them' "$expected" "$scholar" book merge kept.bin plain.bin -o plain.bin
refused 'a book exported over itself' "$expected" "$scholar" book export kept.bin -o ./kept.bin
refused 'an import over its PGN' "$expected" "$scholar" games import whole.pgn -o whole.pgn
refused 'an import of standard input over it' "whole.pgn: is standard input, $expected" \
    bash -c "'$scholar' games import - -o whole.pgn <whole.pgn"
refused 'skipped games over their PGN' "$expected" "$scholar" games import whole.pgn -o new.games --errors whole.pgn
refused 'an import over another file' "kept.bin: exists and is no game store" "$scholar" games import whole.pgn -o kept.bin
refused 'a sample over its store' "$expected" "$scholar" games sample whole.games -o whole.games
refused 'an export over its store' "$expected" "$scholar" games export whole.games -o hard.games
refused 'stores merged into one of them' "$expected" "$scholar" games merge kept.games whole.games -o whole.games
refused 'a store without copies over itself' "$expected" "$scholar" games dedup whole.games -o whole.games
refused 'games labelled over their store' "$expected" "$scholar" games label whole.games --engine name=x -o whole.games
refused 'labels by an engine without values' "engine Scholar: its network has no value of a position alone, expected one that has" \
    "$scholar" games label whole.games --engine option.System=random -o new.games
{ cmp -s whole.pgn kept.pgn && cmp -s whole.games kept.games && cmp -s kept.bin before.bin; } || complain 'an input was changed'
[[ ! -e new.games ]] || complain 'a refused import left a store'

# What exists is replaced only when that is asked for, and what cannot be written is said before the work.
echo precious >there
cp "$source/nets/policy-7ead2a29.safetensors" policy.safetensors
for writer in 'games merge whole.games kept.games' 'games dedup whole.games' 'games export whole.games' \
    'games sample whole.games' 'games label whole.games --engine name=x --games 1' 'book make whole.pgn --min-games 1' 'book merge kept.bin plain.bin' 'book export kept.bin' \
    'net new linear' 'net new dense --joint 4' 'net new comparison --encoder 4 --head 4' 'net export policy.safetensors'; do
    refused "$writer, over what exists" 'there: exists, expected a new name, or --overwrite to replace it' \
        bash -c "'$scholar' $writer -o there"
    refused "$writer, into no folder" '^scholar: none/x: cannot create: No such file or directory$' \
        bash -c "'$scholar' $writer -o none/x"
    [[ $(cat there) == precious ]] || complain "$writer: replaced what exists"
    "$scholar" $writer -o there --overwrite >over.log 2>&1 || complain "$writer --overwrite: $(tail -1 over.log)"
    [[ $(head -c 9 there | tr -d '\0') != precious ]] || complain "$writer --overwrite: nothing written"
    echo precious >there
done
printf '[weights]\nset = ["tempo 0.1",\n"temp 1"]\n' >hand.toml
refused 'weights of a feature that there is not' "hand.toml: line 3: 'set' in \[weights\] is wrong: 'temp' is no feature's name" \
    "$scholar" net new linear --weights hand.toml -o hand.safetensors
refused 'weights of no file' 'none.toml: ' "$scholar" net new linear --weights none.toml -o hand.safetensors
refused 'weights by hand and a start' 'excludes' \
    "$scholar" net new linear --weights hand.toml --start pawns -o hand.safetensors
refused 'weights over their own file' 'hand.toml: is an input too, expected another file for the output' "$scholar" net new linear --weights hand.toml -o hand.toml --overwrite
refused 'a dense network of unknown features' "dense feature set '7' is not known, expected one of: giraffe-363," \
    "$scholar" net new dense --features 7 -o dense.safetensors
refused 'a dense network with too few numbers' '--apart has 1 number, expected 3, one for each modality of giraffe-363' \
    "$scholar" net new dense --apart 7 -o dense.safetensors
refused 'a dense network that is too large' 'a block of 5000 units, expected 1 to 4096' \
    "$scholar" net new dense --joint 5000 -o dense.safetensors
refused 'a comparison that is too large' 'head: a layer of 5000 units, expected 1 to 4096' \
    "$scholar" net new comparison --head 5000 -o comparison.safetensors
refused 'a list of skipped games over what exists' 'there: exists, expected a new name' \
    "$scholar" games read whole.pgn --errors there
cp whole.games there.games
refused 'an import over a store' 'there.games: exists, expected a new name, or --overwrite' \
    "$scholar" games import kept.pgn -o there.games
refused 'an import into no folder' '^scholar: none/x.games: cannot create: No such file or directory$' \
    "$scholar" games import kept.pgn -o none/x.games
refused 'an import that adds and replaces' '--append stands beside --overwrite' \
    "$scholar" games import kept.pgn -o there.games --append --overwrite
cmp -s whole.games there.games || complain 'an import replaced what exists'
"$scholar" games import kept.pgn -o there.games --overwrite >over.log 2>&1 || complain "import --overwrite: $(tail -1 over.log)"
"$scholar" games import kept.pgn -o there.games --append >over.log 2>&1 || complain "import --append: $(tail -1 over.log)"

# Ratings, the ladder and tuning.
refused 'nothing to rate' 'no file, expected PGN, lines of JSON or game stores, or --ladder' "$scholar" rate
refused 'games without results' 'no games with two players and a result' "$scholar" rate /dev/null
printf '{"white":"A","black":"B","result":"1-0"}\n' >results.jsonl
refused 'an anchor without its Elo' "--anchor 'A': expected NAME=ELO" "$scholar" rate results.jsonl --anchor A
refused 'an anchor who did not play' "anchor 'C': no player has this name, did you mean 'A'" \
    "$scholar" rate results.jsonl --anchor C=1500
printf '[ladder]\ntime_control = "1"\n[A]\ncommand = "%s"\nanchor = 0\n' "$scholar" >one.toml
refused 'a network that is not there, on the ladder' 'none.safetensors: cannot open' "$scholar" rate --ladder=one.toml \
    --engine 'name=x option.EvalFile=none.safetensors' --games 2 --results placed.jsonl
sed 's/anchor = 0/anchor = nan/' one.toml >nan.toml
refused 'a ladder whose anchor is no number' "nan.toml: line 5: .*nan" "$scholar" rate --ladder=nan.toml --results new.jsonl
refused 'an engine to place among levels' '--levels, which' "$scholar" rate --ladder --levels --engine name=a
# Self-play says what is wrong before the first game.
own=("$scholar" selfplay own.games)
refused 'an option that the engine lacks' "unknown option 'Foo', expected one of" "${own[@]}" --option Foo=3
refused 'a system that there is not' 'System.*expected' "${own[@]}" --option System=nobody
refused 'a network that is not there' 'none.safetensors: cannot open' "${own[@]}" --option EvalFile=none.safetensors
refused 'threads within a game' 'Threads=2: a game is played by one thread, expected --threads' "${own[@]}" --option Threads=2
refused 'one seed for all games' 'each game has a seed of its own, expected --seed' "${own[@]}" --option seed=2
refused 'openings that are not there' 'none.epd: cannot open' "${own[@]}" --openings none.epd
refused 'bounds the wrong way round' "--random-plies is '3-2', expected N or MIN-MAX, from 0 to 200" "${own[@]}" --random-plies 3-2
refused 'to give up after no move' '--resign: moves is 0, expected at least 1' "${own[@]}" --resign moves=0
refused 'to play out more than all games' '--resign: playedout is 101, expected per cent' "${own[@]}" --resign playedout=101
refused 'a folder that is not there' 'none/own.games: cannot' "$scholar" selfplay none/own.games
[[ ! -e own.games && ! -e own.games.partial ]] || complain 'refused self-play left a store'

refused 'one engine for a match' 'match: 1 engine, expected at least two' "$scholar" match --engine name=a --openings "$source/openings/first.epd"
refused 'a tournament in no order' "--format is 'swiss', expected round-robin, gauntlet or neighbours=N" \
    "$scholar" match --engine name=a --engine name=b --format swiss --openings "$source/openings/first.epd"
refused 'a comparison with what is no engine' "'none.safetensors': expected default, a network's file, or an engine in words" \
    "$scholar" compare none.safetensors default
refused 'a comparison with a network cut off' 'cut.safetensors: tensor' "$scholar" compare cut.safetensors default
refused 'an embedded network that there is not' '<nothing>: no network of this name, expected a file' \
    "$scholar" compare 'name=a option.EvalFile=<nothing>' default
for games in none cut garbage; do
    printf '[ladder]\ntime_control = "1"\ngames = "%s.zst"\n[A]\ncommand = "a"\n' $games >$games-games.toml
done
head -c 3000 "$source/ladder/games.jsonl.zst" >cut.zst
echo garbage >garbage.zst
refused 'a ladder whose games are not there' '^scholar: none.zst: cannot open' "$scholar" rate --ladder=none-games.toml --results new.jsonl
refused 'a ladder whose games are cut off' '^scholar: cut.zst: zstd data end too soon' "$scholar" rate --ladder=cut-games.toml --results new.jsonl
refused 'a ladder whose games are garbage' '^scholar: garbage.zst: line 1: expected one JSON object' \
    "$scholar" rate --ladder=garbage-games.toml --results new.jsonl
refused 'an engine to place, and no ladder' 'requires --ladder' "$scholar" rate results.jsonl --engine name=x
printf '[ladder]\ntime_control = "1"\n[A]\ncomand = "a"\n' >bad.toml
refused 'a ladder with a misspelt key' "bad.toml: line 4: unknown key 'comand' in .A., did you mean 'command'" \
    "$scholar" rate --ladder bad.toml --results new.jsonl
printf '[ladder]\ntime_control = "1"\n[A]\ncommand = " "\n' >empty.toml
refused 'a ladder with a player without a program' "empty.toml: line 4: 'command' in .A. ' ' names no program" \
    "$scholar" rate --ladder empty.toml --results new.jsonl
refused 'an engine without a program' "--engine: cmd: '' names no program, expected one" "$scholar" suite none.epd --engine cmd=
refused 'a trace that cannot be written' '--trace: nowhere/trace: cannot write' \
    "$scholar" suite none.epd --trace nowhere/trace
moves() { refused "$1" "$2" "$scholar" suite moves "${@:3}"; } # WHAT PATTERN ARGUMENTS...: moves that cannot be measured
refused 'neither a suite nor moves' 'file: is required, or the subcommand moves' "$scholar" suite
moves 'moves of no store' 'STORE is required'
moves 'moves of a store that is not there' 'absent.games: cannot open' absent.games
moves 'moves of what is no store' 'whole.pgn: .*not a game store' whole.pgn
moves 'moves by a clock' "--tc: tc '10[+]1', expected nodes=N, depth=N or movetime=SECONDS" whole.games --tc 10+1
moves 'moves by a clock of its own' "--engine: tc '60', expected" whole.games --engine tc=60
refused 'roots of no games' 'none of [0-9]+ games is selected and has moves' "$scholar" nodes whole.games -o n.games --player Nobody
refused 'roots of a search that tells of no nodes' 'none of whose searches tells of 16 different nodes' \
    "$scholar" nodes whole.games -o n.games --option Search=value
rm -f n.games.*
moves 'moves without a policy' 'PolicyFile is empty' whole.games --test-share 0.2 --engine 'option.Search=policy option.PolicyFile=<empty>'
moves 'moves of no test games' 'whole.games: none of [0-9]+ games is a test game .*greater --test-share' whole.games --test-share 0
moves 'moves of a share that is none' '--test-share' whole.games --test-share 2
moves 'moves of games without so many' 'without a position from half-move 3000 on' whole.games --test-share 0.2 --min-ply 3000
sed '/^\[.*Elo /d' whole.pgn >unrated.pgn
"$scholar" games import -o unrated.games unrated.pgn >import.log 2>&1 || complain "unrated: $(tail -1 import.log)"
moves 'bands of ratings without ratings' 'unrated.games: no player of [0-9]+ test games has a rating, expected the tags WhiteElo' \
    unrated.games --test-share 0.2 --bands 100
moves 'moves with no threads' '--threads: ' whole.games --threads 0
moves 'a draw by half a seed' "--seed: .*'0.5'" whole.games --seed 0.5
analysis() { refused "$1" "$2" "$scholar" analyse "${@:3}"; } # WHAT PATTERN ARGUMENTS...: what cannot be analysed
analysis 'an analysis of nothing' 'nothing to analyse, expected FILE... or --fen FEN'
analysis 'an analysis of a position and games' 'files and a position, expected FILE... or --fen' whole.games --fen '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1'
analysis 'an analysis of no position' "--fen: .*'9'" --fen '9 w - - 0 1'
analysis 'an analysis by nobody known' "--system 'knightcup', did you mean 'knightcap'" whole.games --system knightcup
analysis 'an analysis by the same system twice' "two are called 'scholar', expected name=ANOTHER" whole.games --system scholar --system scholar
analysis 'an analysis with a system of unknown words' "--system: key 'hash', expected one of name, option.NAME" whole.games --system 'scholar hash=2'
analysis "an analysis with a system's wrong option" "system scholar: option Hash: value '0', expected" whole.games --system scholar --option Hash=0
analysis 'an analysis with threads in a search' 'Threads=2: expected --threads' whole.games --system scholar --option Threads=2
analysis 'an analysis with a search without its network' 'system scholar: .*OrderFile' whole.games --system 'scholar option.Search=ordered'
analysis 'an analysis of no game that is selected' 'whole.games: none of [0-9]+ games is selected' whole.games --player Nobody
printf '[Event "x"]\n\n1. e4 e5 2. Qh9 *\n' >wrong.pgn
analysis 'an analysis of what is no game' 'no game could be read: wrong.pgn: line 3: game 1.*Qh9' wrong.pgn
analysis 'an analysis of what is not there' 'absent.pgn: cannot open' absent.pgn
analysis 'thresholds in a wrong order' 'expected each at least the one before' whole.games --mistake 5
analysis 'an analysis over its games' 'whole.games: is an input too, expected another file' whole.games -o whole.games
analysis 'an analysis that cannot be written' 'nowhere/new.pgn: cannot' whole.games -o nowhere/new.pgn
analysis 'an analysis resumed without an output' '--resume: goes on with what --output or --log has' whole.games --resume
analysis 'depth and nodes' 'excludes' whole.games --depth 3 --nodes 100
printf '{"white":"A"\n' >bad.jsonl
refused "a ladder's games that are none" 'bad.jsonl: line 1: expected one JSON object' "$scholar" rate --ladder --results bad.jsonl
refused "a ladder's games counted twice" 'results.jsonl: is an input too, expected another file' \
    "$scholar" rate results.jsonl --ladder --results results.jsonl
refused 'a parameter that the engine has not' "no option 'Nothing' with a number" "$scholar" tune --param Nothing
refused 'a parameter with half of its numbers' "--param 'Hash,': expected NAME" "$scholar" tune --param Hash,
refused 'a tuning of no tuning build' "expected a build of the preset 'tuning'" "$scholar" tune --all
refused 'a chess server without a name' 'expected --name and --password-file, or --guest' "$scholar" ics --host x
refused 'a guest with a name' '--guest: together with --name' "$scholar" ics --host x --guest --name A
refused 'a guest for rated games' '--rated: with --guest' "$scholar" ics --host x --guest --rated
refused 'a time that a server has not' "--seek: time '3', expected minutes and seconds" "$scholar" ics --host x --guest --seek 3
refused 'a limit that is a clock' 'expected nodes=N, depth=N or movetime=SECONDS' "$scholar" ics --host x --guest --limit 10+1
refused 'a resignation without a score' '--resign: key .points.' "$scholar" ics --host x --guest --resign points=9
echo password >readable && chmod 644 readable
refused 'a password that others may read' 'readable: others may read this password' \
    "$scholar" ics --host x --name A --password-file readable
(umask 077; echo >empty-password)
refused 'a file without a password' 'empty-password: line 1: empty' "$scholar" ics --host x --name A --password-file empty-password
refused 'no such password file' 'absent' "$scholar" ics --host x --name A --password-file absent
refused 'a transcript that cannot be written' 'nowhere/transcript: cannot write' \
    "$scholar" ics --host 127.0.0.1 --port 9 --guest --transcript nowhere/transcript
[[ ! -e new.jsonl && ! -e tune-log.jsonl ]] || complain 'a refused command left a file'

# What cannot be written is said, with the name that was asked for.
refused 'a book in no folder' '^scholar: none/x.bin: cannot create: No such file or directory$' \
    "$scholar" book merge kept.bin plain.bin -o none/x.bin
unheard() { # WHAT COMMAND...: standard output goes where there is no room
    local what=$1 output status
    shift
    output=$("$@" 2>&1 >/dev/full)
    status=$?
    output=$(grep -vE ' [0-9]+ % .*/s, ' <<<"$output")
    [[ $status -eq 1 ]] || complain "$what: exit $status, expected 1"
    row "$what" "exit $status" "$output" 'cannot write'
}
unheard 'a full disk for the output of perft' "$scholar" perft 1
unheard 'a full disk for much output' "$scholar" games export whole.games -o -
unheard 'a full disk for the output of help' "$scholar" --help
unheard 'a full disk for games check' "$scholar" games check whole.games
unheard 'a full disk for UCI' bash -c "printf 'uci\nquit\n' | '$scholar'"

# Ctrl-C is heard inside a count. (In the foreground, or timeout would send it twice, which ends the program at once.)
suite long.perft "id long\nepd $start\nperft 12 1"
for command in 'perft 12' 'perft 12 --suite long.perft'; do
    refused "Ctrl-C in $command" 'stopped' timeout --foreground -s INT -k 60 2 bash -c "exec '$scholar' $command"
done

# The game that is cut off is reported by name, the others go in.
head -c "$(grep -b '^\[Event ' whole.pgn | sed -n '11s/:.*//p')" whole.pgn | head -c -60 >cut.pgn
output=$("$scholar" games import -o cut-pgn.games cut.pgn --errors cut.errors 2>&1)
status=$?
[[ $status -eq 0 ]] || complain "a PGN cut off: exit $status: $output"
row 'a PGN cut off in the middle of its tenth game' "exit $status, $("$scholar" games info cut-pgn.games | sed -nE 's/^  games +([0-9]+).*/\1 games/p')" \
    "$(cat cut.errors)" 'cut.pgn: line [0-9]+: game 10 .*ends in the middle of a game'
refused 'a file that is no PGN' 'no game could be read' bash -c "'$scholar' games read whole.games 2>&1 >/dev/null | grep '^scholar' >&2; exit \${PIPESTATUS[0]}"
head -c 400000 "$source/games/master-games.pgn.zst" >cut.pgn.zst
refused 'a compressed PGN cut off' 'cut.pgn.zst: zstd data end too soon' bash -c "'$scholar' games import -o cut-zst.games cut.pgn.zst 2>&1 >/dev/null | grep -v '^import' >&2; exit \${PIPESTATUS[0]}"
[[ ! -e cut-zst.games ]] || complain 'a compressed PGN cut off: left a store'

if [[ -x $bin/scholar-train ]]; then
    sed 's/learning_rate/learning_rte/' "$source/recipes/first.toml" >misspelt.toml
    refused 'a recipe with a misspelt key' "misspelt.toml: line [0-9]+: unknown key 'learning_rte'.*did you mean 'learning_rate'" "$scholar" train misspelt.toml
    sed 's/^width = .*/width = "wide"/' "$source/recipes/first.toml" >wrong.toml
    refused 'a recipe with a wrong type' 'wrong.toml: line [0-9]+: .*width' "$scholar" train wrong.toml
    refused 'a recipe that is not there' 'none.toml: cannot open' "$scholar" train none.toml
    refused 'a time to learn that is none' "--minutes: value '-1', expected a number from .* to .*see --help" "$scholar" learn --minutes -1
    refused 'an option that learning has not' "unknown option '--frob': did you mean '--from'" "$scholar" learn --frob
    "$scholar" learn --frob >/dev/null 2>&1
    [[ $? -eq 2 ]] || complain 'an option that learning has not: expected exit 2'
    refused 'only games, of which none are named' '--only-games requires --games' "$scholar" learn --only-games
    refused 'a run to go on and to begin again' '(--resume excludes --overwrite|--overwrite excludes --resume)' "$scholar" learn --resume --overwrite
    refused 'a report without a folder' '--report: 1 required' "$scholar" learn --report
    refused 'a port of no server' '--port requires --server' "$scholar" learn knightcap --port 5000
    unheard 'a full disk for the help of learning' "$scholar" learn --help
    refused 'a course that is not there' 'none.toml: cannot open' "$scholar" learn none.toml
    printf 'garbage\n' >garbage.toml
    refused 'a course that is garbage' 'garbage.toml: line 1: not TOML' "$scholar" learn garbage.toml
    printf '[network]\nwidth = 512\n' >short.toml
    refused 'a network too wide for the built-in course' "short.toml: 'stages' in .course. is wrong: width is 128.*built in" "$scholar" learn short.toml
    refused 'to go on where there is no run' 'none: holds no run to go on with' "$scholar" learn -o none --resume
    refused 'to go on on-line where there is no run' 'none: holds no run to go on with' "$scholar" learn knightcap -o none --resume
    sed 's|^output = .*|output = "none"|' "$source/recipes/first.toml" >first.toml
    refused 'to go on with no training' 'none: holds no run to go on with' "$scholar" train first.toml --resume
    refused 'a report of no run' 'none: no metrics.jsonl, expected the folder of a run' "$scholar" learn --report none
    refused 'a report with what is for learning' '--minutes.*does not go with --report' "$scholar" learn --report none --minutes 3
    refused 'milestones of no run, on the ladder' 'none: no metrics.jsonl, expected the folder of a run' "$scholar" learn --report none --ladder-games 2
    mkdir damaged-run
    printf '{"kind":"alarm","step":1,"text":"x"}\n{"kind":"round","step":1}\n' >damaged-run/metrics.jsonl
    refused 'a report of damaged records' "damaged-run/metrics.jsonl: line 2: no 'games', expected one" "$scholar" learn --report damaged-run
    [[ ! -e damaged-run/report.md ]] || complain 'a refused report was written'
    refused 'a run in a file' 'short.toml: cannot create the folder' "$scholar" learn -o short.toml
    refused 'an on-line recipe that is not there' 'none.toml: cannot open' "$scholar" learn knightcap none.toml
    refused 'an on-line recipe that is garbage' 'garbage.toml: line 1: not TOML' "$scholar" learn knightcap garbage.toml
    printf '[learning]\nalfa = 1\n' >misspelt.toml
    refused 'an on-line recipe with a misspelt key' "misspelt.toml: line 2: unknown key 'alfa' in .learning.*did you mean 'alpha'" "$scholar" learn knightcap misspelt.toml
    printf '[network]\nstart = "%s"\n[opponents]\nplayers = "self"\n' "$source"/nets/scholar-c81e6a60.safetensors >other.toml
    refused 'to learn on-line from a network of another kind' "architecture 'perspective', expected 'linear'" "$scholar" learn knightcap other.toml
    printf '[opponents]\nplayers = "none.toml"\n' >alone.toml
    refused 'opponents that are not there' 'none.toml: cannot open' "$scholar" learn knightcap alone.toml
    refused 'no games' "--until-games: value '0', expected a whole number from 1 to .*see --help" "$scholar" learn knightcap --until-games 0
    refused 'self-play from games without a recipe' 'recipe is required' "$scholar" learn giraffe
    refused 'self-play from games by a recipe that is not there' 'none.toml: cannot open' "$scholar" learn giraffe none.toml
    sed 's|^stores = .*|stores = ["none.games"]|; s|^method|methods|' "$source/recipes/giraffe.toml" >segments.toml
    refused 'self-play from games with a misspelt key' "segments.toml: line [0-9]+: unknown key 'methods' in .lessons.*did you mean 'method'" "$scholar" learn giraffe segments.toml
    sed -i 's|^methods|method|; s|^output = .*|output = "none"|' segments.toml
    refused 'self-play from games that are not there' 'none.games: cannot open' "$scholar" learn giraffe segments.toml
    refused 'to go on with no self-play from games' 'none: holds no run to go on with' "$scholar" learn giraffe segments.toml --resume
    refused 'an option before the word that it belongs to' "--seed: stands before 'knightcap', expected behind it" "$scholar" learn --seed 3 knightcap
    refused 'no paper' 'reproduce: expected a paper: knightcap, giraffe' "$scholar" reproduce
    refused 'a paper that is not there' "unknown command 'deepblue': expected one of knightcap, giraffe" "$scholar" reproduce deepblue
    refused 'a reproduction in a file' 'short.toml: cannot create the folder' "$scholar" reproduce knightcap -o short.toml
    refused 'an experiment that is not there' "EXPERIMENT: value 'deep', expected one of on-line, pawns, self-play, beyond" "$scholar" reproduce knightcap deep
    refused 'a policy without a name' "^scholar: --beside 'x.safetensors': expected NAME=NETWORK" "$scholar" reproduce convchess moves --beside x.safetensors
    refused 'a policy that is none' "^scholar: linear: linear.safetensors gives .*, expected probabilities of moves" "$scholar" reproduce convchess moves --beside linear=linear.safetensors
    [[ ! -e runs ]] || complain 'a refused run on-line left a folder'
fi

verdict
