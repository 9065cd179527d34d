#!/usr/bin/env bash
# check_includes.sh COMPILER "ALLOWED HEADERS" "FORBIDDEN HEADERS" "INCLUDE;FOLDERS": with these include folders each allowed
# header is found, and none of the forbidden. That they compile, the layers' own builds show.
set -uo pipefail
compiler=$1 allowed=$2 forbidden=$3
IFS=';' read -ra folders <<<"$4"
flags=(-std=c++23 -fsyntax-only -fmax-errors=0 -x c++)
for folder in "${folders[@]}"; do [[ -n $folder ]] && flags+=(-I "$folder"); done

[[ -n $allowed ]] || { echo "no header of the layer or of those that it uses"; exit 1; }
source=
for header in $allowed; do
    source+="#if !__has_include(\"$header\")
#error $header: expected to be reachable
#endif
"
done
for header in $forbidden; do
    source+="#if __has_include(\"$header\")
#error $header: reachable, but this layer does not use that one
#endif
"
done
# That something is found at all, and that nothing but what is looked for goes wrong.
source+='#include "base/error.hpp"
'
LC_ALL=C "$compiler" "${flags[@]}" - <<<"$source"
