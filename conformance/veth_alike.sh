#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# veth_alike.sh BIN SOURCE: `alike` of fep.yaml and `run --jobs` over veth: three FEPs share the tests out, each is
# asked, and the results are those of one; what becomes of the run when one of them is lost, or is another product.
# 77 (skip, reason told) where the system allows no network namespace.
set -u
bin=$1 source=$2

. "$source/conformance/feps.sh"
on_cables 3 "$0" "$bin" "$source"
own_folder

# start N [PROGRAM [OPTION...]]: the FEP at that cable; its process is $fep.
start() {
    at=$1 program=${2:-uetfep}
    shift
    [ $# -eq 0 ] || shift
    n=$at
    [ "$n" -gt 1 ] || n=
    start_fep "$at" "$program" --port "$UET_IF_B$n" --address "192.0.2.$at" --control "unix:$dir/$at.sock" \
        --payload-mtu 4096 --stats --bare "$@"
}

# fep_yaml NAME: of three FEPs, the first of that name; "": as it says itself
fep_yaml() {
    cat <<YAML
${1:+name: $1}
address: 192.0.2.1
tester: [192.0.2.11, 192.0.2.12]
port: {interface: $UET_IF_A}
control: $dir/1.sock
alike:
  - {address: 192.0.2.2, tester: [192.0.2.13, 192.0.2.14], port: {interface: ${UET_IF_A}2}, control: $dir/2.sock}
  - {address: 192.0.2.3, tester: [192.0.2.15, 192.0.2.16], port: {interface: ${UET_IF_A}3}, control: $dir/3.sock}
YAML
}

run() {
    "$bin/uetconform" run --fep "$dir/fep.yaml" --slow 10 --depth smoke --test "pds.3.5.8.2.[l-r]*" "$@"
}

# Results by id and verdict, in order.
results() { awk -F'"' '/^   "id": / { id = $4 } /^   "verdict": / { print id, $4 }' "$1"; }

fep_yaml '' >"$dir/fep.yaml"
start 1 && start 2 && start 3
third=$fep
run --json "$dir/one.json" --quiet >"$dir/one.out" 2>&1 || { fail "one FEP: exit status $?"; cat "$dir/one.out"; }
run --json "$dir/three.json" --quiet --jobs 3 >"$dir/three.out" 2>&1 ||
    { fail "three FEPs: exit status $?"; cat "$dir/three.out"; }
results "$dir/one.json" >"$dir/one"
results "$dir/three.json" >"$dir/three"
[ -s "$dir/one" ] && cmp "$dir/one" "$dir/three" || fail "three FEPs come to other results than one"
grep -q '"FEP 3": "192.0.2.3 at uet-a3, upper tester' "$dir/three.json" || fail "the report does not name FEP 3"
grep -q '`alike` of fep.yaml: 1 of 3 FEPs are used' "$dir/one.out" || fail "one FEP: who is not used is not told"
grep -q 'FEPs are used' "$dir/three.out" && fail "three FEPs: one is said not to be used"
grep -q '"FEP 2"' "$dir/one.json" && fail "the report of one FEP names two"
run --jobs 4 >"$dir/four.out" 2>&1
[ $? -eq 2 ] && grep -q "tells of 3" "$dir/four.out" || { fail "--jobs 4"; cat "$dir/four.out"; }

# The third is lost: its tests are not run, those of the others are.
(
    until grep -q '"id":"pds' "$dir/lost.jsonl" 2>/dev/null; do
        sleep 0.05
        kill -0 "$third" || exit
    done
    kill "$third"
) &
killer=$!
run --json "$dir/lost.json" --jobs 3 --quiet >"$dir/lost.out" 2>&1
[ $? -eq 1 ] || fail "a lost FEP: exit status $?, not 1"
wait "$killer"
stop_fep "$third"
grep -q '192.0.2.3: the ' "$dir/lost.json" || { fail "the report does not say which FEP is lost"; cat "$dir/lost.out"; }
grep -q '"complete": false' "$dir/lost.json" || fail "a lost FEP: the report says that it is complete"
lost=$(results "$dir/lost.json" | grep -c ' pass$')
all=$(grep -c ' pass$' "$dir/one")
[ "$lost" -lt "$all" ] && [ "$lost" -ge $((all / 2)) ] || fail "a lost FEP of three: $lost of $all tests passed"
start 3
run --resume "$dir/lost.json" --json "$dir/lost.json" --jobs 3 --quiet >"$dir/again.out" 2>&1
status=$?
# The test in whose midst it was lost may have failed for that: a verdict is kept, and not run again.
spoilt=$(grep -cE '"message":.*(the upper tester was lost in this test|the FEP was no longer there after it)' "$dir/lost.json")
[ "$status" -eq 0 ] || [ "$spoilt" -eq 1 ] || { fail "--resume: exit status $status"; cat "$dir/again.out"; }
sort "$dir/one" >"$dir/one.sorted"
others=$(results "$dir/lost.json" | sort | comm -3 - "$dir/one.sorted" | wc -l)
[ "$others" -le $((2 * spoilt)) ] || fail "--resume comes to other results"

# Each was asked, the third by the run that was resumed.
for one in $alive; do
    stop_fep "$one"
done
for n in 1 2 3; do
    count=$(awk '$1 == "frames_in" { print $2 }' "$dir/$n.log")
    [ "${count:-0}" -gt 0 ] || { fail "FEP $n got no packet"; cat "$dir/$n.log"; }
done

# not_alike TEXT [PROGRAM [OPTION...]]: such a third FEP ends the run before its first test.
not_alike() {
    text=$1
    shift
    start 3 "$@"
    run --jobs 3 >"$dir/other.out" 2>&1
    [ $? -eq 2 ] && grep -q "entry 2 of 'alike' is not like the first FEP: .*$text" "$dir/other.out" ||
        { fail "another FEP ($*)"; cat "$dir/other.out"; }
    stop_fep "$fep"
}
fep_yaml some-name >"$dir/fep.yaml" # which says nothing of the others
start 1 && start 2
not_alike 'params: RTO_Init_Time' uetfep --param RTO_Init_Time=7000000
not_alike 'violations: ' uetfep-bent
exit $bad
