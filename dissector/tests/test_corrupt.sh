#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# test_corrupt.sh COUNT: broken copies of every capture, one pass and two. Nothing may crash, no
# sanitizer may speak, and what is malformed is named by this dissector, not by an exception.
. "$(dirname "$0")/lib.sh"
count=$1
for name in requests acks control forms link wrong atomics deferred rendezvous; do
    pcap=$(capture $name) || exit 2
    broken=$UETX_OUT/$name.broken.pcap log=$UETX_OUT/$name.log
    "$UETX_TOOLS/corrupt" "$pcap" "$broken" 0x"$(printf '%s' $name | cksum | cut -c1-6)" "$count" ||
        exit 2
    # -V comes last: what it printed is read below.
    for options in "-2 -V -o uetx.crc:present" "-o uetx.crc:none" "-V"; do
        # shellcheck disable=SC2086
        uetx -r "$broken" $options >"$log" 2>"$log.err" || fail "$name $options: tshark failed"
        grep -v 'Running as user "root"' "$log.err" | head -20 | grep . &&
            fail "$name $options: tshark complains"
        grep -n 'Dissector bug\|Malformed Packet: UETX' "$log" | head -5 | grep . &&
            fail "$name $options: the dissector lost its way"
    done
    seen=$(grep -c '^Ultra Ethernet Transport (uetkit)' "$log")
    [ "$seen" -ge $((count / 3)) ] || fail "$name: only $seen of $count packets reached UETX"
    for remark in "cut short" "is reserved\|cannot follow" "Reserved bits"; do
        grep -q "$remark" "$log" || [ $name = link ] || fail "$name: no packet says \"$remark\""
    done
done
exit $bad
