#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What vendors define goes to who registered for it (vendor.lua): opcodes, CC states, PDS types, and
# payload by resource index. Without it the bytes stay as they are.
. "$(dirname "$0")/lib.sh"
tshark --version | grep -q 'with Lua' || { echo "SKIPPED: tshark without Lua"; exit 77; }
forms=$(capture forms) && strange=$(capture strange) || exit 2
cp "$here/vendor.lua" "$UETX_OUT/vendor.lua" || exit 2
# took CAPTURE [options]: number and bytes of what vendor.lua got
took() {
    pcap=$1
    shift
    uetx -r "$pcap" -d ip.proto==253,uetx -o uetx.track:FALSE -X lua_script:"$UETX_OUT/vendor.lua" \
        -Y acme -T fields -E separator== -e frame.number -e acme.bytes "$@" | tr '\n' ' '
}
# 3, 23: payload for resource index 9 of sends; 1, 24: of RMA; 6: ack_ccx_state; 10: ack_cc_state; 12: NACK_CCX.
expect "states and payload" \
    "1=deadbeef 3=cafe000000000001 6=000102030405060708090a0b0c0d0e0f 10=0102030405060708 12=e123456789abcdef0011223344556677 23=0a0b0c0d 24=0000000000000001 " \
    "$(took "$forms")"
# 4: resource index 9 of sends again; 9: a PDS type of nobody, whole; 10: behind the SES header of opcode 0x30.
expect "type and opcode" "4=0001000202070000 9=7800000000000001 10=76656e64 " "$(took "$strange")"
expect "without a vendor's dissector they are data" "76656e64" \
    "$(uetx -r "$strange" -Y frame.number==10 -T fields -e data.data)"
expect "no vendor took what is reserved" "" \
    "$(took "$forms" | grep -oE '(^| )(8|9|13)=')"
exit $bad
