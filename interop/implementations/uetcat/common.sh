# SPDX-License-Identifier: BSD-2-Clause
# What both scripts share: options of uetcat that say how packets are wrapped and who is who.
unsupported() {
    echo "not supported: $*" >&2
    exit 127
}
[ -z "$UET_PARAMS" ] || unsupported "parameters: $UET_PARAMS"
[ "$UET_KEEP_OPEN" = 0 ] || unsupported "to leave a PDC open"
set -- --interface "$UET_INTERFACE" --source "$UET_ADDRESS" --pid "$UET_PID_ON_FEP" --ri "$UET_RESOURCE_INDEX" \
    --mtu "$UET_PAYLOAD_MTU" --crc "$UET_PROTECT" --encapsulation "$UET_ENCAPSULATION"
[ "$UET_ENCAPSULATION" = udp ] || set -- "$@" --ip-protocol "$UET_IP_PROTOCOL"
