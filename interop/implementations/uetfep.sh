#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetfep.sh [OPTION...]: the reference FEP as an endpoint of `uetinterop run` (docs/interop.md); the
# options go to uetfep. UET_FEP names another program, as uetfep-bent.
set -eu
program=${UET_FEP:-uetfep}
case $UET_ENCAPSULATION in
native) set -- --encapsulation native --ip-protocol "$UET_IP_PROTOCOL" "$@" ;;
udp) ;;
*) exit 127 ;;
esac
# For a network of software: bursts that a relay on a busy machine keeps up with, and resends for as long
# as it takes: 15 and 31 stand for no end (3.5.5).
set -- "$@" --param CC_Window=262144 --param Max_RTO_Retx_Cnt=15 --param Max_NACK_Retx_Cnt=31
rm -f "$UET_SCRATCH/fep.sock"
exec uetinterop drive --control "unix:$UET_SCRATCH/fep.sock" -- "$program" \
    "$@" --port "$UET_INTERFACE" --address "$UET_ADDRESS" --control "unix:$UET_SCRATCH/fep.sock" \
    --spec "$UET_SPEC" --protect "$UET_PROTECT" --payload-mtu "$UET_PAYLOAD_MTU" --seed "$UET_SEED" \
    --dscp-request "$UET_DSCP_REQUEST" --dscp-control "$UET_DSCP_CONTROL" \
    --dscp-trimmed "$UET_DSCP_TRIMMED" --dscp-lasthop "$UET_DSCP_LASTHOP" --bare --stats
