#!/usr/bin/env bash
# tests/cli/games_sample.sh BIN SOURCE: draws positions from a store of real games with `scholar games sample` and counts
# what comes; then asks for what must be refused with one line.
set -uo pipefail
. "${0%/*}/checks.sh"

# refused PATTERN ARGUMENTS...: must exit non-zero with one line that matches.
refused() {
    local pattern=$1 output
    shift
    output=$("$scholar" games sample "$@" 2>&1 >/dev/null) && complain "$*: exit 0"
    output=$(grep -vE '^(sampling|counting) |^Run with --help' <<<"$output")  # without progress and the usual hint
    [[ $(grep -c . <<<"$output") -eq 1 ]] || complain "$*: expected one line: $output"
    [[ $output =~ $pattern ]] || complain "$*: expected /$pattern/: $output"
}

zstd -dcq "$source/games/master-games.pgn.zst" | head -c 400000 | awk '/^\[Event /{n++} n <= 200' >some.pgn
"$scholar" games import -o some.games some.pgn >import.log 2>&1 || complain "not imported: $(tail -1 import.log)"
plies=$(grep -oE '[0-9,]+ half-moves' import.log | head -1 | tr -dc 0-9)

"$scholar" games sample some.games --format csv -o all.csv >all.log 2>&1 || complain "all: $(cat all.log)"
[[ $(wc -l <all.csv) -eq $((plies + 1)) ]] || complain "all.csv has $(wc -l <all.csv) lines, expected $plies and a header"

"$scholar" games sample some.games --rule deepchess -o deep.epd >deep.log 2>&1 || complain "deepchess: $(cat deep.log)"
grep -q 'c9 "1/2-1/2"' deep.epd && complain 'deepchess: a drawn game'
grep -qE 'sm [^;]*x' deep.epd && complain 'deepchess: a capture next'
grep -qE 'fmvn [1-5];' deep.epd && complain 'deepchess: one of the first five moves'
grep -q 'fmvn 6;' deep.epd || complain 'deepchess: no sixth move'

# 32 bytes a position, and a line for each, but for results that they have no room for.
"$scholar" games sample some.games --format bullet -o all.bullet >/dev/null 2>&1
[[ $(stat -c %s all.bullet) -eq $((32 * plies)) ]] || complain "all.bullet has $(stat -c %s all.bullet) bytes, expected 32 for each of $plies"
"$scholar" games sample some.games --format text -o all.txt >/dev/null 2>&1
[[ $(grep -cE '^[^|]+ [wb] [^|]+ \| 0 \| (0\.0|0\.5|1\.0)$' all.txt) -eq $plies ]] || complain 'all.txt is not FEN | score | result'
for format in text bullet; do
    refused "format $format has results of 1, 1/2 and 0 only, expected no stage discount" some.games --format $format --stage 'discount gamma=0.9' -o x
    refused "format $format has results" some.games --format $format --rule convchess_evaluation -o x
done

# Positions of other trainers go into a store and come out of it as they were, and what is none is left out with its line.
for name in all.txt all.bullet; do
    format=${name#all.}
    "$scholar" games positions $name -o back.games --overwrite >/dev/null 2>&1 || complain "$name was not read"
    "$scholar" games sample back.games --shuffle-buffer 1 --format ${format/txt/text} -o back.$format >/dev/null 2>&1
    cmp -s $name back.$format || complain "$name came back as something else"
done
printf '%s\n' "$(head -1 all.txt)" 'no position' >two.txt
"$scholar" games positions two.txt -o two.games >two.log 2>&1 || complain 'two.txt was refused'
grep -q "two.txt: line 2: 'no position', expected 'FEN | score | result'" two.log || complain "two.txt: $(cat two.log)"

# One seed, one stream; another pass draws others.
for name in one two; do
    "$scholar" games sample some.games --stage 'one_in k=4' --stage mirror --count 300 --seed 5 -o $name.epd >/dev/null 2>&1 ||
        complain "$name.epd was not written"
done
cmp -s one.epd two.epd || complain 'the same seed gave another stream'
[[ $(wc -l <one.epd) -eq 300 ]] || complain "--count 300 gave $(wc -l <one.epd) lines"
grep -qE '^[^ ]+ b ' one.epd && complain 'mirror: Black to move'
"$scholar" games sample some.games --stage 'one_in k=4' --stage mirror --count 300 --seed 5 --pass 1 -o - >three.epd 2>/dev/null
cmp -s one.epd three.epd && complain 'another pass gave the same stream'

# --first takes the beginning of the stream, --count positions from all over it: of a file in order, from its last games
# too. Fewer than asked for are all of them.
"$scholar" games sample some.games --shuffle-buffer 1 --first 300 --format csv -o first.csv >/dev/null 2>&1
"$scholar" games sample some.games --shuffle-buffer 1 --format csv -o order.csv >/dev/null 2>&1
cmp -s <(head -301 order.csv) first.csv || complain '--first is not the beginning of the stream'
"$scholar" games sample some.games --shuffle-buffer 1 --count 300 --format csv -o count.csv >/dev/null 2>&1
[[ $(wc -l <count.csv) -eq 301 ]] || complain "--count 300 gave $(wc -l <count.csv) lines and a header"
late=$(awk -v half=$((plies / 2)) 'NR == FNR { wanted[NR - 1] = $0; next }
    $0 == wanted[found + 1] { found++; late += FNR > half } END { print late + 0 }' count.csv order.csv)
[[ $late -gt 100 && $late -lt 200 ]] || complain "--count 300 took $late positions from the second half"
"$scholar" games sample some.games --shuffle-buffer 1 --count 100000000 --format csv -o more.csv >/dev/null 2>&1
cmp -s more.csv order.csv || complain '--count beyond all is not all'

# A recipe's sampling, its training games and all.
cat >recipe.toml <<'TOML'
[data]
stores = ["some.games"]
validation_share = 0.5
[sampler]
stages = ["ply min=20 max=20"]
[network]
width = 64
TOML
train=$("$scholar" games sample --recipe recipe.toml -o - 2>/dev/null | wc -l)
held=$("$scholar" games sample --recipe recipe.toml --split validation -o - 2>/dev/null | wc -l)
all=$("$scholar" games sample some.games --stage 'ply min=20 max=20' -o - 2>/dev/null | wc -l)
[[ $train -gt 0 && $held -gt 0 && $((train + held)) -le $all ]] || complain "parts of $train and $held out of $all"

refused "unknown stage 'plyy', did you mean 'ply'" some.games --stage plyy
refused 'min is .x., expected a whole number' some.games --stage 'ply min=x'
refused "unknown rule 'deep', expected one of|did you mean" some.games --rule deep
refused "value '-1', expected a whole number from 0" some.games --count -1
refused "value '-5', expected a whole number from 0" some.games --seed -5
refused 'expected one of them' some.games --count 1 --first 1
refused 'no position passes' some.games --stage 'ply min=60000'
refused 'no game store' --count 3
refused 'cannot open' none.games
refused "stands behind 'random_move'" some.games --rule giraffe --stage quiet_move
sed 's/\[sampler\]/[samplr]/' recipe.toml >misspelt.toml
refused "misspelt.toml: line 4: unknown section \[samplr\], did you mean 'sampler'" --recipe misspelt.toml
sed -E 's#^\[Result .*#[Result "*"]#; /^\[/!s#(1-0|0-1|1/2-1/2)\s*$#*#' some.pgn >unknown.pgn
"$scholar" games import -o unknown.games unknown.pgn >/dev/null 2>&1
refused 'no game has a known result' unknown.games
"$scholar" games stats unknown.games >stats.log 2>/dev/null
grep -q 'White scores -$' stats.log || complain 'stats: a score of nothing'
"$scholar" games stats unknown.games --json >stats.json 2>/dev/null
grep -q '"white_score":null' stats.json || complain 'stats --json: a score of nothing'
awk '/^\[Result /{print "[Variant \"Chess960\"]"} {print}' some.pgn >fischer.pgn
"$scholar" games import -o fischer.games fischer.pgn >/dev/null 2>&1
refused 'Chess960: --chess960 lets them take part' fischer.games
awk '/^\[Event /{n++} n <= 1' some.pgn >one.pgn
"$scholar" games import -o one.games one.pgn >/dev/null 2>&1
for split in validation test; do
    "$scholar" games stats one.games --json >one.json 2>/dev/null
    grep -q "\"$split\":1" one.json || refused "is a $split game" one.games --split $split
done
"$scholar" games check some.games >check.log 2>&1
grep -q '^Half-moves a game$' check.log || complain 'check: no histogram of lengths'
grep -q '^Ratings (of both players)$' check.log || complain 'check: no histogram of ratings'
sed 's/max=20/max=2/' recipe.toml >broken.toml
refused "broken.toml: line 5: 'stages' in \[sampler\] is wrong: stage 'ply min=20 max=2': max is 2" --recipe broken.toml
verdict
