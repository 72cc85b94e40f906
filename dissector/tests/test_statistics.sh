#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Statistics of stream.hex, counted by hand; what is exported and followed.
. "$(dirname "$0")/lib.sh"
. "$here/keys.sh"
stream=$(capture stream) && message=$(capture message) && tss=$(capture tss) || exit 2
statistic() { uetx -q -r "$1" -z "$2" | sed 's/  */ /g; s/ $//'; }

# counter NAME COUNT
counter() {
    grep -q "^ *$1 $2 " "$UETX_OUT/tree" || fail "counter '$1': expected $2, tshark:
$(grep "$1" "$UETX_OUT/tree")"
}
statistic "$stream" uetx,tree >"$UETX_OUT/tree"
counter "Packets by PDS type" 19
counter RUD_REQ 10
counter ACK 7
counter "Requests by SES opcode" 10
counter "Responses by SES return code" 6
counter UET_TRIMMED 1
counter CLOSE_COMMAND 1
counter opened 1
counter closed 1
counter "packet after the close" 1
counter "captured before" 2
counter retransmission 1
counter "retransmission of what was acknowledged" 1
counter "sent again without flags.retx" 1
counter "after a gap" 1
counter "out of order" 1
counter "stale CACK_PSN" 1
counter PDS-202 1

# The same menu, Statistics > UET, has the PDCs and the times: counted by hand below as tables.
statistic "$stream" uetx_pdcs,tree >"$UETX_OUT/tree"
expect "PDCs of the tree" 2 "$(grep -c '0x[0-9a-f]* > 192.0.2.2' "$UETX_OUT/tree")"
counter "0: 192.0.2.1 0x1001 > 192.0.2.2" 16
counter "Packets back" 6
counter Bytes 36
statistic "$stream" uetx_times,tree >"$UETX_OUT/tree"
grep -q 'to its ACK 5 2000.0* 1000.0* 5000.0* ' "$UETX_OUT/tree" || fail "times: $(cat "$UETX_OUT/tree")"

# One of most forms: what has no PDC is counted by its type, its opcode and its NACK all the same.
forms=$(capture forms) || exit 2
statistic "$forms" uetx,tree >"$UETX_OUT/tree"
counter "Packets by PDS type" 25 # without -d ip.proto the two native ones are not UET
counter RUDI_REQ 1
counter RUDI_RESP 1
counter UUD_REQ 1
counter ACK_CCX 2
counter NACK_CCX 2
counter ROD_CC_REQ 2
counter UET_DATAGRAM_SEND 1
counter UET_DEFERRABLE_RTR 1
counter "NACKs by code" 3
counter UET_TRIMMED_LASTHOP 1
counter trimmed 2
unordered=$(capture unordered) || exit 2
expect "no PDC for RUDI and UUD" 0 "$(statistic "$unordered" uetx,pdc | grep -c '^[0-9]')"

# Packets 1 3 4 5 7 8 10 15 17 19 forward with 4 bytes each but the close; 2 6 9 11 12 18 back.
expect "PDC 0" \
    "0 |192.0.2.1 |192.0.2.2 |0x1001 |0x2001 |RUD |closed |10 |6 |36 |0 |3 |1 |1 |5 |1000.0 |2000.0 |5000.0 |" \
    "$(statistic "$stream" uetx,pdc | grep '^0 ')"
expect "PDC 1" \
    "1 |192.0.2.1 |192.0.2.2 |0x3001 |0x4001 |RUD |open |1 |0 |4 |0 |0 |0 |0 |0 |0.0 |0.0 |0.0 |" \
    "$(statistic "$stream" uetx,pdc | grep '^1 ')"
expect "PDCs through a filter" "" "$(statistic "$stream" 'uetx,pdc,uetx.stream==1' | grep '^0 ')"

# Messages 1 4 5 3 took 1 2 3 7 ms; the ACKs of requests 1 2 1 5 ms, that of the close 1 ms.
statistic "$stream" uetx,srt >"$UETX_OUT/srt"
expect "response times" " 1 UET_WRITE 4 0.001000 0.007000 0.003250 0.013000" \
    "$(grep UET_WRITE "$UETX_OUT/srt")"
expect "ACK times" " 2 RUD_REQ 4 0.001000 0.005000 0.002250 0.009000" \
    "$(grep RUD_REQ "$UETX_OUT/srt")"
expect "ACK times of Control Packets" " 11 CP 1 0.001000 0.001000 0.001000 0.001000" \
    "$(grep ' CP ' "$UETX_OUT/srt")"

# The bytes of a PDC, each once: the message of 2440 bytes in the order of capture, two of 18
# and the packets of one that overlap.
uetx -q -r "$message" -z follow,uetx,raw,0 | sed -n '/^Node 1/,$p' | grep -E '^[0-9a-f]+$' |
    tr -d '\n' >"$UETX_OUT/followed"
expect "bytes of the PDC" $((2 * (2440 + 18 + 18 + 2 * 1024))) "$(wc -c <"$UETX_OUT/followed" | tr -d ' ')"
grep -q '^474554202f6120' "$UETX_OUT/followed" || fail "the first bytes are not GET /a"
expect "other PDCs" "" \
    "$(uetx -q -r "$message" -z follow,uetx,raw,1 | sed -n '/^Node 1/,$p' | grep -E '^[0-9a-f]+$')"

# Captured in another order than sent, sent again, cut short: by PSN, each byte once.
follow=$(capture follow) || exit 2
expect "bytes by PSN" "41414141 42424242 43434343 44444444 45454545 31313131 32323232 39393939" \
    "$(uetx -q -r "$follow" -z follow,uetx,raw,0 | sed -n '/^Node 1/,$p' | tr -d '\t' |
        grep -E '^[0-9a-f]+$' | paste -sd' ')"

# Who talks to whom. Of the 19 frames two are the same captured again. PDC 0: 9 WRITEs of 102 bytes and a
# Close Command of 58; 4 ACKs with a response, 66, one without, 54, a NACK, 58. The job: 10 WRITEs,
# the 4 responses, and the NACK by what it answers.
statistic "$stream" conv,uetx >"$UETX_OUT/conv"
expect "pair of FEPs" "192.0.2.1 <-> 192.0.2.2 6 376 bytes 11 1078 bytes 17 1454 bytes 0.000000000 0.0180" \
    "$(grep '<->' "$UETX_OUT/conv")"
expect "PDCs" "192.0.2.1 0x1001 <-> 192.0.2.2 0x2001 6 376 bytes 10 976 bytes 16 1352 bytes 0.000000000 0.0180
192.0.2.1 0x3001 <-> 192.0.2.2 0x4001 0 0 bytes 1 102 bytes 1 102 bytes 0.015000000 0.0000" \
    "$(statistic "$stream" conv,uetx_pdc | grep '<->')"
expect "jobs" "192.0.2.1 job 1 <-> 192.0.2.2 job 1 5 322 bytes 10 1020 bytes 15 1342 bytes 0.000000000 0.0180" \
    "$(statistic "$stream" conv,uetx_job | grep '<->')"
expect "FEPs" "192.0.2.1 17 1454 11 1078 6 376
192.0.2.2 17 1454 6 376 11 1078" "$(statistic "$stream" endpoints,uetx | grep '^192')"
expect "ends of PDCs" "192.0.2.1 0x1001 16 1352 10 976 6 376
192.0.2.2 0x2001 16 1352 6 376 10 976
192.0.2.1 0x3001 1 102 1 102 0 0
192.0.2.2 0x4001 1 102 0 0 1 102" "$(statistic "$stream" endpoints,uetx_pdc | grep '^192')"
expect "FEPs of jobs" "192.0.2.1 job 1 15 1342 10 1020 5 322
192.0.2.2 job 1 15 1342 5 322 10 1020" "$(statistic "$stream" endpoints,uetx_job | grep '^192')"
expect "no PDC, but a job" "192.0.2.1 job 7 <-> 192.0.2.2 job 7" \
    "$(statistic "$unordered" conv,uetx_job | grep -o '^192.*job 7 ' | sed 's/ $//')"
expect "RUDI and UUD have no PDC" 0 "$(statistic "$unordered" conv,uetx_pdc | grep -c '<->')"

# Arrows: what they say, and the PDC at their ends.
arrows() {
    statistic "$1" flow,uetx,standard | sed -n 's/^|[0-9.]* | \([^|]*[^| ]\) *|.*/\1/p' | paste -sd,
}
expect "arrows" "0x00000100 WRITE,0x00000100 ACK,0x00000101 WRITE,0x00000103 WRITE,0x00000102 WRITE,\
0x00000103 ACK,0x00000102 WRITE ret,0x00000104 WRITE,0x00000104 TRIMMED,0x00000104 WRITE ret,\
0x00000104 ACK,0x00000102 ACK,0x00000104 WRITE,0x00009000 WRITE,0x00000105 CLOSE_COM,\
0x00000105 ACK,0x00000106 WRITE" "$(arrows "$stream")"
expect "ends of arrows" " 1 | |(1) ------------------> (1) |" \
    "$(statistic "$stream" flow,uetx,standard | grep '(1)' | sort | uniq -c | tr -s ' ')"

# Messages as files, each once: the data of the reads, what was written and sent.
reads=$(capture reads) || exit 2
objects=$UETX_OUT/objects
rm -rf "$objects" && mkdir -p "$objects" && chmod 777 "$objects"
uetx -Q -r "$reads" --export-objects "uetx,$objects" || fail "--export-objects failed"
expect "messages of the reads" \
    "frame13_READ_DATA_job7_ri9.bin frame16_READ_DATA_job7_ri9.bin frame4_READ_DATA_job7_ri9.bin frame7_READ_DATA_job7_ri9.bin frame8_FETCHING_ATOMIC_job7_ri9.bin frame9_READ_DATA_job7_ri9.bin " \
    "$(ls "$objects" | LC_ALL=C sort | tr '\n' ' ')"
expect "bytes of a read" "0102030405060708" \
    "$(od -An -tx1 "$objects/frame4_READ_DATA_job7_ri9.bin" | tr -d ' ')"
statistic "$reads" uetx,srt >"$UETX_OUT/srt.reads"
expect "reads" " 2 UET_READ 4 0.000100 0.000300 0.000200 0.000800" "$(grep UET_READ "$UETX_OUT/srt.reads")"
expect "fetching atomics" " 4 UET_FETCHING_ATOMIC 1 0.000400 0.000400 0.000400 0.000400" \
    "$(grep UET_FETCHING "$UETX_OUT/srt.reads")"

# What ends a message counts once: an error response to each packet, but not a NACK.
answers=$(capture answers) || exit 2
statistic "$answers" uetx,srt >"$UETX_OUT/srt.answers"
expect "answered SENDs" " 5 UET_SEND 2 0.003000 0.003000 0.003000 0.006000" "$(grep UET_SEND "$UETX_OUT/srt.answers")"
expect "failed WRITEs" " 1 UET_WRITE 2 0.001000 0.002000 0.001500 0.003000" "$(grep UET_WRITE "$UETX_OUT/srt.answers")"
expect "what failed them" "(RC_BAD_MKEY) (RC_AT_OUT_OF_RANGE) (RC_AT_PERM) (UET_GTD_RESP_UNAVAIL) (the PDC)" \
    "$(uetx -2 -r "$answers" -V | sed -n 's/.*\[failed in: [0-9]* \(.*\)\]/\1/p' | uniq | paste -sd' ')"

# A message whose first packet was trimmed is whole with the retransmission, and its PDC is open.
mended=$(capture mended) || exit 2
rm -rf "$objects" && mkdir -p "$objects" && chmod 777 "$objects"
uetx -Q -r "$mended" --export-objects "uetx,$objects" || fail "--export-objects failed"
expect "a mended message" "frame4_SEND_job7_ri9.bin" "$(ls "$objects")"
expect "its bytes" "0102030405060708" \
    "$(od -An -tx1 "$objects/frame4_SEND_job7_ri9.bin" | tr -d ' ')"
expect "its PDC" "0 |192.0.2.1 |192.0.2.2 |0x1001 |0x2001 |RUD |open |4 |2 |12 |" \
    "$(statistic "$mended" uetx,pdc | grep '^0 ' | cut -d'|' -f1-10)|"

# A mirror that cut the payload left nothing to save.
mirror=$(capture mirror) || exit 2
rm -rf "$objects" && mkdir -p "$objects" && chmod 777 "$objects"
uetx -Q -r "$mirror" --export-objects "uetx,$objects" || fail "--export-objects failed"
expect "nothing whole" "" "$(ls "$objects")"

# Secured packets saved in clear need no key any more.
with_rows -r "$tss" -U UETX -w "$UETX_OUT/clear.pcapng" >/dev/null 2>&1 || fail "-U UETX failed"
expect "packets in clear" 17 "$(uetx -r "$UETX_OUT/clear.pcapng" -T fields -e uetx.pds.psn |
    grep -c 0x00012345)"
expect "no key was needed" 0 "$(uetx -r "$UETX_OUT/clear.pcapng" -Y uetx.tss -T fields -e frame.number |
    grep -c .)"
exit $bad
