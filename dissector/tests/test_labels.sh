#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a person reads: labels/NAME.N.txt is the UETX part of packet N of NAME in full.
. "$(dirname "$0")/lib.sh"
for want in "$here"/labels/*.txt; do
    id=$(basename "$want" .txt)
    pcap=$(capture "${id%.*}") || exit 2
    uetx -r "$pcap" -V -o uetx.track:FALSE -Y "frame.number == ${id##*.}" |
        sed -n '/^Ultra Ethernet/,/^$/{/^Ultra\|^ /p}' >"$UETX_OUT/$id.txt"
    grep -v '^# SPDX' "$want" | diff -u - "$UETX_OUT/$id.txt" || fail "$id"
done
exit $bad
