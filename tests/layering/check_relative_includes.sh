#!/usr/bin/env bash
# check_relative_includes.sh FOLDER: no source file there includes through "..".
set -uo pipefail
found=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]*/)?\.\./' "$1")
status=$?
[[ $status -eq 1 ]] && exit 0 # grep: looked and found none
echo "$found"
echo "expected includes of the form \"layer/file.hpp\""
exit 1
