#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Instructions of the simulated fabric for each hop of a packet, without those of FEPs and of what
# stands around them (callgrind; goal 400).
#   fabric.sh PATH-OF-UETSIM [OPTION...]    of `uetsim fabric permutation`
# Exit status: 0; 2 set-up.
set -eu
uetsim=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
valgrind --tool=callgrind --callgrind-out-file="$dir/out" "$uetsim" fabric permutation "$@" \
    >"$dir/table" 2>"$dir/err" || [ $? -eq 1 ] || { cat "$dir/err" >&2; exit 2; }
callgrind_annotate --inclusive=yes --threshold=100 "$dir/out" |
    awk -v hops="$(awk '/ packet hops /{print $3}' "$dir/table")" '
        {n = $1; gsub(",", "", n)}
        /fabric\.c:uet_fabric_advance \[/ {all = n}
        /net\.c:(deliver|pull|advance|deadline) \[/ {others += n}
        END {if (!hops || !all) exit 2; printf "%d hops, %.0f instructions a hop\n", hops, (all - others) / hops}'
