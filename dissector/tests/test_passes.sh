#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Any order of reading shows the same (test_passes.c); tshark -2 shows what one pass does, and links
# to what lies in a packet's future; a filter takes nothing away; and so it is with packets that come
# live, through a pipe.
# test_passes.sh [CAPTURE...]: tshark reads these twice; the program all of them, in any order.
. "$(dirname "$0")/lib.sh"
captures=
for name in requests acks control forms strange link wrong stream trouble message reads unordered mended follow answers tss atomics deferred rendezvous; do
    captures="$captures $(capture $name)" || exit 2
done
# shellcheck disable=SC2086
HOME=/nonexistent ASAN_OPTIONS=detect_leaks=0 "$UETX_TOOLS/passes" $captures || bad=1
# With keys, secured packets are opened, and have a state.
(
    uetx() { HOME=/nonexistent ASAN_OPTIONS=detect_leaks=0 "$UETX_TOOLS/passes" "$@"; }
    . "$here/keys.sh"
    with_rows "$UETX_OUT/tss.pcap"
) || fail "with keys"

# What has links to the future only has them as its only children.
future='acked_in|nacked_in|retransmitted_in|reassembled_in|data_in|read.complete_in|read.time|response_in|failed_in|message.time|deferred_in|rtr_in|restarted_in|deferred.time|read_in|complete_in|rendezvous.time'
[ $# -gt 0 ] || set -- $(for pcap in $captures; do basename "$pcap" .pcap; done)
for name in "$@"; do
    pcap=$UETX_OUT/$name.pcap
    [ -s "$pcap" ] || fail "no capture $name"
    uetx -r "$pcap" -T pdml | grep -vE "uetx\.[a-z.]*($future)\"|<!--|creator=|</field>" | sed 's#/>$#>#' >"$UETX_OUT/$name.1"
    uetx -2 -r "$pcap" -T pdml | grep -vE "uetx\.[a-z.]*($future)\"|<!--|creator=|</field>" | sed 's#/>$#>#' >"$UETX_OUT/$name.2"
    uetx -r "$pcap" -Y frame -T pdml | grep -vE "uetx\.[a-z.]*($future)\"|<!--|creator=|</field>" | sed 's#/>$#>#' >"$UETX_OUT/$name.3"
    diff "$UETX_OUT/$name.1" "$UETX_OUT/$name.2" >"$UETX_OUT/$name.diff" ||
        fail "$name: two passes differ from one: $(head -5 "$UETX_OUT/$name.diff")"
    diff "$UETX_OUT/$name.1" "$UETX_OUT/$name.3" >"$UETX_OUT/$name.diff" ||
        fail "$name: filtered differs: $(head -5 "$UETX_OUT/$name.diff")"
done

# Remarks are the same whether somebody looks at the packets (-V) or not.
for name in wrong strange trouble; do
    uetx -q -r "$UETX_OUT/$name.pcap" -z expert | grep UETX >"$UETX_OUT/$name.unseen"
    uetx -V -r "$UETX_OUT/$name.pcap" -z expert | sed -n '/^[EWNC][a-z]*s ([0-9]*)$/,$p' | grep UETX |
        diff "$UETX_OUT/$name.unseen" - >"$UETX_OUT/$name.diff" ||
        fail "$name: remarks differ with a tree: $(head -5 "$UETX_OUT/$name.diff")"
    [ -s "$UETX_OUT/$name.unseen" ] || fail "$name: no remarks"
done

# As packets come, through a pipe: dumpcap gives them to tshark bit by bit.
live() { # without what is said of the frame: dumpcap names an interface
    sed '/<proto name="\(geninfo\|frame\)"/,/<\/proto>/d; /<!--/d; /creator=/d' "$1"
}
for name in stream message reads; do
    pcap=$UETX_OUT/$name.pcap
    uetx -r "$pcap" -T pdml >"$UETX_OUT/$name.file" 2>/dev/null
    { head -c 200 "$pcap"; sleep 0.2; tail -c +201 "$pcap"; } |
        uetx -i - -l -T pdml >"$UETX_OUT/$name.live" 2>"$UETX_OUT/$name.live.err" ||
        fail "$name: live: $(tail -1 "$UETX_OUT/$name.live.err")"
    packets=$(grep -c '<packet>' "$UETX_OUT/$name.file")
    expect "$name: packets seen live" "$packets" "$(grep -c '<packet>' "$UETX_OUT/$name.live")"
    live "$UETX_OUT/$name.file" >"$UETX_OUT/$name.1"
    live "$UETX_OUT/$name.live" >"$UETX_OUT/$name.2"
    diff "$UETX_OUT/$name.1" "$UETX_OUT/$name.2" >"$UETX_OUT/$name.diff" ||
        fail "$name: live differs: $(head -5 "$UETX_OUT/$name.diff")"
done
exit $bad
