#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat atomic over a veth pair on memory of the reference FEP in the other namespace.
#   atomic.sh PATH-OF-UETCAT PATH-OF-UETFEP
# Exit status 77: this system allows no network namespace, or uetfep is not built.
set -u
uetcat=$1
uetfep=$2
if [ -z "${UET_IF_A:-}" ]; then
    exec "$(dirname "$0")/../../../port/tests/with-veth" "$0" "$@"
fi
dir=$(mktemp -d)
fep=
trap '[ -z "$fep" ] || kill $fep 2>/dev/null; rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAILED: $1" >&2
    failures=$((failures + 1))
}

# want STATUS ARGUMENT...: an atomic from our end; the output goes to $dir/out.
want() {
    status=$1
    shift
    timeout 20 "$uetcat" atomic -I "$UET_IF_A" -W 5 "$@" >"$dir/out" 2>&1
    got=$?
    [ $got = "$status" ] || fail "atomic $*: exit status $got, not $status: $(cat "$dir/out")"
}

has() {
    grep -qE -- "$1" "$dir/out" || fail "no line is like '$1': $(cat "$dir/out")"
}

want 2 -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: give the memory key of the region with -k$'
want 2 -k 1 -a xor -S 192.0.2.1 192.0.2.2
has "^uetcat atomic: -a 'xor': give UET_AMO_SUM; others are not done yet$"
want 2 -k 1 -t int8 -S 192.0.2.1 192.0.2.2
has "^uetcat atomic: -t 'int8': give UET_TYPE_UINT64; others are not done yet$"
want 2 -k 1 -v many -S 192.0.2.1 192.0.2.2
want 2 -k 1 --valeu 1 -S 192.0.2.1 192.0.2.2

if [ ! -x "$uetfep" ]; then
    [ $failures = 0 ] || exit 1
    echo "skip: no $uetfep" >&2
    exit 77
fi

# uetfep offers memory with key 1, in which byte i is i modulo 256, here: an element in the byte
# order of this host.
# shellcheck disable=SC2086,SC2153  # UET_IN_B is a command in several words, from with-veth
$UET_IN_B "$uetfep" --port "$UET_IF_B" --address 192.0.2.2 >"$dir/fep" 2>&1 &
fep=$!
printf '\020\021\022\023\024\025\026\027' >"$dir/element"
first=$(od -An -tu8 "$dir/element" | tr -d ' ')
sum=$(od -An -tx8 "$dir/element" | tr -d ' ')

want 0 -k 1 -O 16 -v 1 -S 192.0.2.1 --pcap "$dir/add.pcapng" 192.0.2.2
[ "$(cat "$dir/out")" = "$first 0x$sum" ] || fail "not $first 0x$sum: $(cat "$dir/out")"
want 0 -k 1 -O 16 --amo UET_AMO_SUM --datatype UINT64 -v 0xffffffffffffffff -S 192.0.2.1 192.0.2.2
has "^$((first + 1)) 0x"
want 0 -k 1 -O 16 -S 192.0.2.1 192.0.2.2
has "^$first 0x$sum\$"

# ---- one packet of it, and the old value in the ACK ----
"$uetcat" decode "$dir/add.pcapng" >"$dir/out" || fail "a packet is not well formed"
has '> 192\.0\.2\.1 > 192\.0\.2\.2 RUD_REQ .*FETCHING_ATOMIC .*som eom AMO_SUM UINT64'
has '< 192\.0\.2\.2 > 192\.0\.2\.1 ACK(_CC)? .*RESPONSE_W_DATA RC_OK '
[ "$(grep -c FETCHING_ATOMIC "$dir/out")" = 1 ] || fail "not one request: $(cat "$dir/out")"

# ---- what the FEP refuses ----
want 1 -k 1 -O 4 -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: the FEP refuses: RC_AMO_UNALIGNED$'
want 1 -k 2 -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: the FEP refuses: RC_BAD_MKEY$'

[ $failures = 0 ] || exit 1
echo "all passed"
