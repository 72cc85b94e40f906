#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The second opinion: every packet vector of TSS (wire/tests/golden_tss.c), which wire/ opens with
# OpenSSL, is opened by libgcrypt, too; with one bit changed none is.
. "$(dirname "$0")/lib.sh"
out=$UETX_OUT/golden
umask 022 # tshark may run as another user
n=$("$UETX_TOOLS/golden" "$out.hex" "$out.keys") || exit 2
"$UETX_TOOLS/hex2pcap" "$out.hex" "$out.pcap" || exit 2
fields() { # FILTER FIELD
    uetx -o uetx.ip.proto:253 -o uetx.track:FALSE -o "uetx.keylog_file:$out.keys" -r "$out.pcap" -Y "$1" \
        -T fields -e "$2"
}
[ "$n" -ge 10 ] || fail "only $n vectors"
expect "all vectors are opened and verified" "$n" "$(fields 'uetx.tss.icv.status == "Good"' frame.number | wc -l | tr -d ' ')"
expect "they are those that were not changed" "$(seq 1 2 $((2 * n - 1)) | tr '\n' ' ')" \
    "$(fields 'uetx.tss.icv.status == "Good"' frame.number | tr '\n' ' ')"
expect "all begin with the same Request" "$n" "$(fields 'uetx.pds.psn == 0x12345' frame.number | wc -l | tr -d ' ')"
expect "a changed bit is seen" "$n" "$(fields 'uetx.tss.icv.status == "Bad"' frame.number | wc -l | tr -d ' ')"
exit $bad
