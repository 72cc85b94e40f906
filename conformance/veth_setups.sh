#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# veth_setups.sh BIN SOURCE [--sealed] [OPTION...]: one fep.yaml with `setups`, over a veth pair: the FEP over
# UDP on IPv4, on IPv6 without CRC trailers, and over native IP, each a uetfep with an upper tester
# of its own; over native IPv6 the IPv6 one's tester addresses lend their port. Each set-up must get
# points that pass; the options go to `uetconform run`. --sealed: all of it under one key file, where
# each FEP has a floor of Start_PSN of its own. 77 (skip, reason told) where the system
# allows no network namespace.
set -eu
bin=$1 source=$2
shift 2

. "$source/conformance/feps.sh"
on_cables 1 "$0" "$bin" "$source" "$@"
own_folder

# fep NAME OPTION...: a FEP that is ready.
fep() {
    name=$1
    shift
    start_fep "$name" uetfep --port "$UET_IF_B" --control "unix:$dir/$name.sock" --bare "$@"
}

protect='--protect crc' seal='' says=crc others=none security=
if [ "${1:-}" = --sealed ]; then
    shift
    "$bin/uetkeys" new "$dir/keys"
    protect='' seal="--keys $dir/keys --used none" says=tss others=tss security='security: {keys: keys}'
fi
# shellcheck disable=SC2086
{
    fep udp --address 192.0.2.1 --payload-mtu 4096 $protect $seal
    fep ipv6 --address 2001:db8::1 --payload-mtu 1024 $seal
    fep native --address 192.0.2.2 --payload-mtu 2048 --encapsulation native $seal
}
cat >"$dir/fep.yaml" <<YAML
name: uetfep in three set-ups
address: 192.0.2.1
tester: [192.0.2.67, 192.0.2.12]
port: {interface: $UET_IF_A}
control: $dir/udp.sock
protect: $says
$security
parameters: {max-pdcs: 64}
setups:
  ipv6: {address: "2001:db8::1", tester: ["2001:db8::11", "2001:db8::12"], control: $dir/ipv6.sock,
         protect: $others, payload_mtu: 1024}
  native: {address: 192.0.2.2, control: $dir/native.sock, protect: $others, payload_mtu: 2048}
YAML
status=0
"$bin/uetconform" run --fep "$dir/fep.yaml" --json "$dir/report.json" "$@" || status=$?
for place in ipv6 native; do
    n=$(grep -cE "^ *\"([^\"]*,)?$place\",?$" "$dir/report.json" || true)
    if [ "$n" -lt 3 ]; then # a test has little time for its points over a real link
        echo "veth_setups.sh: only $n points at $place" >&2
        status=1
    fi
done
# The stranger of the first set-up would be 192.0.2.2, whom another has.
if ! grep -q '"strangers": "192.0.2.2, from which they would speak, is not free"' "$dir/report.json"; then
    echo "veth_setups.sh: nobody says that the stranger's address is taken" >&2
    status=1
fi
[ -z "${UET_REPORT:-}" ] || cp "$dir/report.json" "$UET_REPORT"
exit "$status"
