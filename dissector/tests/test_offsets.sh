#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# test_offsets.sh UETCAT CARRY: what is wrong at a byte is said of the same byte of the frame by tshark,
# in the Info column and in its remarks, and by uetcat; and what is shown as a header is not Data too.
. "$(dirname "$0")/lib.sh"
uetcat=$1 carry=$2

agree() { # agree PCAP AT-LEAST none|crc: "! text at byte N" of each packet, by both
    case $3 in crc) trailer=present ;; *) trailer=none ;; esac
    uetx -r "$1" -o uetx.crc:$trailer -o uetx.ip.proto:253 -Y uetx -T fields -e frame.number -e _ws.col.Info |
        sed -n 's/^\([0-9]*\).*\(! [^[]* at byte [0-9]*\).*/\1 \2/p' >"$UETX_OUT/tshark.txt"
    "$uetcat" decode --crc "$3" "$1" 2>/dev/null | grep -v ' 42 bytes !' | # nothing of UET in it
        sed -n 's/^ *\([0-9]*\).*\(! .* at byte [0-9]*\).*/\1 \2/p' >"$UETX_OUT/uetcat.txt"
    n=$(wc -l <"$UETX_OUT/uetcat.txt")
    [ "$n" -ge "$2" ] || fail "$1: uetcat finds $n packets wrong only"
    diff "$UETX_OUT/uetcat.txt" "$UETX_OUT/tshark.txt" >"$UETX_OUT/differ.txt" ||
        fail "$1: uetcat (<) and tshark (>) differ: $(head -6 "$UETX_OUT/differ.txt")"
}
wrong=$(capture wrong) || exit 2
agree "$wrong" 8 none

# The header of ses_short begins behind Ethernet 14, IPv4 20, UDP 8 and PDS 12 bytes.
expect "a remark's offset" "SES header cut short: it begins at byte 54" \
    "$(uetx -r "$wrong" -Y 'uetx.malformed.ses_short' -T fields -e _ws.expert.message -c 9 | head -1 | cut -d, -f1)"

rm -rf "$UETX_OUT/carried" && mkdir -p "$UETX_OUT/carried"
"$carry" "$UETX_OUT/carried" >/dev/null || exit 2
chmod -R a+rX "$UETX_OUT/carried"
for file in sll2-bad nested-bad vxlan-bad mpls_eth-bad; do
    agree "$UETX_OUT/carried/$file.pcap" 1 crc
done

# Behind the SES header that follows the NACK are four bytes of nothing; elements are no data.
expect "data behind a NACK" "deadbeef" \
    "$(uetx -r "$wrong" -Y 'uetx.nack && uetx.ses.opcode == 1' -T fields -e data.data)"
expect "data in Negotiation" "" "$(uetx -r "$wrong" -Y 'uetx.pds.cp.element' -T fields -e data.data | tr -d '\n')"
exit $bad
