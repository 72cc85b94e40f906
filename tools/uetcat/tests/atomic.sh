#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat atomic over a veth pair on memory of the reference FEP in the other namespace.
#   atomic.sh PATH-OF-UETCAT PATH-OF-UETFEP
# Exit status 77: this system allows no network namespace, or uetfep is not built.
set -u
. "$(dirname "$0")/far.sh"

# want STATUS ARGUMENT...: an atomic from our end; the output goes to $dir/out.
want() {
    status=$1
    shift
    asks "$status" atomic -W 5 "$@"
}

want 2 -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: give the memory key of the region with -k, or with -t the tag of a receive$'
want 2 -k 1 -t 2 -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: give -k, for a region, or -t, for a receive; not both$'
want 2 -k 1 -a xor -S 192.0.2.1 192.0.2.2
has "^uetcat atomic: -a 'xor': there is no such operation \\(did you mean .*LXOR.*\\?\\). Give one of min max sum .* inval$"
want 2 -k 1 -d int -S 192.0.2.1 192.0.2.2
has "^uetcat atomic: -d 'int': there is no such datatype .*\\. Give one of int8 .* fp16$"
want 2 -k 1 -a bor -d float -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: UET_AMO_BOR does not work on UET_TYPE_FLOAT, but on int8 .* uint128$'
want 2 -k 1 -a inval -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: UET_AMO_INVAL does not work on UET_TYPE_UINT64: no public source says '
want 2 -k 1 -a cswap -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: UET_AMO_CSWAP compares: give what, with -C$'
want 2 -k 1 -C 1 -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: UET_AMO_SUM has one operand: leave -C out$'
want 2 -k 1 -x many -S 192.0.2.1 192.0.2.2
has "^uetcat atomic: -x 'many': a UET_TYPE_UINT64 is a whole number that fits, decimal or 0x...$"
want 2 -k 1 -d int8 -x 300 -S 192.0.2.1 192.0.2.2
has "^uetcat atomic: -x '300': a UET_TYPE_INT8 is a whole number with sign that fits"
want 2 -k 1 --valeu 1 -S 192.0.2.1 192.0.2.2

if [ ! -x "$uetfep" ]; then
    [ $failures = 0 ] || exit 1
    echo "skip: no $uetfep" >&2
    exit 77
fi

# uetfep offers memory with key 1, in which byte i is i modulo 256, here: an element in the byte
# order of this host.
far_fep --address 192.0.2.2
printf '\020\021\022\023\024\025\026\027' >"$dir/element"
first=$(od -An -tu8 "$dir/element" | tr -d ' ')
sum=$(od -An -tx8 "$dir/element" | tr -d ' ')

want 0 -k 1 -O 16 -x 1 -S 192.0.2.1 --pcap "$dir/add.pcapng" 192.0.2.2
[ "$(cat "$dir/out")" = "$first 0x$sum" ] || fail "not $first 0x$sum: $(cat "$dir/out")"
want 0 -k 1 -O 16 --amo UET_AMO_SUM --datatype UINT64 -x 0xffffffffffffffff -S 192.0.2.1 192.0.2.2
has "^$((first + 1)) 0x"
want 0 -k 1 -O 16 -S 192.0.2.1 192.0.2.2
has "^$first 0x$sum\$"

# ---- one packet of it, and the old value in the ACK ----
"$uetcat" decode "$dir/add.pcapng" >"$dir/out" || fail "a packet is not well formed"
has '> 192\.0\.2\.1 > 192\.0\.2\.2 RUD_REQ .*FETCHING_ATOMIC .*som eom AMO_SUM UINT64'
has '< 192\.0\.2\.2 > 192\.0\.2\.1 ACK(_CC)? .*RESPONSE_W_DATA RC_OK '
[ "$(grep -c FETCHING_ATOMIC "$dir/out")" = 1 ] || fail "not one request: $(cat "$dir/out")"

# ---- every form of operands: what stands there first, what is done, what stands there then ----
does() { # PLACE TYPE FIRST OLD NEW OPTION...
    place=$1 type=$2 first=$3 old=$4 new=$5
    shift 5
    want 0 -k 1 -O "$place" -d "$type" -a write -x "$first" --plain -S 192.0.2.1 192.0.2.2
    has '^done$'
    want 0 -k 1 -O "$place" -d "$type" "$@" -S 192.0.2.1 192.0.2.2
    has "^$old\$"
    want 0 -k 1 -O "$place" -d "$type" -a read -S 192.0.2.1 192.0.2.2
    has "^$new\$"
}
does 32 int32 -5 '-5 0xfffffffb' '7 0x00000007' -a cswap -C -5 -x 7
does 32 int32 -5 '-5 0xfffffffb' '-5 0xfffffffb' -a CSWAP_GT -C -6 -x 7
does 36 uint16 0xff00 '65280 0xff00' '62000 0xf230' -a mswap -C 0x0ff0 -x 0x1234
does 40 double 1.5 '1.5 0x3ff8000000000000' '-3 0xc008000000000000' -a prod -x -2
does 48 int128 -1 '-1 0xf{32}' '-3 0xf{31}d' -a sum -x -2
does 64 float_complex 1,-2 '1,-2 0x3f800000c0000000' '2,-1 0x40000000bf800000' -x 1,1
does 72 bf16 2 '2 0x4000' '2 0x4000' -a min -x 3
does 74 uint8 200 '200 0xc8' '100 0x64' -a diff -x 100

# ---- checked: what came back and what stands there then, by reading; rate and latency; JSON ----
want 2 -t 1 --check -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: nobody can read a receive: --check goes with -k only$'
want 2 -t 1 -c 2 -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: an atomic ends the receive that its tag finds: -c goes with -k only$'
want 0 -k 1 -O 80 -a write -x 40 --plain --check -S 192.0.2.1 192.0.2.2
has '^done$'
want 0 -k 1 -O 80 -x 2 --check --json -S 192.0.2.1 192.0.2.2
has '^\{"event":"result","operation":"atomic","count":1,"done":1,"length":8,.*"amo":"UET_AMO_SUM","datatype":"UET_TYPE_UINT64","old":"40","old_bits":"0x0000000000000028","check":"same"\}$'
want 0 -k 1 -O 80 -x 3 -c 100 -w 8 --check --crc none --entropy 1-3 -S 192.0.2.1 --pcap "$dir/many.pcapng" 192.0.2.2
has '^100 of 100 x 8 bytes in [0-9.]+ s: [0-9]+/s, [0-9.]+ MB/s$'
has '^latency us: min [0-9.]+, median '
want 0 -k 1 -O 80 -q --rod -S 192.0.2.1 192.0.2.2
[ ! -s "$dir/out" ] || fail "-q prints: $(cat "$dir/out")"
want 0 -k 1 -O 80 -a read -S 192.0.2.1 192.0.2.2
has '^342 0x0000000000000156$'
"$uetcat" decode --json "$dir/many.pcapng" | grep '"direction":"out"' | grep -c '"src_port":[123],' >"$dir/out"
[ "$(cat "$dir/out")" -ge 100 ] || fail "not all on three entropy values: $(cat "$dir/out")"

# ---- on the receive of a tag: here is none ----
want 1 -t 0x8000000000000007 -x 1 -S 192.0.2.1 --pcap "$dir/tag.pcapng" 192.0.2.2
has '^uetcat atomic: the FEP refuses: RC_NO_MATCH$'
"$uetcat" decode "$dir/tag.pcapng" >"$dir/out" || fail "a packet is not well formed"
has 'TSEND_FETCH_ATOMIC .*key=0x8000000000000007 som eom AMO_SUM UINT64'

# ---- what the FEP refuses ----
want 1 -k 1 -O 4 -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: the FEP refuses: RC_AMO_UNALIGNED$'
want 1 -k 2 -S 192.0.2.1 192.0.2.2
has '^uetcat atomic: the FEP refuses: RC_BAD_MKEY$'
want 1 -k 2 --json -S 192.0.2.1 192.0.2.2
has '^\{"event":"result","operation":"atomic","count":1,"done":0,.*"error":"the FEP refuses: RC_BAD_MKEY"'

[ $failures = 0 ] || exit 1
echo "all passed"
