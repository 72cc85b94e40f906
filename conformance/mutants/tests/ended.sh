#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ended.sh BUILD ROOT: when run.sh is ended, all that it has begun ends, also what stands in a process group
# of its own, as what `timeout` runs does.
set -u
build=$1 root=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$root/conformance/mutants/run.sh" "$root/conformance/mutants/smoke.txt" "$dir"
cat >"$dir/one.sh" <<'SH'
echo $$ >>"$3/begun"
timeout 100 sleep 99 &
echo $! >>"$3/begun"
wait
SH

fails=0
for signal in TERM HUP; do
    out=$dir/$signal
    mkdir "$out"
    sh "$dir/run.sh" "$build" "$root" --count 2 --jobs 2 --out "$out" >"$dir/log" 2>&1 &
    run=$!
    tries=0
    until [ "$(cat "$out/begun" 2>/dev/null | wc -l)" -ge 4 ]; do
        tries=$((tries + 1))
        [ $tries -le 600 ] && kill -0 $run 2>/dev/null || { echo "FAIL: begins nothing: $(cat "$dir/log")"; exit 1; }
        sleep 0.1
    done
    sleep 0.2 # timeout has begun its sleep
    mine=$(cat "$out/begun")
    # shellcheck disable=SC2086
    kids=$(for pid in $mine; do cat /proc/$pid/task/$pid/children; done)
    [ "$kids" ] || { echo "FAIL: timeout has begun nothing"; fails=1; }
    kill -$signal $run
    wait $run
    status=$?
    [ $status -ge 129 ] || { echo "FAIL: exit status $status after $signal"; fails=1; }
    for pid in $mine $kids; do
        case $(sed 's/.*) //' /proc/$pid/stat 2>/dev/null) in '' | Z*) continue ;; esac
        echo "FAIL: after $signal process $pid goes on: $(tr '\0' ' ' </proc/$pid/cmdline)"
        kill "$pid"
        fails=1
    done
done
exit $fails
