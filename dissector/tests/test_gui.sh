#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What Wireshark's main window shows and tshark does not, by gui.c: the window of a followed PDC,
# filters and colours of conversations, what the rows of its tables filter.
. "$(dirname "$0")/lib.sh"
follow=$(capture follow) && unordered=$(capture unordered) || exit 2
gui() { HOME=/nonexistent ASAN_OPTIONS=detect_leaks=0 "$UETX_TOOLS/gui" "$@" || fail "gui $*"; }

# By PSN, each byte once: A to E forward, 1 2 and, from an ACK, 9 back.
cat >"$UETX_OUT/want" <<'END'
Analyze > Follow > UETX > PDC of this packet
== Follow PDC 0 (uetx.stream == 0)
PDC 0, IPDCID 0x1001, TPDCID 0x2001
What was captured of it, by PSN, each byte once,
from the initiator 192.0.2.1: 20 bytes,
    from the target 192.0.2.2: 12 bytes

00000000 41414141                             AAAA
00000004 42424242                             BBBB
00000008 43434343                             CCCC
0000000c 44444444                             DDDD
00000010 45454545                             EEEE
    00000000 31313131                             1111
    00000004 32323232                             2222
    00000008 39393939                             9999
END
expect "the window of a PDC" "$(cat "$UETX_OUT/want")" "$(gui "$follow" 3 follow)"

# RUDI has no PDC; nor has it when no packet is selected.
for frame in 1 0; do
    expect "frame $frame has no PDC" "== Follow a PDC
No packet of a PDC is selected: select one and try again." "$(gui "$unordered" "$frame" follow | tail -n +2)"
done

stream=$(capture stream) || exit 2
expect "filters of a NACK" "UETX PDC: uetx.stream == 0
UETX job: uetx.ses.job_id == 1
UETX FEPs: uetx && ip.addr == 192.0.2.2 && ip.addr == 192.0.2.1
colour: uetx.stream == 0" "$(gui "$stream" 9 filters)"
expect "filters without a PDC" "UETX job: uetx.ses.job_id == 7
UETX FEPs: uetx && ip.addr == 192.0.2.1 && ip.addr == 192.0.2.2
colour: (ip.addr eq 192.0.2.1 and ip.addr eq 192.0.2.2) and (udp.port eq 16962 and udp.port eq 4793)" \
    "$(gui "$unordered" 1 filters)"

expect "rows and their filters" "uetx: 192.0.2.1 0, 192.0.2.2 0
    ip.addr==192.0.2.1 && ip.addr==192.0.2.2
    ip.dst==192.0.2.1 && ip.src==192.0.2.2
    ip.addr==192.0.2.1
    ip.addr==192.0.2.2
uetx_pdc: 192.0.2.1 0, 192.0.2.2 0
    ip.addr==192.0.2.1 && uetx.stream==0 && ip.addr==192.0.2.2 && uetx.stream==0
    ip.dst==192.0.2.1 && uetx.stream==0 && ip.src==192.0.2.2 && uetx.stream==0
uetx_pdc: 192.0.2.1 1, 192.0.2.2 1
    ip.addr==192.0.2.1 && uetx.stream==1 && ip.addr==192.0.2.2 && uetx.stream==1
    ip.dst==192.0.2.1 && uetx.stream==1 && ip.src==192.0.2.2 && uetx.stream==1
    ip.addr==192.0.2.1 && uetx.stream==0
    ip.addr==192.0.2.2 && uetx.stream==0
    ip.addr==192.0.2.1 && uetx.stream==1
    ip.addr==192.0.2.2 && uetx.stream==1
uetx_job: 192.0.2.1 1, 192.0.2.2 1
    ip.addr==192.0.2.1 && uetx.ses.job_id==1 && ip.addr==192.0.2.2 && uetx.ses.job_id==1
    ip.dst==192.0.2.1 && uetx.ses.job_id==1 && ip.src==192.0.2.2 && uetx.ses.job_id==1
    ip.addr==192.0.2.1 && uetx.ses.job_id==1
    ip.addr==192.0.2.2 && uetx.ses.job_id==1" "$(gui "$stream" 1 tables)"
exit $bad
