#!/usr/bin/env bash
# tools/manual.sh SCHOLAR FOLDER [VERSION]: man pages and shell completion, made from what the program SCHOLAR says with
# --help of itself and of all its commands: FOLDER/man1/scholar.1, scholar-games.1, … and FOLDER/completion/scholar (bash).
# What is there and was made from the same programs stays, as asking takes half a minute.
set -euo pipefail

[[ $# -eq 2 || $# -eq 3 ]] || { echo "manual: expected a program, a folder and perhaps a version" >&2; exit 2; }
scholar=$1 folder=$2 version=${3:-}
[[ -x $scholar ]] || { echo "manual: $scholar: no program, expected scholar" >&2; exit 1; }
trainer=()
[[ ! -f ${scholar%/*}/scholar-train ]] || trainer=("${scholar%/*}/scholar-train")
made_from="$version $(cat "$0" "$scholar" "${trainer[@]}" | sha256sum)"
[[ -f $folder/made-from && $(<"$folder/made-from") == "$made_from" ]] && exit
rm -rf "$folder/man1" "$folder/completion" "$folder/made-from"
mkdir -p "$folder/man1" "$folder/completion"

# page COMMAND...: the help of a command, from standard input, as a man page.
page() {
    awk -v name="$(IFS=-; echo "$*")" -v command="$*" -v version="$version" '
        function escaped(text) { gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text); sub(/^[.\047]/, "\\\\\\&&", text); return text }
        function close_text() { if (verbatim) print ".fi"; verbatim = 0 }
        function title(text) { close_text(); print ".SH " toupper(text) }
        NR == 1 {
            print ".TH \"" toupper(name) "\" 1 \"\" \"Scholar " version "\" \"Scholar\""
            title("name"); print escaped(name) " \\- " escaped($0); next
        }
        /^Usage: / && !used { used = 1; sub(/^Usage: [^ ]+( [a-z-]+)*/, ""); title("synopsis"); print ".B " escaped(command); print escaped(substr($0, 2)); next }
        !used { more = more escaped($0) "\n"; next }
        used == 1 && more { title("description"); printf "%s", more; more = "" }
        # Sections of the form in which options stand; what comes behind them is text as it is.
        /^[^ ].*:$/ && !notes { section = 1; title(substr($0, 1, length($0) - 1)); next }
        { indent = match($0, /[^ ]/) - 1 }
        indent >= 1 && indent <= 4 && section && !notes {
            line = $0; sub(/^ +/, "", line)
            at = match(line, /  +/)
            print ".TP"
            print ".B " escaped(at ? substr(line, 1, at - 1) : line)
            if (at) print escaped(substr(line, at + RLENGTH))
            next
        }
        indent > 4 && section && !notes { sub(/^ +/, ""); print escaped($0); next }
        /^[^ ]/ { if (!notes) { notes = 1; title("notes"); print ".nf"; verbatim = 1 } section = 0 }
        notes { print escaped($0) }
        END { close_text() }'
}

# Of one command, from its help: the names of subcommands, of options, and "OPTION WORDS" where one of some is expected.
subcommands() { awk '/^Subcommands:/ { on = 1; next } /^[^ ]/ { on = 0 } on && /^  [a-z]/ { print $1 }' <<<"$1"; }
options() { awk '/^ +-/ { n = split($1, names, ","); for (i = 1; i <= n; ++i) if (names[i] ~ /^-/) print names[i] }' <<<"$1"; }
choices() {
    awk '/^ +-/ && match($0, /:\{[^}]*\}/) {
        words = substr($0, RSTART + 2, RLENGTH - 3); gsub(/,/, " ", words)
        n = split($1, names, ","); sub(/=.*/, "", names[n]); print names[n], words }' <<<"$1"
}

known= words= values=
walk() {
    local help sub
    if ! help=$("$scholar" "${@:2}" --help 2>&1); then
        # Built without its trainers, it has those commands in name only.
        [[ $help == *'scholar-train is not beside'* ]] && return
        echo "manual: $* --help failed: $help" >&2
        exit 1
    fi
    page "$@" <<<"$help" >"$folder/man1/$(IFS=-; echo "$*").1"
    words+="        \"$*\") words=\"$( (subcommands "$help"; options "$help") | tr '\n' ' ')\" ;;"$'\n'
    while read -r option of; do
        [[ -z $option ]] || values+="        \"$* $option\") words=\"$of\" ;;"$'\n'
    done < <(choices "$help")
    for sub in $(subcommands "$help"); do
        known+="${known:+ | }\"$* $sub\""
        walk "$@" "$sub"
    done
}
walk scholar

cat >"$folder/completion/scholar" <<END
# Completion of scholar's commands and options for bash.
_scholar() {
    local word=\${COMP_WORDS[COMP_CWORD]} path=scholar words= i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "\$path \${COMP_WORDS[i]}" in $known) path+=" \${COMP_WORDS[i]}" ;; esac
    done
    case \$path in
$words    esac
    [[ \$word == -* || \$path == scholar || " \$words" =~ \ [a-z] ]] || words=
    case "\$path \${COMP_WORDS[COMP_CWORD - 1]}" in
$values    esac
    mapfile -t COMPREPLY < <(compgen -W "\$words" -- "\$word")
}
complete -o bashdefault -o default -F _scholar scholar
END
echo "$made_from" >"$folder/made-from"
