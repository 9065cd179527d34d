#!/usr/bin/env bash
# tests/documents/check_commands.sh BIN SOURCE: the commands in README.md, CONTRIBUTING.md and docs/, each line of their ```sh
# blocks, and Scholar's own in other blocks. Of each command of Scholar the subcommands and options must be there, as --help
# tells; what is called by the name of a script, a preset or a target must be there, too. Those of ```sh blocks that need
# neither hours nor a network are then run, document by document and in their order, in a folder with what ships, and must
# succeed: with fewer games and less time, and with what a reader is said to have (his own games, a network) put there before.
set -uo pipefail
. "${BASH_SOURCE[0]%/*}/../cli/checks.sh"
sources=$source
PATH=$bin:$PATH

# commands FILE: a line "NUMBER<tab>run|look<tab>COMMAND" for each command, those that a backslash or a quote breaks put
# together. What stands in other blocks than ```sh, and is a command of Scholar by its first word, is only looked at.
commands() {
    awk '
        /^```/ { inside = inside != "" ? "" : /^```sh$/ ? "run" : "look"; if (line != "") print line; line = ""; next }
        line == "" { kind = inside == "" && /^    [^ ]/ ? "look" : inside }
        line == "" && (kind == "" || kind == "look" && !/^ *scholar /) { next }
        { line = line == "" ? NR "\t" kind "\t" $0 : line " " $0 }
        line ~ /\\$/ { sub(/ *\\$/, "", line); next }
        { text = line; sub(/ +#.*/, "", text) }
        gsub(/\047/, "", text) % 2 { next }
        kind == "look" { sub(/ \| .*/, "", line) }
        line !~ /\t *(#.*)?$/ { print line }
        { line = "" }
        END { if (line != "") print line }' "$1"
}

# words COMMAND: sets `words` to what a shell makes of it; comments go. Nothing in it is run.
words() {
    words=()
    [[ $1 != *[\`\$]* ]] || { complain "$place: a command with \$ or a backquote is not looked into: $1"; return 1; }
    # What ends a command stands for itself here.
    local text=${1//&&/\'&&\'}
    # shellcheck disable=SC2294
    eval "words=( $text
    )" 2>/dev/null || { complain "$place: no command of a shell: $1"; return 1; }
}

declare -A helps=()
# help SUBCOMMAND...: what --help says of it.
help() {
    local key="scholar $*"
    [[ -n ${helps[$key]+there} ]] || helps[$key]=$(scholar "$@" --help 2>&1) || complain "$key --help failed"
    said=${helps[$key]}
}

# known WORD...: whether `scholar WORD...` has these subcommands and options. Leaves the former in $sub, and their help in $said.
known() {
    local word options=0
    sub=()
    help
    for word in "$@"; do
        if [[ $word == -?* && ! $word =~ ^-[0-9] ]]; then
            options=1
            word=${word%%=*}
            # In a line of its own: "  -o,--output TEXT ..." or "  --json".
            grep -qE "^ +(-[a-zA-Z],)?$word( |,|\$)" <<<"$said" ||
                { complain "$place: scholar ${sub[*]} has no option $word"; return 1; }
        elif [[ $options -eq 0 ]] && awk '/^Subcommands:/ { p = 1 } p' <<<"$said" | grep -qE "^  $word( |\$)"; then
            sub+=("$word")
            help "${sub[@]}"
        elif [[ $options -eq 0 && ${#sub[@]} -eq 0 ]]; then
            complain "$place: scholar has no command $word"
            return 1
        fi
    done
    checked=$((checked + 1))
}

compiled=()
# exists WORD...: whether another command than Scholar's is one of this repository or of the system.
exists() {
    case $1 in
        cc)
            [[ $* =~ \ -o\ ([^ ]+) ]] && compiled+=("./${BASH_REMATCH[1]}")
            local file
            for file in "$@"; do [[ $file != *.c || -e $sources/$file ]] || { complain "$place: there is no $file"; return; }; done
            ;;
        ./* | tools/*) [[ -x $sources/$1 || " ${compiled[*]} " == *" $1 "* ]] || { complain "$place: there is no $1"; return; } ;;
        cmake | ctest)
            local preset=
            [[ $* =~ --preset\ ([a-z]+) ]] && preset=${BASH_REMATCH[1]}
            [[ -z $preset ]] || grep -q "\"name\": \"$preset\"" "$sources/CMakePresets.json" ||
                { complain "$place: there is no preset $preset"; return; }
            ;;
        build/*/tests/*) grep -qr "scholar_test(${1##*/}\$" "$sources/tests" || { complain "$place: there is no test ${1##*/}"; return; } ;;
        build/*/bench/*) [[ -e $sources/bench/${1##*/}.cpp ]] || { complain "$place: there is no bench ${1##*/}"; return; } ;;
        *) type -t "$1" >/dev/null || [[ $1 == ninja ]] || { complain "$place: there is no command $1"; return; } ;;
    esac
    checked=$((checked + 1))
}

# small WORD...: sets `small` to the command, which is known, with what makes it quick; false if it is not to be run at all.
small() {
    small=()
    local word before='' limit=0
    [[ ${1:-} != learn || ${2:-} != knightcap ]] || return 1 # needs the engines of others
    for word in "$@"; do
        case $word in
            # Another machine, hours, and what does not ship.
            ics | reproduce | tune | tablebase | --server | --ladder* | *'~'* | *cmd=./* | "$HOME"/*) return 1 ;;
        esac
        case $before in
            --games | --until-games) [[ $word =~ ^[0-9]+$ ]] && { word=2; limit=1; } ;;
            --tc) word=nodes=100 ;;
            --minutes | --core-minutes) word=0.01; limit=1 ;;
            --movetime) word=0.01 ;;
            --count) word=100 ;;
            --fen) [[ $word != FEN ]] || word='8/8/8/8/8/4k3/4p3/4K3 w - - 0 1' ;;
        esac
        # The recipe that trains on a few games in no time.
        [[ $word != recipes/*.toml || $1 != train ]] || word=my-recipe.toml
        # What only a longer run has.
        if [[ $word =~ runs/[^[:space:]]*\.safetensors && ! -e ${BASH_REMATCH[0]} ]]; then
            word=${word/"${BASH_REMATCH[0]}"/network.safetensors}
        fi
        # Not every machine has these.
        [[ $before != --engine ]] || word=$(sed -E "s/cmd=(\"[^\"]*\"|[^ ]+)/cmd=scholar/" <<<"$word")
        [[ $word != --only-games && $word != --json ]] || [[ $1 != learn ]] || limit=1
        small+=("$word")
        before=$word
    done
    case $1 in
        # Asks nothing.
        --option) return 1 ;;
        learn)
            [[ $limit -eq 1 ]] || small+=(--core-minutes 0.01)
            ;;
        compare)
            small+=(--nodes 100)
            [[ $limit -eq 1 ]] || small+=(--games 2)
            ;;
        bench) return 1 ;; # a test of its own
    esac
    # Each is a reader's first.
    [[ ! $said =~ --overwrite || " $* " =~ ' --'(resume|append)' ' ]] || small+=(--overwrite)
    # Trainers are a program of their own, which not every build has.
    [[ ! $1 =~ ^(learn|train)$ || -x $bin/scholar-train ]]
}

# What a reader is said to have, under the names that the documents give it. Learning is from few games here.
prepare() {
    local each
    for each in openings suites games ladder nets recipes; do ln -s "$sources/$each" .; done
    zstd -dcq "$sources/games/master-games.pgn.zst" | awk '/^\[Event /{n++} n > 300 {exit} {print}' >readers.pgn
    zstd -q readers.pgn -o my-games.pgn.zst
    cp my-games.pgn.zst my.pgn.zst
    scholar games import -o my.games my-games.pgn.zst >/dev/null 2>&1 || complain 'the games cannot be imported'
    cp "$(find "$sources/nets/" -name 'scholar-*.safetensors' | sort | head -n 1)" network.safetensors
    cp network.safetensors my.safetensors
    scholar net new linear --start pawns -o learnt.safetensors >/dev/null 2>&1 || complain 'no linear network'
    head -n 1 "$sources/openings/first.epd" >start.epd
    cp "$sources/openings/first.epd" book.epd
    sed -E 's/^stores = .*/stores = ["my.games"]/; s/^output = .*/output = "runs\/trained"/; s/^(width|warmup) = .*/\1 = 32/
        s/^(batch|steps|validate_every|checkpoint_every|validation_positions) = .*/\1 = 100/' \
        "$sources/recipes/first.toml" >my-recipe.toml
    # Some games of somebody whose rating is known.
    scholar match --engine 'name="Stockfish 15.1 at 1350"' --engine name=other --openings start.epd --games 4 --tc nodes=50 \
        --pgn games.pgn --log match.jsonl >/dev/null 2>&1 || complain 'no match'
    zstd -q games.pgn
    scholar games import -o old.games games.pgn >/dev/null 2>&1 || complain 'the match cannot be imported'
}

checked=0
run=0
cd "$sources" && documents=(README.md CONTRIBUTING.md docs/*.md docs/results/*.md) && cd "$folder" || exit 1
for document in "${documents[@]}"; do
    # Each by its own.
    mkdir "$folder/${document//\//-}" && cd "$folder/${document//\//-}" || exit 1
    prepared=false
    declare -A ran=()
    while IFS=$'\t' read -r number kind command; do
        place=$document:$number
        words "$command" || continue
        # Each of a && b by itself.
        one=()
        for word in "${words[@]}" '&&'; do
            if [[ $word != '&&' ]]; then
                one+=("$word")
                continue
            fi
            if [[ ${one[0]} != scholar && ${one[0]} != build/*/bin/scholar ]]; then
                exists "${one[@]}"
                [[ ${one[0]} != mkdir ]] || "${one[@]}"
            elif known "${one[@]:1}" && [[ $kind == run ]] && small "${one[@]:1}"; then
                [[ $prepared == true ]] || prepare
                prepared=true
                # One small recipe stands for all: once is enough.
                if [[ ${sub[0]} != train || -z ${ran[${small[*]}]+there} ]]; then
                    ran[${small[*]}]=1
                    timeout 120 scholar "${small[@]}" >"$folder/log" 2>&1 </dev/null
                    status=$?
                    # Which of two is better is no failure.
                    [[ $status -eq 0 || ${sub[0]} == compare && $status -ge 10 && $status -le 11 ]] ||
                        complain "$place: exit $status: scholar ${small[*]}: $(tail -n 3 "$folder/log")"
                    run=$((run + 1))
                fi
            fi
            one=()
        done
    done < <(commands "$sources/$document")
done
[[ $checked -gt 0 && $run -gt 0 ]] || complain 'no command was found'
echo "$checked commands are there, $run of them were run"
verdict
