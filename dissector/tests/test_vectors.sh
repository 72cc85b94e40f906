#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# test_vectors.sh VECTORS: every value of every vector of the facts is shown, at its place
# (vectors.c). Left out are the six of the entropy header (native IP, in forms.hex) and those whose
# own fields make them another form.
. "$(dirname "$0")/lib.sh"
pcap=$UETX_OUT/vectors.pcap
"$UETX_TOOLS/vectors" "$1" "$pcap" >"$UETX_OUT/made" || fail "$(cat "$UETX_OUT/made")"
uetx -r "$pcap" -o uetx.track:FALSE -T pdml >"$UETX_OUT/vectors.pdml" || fail "tshark failed"
"$UETX_TOOLS/vectors" "$1" "$UETX_OUT/vectors.pdml" >"$UETX_OUT/checked" ||
    fail "$(head -20 "$UETX_OUT/checked")"
expect "vectors" "275 vectors, 31 left out, 0 wrong" "$(tail -1 "$UETX_OUT/checked")"
exit $bad
