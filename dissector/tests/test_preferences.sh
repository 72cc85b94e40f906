#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Preferences, Decode As, the heuristic, and a protocol "uet" beside this one.
. "$(dirname "$0")/lib.sh"
wrong=$(capture wrong) && acks=$(capture acks) && link=$(capture link) || exit 2

# info CAPTURE PACKET [options]: protocol and info column of one packet
info() {
    pcap=$1 packet=$2
    shift 2
    uetx -r "$pcap" -Y "frame.number == $packet" -T fields -e _ws.col.Protocol -e _ws.col.Info "$@"
}
# has CAPTURE FILTER [options]: the numbers of the packets that match
has() {
    pcap=$1 filter=$2
    shift 2
    uetx -r "$pcap" -Y "$filter" -T fields -e frame.number "$@" | tr '\n' ' '
}

tab=$(printf '\t')
ack="ACK cack=0x00000010 ack=0x00000010 0x2001>0x1001"
expect "present: a wrong trailer" \
    "UETX${tab}$ack ! CRC-32C wrong at byte 54 [crc bad]" "$(info "$wrong" 1 -o uetx.crc:present)"
expect "present: bad trailers are an error" "1 " \
    "$(has "$wrong" 'uetx.crc32c.bad && frame.number == 1' -o uetx.crc:present)"
expect "present: no room" "3 " "$(has "$wrong" 'uetx.malformed.crc_short' -o uetx.crc:present)"
expect "none: a good trailer is payload" \
    "UETX${tab}$ack +4 bytes" "$(info "$link" 1 -o uetx.crc:none)"
expect "auto: a good trailer" "UETX${tab}$ack [crc ok]" "$(info "$link" 1)"
little=$(has "$link" 'uetx.crc32c.order == "little-endian"')
expect "order auto: one is little-endian" "1" "$(echo "$little" | wc -w)"
expect "order big: that one is wrong" "$little" \
    "$(has "$link" "frame.number == ${little% } && uetx.crc32c.status == 0" \
        -o uetx.crc:present -o uetx.crc_order:big)"
expect "order little: only that one is right" "$little" \
    "$(has "$link" 'uetx.crc32c.status == 1' -o uetx.crc_order:little)"
cut=$(capture cut) || exit 2
expect "present: a trailer that was not captured" "6 " \
    "$(has "$cut" 'uetx.crc32c.status == 2 || frame.number == 6' -o uetx.crc:present)"

# State: off, PSNs relative, where the capture is from, and what is one frame.
stream=$(capture stream) || exit 2
expect "track off" "" "$(has "$stream" uetx.stream -o uetx.track:FALSE)"
expect "relative PSNs" \
    "UETX${tab}NACK UET_TRIMMED psn=+4 0x2001>0x1001" \
    "$(info "$stream" 9 -o uetx.relative_psn:TRUE)"
expect "relative PSNs of an ACK" \
    "UETX${tab}ACK retx cack=+3 ack=+2 0x2001>0x1001 DEFAULT_RESPONSE RC_OK id=3 job=1 mlen=0 [stale CACK 1]" \
    "$(info "$stream" 12 -o uetx.relative_psn:TRUE)"
expect "rules off" "" "$(has "$stream" uetx.violation -o uetx.rules:off)"
expect "in the middle nobody knows whether retx was lost" "19 " "$(has "$stream" uetx.violation)"
expect "one cable: PSN again without retx" "15 " \
    "$(has "$stream" 'uetx.violation == "PDS-058"' -o uetx.rules:both)"
expect "one cable: a PDC of nobody" "16 " \
    "$(has "$stream" 'uetx.analysis && !uetx.stream' -o uetx.rules:both)"
sed 's/3001 4001/3001 2001/' "$here/captures/stream.hex" >"$UETX_OUT/mixed.hex"
"$UETX_TOOLS/hex2pcap" "$UETX_OUT/mixed.hex" "$UETX_OUT/mixed.pcap" || exit 2
expect "one cable: PDCIDs of two PDCs" "16 " \
    "$(has "$UETX_OUT/mixed.pcap" uetx.pdc.mismatch -o uetx.rules:both)"
expect "only a router tells" "14 " "$(has "$stream" uetx.twice -o uetx.twice_us:0)"
expect "everything within 10 ms is one" "13 14 " "$(has "$stream" uetx.twice -o uetx.twice_us:999)"

# DSCP roles: the trimmed packet has 8, the others 0; without its UDP length only the DSCP tells.
expect "no role is known" "" "$(has "$link" uetx.dscp_role)"
expect "a role" "12 " "$(has "$link" 'uetx.dscp_role == "DSCP_TRIMMED"' -o uetx.dscp_trimmed:8,16)"
expect "another role" "12 " "$(has "$link" 'uetx.dscp_role == "DSCP_CONTROL"' \
    -o uetx.dscp_control:46,8)"
sed 's/4242 12b9 0048/4242 12b9 0018/' "$here/captures/link.hex" >"$UETX_OUT/rewritten.hex"
"$UETX_TOOLS/hex2pcap" "$UETX_OUT/rewritten.hex" "$UETX_OUT/rewritten.pcap" || exit 2
rewritten=$UETX_OUT/rewritten.pcap
expect "length rewritten: not known to be trimmed" "12 " \
    "$(has "$rewritten" '!uetx.trimmed && uetx.malformed.ses_short')"
expect "length rewritten: the DSCP tells" "12 " \
    "$(has "$rewritten" 'uetx.trimmed && !_ws.malformed' -o uetx.dscp_trimmed_lasthop:8)"

# Messages: how long a one is put together.
message=$(capture message) || exit 2
expect "2 KiB at most" "1 3 4 " "$(has "$message" uetx.message.over_limit -o uetx.reassemble_kib:2)"
expect "not at all" "" "$(has "$message" uetx.message.packets -o uetx.reassemble_kib:0)"

# Drafts and trials: what cannot be meant otherwise is recognised, the rest is said to be possible.
strange=$(capture strange) || exit 2
expect "drafts, as the specification reads them" \
    "UETX${tab}RUD_REQ psn=0x00050000 0x0006>0x0000 clear=-32768 +30 bytes ! SES header cut short at byte 54" \
    "$(info "$strange" 1 -o uetx.track:FALSE)"
expect "what may be a draft's or a trial's" "1 2 3 4 " "$(has "$strange" uetx.variant)"
expect "a trial's extension as data" 8 \
    "$(uetx -r "$strange" -Y frame.number==4 -T fields -e uetx.payload_length)"
expect "codes of 1.0.3" "5 " "$(has "$strange" uetx.reserved.version)"
expect "codes of 1.0.2" "" "$(has "$strange" uetx.reserved.version -o uetx.spec:1.0.2)"

# UET on port 4794: unknown, by preference, by Decode As, by the heuristic.
sed 's/4242 12b9/4242 12ba/' "$here/captures/acks.hex" >"$UETX_OUT/moved.hex"
"$UETX_TOOLS/hex2pcap" "$UETX_OUT/moved.hex" "$UETX_OUT/moved.pcap" || exit 2
moved=$UETX_OUT/moved.pcap
expect "another port is left alone" "" "$(has "$moved" uetx)"
expect "uetx.udp.port adds a port" "1 2 3 4 5 6 7 8 " "$(has "$moved" uetx -o uetx.udp.port:4794)"
expect "Decode As" "1 2 3 4 5 6 7 8 " "$(has "$moved" uetx -d udp.port==4794,uetx)"
expect "the heuristic is off" "udp${tab}uetx${tab}F" \
    "$(uetx -G heuristic-decodes | grep uetx)"

# An entropy value that is another protocol's port (53) takes the packet away, unless the
# heuristic comes first; 4793 as entropy of something else is not UET.
sed 's/4242 12b9/0035 12b9/' "$here/captures/acks.hex" >"$UETX_OUT/entropy.hex"
"$UETX_TOOLS/hex2pcap" "$UETX_OUT/entropy.hex" "$UETX_OUT/entropy.pcap" || exit 2
entropy=$UETX_OUT/entropy.pcap
expect "the lower port wins in Wireshark" "" "$(has "$entropy" uetx)"
expect "heuristic first" "1 2 3 4 5 6 7 8 " "$(has "$entropy" uetx --enable-heuristic uetx_udp \
    -o udp.try_heuristic_first:TRUE)"
expect "the heuristic wants a good CRC on other ports" "" \
    "$(has "$moved" uetx --enable-heuristic uetx_udp)"

# Beside a "uet" of Wireshark itself.
both=$(tshark_plugins "$UETX_TOOLS/wireshark-both" "$UETX_OUT") || exit 2
expect "both protocols" "uet uetx " "$(tshark_with "$both" -G protocols |
    awk -F '\t' '$3 == "uet" || $3 == "uetx" {print $3}' | sort | tr '\n' ' ')"
expect "Decode As chooses uetx" "UETX" "$(tshark_with "$both" -r "$acks" -c 1 \
    -d udp.port==4793,uetx -T fields -e _ws.col.Protocol)"
exit $bad
