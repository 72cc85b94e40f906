#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# quick.sh BIN SOURCE: `uetconform quick` against uetfep over a veth pair: each way in which its packets
# may be wrapped is found out, and nothing fails; a FEP that is not there; what is typed wrong.
set -u
bin=$1 source=$2

. "$source/conformance/feps.sh"
on_cables 1 "$0" "$bin" "$source"
own_folder

# start OPTION...: a FEP that is ready.
start() {
    start_fep fep uetfep --port "$UET_IF_B" "$@"
}

stop() {
    stop_fep "$fep"
}

# quick STATUS WORDS OPTION...: its exit status, and a line on standard error.
quick() {
    want=$1 words=$2
    shift 2
    status=0
    "$bin/uetconform" quick --interface "$UET_IF_A" "$@" >"$dir/out" 2>"$dir/err" || status=$?
    [ "$status" -eq "$want" ] || { fail "quick $*: exit status $status, not $want"; tail -n 9 "$dir/err"; }
    grep -F -q -e "$words" "$dir/err" || { fail "quick $*: does not say: $words"; cat "$dir/err"; }
}

# passes N: so many tests passed at least.
passes() {
    n=$(sed -n 's/^\([0-9]*\) of \([0-9]*\) that ran passed$/\1 \2/p' "$dir/out")
    [ "${n% *}" = "${n#* }" ] && [ "${n% *}" -ge "$1" ] || fail "passed of ran: '$n', not $1"
}

all="it does no-op, rod, cp-noop, probe, ack-cc"
start --address 192.0.2.1
quick 0 "192.0.2.1 answers over UDP, without CRC trailers; $all" --address 192.0.2.1 --save "$dir/a.yaml"
passes 100
# The file that it leaves is one to begin from, and is not overwritten.
"$bin/uetconform" plan --fep "$dir/a.yaml" >"$dir/plan" || fail "plan of the saved file"
# ... and what it plans is what has run.
planned=$(sed -n 's/^\([0-9]*\) of [0-9]* tests will run.*/\1/p' "$dir/plan")
[ "$planned" = "${n#* }" ] || fail "planned: '$planned', ran: '${n#* }'"
quick 2 "choose another name" --address 192.0.2.1 --save "$dir/a.yaml" --quiet
stop

start --address fd00::1 --protect crc --crc-order little
# Such trailers are not what 3.5.25 says: the run fails, as it should.
quick 1 "fd00::1 answers over UDP, with little-endian CRC trailers; $all" --address fd00::1 --quiet
stop
start --address 192.0.2.250 --protect crc --encapsulation native
quick 0 "192.0.2.250 answers over native IP, with CRC trailers; $all" --address 192.0.2.250 \
    --json "$dir/r.json"
passes 100
grep -q '"complete": true' "$dir/r.json" || fail "no report"
quick 1 "192.0.2.3 does not answer ARP" --address 192.0.2.3 --tester 192.0.2.11
quick 2 "--tester: give one or two" --address 192.0.2.3 --tester 192.0.2.11,here
quick 2 "'here' is no IP address" --address here
quick 2 "--address is missing"
quick 2 "--depth" --address 192.0.2.250 --depth deepest
stop

# ---- sealed, by a key file ----
(umask 077 && printf 'UET_SD sdi=7 an=0 mode=cluster key=%064d\n' 7 >"$dir/keys")
(umask 077 && printf 'UET_SD sdi=7 an=0 mode=cluster key=%064d\n' 8 >"$dir/others")
start --address 192.0.2.250 --keys "$dir/keys" --encapsulation native
# A PENDING PDC lives for 5 ms there: a tester that is kept waiting finds a test inconclusive.
"$bin/uetconform" quick --interface "$UET_IF_A" --address 192.0.2.250 --keys "$dir/keys" \
    --save "$dir/sealed.yaml" >"$dir/out" 2>"$dir/err"
grep -Eq "192.0.2.250 answers over native IP, sealed; $all" "$dir/err" || fail "sealed: $(cat "$dir/err")"
grep -Eq '^(fail|error) ' "$dir/out" && fail "sealed: $(grep -E -A9 '^(fail|error) ' "$dir/out")"
n=$(sed -n 's/^\([0-9]*\) of [0-9]* that ran passed.*/\1/p' "$dir/out")
[ "${n:-0}" -ge 100 ] || fail "sealed: passed '$n', not 100"
grep -qx "encapsulation: native" "$dir/sealed.yaml" || fail "sealed: native"
"$bin/uetconform" plan --fep "$dir/sealed.yaml" >"$dir/plan" || fail "plan of the saved file"
quick 1 "answers no NO_OP, over UDP or native IP, sealed by these keys" --address 192.0.2.250 --keys "$dir/others"
stop
quick 2 "the key file has no key of SDI 0x000009" --address 192.0.2.250 --tester 192.0.2.11 --keys "$dir/keys" --sdi 9
quick 2 "--keys: $dir/none: No such file" --address 192.0.2.250 --keys "$dir/none"
quick 2 "--sdi says nothing without --keys" --address 192.0.2.250 --sdi 7
grep -rq 0000000007 "$dir/out" "$dir/err" "$dir/sealed.yaml" && fail "a key is shown"

exit $bad
