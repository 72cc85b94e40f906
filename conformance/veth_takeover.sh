#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# veth_takeover.sh BIN SOURCE: `run --jobs` over veth at two FEPs whose upper testers outlive a restart, and of which
# the processes die: others connect anew and go on, and no test is lost. Ctrl-C ends the run in good order.
# 77 (skip, reason told) where the system allows no network namespace.
set -u
bin=$1 source=$2

. "$source/conformance/feps.sh"
on_cables 2 "$0" "$bin" "$source"
own_folder

for n in 1 2; do
    cable=$UET_IF_B
    [ $n -eq 1 ] || cable=${UET_IF_B}2
    start_fep $n uetfep --port "$cable" --address "192.0.2.$n" --control "unix:$dir/$n.sock" --payload-mtu 4096 --bare
done

# fep_yaml RESTART: what each FEP is restarted by, before every test; "": by nothing
fep_yaml() {
    cat <<YAML
address: 192.0.2.1
tester: [192.0.2.11, 192.0.2.12]
port: {interface: $UET_IF_A}
control: $dir/1.sock
${1:+restart: $1}
${1:+restart_each_test: true}
alike:
  - address: 192.0.2.2
    tester: [192.0.2.13, 192.0.2.14]
    port: {interface: ${UET_IF_A}2}
    control: $dir/2.sock
    ${1:+restart: $1}
YAML
}

# begin: the run; returns when a test was done, its process is $run.
begin() {
    rm -f "$dir/run.json" "$dir/run.jsonl"
    "$bin/uetconform" run --fep "$dir/fep.yaml" --slow 10 --depth smoke --test "pds.3.5.8.2.*" --jobs 2 --quiet \
        --json "$dir/run.json" >"$dir/out" 2>&1 &
    run=$!
    until grep -q '"id":"pds' "$dir/run.jsonl" 2>/dev/null; do
        kill -0 "$run" 2>/dev/null || return
        sleep 0.02
    done
}

# workers: the two processes that run the tests. Linux does not promise that its list is whole at the first look.
workers() {
    tries=0
    until set -- $(cat "/proc/$run/task/$run/children") && [ $# -eq 2 ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 50 ] || break
        sleep 0.01
    done
    echo "$@"
}

fep_yaml 'true' >"$dir/fep.yaml"
begin
wait "$run" || fail "a restart at each test: exit status $?"

fep_yaml '' >"$dir/fep.yaml"
begin
at_work=$(workers)
for worker in $at_work; do
    kill -KILL "$worker" || fail "process $worker cannot be killed"
done
wait "$run" || fail "processes that die: exit status $?"
[ "$(grep -c 'died (signal 9): another goes on' "$dir/out")" -eq 2 ] ||
    fail "two processes died ($at_work), and it is not told"

begin
kill -INT "$run"
wait "$run"
status=$?
[ "$status" -eq 130 ] || fail "Ctrl-C: exit status $status"
grep -q '"complete": false' "$dir/run.json" || fail "Ctrl-C: the report says that it is complete"
exit $bad
