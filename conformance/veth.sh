#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# veth.sh BIN SOURCE [OPTION...]: the suite against uetfep over a veth pair: two processes, two
# network namespaces, AF_PACKET, real time. BIN has the programs, SOURCE is the source tree; the
# options go to `uetconform run`. Exit status: uetconform's; 77 (skip, reason told) where the
# system allows no network namespace.
# With UET_FEPS=N (at most 9) there are so many, each on a cable of its own, and `--jobs N` shares the
# tests out among them.
# With UET_NATIVE=1 both speak native IP with CRC trailers (3.5.10.1, 3.5.25).
# With UET_SECURE=1 all is sealed (3.7), by a key file that both read.
# With UET_VIOLATE=ID the FEP is uetfep-bent, which breaks the rule of that requirement.
# With UET_REPORT=FILE the JSON report is kept there.
# With UETX_PLUGINS (a plugin folder of the dissector) and tshark all that uetfep sent must decode
# without a malformed packet.
set -eu
bin=$1 source=$2
shift 2

feps=${UET_FEPS:-1}
export UET_CABLES="$feps"
if [ -z "${UET_IF_A:-}" ]; then
    exec "$source/port/tests/with-veth" "$0" "$bin" "$source" "$@"
fi

. "$source/conformance/spoilt.sh"
. "$source/conformance/feps.sh"
dir=$(mktemp -d)
program=uetfep
[ -z "${UET_VIOLATE:-}" ] || program="uetfep-bent --violate $UET_VIOLATE"
wrapped='' wrapped_yaml=''
if [ -n "${UET_NATIVE:-}" ]; then
    wrapped='--encapsulation native --ip-protocol 254 --protect crc'
    wrapped_yaml='encapsulation: native
ip_protocol: 254
protect: crc'
fi
if [ -n "${UET_SECURE:-}" ]; then
    # Keys of nobody: they are thrown away with the folder.
    (
        umask 077
        exec >"$dir/keys.txt"
        for slot in '1 an=0' '1 an=1' '2 an=0'; do
            echo "UET_SD sdi=$slot key=$(od -An -vN32 -tx1 /dev/urandom | tr -d ' \n')"
        done
        echo 'UET_DOMAIN sdi=1 start=expected-0rtt'
        echo 'UET_DOMAIN sdi=2 jobs=0x755302 start=random-1rtt'
    )
    wrapped="--keys $dir/keys.txt"
    wrapped_yaml='protect: tss
security: {keys: keys.txt, sdi: 1}'
fi
trap 'stop_feps; rm -rf "$dir"' EXIT

# start N: the FEP at that cable
start() {
    n=$1
    [ "$n" -gt 1 ] || n=
    # shellcheck disable=SC2086
    start_fep "fep$n" $program --port "$UET_IF_B$n" --address "192.0.2.$1" --control "unix:$dir/fep$n.sock" \
        --payload-mtu 4096 --max-pdcs 66 --reserved-pdcs 2 --dscp-trimmed 11 --dscp-lasthop 12 \
        --dscp-request 10 --dscp-control 14 $wrapped --bare
}

cat >"$dir/fep.yaml" <<YAML
name: uetfep over veth
address: 192.0.2.1
tester: [192.0.2.11, 192.0.2.12]
port: {interface: $UET_IF_A}
control: $dir/fep.sock
response_time: 300ms
quiet_time: 5ms
$wrapped_yaml
claims: [rud, no-op, write, write-immediate, read, send, multi-packet-send, generations, probe,
         coalescing, small-header, medium-header, ack-cc, noop-opens, truncation,
         infinite-retries, experimental-nacks, rod, rudi, uud,
         trimming, tail-loss, mpr-zero-override, reserved-pdcs, cp-noop, return-codes, tagged,
         wildcard-tags, msg-error,
         deferral, rendezvous, keeps-unexpected, tagged-atomics, nscc, rccc]
atomics: [sum:i8-f16, fsum:i8-f16, fcswap:i8-u64, fmin:i8-f64, bxor:i8-u128, fmswap:u32-u64]
parameters: {max-pdcs: 64, dscp-trimmed: 11, dscp-trimmed-lasthop: 12, dscp-trimmable: 10,
             dscp-control: 14}
YAML
start 1
[ "$feps" -eq 1 ] || echo 'alike:' >>"$dir/fep.yaml"
for i in $(seq 2 "$feps"); do
    start "$i"
    echo "  - {address: 192.0.2.$i, tester: [192.0.2.$((2 * i + 9)), 192.0.2.$((2 * i + 10))]," \
        "port: {interface: $UET_IF_A$i}, control: $dir/fep$i.sock}" >>"$dir/fep.yaml"
done
[ "$feps" -eq 1 ] || set -- --jobs "$feps" "$@"

report=${UET_REPORT:-$dir/run.json} status=0
"$bin/uetconform" run --fep "$dir/fep.yaml" --pcap-dir "$dir/pcap" --json "$report" "$@" ||
    status=$?
if [ "$status" -eq 1 ] && spoilt "$report" "$bin/uetconform" run --fep "$dir/fep.yaml" "$@"; then
    status=0
fi
for fep in $alive; do
    kill -0 "$fep" 2>/dev/null && continue
    cat "$dir"/fep*.log >&2
    echo "veth.sh: uetfep died" >&2
    status=1
done
[ "$status" -eq 0 ] || exit "$status"

# What the run rests on: somebody must be able to vouch for it.
says() {
    [ ! -s "$report" ] || grep -qF -- "$1" "$report" || {
        echo "veth.sh: the report does not say $1" >&2
        exit 1
    }
}
says "\"interface\": \"$UET_IF_A\""
says "\"path\": \"$(realpath "$dir/fep.yaml")\""
says "\"sha256\": \"$(sha256sum "$dir/fep.yaml" | cut -d' ' -f1)\""
nameless=$(find "$dir/pcap" -name '*.pcapng' -exec grep -LaF -e "$UET_IF_A" {} + | head -1)
[ -z "$nameless" ] || {
    echo "veth.sh: $nameless does not name the interface" >&2
    exit 1
}

uetx() {
    # shellcheck disable=SC2086
    $as_user env HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent \
        WIRESHARK_PLUGIN_DIR="$UETX_PLUGINS" tshark -r "$dir/all.pcapng" "$@" 2>"$dir/tshark.err"
}
if ! [ -d "${UETX_PLUGINS:-/nonexistent}" ] || ! command -v tshark >/dev/null ||
    ! command -v mergecap >/dev/null; then
    echo "tshark or the dissector is missing: the captures were not decoded"
    exit 0
fi
. "$source/cmake/tshark-user.sh"
tshark_user || {
    echo "root, and neither user namespaces nor setpriv: the captures were not decoded"
    exit 0
}
chmod 755 "$dir"
UETX_PLUGINS=$(tshark_plugins "$UETX_PLUGINS" "$dir")
mergecap -a -w "$dir/all.pcapng" "$dir"/pcap/*.pcapng
sent=$(uetx -Y 'ip.src <= 192.0.2.9' | wc -l)
known=$(uetx -Y 'ip.src <= 192.0.2.9 && uetx' | wc -l)
# Captures line up with a switch's log: they are of today.
first=$(uetx -c 1 -T fields -e frame.time_epoch | cut -d. -f1)
[ "$first" ] || {
    echo "veth.sh: tshark reads no packet: $(head -3 "$dir/tshark.err")" >&2
    exit 1
}
age=$(($(date +%s) - first))
if [ "$age" -lt 0 ] || [ "$age" -gt 86400 ]; then
    echo "veth.sh: the captures are $age s old" >&2
    exit 1
fi
malformed=$(uetx -Y 'ip.src <= 192.0.2.9 && _ws.malformed' | wc -l)
echo "tshark: $sent packets of the FEP, $known decoded as UET, $malformed malformed"
if [ "$sent" -eq 0 ] || [ "$known" -ne "$sent" ] || [ "$malformed" -ne 0 ]; then
    head -3 "$dir/tshark.err" >&2
    exit 1
fi
