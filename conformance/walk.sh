#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# walk.sh BIN SOURCE: the commands of docs/upper-tester.md as a vendor types them, in an empty folder that
# looks like a clone: every line that begins with "$ ". All end with 0, but for `ut-check` with libfabric's
# tcp provider, which ends with 1. 77 (skip, reason told) where there is no network namespace.
set -u
bin=$1 source=$2

if [ -z "${UET_IF_A:-}" ]; then
    exec "$source/port/tests/with-veth" -1 "$0" "$bin" "$source"
fi
[ -x "$bin/ut-libfabric" ] || { echo "skip: no ut-libfabric was built"; exit 77; }
ip link set lo up

dir=$(mktemp -d)
pids=
trap 'for p in $pids; do kill "$p" 2>/dev/null; wait "$p" 2>/dev/null; done; rm -rf "$dir"' EXIT
mkdir "$dir/build"
ln -s "$bin" "$dir/build/bin"
ln -s "$source/conformance" "$dir/conformance"
sed -n "s|/tmp/|$dir/|g; s/^\\$ //p" "$source/docs/upper-tester.md" >"$dir/commands"
cd "$dir" || exit 2
bad=0 n=0

while IFS= read -r command; do
    want=0
    case $command in
    './dev build') continue ;; # this build
    *'--provider tcp'*--peer*) want=1 ;;
    esac
    n=$((n + 1))
    case $command in
    *' &')
        eval "$command" >"$dir/fep.$n" 2>&1
        pids="$pids $!"
        tries=0
        until grep -q ready "$dir/fep.$n"; do
            tries=$((tries + 1))
            [ $tries -lt 100 ] || { cat "$dir/fep.$n"; exit 1; }
            sleep 0.1
        done
        ;;
    *)
        status=0
        eval "$command" >"$dir/out" 2>&1 </dev/null || status=$?
        [ $status -eq $want ] || { echo "FAIL $command: $status"; cat "$dir/out"; bad=1; }
        ;;
    esac
done <"$dir/commands"
[ $n -ge 12 ] || { echo "FAIL only $n commands"; bad=1; }
exit $bad
