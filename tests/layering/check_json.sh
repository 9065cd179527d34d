#!/usr/bin/env bash
# check_json.sh FOLDER: JSON is written by base/json.hpp alone. Elsewhere the first text that is no UTF-8 would end the program.
set -uo pipefail
found=$(grep -rnE '(\.|->)dump[[:space:]]*\(|<<[[:space:]]*(nlohmann::)?(ordered_)?json\b' --include='*.cpp' --include='*.hpp' "$1" | grep -v '/base/json.hpp:')
[[ -z $found ]] && exit 0
echo "$found"
echo "expected base::json_line() or base::json_text()"
exit 1
