#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Filters by name: every name of every enumeration (test_names.c), and in real packets a name finds
# what the number finds.
. "$(dirname "$0")/lib.sh"
HOME=/nonexistent ASAN_OPTIONS=detect_leaks=0 "$UETX_TOOLS/names" || fail "names"

same() { # same CAPTURE NAME-FILTER NUMBER-FILTER: the same packets, at least one
    pcap=$(capture "$1") || exit 2
    by_name=$(uetx -r "$pcap" -T fields -e frame.number -Y "$2" 2>&1)
    by_number=$(uetx -r "$pcap" -T fields -e frame.number -Y "$3" 2>&1)
    [ -n "$by_number" ] || fail "$1: no packet has $3"
    expect "$1: $2" "$by_number" "$by_name"
}
same requests 'uetx.ses.opcode == "UET_WRITE"' 'uetx.ses.opcode == 1'
same requests 'uetx.pds.type == "ROD_REQ"' 'uetx.pds.type == 3'
same reads 'uetx.ses.opcode == "UET_READ"' 'uetx.ses.opcode == 2'
same control 'uetx.pds.ctl_type == "CLOSE_COMMAND"' 'uetx.pds.ctl_type == 4'
same acks 'uetx.ses.return_code == "RC_BAD_MKEY"' 'uetx.ses.return_code == 28'
same control 'uetx.pds.nack_code == "UET_INV_DPDCID"' 'uetx.pds.nack_code == 14'
same forms 'uetx.ses.atomic_opcode == "UET_AMO_CSWAP"' 'uetx.ses.atomic_opcode == 13'
exit $bad
