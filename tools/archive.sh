#!/usr/bin/env bash
# tools/archive.sh BUILD FILE.tar.gz: the engine of BUILD, best of the portable one, as an archive that runs wherever it is unpacked, on
# any Linux of x86-64, with every library that it needs down to the C library, and what belongs to it: documents, man pages, licences.
set -euo pipefail

[[ $# -eq 2 ]] || { echo 'archive: expected a build folder and the file to write, as scholar.tar.gz' >&2; exit 2; }
build=$1 file=$2
[[ -x $build/bin/scholar ]] || { echo "archive: $build/bin/scholar: no program, expected a build of scholar" >&2; exit 1; }
tools=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$file.new"' EXIT
{ : >"$file.new"; } 2>/dev/null || { echo "archive: $file.new: cannot be written" >&2; exit 1; }
top=$folder/scholar

cmake --install "$build" --prefix "$top" --component engine >"$folder/said" || { cat "$folder/said" >&2; exit 1; }
libraries=$top/lib/scholar
mkdir -p "$libraries"
mv "$top/bin/scholar" "$libraries/scholar"
strip "$libraries/scholar"
cc -O2 -Wall -Werror -static -s "$tools/launcher.c" -o "$top/bin/scholar"

# Libraries, and the licence of the package that each comes from.
licences=$top/share/doc/scholar/licences
mkdir -p "$licences"
while read -r library; do
    cp --dereference "$library" "$libraries/"
    # Debian has both names of a folder that is one, and knows a file by either.
    package=$(dpkg -S "$library" 2>/dev/null || dpkg -S "/usr$library" 2>/dev/null || dpkg -S "${library#/usr}" 2>/dev/null) ||
        { echo "archive: $library: of no package, so its licence is not known" >&2; exit 1; }
    package=${package%%:*}
    cp "/usr/share/doc/$package/copyright" "$licences/$package"
done < <(ldd "$libraries/scholar" | grep -oE '/[^ ]+' | sort -u)

tar --create --owner=0 --group=0 --sort=name --directory "$folder" scholar | gzip -9 >"$file.new"
mv "$file.new" "$file"
echo "$file: $(stat -c %s "$file" | awk '{ printf "%.1f", $1 / 1e6 }') MB, $(find "$libraries" -name '*.so*' | wc -l) libraries"
