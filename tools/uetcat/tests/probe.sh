#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat probe over a veth pair: FEPs that differ, a host without one, and nobody.
#   probe.sh PATH-OF-UETCAT PATH-OF-UETFEP
# Exit status 77: this system allows no network namespace, or uetfep is not built.
set -u
. "$(dirname "$0")/far.sh"

# want STATUS ARGUMENT...: a probe from our end; the output goes to $dir/out.
want() {
    status=$1
    shift
    asks "$status" probe "$@"
}

want 2 -S 192.0.2.1
has 'give one address to probe, not 0'
want 2 --crc crc -S 192.0.2.1 192.0.2.2
has '^uetcat probe: --crc is not an option'
want 2 -W 0 -S 192.0.2.1 192.0.2.2
want 2 --udp -S 192.0.2.1 192.0.2.2
has 'this host has no address 192.0.2.1'

if [ ! -x "$uetfep" ]; then
    [ $failures = 0 ] || exit 1
    echo "skip: no $uetfep" >&2
    exit 77
fi

fep_with() { far_fep --address 192.0.2.2 "$@"; }

# ---- nobody, and a host of which no program is a FEP ----
want 1 -W 0.05 -S 192.0.2.1 192.0.2.9
has '^address +ARP or neighbour discovery +no '
has '^No answer: nobody answers ARP or neighbour discovery for the address: '
# shellcheck disable=SC2086
$UET_IN_B ip addr add 192.0.2.3/24 dev "$UET_IF_B"
want 1 -W 0.5 -S 192.0.2.1 192.0.2.3
has '^address +ARP or neighbour discovery +yes '
has '^wrapping +UDP, no CRC +silent +silence$'
has '^No answer: its host says \(ICMP\) that (nobody listens on UDP port 4793 there|it has no such IP protocol)$'
# shellcheck disable=SC2086
$UET_IN_B ip addr del 192.0.2.3/24 dev "$UET_IF_B"

# ---- the reference FEP: what it does, what it refuses and why ----
fep_with
want 0 -W 0.5 -S 192.0.2.1 --pcap "$dir/p.pcapng" 192.0.2.2
has '^wrapping +UDP, no CRC +yes +ACK(_CC)?, RC_OK, [0-9.]+ ms$'
has '^ +native IP, no CRC +silent +silence$'
has '^ +native IP, CRC little-endian +silent +silence$'
has '^mode +RUD: NO_OP +yes '
has '^ +ROD: NO_OP +yes '
has '^ +RUDI: READ +known +RUDI Response, RC_BAD_MKEY, '
has '^opcode +WRITE +known +ACK(_CC)?, RC_BAD_MKEY, '
has '^ +SEND +yes '
has '^ +TAGGED_SEND +known +ACK(_CC)?, RC_NO_MATCH, '
has '^header +small: WRITE +known +ACK(_CC)?, RC_BAD_MKEY, '
has '^ +PROBE +yes '
has '^ +NACK for an unknown PDC +yes +NACK UET_INV_DPDCID, '
has '^ +payload of 8192 bytes +known '
has '^answer +tells a CE mark \(flags.m\) +yes'
has '^ +returns the entropy value +yes'
has '^It answers over UDP, no CRC; the largest payload that was answered has 8192 bytes\.$'
"$uetcat" decode -q "$dir/p.pcapng" >"$dir/out" 2>&1 || fail "a packet is not well formed"
has ' READ small|RUDI_REQ'
# with a key: reads and sums are done, and memory stays as it was
want 0 -W 0.5 -k 1 -S 192.0.2.1 192.0.2.2
has '^ +READ +yes +ACK(_CC)?, RC_OK, '
has '^ +FETCHING_ATOMIC +yes +ACK(_CC)?, RC_OK, '
asks 0 read -k 1 -n 16 -W 1 -S 192.0.2.1 192.0.2.2
has '^00000000  0001 0203 0405 0607 0809 0a0b 0c0d 0e0f '

# ---- another wrapping; JSON ----
fep_with --encapsulation native --protect crc --crc-order little
want 0 -W 0.5 --json -S 192.0.2.1 192.0.2.2
[ "$(wc -l <"$dir/out")" = 1 ] || fail "not one object: $(cat "$dir/out")"
has '"answers": ?true, ?"wrapping": ?"native IP, CRC little-endian", ?"payload": ?8192'
has '"name": ?"UDP, CRC big-endian", ?"verdict": ?"silent", ?"answer": ?"silence"'
has '"name": ?"WRITE", ?"verdict": ?"known", ?"answer": ?"ACK[^"]*", ?"rtt_us": ?[0-9.]+, ?"return_code": ?[0-9]+'

# ---- a FEP that goes without: AI Base has no small headers, atomics and tags ----
fep_with --profile AI-Base --memory 0:0:0:1:64KiB
want 0 -W 0.5 -S 192.0.2.1 192.0.2.2
has '^ +TSEND_ATOMIC +no +ACK(_CC)?, RC_UNSUPPORTED_OP, '
has '^ +RUDI: READ +silent +silence$'
has '^header +small: WRITE +silent +silence$'
has '^ +medium: WRITE +silent +silence$'
has '^mode +RUD: NO_OP +yes '

# ---- UDP of the kernel at one end of a cable, raw sockets at the other ----
# shellcheck disable=SC2154  # UET_IF_A comes from with-veth
ip addr add 192.0.2.1/24 dev "$UET_IF_A"
ip addr add fd00:5ca1::1/64 dev "$UET_IF_A" nodad
# kernel AFTER ARGUMENT...: a write that is read back, over UDP and, with AFTER, with such a CRC
kernel() {
    asks 0 write --udp -k 1 -n 50000 --check -W 1 "$@"
    has '^50000 bytes in '
}
fep_with
kernel 192.0.2.2
want 0 -W 0.5 192.0.2.2
has '^uetcat probe: no -S: over UDP of the kernel, as 192\.0\.2\.1, without '
has '^ +returns the entropy value +yes'
fep_with --protect crc
kernel --crc crc 192.0.2.2
fep_with --address fd00:5ca1::2 --protect crc
kernel --crc crc fd00:5ca1::2
kernel --crc crc -S fd00:5ca1::1 fd00:5ca1::2

[ $failures = 0 ] || exit 1
echo "all passed"
