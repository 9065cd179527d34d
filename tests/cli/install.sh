#!/usr/bin/env bash
# tests/cli/install.sh BIN BUILD SOURCE: installs the build BUILD into a folder. The engine there answers; every option that --help names
# stands in the man page of its command; completion gives commands, options and words. With `man` there its pages have no faults.
# Links of the documents lead to what is installed with them.
# The archive for other Linuxes, unpacked anywhere, starts itself and reads no library but its own. The Debian packages depend on
# what they need and no more.
set -uo pipefail
build=$(realpath "$2")
manual=$(realpath "$3")/tools/manual.sh
. "${0%/*}/checks.sh"

cmake --install "$build" --prefix "$folder" >"$folder/said" || { cat "$folder/said"; exit 1; }
scholar=$folder/bin/scholar
[[ $(echo -e 'uci\nquit' | "$scholar") == *uciok* ]] || complain 'the installed engine does not speak UCI'

pages=$folder/share/man/man1
for command in '' 'games sample' match learn 'learn knightcap' 'reproduce convchess'; do
    page=$pages/scholar${command:+-${command// /-}}.1
    [[ -f $page ]] || { complain "no page $page"; continue; }
    options=$("$scholar" $command --help | grep -oE '^ +(-[a-zA-Z],)?--[a-z0-9-]+' | grep -oE '\-\-[a-z0-9-]+') || true
    [[ $options == *--help* ]] || complain "${page##*/}: --help names no option"
    for option in $options; do
        grep -qF -- "${option//-/\\-}" "$page" || complain "${page##*/} lacks $option"
    done
done
[[ $(ls "$pages" | wc -l) -ge 50 ]] || complain "only $(ls "$pages" | wc -l) pages"
if command -v man >/dev/null; then
    for page in "$pages"/*; do
        said=$(LC_ALL=C.UTF-8 man --warnings=all -l "$page" 2>&1 >/dev/null) && [[ -z $said ]] || complain "${page##*/}: $said"
    done
fi

# An engine built without its trainers has pages for what it does itself.
mkdir alone && cp "$bin/scholar" alone/
"$manual" alone/scholar alone || complain 'no manual without scholar-train'
[[ -f alone/man1/scholar-match.1 && ! -e alone/man1/scholar-learn.1 ]] || complain "pages without trainers: $(ls alone/man1)"

# completed WORD...: what bash offers for the last of them.
completed() {
    bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _scholar; echo "${COMPREPLY[*]}"' \
        bash "$folder/share/bash-completion/completions/scholar" "$@"
}
expect() { [[ $1 == "$2" ]] || complain "completion gives '$1', expected '$2'"; }
expect "$(completed scholar mat)" match
expect "$(completed scholar games sam)" sample
expect "$(completed scholar games sample --spl)" --split
expect "$(completed scholar games sample --split t)" 'train test'
expect "$(completed scholar learn --core)" --core-minutes
expect "$(completed scholar match mat)" ''

"${manual%/*}/archive.sh" "$build" archive.tar.gz >said && tar -xzf archive.tar.gz || complain "no archive: $(cat said)"
[[ -f scholar/share/man/man1/scholar.1 && -f scholar/share/doc/scholar/licences/libfmt9 ]] || complain 'the archive lacks manual or licences'
coproc archived { exec scholar/bin/scholar; }
engine=$archived_PID # which bash forgets as soon as it has ended
echo uci >&"${archived[1]}"
while read -r line && [[ $line != uciok ]]; do :; done <&"${archived[0]}"
[[ $line == uciok ]] || complain 'the archived engine does not speak UCI'
mapped=$(grep -oE '/.*' "/proc/$engine/maps" | sort -u)
[[ $mapped == *"$folder/scholar/lib/scholar/libc.so.6"* ]] || complain "the archived engine does not run from its folder: $mapped"
! grep -vF "$folder/scholar/" <<<"$mapped" || complain 'the archived engine has mapped files of this system'
echo quit >&"${archived[1]}"
wait "$engine" || complain 'the archived engine ended with an error'
scholar/bin/scholar match --engine 'name=a cmd=scholar tc=nodes=20' --engine 'name=b option.System=random tc=nodes=1' --games 2 --openings scholar/share/doc/scholar/openings/first.epd --pgn match.pgn >said 2>&1 ||
    complain "the archived engine does not start itself: $(tail -1 said)"

documents=$folder/share/doc/scholar
[[ -f $documents/openings/first.epd && -f $documents/recipes/default.toml && -f $documents/docs/engine.md ]] || complain 'documents are missing'
links=0
while IFS=: read -r document link; do
    links=$((links + 1))
    target=${link#*](}
    [[ $target == *://* || -e ${document%/*}/$target ]] || complain "${document#"$documents/"} links to $target, which is not installed"
done < <(grep -roE '\]\([^)# ]+' --include=*.md "$documents")
[[ $links -gt 100 ]] || complain "only $links links"
# The Debian packages of the same build: the engine without libtorch, the trainers on top of it.
cpack --config "$build/CPackConfig.cmake" -B packages >said 2>&1 || complain "no packages: $(tail -1 said)"
field() { dpkg-deb -f packages/"$1"_*_amd64.deb "$2"; }
[[ $(field scholar Depends) == *libc6* && $(field scholar Depends) != *torch* ]] || complain "the engine's package depends on $(field scholar Depends)"
[[ $(field scholar-train Depends) == *'scholar (= '*torch* ]] || complain "the trainers' package depends on $(field scholar-train Depends)"
dpkg-deb -x packages/scholar_*_amd64.deb unpacked
[[ -f unpacked/usr/share/man/man1/scholar.1.gz || -f unpacked/usr/share/man/man1/scholar.1 ]] || complain 'the package has no manual'
[[ $(echo -e 'uci\nquit' | unpacked/usr/bin/scholar) == *uciok* ]] || complain 'the packaged engine does not speak UCI'

verdict
echo "installed, with $(ls "$pages" | wc -l) man pages"
