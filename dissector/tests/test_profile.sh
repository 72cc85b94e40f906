#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every filter and preference of profile/ and every filter of the README is one that tshark takes.
. "$(dirname "$0")/lib.sh"
wrong=$(capture wrong) || exit 2
accepted() { uetx -r "$wrong" -c 1 -Y "$1" >/dev/null 2>"$UETX_OUT/err" || fail "$1
$(cat "$UETX_OUT/err")"; }
grep '^@' "$here/../profile/colorfilters" | cut -d@ -f3 >"$UETX_OUT/filters"
sed -n '/^## Filters/,/^## Pref/s/^| `\(uetx[^`]*\)` |.*/\1/p' "$here/../README.md" |
    sed 's/\\|/|/g' >>"$UETX_OUT/filters"
[ "$(wc -l <"$UETX_OUT/filters")" -ge 20 ] || fail "too few filters found in profile/ and README.md"
# All at once, as starting tshark takes its time; one by one to find the culprit.
all=$(sed 's/.*/(&)/' "$UETX_OUT/filters" | paste -sd '~' | sed 's/~/ || /g')
uetx -r "$wrong" -c 1 -Y "$all" >/dev/null 2>&1 ||
    while read -r filter; do accepted "$filter"; done <"$UETX_OUT/filters"

profiles=$UETX_OUT/config/wireshark/profiles
mkdir -p "$profiles" && rm -rf "$profiles/UET" && cp -r "$here/../profile" "$profiles/UET"
acks=$(capture acks) || exit 2
UETX_CONFIG=$UETX_OUT/config
have=$(uetx -r "$acks" -Y frame.number==5 -C UET 2>"$UETX_OUT/err" | tr -s ' ')
grep . "$UETX_OUT/err" && fail "tshark complains about the profile"
expect "the columns of the profile" \
    " 5 0.004000 192.0.2.2 192.0.2.1 0x2001 0x1001 54 ACK cack=0x00000010 probe=0xabcd 0x2001>0x1001" \
    "$(printf '%s' "$have" | sed 's/→ //')"
exit $bad
