#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Whole fabrics: which scenarios reach the paper's figures, and which are known not to (docs/cms.md). One
# that begins to reach them has its place in the other list.
set -u
uetsim=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { echo "fabric.sh: $*" >&2; bad=1; }

reached="paths polarisation incast-nscc incast-rccc incast-both outcast-nscc permutation incast"
not_reached="outcast-rccc outcast-both oversubscription-nscc oversubscription-rccc oversubscription-both"
for s in $reached; do
    "$uetsim" fabric "$s" >"$dir/out" || fail "$s misses a goal: $(cat "$dir/out")"
done
for s in $not_reached; do
    "$uetsim" fabric "$s" >"$dir/out"
    [ $? -eq 1 ] || fail "$s: status is not 1: $(cat "$dir/out")"
    grep -q '^  met    writes that failed ' "$dir/out" || fail "$s: writes failed"
done
# Workloads of other sizes: those that reach their goals, and those that are known not to.
sized() { # STATUS OPTIONS...
    wanted=$1
    shift
    "$uetsim" fabric "$@" >"$dir/out"
    [ $? -eq "$wanted" ] || fail "$*: status is not $wanted: $(cat "$dir/out")"
    grep -q '^  met    writes that ended well ' "$dir/out" || fail "$*: writes failed"
}
sized 0 incast --senders 256 --message 16384
sized 1 incast --senders 32 --message 65536
# Every scenario is in one of them.
for s in $("$uetsim" fabric list | awk '{print $1}'); do
    case " $reached $not_reached " in
    *" $s "*) ;;
    *) fail "$s is in no list" ;;
    esac
done
# Nothing that sprays: what must be missed then.
for s in paths polarisation; do
    "$uetsim" fabric "$s" --evs 1 >"$dir/out"
    [ $? -eq 1 ] && [ "$(grep -c MISSED "$dir/out")" -eq 2 ] || fail "$s --evs 1: $(cat "$dir/out")"
done
# One that is named after its congestion control is not run with another.
"$uetsim" fabric incast-nscc --cc rccc >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'its name says which' "$dir/err" || fail "incast-nscc --cc rccc: $(cat "$dir/err")"
# What a scenario would not read it refuses.
for o in "paths --message 99" "paths --lb 3" "polarisation --count 2" "incast-nscc --count 2" \
    "permutation --senders 3" "incast --hosts 9" "incast --count 2"; do
    # shellcheck disable=SC2086
    "$uetsim" fabric $o >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] && grep -q 'not read by' "$dir/err" || fail "$o: $(cat "$dir/err")"
done
exit $bad
