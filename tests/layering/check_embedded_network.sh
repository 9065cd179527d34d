#!/usr/bin/env bash
# check_embedded_network.sh FOLDER...: no source file there takes the embedded network to be of one kind: it is read by
# parse_any_network alone.
set -uo pipefail
found=$(grep -rn 'default_network_file()' "$@" | grep -vE 'parse_any_network\((nets::)?default_network_file\(\)\)|/nets/container/embedded\.')
[[ -z $found ]] && exit 0
echo "$found"
echo "expected nets::parse_any_network(nets::default_network_file())"
exit 1
