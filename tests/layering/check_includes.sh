#!/usr/bin/env bash
# check_includes.sh COMPILER "ALLOWED HEADERS" "FORBIDDEN HEADERS" "INCLUDE;FOLDERS": each allowed header is found with
# these include folders, and each forbidden one is refused, for that reason and no other.
set -uo pipefail
compiler=$1 allowed=$2 forbidden=$3
IFS=';' read -ra folders <<<"$4"
flags=(-std=c++23 -fsyntax-only -x c++)
for folder in "${folders[@]}"; do [[ -n $folder ]] && flags+=(-I "$folder"); done

failed=0
for header in $allowed; do
    # Found is enough here: that it compiles, the layer's own build shows.
    if ! message=$(printf '#if !__has_include("%s")\n#error not found\n#endif\n' "$header" |
        LC_ALL=C "$compiler" "${flags[@]}" - 2>&1); then
        echo "$header: expected to be reachable, got: $message"
        failed=1
    fi
done
for header in $forbidden; do
    if message=$(printf '#include "%s"\n' "$header" | LC_ALL=C "$compiler" "${flags[@]}" - 2>&1); then
        echo "$header: compiles, but this layer does not use that one"
        failed=1
    elif [[ $message != *"fatal error: $header"* ]]; then
        echo "$header: expected not to be found, got: $message"
        failed=1
    fi
done
if ! message=$(printf '#include "base/error.hpp"\n' | LC_ALL=C "$compiler" "${flags[@]}" - 2>&1); then
    echo "base/error.hpp: expected to compile, got: $message"
    failed=1
fi
exit $failed
